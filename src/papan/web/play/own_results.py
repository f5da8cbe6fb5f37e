"""The games that a browser has won and lost against each level, for the form of a new game."""

from __future__ import annotations

import asyncio
from collections import Counter

from starlette.requests import Request

from papan.messages import Messages
from papan.records.store import Store
from papan.web.board.players import BEST, LEVELS, level_name
from papan.web.http.request_params import service_of, state_of


async def count_own_results(request: Request, game: str, say: Messages) -> list[tuple[str, str]]:
    """Level and results in words, the weakest first, of games of that name with any options."""
    session, _ = state_of(request)
    kept = await asyncio.to_thread(service_of(request, Store).results_of, session)
    counts: dict[str, Counter[str]] = {}
    for each in kept:
        if each.game.partition(":")[0] == game.partition(":")[0]:
            found = counts.setdefault(each.player, Counter())
            found.update(won=each.won, drawn=each.drawn, lost=each.lost)
    return [
        (level_name(level, say) or level, say("web.setup.result", **counts[level]))
        for level in (*LEVELS, BEST)
        if level in counts
    ]
