"""Programs as players: whatever they do, the game ends as it should and nothing is left of them."""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest

import papan
from papan.core.game import Outcome
from papan.errors import InvalidSpec, PlayerCrash
from papan.play.referee import PlayedGame, play_game
from papan.play.table import Termination, get_ready
from papan.players.base import Player
from papan.players.external import PythonPlayer, Trail, UgiPlayer
from papan.players.registry import player
from papan.players.simple import FirstMove
from papan.protocol import process
from papan.protocol.guards import Guards
from papan.search.limits import Limit
from support import PATIENCE, is_gone, wait_until

FAKE = Path(__file__).parent.parent / "fakes" / "engines" / "misbehaving.py"
#: Small, so that a game takes four moves.
GAME = "adjacency:size=4,rounds=2"
#: Lets a fake see where it is to note its processes.
SEEN = Guards(env=("FAKE_PIDS",))
#: What a move may take where time is to run out.
SHORT = Limit(seconds=0.3)
#: What a move may take otherwise: enough to write and read 8 MiB on a busy machine.
LIMIT = Limit(seconds=PATIENCE)

#: A bot whose first call fails: the one before the game, which no move pays for.
FAILS_FIRST = """
calls = []

def choose(p, limit):
    calls.append(limit)
    return p.moves()[0] if len(calls) > 1 else 1 // 0
"""

#: A bot that prints and fails in a file beside it.
TALKS = """
from helper import fail

def choose(p, limit):
    for n in range(30):
        print("line", n)
    fail()
"""


def fake_command(mode: str) -> str:
    """How the fake is started, without what makes Python slow to start."""
    return shlex.join([sys.executable, "-I", "-S", str(FAKE), mode])


