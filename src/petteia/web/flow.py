"""The routes of Flow: new puzzles, hints, solvers to watch. The rules stay in its own room."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request

from petteia.core.errors import PetteiaError
from petteia.web.models import Answer, Drawn, FlowText, NewPuzzle, SolvedBy

if TYPE_CHECKING:
    from petteia.web.app import Lab

__all__ = ["add_routes", "is_here", "serve"]

_ROOM = "petteia.puzzles.flow.face"
_BATCH = 40
"""Events in a part of what a watched solver does."""
_MOST_EVENTS = 20_000


def is_here() -> bool:
    """Whether the room of Flow is installed."""
    try:
        return importlib.util.find_spec(_ROOM) is not None
    except ModuleNotFoundError:
        return False


def _face() -> Any:
    return importlib.import_module(_ROOM)


def serve(request: dict[str, Any], is_stopped: Any, part: Any) -> dict[str, Any]:
    """What a searching process does for Flow."""
    face, deed = _face(), request["do"]
    if deed == "flow.new":
        made: dict[str, Any] = face.new_puzzle(request["options"])
        made.pop("solution", None)
        return made
    puzzle = face.read_puzzle(request["text"])
    if deed == "flow.hint":
        hint: dict[str, Any] = face.give_hint(puzzle, request["paths"], request["rule"])
        return hint
    if deed == "flow.solve":
        answer: dict[str, Any] = face.solve_puzzle(puzzle, request["engine"], request["rule"])
        return answer
    return _watched(face.watch(puzzle, request["engine"], request["rule"]), is_stopped, part)


def _watched(events: Iterator[dict[str, Any]], is_stopped: Any, part: Any) -> dict[str, Any]:
    """Tells the events in batches until the solver is done, stopped, or has said enough."""
    batch = list[dict[str, Any]]()
    for number, event in enumerate(events):
        batch.append(event)
        if len(batch) == _BATCH:
            part({"events": batch})
            batch = []
        if is_stopped() or number >= _MOST_EVENTS:
            break
    if batch:
        part({"events": batch})
    return {"ended": True}


def add_routes(app: FastAPI, lab: Lab, errors: dict[int | str, dict[str, Any]]) -> None:
    """Adds the routes, if the room is there."""
    if not is_here():
        return

    async def searched(request: Request, **wish: Any) -> Answer:
        wish = {"game": "flow", "agent": "", **wish}
        return await lab.pool.run(wish, visitor=request.scope["visitor"])

    @app.get("/api/flow")
    async def choices() -> Answer:
        """Rules, engines and boards that can be asked for."""
        found: Answer = await asyncio.to_thread(lambda: _face().choices())
        return found

    @app.post("/api/flow/read", responses=errors)
    async def read(asked: FlowText) -> Answer:
        """The puzzle of a text in any format, or of a board by its name."""

        def shown() -> Answer:
            face = _face()
            found: Answer = face.board(face.read_puzzle(asked.text))
            return found

        return await asyncio.to_thread(shown)

    @app.post("/api/flow/new", responses=errors)
    async def new(asked: NewPuzzle, request: Request) -> Answer:
        """A puzzle with exactly one solution."""
        options = asked.model_dump(exclude_none=True)
        return await searched(request, do="flow.new", options=options)

    @app.post("/api/flow/check", responses=errors)
    async def check(asked: Drawn) -> Answer:
        """Whether what is drawn keeps the rules, and whether it is a solution."""

        def judged() -> Answer:
            face = _face()
            puzzle = face.read_puzzle(asked.text)
            found: Answer = face.check_drawing(puzzle, asked.paths, asked.rule)
            return found

        return await asyncio.to_thread(judged)

    @app.post("/api/flow/hint", responses=errors)
    async def hint(asked: Drawn, request: Request) -> Answer:
        """The next sure step with its reason, or what cannot stay."""
        return await searched(request, do="flow.hint", **asked.model_dump())

    @app.post("/api/flow/solve", responses=errors)
    async def solve(asked: SolvedBy, request: Request) -> Answer:
        """The answer of an engine."""
        return await searched(request, do="flow.solve", **asked.model_dump())


def watch_request(asked: dict[str, Any]) -> dict[str, Any]:
    """The request of a watched solver, as the pool takes it."""
    if not is_here():
        raise PetteiaError("Flow is not installed")
    wish = SolvedBy.model_validate(asked)
    return {"do": "flow.watch", "game": "flow", "agent": "", **wish.model_dump()}
