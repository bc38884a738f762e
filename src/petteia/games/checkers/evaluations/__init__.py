"""Evaluations of checkers: the report's with all its terms, and ours (``tuned.py``).

The report looks at red, which is White here, alone: Max wants its value high, Min low. So the
value for White is the sum over White's pieces, and the value for Black its opposite.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from petteia.compiled import popcount
from petteia.core.evaluation import Evaluation, LinearEvaluation
from petteia.core.words import U, Words
from petteia.games.checkers.evaluations.tuned import tuned
from petteia.games.checkers.rules import CheckersRules
from petteia.games.checkers.rules.board import BLACK_HOME, WHITE_HOME, mask
from petteia.learn.network import NetworkEvaluation, Sizes

__all__ = ["EVALUATIONS", "report_counts"]

Features = tuple[float, ...]

EDGE = BLACK_HOME | WHITE_HOME | mask(5, 13, 21, 12, 20, 28)
MIDDLE_ROWS = mask(*range(13, 21))
MIDDLE_COLUMNS = mask(14, 15, 18, 19)
"""The part of the two middle rows that lies in the middle four columns."""


def report_counts(p: Words, side: int) -> Features:
    """Kernel: the report's terms for one side, in the order of ``TERMS``.

    "Below" is towards the side's own home row.
    """
    own, enemy = (p[0], p[1]) if side == 0 else (p[1], p[0])
    empty = ~(own | enemy)
    enemy_men, enemy_kings = enemy & ~p[2], enemy & p[2]
    inner = own & ~EDGE
    guards = own | enemy_men
    # Squares off the edge have all four neighbours, so that no shift can leave the board.
    if side == 1:
        shielded = inner & guards >> U(4) & guards >> U(5)
        from_above = (enemy << U(5) & empty >> U(5)) | (enemy << U(4) & empty >> U(4))
        from_below = (enemy_kings >> U(4) & empty << U(4)) | (enemy_kings >> U(5) & empty << U(5))
        home = own & WHITE_HOME
    else:
        shielded = inner & guards << U(4) & guards << U(5)
        from_above = (enemy >> U(5) & empty << U(5)) | (enemy >> U(4) & empty << U(4))
        from_below = (enemy_kings << U(4) & empty >> U(4)) | (enemy_kings << U(5) & empty >> U(5))
        home = own & BLACK_HOME
    return (
        float(popcount(own & p[2])),
        float(popcount(own & ~p[2])),
        float(popcount(own & EDGE) + popcount(shielded)),
        float(popcount(inner & (from_above | from_below))),
        float(popcount(home)),
        float(popcount(own & MIDDLE_ROWS)),
        float(popcount(own & MIDDLE_COLUMNS)),
    )


TERMS = {
    "kings": 8.0, "men": 4.0, "safe": 1.0, "vulnerable": -1.0, "home_row": 1.0,
    "middle_rows": 1.5, "middle_columns": 0.5,
}  # fmt: skip
"""The report's weights; that of safe and vulnerable pieces it leaves open, and 1 is ours."""


def report_features(game: CheckersRules, p: Words, player: int) -> Features:
    """The report's heuristic: White's pieces alone, which Black wants few and badly placed."""
    red = report_counts(p, 1)
    if player == 1:
        return red
    return (-red[0], -red[1], -red[2], -red[3], -red[4], -red[5], -red[6])


def difference_features(game: CheckersRules, p: Words, player: int) -> Features:
    """The report's terms counted for both sides: own less enemy's."""
    a, b = report_counts(p, player), report_counts(p, 1 - player)
    return (
        a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5], a[6] - b[6],
    )  # fmt: skip


def material_features(game: CheckersRules, p: Words, player: int) -> Features:
    """Men and kings, own less enemy's: for measuring speed."""
    own, enemy = (p[0], p[1]) if player == 0 else (p[1], p[0])
    return (
        float(popcount(own & ~p[2]) - popcount(enemy & ~p[2])),
        float(popcount(own & p[2]) - popcount(enemy & p[2])),
    )


def _linear(name: str, features: Any, weights: dict[str, float]) -> Evaluation:
    return LinearEvaluation(name, features, weights)


def _learned() -> Evaluation:
    file = Path(__file__).with_name("learned.npz")
    evaluation = NetworkEvaluation("learned", Sizes(4, 1, 128, 8), file)
    evaluation.about = "a network on the bits of the position, from games against itself"
    return evaluation


EVALUATIONS: dict[str, Evaluation] = {
    evaluation.name: evaluation
    for evaluation in (
        _linear("report", report_features, TERMS),
        _linear("report_difference", difference_features, TERMS),
        tuned(),
        _linear("material", material_features, {"men": 100.0, "kings": 130.0}),
        _learned(),
    )
}
