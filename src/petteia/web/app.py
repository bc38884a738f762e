"""The application: pages, the routes of all rooms, and errors as one line."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated

from fastapi import FastAPI, HTTPException, Query, Request, WebSocket
from fastapi import Path as InPath
from fastapi.responses import FileResponse, JSONResponse, Response
from starlette.middleware.gzip import GZipMiddleware

from petteia import __version__
from petteia.core.drawing.style import SHEET
from petteia.core.errors import PetteiaError
from petteia.web import (
    catalogue,
    engine_tasks,
    engines,
    estimate,
    ladder,
    lessons,
    lines,
    measured,
    own_code,
    puzzles,
    qr,
    series,
    tables,
    trust,
)
from petteia.web.channel import Channel
from petteia.web.guard import Guard
from petteia.web.lab import Lab, TheLab
from petteia.web.messages.choices import Catalogue, Game, Health, Puzzles
from petteia.web.pool import Busy
from petteia.web.router import Router
from petteia.web.scripts import Scripts
from petteia.web.seats import NotYours
from petteia.web.settings import Settings

__all__ = ["application"]

STATIC = Path(__file__).parent / "static"
_FOR_EVER = {"cache-control": "private, max-age=31536000, immutable"}
router = Router()
ROOMS = (tables, lines, lessons, measured, estimate, own_code, series, ladder)
ROUTERS = (router, *(room.router for room in ROOMS))
"""The routes of the laboratory itself; every puzzle adds its own."""


def application(settings: Settings) -> FastAPI:
    """The application for uvicorn; everything passes the guard."""
    lab = Lab(settings)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        # Known before the first visitor asks.
        ready = asyncio.create_task(asyncio.to_thread(_look_around, lab))
        yield
        await ready
        await lab.close()

    app = FastAPI(
        title="Petteia", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None,
        description="The laboratory in the browser: tables, lines, searches.",
    )  # fmt: skip
    app.state.lab = lab
    app.add_middleware(Guard, settings=settings)
    app.add_middleware(GZipMiddleware, minimum_size=1024)
    app.add_exception_handler(PetteiaError, _mistaken)
    for each in (*ROUTERS, *map(puzzles.router, puzzles.names())):
        app.router.routes.extend(each.routes)  # as they are: a copy of each would be made again
    for name in puzzles.names():
        app.mount(f"/static/puzzles/{name}", Scripts(directory=puzzles.static(name)), name=name)
    app.mount("/static", Scripts(directory=STATIC), name="static")
    return app


def _look_around(lab: Lab) -> None:
    catalogue.games_listed(lab.settings.games)
    engine_tasks.prepare(lab.game)


async def _mistaken(_: Request, error: Exception) -> JSONResponse:
    status = 429 if isinstance(error, Busy) else 403 if isinstance(error, NotYours) else 400
    return JSONResponse({"detail": trust.in_words(error)}, status)


@router.websocket("/ws")
async def socket(websocket: WebSocket) -> None:
    """The news of a page."""
    await Channel(websocket, websocket.app.state.lab, websocket.scope["visitor"]).run()


@router.get("/", include_in_schema=False)
async def page() -> FileResponse:
    """The page; all else is loaded by its scripts."""
    return FileResponse(STATIC / "index.html")


@router.get("/static/board.css", include_in_schema=False)
async def board_style() -> FileResponse:
    """The style of boards, which is that of SVG documents too and lies with the drawing."""
    return FileResponse(SHEET)


@router.get("/engines/{name}.wasm", include_in_schema=False)
async def engine(name: Annotated[str, InPath(pattern=r"^[\w-]{1,200}$")]) -> FileResponse:
    """A search as WebAssembly. Its name tells what it is made of, so it never changes."""
    found = engines.file_named(name)
    if found is None:
        raise HTTPException(404, "there is no such engine")
    return FileResponse(found, media_type="application/wasm", headers=_FOR_EVER)


@router.get("/engines/{name}.weights", include_in_schema=False)
async def weights(name: Annotated[str, InPath(pattern=r"^[\w-]{1,200}$")]) -> Response:
    """The numbers of a network, named by their hash."""
    found = engine_tasks.weights_named(name)
    if found is None:
        raise HTTPException(404, "there are no such weights")
    return Response(found, media_type="application/octet-stream", headers=_FOR_EVER)


@router.get("/health")
async def health() -> Health:
    """Whether the server answers."""
    return {"ok": True, "version": __version__}


@router.get("/api/games")
def games(lab: TheLab) -> Catalogue:
    """Every game with its variants, agents and strengths."""
    asked = lab.settings
    return {
        "games": catalogue.games_listed(asked.games),
        "code": asked.allow_code,
        "addresses": list(asked.addresses),
        "ladder": asked.ladder is not None,
    }


@router.get("/api/qr.svg", response_class=Response)
def code(text: Annotated[str, Query(min_length=1, max_length=600)]) -> Response:
    """A link as a QR code."""
    return Response(qr.svg(text), media_type="image/svg+xml")


@router.get("/api/puzzles")
def all_puzzles() -> Puzzles:
    """Every puzzle that has a page."""
    return {"puzzles": puzzles.listed()}


@router.get("/api/game")
def game(lab: TheLab, spec: Annotated[str, Query(min_length=1, max_length=600)]) -> Game:
    """One game, a variant, or a game with its own parameters."""
    return catalogue.one_game(lab.game(spec))
