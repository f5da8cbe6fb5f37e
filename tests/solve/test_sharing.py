"""Threads that prove together over one table: what they find, and what they believe."""

import itertools

import numpy as np
import pytest

import papan
from papan.errors import Unsolved, UsageError
from papan.search.limits import Limit
from papan.solve.base import Work
from papan.solve.null_window import NullWindowSolver
from papan.solve.proof_table import (
    NO_LOWER,
    NO_UPPER,
    WORDS,
    Proof,
    find_proof,
    find_row,
    keep_proof,
    new_proofs,
)
from papan.solve.solve import prepare, solve

LARGE = "platforms:size=4,level=2"  # more to prove than the first table holds
NOTHING = Proof(NO_LOWER, NO_UPPER, -1)


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_that_search_together_prove_what_one_proves(threads: int) -> None:
    position = papan.game(LARGE).start()
    prepare(position)
    alone, together = Work(position), Work(position, threads=threads)
    expected = NullWindowSolver().solve(alone)
    assert NullWindowSolver().solve(together) == expected
    assert alone.helpers.nodes() == 0 < together.helpers.nodes()
    assert together.nodes == together.workspace.nodes + together.helpers.nodes()


def test_helpers_stay_away_from_what_is_little_or_counted_out() -> None:
    for spec, limit in (("platforms:size=3,level=2", Limit()), (LARGE, Limit(nodes=10**7))):
        position = papan.game(spec).start()
        assert solve(position, limit=limit, threads=2).nodes == solve(position, limit=limit).nodes


def test_threads_end_together_when_the_time_is_up() -> None:
    position = papan.game("platforms:size=6,level=3").start()
    with pytest.raises(Unsolved, match=r"within 0\.4 seconds"):
        solve(position, limit=Limit(seconds=0.4), threads=2)


def test_a_number_of_threads_out_of_range_is_refused() -> None:
    with pytest.raises(UsageError, match="threads"):
        papan.solve("platforms", threads=0)


@pytest.mark.filterwarnings("ignore:overflow encountered")  # hashes wrap around, in Python too
@pytest.mark.parametrize("same", [True, False])
def test_a_slot_that_two_threads_wrote_at_once_is_not_believed(same: bool) -> None:
    """Each mixture of the words of two positions, with the same facts and with others."""
    work = Work(papan.game("platforms").start(), 1)
    proofs = new_proofs(work, 2)  # one pair of slots: all positions meet there
    a, b, c, d = (np.uint64(number) for number in (5, 9, 6, 10))
    facts = Proof(-3, 7, 4), Proof(-3, 7, 4) if same else Proof(-3, 2, 4)
    written = []
    for (first, second), proof in zip(((a, b), (c, d)), facts, strict=True):
        proofs.words[:] = 0
        keep_proof(proofs, first, second, proof, 12, work.workspace)
        assert find_proof(proofs, first, second) == proof
        row = find_row(proofs, first, second)
        written.append(proofs.words[WORDS * row : WORDS * (row + 1)].copy())
    for choice in itertools.product((0, 1), repeat=WORDS):
        mixture = [written[chosen][word] for word, chosen in enumerate(choice)]
        if any(np.array_equal(mixture, one) for one in written):
            continue
        proofs.words[:] = [*mixture, *mixture]
        for first, second in itertools.product((a, c), (b, d)):
            assert find_proof(proofs, first, second) == NOTHING, choice
