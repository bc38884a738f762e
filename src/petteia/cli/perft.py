"""``petteia perft`` and ``petteia bench``."""

from __future__ import annotations

import time

from petteia import games
from petteia.cli import output
from petteia.core.evaluations import evaluation_for
from petteia.core.position import Position
from petteia.search import bench as benchmarks
from petteia.search.perft import perft as count_lines

__all__ = ["bench", "perft"]


def perft(spec: str, depth: int, position: str, as_json: bool) -> None:
    """Counts the lines of play."""
    game = games.make(spec)
    named = position.strip() != "start"
    p = Position.of(game, position).words if named else game.perft_start()
    rows = []
    for plies in [depth] if as_json else range(min(1, depth), depth + 1):
        if depth:
            count_lines(game, p, 1)  # compiled before the clock starts
        started = time.perf_counter()
        leaves = count_lines(game, p, plies)
        rows.append((plies, leaves, time.perf_counter() - started))
    if as_json:
        _, leaves, seconds = rows[-1]
        output.json_object(
            {
                "game": str(game), "position": game.text(p), "depth": depth, "leaves": leaves,
                "seconds": seconds, "leaves_per_second": output.per_second(leaves, seconds),
            }
        )  # fmt: skip
        return
    output.table(
        f"perft of {game}",
        ["depth", "leaves", "seconds", "M leaves/s"],
        [(d, n, s, output.per_second(n, s) / 1e6) for d, n, s in rows],
    )


def bench(spec: str, as_json: bool) -> None:
    """Measures the engine over fixed positions."""
    game = games.make(spec)
    evaluation = evaluation_for(game, None)
    found = benchmarks.run(game, evaluation)
    facts = {
        "game": str(game), "evaluation": str(evaluation.spec), "signature": found.signature,
        "positions": found.positions, "depth": found.depth, "seconds": found.seconds,
        "nodes_per_second": found.nodes_per_second,
    }  # fmt: skip
    if as_json:
        output.json_object(facts)
        return
    print(
        f"{game}, engine with {evaluation.name}: {found.positions} positions to depth {found.depth}"
    )
    print(f"signature {found.signature}")
    print(f"{found.nodes_per_second / 1e6:.2f} M nodes/s")
