"""Our evaluation: squares and patterns in two phases, with weights fitted to self-play.

Everything is counted for Black as it stands and for White with the board turned, and speaks in
hundredths of a man. ``early`` weights hold with all men on the board, ``late`` ones without men,
and in between in proportion. The weights stand in ``tuned.txt``; ``learning.py`` makes them.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import numpy as np

from petteia.compiled import popcount, trailing_zeros
from petteia.core.evaluation import Evaluation, WeightedEvaluation
from petteia.core.words import U, Words
from petteia.games.checkers.rules import CheckersRules
from petteia.games.checkers.rules.board import ALL, mask

__all__ = ["NAMES", "plain_weights", "tuned", "tuned_value"]

_EVEN_ROWS = mask(*(n for n in range(1, 33) if (n - 1) // 4 % 2 == 0))
# How far men still have to go that nothing stands in the way of: one or two rows, three or four,
# more. For Black; White's lie the other way round.
_NEAR = (mask(*range(21, 29)), mask(*range(5, 13)))
_FARTHER = (mask(*range(13, 21)), mask(*range(13, 21)))
_FAR = (mask(*range(1, 13)), mask(*range(21, 33)))
_DOG_HOLES = (mask(28), mask(32), mask(5), mask(1))
"""A man on 28 shut in by White on 32, and a white one on 5 shut in by Black on 1."""

# Where each sort of weight begins.
_MAN_EARLY, _MAN_LATE, _KING, _BACK_EARLY, _BACK_LATE, _REST = 0, 28, 56, 88, 104, 120
_TERMS = (
    "mobility_early", "mobility_late", "backed_early", "backed_late", "run_near", "run_farther",
    "run_far", "trapped_king", "dog_hole", "only_kings", "trade", "turn_early", "turn_late",
    "the_move",
)  # fmt: skip

NAMES = (
    *(f"man_{square}_early" for square in range(1, 29)),
    *(f"man_{square}_late" for square in range(1, 29)),
    *(f"king_{square}" for square in range(1, 33)),
    *(f"home_{pattern:04b}_early" for pattern in range(16)),
    *(f"home_{pattern:04b}_late" for pattern in range(16)),
    *_TERMS,
)
"""Every weight: men and kings by their square, the men on the home row by the squares 4, 3, 2, 1
that they hold, and the other terms."""


def square_sum(men: np.uint64, kings: np.uint64, turned: int, early: float, w: np.ndarray) -> float:
    """Kernel: the worth of one side's pieces by their squares."""
    total = 0.0
    while men != U(0):
        bit = trailing_zeros(men)
        square = bit - bit // 9
        if turned != 0:
            square = 31 - square
        total += early * w[_MAN_EARLY + square] + (1.0 - early) * w[_MAN_LATE + square]
        men &= men - U(1)
    while kings != U(0):
        bit = trailing_zeros(kings)
        square = bit - bit // 9
        if turned != 0:
            square = 31 - square
        total += w[_KING + square]
        kings &= kings - U(1)
    return total


def reach_up(board: np.uint64) -> np.uint64:
    """Kernel: all squares from which a way down meets one of these."""
    for _ in range(7):
        board |= (board >> U(4) | board >> U(5)) & ALL
    return board


def reach_down(board: np.uint64) -> np.uint64:
    """Kernel: all squares from which a way up meets one of these."""
    for _ in range(7):
        board |= (board << U(4) | board << U(5)) & ALL
    return board


