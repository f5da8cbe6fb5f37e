"""Monte Carlo tree search with an evaluation: leaves it judges, and priors it gives."""

import pytest

import papan
from papan.core.game import Position
from papan.errors import InvalidSpec
from papan.jit.interpreter import without_compiling
from papan.learn.choice import evaluation_named
from papan.players.registry import player
from papan.rules import operations as rules
from papan.rules.operations import Evaluation
from papan.search.algorithm import search
from papan.search.limits import Limit
from papan.search.mcts.algorithm import Mcts
from papan.search.mcts.guide import (
    Blended,
    Judged,
    NoPrior,
    OnePly,
    Playouts,
    estimate,
    expected_score,
)
from papan.search.mcts.settings import leaf_of, prior_of
from papan.search.mcts.tree import ROOT, mean_score
from papan.search.result import SearchResult, knows_chances, winning_chance
from reference import search as oracle
from reference import truth
from support import thoroughly

#: Few enough simulations for plain Python.
FEW = Limit(nodes=20)

SMALL = "adjacency:size=4,rounds=3"
#: Each way to use an evaluation.
GUIDES = [
    {"leaf": "evaluation", "prior": 0.0},
    {"leaf": "evaluation", "prior": 5.0},
    {"leaf": "both", "prior": 2.0},
    {"leaf": "playouts", "prior": 1.0},
]


def found(position: Position, searching: Mcts, simulations: int) -> SearchResult:
    return search(position, Limit(nodes=simulations), algorithm=searching)


def after_each(position: Position, evaluation: Evaluation) -> dict[str, int]:
    """Each move with the evaluation after it, the mover's view."""
    write = position.game.write_move
    children = [(code, rules.play(position.state, code)) for code in position.codes()]
    return {write(code): -int(rules.evaluate(evaluation, child)) for code, child in children}


@pytest.mark.parametrize("guide", [GUIDES[0], *thoroughly(*GUIDES[1:])])
def test_what_is_proven_with_an_evaluation_is_what_the_oracle_solves(guide) -> None:
    results = oracle.solve_moves(truth.start(SMALL), {})
    best = max(solved.value for solved in results.values())
    result = found(papan.game(SMALL).start(), Mcts(**guide), 2_000_000)
    assert result.proven
    assert (result.value > 0, result.value < 0) == (best > 0, best < 0)
    assert results[result.move or ""].value * best > 0 or best == 0


def test_moves_begin_with_the_evaluation_after_them() -> None:
    """After one simulation nothing but priors is known, and the move is the one with the best."""
    position = papan.game(SMALL).start()
    searching = Mcts(leaf="evaluation", prior=3.0)
    found(position, searching, 1)
    tree, values = searching.tree, after_each(position, position.game.default_evaluation)
    root = tree.nodes[ROOT]
    for child in range(root.first, root.first + root.count):
        code = int(tree.nodes[child].move)
        state = rules.play(position.state, code)
        wanted = 1 - estimate(position.game.default_evaluation, state, searching.scale)
        if tree.nodes[child].visits == 0:
            assert mean_score(tree, child) == pytest.approx(wanted)
            assert tree.appeal[child].average == pytest.approx(wanted)
    tried = next(n for n in tree.nodes[root.first :][: root.count] if n.visits == 1)
    assert values[position.game.write_move(int(tried.move))] == max(values.values())


def test_an_evaluation_is_used_by_itself_only_if_it_was_learnt() -> None:
    game = papan.game("connect_four")
    learned, plain = evaluation_named(game, "learned"), game.default_evaluation
    assert knows_chances(learned) and not knows_chances(plain)
    usual = Mcts()
    assert (leaf_of(usual, plain), prior_of(usual, plain)) == (Playouts(), NoPrior())
    assert isinstance(leaf_of(usual, learned), Judged)
    assert isinstance(prior_of(usual, learned), OnePly)
    assert isinstance(leaf_of(Mcts(leaf="both"), plain), Blended)
    assert prior_of(Mcts(leaf="playouts"), learned) == NoPrior()


def test_leads_are_winning_chances_as_the_evaluation_has_them() -> None:
    game = papan.game("connect_four")
    assert expected_score(game.default_evaluation, 8.0, 8.0) == 0.75
    learned = evaluation_named(game, "learned")
    assert expected_score(learned, 0.0, 8.0) == 0.5
    assert expected_score(learned, 1.0986, 8.0) == pytest.approx(0.75, abs=1e-4)
    assert winning_chance(learned, 1.0986) == pytest.approx(0.75, abs=1e-4)


def test_a_loss_that_is_not_proven_has_a_chance_of_0() -> None:
    """Its value is that of a distance to the loss, and only its bound is uncertain."""
    learned = evaluation_named(papan.game("connect_four"), "learned")
    assert winning_chance(learned, 6.0 - rules.WIN) == 0


@pytest.mark.parametrize("moves", ["", "c d b c f a g d e c"])
def test_the_chance_of_a_search_by_a_learned_evaluation_is_its_expected_score(moves: str) -> None:
    game = papan.game("connect_four")
    position = game.start()
    for move in moves.split():
        position = position.play(move)
    with without_compiling():
        result = search(
            position, FEW, algorithm=Mcts(), evaluation=evaluation_named(game, "learned")
        )
        plain = search(position, FEW, algorithm=Mcts())
    assert result.chance == pytest.approx((result.value / 1000 + 1) / 2, abs=1e-3)
    assert 0 < result.chance < 1
    assert plain.chance is None


def test_the_player_names_its_evaluation() -> None:
    game = papan.game("connect_four")
    for spec, leaf in (("mcts", ""), ("mcts:evaluation=none", ""), ("mcts:leaf=both", "both")):
        assert player(spec).searching.leaf == leaf
    learned = player("mcts:evaluation=learned")
    assert learned.searching.leaf == "evaluation"
    assert knows_chances(learned.evaluation_for(game))
    with pytest.raises(InvalidSpec, match="luck"):
        player("mcts:evaluation=luck").evaluation_for(game)


@pytest.mark.thorough
def test_a_learned_evaluation_is_worth_more_than_ten_times_the_simulations() -> None:
    game = papan.game("connect_four")
    points = 0
    for seed in range(8):
        guided = player("mcts:evaluation=learned,simulations=300")
        plain = player("mcts:simulations=3000")
        for one in (guided, plain):
            one.new_game(game, seed)
        position = game.start()
        while not position.is_over():
            mover = (guided, plain)[(position.side == "o") != seed % 2]
            position = position.play(mover.choose(position, Limit()).move)
        outcome = position.outcome()
        points += outcome is not None and outcome.winner == "xo"[seed % 2]
    assert points >= 5
