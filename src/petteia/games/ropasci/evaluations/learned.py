"""Two evaluations learned from games: what a position has, weighed by results.

Every feature is a side's own less the enemy's, so that the value is even-handed, and it is the same
in all twelve images of a position. Each has two weights: one that always counts, and ``_early``,
which counts by the share of the throws that are left. The weighted sum is the logarithm of the odds
of winning. The value is the expected result in hundredths, from -100 to 100, so that tokens are
worth less the more certain the game is: who is ahead gains by trading.

``fitted`` has the weights that foretell results best (``ropasci.learning.fitting``), ``learned``
those that win most games (``ropasci.learning.evolution``); it saves its throws.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from petteia.compiled import popcount, trailing_zeros
from petteia.core.evaluation import Evaluation
from petteia.core.rules import Rules
from petteia.core.words import U, Words
from petteia.games.ropasci.evaluations.tokens import Planes, count_on, planes_of
from petteia.games.ropasci.rules import RoPaSciRules
from petteia.games.ropasci.rules.hexes import HEXES, distance

__all__ = [
    "FEATURES",
    "FITTED",
    "LEARNED",
    "POINT",
    "SETTINGS",
    "LearnedEvaluation",
    "features",
    "write_weights",
]

POINT = 100.0
"""What a win is worth."""
FEATURES = (
    "tokens", "tokens_log", "throws_log", "has_throws", "lacking",
    "invincible", "invincible_tokens", "unhunted", "idle", "hunting_types", "pairs",
    "pressure", "adjacent", "two_away", "exposed", "stacked", "centre",
)  # fmt: skip
SETTINGS = ("slow", "use", "spent", "bonus")
"""What stands behind the weights of the features.

