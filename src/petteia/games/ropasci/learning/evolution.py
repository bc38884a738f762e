"""The recipe of the evaluation ``learned``: weights moved by games one turn deep.

    python -m petteia.games.ropasci.learning.evolution --seconds 260 --rounds 6 [--workers 16]
        [--seed 1] [--write] [--against EVALUATION]

Regression (``fitting``) tells what goes with winning, games what wins. Throws that were saved go
with little in games of players who do not know what to do with them; a player who saves them wins.

Each round draws directions in the space of the weights, plays a pair of games with a step forward
and one with a step back, and moves every weight by how surely its direction gained: an evolution
strategy with mirrored samples (Salimans et al. 2017). Enemies are nash and paranoid, by ``hunt``
and by the weights at the start. The last steps still sway, so the mean of all rounds but the first
is kept.

With ``--against`` the only enemy is nash with this evaluation: what is trained is a best answer to
it. Its spec is printed; what it wins in fresh games shows how far that enemy can be exploited.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.games.ropasci import RoPaSci
from petteia.games.ropasci.evaluations import EVALUATIONS, learned
from petteia.games.ropasci.learning.fitting import NAMES, feature_rows
from petteia.search.contract import Limits, Question
from petteia.search.joint_search import JointSearch
from petteia.search.nash import NashSearch
from petteia.search.paranoid import ParanoidSearch
from petteia.search.stepper import stepper_of

__all__ = ["Round", "evolve", "score", "units"]

GAME = RoPaSci()
Enemies = tuple[tuple[str, str], ...]
ENEMIES: Enemies = (
    *[("nash", "hunt")] * 3, *[("nash", "learned")] * 4,
    *[("paranoid", "hunt")] * 2, ("paranoid", "learned"),
)  # fmt: skip
"""Who is met, as often as it stands here."""
_LONGEST = 250
"""Turns after which a game is drawn."""
_OPENING = 2, 7
"""Random turns at the start: from, and fewer than."""
_STEP, _RELATIVE, _LEAST = 0.1, 0.2, 0.03
"""A direction's length: so much of the log odds in usual positions, but no more than so much of the
weight and a little."""


@cache
def _search(kind: str, name: str) -> JointSearch:
    made = NashSearch if kind == "nash" else ParanoidSearch
    return made(GAME, EVALUATIONS[name], guard=1, contempt=1.0)


def score(weights: np.ndarray, enemy: tuple[str, str], seat: int, seed: int) -> float:
    """What nash with these weights, settings apart, scores in a game: 1, 0.5 or 0."""
    weights = np.append(weights, learned.LEARNED.array[len(NAMES) :])
    stepper, rng = stepper_of(GAME), np.random.default_rng(seed)
    players = [(_search("nash", "learned"), weights)] * 2
    players[1 - seat] = (_search(*enemy), EVALUATIONS[enemy[1]].array)
    p, line, times = GAME.start(), list[Words](), Counter[Words]()
    for _ in range(int(rng.integers(*_OPENING))):
        seen = stepper.look(p)
        p = stepper.play_both(p, int(rng.choice(seen.moves)), int(rng.choice(seen.others)))
    while GAME.end_of(p) == 0 and len(line) < _LONGEST:
        times[GAME.identity(p)] += 1
        if times[GAME.identity(p)] >= GAME.repetitions:
            break
        moves = []
        for player, (search, w) in enumerate(players):
            drawn = derive(seed, len(line), player)
            asked = Question(p, w, Limits(depth=1), player, drawn, line)
            moves.append(search.answer(asked).drawn(drawn).move)
        line.append(p)
        p = stepper.play_both(p, moves[0], moves[1])
    points = GAME.result(p)
    return 0.5 + (points if seat == 0 else -points) / 2


def units(weights: np.ndarray, seed: int = 1) -> np.ndarray:
    """The length of a step along each weight."""
    rng, stepper, words = np.random.default_rng(seed), stepper_of(GAME), list[list[int]]()
    for _ in range(40):
        p = GAME.start()
        for _ in range(40):
            seen = stepper.look(p)
            if not seen.moves:
                break
            p = stepper.play_both(p, int(rng.choice(seen.moves)), int(rng.choice(seen.others)))
            words.append([int(word) for word in p])
    spread = feature_rows(GAME, np.array(words, np.uint64))[0].std(axis=0)
    return np.minimum(_STEP / np.maximum(spread, 0.02), _RELATIVE * np.abs(weights) + _LEAST)


class Round(NamedTuple):
    """What a round found."""

    weights: np.ndarray
    certainty: np.ndarray
    """By weight: the gain along it in standard errors."""
    pairs: int
    score: float
    """The mean over all samples."""


def _sampled(
    centre: np.ndarray, unit: np.ndarray, seed: int, until: float, enemies: Enemies
) -> list[tuple[np.ndarray, float, float]]:
    """Directions, and what a step forward and one back scored, until the time is over."""
    found: list[tuple[np.ndarray, float, float]] = []
    while time.time() < until:
        drawn = derive(seed, len(found))
        rng = np.random.default_rng(drawn)
        along = rng.standard_normal(len(centre))
        enemy = enemies[int(rng.integers(len(enemies)))]
        forward, back = (
            sum(score(centre + sign * unit * along, enemy, seat, drawn) for seat in (0, 1)) / 2
            for sign in (1, -1)
        )
        found.append((along, forward, back))
    return found


def evolve(
    centre: np.ndarray,
    unit: np.ndarray,
    seconds: float,
    seed: int,
    pool: Any,
    workers: int,
    enemies: Enemies = ENEMIES,
) -> Round:
    """A round of so many seconds."""
    until = time.time() + seconds
    jobs = [
        pool.submit(_sampled, centre, unit, derive(seed, number), until, enemies)
        for number in range(workers)
    ]
    samples = [each for job in jobs for each in job.result()]
    along = np.array([each[0] for each in samples])
    gains = along * np.array([each[1] - each[2] for each in samples])[:, None]
    error = np.maximum(gains.std(axis=0) / np.sqrt(len(samples)), 1e-9)
    certainty = gains.mean(axis=0) / error
    mean = float(np.mean([each[1:] for each in samples]))
    moved = centre + unit * np.clip(certainty / 2, -1.5, 1.5)
    return Round(moved, certainty, len(samples), mean)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=260.0)
    options.add_argument("--rounds", type=int, default=6)
    options.add_argument("--workers", type=int, default=1)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--write", action="store_true")
    options.add_argument("--against", choices=list(EVALUATIONS))
    asked = options.parse_args()
    enemies = (("nash", asked.against),) if asked.against else ENEMIES
    if asked.against and asked.write:
        options.error("--write keeps what plays well against all, not a best answer")
    weights = learned.LEARNED.array[: len(NAMES)]
    unit, line = units(weights), list[np.ndarray]()
    with ProcessPoolExecutor(asked.workers) as pool:
        for number in range(asked.rounds):
            seconds, seed = asked.seconds / asked.rounds, derive(asked.seed, number)
            found = evolve(weights, unit, seconds, seed, pool, asked.workers, enemies)
            weights = found.weights
            line.append(weights)
            games = 4 * found.pairs
            print(f"round {number}: {games} games, mean score {found.score:.3f}", flush=True)
    mean = np.mean(line[1:], axis=0) if len(line) > 1 else line[0]
    named = dict(zip(NAMES, np.round(mean, 4).tolist(), strict=True))
    if asked.write:
        learned.write_weights("learned", {**learned.LEARNED.weights, **named})
    if asked.against:
        print(f"nash(eval={learned.LEARNED.with_weights(named).spec}, guard=1, contempt=1.0)")


if __name__ == "__main__":
    main()
