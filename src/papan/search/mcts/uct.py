"""UCT: simulations follow upper confidence bounds down the tree; proven results propagate up.

Kocsis & Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006; UCB1 after Auer,
Cesa-Bianchi & Fischer, "Finite-time analysis of the multiarmed bandit problem", 2002; proven
values after Winands, Björnsson & Saito, "Monte-Carlo tree search solver", CG 2008.
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
    tail,
    turns_alternate,
)
from papan.rules.splitmix import below
from papan.rules.walk import count_of
from papan.search.mcts.guide import estimate, prior_visits
from papan.search.mcts.playout import Settings, ending, leaf_score, random_number
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
        move = signed(tree.nodes[index].move)
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
    early = node.visits < settings.expand and ply > 0
    if early or ply >= settings.depth:
        return False
    rest = moves(state)
    count = count_of(state, rest)
    if tree.head.used + count > tree.nodes.size:
        return False
    node.first = tree.head.used
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        added = tree.head.used - node.first
        if tree.head.used == tree.nodes.size or not fits(state, added, move, workspace):
            break
        child, below_it = play(state, move), child_key(state, key, move)
        if is_forbidden(child, below_it, ply + 1, workspace):
            continue
        add_node(tree, move)
        if moves_again(state, child):
            tree.nodes[tree.head.used - 1].again = 1
        if is_over(child):
            over(child, tree, tree.head.used - 1, settings)
        elif repeats(child, below_it, ply + 1, workspace):
            mark_end(tree, tree.head.used - 1, DRAWN, settings)
        elif prior_visits(settings.prior) > 0.0:
            expect(child, tree, evaluation, settings)
    node.count = tree.head.used - node.first
    if node.count == 0 and repetition_is_forbidden(state):  # all moves are forbidden
        over(state, tree, index, settings)
        return True
    shuffle(state, tree, node.first, node.count, settings)
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
    chosen = most_promising(tree, index, settings.exploration, 0)
    tree.head.held[ply] = 0
    if settings.solver == 1 and tree.nodes[chosen].status == DRAWN:
        tree.head.held[ply] = 1
        chosen = most_promising(tree, index, settings.exploration, 1)
    return chosen


@helper
def most_promising(tree: Tree, index: int, exploration: float, only_open: int) -> int:
    """Returns the first child with the greatest upper confidence bound.

    UCB1: average + exploration · √(ln visits of the parent / visits of the child).
    """
    node = tree.nodes[index]
    factor = np.float32(exploration * math.sqrt(math.log(max(node.visits, 1))))
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
    newly proven result, replaces the score. `state` is any state of the game.
    """
    tree.head.held[ply] = 0
    solver = settings.solver
    for level in range(ply, -1, -1):
        index = tree.head.path[level]
        node = tree.nodes[index]
        if level < ply and not is_again(state, tree, index):
            score = 1.0 - score
        if tree.head.held[level] == 1:
            score = score_of(DRAWN)
        if solver == 1 and level < ply and tree.nodes[tree.head.path[level + 1]].status != OPEN:
            conclude(state, tree, index)
            if node.status != OPEN:
                score = score_of(node.status)
        node.visits += 1
        node.total += score
        if solver == 0 or node.status == OPEN:
            weight = node.visits + prior_visits(settings.prior)
            tree.appeal[index].average = node.total / weight
            tree.appeal[index].spread = 1.0 / math.sqrt(weight)
