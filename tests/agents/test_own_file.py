"""A user's own agent plays from its file, in a process of its own."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from petteia import agents, games
from petteia.agents import child
from petteia.arena.match import Match
from petteia.arena.play import Forfeit
from petteia.core.errors import PetteiaError
from petteia.core.program import ProgramFailed
from petteia.core.spec import parse
from petteia.search.alphabeta import Greedy
from tests.mistakes import AGENT, EVALUATION
from tests.toys import OddEven

ROOT = Path(__file__).parents[2]
SMALL = games.make("breakthrough(columns=4, rows=5)")

FILE = """
import os, sys
from petteia.core.agent import Agent, Decision

def last(position, legal_moves, seed):
    print("a stray line on standard output")
    assert os.read(0, 10) == b""
    assert position.moves() == legal_moves
    return legal_moves[-1].upper()

def fails(position, legal_moves, seed):
    return helper(legal_moves)

def helper(legal_moves):
    raise LookupError("nothing is good enough")

def illegal(position, legal_moves, seed):
    return "a1a1"

def number(position, legal_moves, seed):
    return 7

def forever(position, legal_moves, seed):
    while True:
        pass

def leaves(position, legal_moves, seed):
    sys.exit(5)

def short(position):
    return ""

class Mine(Agent):
    def __init__(self, game, offset: int = 0, time: float = 9.0, untyped=1):
        super().__init__(game)
        self.offset, self.time, self.untyped = offset, time, untyped
        self.games = 0

    def new_game(self):
        self.games += 1

    def choose(self, p, *, seed=0, player=None):
        note = (self.offset, self.time, self.untyped, self.games, seed, player)
        if self.untyped == "tell":
            raise LookupError(note)
        return Decision(self.game.legal_moves(p)[self.offset], 1.5, depth=4, interior=3, leaves=2)
