"""``petteia perft``."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from petteia import games
from petteia.cli import output
from petteia.cli.options import GameSpec, Json
from petteia.core.position import Position
from petteia.search.perft import perft

__all__ = ["run"]


def run(
    game: GameSpec,
    depth: Annotated[int, typer.Option(help="plies", min=0, max=30)] = 4,
    position: Annotated[str, typer.Option(help="where to begin")] = "start",
    as_json: Json = False,
) -> None:
    """Counts the lines of play."""
    made = games.make(game)
    named = position.strip() != "start"
    p = Position.of(made, position).words if named else made.perft_start()
    rows = []
    for plies in [depth] if as_json else range(min(1, depth), depth + 1):
        if depth:
            perft(made, p, 1)  # compiled before the clock starts
        started = time.perf_counter()
        leaves = perft(made, p, plies)
        rows.append((plies, leaves, time.perf_counter() - started))
    _, leaves, seconds = rows[-1]
    facts = {
        "game": str(made), "position": made.text(p), "depth": depth, "leaves": leaves,
        "seconds": seconds, "leaves_per_second": output.per_second(leaves, seconds),
    }  # fmt: skip

    def text() -> None:
        columns = ["depth", "leaves", "seconds", "M leaves/s"]
        table = [(d, n, s, output.per_second(n, s) / 1e6) for d, n, s in rows]
        output.table(f"perft of {made}", columns, table)

    output.show(facts, as_json, text)
