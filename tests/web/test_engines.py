"""Engines in the visitor's browser: the server's own searches, bit by bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from petteia import games
from petteia.core.record import parse_ply
from petteia.core.replay import positions as positions_of
from petteia.search.contract import Answer
from petteia.search.engine import EngineAgent
from petteia.web import engines

Visit = Callable[..., Any]
_SEARCH = """(asked) => new Promise((done, failed) => {
    const worker = new Worker("/static/engine.js", { type: "module" });
    const told = [];
    worker.onmessage = ({ data }) => {
        if (data.error) failed(new Error(data.error));
        told.push(data);
        if (data.done && !asked.length) done(told);
        else if (data.done) worker.postMessage({ task: asked.shift(), of: "test" });
    };
    worker.postMessage({ task: asked.shift(), of: "test" });
})"""

LINES = {
    "breakthrough": "a2a3 h7h6 b2b3 g7g6 d2d3",
    "checkers": "11-15 23-19 8-11 22-17 11-16 24-20 16x23 27x11 7x16 20x11 3-7 25-22",
}


@pytest.mark.parametrize("name", LINES)
def test_shipped_engines_are_those_of_these_sources(name: str) -> None:
    game = games.make(name)
    found = engines.file_of(game, EngineAgent(game).evaluation)
    assert found is not None, "python -m petteia.web.engines makes them anew"
    assert (engines.SHIPPED / f"{found.name}.wasm").is_file()
    assert len({file.stem for file in engines.SHIPPED.iterdir()}) == len(LINES)


def _summary(found: Answer) -> dict[str, Any]:
    rows = [
        {"line": [str(move) for move in each.line], "value": each.value} for each in found.moves
    ]
    return {"found": rows, "depth": found.depth, "nodes": found.nodes, "leaves": found.leaves}


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("every", [False, True])
def test_a_browser_finds_what_the_server_finds(
    visit: Callable[..., Any], name: str, every: bool
) -> None:
    """Moves, values to the last bit, lines, depths and nodes, also of the second search of a game,
    with what the first one learned."""
    game = games.make(name)
    here, there = (EngineAgent(game, nodes=60_000) for _ in range(2))
    wanted, tasks = [], []
    for plies in (LINES[name].split()[:-1], LINES[name].split()):
        line = positions_of(game, "start", [parse_ply(word) for word in plies])
        tasks.append(engines.task(there, line, most=60, every=every))
        question = here.question(line[-1], 0)
        question.earlier, question.every = line[:-1] if game.repetitions else (), every
        question.on_depth = lambda known: wanted.append(_summary(known))
        wanted.append(_summary(here.search.ask(question)))
    told = visit().evaluate(_SEARCH, tasks)
    facts = [{key: each[key] for key in ("found", "depth", "nodes", "leaves")} for each in told]
    assert [each for each in told if each["done"]]
    assert facts == wanted
