"""LLVM's linker for WebAssembly: from object code to a module."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from papan.errors import PapanError
from papan.jit.wasm import IMPORTS
from papan.whole_files import whole_file, write_whole

_STACK_BYTES = 1 << 20


class NoLinker(PapanError):
    """The machine has no linker for WebAssembly."""


class NotPortable(PapanError):
    """The rules of a game need something that a browser does not have."""


def find_linker() -> list[str]:
    """Returns the command of LLVM's linker for WebAssembly.

    Raises:
        NoLinker: there is none.
    """
    if path := shutil.which("wasm-ld"):
        return [path]
    versions = sorted(Path("/usr/bin").glob("wasm-ld-*"))
    if versions:
        return [str(versions[-1])]
    if find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "wasm-ld"]
    raise NoLinker("export.no-linker")


def link(code: bytes, names: Iterable[str]) -> bytes:
    """Returns the module of an object file; everything that no entry needs is left out.

    Args:
        code: the object file.
        names: the names of the entries.

    Raises:
        NoLinker: the linker of LLVM is not installed.
        NotPortable: a rule creates arrays or calls a function that no browser has.
    """
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "code.o"), Path(folder, "code.wasm")
        with whole_file(source) as file:
            file.write(code)
        allowed = Path(folder, "imports")
        write_whole(allowed, "\n".join(IMPORTS))
        command = [
            *find_linker(),
            *("--no-entry", "--strip-all", "--gc-sections", "-z", f"stack-size={_STACK_BYTES}"),
            *("--export=__heap_base", f"--allow-undefined-file={allowed}"),
            *(f"--export=entry.{name}" for name in names),
            *("-o", os.fspath(target), os.fspath(source)),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            missing = re.findall(r"undefined symbol: (\S+)", done.stderr)
            why = ", ".join(dict.fromkeys(missing)) or done.stderr.strip()[:200]
            raise NotPortable("export.not-portable", text=why)
        return target.read_bytes()
