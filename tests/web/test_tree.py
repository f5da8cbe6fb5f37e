"""The page that shows the tree of a search."""

import asyncio
import re
from types import SimpleNamespace
from typing import Any

import pytest

from papan.errors import PapanError
from papan.web.engines.engine_worker import EngineRequest
from papan.web.http.refusals import TooBusy
from papan.web.tree import page as tree_page
from papan.web.tree.page import ALGORITHMS, TreeCache, read_numbers
from web_visitors import Visitor


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_tree_of_each_algorithm_is_drawn_with_its_steps(ani: Visitor, algorithm: str) -> None:
    answer = ani.get(f"/teach?game=adjacency:size=4&depth=2&algorithm={algorithm}")
    assert answer.status_code == 200
    assert 'class="papan-tree' in answer.text
    assert "data-entered" in answer.text
    assert '<ol class="told"><li>' in answer.text


def test_a_depth_that_is_too_large_gives_the_largest_one_that_is_not(ani: Visitor) -> None:
    answer = ani.get("/teach?game=adjacency&depth=6&algorithm=minimax")
    assert answer.status_code == 200
    assert re.search(
        r"Depth 6 visits more than 6000 positions, so this is depth [12]\.", answer.text
    )
    assert 'class="papan-tree' in answer.text


def test_a_tree_is_an_outline_as_well_whose_branches_can_be_closed(ani: Visitor) -> None:
    page = ani.get("/teach?numbers=[[3,12],[2,4]]&algorithm=minimax").text
    outline = page.partition('class="branches"')[2].partition("</div>\n</div>")[0]
    assert outline.count("<details") == 3
    values = re.findall(r'<span class="value">(\d+)</span>', outline)
    assert " ".join(values) == "3 3 3 12 2 2 4"


def test_the_words_of_a_tree_are_in_the_language_of_the_browser(ani: Visitor) -> None:
    english = ani.get("/teach?depth=2").text
    indonesian = ani.get("/teach?depth=2", **{"accept-language": "id"}).text
    assert "Draw the tree" in english
    assert "Gambar pohonnya" in indonesian
    told = (page[page.index('class="told"') :][:200] for page in (english, indonesian))
    assert len(set(told)) == 2


def test_the_address_carries_position_and_moves(ani: Visitor) -> None:
    page = ani.get("/teach?game=adjacency:size=4,rounds=2&moves=b3+c2&depth=1").text
    assert "/analysis?game=adjacency%3Asize%3D4%2Crounds%3D2&amp;moves=b3+c2" in page


def test_a_tree_of_given_numbers_is_drawn(ani: Visitor) -> None:
    page = ani.get("/teach?numbers=[[3,12,8],[2,4,6],[14,5,2]]&algorithm=alphabeta").text
    assert 'class="papan-tree' in page
    assert "Given numbers" in page


@pytest.mark.parametrize(
    "query",
    [
        "algorithm=nonsense",
        "algorithm=mcts:simulations=1000000",
        "depth=0",
        "depth=7",
        "depth=x",
        "simulations=301&algorithm=mcts",
        "position=zzz",
        "moves=zz",
        "numbers=[",
        "numbers=[]",
        "numbers={}",
        "numbers=[[true]]",
        "numbers=[1.5]",
        "numbers=[1e999]",
        "numbers=[99999]",
        "numbers=" + "[" * 200,
        "numbers=[" + "1," * 70 + "1]",
        "numbers=[" + "1," * 500 + "1]",
        "numbers=[[1,2],[3,4]]&algorithm=mcts",
    ],
)
def test_what_makes_no_sense_is_explained(ani: Visitor, query: str) -> None:
    answer = ani.get(f"/teach?{query}")
    assert answer.status_code == 400
    assert 'class="problem" role="alert">' in answer.text


def test_the_steps_have_script_and_style_of_their_own(ani: Visitor) -> None:
    assert "papan-steps" in ani.get("/teach/steps.js").text
    assert ani.get("/teach/steps.css").headers["content-type"].startswith("text/css")


def test_numbers_are_read_as_they_are_written() -> None:
    assert read_numbers("[[5, 2], [1, -3]]") == [[5, 2], [1, -3]]


class _Pool:
    """Makes a figure when it is told to, and counts what it was asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.go = asyncio.Event()

    async def run(self, task: EngineRequest, session: str) -> Any:
        self.asked += 1
        await self.go.wait()
        return {"figure": SimpleNamespace(title=task.player)}


def test_a_figure_is_made_once_and_only_a_few_at_a_time() -> None:
    async def story() -> None:
        pool = _Pool()
        shown = TreeCache(pool)  # type: ignore[arg-type]  # all that it uses of a pool
        tasks = [EngineRequest("tree", "g", seed=number) for number in range(tree_page.MOST_MADE)]
        waiting = [asyncio.create_task(shown.figure(task, "me")) for task in tasks]
        await asyncio.sleep(0)
        with pytest.raises(TooBusy):
            await shown.figure(EngineRequest("tree", "g", seed=99), "me")
        pool.go.set()
        await asyncio.gather(*waiting)
        await shown.figure(tasks[0], "me")
        assert pool.asked == len(tasks)

    asyncio.run(story())


def test_a_task_that_fails_is_not_remembered() -> None:
    class Failing(_Pool):
        async def run(self, task: EngineRequest, session: str) -> Any:
            raise PapanError("no")

    shown = TreeCache(Failing())  # type: ignore[arg-type]  # all that it uses of a pool
    for _ in range(2 * tree_page.MOST_MADE):
        with pytest.raises(PapanError, match="no"):
            asyncio.run(shown.figure(EngineRequest("tree", "g"), "me"))
