"""Weights of the report's evaluation from positions with scores.

The report's authors gave about a thousand positions a score by hand, kept them in JSON files,
fitted a linear regression, and gave it up: intuition labels badly, and every new feature wanted new
labels. Here is the same, and three ways to get labels without intuition: the results of games,
temporal differences, and the values of a deeper search.

A file is a list of objects with ``position`` (in our notation) and ``score`` (for upper, in tokens
x 10). ``sample.json`` beside this module holds some of ours, made by ``deep_labels``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL
from petteia.core.words import Words
from petteia.games.ropasci import RoPaSci
from petteia.games.ropasci.evaluations import EVALUATIONS
from petteia.search.contract import Limits, Question
from petteia.search.nash import NashSearch
from petteia.search.stepper import stepper_of

__all__ = [
    "SAMPLE", "TERMS", "Labelled", "deep_labels", "features", "fit", "fit_outcomes", "games_of",
    "log_loss", "read", "temporal_differences",
]  # fmt: skip

TERMS = ("throws", "tokens", "attack", "danger", "invincible", "ratio", "heavy")
"""The weights of the report's evaluation that are coefficients; the others are switches."""
SAMPLE = Path(__file__).with_name("sample.json")


@dataclass(frozen=True)
class Labelled:
    """A position with a score for upper."""

    position: Words
    score: float


def read(game: RoPaSci, paths: Iterable[Path]) -> list[Labelled]:
    """The labelled positions of some files."""
    found = []
    for path in paths:
        try:
            entries = json.loads(path.read_text())
            pairs = [(str(entry["position"]), float(entry["score"])) for entry in entries]
        except OSError as error:
            raise PetteiaError(f"cannot read {path}: {error.strerror}") from None
        except (ValueError, TypeError, KeyError):
            raise PetteiaError(
                f'{path}: expected a list of objects such as {{"position": "...", "score": 1.5}}'
            ) from None
        for number, (text, score) in enumerate(pairs, 1):
            if not math.isfinite(score):
                raise PetteiaError(f"{path}, entry {number}: the score {score} is no number")
            try:
                found.append(Labelled(game.parse(text), score))
            except PetteiaError as error:
                raise PetteiaError(f"{path}, entry {number}: {error}") from None
    return found


def features(game: RoPaSci, p: Words) -> np.ndarray:
    """What each coefficient is multiplied with, for upper."""
    evaluation, names = EVALUATIONS["report"], list(EVALUATIONS["report"].weights)
    found = np.zeros(len(TERMS))
    for place, term in enumerate(TERMS):
        w = np.zeros(len(names))
        for switch in ("weaken", "group", "harmonic"):
            w[names.index(switch)] = 1.0
        w[names.index(term)] = 1.0
        found[place] = evaluation.value(game, p, 0, w)
    return found


def fit(game: RoPaSci, labelled: Sequence[Labelled], ridge: float = 1e-3) -> dict[str, float]:
    """Least squares, as in the report; a little ridge for features that never vary."""
    if len(labelled) < len(TERMS):
        raise PetteiaError(f"{len(labelled)} labelled positions are too few for {len(TERMS)} terms")
    x = np.array([features(game, each.position) for each in labelled])
    y = np.array([each.score for each in labelled])
    found = np.linalg.solve(x.T @ x + ridge * len(y) * np.eye(len(TERMS)), x.T @ y)
    return dict(zip(TERMS, found.tolist(), strict=True))


# --- labels without intuition --------------------------------------------------------------------


def games_of(
    game: RoPaSci, weights: np.ndarray, count: int, seed: int, *, noise: float = 0.1
) -> list[tuple[list[Words], float]]:
    """Games of the equilibrium agent, depth 1, against itself, some of its moves at random: the
    positions of each, and upper's result."""
    search, stepper = NashSearch(game, EVALUATIONS["report"], guard=1), stepper_of(game)
    rng, found = np.random.default_rng(seed), []
    for _ in range(count):
        p, line = game.start(), list[Words]()
        while game.kind(p) != TERMINAL and len(line) < 150:
            moves = []
            rows, columns, matrix = search.matrix(Question(p, weights, earlier=line))
            solved = search.solver.solve(matrix)
            for own, strategy in ((rows, solved.row), (columns, solved.column)):
                if rng.random() < noise:
                    moves.append(int(rng.choice(own)))
                else:
                    moves.append(own[int(rng.choice(len(own), p=strategy / strategy.sum()))])
            line.append(p)
            p = stepper.play_both(p, moves[0], moves[1])
        found.append((line, float(game.result(p)) if game.kind(p) == TERMINAL else 0.0))
    return found


