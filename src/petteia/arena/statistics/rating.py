"""Ratings of many players from all their results, and leagues."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Ratings", "bradley_terry", "league_name", "leagues"]

Floats = NDArray[np.float64]
_ELO = 400 / math.log(10)


@dataclass(frozen=True)
class Ratings:
    """Ratings on the Elo scale with mean zero, one for each player."""

    elo: tuple[float, ...]
    errors: tuple[float, ...]
    """The standard error of each rating against the mean of all."""
    covariance: Floats
    """The covariance of the ratings (players, players); its rows sum to zero."""

    def difference(self, first: int, second: int) -> tuple[float, float]:
        """How much stronger the first player is than the second, and the standard error of it."""
        cov = self.covariance
        variance = cov[first, first] + cov[second, second] - 2 * cov[first, second]
        return (self.elo[first] - self.elo[second], math.sqrt(max(0.0, float(variance))))

    def leagues(self, *, z: float = 1.0) -> list[list[int]]:
        """The leagues of these players; see the function of that name."""
        return leagues(self.elo, self.errors, z=z, covariance=self.covariance)


def bradley_terry(
    scores: ArrayLike, *, pair_squares: ArrayLike | None = None, prior: float = 0.5
) -> Ratings:
    """Ratings of the largest likelihood from ``scores[i, j]``, what i scored against j.

    The model of R. A. Bradley and M. E. Terry, 1952: i beats j with probability
    γ_i / (γ_i + γ_j); a draw is half a win for each. At the maximum every player's expected score
    is his actual one, the equation that D. R. Hunter's "MM algorithms for generalized
    Bradley-Terry models", 2004, iterates. The likelihood is concave in log γ, so Newton's method
    with halved steps gets there as surely, in a few steps where MM may take as many as there are
    games, and leaves the information that the errors are made of.

    ``prior`` wins and as many losses (half of one each) against a virtual average player are added
    for everybody, so that a player who won or lost everything has a finite rating and players who
    never met, even by way of others, can be compared.

    The errors come from the observed information, every game independent. If ``pair_squares``
    tells for each pairing by how much the mean scores of its pairs of games differ (the sum of
    their squared deviations from their mean; symmetrical), pairs are the independent units: the
    sandwich estimate of P. J. Huber, 1967, with variances as `_pair_variances` makes them.
    """
    wins = np.array(scores, float)
    if wins.ndim != 2 or wins.shape[0] != wins.shape[1] or wins.shape[0] == 0:
        raise ValueError(f"the scores are a square matrix, not {wins.shape}")
    if not np.isfinite(wins).all() or (wins < 0).any():
        raise ValueError("scores are finite and not negative")
    if prior <= 0:
        raise ValueError(f"the prior is positive, not {prior}")
    np.fill_diagonal(wins, 0.0)
    strength, information = _largest_likelihood(wins, prior)
    inverse: Floats = np.linalg.inv(information).astype(np.float64)
    covariance = inverse
    if pair_squares is not None:
        noise = _noise(wins, strength, np.array(pair_squares, float), prior)
        covariance = inverse @ noise @ inverse
    centre = np.eye(len(wins)) - 1 / len(wins)
    covariance = _ELO**2 * centre @ covariance @ centre
    elo = _ELO * (strength - strength.mean())
    errors = np.sqrt(np.maximum(0.0, covariance.diagonal()))
    return Ratings(tuple(elo.tolist()), tuple(errors.tolist()), covariance)


def _expected(strength: Floats) -> Floats:
    """The expected score of each player against each other; strengths are log γ."""
    expected: Floats = 0.5 * (1 + np.tanh((strength[:, None] - strength[None, :]) / 2))
    return expected


def _log_likelihood(wins: Floats, prior: float, strength: Floats) -> float:
    apart = strength[:, None] - strength[None, :]
    games = -(wins * np.logaddexp(0.0, -apart)).sum()
    virtual = -prior * (np.logaddexp(0.0, -strength) + np.logaddexp(0.0, strength)).sum()
    return float(games + virtual)


def _information(games: Floats, strength: Floats, prior: float) -> Floats:
    """Minus the second derivative of the log-likelihood."""
    expected = _expected(strength)
    weights = games * expected * (1 - expected)
    virtual = 0.5 * (1 + np.tanh(strength / 2))
    return np.diag(weights.sum(1) + 2 * prior * virtual * (1 - virtual)) - weights


def _largest_likelihood(wins: Floats, prior: float) -> tuple[Floats, Floats]:
    games, strength = wins + wins.T, np.zeros(len(wins))
    likelihood = _log_likelihood(wins, prior, strength)
    for _ in range(200):
        virtual = 0.5 * (1 + np.tanh(strength / 2))
        slope = (wins - games * _expected(strength)).sum(1) + prior - 2 * prior * virtual
        step = np.linalg.solve(_information(games, strength, prior), slope)
        scale = 1.0
        while scale > 1e-9:
            better = _log_likelihood(wins, prior, strength + scale * step)
            if better >= likelihood:
                break
            scale /= 2
        else:
            break
        strength, likelihood = strength + scale * step, better
        if np.abs(step).max() < 1e-10:
            break
    return strength, _information(games, strength, prior)


_TRUST = 6.0
"""How many pairs the model's variance is worth beside the observed one. In simulated tournaments
of 4 to 8 players (benchmarks/intervals.py) 95 % intervals then hold 93 to 100 %, from 1 pair on."""


def _pair_variances(games: Floats, strength: Floats, squares: Floats) -> Floats:
    """The variance of a pair's mean score in each pairing.

    Two independent games have the variance e (1 - e) / 2 for an expected score e. How far pairs
    keep to that is one factor for the tournament, the quasi-likelihood's dispersion (P. McCullagh
    and J. A. Nelder, Generalized Linear Models, 1989, chapter 9), and each pairing moves from
    there to what its own pairs show. A pairing near 0 or 1 shows little, as hardly a pair differs
    from the others even if many would: its pairs count by 4 e (1 - e).
    """
    expected = _expected(strength)
    model = expected * (1 - expected) / 2
    share = 8 * model
    seen = np.where(games > 0, np.maximum(0.0, games / 2 - 1) * share, 0.0)
    squares = np.where(games > 0, squares * share, 0.0)
    dispersion = (2 * _TRUST + (squares / model).sum()) / (2 * _TRUST + seen.sum())
    variances: Floats = (_TRUST * dispersion * model + squares) / (_TRUST + seen)
    return variances


def _noise(wins: Floats, strength: Floats, squares: Floats, prior: float) -> Floats:
    """The covariance of the players' total scores, if pairs differ as given."""
    if squares.shape != wins.shape or not np.allclose(squares, squares.T, equal_nan=True):
        raise ValueError("the squares of the pairs are a symmetrical matrix, like the scores")
    games = wins + wins.T
    met = games > 0
    if not np.isfinite(squares[met]).all() or (squares[met] < 0).any():
        raise ValueError("every pairing that was played needs squares that are not negative")
    # n games are n / 2 pairs, and a pair's total score has four times its mean's variance.
    weights = np.where(met, 2 * games * _pair_variances(games, strength, squares), 0.0)
    virtual = 0.5 * (1 + np.tanh(strength / 2))
    return np.diag(weights.sum(1) + 2 * prior * virtual * (1 - virtual)) - weights


