"""An intruder: no way into the server runs a program, reads a file or costs without a bound.

Every agent of every game is tried, and every route and message; a new one must be entered in the
tables of this file, which say where a spec stands in it.
"""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import websockets.sync.client as ws
from fastapi.routing import APIRoute

from petteia import agents, games
from petteia.agents.outside import FileAgent
from petteia.arena.store import Store
from petteia.core import saved
from petteia.core.agent import ANY, Agent
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.spec import Spec
from petteia.search.alphabeta import Greedy
from petteia.web import channel, measured, trust
from petteia.web.app import application
from petteia.web.kept import KeptTables
from petteia.web.settings import Settings
from petteia.web.table import Table
from tests.web.conftest import Served

MARK = "PWNED"
_RUN = f'command="touch {MARK}"'
_WITHHELD = {("network", "file")}
"""Numbers and texts among the arguments of open agents that visitors may not give."""
_SMALL = "breakthrough(columns=4, rows=5)"


def _agents() -> list[tuple[str, str, type[Agent]]]:
    return [
        (game, name, kind)
        for game, room in games.classes().items()
        for name, kind in agents.available(room).items()
    ]


EVERY_AGENT = [pytest.param(*each, id=f"{each[0]}-{each[1]}") for each in _agents()]


def _kinds(parameter: inspect.Parameter) -> tuple[Any, ...]:
    return typing.get_args(parameter.annotation) or (parameter.annotation,)


def _parameters(kind: type[Agent]) -> dict[str, inspect.Parameter]:
    found = dict(inspect.signature(kind, eval_str=True).parameters)
    del found["game"]
    return found


# --- classes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "name", "kind"), EVERY_AGENT)
def test_every_agent_takes_a_stand(game: str, name: str, kind: type[Agent]) -> None:
    module = vars(sys.modules[kind.__module__])
    reaches = {"subprocess", "socket", "Program", "os"} & module.keys()
    assert kind.starts_programs or not reaches, reaches
    if kind.starts_programs:
        assert kind.for_visitors is None
        return
    allowed = vars(kind).get("for_visitors")
    assert allowed is not None, "say in the class what strangers may give it"
    for key, parameter in _parameters(kind).items():
        if {int, float, str} & set(_kinds(parameter)):
            assert (key in allowed) != ((name, key) in _WITHHELD), key
    assert allowed.keys() <= _parameters(kind).keys()


def test_what_starts_programs_says_so() -> None:
    found = {name for _, name, kind in _agents() if kind.starts_programs}
    assert found == {"external", "hub", "gnubg"}
    assert FileAgent.starts_programs


@pytest.mark.parametrize(("game", "name", "kind"), EVERY_AGENT)
def test_no_agent_is_named_beyond_its_stand(
    game: str, name: str, kind: type[Agent], monkeypatch: pytest.MonkeyPatch
) -> None:
    def started(*_: Any, **__: Any) -> None:
        raise AssertionError("a program was started")

    monkeypatch.setattr(subprocess, "Popen", started)
    rules = games.make(game)
    if kind.starts_programs:
        needed = f"({_RUN})" if "command" in _parameters(kind) else ""
        with pytest.raises(PetteiaError, match="runs no code"):
            trust.agent_text(f"{name}{needed}", rules)
        return
    for key, parameter in _parameters(kind).items():
        most = (kind.for_visitors or {}).get(key)
        if most is None:
            wrong: Any = Spec("external", (("command", "id"),))
        elif str in _kinds(parameter):
            wrong = "touch PWNED"
        elif most == ANY:
            continue
        else:
            wrong = int(most) + 1
            with pytest.raises(PetteiaError, match="more than this page allows"):
                trust.agent_text(str(Spec(name, ((key, -wrong),))), rules)
        with pytest.raises(PetteiaError) as caught:
            trust.agent_text(str(Spec(name, ((key, wrong),))), rules)
        assert "\n" not in str(caught.value)
        if isinstance(wrong, int):
            assert "more than this page allows" in str(caught.value)


def test_a_subclass_does_not_inherit_the_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    class Fresh(Greedy):
        name = "fresh"

    game = games.make(_SMALL)
    monkeypatch.setitem(agents.AGENTS, "fresh", Fresh)
    with pytest.raises(PetteiaError, match="runs no code"):
        trust.agent_text("fresh", game)


@pytest.mark.parametrize("game", games.classes().values(), ids=games.names())
def test_games_bound_their_own_arguments(game: type[Game]) -> None:
    parameters = inspect.signature(game, eval_str=True).parameters
    for key, parameter in parameters.items():
        wrong: list[Any] = [10**18, -(10**18)] if int in _kinds(parameter) else ["/etc/passwd", "x"]
        if bool in _kinds(parameter):
            continue
        for value in wrong:
            with pytest.raises(PetteiaError):
                trust.game_of(str(Spec(game.name, ((key, value),))))


