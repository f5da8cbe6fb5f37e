"""Tables of proofs in files, so that a long proof can resume after a stop or kill.

The file is mapped into memory, so writes reach the disk without further work. A slot that was
written only in part matches no position, as with several threads.

    bytes 0 … 4095   JSON: version, game, digest of the rules, number of slots; spaces
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
    """Returns the table of a file, which is created with as many slots as fit into memory.

    Raises:
        UsageError: The file has proofs of another game or other rules, is not a file of proofs, or
            the disk is full.
    """
    with reading(path, "solve.no-proofs", UsageError):
        if not path.exists():
            _make(work, path)
        with path.open("rb") as file:
            slots = _slots(file.read(_HEAD), path, _facts(work))
        # Mapping beyond the end would extend the file.
        if slots < 1 or slots & (slots - 1) or path.stat().st_size != _HEAD + SLOT_BYTES * slots:
            raise ValueError(slots)
        words = np.memmap(path, np.uint64, "r+", _HEAD, (WORDS * slots,)).view(np.ndarray)
    return proofs_in(words, slots, grows=False)


def _facts(work: Work) -> dict[str, Any]:
    """Returns the facts that proofs depend on."""
    game = work.position.game
    return {"papan-proofs": VERSION, "game": game.spec, "rules": rules_digest(game)}


def _make(work: Work, path: Path) -> None:
    """Creates the file of an empty table and allocates its disk space."""
    slots = most_slots(work, SLOT_BYTES)
    with whole_file(path, lasting=True) as file:
        allocate(file, _HEAD + SLOT_BYTES * slots)
        file.seek(0)
        file.write(json.dumps({**_facts(work), "slots": slots}).encode().ljust(_HEAD))


def _slots(head: bytes, path: Path, facts: dict[str, Any]) -> int:
    """Returns the number of slots of a file of proofs.

    Raises:
        UsageError: The header differs from `facts`.
        ValueError, …: The file is not a file of proofs.
    """
    header = parse_json(head)
    slots = int(header.pop("slots"))
    if header != facts:
        raise UsageError("solve.other-proofs", text=path, game=facts["game"])
    return slots
