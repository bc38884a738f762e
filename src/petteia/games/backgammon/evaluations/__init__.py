"""Evaluations by the features of the course framework, and the report's weights.

The framework's strategies prefer the *lowest* value; ours the highest. So every feature is given
with a minus, and the weights stand here as they were printed. Two orders of the same features:
the framework adds its terms in one and the report's author in another, and where sums tie, the
rounding of the last bit decides which play is found first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import popcount
from petteia.core.evaluation import Evaluation, LinearEvaluation
from petteia.core.rules import Rules
from petteia.core.words import U, Words
from petteia.games.backgammon.evaluations.inputs import escapes, has_contact, hitting_rolls
from petteia.games.backgammon.rules.board import (
    BAR,
    HOME,
    POINTS,
    bit,
    checkers,
    count_on,
    highest,
    made,
    mirrored,
    occupied,
    pips,
    singles,
)

__all__ = ["EVALUATIONS", "FRAMEWORK", "FRAMEWORK_TERMS", "TERMS", "TUNED", "StrategyEvaluation"]

TERMS = (
    "occupied", "taken", "distance", "enemy_distance", "singles", "single_distance", "pieces",
    "endzone", "blockade",
)  # fmt: skip
"""The report's names in short: number_occupied_spaces, opponents_taken_pieces, sum_distances,
sum_distances_opponent, number_of_singles, sum_single_distance_away_from_home, pieces_on_board,
sum_distances_to_endzone, largest_blockade."""

WIDE = ("home_points", "anchors", "shots", "shot_cost", "escapes", "enemy_escapes")
"""What ``wide_features`` has besides."""

PUBLISHED_BLOCKADE = "blockade_published"

FRAMEWORK_TERMS = (
    "distance", "enemy_distance_third", "singles", "single_distance_sixth", "occupied", "taken",
    "pieces", "endzone_sixth",
)  # fmt: skip


def _measured(game: Any, p: Words, player: int) -> tuple[int, ...]:
    """The features as whole numbers, in the report's order."""
    a, b = (p[0], p[1]) if player == 0 else (p[2], p[3])
    other_a, other_b = (p[2], p[3]) if player == 0 else (p[0], p[1])
    points = made(a, b) & POINTS
    alone = singles(a, b) & POINTS
    exposed, left = 0, alone
    while left != U(0):
        place = highest(left)
        left ^= bit(place)
        exposed += BAR - place
    beyond, left = 0, occupied(a, b) >> U(7) << U(7)
    while left != U(0):
        place = highest(left)
        left ^= bit(place)
        beyond += (place - 6) * count_on(a, b, place)
    wall, run = points, 0
    while wall != U(0):
        run += 1
        wall &= wall >> U(1)
    return (
        popcount(points),
        count_on(other_a, other_b, BAR),
        pips(a, b),
        pips(other_a, other_b),
        popcount(alone),
        exposed,
        checkers(a, b),
        beyond,
        run,
    )


def fixed_features(game: Any, p: Words, player: int) -> tuple[float, ...]:
    """The report's nine features, each with a minus; the blockade as it was meant."""
    f = _measured(game, p, player)
    return (
        -float(f[0]), -float(f[1]), -float(f[2]), -float(f[3]), -float(f[4]), -float(f[5]),
        -float(f[6]), -float(f[7]), -float(f[8]),
    )  # fmt: skip


def wide_features(game: Any, p: Words, player: int) -> tuple[float, ...]:
    """The same nine, and six that tell of the other's next throw: points in the own home board and
    in the other's, the rolls of 36 that hit, those times the most that a hit can cost, and how
    many rolls let the own rearmost checker and the other's one past a wall."""
    f = _measured(game, p, player)
    a, b = (p[0], p[1]) if player == 0 else (p[2], p[3])
    other_a, other_b = (p[2], p[3]) if player == 0 else (p[0], p[1])
    own, other = made(a, b) & POINTS, made(other_a, other_b) & POINTS
    shots = cost = rear = far = 0.0
    if has_contact(a, b, other_a, other_b):
        blots = mirrored(singles(a, b)) & POINTS
        theirs = occupied(other_a, other_b)
        hit = hitting_rolls(theirs, count_on(other_a, other_b, BAR), POINTS & ~mirrored(own), blots)
        if hit > 0:  # the blot that has come furthest costs most
            shots = float(hit)
            cost = hit * float(highest(blots & (bit(highest(theirs)) - U(1)) | U(1)))
        rear = escapes(highest(occupied(a, b)), other)
        far = escapes(highest(theirs), own)
    return (
        -float(f[0]), -float(f[1]), -float(f[2]), -float(f[3]), -float(f[4]), -float(f[5]),
        -float(f[6]), -float(f[7]), -float(f[8]), -float(popcount(own & HOME)),
        -float(popcount(own >> U(19))), -shots, -cost, -36.0 * rear, -36.0 * far,
    )  # fmt: skip


