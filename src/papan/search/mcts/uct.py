"""UCT: simulations follow upper confidence bounds down the tree; proven results propagate up.

Kocsis & Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006; proven values after Winands,
Björnsson & Saito, "Monte-Carlo tree search solver", CG 2008.
"""

from __future__ import annotations

import math

import numpy as np

from papan.jit.compiler import kernel
from papan.rules.bits import signed
from papan.rules.dispatch import helper
from papan.rules.operations import (
    Evaluation,
    State,
    head,
    is_over,
    more,
    moves,
    moves_again,
    play,
    repetition_is_forbidden,
    side_to_move,
    tail,
    turns_alternate,
)
from papan.rules.splitmix import below
from papan.rules.walk import count_of
from papan.search.mcts.guide import estimate, prior_visits
from papan.search.mcts.playout import ending, leaf_score
from papan.search.mcts.policy import random_number
from papan.search.mcts.selection import (
    average_of,
    begin_children,
    begin_noting,
    counts_early,
    growth,
    learn_siblings,
    note_move,
    spread_after,
)
from papan.search.mcts.settings import Settings
from papan.search.mcts.tree import (
    DRAWN,
    HOPELESS,
    OPEN,
    OPPOSITE,
    ROOT,
    Tree,
    add_node,
    conclusion,
    is_again,
    score_of,
    settle,
)
from papan.search.workspace import (
    Workspace,
    child_key,
    enter,
    fits,
    is_forbidden,
    leave,
    repeats,
    should_stop,
)


@kernel
def simulate(
    state: State,
    key: np.uint64,
    tree: Tree,
    evaluation: Evaluation,
    settings: Settings,
    most: int,
    workspace: Workspace,
) -> int:
    """Runs up to `most` simulations from the root; returns their number.

    Stops early on request and when the root is proven. Each simulation counts as a node.
    """
    done = 0
    while done < most and tree.nodes[ROOT].status == OPEN and not should_stop(workspace):
        one_simulation(state, key, tree, evaluation, settings, workspace)
        workspace.nodes += 1
        done += 1
    return done


@kernel
def one_simulation(
    state: State,
    key: np.uint64,
    tree: Tree,
    evaluation: Evaluation,
    settings: Settings,
    workspace: Workspace,
) -> None:
    """Runs one simulation: selects a leaf, expands it if it is due, scores it, and backs the score
    up.
    """
    # 1. Select: follow the best bounds down the tree, and expand the leaf if it is due.
    index, ply = ROOT, 0
    tree.head.path[0] = ROOT
    begin_noting(settings.selection)
    enter(state, key, 0, workspace)
    while tree.nodes[index].status == OPEN:
        if tree.nodes[index].count == 0:
            if not grow(state, key, ply, tree, evaluation, settings, workspace):
                break
            if tree.nodes[index].status != OPEN:
                break
            if ply > 0 and prior_visits(settings.prior) > 0.0:  # its children have been evaluated
                break
        index = choose(tree, index, ply, settings)
        if counts_early(settings.team):
            count_visit(tree, index, settings)
            update_average(tree, index, settings)
        move = signed(tree.nodes[index].move)
        note_move(settings.selection, side_to_move(state), move)
        key = child_key(state, key, move)
        state = play(state, move)
        ply += 1
        tree.head.path[ply] = index
        enter(state, key, ply, workspace)
    # 2. Score the leaf, for the side that moved into it.
    if tree.nodes[index].status != OPEN:
        score = score_of(tree.nodes[index].status)
    else:
        score = leaf_score(settings.leaf, state, key, ply, tree, evaluation, settings, workspace)
        if not is_again(state, tree, index):
            score = 1.0 - score
    # 3. Back the score up the path.
    tree.head.deepest = max(tree.head.deepest, ply)
    for level in range(ply, -1, -1):
        leave(state, level, workspace)
    back_up(state, tree, ply, score, settings)


@helper
def grow(
    state: State,
    key: np.uint64,
    ply: int,
    tree: Tree,
    evaluation: Evaluation,
    settings: Settings,
    workspace: Workspace,
) -> bool:
    """Adds the children of the leaf at the end of the path; returns False if it is too early or
    full.

    Moves that end the game, by the rules or by repetition, get their result at once.
    """
    index = tree.head.path[ply]
    node = tree.nodes[index]
    visits = node.visits - (1 if counts_early(settings.team) else 0)
    early = visits < settings.expand and ply > 0
    if early or ply >= settings.depth:
        return False
    rest = moves(state)
    count = count_of(state, rest)
    if tree.head.used + count > tree.head.room:
        return False
    first = tree.head.used
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        added = tree.head.used - first
        if tree.head.used == tree.head.room or not fits(state, added, move, workspace):
            break
        child, below_it = play(state, move), child_key(state, key, move)
        if is_forbidden(child, below_it, ply + 1, workspace):
            continue
        add_node(tree, move)
        tree.appeal[tree.head.used - 1].average = settings.urgency
        if moves_again(state, child):
            tree.nodes[tree.head.used - 1].again = 1
        if is_over(child):
            over(child, tree, tree.head.used - 1, settings)
        elif repeats(child, below_it, ply + 1, workspace):
            mark_end(tree, tree.head.used - 1, DRAWN, settings)
        elif prior_visits(settings.prior) > 0.0:
            expect(child, tree, evaluation, settings)
    count = tree.head.used - first
    if count == 0 and repetition_is_forbidden(state):  # all moves are forbidden
        over(state, tree, index, settings)
        return True
    shuffle(state, tree, first, count, settings)
    begin_children(settings.selection, tree, first, count)
    node.first = first  # only now: other threads use the children as soon as there is a count
    node.count = count
    if settings.solver == 1:
        conclude(state, tree, index)
    return True


