"""Training the networks by self-play, on this machine's processors or on a GPU.

    python -m petteia.games.backgammon.learning.training --device gpu --seconds 400 --out w.npy

Training goes in rounds. In each the games go on for some turns with the weights as they are (see
``lessons``); then each class's network takes some steps of Adam on boards of its own, drawn from
the latest lessons. The rate falls evenly on a scale of logarithms.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from petteia.compiled.batch import DEVICES
from petteia.core.errors import PetteiaError
from petteia.games.backgammon.evaluations.inputs import CLASSES
from petteia.games.backgammon.evaluations.network import WEIGHTS, fresh_weights
from petteia.games.backgammon.learning.boards import OTHER_ALL, OWN_ALL, Boards, on_host
from petteia.games.backgammon.learning.lessons import Games

__all__ = ["Learner", "Plan", "Shelf", "train"]

_AT_ONCE = 16
"""Steps whose inputs are laid out at a time."""


@dataclass(frozen=True)
class Plan:
    """How to train."""

    rounds: int = 200
    games: int = 8192
    """Games side by side."""
    turns: int = 16
    """Turns of each game in a round."""
    steps: int = 320
    """Steps of Adam in a round, for each network."""
    positions: int = 4096
    """Positions a step looks at."""
    rate: float = 0.001
    last_rate: float = 0.00001
    lam: float = 0.9
    kept: float = 0.4
    """The part of all lessons, the latest, that are drawn from."""
    most: int = 16_000_000
    """No more of them than this."""
    seed: int = 1


class Shelf:
    """The latest lessons, sorted by class."""

    def __init__(self, xp: Any, plan: Plan) -> None:
        self.xp, self.plan = xp, plan
        self.lessons: list[tuple[Any, Any, Any]] = []
        self.boards: Any = None
        self.targets: Any = None
        self.flags: Any = None
        self.of_class: list[Any] = []

    def add(self, boards: Any, targets: Any, flags: Any, rounds: int) -> None:
        """One more lesson, the number of which is given; those that are too old are dropped."""
        self.lessons.append((boards, targets, flags))
        most = min(max(4, int(self.plan.kept * rounds)), max(1, self.plan.most // len(boards)))
        del self.lessons[:-most]
        self.boards, self.targets, self.flags = (
            self.xp.concatenate(parts) for parts in zip(*self.lessons, strict=True)
        )
        self.of_class = [self.xp.nonzero(self.flags & 7 == kind)[0] for kind in range(len(CLASSES))]


class Learner:
    """Adam, D. Kingma and J. Ba 2015, for one network of all."""

    def __init__(self, boards: Boards, kind: int) -> None:
        self.boards, self.kind = boards, kind
        self.parts = boards.parts(kind)
        self.steps = 0
        self.moments = [[boards.xp.zeros_like(part) for _ in range(2)] for part in self.parts]

    def learn(self, shelf: Shelf, which: Any, positions: int, rate: float) -> Any:
        """Steps towards the targets of some lessons, so many positions at each; gives the sum over
        the steps of the mean square of the error of the points that a game is worth."""
        rows = self.boards.rows(shelf.boards, which, self.kind)
        targets, flags = shelf.targets[which], shelf.flags[which]
        # Nobody with a checker off loses a gammon.
        mask = self.boards.xp.ones_like(targets)
        mask[:, 1:3] *= ((flags & OTHER_ALL) != 0)[:, None]
        mask[:, 3:5] *= ((flags & OWN_ALL) != 0)[:, None]
        total = 0.0
        for begin in range(0, len(which), positions):
            these = slice(begin, begin + positions)
            total = total + self._step(rows[these], targets[these], mask[these], rate)
        return total

    def _step(self, x: Any, targets: Any, mask: Any, rate: float) -> Any:
        xp = self.boards.xp
        first, second = self.parts
        sums = x @ first
        r = 1.0 / (1.0 + xp.abs(sums))
        units = xp.concatenate([sums * r, x[:, -1:]], axis=1)  # the bias is 1 here too
        error = (1.0 / (1.0 + xp.exp(-(units @ second.T))) - targets) * mask
        points = 2 * error[:, 0] + error[:, 1] + error[:, 2] - error[:, 3] - error[:, 4]
        error /= len(x)
        inner = (error @ second[:, :-1]) * r * r
        self._move((x.T @ inner, error.T @ units), rate)
        return (points * points).mean()

    def _move(self, slopes: tuple[Any, Any], rate: float) -> None:
        self.steps += 1
        size = rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for part, slope, (mean, square) in zip(self.parts, slopes, self.moments, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            part -= size * mean / (self.boards.xp.sqrt(square) + 1e-8)


class Trainer:
    """The networks, the games that they play, and what they learned lately.

    While the networks learn from some lessons the games of the next go on, with the weights as they
    were; where games and learning have a device each, neither waits for the other.
    """

    def __init__(self, plan: Plan, weights: np.ndarray, device: str, games_on: str) -> None:
        if weights.shape != (WEIGHTS,):
            raise PetteiaError(f"the networks have {WEIGHTS} weights, not {weights.size}")
        self.plan = plan
        self.boards = Boards(weights, device)
        self.playing = Boards(weights, games_on)
        self.games = Games(self.playing, plan.games, plan.seed)
        self.shelf = Shelf(self.boards.xp, plan)
        self.learners = [Learner(self.boards, kind) for kind in range(len(CLASSES))]
        self.rounds = 0
        self._chance = np.random.default_rng(plan.seed)
        self._next: Future[tuple[np.ndarray, np.ndarray]] | None = None

    @property
    def weights(self) -> np.ndarray:
        """The weights as they are."""
        return on_host(self.boards.w)

    def _lesson(self) -> tuple[np.ndarray, np.ndarray]:
        boards, targets = self.games.lesson(self.plan.turns, self.plan.lam)
        return on_host(boards), on_host(targets)

    def round(self, pool: Executor, rate: float) -> dict[str, float]:
        """Plays and learns; gives the root of the mean square error of each class, in points."""
        xp = self.boards.xp
        found = self._next.result() if self._next is not None else self._lesson()
        self.playing.w = self.playing.xp.asarray(self.weights)
        self._next = pool.submit(self._lesson)
        boards, targets = (xp.asarray(part) for part in found)
        self.rounds += 1
        self.shelf.add(boards, targets, self.boards.flags(boards)[0], self.rounds)
        return {
            name: self._learn(learner, of_class, rate)
            for learner, name, of_class in zip(
                self.learners, CLASSES, self.shelf.of_class, strict=True
            )
        }

    def _learn(self, learner: Learner, of_class: Any, rate: float) -> float:
        plan, count, total = self.plan, len(of_class), 0.0
        if count < plan.positions:
            return 0.0
        for begin in range(0, plan.steps, _AT_ONCE):
            steps = min(_AT_ONCE, plan.steps - begin)
            drawn = self._chance.integers(0, count, steps * plan.positions)
            which = of_class[self.boards.xp.asarray(drawn)]
            total = total + learner.learn(self.shelf, which, plan.positions, rate)
        return float(total / plan.steps) ** 0.5


def train(
    plan: Plan, weights: np.ndarray, out: Path, *, seconds: float, device: str, games_on: str
) -> np.ndarray:
    """Trains from the weights, for these rounds or seconds; writes them and a log."""
    trainer = Trainer(plan, weights, device, games_on)
    started = told = time.monotonic()

    def tell(text: str) -> None:
        with out.with_suffix(".log").open("a") as file:
            print(text, file=file)
        print(text, flush=True)

    tell(f"# {asdict(plan)}")
    share = 0.0
    with ThreadPoolExecutor(1) as pool:
        while share < 1.0:
            rate = plan.rate * (plan.last_rate / plan.rate) ** share
            errors = trainer.round(pool, rate)
            now = time.monotonic()
            share = trainer.rounds / plan.rounds
            if seconds:  # the plan follows the clock
                share = max(share, (now - started) / seconds)
            if now - told > 10.0 or share >= 1.0:
                told = now
                np.save(out, trainer.weights)
                rms = ", ".join(f"{name} {error:.4f}" for name, error in errors.items())
                tell(
                    f"rounds {trainer.rounds} lessons {trainer.rounds * plan.games * plan.turns} "
                    f"evaluations {trainer.playing.evaluations} rate {rate:.6f} errors {rms} "
                    f"seconds {now - started:.0f}"
                )
    return trainer.weights


def main(arguments: list[str]) -> None:
    """Trains from the command line."""
    parser = argparse.ArgumentParser(prog="python -m petteia.games.backgammon.learning.training")
    for key, default in asdict(Plan()).items():
        parser.add_argument(f"--{key.replace('_', '-')}", type=type(default), default=default)
    parser.add_argument("--out", type=Path, default=Path("backgammon-network.npy"))
    parser.add_argument("--resume", type=Path, help="weights to begin with")
    parser.add_argument("--seconds", type=float, default=0.0, help="at most so long")
    parser.add_argument("--device", choices=DEVICES, default="cpu", help="learns")
    parser.add_argument("--games-on", choices=DEVICES, default="cpu", help="plays")
    given = vars(parser.parse_args(arguments))
    out, resume = given.pop("out"), given.pop("resume")
    how = {key: given.pop(key) for key in ("seconds", "device", "games_on")}
    plan = Plan(**given)
    try:
        weights = np.load(resume) if resume else fresh_weights(plan.seed)
        train(plan, weights.astype(np.float32), out, **how)
    except PetteiaError as error:
        raise SystemExit(f"petteia: {error}") from None


if __name__ == "__main__":
    main(sys.argv[1:])
