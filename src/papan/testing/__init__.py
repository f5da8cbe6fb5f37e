"""The contract checks: what every game promises, tried out on random games.

A new game is tested in three lines:

    from papan.testing import check_game

    def test_my_game_keeps_its_promises():
        check_game("my-game:size=5")
"""

from papan.testing.games import check_game

__all__ = ["check_game"]