def all_features(game: Any, p: Words, player: int) -> tuple[float, ...]:
    """The framework's eight terms with its own divisors and in its own order, then the report's
    nine, each with a minus. One function for all strategies is compiled once for all."""
    f = _measured(game, p, player)
    return (
        -float(f[2]), -(f[3] / 3.0), -float(f[4]), -(f[5] / 6.0), -float(f[0]), -float(f[1]),
        -float(f[6]), -(f[7] / 6.0),
        -float(f[0]), -float(f[1]), -float(f[2]), -float(f[3]), -float(f[4]), -float(f[5]),
        -float(f[6]), -float(f[7]), -float(f[8]),
    )  # fmt: skip


class StrategyEvaluation(LinearEvaluation):
    """A strategy with the terms that it has; the others weigh nothing.

    The blockade as published is always 0, by a comparison that is the wrong way round: its weight
    stands here, and counts for nothing.
    """

    def _places(self) -> dict[str, int]:
        """Where each weight stands among all features."""
        if FRAMEWORK_TERMS[1] in self.weights:
            return {term: place for place, term in enumerate(FRAMEWORK_TERMS)}
        return {term: len(FRAMEWORK_TERMS) + place for place, term in enumerate(TERMS)}

    @property
    def array(self) -> np.ndarray:
        found = np.zeros(len(FRAMEWORK_TERMS) + len(TERMS))
        for term, place in self._places().items():
            found[place] = self.weights.get(term, 0.0)
        return found

    def shares(self, game: Rules, p: Words, player: int) -> dict[str, float]:
        features, places = self.function(game, p, player), self._places()
        return {
            term: weight * features[places[term]] if term in places else 0.0
            for term, weight in self.weights.items()
        }


FRAMEWORK = {
    "simple": ("the framework's CompareAllMovesSimple", (1, 0, 2, 0, -1, -1, 0, 0)),
    "weighting_distance": ("CompareAllMovesWeightingDistance", (1, -1, 2, 0, -1, -1, 0, 0)),
    "weighting_distance_and_singles": (
        "CompareAllMovesWeightingDistanceAndSingles",
        (1, -1, 0, 1, -1, -1, 0, 0),
    ),
    "end_game": (
        "CompareAllMovesWeightingDistanceAndSinglesWithEndGame",
        (1, -1, 0, 1, -1, -1, 3, 0),
    ),
    "end_game2": (
        "CompareAllMovesWeightingDistanceAndSinglesWithEndGame2",
        (1, -1, 0, 1, -1, -1, 3, 1),
    ),
}
"""The framework's strategies: what each is, and its weights in the order of its terms."""

# The author's own figures, which round to those of the report's tables.
TUNED: dict[str, tuple[float, ...]] = {
    "strategy1": (
        -0.578612945, -0.194372013, 0.998351437, -0.379138398, -0.48973386, 0.091891502,
        0.937047711, 0.055684155,
    ),
    "strategy2": (
        -0.518367714, 0.670480008, 0.329387027, -0.971336478, 0.942134589, 0.396376641,
        0.081913357, 0.137718485,
    ),
    "strategy3": (
        -0.925672285, -1, 1, -0.066992944, 0.20178664, 0.149303257, 1.227322035, 0.15410344,
    ),
    "strategy4": (
        -0.677618441, -0.88821331, 0.286821333, -0.458522188, 0.677571427, 0.66484779,
        0.588940316, 0.118851684,
    ),
    "strategy5": (
        -0.556156236, -0.489868686, -0.327466804, -0.761089344, 0.369566927, 0.8245367,
        0.662145221, 0.12011533,
    ),
    "average1": (
        -0.651285524, -0.3803948, 0.457418599, -0.52741587, 0.340265145, 0.425391178,
        0.699473728, 0.117294619,
    ),
    "weighted_average1": (
        -0.652420443, -0.383952242, 0.466022673, -0.522793883, 0.33279483, 0.421003869,
        0.704468506, 0.116933455,
    ),
    "strategy6": (
        -0.2662481, 0.50135914, 0.289347493, -0.923691027, -0.945535314, 0.354734213,
        0.578822592, 0.010391685, 0.89731644,
    ),
    "strategy7": (
        -0.394634295, -0.237660735, 0.946844601, -0.676908546, -0.828076405, 0.302795755,
        0.859162571, 0.074774006, 0.272423228,
    ),
    "strategy8": (
        -0.799316658, -0.97730048, 0.295315261, -0.472864634, 0.706229756, 0.082302355,
        0.145737443, 0.381089639, -0.685917433,
    ),
    "strategy9": (
        -0.970537182, -0.984568516, 0.736305713, -0.96755707, -0.559878932, 0.416247912,
        0.990162973, 0.158104991, 0.401819125,
    ),
    "strategy10": (
        -0.981082538, -0.7860525, 0.710610019, -0.979795933, 0.392081788, 0.784745383,
        0.221030135, 0.419805352, 0.464387108,
    ),
    "average2": (
        -0.682363755, -0.496844618, 0.595684617, -0.804163442, -0.247035821, 0.388165124,
        0.558983143, 0.208833135, 0.270005694,
    ),
    "weighted_average2": (
        -0.677260396, -0.489878324, 0.593681695, -0.802890489, -0.260272533, 0.382917484,
        0.565273178, 0.204864986, 0.270902899,
    ),
}  # fmt: skip
"""Weights by strategy: the report's ten, and the averages of its two tables."""

