"""`papan play GAME [PLAYER [PLAYER]]`: whole games, typed."""

import random
import re
import signal
import subprocess
import sys

import pexpect
import pytest

import papan as package
from papan.cli.terminal import Terminal
from papan.core.game import Position
from papan.solve import known_values
from support import PATIENCE
from usercode.test_loader import TIC_TAC_TOE

GAMES = ["adjacency", "adjacency:rounds=4,first=o", "platforms:size=4,level=2", "corners"]


def script(game: str, human: str, seed: int = 0) -> tuple[list[str], Position]:
    """What a person types who plays at random against `first`, and the end of that game.

    `human` holds the sides that the person plays.
    """
    chance = random.Random(seed)
    position, typed = package.game(game).start(), list[str]()
    while position.outcome() is None:
        legal = position.moves()
        move = chance.choice(legal) if position.side in human else legal[0]
        if position.side in human:
            typed.append(move)
        position = position.play(move)
    return typed, position


def announcement(end: Position) -> str:
    outcome = end.outcome()
    assert outcome is not None
    return f"{outcome.winner} wins" if outcome.winner else "The game is a draw."


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("human", "seats"),
    [("x", "human first"), ("o", "first human"), ("xo", "human human"), ("x", "first")],
)
def test_a_typed_game_goes_on_to_its_end(papan, game, human, seats):
    moves, end = script(game, human)
    ran = papan(f"play {game} {seats}", typed="\n".join(moves))
    assert ran.status == 0
    assert announcement(end) in ran.out.splitlines()[-1]
    for name, number in end.facts().items():
        assert f"{Terminal().say(name)} {number}" in ran.out


@pytest.mark.parametrize("game", ["adjacency", "platforms", "corners"])
def test_a_game_piped_into_a_real_process_goes_on_to_its_end(process, game):
    moves, end = script(game, "xo", seed=1)
    ran = process(f"play {game} human human", typed="\n".join(moves))
    assert ran.status == 0
    assert announcement(end) in ran.out.splitlines()[-1]
    assert ran.err == ""


@pytest.mark.parametrize("game", ["adjacency:size=4", "platforms", "corners"])
def test_two_programs_play_without_anybody_typing(papan, game):
    ran = papan(f"play {game} first random")
    assert ran.status == 0
    assert "> " not in ran.out
    assert "wins" in ran.out or "draw" in ran.out


def test_chance_repeats_itself_with_the_same_seed_only(papan):
    games = [papan(f"play platforms:size=5 random random --seed {n}").out for n in (4, 5, 4)]
    assert games[0] == games[2] != games[1]


def test_a_person_plays_x_against_minimax_unless_said_otherwise(papan):
    out = papan("play platforms", typed="b2\nquit\n").out
    assert "x is human, o is level:4" in out
    assert "\no: " in out


def test_what_cannot_be_played_is_explained_and_asked_for_again(papan):
    out = papan("play platforms human human", typed="z9\na1\nc1\n\nb2\nquit\n").out
    assert "no square 'z9' on this board: expected a1 … c3" in out
    assert "move 'a1' is not legal here: expected one of b3, a2, b2" in out
    assert "You quit after 1 moves" in out


def test_a_move_that_is_typed_in_part_is_told_how_it_may_go_on(papan):
    out = papan("play corners human human", typed="f3\nf3f4\nquit\n").out
    assert "Moves that start with this: f3f4 f3e3" in out


def test_the_last_move_stands_in_brackets(papan):
    assert "[x0]" in papan("play platforms human human", typed="b2\nquit\n").out


def test_undo_takes_back_ones_own_move_and_the_answer(papan):
    out = papan("play platforms:size=4 human first", typed="b3\nundo\nb4\nquit\n").out
    start = package.game("platforms:size=4").start()
    after = start.play("b4")
    assert str(after.play(after.moves()[0])) in out


def test_undo_takes_back_one_move_between_two_people(papan):
    out = papan("play platforms human human", typed="b2\nc2\nundo\nquit\n").out
    assert str(package.game("platforms").start().play("b2")) in out


def test_undo_with_nothing_to_take_back_says_so(papan):
    assert "no move to undo" in papan("play platforms human human", typed="undo\n").out
    assert "no move to undo" in papan("play platforms first human", typed="undo\n").out


def test_a_hint_is_a_legal_move(papan):
    out = papan("play platforms human human", typed="hint\n").out
    hint = out.partition("Hint: ")[2].split()[0]
    assert hint in package.game("platforms").start().moves()


def test_resigning_gives_the_game_to_the_other_side(papan):
    out = papan("play platforms human first", typed="b2\nresign\n").out
    assert out.splitlines()[-2:] == ["x resigns.", "o wins (first)."]


def test_the_legal_moves_are_listed_on_request(papan):
    out = papan("play corners human human", typed="moves\n").out
    assert " ".join(package.game("corners").start().moves()) in out


def test_help_lists_every_command(papan):
    out = papan("play platforms human human", typed="help\n").out
    for word in ("undo", "hint", "resign", "moves", "help", "quit"):
        assert f"\n  {word} " in out


