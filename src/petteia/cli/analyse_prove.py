"""``petteia analyse --prove``."""

from __future__ import annotations

import time
from typing import Any

from petteia import games
from petteia.cli import output
from petteia.cli.interrupt import interruptible
from petteia.core.errors import PetteiaError
from petteia.core.game import DECISION, Game
from petteia.core.position import Position
from petteia.core.processors import processors
from petteia.search.distance import Proved, Prover
from petteia.solve.control import Control

__all__ = ["run"]

_AT_FIRST = 1.0
"""Seconds of search before tables are built: most proofs need none."""


def run(position: Position, seconds: float, tables: int | None, as_json: bool) -> None:
    """Proves how the game ends under best play, and in how many plies."""
    game = position.game
    assert isinstance(game, Game)
    if position.kind != DECISION:
        raise PetteiaError(f"nothing to prove: {position.status}")
    found, built = _proved(game, position, seconds, tables)

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
        "tables_built": built,
    }
    output.show(facts, as_json, lambda: _show(position, found, facts))


def _proved(
    game: Game, position: Position, seconds: float, tables: int | None
) -> tuple[Proved, str | None]:
    """What was proved, and the tables that were built for it."""

    def proved(limit: float) -> Proved:
        prover = Prover(game, exact=tables != 0, threads=processors())
        return interruptible(
            prover, lambda: prover.prove(position.words, seconds=limit, sized=True)
        )

    missing = None if tables == 0 else game.missing_tables(position.words, tables)
    if missing is None:
        return proved(seconds), None
    if tables is None:
        found = proved(min(seconds, _AT_FIRST))
        if found.result != "unknown" or seconds <= _AT_FIRST:
            return found, None
    _build(missing)
    return proved(seconds), missing


def _build(spec: str) -> None:
    output.note(f"building exact tables, once: petteia solve {spec!r}")
    solver, started = games.solver(spec), time.perf_counter()
    with output.progress(spec) as tell:
        control = Control(tell)
        interruptible(control, lambda: solver.solve(control, workers=processors()))
    output.note(f"built in {time.perf_counter() - started:.1f} s")


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
