"""PettingZoo: random moves in its own Connect Four."""

from __future__ import annotations

import random
from importlib.metadata import version

import numpy as np
from pettingzoo.classic import connect_four_v3

from benchmarks.peers.workers.tasks import Peer, answer


def random_game() -> int:
    """Plays a random game; returns its number of moves."""
    env = connect_four_v3.env()
    env.reset()
    made = 0
    for _ in env.agent_iter():
        seen, _, ended, cut, _ = env.last()
        over = ended or cut
        legal = np.flatnonzero(seen["action_mask"]).tolist()
        env.step(None if over else random.choice(legal))
        made += not over
    return made


def peer() -> Peer:
    """Returns the tasks of PettingZoo."""
    games = {("PettingZoo", "Connect Four"): random_game}
    return Peer(f"PettingZoo {version('pettingzoo')}", {}, {}, {}, games)


if __name__ == "__main__":
    answer(peer, random_game)
