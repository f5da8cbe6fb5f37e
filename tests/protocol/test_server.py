"""The server obeys an arbiter word by word, answers what it cannot obey, and never dies."""

import io
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import papan
from papan.core.game import Game, Position
from papan.errors import UsageError
from papan.protocol.messages import Go, Info, UgiOption
from papan.protocol.server import LONGEST_LINE, Server, Thinker, read_lines
from support import PATIENCE


@dataclass
class SlowThought:
    """Thinks until it is stopped, or not at all, and plays the last legal move."""

    position: Position
    broken: bool
    stopped: threading.Event = field(default_factory=threading.Event)

    def run(self, on_info: Callable[[Info], None]) -> str:
        if self.broken:
            raise RuntimeError("out of luck")
        on_info(Info(depth=1))
        assert self.stopped.wait(PATIENCE)
        return self.position.moves()[-1]

    def stop(self) -> None:
        self.stopped.set()


@dataclass
class FakeThinker(Thinker):
    """Answers at once; or, with the option `slow`, when it is stopped; or, with `broken`, never."""

    way: str = "quick"
    prepared: list[Game] = field(default_factory=list)
    limits: list[Go] = field(default_factory=list)

    def options(self, game: Game) -> list[UgiOption]:
        return [UgiOption("way", "combo", self.way, choices=("quick", "slow", "broken"))]

    def set_option(self, game: Game, name: str, value: str) -> None:
        if value == "lazy":
            raise UsageError("usage.value", text=value)
        self.way = value

    def prepare(self, game: Game) -> None:
        self.prepared.append(game)

    def begin(self, position: Position, go: Go) -> SlowThought:
        self.limits.append(go)
        thought = SlowThought(position, self.way == "broken")
        if self.way == "quick":
            thought.stop()
        return thought


class Talk:
    """A server and what it has said."""

    def __init__(self, game: str = "adjacency:size=4,rounds=2") -> None:
        self.said: list[str] = []
        self.heard = threading.Condition()
        self.thinker = FakeThinker()
        self.server = Server(
            self.thinker, papan.game(game), self._hear, name="Fake 1", author="Nobody"
        )

    def _hear(self, line: str) -> None:
        with self.heard:
            self.said.append(line)
            self.heard.notify_all()

    def ask(self, *lines: str) -> list[str]:
        """What the server says at once to some lines."""
        before = len(self.said)
        for line in lines:
            self.server.obey(line)
        return self.said[before:]

    def wait_for(self, word: str) -> str:
        """The next line that begins with a word, said by now or later; forgets those before."""
        with self.heard:
            assert self.heard.wait_for(
                lambda: any(line.startswith(word) for line in self.said), PATIENCE
            )
            number = next(i for i, line in enumerate(self.said) if line.startswith(word))
            line = self.said[number]
            del self.said[: number + 1]
            return line

    def go(self, *words: str) -> str:
        """The answer to `go`."""
        self.server.obey(" ".join(("go", *words)))
        return self.wait_for("bestmove")


@pytest.fixture
def talk() -> Iterator[Talk]:
    """A server that was told nothing yet."""
    made = Talk()
    yield made
    made.server.serve([])


def test_a_greeting_tells_name_author_and_all_options(talk: Talk) -> None:
    assert talk.ask("ugi") == [
        "id name Fake 1",
        "id author Nobody",
        "option name game type string default adjacency:size=4,rounds=2",
        "option name size type string default 4",
        "option name rounds type spin default 2",
        "option name first type combo default x var x var o",
        "option name way type combo default quick var quick var slow var broken",
        "ugiok",
    ]


def test_being_ready_includes_preparing_for_the_game(talk: Talk) -> None:
    assert talk.ask("isready") == ["readyok"]
    assert talk.thinker.prepared == [papan.game("adjacency:size=4,rounds=2")]


def test_a_position_is_what_the_last_full_list_says(talk: Talk) -> None:
    start = papan.game("adjacency:size=4,rounds=2").start()
    for moves in (["a3"], ["a3", "d2"], ["a3", "d2"], ["a4"], []):
        expected = start
        for move in moves:
            expected = expected.play(move)
        line = " ".join(["position startpos", *(["moves", *moves] if moves else [])])
        assert talk.ask(line, "query fen") == [f"response {expected}"]


