"""Positions to test on: those of random games, and the worlds between them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from petteia.core.game import DECISION, TERMINAL
from petteia.core.words import Words
from petteia.games.backgammon import Backgammon
from petteia.games.backgammon.face.positions import counts_of
from petteia.games.backgammon.reference import Side
from petteia.games.backgammon.rules.state import PLAY, parts_of
from petteia.search.stepper import stepper_of


@cache
def game(rules: str = "official", **parameters: int | bool) -> Backgammon:
    """One object a setting, so that kernels are compiled once."""
    return Backgammon(rules, **parameters)  # type: ignore[arg-type]


def sides(p: Words) -> tuple[Side, Side]:
    """The mover's and the other's checkers in the reference's form."""
    white, black = (_side(p, 0), _side(p, 1))
    return (white, black) if parts_of(p[4])["mover"] == 0 else (black, white)


def _side(p: Words, player: int) -> Side:
    counts = counts_of(p[2 * player], p[2 * player + 1])
    counts[0] = 15 - sum(counts)
    return tuple(counts)


def decisions(of: Backgammon, count: int, seed: int) -> Iterator[Words]:
    """Positions with a play to choose, from random games."""
    chance, stepper = random.Random(seed), stepper_of(of)
    p = of.start()
    while count:
        look = stepper.look(p)
        if look.kind == TERMINAL:
            p = of.start()
            continue
        if look.kind == DECISION and parts_of(p[4])["phase"] == PLAY:
            count -= 1
            yield p
        weights = look.chances or None
        p = stepper.play(p, chance.choices(look.moves, weights)[0])


def board(
    white: dict[int, int], black: dict[int, int], dice: str = "00", tail: str = "0:0:0:0:10",
    cube: str = "0:0", turn: int = 1,
) -> str:  # fmt: skip
    """An XGID from both players' checkers, each in its own numbering."""
    letters = ["-"] * 26
    for place, count in white.items():
        letters[place] = chr(64 + count)
    for place, count in black.items():
        letters[25 - place] = chr(96 + count)
    return f"XGID={''.join(letters)}:{cube}:{turn}:{dice}:{tail}"