# --- specs that mean more than they say -----------------------------------------------------------


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Saved names that stand for programs and files of the owner."""
    monkeypatch.setenv("PETTEIA_WEIGHTS", str(tmp_path / "weights"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(
        f"from pathlib import Path\nPath('{MARK}').touch()\ndef f(game, p, player): return 0.0\n"
    )
    saved.save("trojan", saved.Saved("checkers", f"hub({_RUN})", "material"))
    saved.save("mask", saved.Saved("checkers", "own.py:f", "./own.py:f"))
    trust._agent.cache_clear()
    yield
    assert not (tmp_path / MARK).exists()


EVIL = [
    f"hub({_RUN}, time=0.1)",
    f'"hub"({_RUN})',
    f"external({_RUN})",
    "trojan",
    "trojan(time=0.1)",
    "mask",
    "greedy(eval=mask)",
    'greedy(eval="mask")',
    "alphabeta(depth=2, eval=mask())",
    "greedy(eval=./own.py:f)",
    'greedy(eval="own.py:f")',
    "own.py:f",
    '"own.py"',
    "minimax(depth=60)",
    "engine(nodes=1000000000000000)",
    "engine(table=4096)",
    "mcts(simulations=1000000000)",
]


@pytest.mark.usefixtures("weights")
@pytest.mark.parametrize("text", EVIL)
def test_the_class_counts_not_the_text(text: str) -> None:
    with pytest.raises(PetteiaError) as caught:
        trust.agent_text(text, games.make("checkers"))
    assert "\n" not in str(caught.value)
    assert "runs no code" in str(caught.value) or "allows" in str(caught.value)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("ropasci", f"respond(to=external({_RUN}))"),
        ("ropasci", f"respond(to=respond(to=external({_RUN})))"),
        ("ropasci", 'respond(to="external")'),
        ("ropasci", "respond(to=x.py:f)"),
        ("ropasci", "respond(to=quantal(depth=6))"),
        ("ropasci", "respond(to=respond(to=respond(to=random)))"),
        ("backgammon", f"rollout(by=external({_RUN}))"),
        ("backgammon", "rollout(by=gnubg, plies=0, luck=false)"),
        ("backgammon", "rollout(trials=1000000)"),
        ("backgammon", "perfect(otherwise=gnubg)"),
        ("backgammon", 'perfect(otherwise=network(file="x"))'),
        ("backgammon", 'network(file="/etc/passwd")'),
        ("backgammon", "network(file=weights)"),
        ("backgammon", "gnubg"),
    ],
)
def test_agents_inside_agents_are_looked_at(game: str, text: str) -> None:
    with pytest.raises(PetteiaError, match=r"runs no code|not for visitors|names a file|allows"):
        trust.agent_text(text, games.make(game))


def test_where_code_is_allowed_programs_still_are() -> None:
    game = games.make("checkers")
    for text in ('hub(command="true", time=0.1)', 'external(command="true")', "minimax(depth=60)"):
        assert trust.agent_text(text, game, allow_code=True)


@pytest.mark.parametrize(
    "method",
    [
        "cmaes(population=100000000000)",
        'least_squares(labels="/etc/passwd")',
        "least_squares(labels=passwd)",
        f"least_squares(teacher=external({_RUN}))",
        "spsa(setting=1)",
        "spsa(nothing=1)",
        "hillclimb(span=-1e300)",
    ],
)
def test_methods_of_tuning_are_looked_at(method: str) -> None:
    with pytest.raises(PetteiaError, match=r"unknown argument|can only be a number"):
        measured._method(method)
    assert measured._method("cmaes(population=12)") == "cmaes(population=12)"


# --- every way in ---------------------------------------------------------------------------------

_NO_SPEC = None
_PAIR = '[Game "{0}"]\n[First "{0}"]\n[Second "{0}"]\n[Result "0"]\n\na2a3\n'

_FOUND = {"found": [{"line": ["1"], "value": 0}], "depth": 1, "nodes": 9, "spent": 1}
ROUTES: dict[tuple[str, str], Callable[[str], list[dict[str, Any]]] | None] = {
    ("GET", "/"): _NO_SPEC,
    ("GET", "/health"): _NO_SPEC,
    ("GET", "/static/board.css"): _NO_SPEC,
    ("GET", "/api/games"): _NO_SPEC,
    ("GET", "/api/puzzles"): _NO_SPEC,
    ("GET", "/api/game"): lambda evil: [{"params": {"spec": evil}}],
    ("GET", "/api/lesson"): lambda evil: [{"params": {"spec": evil}}],
    ("POST", "/api/lesson/try"): lambda evil: [
        {"json": {"game": evil, "exercise": 0, "move": "14x30"}},
        {"json": {"game": "checkers", "exercise": 0, "move": evil}},
    ],
    ("GET", "/api/tables"): _NO_SPEC,
    ("POST", "/api/tables"): lambda evil: [
        {"json": {"game": "checkers", "players": [evil, "person"]}},
        {"json": {"game": "checkers", "players": ["person", evil]}},
        {"json": {"game": evil}},
    ],
    ("GET", "/api/tables/{number}"): _NO_SPEC,
    ("DELETE", "/api/tables/{number}"): _NO_SPEC,
    ("GET", "/api/tables/{number}/at/{ply}"): _NO_SPEC,
    ("GET", "/api/tables/{number}/record"): _NO_SPEC,
    ("GET", "/api/tables/{number}/review"): _NO_SPEC,
    ("POST", "/api/tables/{number}/sit"): _NO_SPEC,
    ("POST", "/api/tables/{number}/leave"): _NO_SPEC,
    ("POST", "/api/tables/{number}/play"): lambda evil: [{"json": {"move": evil}}],
    ("POST", "/api/tables/{number}/choose"): lambda evil: [{"json": {"player": 0, "move": evil}}],
    ("POST", "/api/tables/{number}/undo"): _NO_SPEC,
    ("POST", "/api/tables/{number}/redo"): _NO_SPEC,
    ("POST", "/api/tables/{number}/resign"): _NO_SPEC,
    ("POST", "/api/tables/{number}/players"): lambda evil: [
        {"json": {"players": ["person", evil]}}
    ],
    ("POST", "/api/line"): lambda evil: [
        {"json": {"game": evil}},
        {"json": {"game": "checkers", "start": evil}},
        {"json": {"game": "checkers", "moves": [evil]}},
    ],
    ("POST", "/api/edit"): lambda evil: [
        {"json": {"game": evil}},
        {"json": {"game": "checkers", "position": evil}},
    ],
    ("POST", "/api/read"): lambda evil: [
        {"json": {"game": evil, "text": "x"}},
        {"json": {"game": "checkers", "text": evil}},
        {"json": {"game": "checkers", "text": _PAIR.format(evil.replace('"', ""))}},
    ],
    ("POST", "/api/search"): lambda evil: [
        {"json": {"game": "checkers", "agent": evil}},
        {"json": {"game": evil}},
        {"json": {"game": "checkers", "start": evil}},
    ],
    ("POST", "/api/judge"): lambda evil: [
        {"json": {**_FOUND, "game": "checkers", "agent": evil}},
        {"json": {**_FOUND, "game": evil}},
    ],
    ("GET", "/engines/{name}.wasm"): _NO_SPEC,
    ("GET", "/engines/{name}.weights"): _NO_SPEC,
    ("GET", "/api/tables/{number}/task"): _NO_SPEC,
    ("POST", "/api/tables/{number}/answer"): _NO_SPEC,
    ("POST", "/api/texts"): lambda evil: [{"json": {"game": evil}}],
    ("POST", "/api/picture"): lambda evil: [{"json": {"game": evil}}],
    ("POST", "/api/estimate"): lambda evil: [
        {"json": {"game": evil, "agents": ["random", "random"]}},
        {"json": {"game": "breakthrough", "agents": [evil, "random"]}},
    ],
    ("GET", "/api/qr.svg"): _NO_SPEC,
    ("GET", "/api/jobs"): _NO_SPEC,
    ("GET", "/api/jobs/{number}"): _NO_SPEC,
    ("POST", "/api/jobs/{number}/stop"): _NO_SPEC,
    ("POST", "/api/jobs/{number}/resume"): _NO_SPEC,
    ("GET", "/api/jobs/{number}/report"): _NO_SPEC,
    ("POST", "/api/matches"): lambda evil: [
        {"json": {"game": "checkers", "agents": [evil, "random"]}},
        {"json": {"game": evil, "agents": ["random", "random"]}},
        {"json": {"game": "checkers", "agents": ["random", "random"], "opening": evil}},
    ],
    ("POST", "/api/tournaments"): lambda evil: [
        {"json": {"game": "checkers", "agents": ["random", evil]}},
        {"json": {"game": evil, "agents": ["random", "greedy"]}},
    ],
    ("POST", "/api/tunings"): lambda evil: [
        {"json": {"game": "checkers", "agent": evil, "against": "greedy"}},
        {"json": {"game": "checkers", "agent": "greedy", "against": evil}},
        {"json": {"game": evil, "agent": "greedy", "against": "greedy"}},
        {"json": {"game": "checkers", "agent": "greedy", "against": "greedy", "method": evil}},
    ],
    ("GET", "/api/studies"): _NO_SPEC,
    ("POST", "/api/studies"): lambda evil: [{"json": {"name": evil}}],
    ("GET", "/api/series"): _NO_SPEC,
    ("GET", "/api/standings"): lambda evil: [{"params": {"game": evil}}],
    ("GET", "/api/series/{number}"): _NO_SPEC,
    ("GET", "/api/series/{number}/games/{pair}/{side}"): _NO_SPEC,
    ("POST", "/api/series/{number}/resume"): _NO_SPEC,
    ("GET", "/api/ladder"): _NO_SPEC,
    ("GET", "/ladder/{path:path}"): _NO_SPEC,
    ("POST", "/api/code"): lambda evil: [{"json": {"text": "def f(): pass", "name": evil[:60]}}],
    ("GET", "/api/flow"): _NO_SPEC,
    ("POST", "/api/flow/read"): lambda evil: [{"json": {"text": evil}}],
    ("POST", "/api/flow/texts"): lambda evil: [{"json": {"text": evil}}],
    ("POST", "/api/flow/new"): lambda evil: [{"json": {"rule": evil}}],
    ("POST", "/api/flow/check"): lambda evil: [{"json": {"text": evil}}],
    ("POST", "/api/flow/hint"): lambda evil: [{"json": {"text": "A_A", "rule": evil}}],
    ("POST", "/api/flow/solve"): lambda evil: [{"json": {"text": "A_A", "engine": evil}}],
}
"""Where a visitor's text stands in each route; each is tried with everything evil."""
MESSAGES: dict[str, Callable[[str], list[dict[str, Any]]]] = {
    "watch": lambda evil: [{"table": evil}],
    "analyse": lambda evil: [
        {"game": "checkers", "agent": evil},
        {"game": evil},
        {"game": "checkers", "start": evil},
    ],
    "review": lambda evil: [{"game": "checkers", "agent": evil}, {"game": evil}],
    "measure": lambda evil: [{"job": evil}],
    "flow": lambda evil: [{"text": evil, "engine": "smarter"}],
}