@pytest.fixture
def pids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file to which the fakes add their process ids."""
    file = tmp_path / "pids"
    file.touch()
    monkeypatch.setenv("FAKE_PIDS", str(file))
    return file


def left_over(pids: Path) -> list[int]:
    """The processes of that file that are still there, zombies included."""
    return [int(pid) for pid in pids.read_text().split() if not is_gone(pid)]


def play(mode: str, limit: Limit = LIMIT, **guards: float) -> PlayedGame:
    """The game of a fake, as `x`, with a player that does no wrong."""
    fake = UgiPlayer(fake_command(mode), replace(SEEN, **guards))  # type: ignore[arg-type]  # all are numbers
    # The program whose output ends first is the only one without an exit status.
    seconds = 0.1 if mode == "closes-stdout" else PATIENCE
    try:
        with mock.patch.object(process, "_STATUS_SECONDS", seconds):
            return play_game({"x": fake, "o": FirstMove()}, papan.game(GAME).start(), limit)
    finally:
        fake.close()


# --- every misbehaviour and what comes of it


@pytest.mark.parametrize(
    "mode",
    [
        "good",
        "two-writes",
        "crlf",
        "bad-utf8",
        "5-mb-of-stderr",
        "ponder",
        "two-bestmoves",
        "ignores-quit",
        "daemon",
        "lies",
    ],
)
def test_what_can_be_understood_is_a_game_to_its_end(mode: str, pids: Path) -> None:
    played = play(mode)
    assert (played.termination, played.detail) == (Termination.RULES, "")
    assert len(played.moves) == 4
    assert pids.read_text() != ""
    assert left_over(pids) == []


@pytest.mark.parametrize(
    ("mode", "termination"),
    [
        ("hangs", Termination.TIME),
        ("hangs-ignoring-sigterm", Termination.TIME),
        ("stops-reading", Termination.TIME),
        ("trickles", Termination.TIME),
        ("no-newline", Termination.TIME),
        ("stderr-for-ever", Termination.TIME),
        ("floods", Termination.FLOOD),
        ("endless-line", Termination.FLOOD),
        ("exits", Termination.CRASH),
        ("segfaults", Termination.CRASH),
        ("closes-stdout", Termination.CRASH),
        ("dies-at-start", Termination.CRASH),
        ("empty", Termination.ILLEGAL_MOVE),
        ("illegal", Termination.ILLEGAL_MOVE),
        ("unparsable", Termination.ILLEGAL_MOVE),
        ("bad-utf8-move", Termination.ILLEGAL_MOVE),
        ("escape", Termination.ILLEGAL_MOVE),
    ],
)
def test_what_goes_wrong_loses_the_game_at_once(
    mode: str, termination: Termination, pids: Path
) -> None:
    played = play(mode, SHORT if termination is Termination.TIME else LIMIT)
    assert (played.termination, played.outcome) == (termination, Outcome.O_WINS)
    assert played.moves == ()
    assert played.detail != ""
    assert left_over(pids) == []


def test_a_program_that_never_greets_loses_on_time(pids: Path) -> None:
    played = play("no-ugiok", start_seconds=0.5)
    assert (played.termination, played.outcome) == (Termination.TIME, Outcome.O_WINS)
    assert left_over(pids) == []


def test_a_command_that_is_not_there_is_a_crash_that_says_so() -> None:
    absent = UgiPlayer("./no-such-bot --fast")
    played = play_game({"x": FirstMove(), "o": absent}, papan.game(GAME).start(), LIMIT)
    assert (played.termination, played.outcome) == (Termination.CRASH, Outcome.X_WINS)
    assert "No such file" in played.detail


def test_a_program_that_leaves_after_its_move_crashes_at_the_next_one(pids: Path) -> None:
    played = play("answers-and-exits")
    assert (played.termination, played.outcome) == (Termination.CRASH, Outcome.O_WINS)
    assert len(played.moves) == 2
    assert played.exit_code == 0


def test_a_program_that_eats_memory_meets_its_limit(pids: Path) -> None:
    played = play("eats-memory", address_mb=200)
    assert (played.termination, played.exit_code) == (Termination.CRASH, 1)
    assert "MemoryError" in played.detail


def test_a_program_that_eats_memory_loses_the_game_without_a_limit_of_its_own(pids: Path) -> None:
    played = play("eats-memory", memory_mb=200)
    assert (played.termination, played.outcome) == (Termination.CRASH, Outcome.O_WINS)
    assert "MB of memory, more than 200" in played.detail
    assert left_over(pids) == []


@pytest.mark.parametrize(("mode", "words"), [("kills-guard", "killed"), ("stops-guard", "stopped")])
def test_a_program_that_attacks_its_guard_loses_the_game_at_once(
    mode: str, words: str, pids: Path
) -> None:
    played = play(mode)
    assert (played.termination, played.outcome) == (Termination.CRASH, Outcome.O_WINS)
    assert f"{words} its supervisor process" in played.detail
    assert left_over(pids) == []


def test_a_crash_is_told_with_exit_code_and_last_words(pids: Path) -> None:
    played = play("exits")
    assert played.exit_code == 3
    assert "IndexError: list index out of range" in played.detail
    assert play("segfaults").exit_code == -signal.SIGSEGV
    assert play("closes-stdout").exit_code is None


@pytest.mark.parametrize(
    ("mode", "given"),
    [
        ("illegal", "a1"),
        ("unparsable", "(-1, -1)"),
        ("empty", ""),
        ("bad-utf8-move", r"\xff\xfe"),
        ("escape", r"\x1b[2Ja3"),
    ],
)
def test_an_illegal_move_is_kept_as_it_was_given_without_what_a_terminal_would_obey(
    mode: str, given: str, pids: Path
) -> None:
    assert play(mode).given == given


def test_a_program_that_failed_is_started_anew_for_the_next_game(
    tmp_path: Path, pids: Path
) -> None:
    switch = tmp_path / "fake.sh"
    flag = tmp_path / "failed"
    switch.write_text(
        f"if test -e {flag}; then exec {fake_command('good')}; fi\n"
        f"touch {flag}; exec {fake_command('exits')}\n"
    )
    fake = UgiPlayer(f"sh {switch}", SEEN)
    seats: dict[str, Player] = {"x": fake, "o": FirstMove()}
    start = papan.game(GAME).start()
    ends = [play_game(seats, start, LIMIT).termination for _ in range(3)]
    fake.close()
    assert ends == [Termination.CRASH, Termination.RULES, Termination.RULES]
    assert len(pids.read_text().split()) == 2
    assert left_over(pids) == []


# --- nothing is left, whatever happens to the arbiter

ARBITER = """
import sys, papan
from papan.play.referee import play_game
from papan.players.external import UgiPlayer
from papan.players.simple import FirstMove
from papan.protocol.guards import Guards
players = {"x": UgiPlayer(sys.argv[1], Guards(env=("FAKE_PIDS",))), "o": FirstMove()}
play_game(players, papan.game("adjacency:size=4,rounds=2").start())
"""


@pytest.fixture
def arbiters() -> Iterator[list["subprocess.Popen[bytes]"]]:
    """Processes that are killed after the test, if need be."""
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for each in started:
        each.kill()
        each.communicate()


def wait_for_pids(pids: Path, count: int) -> None:
    """Returns when so many processes have made themselves known."""
    wait_until(lambda: len(pids.read_text().split()) >= count)


def test_a_program_and_all_it_has_started_are_gone_when_the_arbiter_is_killed(
    pids: Path, arbiters: list["subprocess.Popen[bytes]"]
) -> None:
    script = f"setsid sleep 600 & echo $! >> $FAKE_PIDS; {fake_command('hangs')}"
    command = shlex.join(["sh", "-c", script])
    arbiter = subprocess.Popen([sys.executable, "-c", ARBITER, command])
    arbiters.append(arbiter)
    wait_for_pids(pids, 2)
    arbiter.kill()
    wait_until(lambda: not left_over(pids))


def test_a_program_is_gone_when_its_supervisor_is_killed_and_that_is_a_crash(pids: Path) -> None:
    fake = UgiPlayer(fake_command("good"), SEEN)
    start = papan.game(GAME).start()
    fake.new_game(start.game, 0)
    assert fake.client is not None
    os.kill(fake.client.child.pid, signal.SIGKILL)
    os.waitid(os.P_PID, fake.client.child.pid, os.WEXITED | os.WNOWAIT)  # it may take a moment
    with pytest.raises(PlayerCrash, match="killed its supervisor process"):
        fake.choose(start, LIMIT)
    assert left_over(pids) == []


def test_ctrl_c_ends_the_match_and_the_program(
    pids: Path, arbiters: list["subprocess.Popen[bytes]"]
) -> None:
    words = [
        "match",
        GAME,
        f"ugi:{fake_command('hangs')}",
        "first",
        "--games",
        "1",
        "--env",
        "FAKE_PIDS",
    ]
    match = subprocess.Popen(
        [sys.executable, "-m", "papan", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    arbiters.append(match)
    wait_for_pids(pids, 1)
    match.send_signal(signal.SIGINT)
    assert match.wait(PATIENCE) == 130
    wait_until(lambda: not left_over(pids))


FLOODED = """
import resource, sys, papan
from papan.play.referee import play_game
from papan.players.external import UgiPlayer
from papan.players.simple import FirstMove
from papan.search.limits import Limit

