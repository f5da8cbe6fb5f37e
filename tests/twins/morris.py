"""Nine men's morris: OpenSpiel numbers the points as we do; men are taken by a second action."""

from papan.core.game import Position
from twins import State, Twin


def actions(position: Position, move: str) -> list[str]:
    """`a1-a4xd7` is `Move 21 -> 9`, then `Point 1`."""
    way, _, taken = move.partition("x")
    points = [position.game.board.square(name) for name in way.split("-")]
    said = f"Move {points[0]} -> {points[1]}" if len(points) == 2 else f"Point {points[0]}"
    return [said, f"Point {position.game.board.square(taken)}"] if taken else [said]


def stops(position: Position, state: State) -> bool:
    """OpenSpiel ends a game after 200 turns, we after 100 moves that take nobody."""
    return position.state.patience == 0 or "Turn number: 200" in str(state)


TWINS = (Twin("morris.py", "nine_mens_morris", actions, stops),)
