"""A program that speaks GTP, and misbehaves in the way its first argument names.

It plays tic-tac-toe: it takes the first empty point, from C3 down to A1. What it is sent is added
to the file named by a second argument.
"""

import os
import sys
import time

POINTS = [f"{column}{row}" for row in (3, 2, 1) for column in "CBA"]
#: The reply to `genmove`, after the number; None to say nothing.
MOVES = {
    "illegal": "= Z9",
    "words": "= A1 B2",
    "empty": "=",
    "resigns": "= resign",
    "refuses": "? I will not",
    "hangs": None,
}


def main(mode: str, notes: str) -> None:
    """Obeys, until the mode says otherwise."""
    taken: list[str] = []
    for line in sys.stdin:
        if notes:
            with open(notes, "a") as file:
                file.write(line)
        number, command, *words = line.split()
        text = f"={number}"
        if command == "protocol_version":
            text += {"version": " 1", "deaf": ""}.get(mode, " 2")
        elif command == "list_commands":
            text += " play\ngenmove\nboardsize\ntime_settings\nquit"
        elif command == "boardsize" and words != ["3"] and mode != "passes-itself":
            text = f"?{number} unacceptable size"
        elif command == "play" and mode == "rejects":
            text = f"?{number} illegal move"
        elif command == "play" and mode == "passes-itself" and words[1] == "pass":
            text = f"?{number} syntax error"
        elif command == "clear_board":
            taken = []
        elif command == "play":
            taken.append(words[1])
        elif command == "genmove":
            taken.append(next(point for point in POINTS if point not in taken))
            text += f" {taken[-1].lower()}"
            if mode == "stale":
                text = f"=999 A1\n\nnoise\n{text}"
            elif mode == "no-number":
                text = f"= {taken[-1]}"
            elif mode == "crlf":
                text = f"{text}\r"
            elif mode == "exits":
                os._exit(3)
            elif mode in MOVES:
                said = MOVES[mode]
                while said is None:
                    time.sleep(60)
                text = f"{said[0]}{number}{said[1:]}"
        end = "" if mode == "unended" and command == "genmove" else "\n"
        print(f"{text}\n{end}", end="", flush=True)
        if command == "quit":
            return


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
