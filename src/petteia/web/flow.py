"""The routes of Flow: new puzzles, hints, solvers to watch. The rules stay in its own room."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request

from petteia.core.errors import PetteiaError
from petteia.web.messages.requests import Answer, Drawn, FlowText, NewPuzzle, SolvedBy

if TYPE_CHECKING:
    from petteia.web.app import Lab

__all__ = ["add_routes", "serve", "watch_request"]

_BATCH = 40
"""Events in a part of what a watched solver does."""
_MOST_EVENTS = 20_000


def serve(request: dict[str, Any], is_stopped: Any, part: Any) -> dict[str, Any]:
    """What a searching process does for Flow."""
    from petteia.puzzles.flow import face

    deed = request["do"]
    if deed == "flow.new":
        made = face.new_puzzle(request["options"])
        made.pop("solution", None)
        return made
    puzzle = face.read_puzzle(request["text"])
    if deed == "flow.hint":
        return face.give_hint(puzzle, request["paths"], request["rule"])
    if deed == "flow.solve":
        return face.solve_puzzle(puzzle, request["engine"], request["rule"])
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
    """Adds the routes. Flow itself is imported at its first use: most visitors play."""

    async def searched(request: Request, **asked: Any) -> Answer:
        task = {"game": "flow", "agent": "", **asked}
        return await lab.pool.run(task, visitor=request.scope["visitor"])

    @app.get("/api/flow")
    async def choices() -> Answer:
        """Rules, engines and boards that can be asked for."""

        def listed() -> Answer:
            from petteia.puzzles.flow import face

            return face.choices()

        return await asyncio.to_thread(listed)

    @app.post("/api/flow/read", responses=errors)
    async def read(asked: FlowText) -> Answer:
        """The puzzle of a text in any format, or of a board by its name."""

        def shown() -> Answer:
            from petteia.puzzles.flow import face

            return face.board(face.read_puzzle(asked.text))

        return await asyncio.to_thread(shown)

    @app.post("/api/flow/texts", responses=errors)
    async def texts(asked: FlowText) -> Answer:
        """The puzzle in every format that can tell it without its solution."""

        def written() -> Answer:
            from petteia.puzzles.flow import face, formats

            puzzle, found = face.read_puzzle(asked.text), {}
            for name in formats.FORMATS:
                with contextlib.suppress(PetteiaError):
                    found[name] = formats.write(puzzle, name)
            return {"texts": found}

        return await asyncio.to_thread(written)

    @app.post("/api/flow/new", responses=errors)
    async def new(asked: NewPuzzle, request: Request) -> Answer:
        """A puzzle with exactly one solution."""
        options = asked.model_dump(exclude_none=True)
        return await searched(request, do="flow.new", options=options)

    @app.post("/api/flow/check", responses=errors)
    async def check(asked: Drawn) -> Answer:
        """Whether what is drawn keeps the rules, and whether it is a solution."""

        def judged() -> Answer:
            from petteia.puzzles.flow import face

            puzzle = face.read_puzzle(asked.text)
            return face.check_drawing(puzzle, asked.paths, asked.rule)

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
    options = SolvedBy.model_validate(asked)
    return {"do": "flow.watch", "game": "flow", "agent": "", **options.model_dump()}
