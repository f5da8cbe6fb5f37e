"""Moves that are being made, one step after the other."""

import papan
from papan.core.moves import Partial, beginning


def test_a_move_of_one_place_is_settled_by_its_first_step() -> None:
    position = papan.game("adjacency:size=4").start()
    assert Partial.of(position, ["b3"]).chosen_move == position.game.read_move("b3", position.state)
    assert Partial.begin(position).chosen_move is None


def test_to_touch_a_piece_with_one_move_is_not_to_move_it() -> None:
    position = papan.game("corners").start()
    begun = Partial.of(position, ["f3"])
    assert begun.chosen_move is None
    assert sorted(map(begun.name, begun.following)) == ["e3", "f4"]
    settled = begun.after(begun.step("f4")).chosen_move
    assert settled is not None
    assert position.game.write_move(settled) == "f3f4"


def test_a_touch_goes_on_goes_back_begins_anew_or_means_nothing() -> None:
    position = papan.game("corners").start()
    begun = Partial.of(position, ["f3"])
    for name, steps in {"f4": ("f3", "f4"), "f3": (), "g2": ("g2",)}.items():
        touched = begun.apply_touch(begun.step(name))
        assert touched is not None
        assert touched.names == steps
    assert begun.apply_touch(begun.step("a1")) is None


def test_every_legal_move_is_reached_by_its_own_steps_and_no_other() -> None:
    for name in ("amazons:size=6", "checkers", "quarto", "pentago", "nim", "morris"):
        position = papan.game(name).start()
        for code in position.codes()[::7]:
            begun = Partial.begin(position)
            for step in position.game.steps(code):
                assert code in begun.following[step]
                begun = begun.after(step)
            assert begun.ended_moves == [code]


def test_only_what_is_left_is_asked_for_in_the_end() -> None:
    chess = papan.game("chess")
    position = chess.start().play("a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "h7h6", "a6a7", "h6h5")
    begun = Partial.of(position, ["a7", "b8"])
    assert begun.chosen_move is None
    assert sorted(begun.following) == ["b", "n", "q", "r"]  # type: ignore[type-var]  # all words
    knight = begun.after("n").chosen_move
    assert knight is not None
    assert chess.write_move(knight) == "a7b8n"


def test_any_square_of_a_column_means_the_column() -> None:
    position = papan.game("connect_four").start()
    for square in ("d1", "d6"):
        begun = Partial.of(position, [square])
        assert begun.chosen_move is not None
        assert position.game.write_move(begun.chosen_move) == "d"


def test_steps_that_begin_no_move_are_forgotten() -> None:
    position = papan.game("corners").start()
    for names in (["a1"], ["f3", "h8"], ["nowhere"], ["f3", "f4", "f5"], [""]):
        assert Partial.of(position, names).steps == ()


def test_a_text_that_begins_moves_is_found_with_and_without_what_joins_them() -> None:
    position = papan.game("breakthrough").start()
    assert beginning(position, "a2") == beginning(position, "a2-") == ["a2-a3", "a2-b3"]
    assert beginning(position, "a2b") == ["a2-b3"]
    assert beginning(position, "z") == beginning(position, "-") == []
