"""``petteia checkers-solve``: the course's two command lines."""

from __future__ import annotations

from pathlib import Path

from petteia.cli import output
from petteia.core.writing import write_whole
from petteia.games.checkers import course

__all__ = ["run"]


def run(source: Path, target: Path, whole: bool, seconds: float, as_json: bool) -> None:
    """Solves a puzzle and writes one board, or the whole game."""
    start, is_flipped = course.read_puzzle(source)
    found = course.solve(start, is_flipped=is_flipped, seconds=seconds)
    states = found.states()
    write_whole(target, course.states_text(states if whole else states[1:2]))
    if found.proved.result != "win":
        output.note(found.said)
    if as_json:
        output.json_object(
            {
                "input": str(source),
                "output": str(target),
                "result": found.proved.result,
                "plies": found.proved.plies,
                "moves": list(found.moves),
                "said": found.said,
                "nodes": found.proved.nodes,
                "proof_size": found.proved.proof_size,
                "seconds": found.proved.seconds,
            }
        )