def tuned_value(game: CheckersRules, p: Words, player: int, w: np.ndarray) -> float:
    """Squares, home row, mobility, support, runaways, trapped kings, trades and the move."""
    black, white = p[0], p[1]
    empty = ALL & ~(black | white)
    black_men, white_men = black & ~p[2], white & ~p[2]
    black_kings, white_kings = black & p[2], white & p[2]
    men = popcount(black_men) + popcount(white_men)
    early = men * (1.0 / 24.0)
    late = 1.0 - early
    total = square_sum(black_men, black_kings, 0, early, w)
    total -= square_sum(white_men, white_kings, 1, early, w)

    # The home rows: bits 0 to 3 are squares 1 to 4; turned, 32 is 1.
    own = black_men & U(15)
    far = white_men >> U(31)
    far = (far & U(1)) << U(3) | (far & U(2)) << U(1) | (far & U(4)) >> U(1) | far >> U(3)
    total += early * (w[_BACK_EARLY + np.int64(own)] - w[_BACK_EARLY + np.int64(far)])
    total += late * (w[_BACK_LATE + np.int64(own)] - w[_BACK_LATE + np.int64(far)])

    down4, down5, up4, up5 = empty >> U(4), empty >> U(5), empty << U(4), empty << U(5)
    mobility = popcount(black & down4) + popcount(black & down5)
    mobility += popcount(black_kings & up4) + popcount(black_kings & up5)
    mobility -= popcount(white & up4) + popcount(white & up5)
    mobility -= popcount(white_kings & down4) + popcount(white_kings & down5)
    backed = popcount(black_men & black << U(4)) + popcount(black_men & black << U(5))
    backed -= popcount(white_men & white >> U(4)) + popcount(white_men & white >> U(5))
    total += mobility * (early * w[_REST] + late * w[_REST + 1])
    total += backed * (early * w[_REST + 2] + late * w[_REST + 3])

    running, fleeing = black_men & ~reach_up(white), white_men & ~reach_down(black)
    total += w[_REST + 4] * (popcount(running & _NEAR[0]) - popcount(fleeing & _NEAR[1]))
    total += w[_REST + 5] * (popcount(running & _FARTHER[0]) - popcount(fleeing & _FARTHER[1]))
    total += w[_REST + 6] * (popcount(running & _FAR[0]) - popcount(fleeing & _FAR[1]))

    beside = down4 | down5 | up4 | up5
    total += w[_REST + 7] * (popcount(black_kings & ~beside) - popcount(white_kings & ~beside))
    if black_men & _DOG_HOLES[0] != U(0) and white & _DOG_HOLES[1] != U(0):
        total += w[_REST + 8]
    if white_men & _DOG_HOLES[2] != U(0) and black & _DOG_HOLES[3] != U(0):
        total -= w[_REST + 8]
    kings = popcount(black_kings), popcount(white_kings)
    if kings[1] == 0 and kings[0] > 0:
        total += w[_REST + 9]
    if kings[0] == 0 and kings[1] > 0:
        total -= w[_REST + 9]
    # Who is ahead gains by every trade.
    balance = 10 * (popcount(black_men) - popcount(white_men)) + 13 * (kings[0] - kings[1])
    total += w[_REST + 10] * balance / (10 * men + 13 * (kings[0] + kings[1]) + 1)

    turn = early * w[_REST + 11] + late * w[_REST + 12]
    if popcount(black) == popcount(white):
        # Who is to move has the move if an odd number of pieces stands in its own columns.
        odd = popcount((black | white) & _EVEN_ROWS) & 1
        turn += late * (w[_REST + 13] if odd == 1 else -w[_REST + 13])
    total += turn if p[3] & U(1) == U(0) else -turn
    return total if player == 0 else -total


def plain_weights() -> dict[str, float]:
    """Material, a little advance and mobility: where the tuning begins."""
    weights = dict.fromkeys(NAMES, 0.0)
    for square in range(1, 29):
        weights[f"man_{square}_early"] = 100.0 + (square - 1) // 4
        weights[f"man_{square}_late"] = 100.0 + 2.0 * ((square - 1) // 4)
    for square in range(1, 33):
        edge = square in (1, 2, 3, 4, 5, 12, 13, 20, 21, 28, 29, 30, 31, 32)
        weights[f"king_{square}"] = 130.0 if edge else 136.0
    weights |= {"mobility_early": 1.0, "mobility_late": 2.0, "run_near": 20.0, "run_farther": 10.0}
    weights |= {"trapped_king": -20.0, "trade": 250.0, "home_0101_early": 5.0}
    return weights


def _read() -> dict[str, float]:
    text = files("petteia.games.checkers.evaluations").joinpath("tuned.txt").read_text("utf-8")
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    weights = {name: float(value) for name, value in lines}
    assert tuple(weights) == NAMES
    return weights


def tuned() -> Evaluation:
    """The evaluation with the fitted weights."""
    function: Any = tuned_value
    return WeightedEvaluation("tuned", function, _read())
