"""Evaluations of Breakthrough: the report's six under their own names, and ours.

The report's terms, each for a side: ``my`` workers left, ``front`` the rows that the most
advanced worker has advanced, ``avg`` the mean rows advanced. All values speak for the player who
searches.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from petteia.compiled import leading_zeros, mix, popcount, trailing_zeros
from petteia.core.evaluation import (
    Evaluation,
    LinearEvaluation,
    PlainEvaluation,
    WeightedEvaluation,
)
from petteia.core.words import U, Words
from petteia.games.breakthrough.evaluations.structure import structure_features
from petteia.games.breakthrough.rules import BreakthroughRules
from petteia.learn.network import NetworkEvaluation, Sizes

__all__ = ["EVALUATIONS", "LEARNED"]

Features = tuple[float, ...]


def weighted_count(board: np.uint64, planes: tuple[np.uint64, ...]) -> int:
    """The sum of the weights of the squares that are set."""
    total = 0
    for k in range(len(planes)):
        total += popcount(board & planes[k]) << k
    return total


def rows_advanced(game: BreakthroughRules, board: np.uint64, player: int) -> int:
    """The rows that all workers of the player have advanced together."""
    up = weighted_count(board, game.row_planes)
    return up if player == 0 else popcount(board) * (game.rows - 1) - up


def front(game: BreakthroughRules, board: np.uint64, player: int) -> int:
    """The rows that the most advanced worker has advanced; 0 without workers."""
    if board == U(0):
        return 0
    if player == 0:
        return (63 - leading_zeros(board)) // game.columns
    return game.rows - 1 - trailing_zeros(board) // game.columns


def report_features(game: BreakthroughRules, p: Words, player: int) -> Features:
    """Workers, front and average of both sides, and the two terms of the 3-Workers heuristic."""
    own, enemy = (p[0], p[1]) if player == 0 else (p[1], p[0])
    my, opp = popcount(own), popcount(enemy)
    my_avg = rows_advanced(game, own, player) / my if my > 0 else 0.0
    opp_avg = rows_advanced(game, enemy, 1 - player) / opp if opp > 0 else 0.0
    goal = game.goals[1] if player == 0 else game.goals[0]
    return (
        float(my),
        float(front(game, own, player)),
        my_avg,
        float(opp),
        float(front(game, enemy, 1 - player)),
        opp_avg,
        1.0 if my < 3 else 0.0,
        float(popcount(enemy & goal)),
    )


_TERMS = (
    "my", "my_front", "my_avg", "opp", "opp_front", "opp_avg", "my_few", "opp_arrived",
)  # fmt: skip


def _linear(name: str, about: str, *weights: float) -> Evaluation:
    padded = (*weights, 0.0, 0.0)[: len(_TERMS)]
    evaluation = LinearEvaluation(name, report_features, dict(zip(_TERMS, padded, strict=True)))
    evaluation.about = about
    return evaluation


def noisy_material(game: BreakthroughRules, p: Words, player: int, w: np.ndarray) -> float:
    """A count of workers with noise in [0, 1) that breaks ties.

    The noise belongs to the position, the player and the seed, so that every search of one move
    sees the same value at the same position, whatever its order.
    """
    own, enemy = (p[0], p[1]) if player == 0 else (p[1], p[0])
    hashed = mix(own ^ mix(enemy ^ mix(U(2 * player) + p[2] ^ mix(U(np.int64(w[3]))))))
    noise = np.float64(hashed >> U(11)) * 2.0**-53
    return w[0] + w[1] * popcount(own) + w[2] * popcount(enemy) + noise


def _noisy(name: str, about: str, constant: float, my: float, opp: float) -> Evaluation:
    weights = {"constant": constant, "my": my, "opp": opp, "seed": 0.0}
    evaluation = WeightedEvaluation(name, noisy_material, weights)
    evaluation.about = about
    return evaluation


def lorentz_value(game: BreakthroughRules, p: Words, player: int) -> float:
    """Lorentz and Horey's square table: own workers less the enemy's."""
    balance = weighted_count(p[0], game.lorentz_planes[0]) - weighted_count(
        p[1], game.lorentz_planes[1]
    )
    return float(balance if player == 0 else -balance)


def advancement_value(game: BreakthroughRules, p: Words, player: int) -> float:
    """Four points a worker and one a row: the plainest evaluation, for measuring speed."""
    balance = 4 * (popcount(p[0]) - popcount(p[1]))
    balance += rows_advanced(game, p[0], 0) - rows_advanced(game, p[1], 1)
    return float(balance if player == 0 else -balance)


# By benchmarks/train_breakthrough.py, row6 and home from games of 3 Workers; none set by hand.
_TUNED = {
    "row0": 10.9,
    "row1": 9.0,
    "row2": 10.0,
    "row3": 10.1,
    "row4": 12.3,
    "row5": 15.6,
    "row6": 35.1,
    "edge": -1.4,
    "guards": -0.1,
    "hanging": 0.9,
    "contested": 3.0,
    "supported": -0.9,
    "phalanx": 0.0,
    "chain": -0.3,
    "blocked": 0.0,
    "spare": -0.2,
    "cover": -1.4,
    "lean": -0.1,
    "home": 34.9,
    "front": -1.4,
    "tempo": 0.1,
}


class _InFourSums(LinearEvaluation):
    """Weights times features, added up in four sums: none has to wait for the one before."""

    def value(self, game: Any, p: Words, player: int, w: np.ndarray) -> float:
        features = self.function(game, p, player)
        a = b = c = d = 0.0
        for i in range(0, len(features) - 3, 4):
            a += w[i] * features[i]
            b += w[i + 1] * features[i + 1]
            c += w[i + 2] * features[i + 2]
            d += w[i + 3] * features[i + 3]
        for i in range(len(features) // 4 * 4, len(features)):
            a += w[i] * features[i]
        return (a + b) + (c + d)


def _tuned() -> Evaluation:
    evaluation = _InFourSums("tuned", structure_features, _TUNED)
    evaluation.about = "rows, safety and structure, weights by regression on our engine's games"
    evaluation.after_forced = True  # fitted to positions in which nobody is about to arrive
    return evaluation


def _learned(name: str, *, hidden: int, phases: int) -> Evaluation:
    file = Path(__file__).with_name(f"{name}.npz")
    evaluation = NetworkEvaluation(name, Sizes(2, 1, hidden, phases), file)
    evaluation.about = "a network on the bits of the position, from games against itself"
    return evaluation


LEARNED = {
    (8, 8, 2, 1): _learned("learned", hidden=128, phases=8),
    (8, 8, 2, 3): _learned("learned_three_workers", hidden=128, phases=8),
    (10, 5, 2, 1): _learned("learned_long_board", hidden=128, phases=8),
}
"""The networks by columns, rows, filled rows and workers that win."""


EVALUATIONS: dict[str, Evaluation] = {
    evaluation.name: evaluation
    for evaluation in (
        _noisy("offensive1", "the report's Offensive 1: 2 (30 - opp) + noise", 60, 0, -2),
        _noisy("defensive1", "the report's Defensive 1: 2 my + noise", 0, 2, 0),
        _linear("offensive2", "the report's Offensive 2", 1, 2, 3, 0, -5, -2),
        _linear("defensive2", "the report's Defensive 2", 2, 2, 3, -2, -5, -2),
        _linear("three_workers", "the report's 3 Workers, as meant", 2, 2, 3, -2, -5, -2, -10, -10),
        _linear(
            "three_workers_as_printed",
            "the report's 3 Workers with its sign slip, which rewards the enemy's advance",
            *(2, 2, 3, -2, 5, 2, -10, 10),
        ),
        _linear(
            "three_workers_offensive",
            "Offensive 2 with the two terms of 3 Workers",
            *(1, 2, 3, 0, -5, -2, -10, -10),
        ),
        _linear("long_board", "the report's long board", 2, 5, 5, -2, -5, -2),
        _linear("long_board_offensive", "Offensive 2 on the long board", 1, 5, 5, 0, -5, -2),
        PlainEvaluation("lorentz", lorentz_value),
        PlainEvaluation("advancement", advancement_value),
        _tuned(),
        *LEARNED.values(),
    )
}
