"""Papan's web server as a separate process on a free port of this machine.

As a module it serves without rate limits, for tests that send as much as possible:
`python -m benchmarks.tools.webserver FOLDER PORT [--server-engines]`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType

#: Timeouts for the first answer and for the end of a server, in seconds.
START_SECONDS = 60
END_SECONDS = 10

#: Actions per second of a server without rate limits.
UNLIMITED = 1_000_000

KILOBYTE = 1024


class WebServer:
    """A running server; a new `start` after `kill` serves the same games on the same port.

    Args:
        folder: folder of its games and its secret.
        words: additional arguments of `papan web`.
        unlimited: True serves without rate limits, and without preparing engines.
        cache: folder of compiled code; by default the user's folder.
    """

    def __init__(
        self,
        folder: Path,
        words: tuple[str, ...] = (),
        *,
        unlimited: bool = False,
        cache: Path | None = None,
    ):
        self.folder, self.words, self.unlimited, self.cache = folder, words, unlimited, cache
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        """Address of the server, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """Contents of the error log."""
        return (self.folder / "server.log").read_text(encoding="utf-8")

    def start(self) -> WebServer:
        """Starts the server and waits until it responds."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "server.log").open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                self._command(),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=os.environ
                | {"XDG_DATA_HOME": str(self.folder), "PAPAN_LANG": "en"}
                | ({} if self.cache is None else {"PAPAN_CACHE_DIR": str(self.cache)}),
                start_new_session=True,
            )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        if "http://" not in said:
            self.kill()
            raise RuntimeError(f"the server did not start: {said}{self.log}")
        self.port = int(said.split("http://", 1)[1].split("/", 1)[0].rpartition(":")[2])
        return self

    def _command(self) -> list[str]:
        if self.unlimited:
            module = ("-m", "benchmarks.tools.webserver", str(self.folder), str(self.port))
            return [sys.executable, *module, *self.words]
        database = str(self.folder / "games.sqlite")
        words = ("web", "--no-open", "--port", str(self.port), "--database", database)
        return [sys.executable, "-m", "papan", *words, *self.words]

    def kill(self) -> None:
        """Kills the server and all its child processes without warning, like a power cut."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Stops the server like Ctrl-C; returns its exit status."""
        return self._end(signal.SIGINT)

    def _end(self, techniques: signal.Signals) -> int:
        if self.process is None:
            return 0
        ending, self.process = self.process, None
        ending.send_signal(techniques)
        try:
            return ending.wait(END_SECONDS)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(ending.pid, signal.SIGKILL)
            ending.wait()
            assert ending.stdout is not None
            ending.stdout.close()

    @property
    def kilobytes(self) -> int:
        """Memory of the server process, without its engines."""
        assert self.process is not None
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))

    @property
    def seconds(self) -> float:
        """Processor time of the server process, without its engines."""
        assert self.process is not None
        return _seconds_of(str(self.process.pid))

    @property
    def all_seconds(self) -> float:
        """Processor time of the server and of its running engines."""
        assert self.process is not None
        group, total = str(self.process.pid), 0.0
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if _fields_of(folder.name)[2] == group:
                    total += _seconds_of(folder.name)
        return total

    def __enter__(self) -> WebServer:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()


def _fields_of(process: str) -> list[str]:
    """Returns the numbers of a process, from its state on; the third is its group."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()


def _seconds_of(process: str) -> float:
    fields = _fields_of(process)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def serve(folder: Path, port: int, *words: str) -> None:
    """Serves without rate limits until the process is killed; prints the address at the start."""
    import uvicorn

    from papan.cli.web import address_of, listen, settings_for
    from papan.web.app import create_app
    from papan.web.http.settings import ServerSettings

    settings = ServerSettings(
        processes=1,
        database=str(folder / "games.sqlite"),
        folder=folder,
        language="en",
        actions_a_second=UNLIMITED,
        actions_at_once=UNLIMITED,
        warm=False,
        server_engines="--server-engines" in words,
    )
    listening = listen("127.0.0.1", port)
    print(address_of("127.0.0.1", listening.getsockname()[1]), flush=True)
    uvicorn.Server(settings_for(create_app(settings))).run(sockets=[listening])


if __name__ == "__main__":
    serve(Path(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