# petteia tune "backgammon(rules=course)" --agent "compare(eval=wide_features)"
#   --method "td(rate=0.005)" --against end_game2 --budget 400000 --iterations 40 --seed 7
_OURS = (
    0.08584291882045629, -0.060635428404600504, 0.008100293213040823, -0.02672917796039624,
    -0.05461704092663625, 0.0020056449185130126, 0.2298817960105565, 0.011893920595455059,
    -0.030798212092026434, -0.23031772302480877, -0.09635720306343232, 0.00111006319916372,
    0.0009182790882132002, -0.03505065085660622, 0.026709576612293843,
)  # fmt: skip

_SHIPPED = {
    "player1": ("strategy1", "the report's Player 1, which is Strategy 1"),
    "player2": ("strategy9", "the report's Player 2 as shipped, which is Strategy 9"),
    "player2_as_described": ("strategy7", "the report's Player 2 as described, Strategy 7"),
}


def _strategy(name: str, about: str, weights: dict[str, float]) -> Evaluation:
    found = StrategyEvaluation(name, all_features, weights)
    found.about = about
    return found


def _named(weights: tuple[float, ...], *, fixed: bool = False) -> dict[str, float]:
    terms = (*TERMS[:-1], TERMS[-1] if fixed else PUBLISHED_BLOCKADE)
    return dict(zip(terms[: len(weights)], map(float, weights), strict=True))


def _all() -> dict[str, Evaluation]:
    found = [
        _strategy(name, about, dict(zip(FRAMEWORK_TERMS, map(float, weights), strict=True)))
        for name, (about, weights) in FRAMEWORK.items()
    ]
    for name, weights in TUNED.items():
        table = 1 if len(weights) == 8 else 2
        as_published = ", the blockade as published (always 0)" if table == 2 else ""
        about = f"weights of the report's Table {table}{as_published}"
        found.append(_strategy(name, about, _named(weights)))
        if table == 2:
            about = f"{name} with the blockade as it was meant"
            found.append(_strategy(f"{name}_fixed", about, _named(weights, fixed=True)))
    for name, (same, about) in _SHIPPED.items():
        found.append(_strategy(name, about, _named(TUNED[same])))
    start: dict[str, float] = dict(
        zip(TERMS, (-1.0, -1.0, 1.0, -1 / 3, 2.0, 0.0, 0.0, 0.0, 0.0), strict=True)
    )
    features = LinearEvaluation("features", fixed_features, start)
    features.about = "the report's nine features to be tuned; WeightingDistance's weights"
    more = LinearEvaluation("wide_features", wide_features, {**start, **dict.fromkeys(WIDE, 0.0)})
    more.about = "the report's nine features and six of contact, to be tuned"
    ours: dict[str, float] = dict(zip((*TERMS, *WIDE), _OURS, strict=True))
    tuned = LinearEvaluation("tuned", wide_features, ours)
    tuned.about = "ours: wide_features with weights learned by TD(lambda) in self-play"
    return {evaluation.name: evaluation for evaluation in (*found, features, more, tuned)}


EVALUATIONS = _all()
"""All of them by name."""