@helper
def expect(state: State, tree: Tree, evaluation: Evaluation, settings: Settings) -> None:
    """Sets the expected score of the newest node to the evaluation of `state`, its position."""
    index, visits = tree.head.used - 1, prior_visits(settings.prior)
    score = estimate(evaluation, state, settings.scale)
    if not is_again(state, tree, index):
        score = 1.0 - score
    tree.nodes[index].total = visits * score
    tree.appeal[index].average = score
    tree.appeal[index].spread = 1.0 / math.sqrt(visits)


@helper
def over(state: State, tree: Tree, index: int, settings: Settings) -> None:
    """Marks a node as the end of the game; `state` is its position."""
    status = ending(state)
    if not is_again(state, tree, index):
        status = OPPOSITE - status
    mark_end(tree, index, status, settings)


@helper
def mark_end(tree: Tree, index: int, status: int, settings: Settings) -> None:
    """Marks a node as the end of the game; without the solver it is explored like any other."""
    if settings.solver == 1:
        settle(tree, index, status)
    else:
        tree.nodes[index].status = status


@helper
def shuffle(state: State, tree: Tree, first: int, count: int, settings: Settings) -> None:
    """Puts new siblings into random order, the order of their first visits.

    Only fields that can differ between unvisited nodes are exchanged.
    """
    for place in range(count - 1, 0, -1):
        one, other = first + place, first + below(random_number(tree), place + 1)
        one_node, other_node = tree.nodes[one], tree.nodes[other]
        move, status, average = one_node.move, one_node.status, tree.appeal[one].average
        one_node.move, one_node.status = other_node.move, other_node.status
        tree.appeal[one].average = tree.appeal[other].average
        other_node.move, other_node.status = move, status
        tree.appeal[other].average = average
        if not turns_alternate(state):
            again = one_node.again
            one_node.again = other_node.again
            other_node.again = again
        if prior_visits(settings.prior) > 0.0:
            total, spread = one_node.total, tree.appeal[one].spread
            one_node.total, tree.appeal[one].spread = other_node.total, tree.appeal[other].spread
            other_node.total, tree.appeal[other].spread = total, spread


@helper
def conclude(state: State, tree: Tree, index: int) -> None:
    """Settles a node if its children prove its result."""
    status = conclusion(state, tree, index)
    if status != OPEN:
        settle(tree, index, status)


@helper
def choose(tree: Tree, index: int, ply: int, settings: Settings) -> int:
    """Returns the child to which the simulation goes from the node at `ply`.

    A proven draw needs no more simulations. If it is the most promising child, the node scores a
    draw, but the simulation goes to the best open child. Otherwise the search would play the draw
    forever and hardly ever prove that the other children are not better.
    """
    chosen = most_promising(tree, index, settings, 0)
    tree.head.held[ply] = 0
    if settings.solver == 1 and tree.nodes[chosen].status == DRAWN:
        tree.head.held[ply] = 1
        chosen = most_promising(tree, index, settings, 1)
    return chosen


@helper
def most_promising(tree: Tree, index: int, settings: Settings, only_open: int) -> int:
    """Returns the first child with the largest average + exploration · growth · spread."""
    node = tree.nodes[index]
    factor = np.float32(settings.exploration * growth(settings.selection, node.visits))
    best, best_bound = node.first, np.float32(2.0 * HOPELESS)
    for child in range(node.first, node.first + node.count):
        bound = tree.appeal[child].average + factor * tree.appeal[child].spread
        if bound > best_bound and (only_open == 0 or tree.nodes[child].status == OPEN):
            best, best_bound = child, bound
    return best


@helper
def back_up(state: State, tree: Tree, ply: int, score: float, settings: Settings) -> None:
    """Adds a simulation's score to the nodes of its path, from the leaf at `ply` to the root.

    `score` is from the view of the side that moved into the leaf. The proven draw of a node, or a
    newly proven result, replaces the score. `state` is that of the leaf.
    """
    tree.head.held[ply] = 0
    side = side_to_move(state)
    if not is_again(state, tree, tree.head.path[ply]):
        side = 1 - side
    for level in range(ply, -1, -1):
        index = tree.head.path[level]
        node = tree.nodes[index]
        if level < ply and not is_again(state, tree, index):
            score, side = 1.0 - score, 1 - side
        if tree.head.held[level] == 1:
            score = score_of(DRAWN)
        if settings.solver == 1 and level < ply:
            if tree.nodes[tree.head.path[level + 1]].status != OPEN:
                conclude(state, tree, index)
            if node.status != OPEN:
                score = score_of(node.status)
        if level == 0 or not counts_early(settings.team):
            count_visit(tree, index, settings)
        node.total += score
        update_average(tree, index, settings)
        if level > 0:
            parent = tree.head.path[level - 1]
            learn_siblings(settings.selection, tree, parent, side, score)


@helper
def count_visit(tree: Tree, index: int, settings: Settings) -> None:
    """Counts a visit of a node."""
    node = tree.nodes[index]
    node.visits += 1
    if settings.solver == 0 or node.status == OPEN:
        weight = node.visits + prior_visits(settings.prior)
        spread = tree.appeal[index].spread
        tree.appeal[index].spread = spread_after(settings.selection, spread, node.visits, weight)


@helper
def update_average(tree: Tree, index: int, settings: Settings) -> None:
    """Updates the average of a node after a visit or a new score."""
    node = tree.nodes[index]
    if settings.solver == 0 or node.status == OPEN:
        weight = node.visits + prior_visits(settings.prior)
        tree.appeal[index].average = average_of(settings.selection, tree, index, weight)
    else:
        settle(tree, index, node.status)  # another thread may have written its average meanwhile
