"""Decisions whose plays were rolled out: what a play loses, by class of positions.

    python -m petteia.games.backgammon.learning.decisions --device gpu --out decisions.npz

Positions of self-play, so many of each class, with a throw. The plays that look best when all
answers are looked at are played out with the same dice for all, the best play by the networks at
every turn, and the luck of the dice taken out; after some turns the networks speak.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from petteia.compiled.batch import DEVICES
from petteia.core.words import U
from petteia.games.backgammon.evaluations.inputs import CLASSES
from petteia.games.backgammon.learning.boards import (
    FINISHED,
    PROBABILITIES,
    THROWS,
    Boards,
    on_host,
)
from petteia.games.backgammon.learning.lessons import Games, turn_of
from petteia.games.backgammon.solution.neural import loaded, shipped_weights

__all__ = ["FILE", "Decisions", "make"]

FILE = Path(__file__).with_name("decisions.npz")
"""The set that comes with us."""
_AT_ONCE = 8192
"""Boards that are played out side by side."""
_CANDIDATES = 5
_NEAR = 0.2
"""Plays that look worse than the best by more are not rolled out."""


@dataclass(frozen=True)
class Decisions:
    """Positions, throws and the plays that were rolled out, (n, ..)."""

    boards: np.ndarray
    """(n, 4) words of the player on roll, then of the other."""
    throws: np.ndarray
    """(n, 2) dice."""
    kinds: np.ndarray
    """(n,) classes."""
    after: np.ndarray
    """(n, 5, 4) boards after the plays as the other sees them; zero where there is none."""
    values: np.ndarray
    """(n, 5) points of who plays; minus infinity where there is no play."""
    errors: np.ndarray
    """(n, 5) standard errors of how far a play is behind the best."""

    @classmethod
    def read(cls, path: Path = FILE) -> Decisions:
        """The set in a file."""
        with np.load(path, allow_pickle=False) as file:
            return cls(**{name: file[name] for name in cls.__dataclass_fields__})

    def write(self, path: Path) -> None:
        """Into a file."""
        np.savez_compressed(path, **vars(self))

    def loss(self, number: int, after: np.ndarray) -> tuple[float, bool]:
        """What the play that leads to a board loses, and whether it was rolled out; one that was
        not loses as much as the worst that was."""
        values = self.values[number]
        for board, value in zip(self.after[number], values, strict=True):
            if np.array_equal(board, after):
                return float(values.max() - value), True
        return float(values.max() - values[np.isfinite(values)].min()), False


def points_of(chances: Any) -> Any:
    """The points that chances are worth without a cube."""
    gammons = chances[..., 1] + chances[..., 2] - chances[..., 3] - chances[..., 4]
    return 2.0 * chances[..., 0] - 1.0 + gammons


def _sample(boards: Boards, wanted: tuple[int, ...], games: int, turns: int, seed: int) -> Any:
    """Boards of usual games, so many of each class, and a throw for each."""
    chance = np.random.default_rng(seed)
    playing = Games(boards, games, seed, usual=1.0, strays=False)
    seen = []
    for _ in range(turns):
        playing.turn()
        seen.append(on_host(playing.now))
    found = np.unique(np.concatenate(seen), axis=0)
    kinds = on_host(boards.flags(boards.xp.asarray(found))[0]) & 7
    chosen = []
    for kind, count in enumerate(wanted):
        (of_kind,) = np.nonzero(kinds == kind)
        chosen.append(chance.choice(of_kind, min(count, len(of_kind)), replace=False))
    which = np.concatenate(chosen)
    return found[which], chance.choice(len(THROWS), len(which), p=PROBABILITIES), kinds[which]


def _expected(boards: Boards, now: np.ndarray) -> np.ndarray:
    """The points of who is on roll, all throws looked at; exact where the game is over."""
    found = np.zeros(len(now))
    for begin in range(0, len(now), _AT_ONCE):
        part = boards.xp.asarray(now[begin : begin + _AT_ONCE])
        flags, over = (on_host(each) for each in boards.flags(part))
        points = on_host(points_of(turn_of(boards, part).expected))
        found[begin : begin + _AT_ONCE] = np.where(flags & 7 == FINISHED, points_of(over), points)
    return found


def _candidates(boards: Boards, now: np.ndarray, throws: np.ndarray) -> list[np.ndarray]:
    """For each position the boards after the plays that look best; one where there is no choice."""
    begins, counts, after = (on_host(each) for each in boards.plays(boards.xp.asarray(now)))
    at = np.arange(len(now)) * len(THROWS) + throws
    plays = [after[begins[k] : begins[k] + counts[k]] for k in at]
    values = np.split(-_expected(boards, np.concatenate(plays)), np.cumsum(counts[at])[:-1])
    chosen = []
    for some, worth in zip(plays, values, strict=True):
        order = np.argsort(-worth, kind="stable")[:_CANDIDATES]
        chosen.append(some[order[worth[order] >= worth[order[0]] - _NEAR]])
    return chosen


def rolled_out(
    boards: Boards, now: np.ndarray, dice: np.ndarray, trials: int, turns: int
) -> np.ndarray:
    """The points of who is on roll, (n, trials), the luck taken out; boards with the same seed in
    ``dice`` have the same throws."""
    found = np.zeros((len(now), trials))
    for begin in range(0, found.size, _AT_ONCE):
        places = np.arange(begin, min(begin + _AT_ONCE, found.size))
        which, trial = places // trials, places % trials
        seeds = dice[which] * trials + trial
        found.ravel()[places] = _one_each(boards, now[which], seeds, turns)
    return found


def _units(numbers: np.ndarray) -> np.ndarray:
    """For each whole number one in [0, 1), as if at random (splitmix64)."""
    x = (numbers + U(1)) * U(0x9E3779B97F4A7C15)
    x = (x ^ (x >> U(30))) * U(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> U(27))) * U(0x94D049BB133111EB)
    found: np.ndarray = ((x ^ (x >> U(31))) >> U(11)) / 2.0**53
    return found


def _one_each(boards: Boards, now: np.ndarray, seeds: np.ndarray, turns: int) -> np.ndarray:
    """One trial of every board."""
    xp = boards.xp
    numbers = (seeds[:, None] * turns + np.arange(turns)).astype(np.uint64)
    thrown = np.searchsorted(np.cumsum(PROBABILITIES)[:-1], _units(numbers), side="right")
    total, alive, sign = np.zeros(len(now)), np.arange(len(now)), 1.0
    part = xp.asarray(now)
    said: Any = None
    for turn in range(turns):
        # A game that is over has no error: what the networks would say is exact there.
        flags, over = boards.flags(part)
        done = on_host(flags & 7 == FINISHED)
        if turn == 0:
            total[done] = on_host(points_of(over))[done]
        alive, part = alive[~done], part[xp.asarray(~done)]
        if not len(alive):
            break
        seen = turn_of(boards, part)
        error = on_host(points_of(seen.expected))
        if said is not None:
            error = error - on_host(points_of(said))[~done]
        total[alive] += sign * error
        at = xp.asarray(np.arange(len(alive)) * len(THROWS) + thrown[alive, turn])
        chosen = seen.best[at]
        part, said, sign = seen.after[chosen], seen.chances[chosen], -sign
    return total


def make(
    boards: Boards, wanted: tuple[int, ...], *, trials: int, turns: int, seed: int,
    games: int = 4096, sampled: int = 60,
) -> Decisions:  # fmt: skip
    """A set of so many decisions of each class."""
    found, throws, kinds = _sample(boards, wanted, games, sampled, seed)
    plays = _candidates(boards, found, throws)
    chosen = [number for number, some in enumerate(plays) if len(some) > 1]
    every = np.concatenate([plays[number] for number in chosen])
    of = np.concatenate([[number] * len(plays[number]) for number in chosen])
    points = -rolled_out(boards, every, of, trials, turns)
    after = np.zeros((len(chosen), _CANDIDATES, 4), np.uint64)
    values = np.full((len(chosen), _CANDIDATES), -np.inf, np.float32)
    errors = np.zeros((len(chosen), _CANDIDATES), np.float32)
    for row, number in enumerate(chosen):
        mine = points[of == number]
        count, best = len(mine), mine.mean(1).argmax()
        after[row, :count], values[row, :count] = plays[number], mine.mean(1)
        errors[row, :count] = (mine[best] - mine).std(1) / trials**0.5
    return Decisions(found[chosen], THROWS[throws[chosen]], kinds[chosen], after, values, errors)


def main(arguments: list[str]) -> None:
    """Makes the set from the command line."""
    parser = argparse.ArgumentParser(prog="python -m petteia.games.backgammon.learning.decisions")
    parser.add_argument("--out", type=Path, default=Path("decisions.npz"))
    parser.add_argument("--file", default="", help="the networks, if not the shipped ones")
    parser.add_argument("--device", choices=DEVICES, default="cpu")
    for name, count in (("trials", 101), ("turns", 14), ("seed", 5)):
        parser.add_argument(f"--{name}", type=int, default=count)
    parser.add_argument("--wanted", type=int, nargs=len(CLASSES), default=(450, 250, 250, 100))
    given = parser.parse_args(arguments)
    boards = Boards(loaded(given.file) if given.file else shipped_weights(), given.device)
    found = make(
        boards, tuple(given.wanted), trials=given.trials, turns=given.turns, seed=given.seed
    )
    found.write(given.out)
    print(f"{len(found.boards)} decisions, {boards.evaluations} evaluations")


if __name__ == "__main__":
    main(sys.argv[1:])