@pytest.fixture
def door(started: Callable[..., Served], weights: None) -> Served:
    """A laboratory that has saved names to give away."""
    return started("--workers", "1")


def test_every_route_takes_a_stand() -> None:
    app = application(Settings())
    found = {
        (method, route.path)
        for route in app.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    assert found == set(ROUTES), "say in ROUTES where a spec stands in a new route"
    others = {getattr(route, "path", "") for route in app.routes if not isinstance(route, APIRoute)}
    assert others == {"/openapi.json", "/static", "/static/puzzles/flow", "/ws"}
    assert channel._kinds().keys() - {"stop"} == set(MESSAGES), (
        "say in MESSAGES where a spec stands in a new one"
    )


def test_no_route_lets_anything_in(door: Served) -> None:
    number = door.post("/api/tables", {"game": "checkers"})["id"]
    for (method, path), places in ROUTES.items():
        if places is None:
            continue
        # Searching processes are asked about Flow: two tries are enough there.
        for evil in EVIL[:2] if path.startswith("/api/flow") else EVIL:
            for where in places(evil):
                answer = door.client.request(method, path.format(number=number), **where)
                told = f"{method} {path} {where}: {answer.status_code} {answer.text}"
                assert 400 <= answer.status_code < 500, told
                said = answer.json()["detail"]
                assert isinstance(said, list) or "\n" not in said, told
    assert door.client.get("/api/jobs").json() == {"jobs": []}
    assert door.client.get("/api/tables").json() == {"tables": []}


def test_no_message_lets_anything_in(door: Served) -> None:
    with ws.connect(door.socket) as socket:
        for deed, places in MESSAGES.items():
            for evil in EVIL:
                for where in places(evil):
                    socket.send(json.dumps({"id": 1, "do": deed, **where}))
                    answer = json.loads(socket.recv(60))
                    assert "error" in answer, (deed, where, answer)
                    assert "\n" not in answer["error"]


@pytest.mark.usefixtures("weights")
def test_what_was_stored_is_looked_at_again(started: Callable[..., Served], tmp_path: Path) -> None:
    """A series or a table may be older than what is allowed, and name what visitors may not."""
    evil = f"hub({_RUN}, time=0.1)"
    where = tmp_path / "old.db"
    with Store(where) as store:
        series = store.new_series(game="checkers", agents=(evil, "random"), seed=1, pairs=1)
    kept = KeptTables(tmp_path / "old.db.tables", most=9, each=9)
    table = Table(games.make("checkers"), (evil, "person"))
    kept.put(table)
    kept.close()
    door = started("--workers", "1", store=str(where))
    answer = door.client.post(f"/api/series/{series}/resume")
    assert answer.status_code == 400
    assert "runs no code" in answer.json()["detail"]
    with ws.connect(door.socket) as socket:
        socket.send(json.dumps({"id": 1, "do": "watch", "table": table.id}))
        while not (state := json.loads(socket.recv(60))["part"])["problem"]:
            assert state["plies"] == []
    assert "runs no code" in state["problem"]
