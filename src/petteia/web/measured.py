"""The routes of measuring: begin, watch and stop series, browse the store, upload code."""

from __future__ import annotations

import ast
import asyncio
import re
import tempfile
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import FastAPI, HTTPException, Query, Request
from fastapi import Path as InPath
from fastapi.responses import HTMLResponse

from petteia.arena.match import Opening
from petteia.arena.store import SeriesRow, Store
from petteia.core import record
from petteia.core import spec as specs
from petteia.core.errors import PetteiaError, one_of
from petteia.core.writing import write_whole
from petteia.studies import frame
from petteia.web import standing
from petteia.web.measuring import Job
from petteia.web.messages.requests import (
    Answer,
    BroughtCode,
    NewMatch,
    NewStudy,
    NewTournament,
    NewTuning,
)

if TYPE_CHECKING:
    from petteia.web.app import Lab

__all__ = ["add_routes"]

Number = Annotated[int, InPath(ge=0, lt=2**31)]
JobId = Annotated[str, InPath(pattern=r"^[\w-]{1,40}$")]
_REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
_MOST_ROWS = 500
_NOT_GIVEN = ("setting", "plan")
_LARGEST = 1000
"""Of the numbers that set a method of tuning."""


def add_routes(app: FastAPI, lab: Lab, errors: dict[int | str, dict[str, Any]]) -> None:
    """Adds the routes to the application."""
    _jobs(app, lab, errors)
    _browsing(app, lab, errors)
    _code(app, lab, errors)


def _begun(lab: Lab, request: Request, options: dict[str, Any]) -> Answer:
    """A job that was put into the queue for a visitor."""
    visitor = request.scope["visitor"]
    return lab.measuring.begin(options, visitor, request.scope["address"]).seen_by(visitor)


def _jobs(app: FastAPI, lab: Lab, errors: dict[int | str, dict[str, Any]]) -> None:
    def found(number: str) -> Job:
        try:
            return lab.measuring.find(number)
        except KeyError:
            raise HTTPException(404, "there is no such job") from None

    def own(number: str, request: Request) -> Job:
        found(number)
        return lab.measuring.own(number, request.scope["visitor"])

    @app.get("/api/jobs")
    async def jobs(request: Request) -> Answer:
        """What the visitor measures, measured, or has in the queue, since the server started."""
        visitor = request.scope["visitor"]
        return {"jobs": [job.seen_by(visitor) for job in lab.measuring.of(visitor)]}

    @app.get("/api/jobs/{number}", responses=errors)
    async def job(number: JobId, request: Request) -> Answer:
        """The state of a job; anyone who has its address may look."""
        return found(number).seen_by(request.scope["visitor"])

    @app.post("/api/jobs/{number}/stop", responses=errors)
    async def stop(number: JobId, request: Request) -> Answer:
        """Stops a job of the visitor's own; what was played stays in the store."""
        job = own(number, request)
        lab.measuring.stop(job)
        return job.seen_by(job.owner)

    @app.post("/api/jobs/{number}/resume", responses=errors)
    async def go_on(number: JobId, request: Request) -> Answer:
        """Continues the visitor's own job, stopped or failed, from what is in the store."""
        old = own(number, request)
        if old.state not in ("stopped", "failed"):
            raise PetteiaError(f"this job is {old.state}; only a stopped job can be continued")
        return _begun(lab, request, old.going_on())

    @app.get("/api/jobs/{number}/report", response_class=HTMLResponse, responses=errors)
    async def report(number: JobId) -> HTMLResponse:
        """The report of a study that has ended."""
        html = found(number).html
        if not html:
            raise HTTPException(404, "there is no report yet")
        return HTMLResponse(html, headers={"content-security-policy": _REPORT_POLICY})

    @app.post("/api/matches", responses=errors)
    async def match(asked: NewMatch, request: Request) -> Answer:
        """Begins a match of two agents."""

        def options() -> dict[str, Any]:
            game = lab.game(asked.game)
            agents = [lab.agent(text, game) for text in asked.agents]
            opening = str(Opening.parse(game, asked.opening))
            return {
                "kind": "match", "game": str(game), "agents": agents, "pairs": asked.pairs,
                "seed": asked.seed, "opening": opening, "sprt": asked.sprt,
            }  # fmt: skip

        return _begun(lab, request, await asyncio.to_thread(options))

    @app.post("/api/tournaments", responses=errors)
    async def tournament(asked: NewTournament, request: Request) -> Answer:
        """Begins a tournament."""

        def options() -> dict[str, Any]:
            game = lab.game(asked.game)
            agents = [lab.agent(text, game) for text in asked.agents]
            if len(set(agents)) != len(agents):
                raise PetteiaError("a tournament needs agents that differ; one is named twice")
            return {
                "kind": "tournament", "game": str(game), "agents": agents, "pairs": asked.pairs,
                "seed": asked.seed, "opening": str(Opening.parse(game, asked.opening)),
                "gauntlet": asked.gauntlet,
            }  # fmt: skip

        return _begun(lab, request, await asyncio.to_thread(options))

    @app.post("/api/tunings", responses=errors)
    async def tuning(asked: NewTuning, request: Request) -> Answer:
        """Tunes the weights of an agent's evaluation; the same options continue it."""

        def options() -> dict[str, Any]:
            game = lab.game(asked.game)
            return {
                "kind": "tune", "game": str(game), "seed": asked.seed, "opening": "random",
                "agents": [lab.agent(asked.agent, game), lab.agent(asked.against, game)],
                "method": _method(asked.method), "series_games": asked.series,
                "budget": asked.budget, "confirm": asked.confirm, "pairs": asked.budget // 2,
            }  # fmt: skip

        return _begun(lab, request, await asyncio.to_thread(options))

    @app.get("/api/studies")
    async def studies() -> Answer:
        """The studies that there are."""

        def listed() -> list[dict[str, Any]]:
            known = [frame.find(name) for name in frame.names()]
            return [{"name": s.name, "title": s.title, "about": s.about} for s in known]

        return {"studies": await asyncio.to_thread(listed)}

    @app.post("/api/studies", responses=errors)
    async def study(asked: NewStudy, request: Request) -> Answer:
        """Begins or continues a study."""
        await asyncio.to_thread(frame.find, asked.name)
        options = {"kind": "study", "name": asked.name, "quick": asked.quick, "seed": asked.seed}
        return _begun(lab, request, options)


