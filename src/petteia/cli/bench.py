"""``petteia bench``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from petteia import games
from petteia.cli import output
from petteia.cli.options import GameSpec, Json
from petteia.core.agent import MOST_THREADS
from petteia.search import bench
from petteia.search.evaluations import evaluation_for

__all__ = ["run"]


def run(
    game: GameSpec,
    threads: Annotated[
        int, typer.Option(help="compare so many threads with one", min=1, max=MOST_THREADS)
    ] = 1,
    as_json: Json = False,
) -> None:
    """Measures the engine over fixed positions."""
    made = games.make(game)
    evaluation = evaluation_for(made, None, default=made.bench_evaluation)
    found = alone = bench.run(made, evaluation)
    facts: dict[str, Any] = {
        "game": str(made), "evaluation": str(evaluation.spec), "signature": found.signature,
    }  # fmt: skip
    if threads > 1:
        alone, found = bench.with_threads(made, evaluation, threads)
        facts["threads"], facts["speedup"] = threads, alone.seconds / found.seconds
    facts |= {
        "positions": found.positions, "depth": found.depth, "seconds": found.seconds,
        "nodes_per_second": found.nodes_per_second,
    }  # fmt: skip

    def text() -> None:
        searched = f"{found.positions} positions to depth {found.depth}"
        print(f"{made}, engine with {evaluation.name}: {searched}")
        print(f"signature {facts['signature']}")
        print(f"{found.nodes_per_second / 1e6:.2f} M nodes/s")
        if threads > 1:
            print(
                f"{threads} threads take {found.seconds:.2f} s, one {alone.seconds:.2f} s: "
                f"{facts['speedup']:.2f} times as fast"
            )

    output.show(facts, as_json, text)
