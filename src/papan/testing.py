"""Contract checks: test the invariants of games and players on random games.

A new game or a new player is tested in three lines:

    from papan.testing import check_game, check_player

    def test_my_game_keeps_its_contract():
        check_game("my-game:size=5")

    def test_my_player_keeps_its_contract():
        check_player("my-player:depth=3")
"""

from papan.players.contract import check_player
from papan.usercode.contract.check import check_game

__all__ = ["check_game", "check_player"]
