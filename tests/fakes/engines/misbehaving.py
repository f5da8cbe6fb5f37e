"""A program that speaks UGI and misbehaves in the way its first argument names.

It plays Adjacency on 4×4 boards, where any empty square is a legal move: it takes the last one.
Its process id, and those of what it starts, are added to the file named by `FAKE_PIDS`.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

ALL = [f"{column}{row}" for row in range(1, 5) for column in "abcd"]
TAKEN = {"a1", "a2", "b1", "b2", "c3", "c4", "d3", "d4"}


def write(text: str) -> None:
    """Writes to the arbiter at once."""
    write_bytes(text.encode())


def write_bytes(data: bytes) -> None:
    """Writes to the arbiter at once, all of it."""
    while data:
        data = data[os.write(1, data) :]


def note_pid(pid: int) -> None:
    """Lets the test know of a process."""
    if "FAKE_PIDS" in os.environ:
        with open(os.environ["FAKE_PIDS"], "a") as file:
            file.write(f"{pid}\n")


def forever() -> None:
    """Sleeps."""
    while True:
        time.sleep(60)


def flood(text: bytes) -> None:
    """Writes the same again and again."""
    while True:
        write_bytes(text)


def trickle(move: str) -> None:
    """Says something all the time, but not the move."""
    while True:
        write("info depth 1\n")
        time.sleep(0.01)


def in_two(move: str) -> None:
    """The answer in two writes, cut in the middle of the move."""
    write(f"bestmove {move[:1]}")
    time.sleep(0.05)
    write(f"{move[1:]}\n")


def without_newline(move: str) -> None:
    """The answer without the end of its line, and then silence."""
    write(f"bestmove {move}")
    forever()


def bad_utf8(move: str) -> None:
    """Bytes that are no text, and then the answer."""
    write_bytes(b"info string \xff\xfe\x80\ninfo depth \xc3 pv \xff\n")
    write(f"bestmove {move}\n")


def complain(move: str, megabytes: int) -> None:
    """Megabytes of stack traces, and then the answer."""
    trace = b"Exception in thread AWT-EventQueue-0\n\tat bot.Bot.move(Bot.java:42)\n"
    for _ in range(megabytes):
        os.write(2, trace * (10**6 // len(trace)))
    write(f"bestmove {move}\n")


def start_daemons() -> None:
    """Two programs that stay: one in this group, one in a session of its own."""
    for apart in (False, True):
        left = subprocess.Popen(["sleep", "600"], start_new_session=apart)
        note_pid(left.pid)


def daemon(move: str) -> None:
    """The answer, and programs that stay."""
    start_daemons()
    write(f"bestmove {move}\n")


def segfault(move: str) -> None:
    """Crashes as a null pointer does."""
    os.kill(os.getpid(), signal.SIGSEGV)


def closed(move: str) -> None:
    """Nothing more to read, but still there."""
    os.close(1)
    forever()


def exits(move: str) -> None:
    """An error of its own."""
    print("IndexError: list index out of range", file=sys.stderr, flush=True)
    os._exit(3)


def answers_and_exits(move: str) -> None:
    """The move and nothing after it."""
    write(f"bestmove {move}\n")
    os._exit(0)


def eats_memory(move: str) -> None:
    """Takes what it gets, up to 4 GB."""
    kept = [bytearray(1 << 24) for _ in range(256)]
    write(f"bestmove {move}\n" if kept else "")


def attack_guard(move: str, number: int) -> None:
    """A signal for the process that guards this one, while daemons hold the output open."""
    start_daemons()
    os.kill(os.getppid(), number)
    forever()


def lies(move: str) -> None:
    """Claims of a game that is won, and moves for later, before and after the answer."""
    write("response true\nresponse p1win\ngameover\nresult p1win\n")
    write(f"bestmove {move}\nresponse p1win\nbestmove a1\nbestmove\n")


IN_GO: dict[str, Callable[[str], None]] = {
    "good": lambda move: write(
        f"info depth 3 score cp 150 nodes 7 time 1 pv {move}\nbestmove {move}\n"
    ),
    "hangs": lambda move: forever(),
    "hangs-ignoring-sigterm": lambda move: forever(),
    "exits": exits,
    "segfaults": segfault,
    "floods": lambda move: flood(b"info depth 1 nodes 12345 pv a3\n" * 1000),
    "endless-line": lambda move: flood(b"info " * 10_000),
    "trickles": trickle,
    "closes-stdout": closed,
    "two-writes": in_two,
    "no-newline": without_newline,
    "crlf": lambda move: write(f"info depth 1\r\nbestmove {move}\r\n"),
    "bad-utf8": bad_utf8,
    "bad-utf8-move": lambda move: write_bytes(b"bestmove \xff\xfe\n"),
    "5-mb-of-stderr": lambda move: complain(move, 5),
    "200-mb-of-stderr": lambda move: complain(move, 200),
    "stderr-for-ever": lambda move: complain(move, 10**9),
    "escape": lambda move: write("bestmove \x1b[2Ja3\n"),
    "empty": lambda move: write("bestmove\n"),
    "illegal": lambda move: write("bestmove a1\n"),
    "unparsable": lambda move: write("bestmove (-1, -1)\n"),
    "ponder": lambda move: write(f"bestmove {move} ponder a1\n"),
    "two-bestmoves": lambda move: write(f"bestmove {move}\nbestmove a1\n"),
    "answers-and-exits": answers_and_exits,
    "daemon": daemon,
    "eats-memory": eats_memory,
    "lies": lies,
    "kills-guard": lambda move: attack_guard(move, signal.SIGKILL),
    "stops-guard": lambda move: attack_guard(move, signal.SIGSTOP),
    "stops-reading": lambda move: forever(),
    "ignores-quit": lambda move: write(f"bestmove {move}\n"),
}


def greet(mode: str) -> None:
    """Answers `ugi`."""
    if mode == "dies-at-start":
        print("no such file: openings.dat", file=sys.stderr, flush=True)
        os._exit(1)
    write("id name Fake\noption name game type string default adjacency\n")
    if mode != "no-ugiok":
        write("ugiok\n")


def main(mode: str) -> None:
    """Obeys, until the mode says otherwise."""
    note_pid(os.getpid())
    if mode == "hangs-ignoring-sigterm":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    played: list[str] = []
    for line in sys.stdin:
        command, *words = line.split()
        if command == "ugi":
            greet(mode)
        elif command == "isready":
            write("readyok\n")
        elif command == "position":
            played = words[words.index("moves") + 1 :] if "moves" in words else []
        elif command == "go":
            IN_GO[mode]([square for square in ALL if square not in {*TAKEN, *played}][-1])
        elif command == "quit" and mode != "ignores-quit":
            return
    if mode == "ignores-quit":
        forever()


if __name__ == "__main__":
    main(sys.argv[1])
