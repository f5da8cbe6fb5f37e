"""Builds the WebAssembly modules of the package: `python -m papan.build_modules [GAME…]`.

Without names, those modules are built whose sources have changed. With `--check` nothing is built,
and the exit status is 1 if a module is missing or out of date.
"""

from __future__ import annotations

import gzip
import json
import sys
from concurrent.futures import as_completed

from papan.browser.facts import facts_of
from papan.browser.modules import FOLDER, MANIFEST, compile_here, identity, is_shipped, manifest
from papan.core.game import Game
from papan.core.readiness import stay_plain
from papan.errors import PapanError
from papan.usercode import registry
from papan.usercode.gallery import gallery
from papan.whole_files import whole_file, write_whole
from papan.workers import WorkerPool


def games() -> list[Game]:
    """Returns the games of the package and of the gallery, with their default options."""
    return [registry.game(name) for name in (*registry.names(), *gallery())]


def outdated() -> list[Game]:
    """Returns the games without a module of their current sources."""
    return [game for game in games() if not is_shipped(game)]


def main(words: list[str]) -> int:
    """Builds modules; returns the exit status."""
    if words == ["--check"]:
        names = [game.name for game in outdated()]
        if names:
            print(f"python -m papan.build_modules must be run for {', '.join(names)}")
        return int(bool(names))
    try:
        chosen = [registry.game(word) for word in words] or outdated()
    except PapanError as error:
        print(error, file=sys.stderr)
        return 2
    FOLDER.mkdir(exist_ok=True)
    known = dict(manifest())
    with WorkerPool(count=2) as pool:
        tasks = {pool.submit(build, game): game for game in chosen}
        for task in as_completed(tasks):
            game, (code, facts) = tasks[task], task.result()
            with whole_file(FOLDER / f"{game.name}.wasm") as file:
                file.write(code)
            write_whole(FOLDER / f"{game.name}.json", facts)
            known[game.name] = identity(game)
            write_whole(MANIFEST, json.dumps(dict(sorted(known.items())), indent=1) + "\n")
            print(f"{game.name}: {len(code):,} bytes, {len(gzip.compress(code)):,} compressed")
    return 0


def build(game: Game) -> tuple[bytes, str]:
    """Returns the module of a game, and its facts as JSON."""
    stay_plain()  # else a thread compiles the rules of slow games at the same time
    return compile_here(game), json.dumps(facts_of(game), ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