def leagues(
    ratings: Sequence[float],
    errors: Sequence[float],
    *,
    z: float = 1.0,
    covariance: Floats | None = None,
) -> list[list[int]]:
    """Groups of players, strongest first, that the ratings can tell apart.

    Two players of different leagues always differ by more than ``z`` combined standard errors,
    √(e² + e'²), or √(e² + e'² - 2 cov) if the covariance of the ratings is given; there are as
    many leagues as that allows. Players of one league need not be equal: nobody in it could be
    parted from all those below him. One standard error is a lenient border, `Z95` a strict one.
    """
    if len(ratings) != len(errors):
        raise ValueError(f"{len(ratings)} ratings, but {len(errors)} errors")
    order = sorted(range(len(ratings)), key=lambda player: (-ratings[player], player))

    def apart(above: int, below: int) -> bool:
        shared = 0.0 if covariance is None else 2 * float(covariance[above, below])
        variance = errors[above] ** 2 + errors[below] ** 2 - shared
        return ratings[above] - ratings[below] > z * math.sqrt(max(0.0, variance))

    groups: list[list[int]] = []
    for place, player in enumerate(order):
        if all(apart(above, below) for above in order[:place] for below in order[place:]):
            groups.append([])
        groups[-1].append(player)
    return groups


def league_name(number: int) -> str:
    """A, B, ... Z, AA, AB and so on, the strongest league first (number 0)."""
    if number < 0:
        raise ValueError(f"leagues are numbered from 0, not {number}")
    name, rest = "", number + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        name = chr(ord("A") + letter) + name
    return name