``slow``: the share of the value that still grows where the game is as good as won. ``use``: with
fewer turns left than this, saved throws count less and less, so that they are made. ``spent``: so
many saved throws count once the enemy has none left, and ``bonus``: what it then is worth more to
have any, as a logarithm like theirs; so that the others are made rather than hoarded.
"""
_COUNT = len(FEATURES)
_THROWS, _HAS_THROWS, _INVINCIBLE = (
    FEATURES.index(name) for name in ("throws_log", "has_throws", "invincible")
)
_SLOW_AT, _USE_AT, _SPENT_AT, _BONUS_AT = range(2 * _COUNT, 2 * _COUNT + len(SETTINGS))
_NEVER, _HARDLY = 0.25, 0.25
"""What is left of the log odds of a lead; not nothing, so that better moves are told from worse."""
_FILE = Path(__file__).with_name("learned.json")
_HASTE = 60.0
"""With fewer turns left than this a lead is worth less: the game will be a draw."""
_SLOW = 8.0
"""Log odds at which the slow part of the value is at half its height."""

_FROM_CENTRE = np.array([float(distance(place, (0, 0))) for place in HEXES])
_STEPS = np.array([distance(a, b) for a in HEXES for b in HEXES], np.int64)
_NEAR = np.array([1.0, 1.0, 0.6, 0.4, 0.28, 0.2, 0.14, 0.1, 0.07])
"""How near a hunter at this distance is."""
_LOG = np.array([math.log1p(n) for n in range(20)])


def hunted(
    hunters: np.uint64, prey: np.uint64, enemy: Planes, many: np.uint64
) -> tuple[float, int, int]:
    """Kernel: how near the hunters are to all tokens on ``prey``, and how many of these have one
    beside them or two steps away."""
    pressure, beside, two_away = 0.0, 0, 0
    while prey != U(0):
        place = trailing_zeros(prey) * 61
        bit = prey & (~prey + U(1))
        prey &= prey - U(1)
        nearest, left = 9, hunters
        while left != U(0):
            nearest = min(nearest, _STEPS[place + trailing_zeros(left)])
            left &= left - U(1)
        count = count_on(enemy, bit) if bit & many != U(0) else 1
        pressure += count * _NEAR[nearest]
        if nearest == 1:
            beside += count
        elif nearest == 2:
            two_away += count
    return pressure, beside, two_away


def side(game: RoPaSciRules, p: Words, player: int) -> tuple[float, ...]:
    """Kernel: the features of one side; stacks count by their tokens.

    tokens and throws left, also as logarithms; whether there are throws; symbols that it neither
    has nor can throw; tokens that are invincible, or whose hunter is not on the board (by the
    enemy's throws), or have no prey any more; symbols with prey, and pairs of hunter and prey;
    nearness to all prey, prey beside a hunter and two steps away; tokens where the enemy may throw;
    tokens on top of others; steps from the middle of the board.
    """
    own, enemy = planes_of(p, player), planes_of(p, 1 - player)
    mine, other = own[0] | own[1] | own[2] | own[3], enemy[0] | enemy[1] | enemy[2] | enemy[3]
    many = enemy[1] | enemy[2] | enemy[3]
    left = game.throws - game.thrown(p, player)
    their_left = game.throws - game.thrown(p, 1 - player)
    symbols = (p[0] & ~p[1], p[1] & ~p[0], p[0] & p[1])
    tokens = absent = invincible = unhunted = idle = hunting = pairs = 0
    pressure, beside, two_away = 0.0, 0, 0
    for t in range(3):
        ours, prey = mine & symbols[t], other & symbols[(t + 2) % 3]
        if ours == U(0):
            absent += 1
            continue
        count = count_on(own, ours)
        tokens += count
        if other & symbols[(t + 1) % 3] == U(0):
            unhunted += count
        if prey == U(0):
            idle += count
        else:
            hunting += 1
            pairs += min(count, count_on(enemy, prey))
            near = hunted(ours, prey, enemy, many)
            pressure += near[0]
            beside += near[1]
            two_away += near[2]
    exposed = 0
    if their_left > 0:
        exposed = count_on(own, mine & game.zones[10 * (1 - player) + game.throws - their_left])
        idle = 0
    else:
        invincible, unhunted = unhunted, 0
    centre, standing = 0.0, mine
    while standing != U(0):
        centre += _FROM_CENTRE[trailing_zeros(standing)]
        standing &= standing - U(1)
    stock = tokens + left
    return (
        float(stock), _LOG[stock], _LOG[left], 1.0 if left > 0 else 0.0,
        float(max(absent - left, 0)), 1.0 if invincible > 0 else 0.0, float(invincible),
        unhunted / max(their_left, 1), float(idle), float(hunting), float(pairs), pressure,
        float(beside), float(two_away), float(exposed), float(tokens - popcount(mine)), centre,
    )  # fmt: skip


def early(game: RoPaSciRules, p: Words) -> float:
    """Kernel: the share of all throws that is left."""
    made = game.thrown(p, 0) + game.thrown(p, 1)
    return 1.0 - made / (2.0 * game.throws)


def worth_of_throws(game: RoPaSciRules, p: Words, player: int, w: np.ndarray) -> float:
    """Kernel: what a player's throws left are worth, when there is time for all of them."""
    left, share = game.throws - game.thrown(p, player), early(game, p)
    found = _LOG[left]
    if left > 0 and game.thrown(p, 1 - player) == game.throws:
        left = min(left, max(0, int(w[_SPENT_AT])))
        found, share = _LOG[left] + w[_BONUS_AT], left / (2.0 * game.throws)
    return found * (w[2 * _THROWS] + share * w[2 * _THROWS + 1])


def saving(game: RoPaSciRules, p: Words, player: int, w: np.ndarray) -> float:
    """Kernel: what throws left are worth, own less the enemy's, by the turns that are left."""
    time = min(1.0, (game.turns - game.turn(p)) / max(w[_USE_AT], 1.0))
    return time * (worth_of_throws(game, p, player, w) - worth_of_throws(game, p, 1 - player, w))


def haste(game: RoPaSciRules, p: Words) -> float:
    """Kernel: how much of a lead there is still time for."""
    return min(1.0, (game.turns - game.turn(p)) / _HASTE)


def expected(odds: float, slow: float) -> float:
    """Kernel: the expected result, from -1 to 1, for the logarithm of the odds. The share ``slow``
    of it still grows where the game is as good as won, so that a lead is pressed."""
    return (1.0 - slow) * math.tanh(0.5 * odds) + slow * odds / (abs(odds) + _SLOW)


def features(game: RoPaSciRules, p: Words, player: int) -> tuple[float, ...]:
    """The features, own less the enemy's; then what is left of a lead of one's own, and of the
    enemy's."""
    a, b = side(game, p, player), side(game, p, 1 - player)
    return (
        a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5],
        a[6] - b[6], a[7] - b[7], a[8] - b[8], a[9] - b[9], a[10] - b[10], a[11] - b[11],
        a[12] - b[12], a[13] - b[13], a[14] - b[14], a[15] - b[15], a[16] - b[16],
        hope(a, b), hope(b, a),
    )  # fmt: skip


