"""The room with the tables: who watches, who is to move, and agents that take their turn."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass

from petteia.core import record
from petteia.core.errors import PetteiaError
from petteia.core.game import DECISION, SIMULTANEOUS, Game
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.web import engine_tasks, engines, seats, trust
from petteia.web.kept import KeptTables
from petteia.web.messages import searches, tables
from petteia.web.messages.workers import Choose
from petteia.web.pool import Busy, Pool
from petteia.web.settings import Settings
from petteia.web.table import Table

__all__ = ["Live", "Page", "Room", "packed", "question"]

_PAUSE = 0.7
"""Seconds between two moves of agents among themselves, so that people can follow."""
_MOST_LIVE = 600
_RETRY = 1.0
_PATIENCE = 3.0
"""Seconds that a page has for a move beyond those of the search; then the server searches."""


def packed(positions: list[Words]) -> list[list[str]]:
    """Positions for another process."""
    return [[f"{int(word):x}" for word in p] for p in positions]


def question(table: Table, player: int) -> Choose:
    """What the process of an agent is asked for its move."""
    return Choose(
        game=str(table.game),
        agent=table.players[player],
        positions=packed(table.positions),
        plies=[record.ply_text(ply) for ply in table.plies],
        player=player,
        table=table.id,
        seed=derive(table.seed, "move", len(table.plies), player),
    )


@dataclass
class Page:
    """An open page at a table."""

    visitor: str
    searches: bool
    """Whether it can search for agents."""


class Live:
    """A table in memory."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.lock = asyncio.Lock()
        self.watchers: set[Callable[[tables.TableSeen], None]] = set()
        self.pages: dict[object, Page] = {}
        """Those that watch."""
        self.driver: asyncio.Task[None] | None = None
        self.thinking = False
        self.problem = ""
        self.chosen: dict[int, str] = {}
        """Moves of a simultaneous turn that are not yet revealed."""
        self.task: searches.EngineTask | None = None
        """What a page is asked to search,"""
        self.found: asyncio.Future[str | None] | None = None
        """and the move that it found; none where it cannot search."""
        self.bell: asyncio.TimerHandle | None = None
        """Rings when somebody's time is over."""

    def state(self, visitor: str) -> tables.Table:
        """What a visitor sees."""
        return {**self.seen(), **seats.facts(self.table, visitor)}

    def seen(self) -> tables.TableSeen:
        """What everybody sees; a hidden choice is only said to be made."""
        clock = self.table.clock
        return {
            **self.table.state(),
            "thinking": self.thinking,
            "problem": self.problem,
            "chosen": sorted(self.chosen),
            "asked": self.found is not None,
            "clock": None if clock is None else clock.seen(time.monotonic()),
            "terms": self.table.terms,
        }

    @property
    def has_searching_page(self) -> bool:
        """Whether an agent's moves may come from a page: the owner's, where he is the only person
        at the table and nobody else looks.

        Such a page could send any legal move in the agent's name. That harms nobody: its visitor
        would only make his own opponent weaker, and could take moves back as well. Games at tables
        are never rated; where a second visitor plays or watches, the server searches.
        """
        owner, pages = self.table.owner, self.pages.values()
        alone = all(self.table.seats[side] == owner for side in self.table.people)
        return (
            bool(self.table.people)
            and alone
            and all(page.visitor == owner for page in pages)
            and any(page.searches for page in pages)
        )

    def leave(self, page: object) -> None:
        """A page has gone; what it was asked for others must find."""
        self.pages.pop(page, None)
        if not self.has_searching_page:
            self.answer(None)

    def search_no_more(self) -> None:
        """No page here can search after all."""
        for page in self.pages.values():
            page.searches = False

    def answer(self, move: str | None) -> None:
        """What a page found."""
        if self.found is not None and not self.found.done():
            self.found.set_result(move)

    def tell(self) -> None:
        """Tells all watchers how the table stands."""
        state = self.seen()
        for watcher in list(self.watchers):
            watcher(state)


