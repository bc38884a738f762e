"""``petteia bench``."""

from __future__ import annotations

from petteia import games
from petteia.cli import output
from petteia.cli.options import GameSpec, Json
from petteia.core.evaluations import evaluation_for
from petteia.search import bench

__all__ = ["run"]


def run(game: GameSpec, as_json: Json = False) -> None:
    """Measures the engine over fixed positions."""
    made = games.make(game)
    evaluation = evaluation_for(made, None)
    found = bench.run(made, evaluation)
    facts = {
        "game": str(made), "evaluation": str(evaluation.spec), "signature": found.signature,
        "positions": found.positions, "depth": found.depth, "seconds": found.seconds,
        "nodes_per_second": found.nodes_per_second,
    }  # fmt: skip

    def text() -> None:
        searched = f"{found.positions} positions to depth {found.depth}"
        print(f"{made}, engine with {evaluation.name}: {searched}")
        print(f"signature {found.signature}")
        print(f"{found.nodes_per_second / 1e6:.2f} M nodes/s")

    output.show(facts, as_json, text)
