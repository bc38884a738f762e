"""The application: pages, the HTTP interface of tables and lines, and the errors as one line."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, HTTPException, Query, Request, Response, WebSocket
from fastapi import Path as InPath
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse
from starlette.staticfiles import StaticFiles

from petteia import __version__
from petteia.core import fair, record
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.words import Words
from petteia.web import catalogue, flow, lines, measured, trust
from petteia.web.channel import Channel
from petteia.web.guard import Guard
from petteia.web.kept import KeptTables
from petteia.web.measuring import Measuring
from petteia.web.models import (
    Answer,
    Changed,
    ChosenMove,
    Line,
    NewTable,
    PlayedMove,
    Resignation,
)
from petteia.web.pool import Busy, Pool
from petteia.web.room import Live, Room
from petteia.web.sending import sent
from petteia.web.settings import Settings
from petteia.web.table import Table

__all__ = ["Lab", "application"]

STATIC = Path(__file__).parent / "static"
TableId = Annotated[str, InPath(pattern=r"^[\w-]{1,40}$")]
_ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"description": "One line says what was wrong."},
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
            allow_code=settings.allow_code,
        )
        self.room = Room(settings, self.pool, self.kept)
        self.measuring = Measuring(settings)

    def game(self, text: str) -> Game:
        """The game that a visitor names."""
        return trust.game_of(text, allow_code=self.settings.allow_code)

    def player(self, text: str, game: Game) -> str:
        """The player that a visitor names."""
        if text == trust.PERSON:
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

    def line(self, asked: Line) -> tuple[Game, list[Words], Table]:
        """A game, the positions of a line, and a table that stands at its end."""
        game = self.game(asked.game)
        plies = [record.parse_ply(word) for word in asked.moves]
        table = Table(game, (trust.PERSON, trust.PERSON), start=asked.start, plies=plies)
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

    @app.exception_handler(PetteiaError)
    async def mistaken(_: Request, error: PetteiaError) -> JSONResponse:
        status = 429 if isinstance(error, Busy) else 400
        return JSONResponse({"detail": trust.in_words(error)}, status)

    _pages(app)
    _facts(app, lab)
    _tables(app, lab)
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


def _tables(app: FastAPI, lab: Lab) -> None:
    @app.get("/api/tables")
    async def mine(request: Request) -> Answer:
        """The visitor's own last games."""
        return {"tables": await asyncio.to_thread(lab.kept.recent, request.scope["visitor"])}

    @app.post("/api/tables", responses=_ERRORS)
    async def begin(asked: NewTable, request: Request) -> Response:
        """Begins a game."""

        def made() -> Table:
            game = lab.game(asked.game)
            first, second = (lab.player(text, game) for text in asked.players)
            seed = secrets.randbelow(2**31) if asked.seed is None else asked.seed
            plies = [record.parse_ply(word) for word in asked.moves]
            is_promised = game.has_chance and asked.seed is None and not plies
            return Table(
                game, (first, second), seed, asked.secret or is_promised * fair.new_secret(),
                asked.start, plies=plies, owner=request.scope["visitor"],
            )  # fmt: skip

        live = await lab.room.add(await asyncio.to_thread(made))
        return sent(live.state())

    @app.get("/api/tables/{number}", responses=_ERRORS)
    async def look(number: TableId) -> Response:
        """How a table stands."""
        live = await lab.table(number)
        lab.room.drive(live)
        return sent(live.state())

    @app.delete("/api/tables/{number}", responses=_ERRORS)
    async def forget(number: TableId, request: Request) -> Answer:
        """Deletes a game of one's own."""
        live = await lab.table(number)
        if live.table.owner != request.scope["visitor"]:
            raise HTTPException(404, "there is no such table of yours")
        await lab.room.forget(number)
        return {"ok": True}

    @app.get("/api/tables/{number}/at/{ply}", responses=_ERRORS)
    async def at(number: TableId, ply: Annotated[int, InPath(ge=0, le=100_000)]) -> Response:
        """The picture after so many plies."""
        return sent((await lab.table(number)).table.at(ply))

    @app.post("/api/tables/{number}/play", responses=_ERRORS)
    async def play(number: TableId, asked: PlayedMove) -> Response:
        """Plays a person's move."""
        live = await lab.table(number)

        def deed(table: Table) -> None:
            if asked.serial is not None and asked.serial != table.serial:
                raise PetteiaError("the table has changed meanwhile; look again")
            movers = table.agents_to_move()
            if movers:
                raise PetteiaError("it is not a person's turn")
            table.play(asked.move)

        return sent(await lab.room.change(live, deed))

    @app.post("/api/tables/{number}/choose", responses=_ERRORS)
    async def choose(number: TableId, asked: ChosenMove) -> Response:
        """Makes a person's secret choice where both choose."""
        live = await lab.table(number)
        return sent(await lab.room.choose(live, asked.player, asked.move))

    @app.post("/api/tables/{number}/undo", responses=_ERRORS)
    async def undo(number: TableId) -> Response:
        """Takes the last move of a person back."""
        return sent(await lab.room.change(await lab.table(number), Table.undo))

    @app.post("/api/tables/{number}/redo", responses=_ERRORS)
    async def redo(number: TableId) -> Response:
        """Plays it again."""
        return sent(await lab.room.change(await lab.table(number), Table.redo))

    @app.post("/api/tables/{number}/resign", responses=_ERRORS)
    async def resign(number: TableId, asked: Resignation) -> Response:
        """Gives up."""
        live = await lab.table(number)
        return sent(await lab.room.change(live, lambda table: table.resign(asked.player)))

    @app.post("/api/tables/{number}/players", responses=_ERRORS)
    async def players(number: TableId, asked: Changed) -> Response:
        """Seats other players, also in the middle of a game."""
        live = await lab.table(number)
        first, second = (lab.player(text, live.table.game) for text in asked.players)

        def deed(table: Table) -> None:
            table.players = (first, second)
            table.serial += 1

        return sent(await lab.room.change(live, deed))

    @app.get("/api/tables/{number}/record", response_class=PlainTextResponse, responses=_ERRORS)
    async def record_of(number: TableId) -> PlainTextResponse:
        """The game as text."""
        live = await lab.table(number)
        text = record.write(live.table.record())
        named = f'attachment; filename="{live.table.game.spec.name}-{number}.txt"'
        return PlainTextResponse(text, headers={"content-disposition": named})
