"""Whatever is put into the public functions, an error comes out and never a dead interpreter."""

import pytest

from support import run_python

#: Random calls with random arguments. Only what says that input is wrong may be raised.
CALLS = """
import random, sys
import papan
from papan.errors import PapanError
from papan.search.algorithm import search
from papan.search.limits import Limit
from papan.search.perft import divide, perft
from papan.search.registry import algorithm
from papan.solve.solve import solve
from papan.search.table import new_table

chance = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else SEED)
NUMBERS = [0, -1, 1, 2, 3, 5, 17, 64, 127, 128, 129, 255, 4096, 65535, 65536, 2**31, 2**32 - 1,
           2**63 - 1, 2**63, 2**64, 10**40, -2**63, 0.5, -0.0, 1e-9, 1e300, float("nan"),
           float("inf"), -float("inf")]
SPECS = ["adjacency", "adjacency:size=4", "adjacency:size=5,rounds=3", "corners",
         "platforms:size=3,level=1", "platforms:size=6,level=3", "platforms:size=4,first=o"][:GAMES]
NAMES = ["minimax", "alphabeta", "memory", "mtdf", "pvs", "engine", "mcts"]
LETTERS = "xo12345678/ -.:,=abcdefgh\\x00\\u00e9\\U0001f600"

def text():
    return "".join(chance.choice(LETTERS) for _ in range(chance.choice([0, 1, 3, 9, 40, 3000])))

def damaged(line):
    letters = list(line)
    for _ in range(chance.randrange(1, 4)):
        place = chance.randrange(len(letters) + 1)
        put = [chance.choice(LETTERS)] * chance.randrange(3)
        letters[place : place + chance.randrange(2)] = put
    return "".join(letters)

def number():
    return chance.choice([*NUMBERS, chance.randrange(-10, 200)])

def position():
    found = papan.game(chance.choice(SPECS)).start()
    for _, found in found.random_walk(chance, chance.randrange(70)):
        pass
    return found

def read_position():
    found = position()
    return found.game.position(chance.choice([text(), damaged(str(found)), str(found)])).moves()

def play():
    found = position()
    move = chance.choice([text(), number(), damaged("".join(found.moves()[:1]))])
    return found.play(move)

def limit():
    given = {name: number() for name in ("depth", "seconds", "nodes") if chance.random() < 0.5}
    return Limit(**given)

def short_search():
    wanted = limit()
    # What is huge is allowed and never ends: a small number of nodes ends it.
    short = Limit(depth=wanted.depth, seconds=0.01, nodes=chance.choice([1, 2, 50, 3000]))
    options = chance.choice(["", f":hash={number()}", f":slots={number()}", f":threads={number()}",
                             f":lines={number()}", f":memory={number()}", f":symmetry={number()}"])
    return search(position(), short, algorithm=algorithm(chance.choice(NAMES) + options))

def table():
    megabytes = number()
    if isinstance(megabytes, (int, float)) and 64 < megabytes < 1e9:
        megabytes = 64
    return new_table(megabytes, slots=chance.choice([None, number() if megabytes == 1 else 0]))

def solve_little():
    return solve(position(), memory_mb=chance.choice([1, number()]), limit=Limit(nodes=1000))

def count():
    depth = number()
    return perft(position(), depth if not 3 < depth <= 128 else 2)

CALLS = [read_position, play, limit, short_search, table, solve_little, count,
         lambda: papan.game(chance.choice([text(), damaged("adjacency:size=4,rounds=3")])),
         lambda: algorithm(chance.choice([text(), damaged("engine:threads=2,hash=1")]))]
for number_of_call in range(COUNT):
    call = chance.choice(CALLS)
    try:
        call()
    except PapanError as error:
        assert str(error) and "\\n" not in str(error), repr(str(error))
    except TypeError as error:  # for a fraction where an integer is needed, and nothing else
        assert "float" in str(error), error
print("alive")
"""


def calls(seed: int, count: int, games: int) -> str:
    """Code that makes so many calls; the first three games have searches in common."""
    numbers = {"SEED": seed, "COUNT": count, "GAMES": games}
    code = CALLS
    for name, number in numbers.items():
        code = code.replace(name, str(number))
    return code


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.thorough)])
def test_random_input_gives_one_line_of_complaint_or_a_result(seed, thorough):
    code = calls(seed, 600, 7) if thorough else calls(seed, 80, 3)
    done = run_python(code)
    assert done.stdout.strip() == "alive", (done.returncode, done.stderr[-2000:])
    assert done.returncode == 0


@pytest.mark.long
def test_much_random_input_gives_complaints_or_results():
    done = run_python(calls(3, 20_000, 7))
    assert done.stdout.strip() == "alive", (done.returncode, done.stderr[-2000:])
