"""The server side of GTP: games set, moves made and taken back, and nothing ends it but `quit`."""

import pytest

import papan
from papan.core.game import Position
from papan.core.gtp import find_move, with_setup
from papan.protocol.gtp import (
    GtpServer,
    TimeSettings,
    read_command,
    read_reply,
    time_commands,
)
from papan.protocol.messages import Go


class Conversation:
    """A server whose player makes the first legal move, and what it was asked with."""

    def __init__(self, game: str) -> None:
        self.said: list[str] = []
        self.limits: list[Go] = []
        self.server = GtpServer(
            self.choose, papan.game(game), self.said.append, name="Test", version="1"
        )

    def choose(self, position: Position, go: Go) -> str:
        """The first legal move."""
        self.limits.append(go)
        return position.moves()[0]

    def say(self, *lines: str) -> list[str]:
        """The replies to some lines."""
        before = len(self.said)
        self.server.serve(lines)
        return [reply.rstrip("\n") for reply in self.said[before:]]


@pytest.fixture
def talk() -> Conversation:
    return Conversation("tictactoe")


def test_it_tells_of_itself(talk: Conversation) -> None:
    said = talk.say("1 protocol_version", "name", "version", "known_command play", "list_games")
    assert said == ["=1 2", "= Test", "= 1", "= true", "= Tic tac toe"]
    assert "genmove\nreg_genmove" in talk.say("list_commands")[0]


def test_moves_are_made_generated_and_taken_back(talk: Conversation) -> None:
    assert talk.say("play black b2", "genmove w", "7 undo", "play W c3", "undo", "undo") == [
        "=",
        "= A3",
        "=7",
        "=",
        "=",
        "=",
    ]
    assert talk.say("undo") == ["? cannot undo"]
    assert talk.server.position == papan.game("tictactoe").start()


def test_what_makes_no_sense_is_refused_and_changes_nothing(talk: Conversation) -> None:
    talk.say("play b b2")
    before = talk.server.position
    wrong = [
        ("play b a1", "? illegal move"),
        ("play w b2", "? illegal move"),
        ("play w z9", "? illegal move"),
        ("play green a1", "? syntax error"),
        ("play w", "? syntax error"),
        ("genmove b", "? illegal move"),
        ("genmove", "? syntax error"),
        ("boardsize 19", "? unacceptable size"),
        ("boardsize x", "? syntax error"),
        ("komi x", "? syntax error"),
        ("time_left b x 1", "? syntax error"),
        ("time_settings 1 2", "? syntax error"),
        ("set_game Chess", "? unsupported game; this program plays Tic tac toe"),
        ("3 dance", "?3 unknown command"),
    ]
    for line, reply in wrong:
        assert talk.say(line) == [reply], line
        assert talk.server.position == before
    assert talk.say("", "  # a comment", "quit", "name") == ["="]


def test_a_controller_sets_size_and_komi() -> None:
    talk = Conversation("go")
    assert talk.say("boardsize 13", "komi 6.5", "clear_board") == ["=", "=", "="]
    assert talk.server.game == papan.game("go:size=13,komi=13")
    assert talk.say("komi 6.25") == ["? syntax error"]
    assert talk.say("play b J9", "play w pass") == ["=", "="]
    assert talk.server.position.state.passes == 1
    assert with_setup(papan.game("go"), "boardsize", 4) is None


def test_columns_leave_out_the_letter_i() -> None:
    start = papan.game("go:size=9").start()
    assert start.game.gtp_move(start.game.read_move("i5", start.state)) == "J5"
    assert find_move(start, "i5") is None
    assert find_move(start, "h5") == start.game.read_move("h5", start.state)


def test_passes_that_a_controller_leaves_out_are_made_for_it() -> None:
    othello = papan.game("othello")
    talk = Conversation("othello")
    # The shortest game in which x has to pass.
    position = next(
        position
        for seed in range(99)
        for position in _walk(othello, seed)
        if position.moves() == ["pass"]
    )
    talk.server.positions = [position]
    side = "w" if position.side == "x" else "b"
    (reply,) = talk.say(f"genmove {side}")
    assert reply.startswith("= ")
    assert len(talk.server.positions) == 3


def _walk(game: papan.Game, seed: int) -> list[Position]:
    from random import Random

    return [position for _, position in game.start().random_walk(Random(seed))]


def test_time_is_what_the_controller_has_set_last(talk: Conversation) -> None:
    talk.say("genmove b", "time_settings 0 10 5", "genmove w", "time_left b 90 0", "genmove b")
    talk.say("time_left w 3 2", "genmove w")
    assert talk.limits == [Go(), Go(movetime=2000), Go(p1time=90_000), Go(movetime=1500)]


@pytest.mark.parametrize(
    ("go", "commands"),
    [
        (Go(movetime=1500), {"time_settings": "0 1 1"}),
        (Go(movetime=20), {"time_settings": "0 1 1"}),
        (Go(p1time=2500, p2time=900), {"time_left b": "2 0", "time_left w": "0 0"}),
        (Go(depth=3), {}),
    ],
)
def test_limits_are_told_in_whole_seconds(go: Go, commands: dict[str, str]) -> None:
    assert time_commands(go) == commands


def test_lines_are_read_with_or_without_a_number() -> None:
    assert read_command("12 play\tb  D4 # here") == ("12", "play", ["b", "D4"])
    assert read_command(" # nothing") == ("", "", [])
    replies = [read_reply(line) for line in ("=12 D4", "= D4 ", "?3 illegal move", "D4")]
    found = [reply and (reply.is_fine, reply.number, reply.text) for reply in replies]
    assert found == [(True, "12", "D4"), (True, "", "D4"), (False, "3", "illegal move"), None]
    assert TimeSettings.read(["60", "0", "0"]).go("w") == Go(p2time=60_000)
