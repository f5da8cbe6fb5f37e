"""Training on the page: by the operator only, one task at a time, and what is finished is kept."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from papan.arena.levels import LevelPlan
from papan.core.game import Game
from papan.learn.training import Training, TrainingPlan
from papan.learn.weights import FOLDER, OWN_FOLDER, found_for, place_for, places_of
from papan.players.level_file import ENDING, usable_levels
from papan.usercode import registry
from papan.web.app import create_app
from papan.web.http.settings import ServerSettings
from papan.web.training import trainings
from papan.web.training.training_worker import PART, Talk, measure_levels, train
from papan.web.training.trainings import TrainingJob, Trainings
from support import wait_until
from web_visitors import ADDRESS, Visitor

SMALL = "adjacency:size=4,rounds=2"
PAGE = f"/train?game={SMALL}"
SECRET = "a secret of the operator"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the weights that are trained here."""
    monkeypatch.setenv(OWN_FOLDER, str(tmp_path / "weights"))
    return tmp_path / "weights"


@pytest.fixture
def place(tmp_path: Path) -> ServerSettings:
    kept = {"database": str(tmp_path / "games.sqlite"), "folder": tmp_path, "language": "en"}
    return ServerSettings(processes=1, warm=False, **kept)


@pytest.fixture
def local(place: ServerSettings) -> Iterator[TestClient]:
    """A server for this machine only."""
    with TestClient(create_app(place), base_url=ADDRESS) as client:
        yield client


def visitor_from(server: TestClient, address: str) -> Visitor:
    """A browser at an address."""
    visitor = Visitor(server)
    visitor.client = TestClient(
        server.app, base_url=ADDRESS, client=(address, 50000), raise_server_exceptions=False
    )
    visitor.client.portal = server.portal
    visitor.get("/")
    return visitor


def small() -> Game:
    return registry.game(SMALL)


# --- on the page ----------------------------------------------------------------------------------


def test_the_operator_trains_sees_progress_stops_and_keeps(
    local: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only the stop ends it. It goes on from weights, so that it need not choose the features.
    monkeypatch.setattr(trainings, "TRAINING_SECONDS", 1e6)
    folder.mkdir()
    Training(small(), TrainingPlan()).best.write(place_for(small()))
    ani = visitor_from(local, "127.0.0.1")
    assert "Train for a minute" in ani.get(PAGE).text
    assert ani.post("/train", game=SMALL, do="train").status_code == 303
    page = ani.get(PAGE).text
    assert "Train for a minute" not in page and 'http-equiv="refresh"' in page
    for kind in ("train", "levels"):
        refused = ani.post("/train", game="corners", do=kind)
        assert refused.status_code == 400 and "another training" in refused.text
    page = wait_until(lambda: _having(ani, "plies per second"))
    assert "<polyline" in page and "<progress" in page
    live = f"{ADDRESS.replace('http', 'ws')}/train/live?game={SMALL}"
    with ani.client.websocket_connect(live, headers={"origin": ADDRESS}) as socket:
        assert "plies per second" in socket.receive_text()
    assert ani.post("/train", game=SMALL, do="stop").status_code == 303
    page = wait_until(lambda: _having(ani, "Stopped."))
    assert "The result is" in page and "<polyline" in page
    assert (folder / "adjacency-size=4-rounds=2.weights.part").is_file()
    assert ani.post("/train", game=SMALL, do="stop").status_code == 400
    assert "Train for a minute" in ani.get(PAGE).text


def _having(visitor: Visitor, words: str) -> str:
    page: str = visitor.get(PAGE).text
    assert "Failed." not in page, page
    return page if words in page else ""


def test_levels_are_measured_and_the_form_uses_them(
    local: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trainings, "LEVEL_SECONDS", 3.0)
    ani = visitor_from(local, "127.0.0.1")
    assert ani.post("/train", game=SMALL, do="levels").status_code == 303
    page = wait_until(lambda: _having(ani, "Finished."))
    levels = usable_levels(small())
    several = levels is not None and len(levels.levels) > 1
    assert several == ("The form for a new game uses them" in page)
    assert several == ("Levels with 95 % intervals" in page)
    assert several != ("so it has one level" in page or "so nothing changes" in page)


def test_a_server_that_closes_ends_the_process(place: ServerSettings) -> None:
    with TestClient(create_app(place), base_url=ADDRESS) as client:
        ani = visitor_from(client, "127.0.0.1")
        ani.post("/train", game=SMALL, do="train")
        job = ani.service(Trainings).running
    assert job is not None and job.over


# --- who is the operator --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "address", "headers"),
    [
        ({}, "192.0.2.7", {}),
        ({}, "127.0.0.1", {"x-forwarded-for": "127.0.0.1"}),
        ({}, "testclient", {}),
        ({"host": "0.0.0.0"}, "127.0.0.1", {}),
        ({"hosts": ("class.example",)}, "127.0.0.1", {}),
    ],
)
def test_a_stranger_gets_no_button_and_is_refused(
    place: ServerSettings, changes: dict[str, Any], address: str, headers: dict[str, str]
) -> None:
    with TestClient(create_app(replace(place, **changes)), base_url=ADDRESS) as client:
        budi = visitor_from(client, address)
        budi.client.headers.update(headers)
        for path in ("/new/solo?game=hex", "/rules/hex"):
            page = budi.get(path)
            assert page.status_code == 200 and "/train" not in page.text
        answer = budi.get(PAGE)
        assert answer.status_code == 403 and "Train for a minute" not in answer.text
        for action in ("train", "levels", "stop"):
            assert budi.post("/train", game=SMALL, do=action).status_code == 403
        assert budi.post("/train/operator", secret="").status_code == 403
        assert budi.service(Trainings).running is None


