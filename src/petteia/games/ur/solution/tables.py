"""Where the exact values are kept, and looking them up."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL
from petteia.core.words import Words
from petteia.games.ur.rules import UrRules
from petteia.games.ur.solution.layout import layout_of
from petteia.games.ur.solution.sweep import Exact, index_of, move_values
from petteia.solve import TableFile, folder

__all__ = ["KIND", "SCALE", "Lookup", "Values", "all_rules", "quantised", "table_path"]

KIND = "ur-values"
SCALE = 65535
"""A chance of winning is kept as a whole number up to this."""
_ROUNDED = 1.5 / SCALE + 1e-6
"""A value and those of its successors are rounded, and solved to a residual."""


def table_path(game: UrRules) -> Path:
    """Where the table of a game is kept."""
    return folder() / f"ur-{game.rules}-{game.count}-{game.dice_count}.table"


def quantised(values: np.ndarray, states: int) -> np.ndarray:
    """Chances as whole numbers of 16 bits; in pieces, so that no large copy is made."""
    found = np.empty(states, np.uint16)
    block = 1 << 22
    for at in range(0, states, block):
        part = values[at : min(at + block, states)]
        found[at : at + len(part)] = np.rint(part * np.float64(SCALE)).astype(np.uint16)
    return found


def all_rules(game: UrRules) -> str:
    """The spec of a game with every rule written out."""
    return f"ur(pieces={game.count}, rules={game.rules}, dice={game.dice_count})"


class Lookup:
    """Chances of all positions in an array, looked up."""

    def __init__(self, game: UrRules, data: np.ndarray) -> None:
        self.game = game
        self.exact = Exact(data, layout_of(game))
        self._board = np.zeros((1, 2), np.uint64)
        self._moves = np.zeros(game.max_moves, np.int64)
        self._chances = np.zeros(game.max_moves, np.float64)
        self._run = move_values.bind(game, self._board, self.exact, self._moves, self._chances)

    def chance(self, p: Words) -> float:
        """The chance of winning of the side to roll, before the dice are thrown."""
        return float(self.exact.chances[index_of(self.game, p, self.exact.layout)]) / SCALE

    def moves(self, p: Words) -> tuple[list[int], list[float]]:
        """The moves of a decision, with the mover's chance of winning after each."""
        self._board[0] = p
        end = self._run()
        return self._moves[:end].tolist(), self._chances[:end].tolist()

    def hold_sample(self, count: int, seed: int) -> None:
        """Holds the values of so many positions of random games against those of their successors,
        by the rules themselves."""
        game, chance, p = self.game, random.Random(seed), self.game.start()
        for _ in range(count):
            mean, nexts = 0.0, list[Words]()
            for roll, probability in game.outcomes(p):
                q = game.play(p, roll)
                moves, after = self.moves(q)
                mean += probability * max(after)
                nexts.append(game.play(q, chance.choice(moves)))
            if abs(mean - self.chance(p)) > _ROUNDED:
                raise PetteiaError(
                    f"the values are not those of {all_rules(game)}: at {p[0]:#x} the table says "
                    f"{self.chance(p):.5f}, the positions after it {mean:.5f}"
                )
            p = chance.choice(nexts)
            if game.kind(p) == TERMINAL:
                p = game.start()


class Values(Lookup):
    """The table of a solved game, mapped into memory."""

    def __init__(self, game: UrRules) -> None:
        path = table_path(game)
        if not path.exists():
            raise PetteiaError(
                f"there is no table for {game} yet; petteia solve {str(game)!r} makes it "
                f"({2 * layout_of(game).states / 1e6:.1f} MB)"
            )
        self.table = TableFile.open(path, KIND, str(game))
        super().__init__(game, self.table.data)
