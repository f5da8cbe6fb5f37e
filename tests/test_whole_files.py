"""Files that are there in whole or not at all."""

import os
import threading
from pathlib import Path

import pytest

from papan.whole_files import require_room, whole_file, write_whole
from support import PATIENCE


def test_a_text_stands_there_whole_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    for content in ("one", "another"):
        write_whole(path, content)
        assert path.read_text() == content
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_whole(path, "one")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "\ud800")
    with pytest.raises(KeyboardInterrupt):
        _interrupted(path)
    assert path.read_text() == "one"
    assert list(tmp_path.iterdir()) == [path]
    write_whole(path, "\ud800", errors="replace")
    assert path.read_text() == "?"


def _interrupted(path: Path) -> None:
    with whole_file(path) as file:
        file.write(b"another")
        raise KeyboardInterrupt


def test_a_link_stays_one(tmp_path: Path) -> None:
    path, link = tmp_path / "a.txt", tmp_path / "link"
    link.symlink_to(path)
    write_whole(link, "one")
    assert link.is_symlink()
    assert path.read_text() == "one"


def test_a_pipe_gets_the_text_as_it_comes(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", list[str]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_whole(pipe, "one")
    reader.join(PATIENCE)
    assert read == ["one"]
    assert list(tmp_path.iterdir()) == [pipe]


def test_to_ask_for_room_leaves_nothing(tmp_path: Path) -> None:
    require_room(tmp_path / "a.txt")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(IsADirectoryError):
        require_room(tmp_path)
    with pytest.raises(FileNotFoundError):
        require_room(tmp_path / "none" / "a.txt")
