"""A few pairs of games, played once for all tests of the store."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from petteia import agents, games
from petteia.arena.match import Match, Pair
from petteia.arena.play import Forfeit, Played, Seat
from petteia.arena.store import Store
from petteia.core.record import Ply, Record

__all__ = ["AGENTS", "PAIRS", "SMALL", "new_series", "odd_pair"]

SMALL = "breakthrough(columns=4, rows=5)"
AGENTS = ("random", "greedy(eval=offensive2)")


GAME = games.make(SMALL)
A, B = (agents.make(name, GAME) for name in AGENTS)
PAIRS = Match(GAME, A, B, seed=1).run(6).pairs


def new_series(store: Store, **options: Any) -> int:
    """Begins the series of ``PAIRS``, with other options where given."""
    wanted: dict[str, Any] = {"game": SMALL, "agents": AGENTS, "seed": 1, "pairs": len(PAIRS)}
    return store.new_series(**(wanted | options))


def odd_pair(index: int, reason: str = "x: \ud800\n'; DROP TABLE", trace: str = "a\0b\r\n") -> Pair:
    """A pair that A forfeits, in which every text is odd."""
    games = []
    for number in (0, 1):
        kept = Record("g", ("\u2028[/]", "\udcff"), "\n", (Ply("move", ("",), "{\t}"),), -0.5)
        games.append(
            Played(kept, -0.5, 1, (Seat(1, 2, 3, 0.1, 1), Seat()), Forfeit(number, reason))
        )
    games[0] = replace(games[0], forfeit=Forfeit(0, reason, trace))
    return Pair(index, (games[0], games[1]))