def test_a_position_line_may_be_followed_by_moves(talk: Talk) -> None:
    start = papan.game("adjacency:size=4,rounds=2").start().play("a3")
    [answer] = talk.ask(f"position fen {start} moves d2", "query fen")
    assert answer == f"response {start.play('d2')}"


@pytest.mark.parametrize(
    "line",
    [
        "position startpos moves a3 a3",
        "position startpos moves z9",
        "position fen 4/4/4/4 x 2",
        "position fen nonsense",
        "position nowhere",
        "position",
        "setoption name rounds value 99",
        "setoption name way value lazy",
        "setoption name colour value red",
        "setoption name game value backgammon",
        "setoption",
        "query weather",
        "query",
        "hello",
        "\x00\x01",
        "GO depth 3",
        "x" * 100_000,
    ],
)
def test_what_makes_no_sense_is_answered_and_changes_nothing(line: str, talk: Talk) -> None:
    talk.ask("position startpos moves a3")
    before = (talk.server.position, talk.server.game)
    [answer] = talk.ask(line)
    assert answer.startswith("info string error ")
    assert len(answer) < 500
    assert (talk.server.position, talk.server.game) == before


def test_queries_are_answered_from_the_position(talk: Talk) -> None:
    assert talk.ask("query p1turn", "query gameover", "query result") == [
        "response true",
        "response false",
        "response none",
    ]
    assert talk.ask("query islegal a3", "query islegal a1", "query islegal") == [
        "response true",
        "response false",
        "response false",
    ]
    assert talk.ask("query legalmoves") == ["response a4 b4 a3 b3 c2 d2 c1 d1"]
    talk.ask("position startpos moves a3 d2 a4 d1")
    assert talk.ask("query gameover", "query result", "query legalmoves") == [
        "response true",
        "response draw",
        "response",
    ]


@pytest.mark.parametrize(
    ("line", "result"), [("xxxx/xxxx/xxxx/xxxo x 0", "p1win"), ("oooo/oooo/oooo/ooox o 0", "p2win")]
)
def test_results_name_the_player_that_has_won(line: str, result: str, talk: Talk) -> None:
    assert talk.ask(f"position fen {line}", "query result") == [f"response {result}"]


def test_options_change_the_game_and_the_thinker(talk: Talk) -> None:
    talk.ask("position startpos moves a3", "setoption name ROUNDS value 3")
    assert talk.server.position == papan.game("adjacency:size=4,rounds=3").start()
    talk.ask("setoption name game value platforms:size=4")
    talk.ask("setoption name level value 2", "setoption name way value slow")
    assert talk.server.game.spec == "platforms:size=4,level=2"
    assert "option name way type combo default slow var quick var slow var broken" in talk.ask(
        "ugi"
    )


def test_a_move_is_one_line_of_two_words(talk: Talk) -> None:
    talk.ask("position startpos moves a3")
    assert talk.go("movetime", "10") == "bestmove d1"
    assert talk.thinker.limits == [Go(movetime=10)]


def test_where_the_game_is_over_there_is_no_move(talk: Talk) -> None:
    talk.ask("position startpos moves a3 d2 a4 d1")
    assert talk.go() == "bestmove none"


def test_stop_and_isready_are_heard_while_thinking(talk: Talk) -> None:
    talk.ask("setoption name way value slow", "go movetime 100000")
    assert talk.wait_for("info") == "info depth 1"
    assert talk.ask("isready") == ["readyok"]
    assert talk.thinker.prepared == []
    talk.ask("stop")
    assert talk.wait_for("bestmove") == "bestmove d1"


def test_a_stop_right_after_go_is_not_lost(talk: Talk) -> None:
    talk.ask("setoption name way value slow", "go", "stop")
    assert talk.wait_for("bestmove") == "bestmove d1"


def test_thinking_for_ever_ends_with_stop_and_not_before(talk: Talk) -> None:
    talk.ask("go infinite")
    talk.wait_for("info")
    assert talk.ask("isready") == ["readyok"]
    assert "bestmove" not in " ".join(talk.said)
    talk.ask("stop")
    assert talk.wait_for("bestmove") == "bestmove d1"