def _browsing(app: FastAPI, lab: Lab, errors: dict[int | str, dict[str, Any]]) -> None:
    def store() -> Store:
        if lab.settings.store is None:
            raise PetteiaError("this laboratory was started without a store")
        return Store(lab.settings.store)

    @app.get("/api/series", responses=errors)
    async def series(
        game: Annotated[str | None, Query(max_length=200)] = None,
        agent: Annotated[str | None, Query(max_length=200)] = None,
        limit: Annotated[int, Query(ge=1, le=_MOST_ROWS)] = 100,
    ) -> Answer:
        """What the store holds, newest first."""

        def listed() -> list[dict[str, Any]]:
            if lab.settings.store is None or not lab.settings.store.exists():
                return []
            with store() as kept:
                rows = kept.series(game=game or None, agent=agent or None, limit=limit)
                sums = kept.summaries([row.id for row in rows])
                return [{**_row(row), **sums[row.id].as_json()} for row in rows]

        return {"series": await asyncio.to_thread(listed)}

    @app.get("/api/standings", responses=errors)
    async def standings(game: Annotated[str, Query(min_length=1, max_length=600)]) -> Answer:
        """All agents that have met in a game, compared: ratings and a cross table."""

        def compared() -> dict[str, Any]:
            wanted = str(lab.game(game))
            if lab.settings.store is None or not lab.settings.store.exists():
                return standing.compared([])
            with store() as kept:
                rows = [row for row in kept.series(game=wanted) if row.game == wanted]
                sums = kept.summaries([row.id for row in rows])
            met = [(row.agents, sums[row.id].score, sums[row.id].games) for row in rows]
            return standing.compared(met)

        return await asyncio.to_thread(compared)

    @app.get("/api/series/{number}", responses=errors)
    async def one(number: Number) -> Answer:
        """A series with its games."""

        def shown() -> dict[str, Any]:
            with store() as kept:
                row = kept.find(number)
                games = kept.games(series=number, limit=_MOST_ROWS)
                return {
                    **_row(row),
                    **kept.summaries([number])[number].as_json(),
                    "list": [
                        {
                            "place": each.place, "players": each.players, "result": each.result,
                            "score": each.score, "plies": each.plies,
                            "forfeit": each.forfeit.reason if each.forfeit else None,
                        }
                        for each in games
                    ],
                }  # fmt: skip

        return await asyncio.to_thread(shown)

    @app.get("/api/series/{number}/games/{pair}/{side}", responses=errors)
    async def game(
        number: Number, pair: Number, side: Annotated[int, InPath(ge=0, le=1)]
    ) -> Answer:
        """A stored game as a line that can be replayed."""

        def line() -> dict[str, Any]:
            with store() as kept:
                played = kept.game(number, pair, side).record
                return {
                    "game": played.game, "start": played.start, "players": played.players,
                    "moves": [record.ply_text(ply) for ply in played.plies],
                    "result": played.result,
                }  # fmt: skip

        return await asyncio.to_thread(line)

    @app.post("/api/series/{number}/resume", responses=errors)
    async def resume(number: Number, request: Request) -> Answer:
        """Goes on with a series."""

        def options() -> dict[str, Any]:
            with store() as kept:
                row = kept.find(number)
            if row.kind == "import":
                raise PetteiaError(f"series {number} was imported; it cannot be continued")
            game = lab.game(row.game)
            agents = [lab.agent(text, game) for text in row.agents]
            return {
                "kind": "match", "series": number, "game": row.game, "agents": agents,
                "pairs": row.pairs,
            }  # fmt: skip

        return _begun(lab, request, await asyncio.to_thread(options))


