"""The engine of a page in Node, without a browser."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from papan.browser.modules import Module

NODE = shutil.which("node")
STATIC = Path(__file__).parents[2] / "src" / "papan" / "web" / "static"


class NodeEngine:
    """A game's module in a process of Node; a context manager."""

    def __init__(self, module: Module, folder: Path) -> None:
        files = [folder / name for name in ("engine.mjs", "data.json", "code.wasm", "weights")]
        contents = [
            (STATIC / "engine.js").read_bytes() + b"export { Engine };",
            json.dumps(module.data).encode(),
        ]
        for file, content in zip(files, [*contents, module.wasm, module.weights], strict=True):
            file.write_bytes(content)
        self._process = subprocess.Popen(
            [str(NODE), str(Path(__file__).with_name("ask.mjs")), *map(str, files)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, command: str, **request: Any) -> Any:
        """Returns the result of a command, or the error as text: `name: text`."""
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps({"command": command, **request}), file=self._process.stdin, flush=True)
        reply = json.loads(self._process.stdout.readline())
        error = reply.get("error")
        return f"{error['name']}: {error['text']}" if error else reply["result"]

    def __enter__(self) -> "NodeEngine":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=60)
