"""Programs that speak GTP as players: told the game from its start, and believed nothing."""

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import papan
from papan.arena.pairs import Pair, close_players
from papan.core.game import Outcome
from papan.errors import PlayerRefusal
from papan.play.referee import PlayedGame, play_game
from papan.play.table import Termination
from papan.players.external import GtpPlayer
from papan.players.simple import FirstMove
from papan.search.limits import Limit

FAKE = Path(__file__).parent.parent / "fakes" / "engines" / "gtp.py"
GAME = "tictactoe"
OTHELLO = str(Path(__file__).parents[2] / "examples" / "games" / "othello.py")
LIMIT = Limit(seconds=20.0)


def fake(mode: str, notes: Path | str = "") -> str:
    """The spec of the fake, without what makes Python slow to start."""
    return "gtp:" + shlex.join([sys.executable, "-I", "-S", str(FAKE), mode, str(notes)])


def play(mode: str, limit: Limit = LIMIT) -> PlayedGame:
    """The game of a fake, as `x`, with a player that does no wrong."""
    program = GtpPlayer(fake(mode).removeprefix("gtp:"))
    try:
        return play_game({"x": program, "o": FirstMove()}, papan.game(GAME).start(), limit)
    finally:
        program.close()


def commands(notes: Path) -> list[str]:
    """What the fake was sent, without the numbers and the `quit` at the end."""
    lines = [line.split(" ", 1) for line in notes.read_text().splitlines()]
    return [words[1] for words in lines if words[0].isdigit()]


@pytest.fixture(autouse=True)
def no_programs_left() -> Iterator[None]:
    """Programs that pairs have started are ended after each test."""
    yield
    close_players()


@pytest.mark.parametrize("mode", ["good", "stale", "no-number", "crlf"])
def test_what_can_be_understood_is_a_game_to_its_end(mode: str) -> None:
    played = play(mode)
    assert (played.termination, played.detail) == (Termination.RULES, "")
    assert played.moves[0] == "c3"


@pytest.mark.parametrize(
    ("mode", "termination", "detail"),
    [
        ("illegal", Termination.ILLEGAL_MOVE, "Z9"),
        ("words", Termination.ILLEGAL_MOVE, "A1 B2"),
        ("empty", Termination.ILLEGAL_MOVE, "no move was returned"),
        ("resigns", Termination.RESIGNATION, ""),
        ("version", Termination.CRASH, "got '1'"),
        ("deaf", Termination.CRASH, "does not speak GTP"),
        ("exits", Termination.CRASH, "exit status 3"),
        ("hangs", Termination.TIME, ""),
        ("unended", Termination.TIME, ""),
    ],
)
def test_what_goes_wrong_loses_the_game_at_once(
    mode: str, termination: Termination, detail: str
) -> None:
    late = termination is Termination.TIME
    played = play(mode, Limit(seconds=0.5) if late else LIMIT)
    assert (played.termination, played.outcome) == (termination, Outcome.O_WINS)
    assert detail in played.detail
    assert played.moves == ()


@pytest.mark.parametrize(
    ("mode", "game", "detail"),
    [
        ("refuses", GAME, "rejected 'genmove b': I will not"),
        ("rejects", GAME, "rejected 'play w A3': illegal move"),
        ("good", "platforms:size=4", "rejected 'boardsize 4': unacceptable size"),
    ],
)
def test_a_game_has_no_result_if_the_program_rejects_a_command(
    mode: str, game: str, detail: str
) -> None:
    program = GtpPlayer(fake(mode).removeprefix("gtp:"))
    try:
        played = play_game({"x": program, "o": FirstMove()}, papan.game(game).start(), LIMIT)
    finally:
        program.close()
    assert (played.termination, played.outcome) == (Termination.REFUSAL, None)
    assert detail in played.detail


def test_a_program_may_reject_a_forced_pass() -> None:
    """GRhino makes forced passes itself."""
    moves = ("e6", "f6", "g6", "g7", "c4", "h6", "h8", "f8", "pass")
    program = GtpPlayer(fake("passes-itself").removeprefix("gtp:"))
    position = papan.game(OTHELLO).start().play(*moves)
    try:
        program.new_game(position.game, 0)
        program.expect(moves)
        assert program.choose(position, LIMIT).move == "c3"
    finally:
        program.close()


def test_a_program_is_told_the_opening_and_each_move_once(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    pair = Pair("event", 0, GAME, fake("good", notes), "first", ("b2", "a1"), LIMIT, games=(0,))
    (record,) = pair.play()
    assert record.termination == "rules"
    told = commands(notes)
    assert told[:3] == ["protocol_version", "list_commands", "boardsize 3"]
    moves = [line for line in told if line.split()[0] in ("play", "genmove", "time_settings")]
    assert moves[:4] == ["play b B2", "play w A1", "time_settings 0 20 1", "genmove b"]
    assert moves[4:6] == [f"play w {record.moves[3].upper()}", "genmove b"]


def test_a_move_taken_back_is_told_from_the_start_again(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    program = GtpPlayer(fake("good", notes).removeprefix("gtp:"))
    game = papan.game(GAME)
    try:
        program.new_game(game, 0)
        first = game.start().play(program.choose(game.start(), LIMIT).move)
        later = first.play("a1")
        assert program.choose(later, LIMIT).move == "b3"
        assert program.choose(first.play("b3"), LIMIT).move == "a3"
    finally:
        program.close()
    told = commands(notes)
    assert told[-4:] == ["clear_board", "play b C3", "play w B3", "genmove b"]


def test_a_position_that_no_known_moves_lead_to_is_refused_in_one_line() -> None:
    program = GtpPlayer(fake("good").removeprefix("gtp:"))
    position = papan.game(GAME).start().play("a1", "b2")
    try:
        program.new_game(position.game, 0)
        with pytest.raises(PlayerRefusal, match="only from the start position"):
            program.choose(position, LIMIT)
    finally:
        program.close()


def test_papan_plays_itself_through_both_sides_of_the_protocol() -> None:
    server = shlex.join([sys.executable, "-m", "papan", "gtp", GAME, "--player", "first"])
    program = GtpPlayer(server)
    try:
        played = play_game({"x": FirstMove(), "o": program}, papan.game(GAME).start(), LIMIT)
    finally:
        program.close()
    both = {"x": FirstMove(), "o": FirstMove()}
    assert (played.termination, played.detail) == (Termination.RULES, "")
    assert played.moves == play_game(both, papan.game(GAME).start(), LIMIT).moves
