"""The course's solver: reads a puzzle, writes the solution in the course's format.

Red moves first and hurries to win, black delays: both play by exact distance. A board that is not
proved to be a win is not claimed as one; the best line that was found is written all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL
from petteia.core.reading import naming, read_text
from petteia.core.words import Words
from petteia.core.writing import write_whole
from petteia.games.checkers import Checkers
from petteia.games.checkers.face.notation import grid, parse_grid
from petteia.search.contract import Limits, Question
from petteia.search.distance import Proved, Prover
from petteia.search.engine import Engine

__all__ = ["SolvedPuzzle", "answer", "read_puzzle", "solve", "states_text"]

_NODES_A_MOVE = 300_000
_PROOF_NODES_A_MOVE = 1_000_000
_LONGEST = 100
"""Plies of a line that nobody proved to end."""


@dataclass(frozen=True)
class SolvedPuzzle:
    """A puzzle with its play."""

    positions: tuple[Words, ...]
    """From the puzzle to the end of the line."""
    moves: tuple[str, ...]
    proved: Proved
    is_flipped: bool
    """Whether the puzzle stands on the other colour of squares."""

    @property
    def said(self) -> str:
        """What was proved, in a sentence."""
        found = self.proved
        if found.result == "win":
            return f"red wins in {found.plies} plies"
        if found.result == "loss":
            return f"red loses in {found.plies} plies: this is no win"
        return (
            f"not proved: nobody wins by force within {found.searched} plies; "
            "the moves are the best that were found"
        )

    def states(self) -> list[str]:
        """The course's grid of every position."""
        return [grid(p, flipped=self.is_flipped) for p in self.positions]

    def facts(self) -> dict[str, object]:
        """What was found, as JSON-ready data."""
        return {
            "result": self.proved.result,
            "plies": self.proved.plies,
            "moves": list(self.moves),
            "said": self.said,
            "nodes": self.proved.nodes,
            "proof_size": self.proved.proof_size,
            "seconds": self.proved.seconds,
        }


def answer(source: Path, target: Path, *, whole: bool, seconds: float) -> SolvedPuzzle:
    """Solves the puzzle of a file and writes the next board, or the ``whole`` game."""
    start, is_flipped = read_puzzle(source)
    found = solve(start, is_flipped=is_flipped, seconds=seconds)
    states = found.states()
    write_whole(target, states_text(states if whole else states[1:2]))
    return found


def read_puzzle(path: Path) -> tuple[Words, bool]:
    """The board of a file, and whether it stands on the other colour of squares."""
    text = read_text(path)
    with naming(path):
        return parse_grid(text)


def solve(start: Words, *, is_flipped: bool = False, seconds: float = 60.0) -> SolvedPuzzle:
    """The game from a puzzle on: the shortest win and the longest defence."""
    game = Checkers(repetitions=0, quiet_plies=0)
    if game.kind(start) == TERMINAL:
        raise PetteiaError("red has no move: the game is over")
    prover = Prover(game, exact=True)
    proved = prover.prove(start, seconds=seconds, sized=True)
    found = proved
    engine: Engine | None = None
    positions, moves = [start], list[str]()
    while game.kind(positions[-1]) != TERMINAL and len(moves) < _LONGEST:
        p = positions[-1]
        if found.result in ("win", "loss"):
            line = found.line
        else:
            engine = engine or Engine(game, game.evaluations[str(game.default_evaluation)])
            weights, limits = engine.evaluation.array, Limits(nodes=_NODES_A_MOVE)
            line = (engine.ask(Question(p, weights, limits, earlier=positions[:-1])).best.move,)
        for move in line:
            moves.append(game.move_text(positions[-1], move))
            positions.append(game.play(positions[-1], move))
        p = positions[-1]
        if p in positions[:-1]:  # nobody makes progress
            break
        if game.kind(p) != TERMINAL:
            found = prover.prove(p, nodes=_PROOF_NODES_A_MOVE)
    return SolvedPuzzle(tuple(positions), tuple(moves), proved, is_flipped)


def states_text(states: list[str]) -> str:
    """States as the course writes them: a blank line between two, a line's end at the end."""
    return "\n\n".join(states) + "\n"
