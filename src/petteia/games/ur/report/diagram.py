"""Diagram 1 of the Project Ur report: what each depth decides on three boards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from petteia.games.ur.face import UrFace
from petteia.games.ur.report.strategies import MEMORY, STRATEGIES, choose_piece

__all__ = ["BOARDS", "MARGINS", "PUBLISHED", "RUNTIMES", "decisions", "margins"]

BOARDS = (
    "L=2,1,5,10,3,14,0 R=3,4,6,12,7,11,0 L",
    "L=1,3,6,9,14,0,0 R=2,5,7,12,13,0,0 L",
    "L=1,6,9,12,0,0,0 R=4,7,10,14,0,0,0 L",
)
"""The boards of section 4.2, left to roll."""

PUBLISHED = (
    "333443312331", "334421312561", "331021302551", "333421321001", "231421022661",
    "221421012661", "221426011441", "221426000441", "221421020661", "221421020001",
    "221421320001", "221421320661", "421425320661", "421425320444", "421425320444",
    "421425320444",
)  # fmt: skip
"""For each depth the pieces moved on board 1 with rolls 1 to 4, then on boards 2 and 3."""

MARGINS = (10, 9, 9, 8, 8, 8, 6, 5, 6, 6, 5, 5, 3, 0, 0, 0)
"""How many of the decisions differ from those of depth 15."""

RUNTIMES = (
    2.867, 3.667, 25, 20.733, 26.333, 32.6, 39.467, 43.333, 51.067, 127.4, 99.933, 102.567,
    110.467, 121.067, 133.933, 147.667,
)  # fmt: skip
"""The published mean time of a decision, in milliseconds."""


def decisions(game: UrFace, depth: int, *, as_coded: bool) -> str:
    """The string of a depth; depth 0 is Massugu. A dash stands for no move."""
    name = "ashikazu" if depth else "massugu"
    strategy = STRATEGIES.index(f"coded_{name}" if as_coded else name)
    keep = np.zeros(1, MEMORY).view(np.recarray)
    pieces = []
    for board in BOARDS:
        for roll in range(1, 5):
            p = game.play(game.parse(board), roll)
            pieces.append(int(choose_piece(game, p, strategy, depth, 0, keep[0])))
    return "".join("-" if piece < 0 else str(piece) for piece in pieces)


def margins(strings: Sequence[str]) -> list[int]:
    """How many decisions of each string differ from the last one's."""
    return [sum(a != b for a, b in zip(each, strings[-1], strict=True)) for each in strings]
