"""Games of the gallery keep their promises with each option at both of its ends."""

import pytest

from papan.core.rehearsal import rehearse
from papan.testing.games import check_extremes
from support import GALLERY, gallery


def test_the_largest_board_of_hex_has_more_moves_than_games_have_by_default() -> None:
    largest = gallery("hex.py:size=19")
    rehearse(largest)
    assert len(largest.start().moves()) == 361


@pytest.mark.thorough
@pytest.mark.parametrize("file", sorted(path.name for path in GALLERY.glob("*.py")))
def test_each_option_is_tried_at_both_ends(file: str) -> None:
    check_extremes(gallery(file))
