"""The application: pages, what its routes share, and the errors as one line."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, HTTPException, Query, Request, Response, WebSocket
from fastapi.responses import FileResponse, JSONResponse
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from petteia import __version__
from petteia.core import record
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.session import PERSON
from petteia.core.words import Words
from petteia.web import catalogue, flow, lines, measured, tables, trust
from petteia.web.channel import Channel
from petteia.web.guard import Guard
from petteia.web.kept import KeptTables
from petteia.web.measuring import Measuring
from petteia.web.messages.requests import Answer, LineRequest
from petteia.web.pool import Busy, Pool
from petteia.web.room import Live, Room
from petteia.web.seats import NotYours
from petteia.web.sending import sent
from petteia.web.settings import Settings
from petteia.web.table import Table

__all__ = ["Lab", "application"]

STATIC = Path(__file__).parent / "static"
_ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"description": "One line says what was wrong."},
    403: {"description": "Only another visitor may do this."},
    404: {"description": "There is no such thing."},
    429: {"description": "Busy: try again in a moment."},
}


class Lab:
    """What the routes share."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.pool = Pool(settings.processes, settings.limits)
        self.kept = KeptTables(
            settings.store and settings.store.with_name(settings.store.name + ".tables"),
            most=settings.limits.tables,
            each=settings.limits.tables_each,
            allow_code=settings.allow_code,
        )
        self.room = Room(settings, self.pool, self.kept)
        self.measuring = Measuring(settings)

    def game(self, text: str) -> Game:
        """The game that a visitor names."""
        return trust.game_of(text, allow_code=self.settings.allow_code)

    def player(self, text: str, game: Game) -> str:
        """The player that a visitor names."""
        if text == PERSON:
            return text
        return self.agent(text, game)

    def agent(self, text: str, game: Game) -> str:
        """The agent that a visitor names."""
        return trust.agent_text(text, game, allow_code=self.settings.allow_code)

    async def table(self, number: str) -> Live:
        """A table, or the answer 404."""
        try:
            return await self.room.find(number)
        except KeyError:
            raise HTTPException(404, "there is no such table") from None

    def line(self, asked: LineRequest) -> tuple[Game, list[Words], Table]:
        """A game, the positions of a line, and a table that stands at its end."""
        game = self.game(asked.game)
        plies = [record.parse_ply(word) for word in asked.moves]
        table = Table(game, (PERSON, PERSON), start=asked.start, plies=plies)
        return game, table.positions, table

    async def close(self) -> None:
        """Ends searches and closes files."""
        await self.room.close()
        await asyncio.gather(self.pool.close(), self.measuring.close())
        self.kept.close()


def application(settings: Settings) -> FastAPI:
    """The application for uvicorn; everything passes the guard."""
    lab = Lab(settings)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        # Known before the first visitor asks.
        ready = asyncio.create_task(asyncio.to_thread(catalogue.games_listed))
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

    @app.exception_handler(PetteiaError)
    async def mistaken(_: Request, error: PetteiaError) -> JSONResponse:
        status = 429 if isinstance(error, Busy) else 403 if isinstance(error, NotYours) else 400
        return JSONResponse({"detail": trust.in_words(error)}, status)

    _pages(app)
    _facts(app, lab)
    tables.add_routes(app, lab, _ERRORS)
    lines.add_routes(app, lab, _ERRORS)
    measured.add_routes(app, lab, _ERRORS)
    flow.add_routes(app, lab, _ERRORS)

    @app.websocket("/ws")
    async def socket(websocket: WebSocket) -> None:
        await Channel(websocket, lab, websocket.scope["visitor"]).run()

    return app


def _pages(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(STATIC / "index.html")

    app.mount("/static", StaticFiles(directory=STATIC), name="static")


def _facts(app: FastAPI, lab: Lab) -> None:
    @app.get("/health")
    async def health() -> Answer:
        """Whether the server answers."""
        return {"ok": True, "version": __version__}

    @app.get("/api/games")
    async def games() -> Response:
        """Every game with its variants, agents and strengths."""
        listed = await asyncio.to_thread(catalogue.games_listed)
        facts = {"games": listed, "code": lab.settings.allow_code}
        return sent(facts)

    @app.get("/api/game", responses=_ERRORS)
    async def game(spec: Annotated[str, Query(min_length=1, max_length=600)]) -> Response:
        """One game, a variant, or a game with its own parameters."""
        return sent(await asyncio.to_thread(lambda: catalogue.one_game(lab.game(spec))))
