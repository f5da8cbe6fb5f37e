"""Pictures of search trees: made in the pool, a few at a time, and remembered."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from papan.figures.tree import TreeFigure
from papan.web.thinking import Pool, TooBusy
from papan.web.worker import Task

#: Figures that are remembered, and that are made at the same time or wait for it.
MOST_KEPT = 64
MOST_MADE = 12


@dataclass
class Gallery:
    """The figures that browsers have asked for last.

    Attributes:
        pool: where searches are recorded.
        making: how many are being made.
    """

    pool: Pool
    making: int = 0
    _figures: OrderedDict[Task, TreeFigure] = field(default_factory=OrderedDict)

    async def figure(self, task: Task, session: str) -> TreeFigure:
        """The figure that a task of the kind `tree` makes.

        Raises:
            TooBusy: too many are being made.
            PapanError: the task is wrong, or its tree too large.
        """
        found = self._figures.pop(task, None) or await self._made(task, session)
        self._figures[task] = found
        while len(self._figures) > MOST_KEPT:
            self._figures.popitem(last=False)
        return found

    async def _made(self, task: Task, session: str) -> TreeFigure:
        if self.making >= MOST_MADE:
            raise TooBusy("web.thinking.busy")
        self.making += 1
        try:
            answer = await self.pool.run(task, session)
        finally:
            self.making -= 1
        made: TreeFigure = answer["figure"]
        return made
