"""Engines in the visitor's browser: the server's own searches, bit by bit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets.sync.client as ws

from petteia import games
from petteia.core.game import DECISION, Game
from petteia.core.record import parse_ply
from petteia.core.replay import positions as positions_of
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.search.contract import Answer
from petteia.search.engine import EngineAgent
from petteia.search.stepper import stepper_of
from petteia.web import engine_tasks, engines
from tests.started import processes_naming
from tests.web.conftest import Served
from tests.web.playing import play_on

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


SEARCHES = [
    ("breakthrough", "mcts(simulations=3000)"),
    ("checkers", "mcts(simulations=300)"),
    ("ur", "expectimax(depth=3)"),
    ("ur", "mcts(simulations=500)"),
    ("backgammon", "expectimax(depth=1)"),
]
"""Searches beside the engine, each in a game and with a limit that takes no time."""


def test_shipped_engines_are_those_of_these_sources() -> None:
    names = set()
    for agent in engines.built_in(games.make):
        found = engines.file_of(agent)
        assert found is not None, "python -m petteia.web.engines makes them anew"
        module = engines.SHIPPED / f"{found.name}.wasm"
        assert module.is_file()
        assert engines.is_fitted(module, agent), "so it does for new weights"
        names.add(found.name)
        if found.shared:
            assert (engines.SHIPPED / f"{found.shared}.wasm").is_file()
            names.add(found.shared)
    assert names == {file.stem for file in engines.SHIPPED.iterdir()}
    kinds = {name.removesuffix("-shared").rpartition("-")[0] for name in names}
    assert {"breakthrough-engine-network", "ur-expectimax-fitted", "ur-mcts"} <= kinds


def _summary(found: Answer) -> dict[str, Any]:
    rows = [
        {"line": [str(move) for move in each.line], "value": each.value, "visits": each.visits}
        for each in found.moves
    ]
    return {"found": rows, "depth": found.depth, "nodes": found.nodes, "leaves": found.leaves}


@pytest.mark.parametrize("name", LINES)
def test_a_browser_finds_what_the_server_finds(visit: Visit, lab: Served, name: str) -> None:
    """Moves, values to the last bit, lines, depths and nodes, also with what the search before has
    learned."""
    game, words = games.make(name), LINES[name].split()
    here, there = (EngineAgent(game, nodes=40_000) for _ in range(2))
    wanted: list[dict[str, Any]] = []
    tasks = []
    for plies, every in ((words[:-1], False), (words, False), (words, True)):
        line = positions_of(game, "start", [parse_ply(word) for word in plies])
        tasks.append(engine_tasks.task(there, line, most=60, every=every))
        question = here.question(line[-1], 0)
        question.earlier, question.every = line[:-1] if game.repetitions else (), every
        question.on_depth = lambda known: wanted.append(_summary(known))
        wanted.append(_summary(here.search.ask(question)))
    # The server knows the weights of what it has told a page of.
    asked = {"game": name, "start": "start", "moves": [], "agent": "engine(nodes=1000)"}
    assert tasks[0] is not None
    assert lab.post("/api/search", asked)["task"]["weights"] == tasks[0]["weights"]
    told = visit().evaluate(_SEARCH, tasks)
    assert sum(each["done"] for each in told) == len(tasks)
    assert [{key: each[key] for key in wanted[0]} for each in told] == wanted


# --- two workers ---------------------------------------------------------------------------------

_LAST = """async ([task, tries]) => {
    const search = (worker) => new Promise((done, failed) => {
        worker.onmessage = ({ data }) => {
            if (data.error) failed(new Error(data.error));
            if (data.done) done(data);
        };
        worker.onerror = ({ message }) => failed(new Error(message));
        worker.postMessage({ task, of: "test" });
    });
    const worker = new Worker("/static/engine.js", { type: "module" });
    let told = await search(worker);
    for (let n = 1; n < tries && !told.helped; n++) told = await search(worker);
    worker.terminate();
    return { ...told, isolated: crossOriginIsolated };
}"""
"""Searches, so many times at most until a helper took part; a slow machine may not let it begin."""


def _helped(lab: Served, name: str, agent: str) -> Any:
    asked = {"game": name, "start": "start", "moves": LINES[name].split(), "agent": agent}
    return lab.post("/api/search", asked)["task"]


@pytest.mark.parametrize("name", LINES)
def test_two_workers_search_in_one_memory(visit: Visit, lab: Served, name: str) -> None:
    page = visit()
    if page.evaluate("navigator.hardwareConcurrency") < 2:
        pytest.skip("one processor")
    task = _helped(lab, name, "engine(time=0.2)")
    told = page.evaluate(_LAST, [task, 50])
    assert told["isolated"]
    assert 0 < told["helped"] < told["nodes"]
    game = games.make(name)
    played = [parse_ply(word) for word in LINES[name].split()]
    p = positions_of(game, "start", played)[-1]
    stepper = stepper_of(game)
    found = [int(each["line"][0]) for each in told["found"]]
    assert sorted(found) == sorted(stepper.look(p).moves)
    for each in told["found"]:
        after = p
        for move in map(int, each["line"]):
            assert move in stepper.look(after).moves
            after = stepper.play(after, move)


def test_a_page_that_is_not_isolated_has_one_worker(browser: Any, lab: Served) -> None:
    context = browser.new_context()  # its own: an answer that was changed is not a local one
    page = context.new_page()

    def bare(route: Any) -> None:
        answer = route.fetch()
        kept = {key: text for key, text in answer.headers.items() if "embedder" not in key}
        route.fulfill(response=answer, headers=kept)

    page.route(lab.address, bare)
    page.goto(lab.address)
    task = _helped(lab, "breakthrough", "engine(time=0.2)")
    assert task["helping"] is not None
    told = page.evaluate(_LAST, [task, 1])
    page.unroute_all(behavior="ignoreErrors")
    context.close()
    assert not told["isolated"]
    assert told["helped"] == 0
    assert told["depth"] >= 1


@pytest.mark.parametrize("agent", ["engine(nodes=1000)", "engine(time=0.2, threads=1)"])
def test_who_must_answer_the_same_every_time_gets_no_help(lab: Served, agent: str) -> None:
    assert _helped(lab, "breakthrough", agent)["helping"] is None


def _decision(name: str, plies: int) -> tuple[Game, Words]:
    """Where somebody is to move after some random plies."""
    game = games.make(name)
    stepper, p, number = stepper_of(game), game.start(), 0
    while (seen := stepper.look(p)).kind != DECISION or number < plies or len(seen.moves) < 2:
        p = game.play(p, seen.moves[derive(3, number) % len(seen.moves)])
        number += 1
    return game, p


@pytest.mark.parametrize(("name", "text"), SEARCHES)
def test_other_searches_find_the_same_too(visit: Visit, name: str, text: str) -> None:
    game, p = _decision(name, 9)
    wanted, tasks = [], []
    here, there = engines.agent_of(game, text), engines.agent_of(game, text)
    assert here is not None
    assert there is not None
    for every in (False, True):
        tasks.append(engine_tasks.task(there, [p], most=60, seed=5, every=every))
        question = here.question(p, 5)
        question.every = every
        wanted.append(_summary(here.search.ask(question)))
    told = visit().evaluate(_SEARCH, tasks)
    assert [{key: each[key] for key in wanted[0]} for each in told] == wanted


# --- at a table ----------------------------------------------------------------------------------

START = "pppppppp/8/8/8/8/8/PPPPPPPP/8 w"


def _searching(served: Served) -> list[Path]:
    """The searching processes of a laboratory."""
    parent = f"PPid:\t{served.process.pid}\n"
    found = processes_naming("petteia.web.worker")
    return [place for place in found if parent in (place / "status").read_text()]


@pytest.mark.slow
def test_a_whole_game_and_a_hint_need_no_search_on_the_server(
    browser: Any, started: Callable[..., Served]
) -> None:
    served = started()
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(served.address)
    page.evaluate(
        """async (wish) => (await import("/static/home.js")).begin(wish)""",
        {"game": "breakthrough", "players": ["engine(nodes=2000)", "person"], "start": START},
    )
    page.locator('[data-turn="mine"]').wait_for()
    page.keyboard.press("h")
    page.get_by_text("engine(time=1.0)").wait_for()
    assert "%" in page.locator(".ranked .odds").first.inner_text()
    play_on(page)
    assert page.locator(".ply").count() > 6
    assert _searching(served) == []
    context.close()


def test_only_the_owner_s_page_finds_moves_and_only_while_nobody_else_looks(lab: Served) -> None:
    wish = {"game": "breakthrough", "players": ["person", "engine(nodes=50)"], "searches": True}
    table = lab.post("/api/tables", wish)
    path = f"/api/tables/{table['id']}"
    watch = json.dumps({"id": 1, "do": "watch", "table": table["id"], "searches": True})
    mine = {"cookie": f"petteia_visitor={lab.visitor}"}

    def answer(move: str | None, client: httpx.Client = lab.client) -> int:
        serial = state["serial"]
        return client.post(f"{path}/answer", json={"serial": serial, "move": move}).status_code

    def plies(count: int, socket: Any) -> dict[str, Any]:
        """How the table stands when so many were played, or the page is asked for the last."""
        while True:
            seen: dict[str, Any] = json.loads(socket.recv(60))["part"]
            if len(seen["plies"]) == count or (len(seen["plies"]) == count - 1 and seen["asked"]):
                return seen

    with ws.connect(lab.socket, additional_headers=mine) as socket:
        socket.send(watch)
        lab.post(f"{path}/play", {"move": "a2a3"})
        state = plies(2, socket)
        assert state["asked"]
        task = lab.client.get(f"{path}/task").json()["task"]
        module = lab.client.get(task["module"])
        assert module.content.startswith(b"\0asm")
        assert "immutable" in module.headers["cache-control"]
        with httpx.Client(base_url=lab.address) as stranger:
            assert answer("0", stranger) == 403
        assert answer("-1") == 400
        game = games.make("breakthrough")
        p = game.parse(state["view"]["text"])
        assert answer(str(game.parse_move(p, "a7a6"))) == 200
        while len((state := plies(2, socket))["plies"]) < 2:
            pass
        assert state["plies"][1]["texts"] == ["a7a6"]

        with ws.connect(lab.socket) as other:
            other.send(watch)
            plies(2, other)
            lab.post(f"{path}/play", {"move": "a3a4"})
            assert not plies(4, other)["asked"]
            assert not plies(4, socket)["asked"]


def test_a_page_that_cannot_search_leaves_it_to_the_server(lab: Served) -> None:
    wish = {"game": "breakthrough", "players": ["engine(nodes=50)", "person"], "searches": True}
    table = lab.post("/api/tables", wish)  # its page is expected
    path = f"/api/tables/{table['id']}"
    mine = {"cookie": f"petteia_visitor={lab.visitor}"}
    with ws.connect(lab.socket, additional_headers=mine) as socket:
        watch = {"id": 1, "do": "watch", "table": table["id"], "searches": True}
        socket.send(json.dumps(watch))
        while not (state := json.loads(socket.recv(60))["part"])["asked"]:
            pass
        lab.post(f"{path}/answer", {"serial": state["serial"], "move": None})
        while len((state := json.loads(socket.recv(60))["part"])["plies"]) < 1:
            pass
        lab.post(f"{path}/play", {"move": "a7a6"})
        while len((state := json.loads(socket.recv(60))["part"])["plies"]) < 3:
            assert not state["asked"]


@pytest.mark.slow
def test_without_webassembly_the_server_searches(visit: Visit, lab: Served) -> None:
    wish = {"game": "breakthrough", "players": ["person", "engine(nodes=50)"]}
    page = visit(f"#/table/{lab.post('/api/tables', wish)['id']}")
    page.add_init_script("delete globalThis.WebAssembly")
    page.reload()
    page.locator('[data-cell="a2"]').drag_to(page.locator('[data-cell="a3"]'))
    page.locator(".ply").nth(2).wait_for()
    assert page.evaluate("typeof WebAssembly") == "undefined"


def test_what_no_browser_can_search_is_the_server_s(lab: Served) -> None:
    for wish in (
        {"game": "ur"},  # the dice are to be thrown
        {"game": "breakthrough", "agent": "greedy"},
        {"game": "breakthrough", "agent": "engine(game_time=60)"},
        {"game": "breakthrough", "agent": "engine(time=1, proof=true)"},
        {"game": "breakthrough", "agent": "engine(time=1, eval=tuned(edge=2))"},
    ):
        assert lab.post("/api/search", wish) == {"task": None}
    lies = {
        "game": "breakthrough",
        "depth": 1,
        "nodes": 9,
        "spent": 1,
        "found": [{"line": ["1"], "value": 0}],
    }
    assert "no legal move" in lab.client.post("/api/judge", json=lies).text