def deep_labels(
    game: RoPaSci, positions: Iterable[Words], weights: np.ndarray, depth: int = 2
) -> list[Labelled]:
    """Positions with the values of an equilibrium some turns deep."""
    search = NashSearch(game, EVALUATIONS["report"])
    found = []
    for p in positions:
        value = search.value(Question(p, weights, Limits(depth)))
        if abs(value) < 200:  # a game that is decided says nothing about coefficients
            found.append(Labelled(p, round(value, 3)))
    return found


def _expected(values: np.ndarray) -> np.ndarray:
    """A value as upper's expected score."""
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -30, 30))))


def fit_outcomes(
    game: RoPaSci,
    games: Sequence[tuple[list[Words], float]],
    steps: int = 300,
    ridge: float = 1e-3,
) -> dict[str, float]:
    """Logistic regression of results on positions, by Newton's method; a draw is half a win. In
    units of log odds."""
    x = np.array([features(game, p) for line, _ in games for p in line])
    y = np.array([0.5 + result / 2 for line, result in games for _ in line])
    w = np.zeros(len(TERMS))
    for _ in range(steps):
        expected = _expected(x @ w)
        slope = x.T @ (y - expected) / len(y) - ridge * w
        curve = (x.T * (expected * (1 - expected))) @ x / len(y) + ridge * np.eye(len(w))
        step = np.linalg.solve(curve, slope)
        w += step
        if abs(step).max() < 1e-9:
            break
    return dict(zip(TERMS, w.tolist(), strict=True))


def temporal_differences(
    game: RoPaSci,
    games: Sequence[tuple[list[Words], float]],
    *,
    decay: float = 0.7,
    rate: float = 0.02,
    rounds: int = 3,
) -> dict[str, float]:
    """TD(lambda) on recorded games (Sutton 1988): every position learns from the next ones, with
    weights that fall by ``decay`` a turn. In units of log odds."""
    w = np.zeros(len(TERMS))
    known = [(np.array([features(game, p) for p in line]), result) for line, result in games]
    scale = np.maximum(np.concatenate([x for x, _ in known]).std(axis=0), 1e-3)
    for number in range(rounds):
        for x, result in known:
            trace, z = np.zeros(len(TERMS)), x / scale
            values = _expected(z @ w)
            for t in range(len(z)):
                target = values[t + 1] if t + 1 < len(z) else 0.5 + result / 2
                trace = decay * trace + values[t] * (1 - values[t]) * z[t]
                w += rate / (1 + number) * (target - values[t]) * trace
                values = _expected(z @ w)
    return dict(zip(TERMS, (w / scale).tolist(), strict=True))


def log_loss(
    game: RoPaSci,
    weights: dict[str, float],
    train: Sequence[tuple[list[Words], float]],
    test: Sequence[tuple[list[Words], float]],
) -> float:
    """How badly an evaluation foretells results: mean log loss on ``test``, after the scale of its
    values was fitted on ``train``, so that only what it says about positions counts."""
    w = np.array([weights[term] for term in TERMS])

    def points(games: Sequence[tuple[list[Words], float]]) -> tuple[np.ndarray, np.ndarray]:
        x = np.array([features(game, p) @ w for line, _ in games for p in line])
        return x, np.array([0.5 + result / 2 for line, result in games for _ in line])

    def loss(x: np.ndarray, y: np.ndarray, scale: float) -> float:
        expected = np.clip(_expected(scale * x), 1e-9, 1 - 1e-9)
        return float(-np.mean(y * np.log(expected) + (1 - y) * np.log(1 - expected)))

    x, y = points(train)
    scales = np.geomspace(1e-3, 10, 60)
    best = min(scales, key=lambda scale: loss(x, y, scale))
    return loss(*points(test), float(best))
