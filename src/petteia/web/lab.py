"""What all routes share: the tables, the searching processes, the queue of measurements."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import Depends, HTTPException, Request

from petteia.core import record
from petteia.core.game import Game
from petteia.core.session import PERSON
from petteia.core.words import Words
from petteia.web import trust
from petteia.web.kept import KeptTables
from petteia.web.measuring import Measuring
from petteia.web.messages.requests import LineRequest
from petteia.web.pool import Pool
from petteia.web.room import Live, Room
from petteia.web.settings import Settings
from petteia.web.table import Table

__all__ = ["Lab", "TheLab", "Visitor"]


class Lab:
    """What the routes share."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        trust.host_games(settings.games)
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


async def _lab(request: Request) -> Lab:
    lab: Lab = request.app.state.lab
    return lab


async def _visitor(request: Request) -> str:
    visitor: str = request.scope["visitor"]
    return visitor


TheLab = Annotated[Lab, Depends(_lab)]
"""The laboratory, as a parameter of a route."""
Visitor = Annotated[str, Depends(_visitor)]
"""Who asks, as a parameter of a route; the guard knows."""
