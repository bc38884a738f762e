"""``petteia analyse --prove``."""

from __future__ import annotations

from typing import Any

from petteia.cli import output
from petteia.cli.interrupt import interruptible
from petteia.core.errors import PetteiaError
from petteia.core.game import DECISION
from petteia.core.position import Position
from petteia.core.processors import processors
from petteia.search.distance import Proved, Prover

__all__ = ["run"]


def run(position: Position, seconds: float, as_json: bool) -> None:
    """Proves how the game ends under best play, and in how many plies."""
    game = position.game
    if position.kind != DECISION:
        raise PetteiaError(f"nothing to prove: {position.status}")
    prover = Prover(game, exact=True, threads=processors())
    found = interruptible(prover, lambda: prover.prove(position.words, seconds=seconds))

    def text(move: int) -> str:
        return game.move_text(position.words, move)

    facts: dict[str, Any] = {
        "game": str(game),
        "position": str(position),
        "mover": game.players[position.mover or 0],
        "result": found.result,
        "plies": found.plies,
        "best": None if found.best is None else text(found.best),
        "optimal": [text(move) for move in found.optimal],
        "line": position.line_texts(found.line),
        "searched_plies": found.searched,
        "nodes": found.nodes,
        "proof_size": found.proof_size,
        "seconds": found.seconds,
        "nodes_per_second": output.per_second(found.nodes, found.seconds),
    }
    output.show(facts, as_json, lambda: _show(position, found, facts))


def _show(position: Position, found: Proved, facts: dict[str, Any]) -> None:
    print(position.draw())
    print()
    if found.plies is not None:
        ends = "wins" if found.result == "win" else "loses"
        print(f"{facts['mover']} {ends} in {found.plies} plies: {facts['best']}")
        print(f"optimal moves: {', '.join(facts['optimal'])}")
        print(f"line: {' '.join(facts['line'])}")
        size = "more than can be counted" if found.proof_size is None else f"{found.proof_size:,}"
        print(f"positions in the proof: {size}")
    elif found.result == "draw":
        print("a proved draw: neither side can win")
    else:
        print(f"not decided: nobody wins by force within {found.searched} plies")
    print(f"{found.nodes:,} nodes in {found.seconds:.3f} s")
