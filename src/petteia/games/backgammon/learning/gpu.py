"""Training the networks on a graphics processor: thousands of games side by side, through CuPy.

A round plays many games with the same weights, works out for every position what should have been
expected (TD(lambda), as in ``training``), and then moves the weights by Adam over those positions
in random order. All of it runs on the device; ``gpu.cu`` has the plays, the inputs, the networks.

    python -m petteia.games.backgammon.learning.gpu --help
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from petteia.core.errors import PetteiaError
from petteia.core.gpu import cupy_for
from petteia.games.backgammon.evaluations import network
from petteia.games.backgammon.evaluations.inputs import (
    CONTACT_INPUTS,
    INSIGHTS,
    MOST_ACTIVE,
    RACE_INPUTS,
    SIDE,
    escape_table,
)
from petteia.games.backgammon.evaluations.network import (
    HIDDEN,
    OUTPUTS,
    RACE_HIDDEN,
    WEIGHTS,
    fresh_weights,
)

__all__ = ["Plan", "Trainer", "source", "train"]

_LONGEST = 320
"""Turns after which a game is given up and nothing is learned from it."""
_ROOM = 64
"""Plays a game for which there is room on average; a turn has about twenty."""
_PLACES = 26
_THREADS = 128
_CONTACT, _FINISHED = 1, 8
_START = ((24, 2), (13, 5), (8, 3), (6, 5))


@dataclass(frozen=True)
class Plan:
    """How to train."""

    games: int = 4_000_000
    batch: int = 16_384
    """Games a round."""
    positions: int = 4096
    """Positions a step of Adam looks at."""
    rate: float = 0.001
    last_rate: float = 0.00002
    """The rate falls from the one to the other, evenly on a scale of logarithms."""
    lam: float = 0.5
    seed: int = 1


def source() -> str:
    """The CUDA program, the shape of the networks written into it."""
    shape = {
        "SIDE": SIDE, "RACE_INPUTS": RACE_INPUTS, "INSIGHTS": INSIGHTS,
        "CONTACT_INPUTS": CONTACT_INPUTS, "MOST_ACTIVE": MOST_ACTIVE,
        "HIDDEN": HIDDEN, "RACE_HIDDEN": RACE_HIDDEN,
        "CONTACT_OUT": network.CONTACT_OUT, "RACE": network.RACE, "RACE_OUT": network.RACE_OUT,
    }  # fmt: skip
    file = resources.files("petteia.games.backgammon.learning").joinpath("gpu.cu")
    return "".join(f"#define {key} {value}\n" for key, value in shape.items()) + file.read_text()


def cupy_here() -> Any:
    """CuPy with a graphics processor."""
    return cupy_for(
        "training", "python -m petteia.games.backgammon.learning.training trains on the processor"
    )


class _Net:
    """One of the two networks with what Adam remembers of it, as views of one array."""

    def __init__(self, cupy: Any, w: Any, into: int, out: int, inputs: int, hidden: int) -> None:
        self.cupy, self.inputs, self.hidden = cupy, inputs, hidden
        self.first = w[into : into + (inputs + 1) * hidden].reshape(inputs + 1, hidden)
        self.second = w[out : out + OUTPUTS * (hidden + 1)].reshape(OUTPUTS, hidden + 1)
        self.steps = 0
        self.moments = [[cupy.zeros_like(part) for _ in range(2)] for part in self.parts]

    @property
    def parts(self) -> tuple[Any, Any]:
        """The weights into the hidden units and out of them, each with its bias last."""
        return self.first, self.second

    def learn(self, x: Any, targets: Any, mask: Any, rate: float) -> Any:
        """One step towards the targets; gives the mean cross entropy before it."""
        xp = self.cupy
        sums = x @ self.first
        r = 1.0 / (1.0 + xp.abs(sums))
        units = xp.ones((len(x), self.hidden + 1), xp.float32)
        units[:, :-1] = sums * r
        said = 1.0 / (1.0 + xp.exp(-(units @ self.second.T)))
        error = (said - targets) * mask / len(x)
        inner = (error @ self.second[:, :-1]) * r * r
        self._move((x.T @ inner, error.T @ units), rate)
        return -xp.mean(xp.log(xp.clip(xp.where(targets > 0.5, said, 1.0 - said)[:, 0], 1e-7, 1)))

    def _move(self, slopes: tuple[Any, Any], rate: float) -> None:
        """Adam, D. Kingma and J. Ba 2015."""
        self.steps += 1
        size = rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for part, slope, (mean, square) in zip(self.parts, slopes, self.moments, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            part -= size * mean / (self.cupy.sqrt(square) + 1e-8)


class Trainer:
    """The networks and a table of games on the device."""

    def __init__(self, weights: np.ndarray, batch: int) -> None:
        if weights.shape != (WEIGHTS,):
            raise PetteiaError(f"a network has {WEIGHTS} weights, not {weights.size}")
        self.cupy = cupy = cupy_here()
        module = cupy.RawModule(code=source(), options=("--std=c++17",))
        names = ("list_inputs", "dense", "evaluate", "list_plays", "make_plays")
        self._kernels = {name: module.get_function(name) for name in names}
        self.w = cupy.asarray(weights, cupy.float32)
        self.contact = _Net(
            cupy, self.w, network.CONTACT, network.CONTACT_OUT, CONTACT_INPUTS, HIDDEN
        )
        self.race = _Net(cupy, self.w, network.RACE, network.RACE_OUT, RACE_INPUTS, RACE_HIDDEN)
        self.escapes = cupy.asarray(escape_table(), cupy.float32)
        side = np.zeros(_PLACES, np.int8)
        for place, count in _START:
            side[place] = count
        self.start = cupy.asarray(np.tile(np.concatenate([side, side]), (batch, 1)))
        self.batch = batch
        self.evaluations = 0

    def _run(self, name: str, count: int, *arguments: Any) -> None:
        if count:
            blocks = (count + _THREADS - 1) // _THREADS
            self._kernels[name]((blocks,), (_THREADS,), arguments)

    def inputs(self, boards: Any) -> tuple[Any, Any, Any, Any]:
        """The inputs of boards that are not zero: numbers, values, how many, and flags."""
        xp, n = self.cupy, len(boards)
        index = xp.empty((n, MOST_ACTIVE), xp.uint8)
        value = xp.empty((n, MOST_ACTIVE), xp.float32)
        count, flags = xp.empty(n, xp.int32), xp.empty(n, xp.int32)
        self._run("list_inputs", n, boards, np.int32(n), self.escapes, index, value, count, flags)
        return index, value, count, flags

    def chances(self, known: tuple[Any, Any, Any, Any]) -> Any:
        """The five chances of the player on roll, by the inputs."""
        n = len(known[2])
        found = self.cupy.empty((n, OUTPUTS), self.cupy.float32)
        self._run("evaluate", 32 * n, self.w, *known, np.int32(n), found)
        self.evaluations += n
        return found

    def play(self, seed: int) -> tuple[list[Any], Any, Any]:
        """Games to their end: the boards of each turn, how many turns each had, and its points."""
        xp, n = self.cupy, self.batch
        boards, points = self.start.copy(), xp.zeros(n, xp.int32)
        length, alive = xp.zeros(n, xp.int32), xp.arange(n, dtype=xp.int32)
        room = _ROOM * n
        after = xp.empty((room, 2 * _PLACES), xp.int8)
        line: list[Any] = []
        for turn in range(_LONGEST):
            line.append(boards.copy())
            going = len(alive)
            begin, count = xp.empty(going, xp.int32), xp.empty(going, xp.int32)
            used = xp.zeros(1, xp.int32)
            self._run(
                "list_plays", going, boards, alive, np.int32(going), np.uint64(seed),
                np.int32(turn), after, np.int32(room), begin, count, used,
            )  # fmt: skip
            known = self.inputs(after[: min(int(used[0]), room)])
            self._run(
                "make_plays", going, boards, alive, np.int32(going), after, begin, count,
                self.chances(known), known[3], points,
            )  # fmt: skip
            now = points[alive]
            length[alive[now > 0]] = turn + 1
            alive = alive[now == 0]
            if not len(alive):
                break
        return line, length, points

    def lesson(self, seed: int, lam: float) -> tuple[tuple[Any, Any, Any, Any], Any]:
        """A round of games: the inputs of all positions before a roll, and what should have been
        expected of them. The position before the opening throw is not learned."""
        xp = self.cupy
        line, length, points = self.play(seed)
        turns = len(line)
        stands = [xp.flatnonzero(length > turn) for turn in range(turns)]
        boards = xp.concatenate([line[turn][stands[turn]] for turn in range(1, turns)])
        known = self.inputs(boards)
        said = self.chances(known)
        begins = np.cumsum([0, *(len(stands[turn]) for turn in range(1, turns))])
        targets = xp.empty_like(said)
        whole = xp.zeros((self.batch, OUTPUTS), xp.float32)
        turned = xp.asarray([0, 3, 4, 1, 2])
        for turn in range(turns - 1, 0, -1):
            here, rows = stands[turn], slice(int(begins[turn - 1]), int(begins[turn]))
            last = length[here] == turn + 1
            worth = points[here]
            won = xp.zeros((len(here), OUTPUTS), xp.float32)
            won[:, 0], won[:, 1], won[:, 2] = 1.0, worth > 1, worth > 2
            targets[rows] = xp.where(last[:, None], won, whole[here])
            # The same as the other player saw it, a turn earlier.
            back = ((1 - lam) * said[rows] + lam * targets[rows])[:, turned]
            back[:, 0] = 1.0 - back[:, 0]
            whole[here] = back
        return known, targets

    def learn(
        self, known: tuple[Any, Any, Any, Any], targets: Any, positions: int, rate: float
    ) -> dict[str, float]:
        """Goes once through the positions in random order; gives the cross entropy of winning."""
        xp = self.cupy
        index, value, count, flags = known
        mask = xp.ones((len(targets), OUTPUTS), xp.float32)
        mask[:, 1:3] *= ((flags & 4) != 0)[:, None]  # nobody with a checker off loses a gammon
        mask[:, 3:5] *= ((flags & 2) != 0)[:, None]
        told = {}
        for name, net, wanted in (("contact", self.contact, _CONTACT), ("race", self.race, 0)):
            chosen = xp.flatnonzero((flags & _CONTACT) == wanted)
            xp.random.shuffle(chosen)
            losses = []
            for begin in range(0, len(chosen) - positions + 1, positions):
                which = chosen[begin : begin + positions].astype(xp.int32)
                x = xp.zeros((positions, net.inputs + 1), xp.float32)
                self._run(
                    "dense", positions, index, value, count, which, np.int32(positions),
                    np.int32(net.inputs + 1), x,
                )  # fmt: skip
                losses.append(net.learn(x, targets[which], mask[which], rate))
            told[name] = float(xp.mean(xp.stack(losses))) if losses else 0.0
        return told


def train(plan: Plan, weights: np.ndarray, out: Path, seconds: float = 0.0) -> np.ndarray:
    """Trains from the weights, for this many games or seconds; writes them and a log."""
    trainer = Trainer(weights.astype(np.float32), plan.batch)
    trainer.cupy.random.seed(plan.seed)
    log = out.with_suffix(".log")
    rounds = max(1, plan.games // plan.batch)
    started = told = time.monotonic()

    def tell(text: str) -> None:
        with log.open("a") as file:
            print(text, file=file)
        print(text, flush=True)

    tell(f"# {asdict(plan)}")
    number = 0
    while number < rounds:
        share = number / max(1, rounds - 1)
        if seconds:  # the plan follows the clock
            share = max(share, (time.monotonic() - started) / seconds)
            if share >= 1.0:
                break
        rate = plan.rate * (plan.last_rate / plan.rate) ** share
        known, targets = trainer.lesson(plan.seed << 32 | number, plan.lam)
        losses = trainer.learn(known, targets, plan.positions, rate)
        number += 1
        now = time.monotonic()
        if now - told > 10.0 or number == rounds:
            told = now
            np.save(out, trainer.cupy.asnumpy(trainer.w))
            tell(
                f"games {number * plan.batch} evaluations {trainer.evaluations} rate {rate:.6f} "
                f"contact {losses['contact']:.4f} race {losses['race']:.4f} "
                f"seconds {now - started:.0f}"
            )
    found: np.ndarray = trainer.cupy.asnumpy(trainer.w)
    np.save(out, found)
    tell(f"games {number * plan.batch}, {time.monotonic() - started:.0f} seconds")
    return found


def main(arguments: list[str]) -> None:
    """Trains from the command line."""
    parser = argparse.ArgumentParser(prog="python -m petteia.games.backgammon.learning.gpu")
    for key, default in asdict(Plan()).items():
        parser.add_argument(f"--{key.replace('_', '-')}", type=type(default), default=default)
    parser.add_argument("--out", type=Path, default=Path("backgammon-network.npy"))
    parser.add_argument("--resume", type=Path, help="weights to begin with")
    parser.add_argument("--seconds", type=float, default=0.0, help="at most so long")
    given = vars(parser.parse_args(arguments))
    out, resume, seconds = given.pop("out"), given.pop("resume"), given.pop("seconds")
    plan = Plan(**given)
    try:
        cupy_here()
        weights = np.load(resume) if resume else fresh_weights(plan.seed)[:WEIGHTS]
        train(plan, weights, out, seconds)
    except PetteiaError as error:
        raise SystemExit(f"petteia: {error}") from None


if __name__ == "__main__":
    main(sys.argv[1:])
