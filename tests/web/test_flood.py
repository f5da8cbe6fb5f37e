"""A real server under attack from this machine: an honest visitor is served meanwhile."""

import contextlib
import http.client
import json
import select
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
import uvicorn

from papan.cli.web import listen, settings_for
from papan.web.app import create_app
from papan.web.http.settings import ServerSettings
from support import PATIENCE, wait_until

#: Searches that are asked for and left, and seconds of each.
ABANDONED = 1500
SECONDS = 0.5

#: Asks for searches without a cookie and goes at once: port, how many, whether to hold them.
ATTACK = """
import json, socket, sys, time
port, count, hold = map(int, sys.argv[1:])
body = json.dumps({"game": "adjacency", "seconds": 10, "depth": 60}).encode()
head = (
    f"POST /api/search HTTP/1.1\\r\\nHost: 127.0.0.1:{port}\\r\\nOrigin: http://127.0.0.1:{port}"
    f"\\r\\nContent-Type: application/json\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n"
)
held, end = [], time.monotonic() + 60
for _ in range(count):
    if time.monotonic() > end:
        break
    connection = socket.create_connection(("127.0.0.1", port), timeout=30)
    connection.sendall(head.encode() + body)
    held.append(connection)
    while held and not hold:
        held.pop().close()
print("sent", flush=True)
if hold:
    time.sleep(20)
"""


@pytest.fixture
def port(settings: ServerSettings, tmp_path: Path) -> Iterator[int]:
    """A server with two engines, which listens there."""
    own = replace(settings, processes=2, folder=tmp_path, database=str(tmp_path / "db.sqlite"))
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(settings_for(create_app(own)))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listening.close()


class Honest:
    """A browser that keeps its cookie."""

    def __init__(self, port: int) -> None:
        self.origin = f"http://127.0.0.1:{port}"
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.connection.request("GET", "/about")
        answer = self.connection.getresponse()
        answer.read()
        self.cookie = (answer.getheader("set-cookie") or "").partition(";")[0]

    def search(self) -> float:
        """Seconds that a search takes."""
        body = json.dumps({"game": "adjacency", "seconds": SECONDS})
        headers = {"origin": self.origin, "cookie": self.cookie, "content-type": "application/json"}
        self.connection.close()  # the server may have, if it was idle: it opens again by itself
        began = time.monotonic()
        self.connection.request("POST", "/api/search", body, headers)
        answer = self.connection.getresponse()
        found = json.load(answer)
        assert answer.status == 200, found
        return time.monotonic() - began


@pytest.mark.long  # it measures time
@pytest.mark.parametrize(("count", "hold"), [(60, 1), (ABANDONED, 0)])
def test_a_flood_of_searches_makes_an_honest_visitor_wait_at_most_twice_as_long(
    port: int, count: int, hold: int
) -> None:
    honest = Honest(port)
    with contextlib.closing(honest.connection):
        usual, during = _times(honest, port, count, hold)
    print(f"usual {usual:.2f} s, under attack {sorted(during)}")
    assert statistics.median(during) <= 2 * usual
    assert during[-1] <= 2 * usual


def _times(honest: Honest, port: int, count: int, hold: int) -> tuple[float, list[float]]:
    """The usual time of a search, and those under attack, the last one after it."""
    other = Honest(port)
    with contextlib.closing(other.connection), ThreadPoolExecutor(2) as both:
        for _ in range(3):  # each of the engines compiles, or loads what was compiled
            for search in [both.submit(visitor.search) for visitor in (honest, other)]:
                search.result()
    usual = statistics.median(honest.search() for _ in range(3))
    attack = subprocess.Popen(
        [sys.executable, "-c", ATTACK, str(port), str(count), str(hold)], stdout=subprocess.PIPE
    )
    try:
        time.sleep(0.5)
        during = [honest.search() for _ in range(5)]
    finally:
        with contextlib.suppress(subprocess.TimeoutExpired):
            attack.wait(0 if hold else 60)
        attack.kill()
        attack.communicate()
    return usual, [*during, honest.search()]


#: A server that may open few files, and prints its port.
SMALL = """
import resource, sys
from pathlib import Path
import uvicorn
from papan.cli.web import listen, settings_for
from papan.web.app import create_app
from papan.web.http.settings import ServerSettings
from papan.web.http.connections import Connections, most_connections
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
folder = Path(sys.argv[1])
settings = ServerSettings(processes=1, database=str(folder / "db"), folder=folder, warm=False)
listening = listen("127.0.0.1", 0)
print(listening.getsockname()[1], flush=True)
config = settings_for(create_app(settings))
config.http = Connections(most_connections(), 3.0).protocol
uvicorn.Server(config).run(sockets=[listening])
"""


def answers(port: int) -> bool:
    """True if a page is there."""
    asking = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    with contextlib.closing(asking), contextlib.suppress(ConnectionRefusedError):
        asking.request("GET", "/about")
        return asking.getresponse().status == 200
    return False


def is_closed(connection: socket.socket) -> bool:
    """True if the other side has closed a connection; if not, one more letter is sent."""
    try:
        connection.send(b"a")
        return connection.recv(100, socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def test_half_open_connections_keep_no_visitor_out_and_the_log_quiet(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    log = tmp_path / "log"
    with (
        log.open("wb") as said,
        subprocess.Popen(
            [sys.executable, "-c", SMALL, str(tmp_path)], stdout=subprocess.PIPE, stderr=said
        ) as server,
        contextlib.ExitStack() as held,
    ):
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline())
            wait_until(lambda: answers(port))
            opened = []
            for _ in range(306):
                connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
                opened.append(held.enter_context(connection))
            # However often one of them says a little more, its time runs out.
            while opened:
                select.select(opened, [], [], 0.2)
                opened = [each for each in opened if not is_closed(each)]
                assert answers(port)
        finally:
            server.kill()
    assert log.stat().st_size < 10_000