def test_commands_are_understood_in_english_and_in_the_language_of_the_person(papan):
    words = "play platforms human human --lang id"
    assert "x menyerah." in papan(words, typed="menyerah\n").out
    assert "x menyerah." in papan(words, typed="resign\n").out


@pytest.mark.parametrize("ending", ["quit\n", ""])
def test_leaving_says_how_to_go_on_and_is_no_error(papan, ending):
    ran = papan("play platforms human human", typed=f"b2\n{ending}")
    assert ran.status == 0
    assert "papan play platforms --position '011/101/110 o b2 c1'" in ran.out


def test_a_game_can_be_gone_on_with_from_its_position_line(papan):
    ran = papan("play platforms human human --position '000/010/000 x a3 c1'", typed="b2\n")
    assert ran.out.splitlines()[-1] == "x wins (human)."


def test_a_position_in_which_the_game_is_over_is_announced_at_once(papan):
    ran = papan("play platforms --position '000/000/000 x a3 c1'")
    assert ran.out.splitlines()[-1].startswith("o wins")


@pytest.mark.parametrize("sends", ["crash", "illegal"])
def test_a_program_that_fails_to_make_a_legal_move_loses(papan, monkeypatch, sends):
    from papan.players.base import Choice
    from papan.players.simple import FirstMove

    def choose(self, position, limit):
        if sends == "crash":
            raise ZeroDivisionError("no idea")
        return Choice("a1")

    monkeypatch.setattr(FirstMove, "choose", choose)
    ran = papan("play platforms first random")
    assert ran.status == 0
    reason, result = ran.out.splitlines()[-2:]
    assert reason.startswith("first failed: ")
    assert ("no idea" if sends == "crash" else "'a1'") in reason
    assert result == "o wins (random)."


def test_a_bot_that_fails_is_told_with_its_line_and_what_it_printed(papan, tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(p, limit):\n    print('here I am')\n    return [][1]\n")
    out = papan(f"play platforms {bot} random").out
    assert "(bot.py:3: IndexError: list index out of range: return [][1])\n    here I am\n" in out


def test_ctrl_c_leaves_with_130_and_says_how_to_go_on():
    command = subprocess.Popen(
        [sys.executable, "-u", "-m", "papan", "play", "platforms", "human", "human"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=0,
    )
    assert command.stdin is not None
    assert command.stdout is not None
    command.stdin.write("b2\n")
    seen = ""
    while not seen.endswith("o> "):
        seen += command.stdout.read(1)
    command.send_signal(signal.SIGINT)
    out, err = command.communicate(timeout=PATIENCE)
    assert command.returncode == 130
    assert "--position '011/101/110 o b2 c1'" in out
    assert err == ""


def test_a_game_on_a_terminal_is_typed_move_by_move():
    child = pexpect.spawn(
        sys.executable,
        ["-m", "papan", "play", "platforms", "human", "first", "--lang", "en"],
        encoding="utf-8",
        timeout=PATIENCE,
        env={"TERM": "xterm", "PATH": ""},
    )
    moves, end = script("platforms", "x", seed=2)
    for move in ["zz", *moves]:
        child.expect("x> ")
        child.sendline(move)
    child.expect(announcement(end))
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_a_game_of_ones_own_is_offered_a_training_where_a_program_plays(papan, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        f"{TIC_TAC_TOE}\n# A text of its own: another file of the same text is the same game.\n"
    )
    typed = "\n".join(package.game(str(path)).start().moves())
    assert f"papan train {path} --time 60" in papan(f"play {path} human first", typed=typed).err
    assert "papan train" not in papan(f"play {path} human human", typed=typed).err
    assert "papan train" not in papan("play tictactoe human first", typed=typed).err


def test_values_are_shown_before_each_move_of_a_person_and_on_request(papan):
    shown = papan("play platforms human first --values", typed="b2\nquit").out
    assert "+ b2  won in 7\n− b3  lost in 6\n− a2  lost in 6\nx> b2" in shown
    asked = papan("play platforms human first --lang id", typed="nilai\nquit").out
    assert asked.count("+ b2  menang dalam 7") == 1
    assert "won in" not in papan("play platforms human first", typed="quit").out


@pytest.mark.thorough
def test_values_in_a_game_come_from_a_tablebase_that_is_named(papan, tmp_path, monkeypatch):
    path = tmp_path / "small.db"
    papan(f"tablebase platforms:size=3 --out {path}")
    monkeypatch.setattr(known_values, "move_values", None)  # not to be asked
    words = f"play platforms:size=3 human first --values --tablebase {path}"
    assert "+ b2  won in 7" in papan(words, typed="quit").out


@pytest.mark.thorough
def test_the_heading_has_the_elo_of_a_measured_level(papan):
    ran = papan("play tictactoe human level:2", typed="quit")
    assert re.match(r"tictactoe: x is human, o is level:2 \(Elo about [\d,]+ ± \d+\)\n", ran.out)
    assert "Elo" not in papan("play platforms:size=3 human first", typed="quit").out
