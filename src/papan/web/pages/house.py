"""What all pages share: the lobby, the pool, what is offered."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import HTTPConnection

from papan.web.choices import Choices
from papan.web.contests import Contests
from papan.web.gallery import Gallery
from papan.web.lobby import Lobby
from papan.web.persistence import Keeper
from papan.web.push import Hub
from papan.web.settings import Settings
from papan.web.studies import Studies
from papan.web.thinking import Pool


@dataclass
class House:
    """The running server."""

    settings: Settings
    choices: Choices
    keeper: Keeper
    pool: Pool
    hub: Hub
    lobby: Lobby
    studies: Studies
    contests: Contests
    gallery: Gallery


def house(connection: HTTPConnection) -> House:
    """The running server that a request has come to."""
    found: House = connection.app.state.house
    return found
