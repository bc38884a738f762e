"""Our agents, served over the protocol, are the agents they are at home."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petteia import agents, games
from petteia.agents.server import Server
from petteia.arena.match import Match
from petteia.core import spec as specs
from petteia.core.agent import Agent
from petteia.core.program import Program, ProgramFailed
from petteia.core.spec import Spec

ROOT = Path(__file__).parents[2]
GAME = "breakthrough(columns=4, rows=5)"
SMALL = games.make(GAME)
GREETING = ["petteia 1", f"game {GAME}", "newgame"]


def _command(game: str, agent: str) -> list[str]:
    code = f"from petteia.cli import engine; engine.run({game!r}, {agent!r})"
    return [sys.executable, "-c", code]


def _served(agent: str, game: str = GAME) -> Agent:
    command = shlex.join(_command(game, agent))
    return agents.make(Spec("external", (("command", command), ("time", 30))), games.make(game))


def _patient(lines: Iterable[str], said: list[str]) -> Iterator[str]:
    """The lines of a host that waits for its answers: the end of the lines stops a search."""
    for line in lines:
        before = len(said)
        yield line
        while line.startswith("go ") or line == "go":
            if any(each.startswith(("bestmove", "error")) for each in said[before:]):
                break
            time.sleep(0.001)


def _said(agent: str, *lines: str) -> list[str]:
    said: list[str] = []
    host = _patient([*GREETING, *lines], said)
    Server(specs.parse(agent), agents.make, said.append).serve(host)
    assert said[:5] == ["petteia 1", f"id name petteia {agent}", "ready", "ready", "ready"]
    assert all("\n" not in line for line in said)
    return said[5:]


@pytest.mark.parametrize("spec", ["alphabeta(depth=3, eval=offensive2)", "engine(depth=4)"])
def test_a_served_agent_decides_as_it_does_at_home(spec: str) -> None:
    home, away = agents.make(spec, SMALL), _served(spec)
    p = SMALL.start()
    for seed in range(6):
        found = [agent.choose(p, seed=seed, player=seed % 2) for agent in (home, away)]
        assert found[0]._replace(seconds=0.0) == found[1]._replace(seconds=0.0)
        p = SMALL.play(p, found[0].move)


@pytest.mark.parametrize("spec", ["random", "minimax(depth=2, eval=defensive1)"])
def test_a_match_with_a_served_agent_is_the_match_at_home(spec: str) -> None:
    opponent = agents.make("greedy(eval=offensive2)", SMALL)
    plies = [
        [game.record.plies for pair in Match(SMALL, each, opponent).run(2).pairs
         for game in pair.games]
        for each in (agents.make(spec, SMALL), _served(spec))
    ]  # fmt: skip
    assert plies[0] == plies[1]


@pytest.mark.parametrize("toy", ["Race", "OddEven"])
def test_dice_and_simultaneous_moves_are_served(toy: str) -> None:
    game = f"{ROOT / 'tests' / 'toys.py'}:{toy}"
    result = Match(
        games.make(game), _served("random", game), agents.make("random", games.make(game))
    ).run(3)
    assert result.forfeits() == (0, 0)


def test_a_users_file_is_served_too() -> None:
    spec = f"{ROOT / 'examples' / 'my_agent.py'}:choose"
    assert _served(spec).choose(SMALL.start(), seed=4).move in SMALL.legal_moves(SMALL.start())


def test_limits_of_the_question_take_the_place_of_the_agents_own() -> None:
    said = _said(
        "alphabeta(depth=4, eval=offensive2)", "go depth=2 time=1 nodes=5 winc=3", "go",
        "go depth=99", "go depth=3 time=1",
    )  # fmt: skip
    ignored = [line.split()[2] for line in said if line.startswith("info text")]
    assert sorted(ignored) == ["nodes", "time", "winc=3"]
    assert [line.split()[1] for line in said if line.startswith("info depth")] == [
        "depth=2", "depth=4", "depth=3",
    ]  # fmt: skip
    assert "error agent alphabeta: depth=99 is not possible; 1 to 60" in said
    assert [line.split()[0] for line in said].count("bestmove") == 3


@pytest.fixture
def deep() -> Iterator[Program]:
    program = Program(_command("breakthrough", "alphabeta(depth=50)"), "deep")
    yield program
    program.close()


def _until(program: Program, word: str) -> str:
    while True:
        line = program.receive(time.monotonic() + 60)
        if line.split()[0] == word:
            return line


def test_stop_ends_a_search_with_a_legal_move(deep: Program) -> None:
    for line in ("petteia 1", "newgame", "position start moves b2a3"):
        deep.send(line)
    _until(deep, "ready")
    _until(deep, "ready")
    game = games.make("breakthrough")
    p = game.play(game.start(), game.parse_move(game.start(), "b2a3"))
    for seconds in (0.0, 0.3):
        deep.stop()
        deep.go_on()
        deep.send("go")
        worked = 0.0
        while worked < seconds:
            worked += deep.stop()
            deep.go_on()
        started = time.monotonic()
        deep.send("stop")
        move = _until(deep, "bestmove").split()[1]
        assert time.monotonic() - started < 3
        assert game.parse_move(p, move) in game.legal_moves(p)


def test_quit_ends_the_process_while_it_thinks(deep: Program) -> None:
    for line in ("petteia 1", "go", "quit"):
        deep.send(line)
    _until(deep, "bestmove")
    with pytest.raises(ProgramFailed, match="exited with code 0"):
        _until(deep, "nothing")


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (["position text rubbish", "go"], "bad position 'rubbish'"),
        (["position start moves a2a5"], "ply 1: "),
        (["go player=1"], "player 0 is to move, not 1"),
        (["position text P3/3p/4/4/4 b", "go"], "nothing to choose: white wins"),
        (["game chess"], "unknown game 'chess'"),
        (["petteia 0"], "version 0 is not spoken here"),
        (["hello"], "unknown message 'hello'"),
    ],
)
def test_mistakes_of_the_host_are_answered_with_one_line(lines: list[str], what: str) -> None:
    said = _said("random", *lines)
    assert said[0].startswith("error ")
    assert what in said[0]
    assert all(line.startswith("error ") for line in said)


def test_the_greeting_comes_first() -> None:
    said: list[str] = []
    Server(Spec("random"), agents.make, said.append).serve(["newgame", "petteia 7", "go"])
    assert said[0] == "error expected 'petteia 1' first"
    assert said[1:4] == ["petteia 1", "id name petteia random", "ready"]
    assert said[4].startswith("error expected a game first")


def test_the_session_on_the_page_is_what_is_said() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text()
    block = page.split("## A session")[1].split("```")[1].strip()
    lines = [line.split("  #")[0].strip() for line in block.splitlines()]
    said: list[str] = []
    spec = specs.parse(lines[2].removeprefix("< id name petteia "))
    host = _patient([line[2:] for line in lines if line[0] == ">"], said)
    Server(spec, agents.make, said.append).serve(host)
    assert said == [line[2:] for line in lines if line[0] == "<"]


@given(st.lists(st.one_of(st.text(), st.text().map(lambda rest: f"go {rest}")), max_size=4))
def test_nothing_that_a_host_says_ends_the_engine(lines: list[str]) -> None:
    kept = [line.replace("\n", " ") for line in lines]
    kept = [line for line in kept if line.split()[:1] != ["quit"]]
    said = _said("random", *kept, "position start", "go seed=3")
    assert said[-1].startswith("bestmove ")
