"""The routes of tables: begin a game, sit down, move, take back, give up."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Annotated

from fastapi import HTTPException
from fastapi import Path as InPath
from fastapi.responses import PlainTextResponse

from petteia.core import fair, record
from petteia.core.errors import PetteiaError
from petteia.core.session import PERSON
from petteia.web import seats
from petteia.web.clock import Clock
from petteia.web.lab import Lab, TheLab, Visitor
from petteia.web.messages import pictures, requests, searches, tables
from petteia.web.router import Router
from petteia.web.table import Table

__all__ = ["router"]

TableId = Annotated[str, InPath(pattern=r"^[\w-]{1,40}$")]
Deed = Callable[[Table, str], None]
"""What a visitor does to a table, or what refuses it."""

router = Router()


async def _changed(lab: Lab, number: str, visitor: str, deed: Deed, may: Deed) -> tables.Table:
    """What the visitor sees after he did something to a table."""
    live = await lab.table(number)
    await lab.room.change(
        live, lambda table: deed(table, visitor), lambda table: may(table, visitor)
    )
    return live.state(visitor)


# --- looking -------------------------------------------------------------------------------------


@router.get("/api/tables")
def mine(lab: TheLab, visitor: Visitor) -> tables.Tables:
    """The visitor's own last games."""
    return {"tables": lab.kept.recent(visitor)}


@router.get("/api/tables/{number}")
async def look(number: TableId, lab: TheLab, visitor: Visitor) -> tables.Table:
    """How a table stands."""
    live = await lab.table(number)
    lab.room.drive(live)
    return live.state(visitor)


@router.get("/api/tables/{number}/at/{ply}")
async def at(
    number: TableId, ply: Annotated[int, InPath(ge=0, le=100_000)], lab: TheLab
) -> pictures.View:
    """The picture after this many plies."""
    return (await lab.table(number)).table.at(ply)


@router.get("/api/tables/{number}/review")
async def review_of(number: TableId, lab: TheLab) -> searches.KeptReview:
    """The review that is kept with a game."""
    table = (await lab.table(number)).table
    words = [ply["word"] for ply in table.listed()]
    return {"review": await asyncio.to_thread(lab.kept.review, table.id, words)}


@router.get("/api/tables/{number}/record", response_class=PlainTextResponse)
async def record_of(number: TableId, lab: TheLab) -> PlainTextResponse:
    """The game as text."""
    live = await lab.table(number)
    text = record.write(live.table.record())
    named = f'attachment; filename="{live.table.game.spec.name}-{number}.txt"'
    return PlainTextResponse(text, headers={"content-disposition": named})


# --- seats ---------------------------------------------------------------------------------------


def _begun(lab: Lab, asked: requests.NewTable, visitor: str) -> Table:
    game = lab.game(asked.game)
    first, second = (lab.player(text, game) for text in asked.players)
    seed = secrets.randbelow(2**31) if asked.seed is None else asked.seed
    plies = [record.parse_ply(word) for word in asked.moves]
    if asked.clock and (first, second) != (PERSON, PERSON):
        raise PetteiaError("a clock is for two people; agents have limits of their own")
    if asked.clock and asked.clock[0] < 1:
        raise PetteiaError("a clock begins with a second at least")
    is_promised = game.has_chance and asked.seed is None and not plies
    return Table(
        game, (first, second), seed, asked.secret or is_promised * fair.new_secret(),
        asked.start, plies=plies, owner=visitor,
        seats=seats.taken_at_first((first, second), visitor, asked.seat), terms=asked.clock,
        clock=asked.clock and Clock([asked.clock[0]] * 2, asked.clock[1]),
    )  # fmt: skip


@router.post("/api/tables")
async def begin(asked: requests.NewTable, lab: TheLab, visitor: Visitor) -> tables.Table:
    """Begins a game."""
    table = await asyncio.to_thread(_begun, lab, asked, visitor)
    live = await lab.room.add(table, searches=asked.searches)
    return live.state(visitor)


@router.delete("/api/tables/{number}")
async def forget(number: TableId, lab: TheLab, visitor: Visitor) -> tables.Done:
    """Deletes a game that the visitor began; who only has a seat there leaves it."""
    live = await lab.table(number)
    if live.table.owner == visitor:
        await lab.room.forget(number)
        return {"ok": True}
    held = seats.held_by(live.table, visitor)
    if not held:
        raise HTTPException(404, "there is no such table of yours")
    for side in held:
        await leave(number, requests.Seat(player=side), lab, visitor)
    return {"ok": True}