def most():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

def play(command):
    fake = UgiPlayer(command)
    start = papan.game(sys.argv[1]).start()
    played = play_game({"x": fake, "o": FirstMove()}, start, Limit(seconds=30))
    fake.close()
    return played.termination.value

good, *floods = sys.argv[2:]
play(good)
before = most()
print([play(command) for command in floods], (most() - before) // 1024)
"""


def test_memory_stays_flat_under_floods() -> None:
    floods = ["floods", "endless-line", "200-mb-of-stderr"]
    done = subprocess.run(
        [sys.executable, "-c", FLOODED, GAME, *map(fake_command, ["good", *floods])],
        capture_output=True,
        text=True,
        check=True,
    )
    ends, _, grown = done.stdout.rpartition(" ")
    assert ends == "['output flood', 'output flood', 'rules']"
    assert int(grown) < 16


# --- what a program is told


def told(folder: Path, limit: Limit) -> tuple[PlayedGame, list[str]]:
    """A game of the fake, as `o`, and all lines that it was told."""
    notes = folder / "told"
    script = f"tee {notes} | {fake_command('good')}"
    fake = UgiPlayer(shlex.join(["sh", "-c", script]))
    seats: dict[str, Player] = {"x": FirstMove(), "o": fake}
    played = play_game(seats, papan.game(GAME).start(), limit, seed=2)
    fake.close()
    return played, notes.read_text().splitlines()


def test_the_client_says_what_the_protocol_wants(tmp_path: Path) -> None:
    played, lines = told(tmp_path, Limit(seconds=0.5, depth=3))
    first, _, third, _ = played.moves
    assert lines == [
        "ugi",
        f"setoption name game value {GAME}",
        "uginewgame",
        "isready",
        "isready",
        f"position startpos moves {first}",
        "go movetime 500 depth 3",
        "isready",
        f"position startpos moves {first} {played.moves[1]} {third}",
        "go movetime 500 depth 3",
        "quit",
    ]


def test_the_opinion_of_a_program_comes_with_its_move() -> None:
    fake = UgiPlayer(fake_command("good"))
    choice = fake.choose(papan.game(GAME).start(), LIMIT)
    fake.close()
    assert (choice.move, choice.value, choice.depth, choice.nodes) == ("b4", 1.5, 3, 7)
    assert choice.pv == ("b4",)


def test_a_trail_goes_on_by_own_and_other_moves_and_begins_anew_elsewhere() -> None:
    start = papan.game("corners").start()
    trail = Trail.to(start)
    own, other = start.moves()[3], start.play(start.moves()[3]).moves()[5]
    trail.add(own)
    position = start.play(own).play(other)
    assert trail.reach(position)
    assert trail.moves == [own, other]
    assert not trail.reach(start.play(start.moves()[0]))
    assert Trail.to(position) == Trail(position, [], position)


# --- functions in Python files


@pytest.fixture
def bots(tmp_path: Path) -> Iterator[dict[str, PythonPlayer]]:
    """Players made of functions by what they do; closed after the test."""
    sources = {
        "random": "import random\ndef choose(p, limit): return random.choice(p.moves())",
        "prints": "def choose(p, limit):\n    print('bestmove a1')\n    return p.moves()[-1]",
        "reads": "import sys\ndef choose(p, limit):\n    sys.stdin.read()\n    return p.moves()[0]",
        "raises": "def choose(p, limit): return [][3]",
        "exits": "import sys\ndef choose(p, limit): sys.exit(0)",
        "tuple": "def choose(p, limit): return (-1, -1)",
        "none": "def choose(p, limit): pass",
        "unread": "def choose(p, limit): return 'hello'",
        "illegal": "def choose(p, limit): return 'a1'",
        "fails-first": FAILS_FIRST,
        "talks": TALKS,
        "loops": "def choose(p, limit):\n    while True: pass",
        "nothing": "x = 1",
        "broken": "def choose(p, limit) return 1",
        "limit": "def choose(p, limit): return f'{limit.seconds:g}'",
        "neighbour": "from tools import pick\ndef choose(p, limit): return pick(p)",
    }
    (tmp_path / "tools.py").write_text("def pick(p): return p.moves()[0]")
    players = {}
    (tmp_path / "helper.py").write_text("def fail():\n    # deep\n    return 1 // 0\n")
    for name, source in sources.items():
        (tmp_path / f"{name}.py").write_text(source)
        players[name] = PythonPlayer(str(tmp_path / f"{name}.py"))
    yield players
    for made in players.values():
        made.close()


@pytest.mark.parametrize(
    ("name", "termination", "words"),
    [
        ("random", Termination.RULES, ""),
        ("prints", Termination.RULES, ""),
        ("reads", Termination.RULES, ""),
        ("neighbour", Termination.RULES, ""),
        ("raises", Termination.CRASH, "IndexError: list index out of range"),
        ("exits", Termination.CRASH, "SystemExit: 0"),
        ("tuple", Termination.ILLEGAL_MOVE, "(-1, -1)"),
        ("none", Termination.ILLEGAL_MOVE, "no move was returned; return a legal move, such as"),
        ("unread", Termination.ILLEGAL_MOVE, "no square 'hello' on this board"),
        ("illegal", Termination.ILLEGAL_MOVE, "move 'a1' is not legal here: expected one of a4"),
        ("limit", Termination.ILLEGAL_MOVE, f"'{PATIENCE:g}'"),
        ("loops", Termination.TIME, "'loops.py' was not ready for the game within 0.5 s"),
        ("nothing", Termination.CRASH, "a function choose"),
        (
            "broken",
            Termination.CRASH,
            "broken.py:1: SyntaxError: expected ':': def choose(p, limit) return 1",
        ),
        ("fails-first", Termination.RULES, ""),
    ],
)
def test_a_function_plays_under_the_same_guards(
    name: str, termination: Termination, words: str, bots: dict[str, PythonPlayer]
) -> None:
    seats: dict[str, Player] = {"x": bots[name], "o": FirstMove()}
    bots[name].guard(Guards(ready_seconds=0.5 if termination is Termination.TIME else 60.0))
    played = play_game(seats, papan.game(GAME).start(), LIMIT)
    assert played.termination is termination
    assert words in played.detail
    assert str(Path(bots[name].text).parent) not in played.detail


def test_a_function_that_was_never_ready_is_not_waited_for_again(
    bots: dict[str, PythonPlayer],
) -> None:
    bots["loops"].guard(Guards(ready_seconds=0.2))
    game = papan.game(GAME)
    first, second = (get_ready(bots["loops"], game, seed) for seed in (1, 2))
    assert first == second is not None
    assert bots["loops"].client is None


def test_a_crash_keeps_the_place_in_the_bots_file_and_what_it_printed(
    bots: dict[str, PythonPlayer],
) -> None:
    seats: dict[str, Player] = {"x": bots["talks"], "o": FirstMove()}
    sentence, *printed = play_game(seats, papan.game(GAME).start(), LIMIT).detail.splitlines()
    assert sentence.endswith(
        "(helper.py:3: ZeroDivisionError: integer division or modulo by zero: return 1 // 0)"
    )
    assert len(printed) == 20
    assert "line 29" in printed and "line 1" not in printed
    assert '  File "helper.py", line 3, in fail' in printed


def test_all_that_bots_print_can_be_shown(
    bots: dict[str, PythonPlayer], capfd: pytest.CaptureFixture[str]
) -> None:
    bots["talks"].guard(Guards(show_output=True))
    seats: dict[str, Player] = {"x": bots["talks"], "o": FirstMove()}
    play_game(seats, papan.game(GAME).start(), LIMIT)
    shown = capfd.readouterr().err.splitlines()
    assert shown[:30] == [f"talks.py: line {n}" for n in range(30)]


def test_the_chance_of_a_function_is_repeatable(bots: dict[str, PythonPlayer]) -> None:
    seats: dict[str, Player] = {"x": bots["random"], "o": FirstMove()}
    start = papan.game("platforms:size=4,level=2").start()
    games = [play_game(seats, start, LIMIT, seed=seed).moves for seed in (7, 8, 7)]
    assert games[0] == games[2] != games[1]


# --- specs


@pytest.mark.parametrize(
    "spec", ["ugi:./mybot --fast a:b,c=d", "python:path/to/bot.py", 'ugi:java -jar "my bot.jar"']
)
def test_everything_after_the_first_colon_is_the_command(spec: str, here: Path) -> None:
    assert player(spec).spec == spec


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a bot and a program in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "path" / "to").mkdir(parents=True)
    for name in ("path/to/bot.py", "bot.py", "bot.mjs"):
        (tmp_path / name).write_text("def choose(p, limit): return p.moves()[0]")
    return tmp_path


def test_a_file_names_the_bot_that_is_in_it(here: Path) -> None:
    assert player("bot.py").spec == "python:bot.py"
    assert player(f"{here}/bot.py").spec == f"python:{here}/bot.py"
    (here / "bot.mjs").chmod(0o755)
    assert player("bot.mjs").spec == "ugi:./bot.mjs"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nobody.py", "no such file: 'nobody.py'"),
        ("python:nobody.py", "no such file: 'nobody.py'"),
        ("./nobody", "no such file: './nobody'"),
        ("bot.mjs", "'bot.mjs' is not executable; run 'chmod \\+x bot.mjs'"),
        ("nobody", "unknown player 'nobody'"),
    ],
)
def test_a_file_that_is_no_bot_says_why(here: Path, text: str, words: str) -> None:
    with pytest.raises(InvalidSpec, match=words):
        player(text)


@pytest.mark.parametrize(
    "spec", ["ugi", "ugi:", "python:", "ugi:'", "ugi:  ", "ugi:a\0b", "python:a\0b"]
)
def test_a_spec_without_a_command_is_refused_with_an_example(spec: str) -> None:
    with pytest.raises(InvalidSpec, match="has no command"):
        player(spec)