class Room:
    """All tables: those in use in memory, all of them on disk."""

    def __init__(self, settings: Settings, pool: Pool, kept: KeptTables) -> None:
        self.settings = settings
        self.pool = pool
        self.kept = kept
        self.making = engines.Making()
        self._live: dict[str, Live] = {}
        self._rung: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Stops every agent that thinks."""
        await self.making.close()
        drivers = [live.driver for live in self._live.values() if live.driver]
        for driver in drivers:
            driver.cancel()
        await asyncio.gather(*drivers, return_exceptions=True)
        for live in self._live.values():
            if live.bell is not None:
                live.bell.cancel()

    # --- tables ----------------------------------------------------------------------------------

    async def add(self, table: Table, *, searches: bool = False) -> Live:
        """A new table; a page that will search itself is taken to be there already."""
        await self._keep(table)
        live = self._live[table.id] = Live(table)
        if searches:
            live.pages[None] = Page(table.owner, True)
        self._make_room()
        await asyncio.to_thread(self.kept.sweep, table.owner)
        self.drive(live)
        return live

    async def find(self, number: str) -> Live:
        """The table of this name, from memory or from disk; KeyError if there is none."""
        live = self._live.get(number)
        if live is None:
            table = await asyncio.to_thread(self.kept.get, number)
            live = self._live.setdefault(number, Live(table))
            self._wind(live)  # nobody's time ran while the table was away
            self._make_room()
        return live

    async def forget(self, number: str) -> None:
        """Deletes a table."""
        live = self._live.pop(number, None)
        if live is not None:
            for going in (live.driver, live.bell):
                if going is not None:
                    going.cancel()
        await asyncio.to_thread(self.kept.delete, number)

    def _make_room(self) -> None:
        for number, live in list(self._live.items()):
            if len(self._live) <= _MOST_LIVE:
                break
            if not live.watchers and live.driver is None and live.bell is None:
                del self._live[number]

    async def _keep(self, table: Table) -> None:
        await asyncio.to_thread(self.kept.put, table)

    # --- what happens ----------------------------------------------------------------------------

    async def change(
        self, live: Live, deed: Callable[[Table], None], may: Callable[[Table], None]
    ) -> None:
        """Does something to a table, keeps it, tells everybody.

        ``may`` refuses who may not, before any search is disturbed.
        """
        async with live.lock:
            may(live.table)
            if live.driver is not None:
                live.driver.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await live.driver
                live.driver = None
            live.thinking, live.problem = False, ""
            try:
                deed(live.table)
            finally:
                if live.table.kind != SIMULTANEOUS or live.table.is_over:
                    live.chosen.clear()
                self._wind(live)
                await self._keep(live.table)
                self.drive(live)
            live.tell()

    def _wind(self, live: Live) -> None:
        """Sets the clocks of two people for the position on the board."""
        if live.table.clock is None:
            return
        if live.bell is not None:
            live.bell.cancel()
        live.table.clocks(live.chosen, time.monotonic())
        end = live.table.clock.next_end
        live.bell = end and asyncio.get_running_loop().call_later(end[0], self._ring, live)

    def _ring(self, live: Live) -> None:
        """Somebody's time is over."""

        def deed(table: Table) -> None:
            if table.clock is not None and not table.is_over:
                table.clock.settle(time.monotonic())
                end = table.clock.next_end
                if end is not None and end[0] <= 0:
                    table.lose_on_time(end[1])

        live.bell = None
        rung = asyncio.create_task(self.change(live, deed, lambda _: None))
        self._rung.add(rung)  # a task that nobody holds may be lost
        rung.add_done_callback(self._rung.discard)

    async def choose(self, live: Live, visitor: str, player: int, text: str) -> None:
        """One player's secret choice where both choose; the last one reveals both."""
        table = live.table
        seats.needs(table, visitor, [player] if player in table.people else [])
        if table.is_over or table.kind != SIMULTANEOUS:
            raise PetteiaError("the players move in turn here; no secret choices are made")
        if player not in table.people:
            raise PetteiaError("this player is an agent; it chooses for itself")
        number = table.game.parse_move(table.p, text, player)
        chosen = {**live.chosen, player: table.game.move_text(table.p, number)}
        if live.driver is not None:
            # The agent is still thinking: it goes on, and reveals both when it has chosen.
            live.chosen = chosen
            live.tell()
            return

        def deed(table: Table) -> None:
            live.chosen = chosen
            if len(chosen) == 2:
                table.play(chosen[0], chosen[1])
                live.chosen = {}

        await self.change(live, deed, lambda table: seats.needs(table, visitor, [player]))

    def drive(self, live: Live) -> None:
        """Lets agents and dice take their turn, if it is theirs."""
        if live.driver is None and live.table.agents_to_move():
            live.driver = asyncio.create_task(self._drive(live))

    def _may_go_on(self, live: Live) -> bool:
        """Agents among themselves play only while somebody looks."""
        return bool(live.table.people) or bool(live.watchers)

    async def _drive(self, live: Live) -> None:
        table = live.table
        try:
            while (movers := table.agents_to_move()) and self._may_go_on(live):
                if len(table.plies) >= self.settings.limits.plies:
                    live.problem = "this game has grown too long for the page"
                    return
                if movers == [-1]:
                    table.roll()
                elif table.kind == DECISION:
                    await self._pause(live)
                    table.play(await self._ask(live, movers[0]))
                elif not await self._choices(live, movers):
                    return
                live.thinking = False
                self._wind(live)
                await self._keep(table)
                live.tell()
        except PetteiaError as error:
            live.problem = trust.in_words(error)
        finally:
            live.thinking = False
            if live.driver is asyncio.current_task():
                live.driver = None
                live.tell()

    async def _choices(self, live: Live, movers: list[int]) -> bool:
        """The agents' choices where both choose; whether the turn was played."""
        table = live.table
        if len(movers) == 2:
            await self._pause(live)
        for side in movers:
            if side not in live.chosen:
                live.chosen[side] = await self._ask(live, side)
        if len(live.chosen) < 2:
            return False  # a person has still to choose
        table.play(live.chosen[0], live.chosen[1])
        live.chosen = {}
        return True

    async def _pause(self, live: Live) -> None:
        if not live.table.people:
            await asyncio.sleep(_PAUSE)

    async def task(
        self, game: Game, text: str, positions: list[Words], seed: int = 0, every: bool = False
    ) -> searches.EngineTask | None:
        """A search for a page; where its file is missing it is made, for the next time."""
        agent = await asyncio.to_thread(engines.agent_of, game, text)
        if agent is None:
            return None
        most = self.settings.limits.seconds
        found = await asyncio.to_thread(
            engine_tasks.task, agent, positions, most=most, seed=seed, every=every
        )
        if found is None:
            self.making.begin(agent)
        return found

    async def _ask_page(self, live: Live, asked: Choose) -> str | None:
        """The move that the owner's page finds; None where it cannot, or takes too long."""
        table = live.table
        live.task = await self.task(table.game, asked.agent, table.positions, asked.seed)
        if live.task is None:
            return None
        live.found = asyncio.get_running_loop().create_future()
        try:
            live.tell()
            async with asyncio.timeout(live.task["seconds"] + _PATIENCE):
                return await live.found
        except TimeoutError:
            live.search_no_more()
            return None
        finally:
            live.task = live.found = None

    def answer(self, live: Live, visitor: str, serial: int, number: int | None) -> None:
        """A page tells the move that it found for an agent."""
        table = live.table
        if visitor != table.owner:
            raise seats.NotYours("only the page of the visitor who began this game can do that")
        if live.found is None or serial != table.serial:
            raise PetteiaError("nobody waits for this page's move")
        if number is None:
            live.search_no_more()
        elif number not in table.game.legal_moves(table.p):
            raise PetteiaError(f"{number} is no legal move here")
        live.answer(None if number is None else table.game.move_text(table.p, number))

    async def _ask(self, live: Live, player: int) -> str:
        table = live.table
        live.thinking = True
        live.tell()
        # A table that was kept may be older than what is allowed now.
        await asyncio.to_thread(
            trust.agent_text, table.players[player], table.game,
            allow_code=self.settings.allow_code,
        )  # fmt: skip
        request = question(table, player)
        if live.has_searching_page:
            found = await self._ask_page(live, request)
            if found is not None:
                return found
        while True:
            try:
                visitor = f"{table.owner}/play"
                return (await self.pool.run(request, searches.Chosen, visitor=visitor))["move"]
            except Busy:
                live.problem = "the laboratory is busy; your opponent waits for a processor"
                live.tell()
                await asyncio.sleep(_RETRY)
                live.problem = ""