@router.post("/api/tables/{number}/sit")
async def sit(number: TableId, asked: requests.Seat, lab: TheLab, visitor: Visitor) -> tables.Table:
    """Takes a free seat."""

    def deed(table: Table, visitor: str) -> None:
        seats.seat(table, asked.player, visitor)

    def may(table: Table, visitor: str) -> None:
        seats.may_sit(table, visitor, asked.player)

    return await _changed(lab, number, visitor, deed, may)


@router.post("/api/tables/{number}/leave")
async def leave(
    number: TableId, asked: requests.Seat, lab: TheLab, visitor: Visitor
) -> tables.Table:
    """Frees a seat of one's own for somebody else."""

    def deed(table: Table, _: str) -> None:
        seats.seat(table, asked.player, "")

    def may(table: Table, visitor: str) -> None:
        seats.needs(table, visitor, [asked.player])

    return await _changed(lab, number, visitor, deed, may)


@router.post("/api/tables/{number}/players")
async def players(
    number: TableId, asked: requests.Changed, lab: TheLab, visitor: Visitor
) -> tables.Table:
    """Seats other players, also in the middle of a game."""
    game = (await lab.table(number)).table.game
    first, second = [await asyncio.to_thread(lab.player, text, game) for text in asked.players]

    def deed(table: Table, visitor: str) -> None:
        seats.change_players(table, visitor, (first, second))

    return await _changed(lab, number, visitor, deed, seats.may_change)


# --- playing -------------------------------------------------------------------------------------


@router.post("/api/tables/{number}/play")
async def play(
    number: TableId, asked: requests.PlayedMove, lab: TheLab, visitor: Visitor
) -> tables.Table:
    """Plays a person's move."""

    def deed(table: Table, _: str) -> None:
        if asked.serial is not None and asked.serial != table.serial:
            raise PetteiaError("the game has moved on; look again")
        if table.agents_to_move():
            raise PetteiaError("it is not a person's turn")
        table.play(asked.move)

    return await _changed(lab, number, visitor, deed, seats.may_play)


@router.get("/api/tables/{number}/task")
async def task(number: TableId, lab: TheLab) -> searches.SearchHere:
    """What the owner's page is asked to search for an agent."""
    return {"task": (await lab.table(number)).task}


@router.post("/api/tables/{number}/answer")
async def answer(
    number: TableId, asked: requests.Answered, lab: TheLab, visitor: Visitor
) -> tables.Done:
    """Tells the move that the owner's page found for an agent."""
    live = await lab.table(number)
    lab.room.answer(live, visitor, asked.serial, None if asked.move is None else int(asked.move))
    return {"ok": True}


@router.post("/api/tables/{number}/choose")
async def choose(
    number: TableId, asked: requests.ChosenMove, lab: TheLab, visitor: Visitor
) -> tables.Table:
    """Makes a person's secret choice where both choose."""
    live = await lab.table(number)
    await lab.room.choose(live, visitor, asked.player, asked.move)
    return live.state(visitor)


@router.post("/api/tables/{number}/undo")
async def undo(number: TableId, lab: TheLab, visitor: Visitor) -> tables.Table:
    """Takes the last move of a person back, if it was the visitor's."""
    return await _changed(lab, number, visitor, lambda table, _: table.undo(), seats.may_undo)


@router.post("/api/tables/{number}/redo")
async def redo(number: TableId, lab: TheLab, visitor: Visitor) -> tables.Table:
    """Plays it again."""
    return await _changed(lab, number, visitor, lambda table, _: table.redo(), seats.may_redo)


@router.post("/api/tables/{number}/resign")
async def resign(
    number: TableId, asked: requests.Resignation, lab: TheLab, visitor: Visitor
) -> tables.Table:
    """Gives up."""

    def may(table: Table, visitor: str) -> None:
        seats.needs(table, visitor, [] if asked.player is None else [asked.player])

    def deed(table: Table, visitor: str) -> None:
        held = seats.held_by(table, visitor)
        table.resign(held[0] if len(held) == 1 else asked.player)

    return await _changed(lab, number, visitor, deed, may)
