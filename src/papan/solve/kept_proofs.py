"""Proof tables in files, so that a long proof can be resumed after a stop or a crash.

The table is the file, mapped into memory. The system writes changes to the disk by itself. A slot
that was interrupted while it was written is invalid, as with several threads.

    bytes 0 … 4095   JSON: the version, the game, a digest of its rules, the number of slots; spaces
    words            see `proof_table`
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from papan.data_files import parse_json, reading
from papan.errors import UsageError
from papan.solve.base import Work
from papan.solve.proof_table import SLOT_BYTES, WORDS, Proofs, most_slots, proofs_in
from papan.tablebase.store import allocate, rules_digest
from papan.whole_files import whole_file

VERSION = 1
_HEAD = 4096


def kept_proofs(work: Work, path: Path) -> Proofs:
    """Returns the proof table in a file; creates the file with as many slots as memory allows.

    Raises:
        UsageError: the file is not a proof table or belongs to another game or other rules, or the
            disk has no room for it.
    """
    with reading(path, "solve.no-proofs", UsageError):
        # Created by a rename, so an existing file has its full size and a complete header.
        if not path.exists():
            _make(work, path)
        with path.open("rb") as file:
            slots = _slots(file.read(_HEAD), path, _facts(work))
        # The size is checked first, because mapping beyond the end would extend the file.
        if slots < 1 or slots & (slots - 1) or path.stat().st_size != _HEAD + SLOT_BYTES * slots:
            raise ValueError(slots)
        # A killed process loses nothing: its changes are already in the page cache of the system.
        words = np.memmap(path, np.uint64, "r+", _HEAD, (WORDS * slots,)).view(np.ndarray)
    # A growing table would need a new file. It starts at its full size instead; new proofs replace
    # old ones.
    return proofs_in(words, slots, grows=False)


def _facts(work: Work) -> dict[str, Any]:
    """Returns the facts that identify the proofs."""
    game = work.position.game
    return {"papan-proofs": VERSION, "game": game.spec, "rules": rules_digest(game)}


def _make(work: Work, path: Path) -> None:
    """Creates the file of an empty table and allocates all of its disk space."""
    # Allocated now: writing to a map of a file with holes on a full disk would kill the process.
    slots = most_slots(work, SLOT_BYTES)
    with whole_file(path, lasting=True) as file:
        allocate(file, _HEAD + SLOT_BYTES * slots)
        file.seek(0)
        file.write(json.dumps({**_facts(work), "slots": slots}).encode().ljust(_HEAD))


def _slots(head: bytes, path: Path, facts: dict[str, Any]) -> int:
    """Returns the number of slots of a proof file.

    Raises:
        UsageError: the header differs from `facts`.
        ValueError, …: the file is not a proof file.
    """
    # Taken out before the comparison: a table of another size is still usable.
    header = parse_json(head)
    slots = int(header.pop("slots"))
    if header != facts:
        raise UsageError("solve.other-proofs", text=path, game=facts["game"])
    return slots
