"""Puzzles: positions in which the obvious move loses most."""

from __future__ import annotations

from dataclasses import dataclass

from petteia.core.agent import Agent, MoveValue
from petteia.core.errors import PetteiaError
from petteia.core.fair import drawn
from petteia.core.game import CHANCE, TERMINAL
from petteia.core.seeds import derive, nth
from petteia.core.words import Words
from petteia.search.stepper import stepper_of

__all__ = ["Puzzle", "find_puzzles"]

_SLIPS = 8
"""One move in this many is random, so that games do not repeat each other."""

_PATIENCE = 100
"""So many games without a decision, and there is none in this game."""


@dataclass(frozen=True)
class Puzzle:
    """A decision with the values of its moves."""

    position: Words
    obvious: int
    """The move that the obvious player makes."""
    values: tuple[MoveValue, ...]
    """The best first."""
    loss: float
    """What the obvious move gives up."""


def find_puzzles(
    judge: Agent, obvious: Agent, *, looked_at: int, count: int, seed: int = 0
) -> list[Puzzle]:
    """Plays games of the judge against itself and keeps where the obvious move loses most."""
    game, stepper = judge.game, stepper_of(judge.game)
    found: dict[Words, Puzzle] = {}
    p, seen, step, barren = game.start(), 0, 0, 0
    while seen < looked_at:
        look = stepper.look(p)
        chosen = nth(derive(seed, "puzzles"), step)
        step += 1
        if look.kind == TERMINAL:
            p, barren = game.start(), barren + 1
            if barren > _PATIENCE:
                raise PetteiaError(f"{game} has no puzzles: {_PATIENCE} games without a choice")
        elif look.kind == CHANCE:
            p = stepper.play(p, drawn(chosen, zip(look.moves, look.chances, strict=True)))
        elif len(look.moves) == 1:
            p = stepper.play(p, look.moves[0])
        else:
            seen, barren = seen + 1, 0
            values = tuple(judge.values(p, seed=chosen))
            natural = obvious.choose(p, seed=chosen).move
            by_move = {each.move: each.value for each in values}
            best, other = values[0].value, by_move[natural]
            if best is None or other is None:
                raise PetteiaError(f"agent {judge} gives no values, so it cannot set puzzles")
            if best > other:
                found[p] = Puzzle(p, natural, values, best - other)
            slip = chosen % _SLIPS == 0
            move = look.moves[chosen // _SLIPS % len(look.moves)] if slip else values[0].move
            p = stepper.play(p, move)
    return sorted(found.values(), key=lambda puzzle: -puzzle.loss)[:count]