@pytest.mark.parametrize("line", ["go", "setoption name way value quick", "uginewgame"])
def test_what_would_disturb_the_thinking_has_to_wait(line: str, talk: Talk) -> None:
    talk.ask("setoption name way value slow", "go")
    talk.wait_for("info")
    [answer] = talk.ask(line)
    assert "is not possible during a search" in answer
    talk.ask("stop")
    talk.wait_for("bestmove")


def test_a_new_position_while_thinking_is_for_the_next_move(talk: Talk) -> None:
    talk.ask("setoption name way value slow", "go", "position startpos moves d1", "stop")
    assert talk.wait_for("bestmove") == "bestmove d1"
    talk.ask("go", "stop")
    assert talk.wait_for("bestmove") == "bestmove c1"


def test_one_search_follows_another_without_a_pause(talk: Talk) -> None:
    assert [talk.go("depth", "1") for _ in range(50)] == ["bestmove d1"] * 50


def test_a_thinker_that_fails_costs_the_search_and_not_the_server(talk: Talk) -> None:
    talk.ask("setoption name way value broken", "go")
    assert "RuntimeError: out of luck" in talk.wait_for("info string error")
    assert talk.wait_for("bestmove") == "bestmove a4"
    assert talk.ask("isready") == ["readyok"]


def test_quit_ends_the_thinking_and_nothing_after_it_is_obeyed(talk: Talk) -> None:
    talk.ask("setoption name way value slow")
    talk.server.serve(["go infinite", "quit", "ugi"])
    assert talk.wait_for("bestmove") == "bestmove d1"
    assert talk.said == []


def test_the_end_of_the_input_is_quit(talk: Talk) -> None:
    talk.ask("setoption name way value slow")
    talk.server.serve(["go infinite"])
    assert talk.wait_for("bestmove") == "bestmove d1"


def test_an_arbiter_that_has_gone_is_no_error(talk: Talk) -> None:
    def fail(line: str) -> None:
        raise BrokenPipeError

    server = Server(FakeThinker(), papan.game("platforms"), fail, name="", author="")
    server.serve(["ugi", "go", "hello"])
    assert server.position == papan.game("platforms").start()


WORDS = (
    "ugi isready setoption name value uginewgame position startpos fen moves query p1turn islegal "
    "go depth movetime -5 infinite stop a3 z 4/4 x 2 game rounds 1e9"
)


@given(
    st.lists(
        st.lists(st.sampled_from(WORDS.split()) | st.text(max_size=5), max_size=6).map(" ".join),
        max_size=12,
    )
)
def test_no_conversation_upsets_the_server(lines: list[str]) -> None:
    talk = Talk()
    talk.server.serve(lines)
    assert talk.ask("isready")[-1] == "readyok"


def read(data: bytes) -> tuple[list[str], list[str]]:
    """The lines that are read, and the complaints."""
    complaints: list[str] = []
    return list(read_lines(io.BytesIO(data), complaints.append)), complaints


def test_lines_are_read_whatever_their_bytes_and_ends() -> None:
    assert read(b"ugi\r\n\xff\xfe\n\ngo") == (["ugi\r\n", "\ufffd\ufffd\n", "\n", "go"], [])


@pytest.mark.parametrize("length", [LONGEST_LINE, 3 * LONGEST_LINE, 3 * LONGEST_LINE + 5])
def test_a_line_that_is_too_long_is_left_out(length: int) -> None:
    lines, complaints = read(b"x" * length + b"\nquit\n")
    assert lines == ["quit\n"]
    assert len(complaints) == 1


def test_a_game_file_that_only_the_arbiter_names_is_never_run(tmp_path: Path) -> None:
    path, mark = tmp_path / "evil.py", tmp_path / "was-run"
    path.write_text(f"open({str(mark)!r}, 'w').close()")
    [answer] = Talk().ask(f"setoption name game value {path}")
    assert answer.startswith("info string error")
    assert str(path) in answer
    assert not mark.exists()
