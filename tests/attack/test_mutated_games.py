"""Examples of games with a mistake put in are refused in one line with its own, or sound games:
never a hang, a traceback, a signal, or text where JSON is expected."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from attack.conftest import Wanted
from attack.game_mutants import tried
from papan.usercode import sandbox
from support import environment

#: Files that a process tries, which then is started anew, and what they may take, in seconds.
_BATCH = 50
_PATIENCE = 600
#: Sources that were found to break the promise once: each is tried again in every run.
KEPT = sorted((Path(__file__).parent / "games").glob("*.py"))


def test_mutated_games_are_refused_or_sound(tmp_path: Path, wanted: Wanted) -> None:
    count, found = wanted("mutated game files"), Counter[str]()
    for first in range(0, count, _BATCH):
        many = min(_BATCH, count - first)
        words = ["-m", "attack.game_mutants", str(tmp_path), str(first), str(many)]
        done = subprocess.run(
            [sys.executable, *words],
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
        )
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        assert (done.returncode, len(lines)) == (0, many), (
            done.returncode,
            lines[-1:],
            done.stderr,
        )
        wrong = [line for line in lines if line[1] not in ("refused", "sound", "raises")]
        assert not wrong, wrong
        found += Counter(line[1] for line in lines)
    assert sum(found.values()) == count
    assert found["refused"] > count / 4, found
    assert found["sound"] > count / 20, found


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_what_was_found_once_stays_mended(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "inside", True)  # what the child does, done here
    assert tried(path) in ("refused", "sound", "raises")