"""

RAISES = '    raise LookupError("nothing is good enough")'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    return path


def _forfeit(spec: str) -> Forfeit:
    match = Match(SMALL, agents.make(spec, SMALL), agents.make("random", SMALL))
    result = match.run(1)
    assert result.forfeits() == (2, 0)
    found = result.pairs[0].games[1].forfeit
    assert found is not None
    assert "\n" not in found.reason
    return found


def test_a_function_chooses_among_texts(file: Path) -> None:
    agent = agents.make(f"{file}:last(time=10)", SMALL)
    assert str(agent) == f"{file}:last(time=10)"
    assert agent.choose(SMALL.start()).move == SMALL.legal_moves(SMALL.start())[-1]
    result = Match(SMALL, agent, agents.make("random", SMALL)).run(2)
    assert result.forfeits() == (0, 0)


def test_a_class_gets_its_arguments_seeds_and_new_games(file: Path) -> None:
    found = agents.make(f"{file}:Mine(offset=2, time=7)", SMALL).choose(SMALL.start())
    assert found.move == SMALL.legal_moves(SMALL.start())[2]
    assert (found.value, found.depth, found.interior, found.leaves) == (1.5, 4, 3, 2)
    agent = agents.make(f"{file}:Mine(offset=2, time=7, untyped=tell)", SMALL)
    agent.new_game()
    agent.new_game()
    note = re.escape(repr((2, 7.0, "tell", 2, 2**62, 0)))
    with pytest.raises(ProgramFailed, match=note):
        agent.choose(SMALL.start(), seed=2**62, player=0)


def test_a_class_plays_its_side_of_simultaneous_moves(file: Path) -> None:
    game = games.make(f"{ROOT / 'tests' / 'toys.py'}:OddEven")
    source = FILE.replace("self.game.legal_moves(p)", "self.game.legal_moves(p, player)")
    file.write_text(source)
    agent = agents.make(f"{file}:Mine(offset=-1)", game)
    assert agent.choose(OddEven().start(), player=0).move == 3
    assert agent.choose(OddEven().start(), player=1).move == 2


def test_the_traceback_of_a_crash_is_in_the_forfeit(file: Path) -> None:
    forfeit = _forfeit(f"{file}:fails(time=10)")
    place = f"{file}:{1 + FILE.splitlines().index(RAISES)}"
    says = f"{place}: in helper: LookupError: nothing is good enough"
    assert forfeit.reason == f"ProgramFailed: {file}:fails: {says}"
    assert f'{file}", line' in forfeit.trace
    assert "in helper" in forfeit.trace
    assert forfeit.trace.rstrip().endswith("LookupError: nothing is good enough")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("illegal(time=10)", "'a1a1' is not a legal move here"),
        ("number(time=10)", "number gave 7; expected the text of a move"),
        ("leaves(time=10)", "exited with code 5"),
        ("forever(time=0.2, grace=0.1)", "took more than 0.3 seconds to answer 'go'"),
        ("Mine(offset=99, time=10)", "IndexError"),
    ],
)
def test_what_goes_wrong_there_is_a_forfeit(file: Path, name: str, reason: str) -> None:
    started = time.monotonic()
    assert reason in _forfeit(f"{file}:{name}").reason
    assert time.monotonic() - started < 20


@pytest.mark.parametrize(
    ("spec", "what"),
    [
        ("FILE:Main", "did you mean Mine"),
        ("FILE", "name one, for instance"),
        ("FILE:short", "must take (position, legal_moves, seed)"),
        ("FILE:last(depth=3)", "has no argument depth"),
        ("FILE:Mine(ofset=3)", "did you mean offset"),
        ("FILE:Mine(offset=far)", "offset=far is not a whole number"),
        ("FILE:Mine(time=late)", "time=late is not a number"),
        ("FILE:Mine(time=0)", "seconds above 0"),
        ("./nowhere.py:choose", "there is no file 'nowhere.py'"),
    ],
)
def test_mistakes_are_told_when_the_agent_is_made(file: Path, spec: str, what: str) -> None:
    with pytest.raises(PetteiaError) as caught:
        agents.make(spec.replace("FILE", str(file)), SMALL)
    assert what in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_does_not_run_is_one_line(file: Path) -> None:
    file.write_text("x = 1\nx +\n")
    with pytest.raises(PetteiaError, match=r"mine\.py:2: SyntaxError") as caught:
        agents.make(f"{file}:choose", SMALL)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["choose(time=10)", "Careful(breadth=5, time=10)"])
def test_the_examples_beat_random(name: str) -> None:
    agent = agents.make(f"{ROOT / 'examples' / 'my_agent.py'}:{name}", SMALL)
    result = Match(SMALL, agent, agents.make("random", SMALL)).run(15)
    assert result.forfeits() == (0, 0)
    assert result.score > 0.5


def test_an_evaluation_plays_by_the_search_that_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(f"def helper():\n    pass\n\n\n{EVALUATION.replace('mine', 'evaluate')}")
    agent = child.make(parse(f"{path}(search=greedy, time=3)"), SMALL)
    assert isinstance(agent, Greedy)
    assert agent.evaluation.name == f"{path}:evaluate"
    assert agent.choose(SMALL.start()).move in SMALL.legal_moves(SMALL.start())
    with pytest.raises(PetteiaError, match="search=3 is not an agent such as alphabeta"):
        child.make(parse(f"{path}(search=3)"), SMALL)


def test_functions_may_help_an_agent(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    helpers = "def a():\n    pass\n\n\ndef b():\n    pass\n\n\n"
    path.write_text(helpers + AGENT.replace("mine", "choose"))
    assert child.make(parse(f"{path}(search=greedy)"), SMALL).choose(SMALL.start()).move >= 0
    mine = "class Mine(Agent):\n    def choose(self, p, *, seed=0, player=None): ...\n"
    path.write_text(f"from petteia.core.agent import Agent\n\n{helpers}{mine}")
    assert type(child.make(parse(str(path)), SMALL)).__name__ == "Mine"
    path.write_text(helpers)
    with pytest.raises(PetteiaError, match="holds 2 functions and classes of kind agent"):
        child.make(parse(str(path)), SMALL)
