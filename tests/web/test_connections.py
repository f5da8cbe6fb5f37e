"""HTTP on one connection, with an application that only answers."""

import asyncio

import pytest
from uvicorn.server import ServerState

from papan.cli.web import settings_for
from papan.web.http.connections import Connections

TWO_LENGTHS = b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n"
BODY = b"0\r\n\r\nGET /other HTTP/1.1\r\nHost: here\r\n\r\n"


async def application(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": scope["path"].encode()})


async def answer(request: bytes) -> bytes:
    """All that a server says to a client that sends this and waits until the connection ends."""
    config = settings_for(application)
    settings = {"config": config, "server_state": ServerState(), "app_state": {}}
    make, loop = Connections(10).protocol, asyncio.get_running_loop()
    server = await loop.create_server(lambda: make(**settings), "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    writer.write(request)
    found = await reader.read()
    writer.close()
    server.close()
    return found


@pytest.mark.parametrize("headers", [TWO_LENGTHS, TWO_LENGTHS.swapcase()])
def test_a_request_with_two_lengths_is_refused_and_the_connection_closed(headers: bytes) -> None:
    found = asyncio.run(answer(b"POST /one HTTP/1.1\r\nHost: here\r\n" + headers + b"\r\n" + BODY))
    assert found.startswith(b"HTTP/1.1 400 ")
    assert b"connection: close" in found
    assert found.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("header", [b"Content-Length: 2\r\n\r\nhi", b"Content-Length: 0\r\n\r\n"])
def test_a_request_with_one_length_is_answered(header: bytes) -> None:
    head = b"POST /one HTTP/1.1\r\nHost: here\r\nConnection: close\r\n"
    assert asyncio.run(answer(head + header)).startswith(b"HTTP/1.1 200 ")