def hope(own: tuple[float, ...], enemy: tuple[float, ...]) -> float:
    """Kernel: what is left of a lead that can hardly be won, or not at all.

    An enemy with an invincible token keeps it for ever. And without throws a hunter that is alone
    does not catch one of two tokens, nor of three: of these endings 97 and 99.9 % are drawn
    (``ropasci.solution``). With another token beside it, it wins 71 to 100 % in the end, by what
    that token and its enemies are; the weights say 72 to 89 %.
    """
    if enemy[_INVINCIBLE] > 0.0:
        return _NEVER
    is_alone = own[0] <= 1.0 and enemy[0] >= 2.0
    if is_alone and own[_HAS_THROWS] + enemy[_HAS_THROWS] == 0.0:
        return _HARDLY
    return 1.0


class LearnedEvaluation(Evaluation):
    """Log odds by weighted features, told as the expected result."""

    def __init__(self, name: str, function: Any, weights: Mapping[str, float]) -> None:
        super().__init__(name, function, weights)
        self.point = POINT

    def value(self, game: Any, p: Words, player: int, w: np.ndarray) -> float:
        found, share = self.function(game, p, player), early(game, p)
        total = saving(game, p, player, w)
        for i in range(_COUNT):
            if i != _THROWS:
                total += found[i] * (w[2 * i] + share * w[2 * i + 1])
        total *= found[_COUNT] if total > 0.0 else found[_COUNT + 1]
        return POINT * expected(haste(game, p) * total, w[_SLOW_AT])

    def shares(self, game: Rules, p: Words, player: int) -> dict[str, float]:
        """The value divided among the features as the log odds are."""
        rules: Any = game
        found, w = self.function(rules, p, player)[:_COUNT], self.array
        share = early(rules, p)
        parts = [x * (w[2 * i] + share * w[2 * i + 1]) for i, x in enumerate(found)]
        parts[_THROWS] = saving(rules, p, player, w)
        total, value = sum(parts), self.of(game, p, player)
        unit = value / total if abs(total) > 1e-9 else 0.0
        return {name: float(part * unit) for name, part in zip(FEATURES, parts, strict=True)}


def _weights(name: str) -> dict[str, float]:
    kept = json.loads(_FILE.read_text())[name]
    names = [key for each in FEATURES for key in (each, f"{each}_early")]
    return {key: float(kept[key]) for key in (*names, *SETTINGS)}


def write_weights(name: str, weights: Mapping[str, float]) -> None:
    """Makes these the weights of the evaluation of this name."""
    kept = {**json.loads(_FILE.read_text()), name: dict(weights)}
    _FILE.write_text(json.dumps(kept, indent=1) + "\n")


FITTED = LearnedEvaluation("fitted", features, _weights("fitted"))
LEARNED = LearnedEvaluation("learned", features, _weights("learned"))
FITTED.about = "the chance of winning, by features whose weights foretell results"
LEARNED.about = "the chance of winning, by features whose weights win games"