def test_the_operator_is_offered_the_page(local: TestClient) -> None:
    ani = visitor_from(local, "::1")
    for path in ("/new/solo?game=hex", "/rules/hex"):
        assert 'href="/train?game=hex"' in ani.get(path).text
    answer = ani.get("/train?game=hex&option.size=5")
    assert answer.headers["location"] == "/train?game=hex%3Asize%3D5"
    assert ani.post("/train", game="hex", do="nothing").status_code == 400


def test_on_a_public_server_the_secret_makes_one_browser_the_operator_s(
    place: ServerSettings,
) -> None:
    public = replace(place, host="0.0.0.0", operator_secret=SECRET)
    with TestClient(create_app(public), base_url=ADDRESS) as client:
        ani, budi = (visitor_from(client, "192.0.2.7") for _ in range(2))
        assert 'type="password"' in ani.get(PAGE).text
        wrong = ani.post("/train/operator", game=SMALL, secret=f"{SECRET}!")
        assert wrong.status_code == 403 and ani.get(PAGE).status_code == 403
        assert ani.post("/train/operator", game=SMALL, secret=SECRET).status_code == 303
        assert "Train for a minute" in ani.get(PAGE).text
        # The cookie belongs to the session that sent the secret.
        budi.client.cookies.set("papan_operator", ani.client.cookies["papan_operator"])
        assert budi.get(PAGE).status_code == 403


# --- the work, without a server -------------------------------------------------------------------


def test_weights_trained_here_precede_those_of_the_package(folder: Path) -> None:
    game = registry.game("connect_four")
    assert places_of(game) == [folder / "connect_four.weights", FOLDER / "connect_four.weights"]
    assert found_for(game) == FOLDER / "connect_four.weights"
    assert place_for(game, ENDING) == folder / "connect_four.levels"


def test_a_training_says_whether_its_result_is_used() -> None:
    told: list[tuple[str, Any]] = []
    talk = Talk(lambda *message: told.append(message), lambda: False)
    found = train(small(), TrainingPlan(games=300), talk)
    assert [what for what, _ in told][:2] == ["ready", "progress"]
    assert found["measurements"] == len(told) - 1
    assert found["kept"] == place_for(small()).is_file()
    assert found["used"] == (found["strength"].get("score", 0) > 0.5)


def test_levels_that_are_stopped_are_kept_and_continued() -> None:
    told: list[tuple[str, Any]] = []
    talk = Talk(lambda *message: told.append(message), lambda: len(told) > 4)
    plan = LevelPlan(pairs=4, best=False)
    found = measure_levels(small(), plan, talk)
    place = place_for(small(), ENDING)
    assert Path(f"{place}{PART}").is_file() and not found["complete"]
    assert place.is_file() == found["used"] == (len(found["levels"]) > 1)
    whole = measure_levels(small(), plan, Talk(talk.tell, lambda: False))
    assert whole["complete"] and whole["games"] > found["games"]
    assert place.is_file() and not Path(f"{place}{PART}").exists()


def test_a_job_counts_its_time_and_keeps_its_steps() -> None:
    job = TrainingJob("levels", SMALL, 10.0)
    assert job.elapsed == 0
    job.take("ready", 20.0)
    assert (job.state, job.elapsed) == ("running", 10.0)
    job.take("progress", {"level": 2})
    job.take("progress", {"level": 3})
    assert job.progress == [{"level": 3}]
    job.state = "stopping"
    job.take("done", {"games": 4})
    assert job.over and job.state == "stopped"