def _method(text: str) -> str:
    """The method of tuning that a visitor names."""
    from petteia.tune.methods import METHODS

    spec = specs.parse(text)
    if spec.name not in METHODS:
        raise one_of(spec.name, METHODS, what="method")
    known = [key for key in signature(METHODS[spec.name]).parameters if key not in _NOT_GIVEN]
    for key, value in spec.arguments:
        if key not in known:
            raise one_of(key, known, what=f"argument of method {spec.name}")
        if not isinstance(value, int | float) or abs(value) > _LARGEST:
            wanted = f"can only be a number up to {_LARGEST} on this page"
            raise PetteiaError(f"method {spec.name}: {key} {wanted}")
    return str(spec)


def _row(row: SeriesRow) -> dict[str, Any]:
    return {
        "id": row.id, "created": row.created, "kind": row.kind, "game": row.game,
        "agents": row.agents, "seed": str(row.seed), "pairs": row.pairs, "state": row.state,
        "sprt": row.options.get("sprt"), "opening": row.options.get("opening"),
    }  # fmt: skip


def _code(app: FastAPI, lab: Lab, errors: dict[int | str, dict[str, Any]]) -> None:
    folder: list[Path] = []

    @app.post("/api/code", responses={**errors, 403: {"description": "Code is not allowed."}})
    async def bring(asked: BroughtCode) -> Answer:
        """Takes a Python file with agents or evaluations; only with ``--allow-code``."""
        if not lab.settings.allow_code:
            raise HTTPException(403, "start the laboratory with petteia lab --allow-code")
        try:
            tree = ast.parse(asked.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = getattr(error, "lineno", None)
            raise PetteiaError(f"line {line}: {getattr(error, 'msg', 'no Python')}") from None
        kinds = (ast.FunctionDef, ast.ClassDef)
        names = [node.name for node in tree.body if isinstance(node, kinds)]
        if not names:
            raise PetteiaError("the file defines no function and no class")
        if not folder:
            folder.append(Path(tempfile.mkdtemp(prefix="petteia-code-")))
        stem = re.sub(r"\W", "_", asked.name.removesuffix(".py"))[:40] or "mine"
        path = folder[0] / f"{stem}.py"
        await asyncio.to_thread(write_whole, path, asked.text)
        return {"things": [{"name": name, "spec": f"{path}:{name}"} for name in names]}
