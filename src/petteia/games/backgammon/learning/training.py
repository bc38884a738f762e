"""Training the networks by self-play, on this machine's processors or on a GPU.

    python -m petteia.games.backgammon.learning.training FOLDER --device gpu --start network.npy

A round has two parts. The networks as they are play games side by side (see ``lessons``), and what
happened is kept in files. Then each class's network takes steps of Adam on boards of its own, drawn
from the games of the last rounds, while the rate falls evenly on a scale of logarithms; the classes
learn side by side, each in a process of its own. One game in fifty is held out: the log tells the
root of the mean square error there, in points. A run that was stopped goes on after the last file
that was written.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled.batch import DEVICES
from petteia.core.errors import PetteiaError
from petteia.core.seeds import derive
from petteia.core.writing import writing_whole
from petteia.games.backgammon.evaluations.inputs import CLASSES
from petteia.games.backgammon.evaluations.network import WEIGHTS, fresh_weights
from petteia.games.backgammon.learning.boards import OTHER_ALL, OWN_ALL, Boards, on_host, place_of
from petteia.games.backgammon.learning.lessons import Games, Played, taught
from petteia.games.backgammon.solution.neural import loaded

__all__ = ["Learner", "Lessons", "Plan", "learn", "lessons_of", "play", "train"]

_HELD_OUT = 50
"""One game in so many is not learned from."""
_SETTLING = 12
"""Turns before the first that is kept: games should not all have just begun."""
_ROWS = 1 << 16
"""Boards whose inputs are laid out at a time."""
_SLOW_START = 500
"""Steps in which the rate rises."""


@dataclass(frozen=True)
class Plan:
    """How to train."""

    rounds: int = 3
    lessons: int = 14_000_000
    """Boards in a round."""
    games: int = 32_768
    """Games side by side."""
    turns: int = 24
    """Turns of each game in a file."""
    steps: int = 450_000
    """Steps of Adam in a round, for each network."""
    positions: int = 512
    """Positions a step looks at."""
    rate: float = 0.001
    last_rate: float = 0.00001
    lam: float = 0.6
    recent: int = 2
    """Learns from the games of so many rounds, the latest."""
    seed: int = 1


class Lessons(NamedTuple):
    """What is learned about the boards of one class; arrays of the device."""

    boards: Any
    targets: Any
    mask: Any
    """0 for chances of which the networks know that they are 0."""


def play(plan: Plan, number: int, weights: np.ndarray, folder: Path, device: str) -> list[Path]:
    """The games of a round, in files."""
    count = -(-plan.lessons // (plan.games * plan.turns))
    files = [folder / f"games-{number}-{part:03}.npz" for part in range(count)]
    missing = [file for file in files if not file.exists()]
    if not missing:
        return files
    seed = derive(plan.seed, number, count - len(missing))
    games = Games(Boards(weights, device), plan.games, seed)
    for _ in range(_SETTLING):
        games.turn()
    started = time.monotonic()
    for done, file in enumerate(missing, 1):
        played = games.played(plan.turns)
        with writing_whole(file) as out:
            np.savez(out, **played._asdict())
        boards = done * plan.games * plan.turns
        print(f"round {number}: {boards:,} lessons, {time.monotonic() - started:.0f} s", flush=True)
    return files


def lessons_of(boards: Boards, files: list[Path], kind: int, lam: float) -> tuple[Lessons, Lessons]:
    """What files teach about one class, and what is held out."""
    parts: tuple[list[Any], list[Any]] = [], []
    for path in files:
        with np.load(path, allow_pickle=False) as file:
            played = Played(**{name: file[name] for name in Played._fields})
        flags = on_host(boards.flags(boards.xp.asarray(played.now.reshape(-1, 4)))[0])
        flags = flags.reshape(played.linked.shape)
        is_held = np.arange(played.linked.shape[1]) % _HELD_OUT == 0
        targets = taught(played, lam)
        for rows, chosen in zip(parts, (~is_held, is_held), strict=True):
            which = (flags & 7 == kind) & chosen
            rows.append((played.now[which], targets[which], flags[which]))
    learned, held = (_lessons(boards.xp, rows) for rows in parts)
    return learned, held


def _lessons(xp: Any, rows: list[Any]) -> Lessons:
    now, targets, flags = (np.concatenate(part) for part in zip(*rows, strict=True))
    # Nobody with a checker off loses a gammon.
    mask = np.ones(targets.shape, np.float32)
    mask[:, 1:3] *= ((flags & OTHER_ALL) != 0)[:, None]
    mask[:, 3:5] *= ((flags & OWN_ALL) != 0)[:, None]
    return Lessons(*(xp.asarray(each) for each in (now, targets, mask)))


class Learner:
    """Adam, D. Kingma and J. Ba 2015, for one network of all."""

    def __init__(self, boards: Boards, kind: int) -> None:
        self.boards, self.kind = boards, kind
        self.parts = boards.parts(kind)
        self.steps = 0
        self.moments = [[boards.xp.zeros_like(part) for _ in range(2)] for part in self.parts]

    def learn(self, lessons: Lessons, which: Any, positions: int, rate: float) -> None:
        """Steps towards the targets of some lessons, so many positions at each."""
        rows = self.boards.rows(lessons.boards, which, self.kind)
        targets, mask = lessons.targets[which], lessons.mask[which]
        for begin in range(0, len(which), positions):
            these = slice(begin, begin + positions)
            self._step(rows[these], targets[these], mask[these], rate)

    def error(self, lessons: Lessons) -> float:
        """The root of the mean square error of the points that a board is worth."""
        xp, total, count = self.boards.xp, 0.0, len(lessons.targets)
        for begin in range(0, count, _ROWS):
            which = xp.arange(begin, min(count, begin + _ROWS))
            x = self.boards.rows(lessons.boards, which, self.kind)
            error = self._ahead(x)[2] - lessons.targets[which]
            error *= lessons.mask[which]
            points = 2 * error[:, 0] + error[:, 1] + error[:, 2] - error[:, 3] - error[:, 4]
            total += float((points * points).sum())
        return float((total / max(count, 1)) ** 0.5)

    def _ahead(self, x: Any) -> tuple[Any, Any, Any]:
        """How steep the hidden units are, what they say, the bias last, and the outputs."""
        xp = self.boards.xp
        first, second = self.parts
        sums = x @ first
        r = 1.0 / (1.0 + xp.abs(sums))
        units = xp.concatenate([sums * r, x[:, -1:]], axis=1)  # the bias is 1 here too
        return r * r, units, 1.0 / (1.0 + xp.exp(-(units @ second.T)))

    def _step(self, x: Any, targets: Any, mask: Any, rate: float) -> None:
        steep, units, said = self._ahead(x)
        error = (said - targets) * mask / len(x)
        inner = (error @ self.parts[1][:, :-1]) * steep
        self._move((x.T @ inner, error.T @ units), rate)

    def _move(self, slopes: tuple[Any, Any], rate: float) -> None:
        self.steps += 1
        size = rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for part, slope, (mean, square) in zip(self.parts, slopes, self.moments, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            part -= size * mean / (self.boards.xp.sqrt(square) + 1e-8)


def learn(
    plan: Plan, kind: int, weights: np.ndarray, files: list[Path], device: str
) -> tuple[np.ndarray, str]:
    """All weights with those of one class learned, and a line for the log."""
    boards = Boards(weights, device)
    learned, held = lessons_of(boards, files, kind, plan.lam)
    learner, count = Learner(boards, kind), len(learned.targets)
    before = learner.error(held)
    if count >= plan.positions:
        chance = np.random.default_rng(derive(plan.seed, kind))
        several = max(1, _ROWS // plan.positions)
        while learner.steps < plan.steps:
            rate = plan.rate * (plan.last_rate / plan.rate) ** (learner.steps / plan.steps)
            rate *= min(1.0, (learner.steps + 1) / _SLOW_START)
            steps = min(several, plan.steps - learner.steps)
            drawn = boards.xp.asarray(chance.integers(0, count, steps * plan.positions))
            learner.learn(learned, drawn, plan.positions, rate)
    said = f"{CLASSES[kind]}: {count:,} lessons, held-out error {before:.4f} -> "
    return on_host(boards.w), said + f"{learner.error(held):.4f} after {learner.steps:,} steps"


def train(plan: Plan, start: np.ndarray, folder: Path, device: str) -> np.ndarray:
    """All rounds; weights and a log of each are in the folder."""
    if start.shape != (WEIGHTS,):
        raise PetteiaError(f"the networks have {WEIGHTS} weights, not {start.size}")
    weights, rounds = start.astype(np.float32), list[list[Path]]()
    Boards(weights, device)  # says at once if there is no such device
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(plan.rounds):
        rounds.append(play(plan, number, weights, folder, device))
        path = folder / f"network-{number}.npy"
        if not path.exists():
            weights = _learned(plan, weights, rounds[-plan.recent :], folder, device)
            with writing_whole(path) as out:
                np.save(out, weights)
        weights = np.load(path)
    return weights


def _learned(
    plan: Plan, weights: np.ndarray, rounds: list[list[Path]], folder: Path, device: str
) -> np.ndarray:
    """The weights after the classes have learned, side by side."""
    found, files = weights.copy(), [path for paths in rounds for path in paths]
    with ProcessPoolExecutor(len(CLASSES), get_context("spawn")) as pool:
        asked = [
            pool.submit(learn, plan, kind, weights, files, device) for kind in range(len(CLASSES))
        ]
        for kind, each in enumerate(asked):
            learned, said = each.result()
            found[place_of(kind)] = learned[place_of(kind)]
            with (folder / "network.log").open("a") as log:
                print(said, file=log)
            print(said, flush=True)
    return found


def main(arguments: list[str]) -> None:
    """Trains from the command line."""
    parser = argparse.ArgumentParser(prog="python -m petteia.games.backgammon.learning.training")
    parser.add_argument("folder", type=Path, help="for games, weights and the log")
    for key, default in asdict(Plan()).items():
        parser.add_argument(f"--{key.replace('_', '-')}", type=type(default), default=default)
    parser.add_argument("--start", type=Path, help="weights to begin with; fresh ones if not given")
    parser.add_argument("--device", choices=DEVICES, default="cpu")
    given = vars(parser.parse_args(arguments))
    folder, start, device = (given.pop(key) for key in ("folder", "start", "device"))
    plan = Plan(**given)
    try:
        weights = loaded(str(start)) if start else fresh_weights(plan.seed)
        train(plan, weights, folder, device)
    except PetteiaError as error:
        raise SystemExit(f"petteia: {error}") from None


if __name__ == "__main__":
    main(sys.argv[1:])
