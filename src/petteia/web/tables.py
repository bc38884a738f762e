"""The routes of tables: begin a game, sit down, move, take back, give up."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi import Path as InPath
from fastapi.responses import PlainTextResponse

from petteia.core import fair, record
from petteia.core.errors import PetteiaError
from petteia.web import seats
from petteia.web.messages.requests import (
    Answer,
    Changed,
    ChosenMove,
    NewTable,
    PlayedMove,
    Resignation,
    Seat,
)
from petteia.web.sending import sent
from petteia.web.table import Table

if TYPE_CHECKING:
    from petteia.web.app import Lab

__all__ = ["add_routes"]

TableId = Annotated[str, InPath(pattern=r"^[\w-]{1,40}$")]


def add_routes(app: FastAPI, lab: Lab, errors: dict[int | str, dict[str, Any]]) -> None:
    """Adds the routes to the application."""
    _looking(app, lab, errors)
    _seats(app, lab, errors)
    _playing(app, lab, errors)


async def _changed(
    lab: Lab, number: str, request: Request,
    deed: Callable[[Table, str], None], may: Callable[[Table, str], None],
) -> Response:  # fmt: skip
    """What the visitor sees after he did something to a table."""
    visitor: str = request.scope["visitor"]
    live = await lab.table(number)
    await lab.room.change(
        live, lambda table: deed(table, visitor), lambda table: may(table, visitor)
    )
    return sent(live.state(visitor))


def _looking(app: FastAPI, lab: Lab, errors: dict[int | str, dict[str, Any]]) -> None:
    @app.get("/api/tables")
    async def mine(request: Request) -> Answer:
        """The visitor's own last games."""
        return {"tables": await asyncio.to_thread(lab.kept.recent, request.scope["visitor"])}

    @app.get("/api/tables/{number}", responses=errors)
    async def look(number: TableId, request: Request) -> Response:
        """How a table stands."""
        live = await lab.table(number)
        lab.room.drive(live)
        return sent(live.state(request.scope["visitor"]))

    @app.get("/api/tables/{number}/at/{ply}", responses=errors)
    async def at(number: TableId, ply: Annotated[int, InPath(ge=0, le=100_000)]) -> Response:
        """The picture after so many plies."""
        return sent((await lab.table(number)).table.at(ply))

    @app.get("/api/tables/{number}/record", response_class=PlainTextResponse, responses=errors)
    async def record_of(number: TableId) -> PlainTextResponse:
        """The game as text."""
        live = await lab.table(number)
        text = record.write(live.table.record())
        named = f'attachment; filename="{live.table.game.spec.name}-{number}.txt"'
        return PlainTextResponse(text, headers={"content-disposition": named})


def _seats(app: FastAPI, lab: Lab, errors: dict[int | str, dict[str, Any]]) -> None:
    @app.post("/api/tables", responses=errors)
    async def begin(asked: NewTable, request: Request) -> Response:
        """Begins a game."""
        visitor = request.scope["visitor"]

        def made() -> Table:
            game = lab.game(asked.game)
            first, second = (lab.player(text, game) for text in asked.players)
            seed = secrets.randbelow(2**31) if asked.seed is None else asked.seed
            plies = [record.parse_ply(word) for word in asked.moves]
            is_promised = game.has_chance and asked.seed is None and not plies
            return Table(
                game, (first, second), seed, asked.secret or is_promised * fair.new_secret(),
                asked.start, plies=plies, owner=visitor,
                seats=seats.taken_at_first((first, second), visitor, asked.seat),
            )  # fmt: skip

        live = await lab.room.add(await asyncio.to_thread(made))
        return sent(live.state(visitor))

    @app.delete("/api/tables/{number}", responses=errors)
    async def forget(number: TableId, request: Request) -> Answer:
        """Deletes a game that the visitor began; who only has a seat there leaves it."""
        visitor = request.scope["visitor"]
        live = await lab.table(number)
        if live.table.owner == visitor:
            await lab.room.forget(number)
            return {"ok": True}
        held = seats.held_by(live.table, visitor)
        if not held:
            raise HTTPException(404, "there is no such table of yours")
        for side in held:
            await left(number, side, request)
        return {"ok": True}

    async def left(number: str, side: int, request: Request) -> Response:
        def may(table: Table, visitor: str) -> None:
            seats.needs(table, visitor, [side])

        return await _changed(lab, number, request, lambda t, _: seats.seat(t, side, ""), may)

    @app.post("/api/tables/{number}/sit", responses=errors)
    async def sit(number: TableId, asked: Seat, request: Request) -> Response:
        """Takes a free seat."""

        def deed(table: Table, visitor: str) -> None:
            seats.seat(table, asked.player, visitor)

        def may(table: Table, visitor: str) -> None:
            seats.may_sit(table, visitor, asked.player)

        return await _changed(lab, number, request, deed, may)

    @app.post("/api/tables/{number}/leave", responses=errors)
    async def leave(number: TableId, asked: Seat, request: Request) -> Response:
        """Frees a seat of one's own for somebody else."""
        return await left(number, asked.player, request)

    @app.post("/api/tables/{number}/players", responses=errors)
    async def players(number: TableId, asked: Changed, request: Request) -> Response:
        """Seats other players, also in the middle of a game."""
        game = (await lab.table(number)).table.game
        first, second = [await asyncio.to_thread(lab.player, text, game) for text in asked.players]

        def deed(table: Table, visitor: str) -> None:
            seats.change_players(table, visitor, (first, second))

        return await _changed(lab, number, request, deed, seats.may_change)


def _playing(app: FastAPI, lab: Lab, errors: dict[int | str, dict[str, Any]]) -> None:
    @app.post("/api/tables/{number}/play", responses=errors)
    async def play(number: TableId, asked: PlayedMove, request: Request) -> Response:
        """Plays a person's move."""

        def deed(table: Table, visitor: str) -> None:
            if asked.serial is not None and asked.serial != table.serial:
                raise PetteiaError("the table has changed meanwhile; look again")
            if table.agents_to_move():
                raise PetteiaError("it is not a person's turn")
            table.play(asked.move)

        return await _changed(lab, number, request, deed, seats.may_play)

    @app.post("/api/tables/{number}/choose", responses=errors)
    async def choose(number: TableId, asked: ChosenMove, request: Request) -> Response:
        """Makes a person's secret choice where both choose."""
        visitor = request.scope["visitor"]
        live = await lab.table(number)
        await lab.room.choose(live, visitor, asked.player, asked.move)
        return sent(live.state(visitor))

    @app.post("/api/tables/{number}/undo", responses=errors)
    async def undo(number: TableId, request: Request) -> Response:
        """Takes the last move of a person back, if it was the visitor's."""
        return await _changed(lab, number, request, lambda table, _: table.undo(), seats.may_undo)

    @app.post("/api/tables/{number}/redo", responses=errors)
    async def redo(number: TableId, request: Request) -> Response:
        """Plays it again."""
        return await _changed(lab, number, request, lambda table, _: table.redo(), seats.may_redo)

    @app.post("/api/tables/{number}/resign", responses=errors)
    async def resign(number: TableId, asked: Resignation, request: Request) -> Response:
        """Gives up."""

        def may(table: Table, visitor: str) -> None:
            seats.needs(table, visitor, [] if asked.player is None else [asked.player])

        def deed(table: Table, visitor: str) -> None:
            held = seats.held_by(table, visitor)
            table.resign(held[0] if len(held) == 1 else asked.player)

        return await _changed(lab, number, request, deed, may)
