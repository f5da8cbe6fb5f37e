"""Records a genetic search of model 2 with its last reservation tree."""

from __future__ import annotations

import time

from papan.core.game import Position
from papan.errors import InvalidSpec
from papan.players.genetic import RESERVATION_TREE, GeneticPlayer
from papan.players.genetic.reservation_tree import (
    NO_NODE,
    ROOT,
    ReservationTree,
    ReservationTreeModel,
    levels_kept,
)
from papan.rules import operations as rules
from papan.rules.operations import Evaluation
from papan.search.algorithm import in_points
from papan.search.limits import Limit
from papan.search.result import Bound, SearchResult
from papan.search.trace import trace
from papan.search.trace.record import (
    MOST_NODES,
    Ending,
    Node,
    Pass,
    Recorder,
    Trace,
    without_history,
)

#: Defaults of the player's options, small enough for a readable tree of ten chromosomes. More
#: generations leave fewer different ones.
SMALL = {"model": RESERVATION_TREE, "population": "5", "generations": "2"}
#: Seed of the player, so that each run draws the same tree.
_SEED = 1


def trace_genetic(
    position: Position,
    depth: int,
    options: str = "",
    *,
    evaluation: Evaluation | None = None,
    most: int = MOST_NODES,
) -> Trace:
    """Runs a genetic search and records the reservation tree of its last generation.

    Args:
        position: the root.
        depth: number of genes, unless the player's own option is smaller.
        options: options of the player `genetic`; `SMALL` overrides some defaults.
        evaluation: evaluation of unfinished games; by default the game's default evaluation.
        most: maximum number of nodes.

    Raises:
        InvalidSpec: an option is invalid, the model has no tree, or the game is not supported.
        InvalidLimit: the tree has more than `most` nodes.
    """
    player = _player(options)
    player.new_game(position.game, _SEED)
    leaves = position.game.default_evaluation if evaluation is None else evaluation
    if position.outcome() is not None:
        minimax_trace = trace(position, depth, "minimax", evaluation=leaves)
        minimax_trace.algorithm = player.spec
        return minimax_trace
    began = time.perf_counter()
    model, tried = player.breed(position, Limit(depth=depth), leaves)
    assert isinstance(model, ReservationTreeModel)  # `_player` checks the model
    genes = model.lines.shape[1]
    root, nodes = reservation_node(model.tree, position, genes, most)
    code, value = model.answer()
    result = SearchResult(
        position=position,
        algorithm=player.spec,
        move=position.game.write_move(code),
        value=in_points(leaves, position.state, value),
        bound=Bound.EXACT,
        depth=genes,
        nodes=tried,
        seconds=time.perf_counter() - began,
        pv=tuple(_best_line(root)),
        proven=False,
    )
    return Trace(player.spec, genes, [Pass(genes, root, nodes)], result, int(rules.unit(leaves)))


def _player(options: str) -> GeneticPlayer:
    """Returns the player of model 2 with some options."""
    keys = {part.partition("=")[0].strip() for part in options.split(",")}
    left_out = [f"{key}={value}" for key, value in SMALL.items() if key not in keys]
    player = GeneticPlayer.from_text(",".join([*left_out, options]))
    if player.model != RESERVATION_TREE:
        raise InvalidSpec(
            "spec.bad-value", option="model", text=player.model, expected=RESERVATION_TREE
        )
    return player


def reservation_node(
    tree: ReservationTree, position: Position, genes: int, most: int = MOST_NODES
) -> tuple[Node, int]:
    """Returns the root of a reservation tree with all its descendants, and the number of nodes.

    Args:
        tree: a tree with minimax values.
        position: position of the root.
        genes: length of a chromosome.
        most: maximum number of nodes.

    Raises:
        InvalidLimit: the tree has more than `most` nodes.
    """
    recorder = Recorder(most=most)

    def node_of(index: int, here: Position, parent: Node | None) -> Node:
        level = int(tree.level[index])
        move = position.game.write_move(int(tree.move[index])) if parent else ""
        node = recorder.enter(Node(move, here, level, genes - level), parent)
        for child in _children(tree, index):
            node_of(child, without_history(here.after(int(tree.move[child]))), node)
        value = int(tree.value[index])
        recorder.leave(node, value if level % 2 == 0 else -value, _ending(node))
        if node.children:
            # Among equal children the newest one, which the player also plays.
            node.best = max(
                place for place, child in enumerate(node.children) if -child.value == node.value
            )
        else:
            node.fitness = int(levels_kept(tree, index, genes))
        return node

    return node_of(ROOT, without_history(position), None), recorder.nodes


def _children(tree: ReservationTree, index: int) -> list[int]:
    """Returns the children of a node in the order of their insertion."""
    children, child = [], int(tree.child[index])
    while child != NO_NODE:
        children.append(child)
        child = int(tree.sibling[child])
    return children[::-1]


def _ending(node: Node) -> Ending:
    """Returns why a chromosome ends at a node; `Ending.NONE` for inner nodes."""
    if node.children or node.position is None:
        return Ending.NONE
    return Ending.OVER if node.position.is_over() else Ending.DEPTH


def _best_line(root: Node) -> list[str]:
    """Returns the principal variation of the tree."""
    line, node = [], root
    while node.children:
        node = node.children[node.best]
        line.append(node.move)
    return line
