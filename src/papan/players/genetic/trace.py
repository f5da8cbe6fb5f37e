"""A genetic search of the second model, recorded with its last reservation tree."""

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

#: Defaults of the player's options: a tree of ten chromosomes can be read. More generations leave
#: fewer different ones.
SMALL = {"model": RESERVATION_TREE, "population": "5", "generations": "2"}
#: The player's chance: each run draws the same tree.
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
        depth: genes of a chromosome, if the player's own option is not smaller.
        options: those of the player `genetic`; `SMALL` has other defaults for some.
        evaluation: what values unfinished games; by default the game's plain one.
        most: a tree with more nodes is refused.

    Raises:
        InvalidSpec: an option is wrong, the model has no tree, or the game does not suit it.
        InvalidLimit: the tree is larger than `most`.
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
    assert isinstance(model, ReservationTreeModel)  # as `_player` has seen to
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
    """The player of the second model that some options describe."""
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
    """The root of a reservation tree with all nodes below it, and the number of nodes.

    Args:
        tree: valued by minimax.
        position: the root's.
        genes: length of a chromosome.
        most: a tree with more nodes is refused.

    Raises:
        InvalidLimit: it is larger.
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
            # Of equal children the newest one, as the player answers.
            node.best = max(
                place for place, child in enumerate(node.children) if -child.value == node.value
            )
        else:
            node.fitness = int(levels_kept(tree, index, genes))
        return node

    return node_of(ROOT, without_history(position), None), recorder.nodes


def _children(tree: ReservationTree, index: int) -> list[int]:
    """The children of a node in the order in which they were inserted."""
    children, child = [], int(tree.child[index])
    while child != NO_NODE:
        children.append(child)
        child = int(tree.sibling[child])
    return children[::-1]


def _ending(node: Node) -> Ending:
    """Why a chromosome ends at a node; nothing for the other nodes."""
    if node.children or node.position is None:
        return Ending.NONE
    return Ending.OVER if node.position.is_over() else Ending.DEPTH


def _best_line(root: Node) -> list[str]:
    """The moves that the tree expects of both sides."""
    line, node = [], root
    while node.children:
        node = node.children[node.best]
        line.append(node.move)
    return line
