"""Training by self-play: temporal differences, TD(lambda), at compiled speed.

    python -m petteia.games.backgammon.learning.training --games 200000 --out weights.npy

A game is played with the weights as they are, the best play by the network at every turn. Then,
from its end to its beginning, every position is taught what came of it: a mixture of the
network's own estimate one turn later and of the outcome, as lambda says.

Training goes in rounds. In each round every *lane* plays some games from the same weights with
dice of its own and learns from them; then the changes of all lanes are added up. Lanes run in
parallel, and the result depends on their number but not on the number of processors.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from petteia.compiled import kernel, load, random_unit, store
from petteia.core.game import CHANCE, TERMINAL
from petteia.core.seeds import derive
from petteia.games.backgammon import Backgammon
from petteia.games.backgammon.evaluations.network import (
    OUT,
    OUTPUTS,
    SIZE,
    WEIGHTS,
    estimate,
    fresh_weights,
    learn,
    money,
)
from petteia.games.backgammon.rules.state import POINTS, WINNER, field
from petteia.search.playout import drawn_outcome

__all__ = ["Lane", "Plan", "train", "train_games"]

_LONGEST = 2000
"""Turns after which a game is given up and nothing is learned from it."""


@dataclass(frozen=True)
class Plan:
    """How to train."""

    games: int = 200_000
    lanes: int = 1
    batch: int = 20
    """Games a lane plays in a round."""
    rate: float = 0.05
    last_rate: float = 0.01
    """The rate falls from the one to the other, evenly on a scale of logarithms."""
    lam: float = 0.5
    seed: int = 1


class Lane:
    """A copy of the weights with the memory of one game."""

    def __init__(self, game: Backgammon) -> None:
        self.game = game
        layout = np.dtype(
            [
                ("w", np.float32, (SIZE,)),
                ("line", np.uint64, (_LONGEST + 1, 5)),
                ("targets", np.float64, (2, OUTPUTS)),
                ("out", np.int64, (game.max_moves,)),
                ("prob", np.float64, (game.max_moves,)),
                ("state", np.uint64, (1,)),
                ("counts", np.int64, (4,)),
            ]
        )
        self.memory = np.zeros(1, layout).view(np.recarray)

    def play(self, weights: np.ndarray, games: int, rate: float, lam: float, seed: int) -> None:
        """Learns from some games, beginning with these weights."""
        record = self.memory[0]
        record["w"][:WEIGHTS] = weights
        record["state"][0] = seed
        train_games(self.game, record, games, rate, lam)

    @property
    def weights(self) -> np.ndarray:
        """What was learned so far."""
        found: np.ndarray = self.memory[0]["w"][:WEIGHTS]
        return found


@kernel
def train_games(game: Any, memory: Any, games: int, rate: float, lam: float) -> None:
    """Plays games against itself and learns from each; counts games, turns and evaluations."""
    w, line, out, prob, state = memory.w, memory.line, memory.out, memory.prob, memory.state
    for _ in range(games):
        p = game.start()
        turns = -1  # the position before the opening throw is not learned
        while turns < _LONGEST:
            if game.kind(p) == CHANCE:
                if turns >= 0:
                    store(line, turns, p)
                turns += 1
                end = game.chances(p, out, prob, 0)
                p = game.play(p, out[drawn_outcome(prob, end, random_unit(state))])
            mover = game.mover(p)
            end = game.moves(p, out, 0)
            best, value = 0, -1e9
            for i in range(end):
                q = game.play(p, out[i])
                if game.kind(q) == TERMINAL:
                    mine = 10.0 + field(q[4], POINTS, 0xFFFF)
                elif end == 1:
                    mine = 0.0
                else:
                    estimate(q, 1 - mover, w)
                    mine = -money(w)
                    memory.counts[2] += 1
                if mine > value:
                    best, value = i, mine
            p = game.play(p, out[best])
            if game.kind(p) == TERMINAL:
                break
        memory.counts[0] += 1
        memory.counts[1] += turns
        if game.kind(p) == TERMINAL:
            _learn_line(game, memory, p, turns, rate, lam)


def _learn_line(game: Any, memory: Any, last: Any, turns: int, rate: float, lam: float) -> None:
    """Teaches the positions of a game, the last one first."""
    w, line, targets = memory.w, memory.line, memory.targets
    worth = field(last[4], POINTS, 0xFFFF)
    # Row 0 is what the player on roll should have expected; the last to roll won.
    targets[0, 0] = 1.0
    targets[0, 1] = 1.0 if worth > 1 else 0.0
    targets[0, 2] = 1.0 if worth > 2 else 0.0
    targets[0, 3] = targets[0, 4] = 0.0
    player = field(last[4], WINNER, 1)
    for turn in range(turns - 1, -1, -1):
        p = load(line, turn, last)
        found = estimate(p, player, w)
        for k in range(OUTPUTS):
            targets[1, k] = (1.0 - lam) * w[OUT + k] + lam * targets[0, k]
        learn(w, found & 1 == 1, found >> 1, targets, 0, rate)
        # The same expectation as the other player sees it, one turn earlier.
        targets[0, 0] = 1.0 - targets[1, 0]
        targets[0, 1], targets[0, 2] = targets[1, 3], targets[1, 4]
        targets[0, 3], targets[0, 4] = targets[1, 1], targets[1, 2]
        player = 1 - player


def train(plan: Plan, weights: np.ndarray, out: Path, every: float = 60.0) -> np.ndarray:
    """Trains from the weights; writes them and a line of the log now and then."""
    game = Backgammon()
    lanes = [Lane(game) for _ in range(plan.lanes)]
    lanes[0].play(weights, 0, 0.0, 0.0, 1)  # compiled before the threads start
    lanes[0].memory[0]["counts"][:] = 0
    log = out.with_suffix(".log")
    with log.open("a") as file:
        print(f"# {asdict(plan)}", file=file)
    rounds = max(1, plan.games // (plan.lanes * plan.batch))
    started = told = time.monotonic()
    w = weights.copy()
    with ThreadPoolExecutor(plan.lanes) as pool:
        for number in range(rounds):
            share = number / max(1, rounds - 1)
            rate = plan.rate * (plan.last_rate / plan.rate) ** share

            jobs = [
                pool.submit(
                    lane.play, w, plan.batch, rate, plan.lam,
                    derive(plan.seed, "round", number, index),
                )
                for index, lane in enumerate(lanes)
            ]  # fmt: skip
            for job in jobs:
                job.result()
            w += sum(lane.weights.astype(np.float64) - w for lane in lanes)
            now = time.monotonic()
            if now - told > every or number == rounds - 1:
                told = now
                counts = np.sum([lane.memory[0]["counts"] for lane in lanes], axis=0)
                games, turns, evaluations = (int(count) for count in counts[:3])
                text = (
                    f"games {games} turns {turns} evaluations {evaluations} rate {rate:.5f} "
                    f"size {np.abs(w).mean():.4f} seconds {now - started:.0f}"
                )
                np.save(out, w.astype(np.float32))
                with log.open("a") as file:
                    print(text, file=file)
                print(text, flush=True)
    return w


def main(arguments: list[str]) -> None:
    """Trains from the command line."""
    parser = argparse.ArgumentParser(prog="python -m petteia.games.backgammon.learning.training")
    for key, default in asdict(Plan()).items():
        parser.add_argument(f"--{key.replace('_', '-')}", type=type(default), default=default)
    parser.add_argument("--out", type=Path, default=Path("backgammon-network.npy"))
    parser.add_argument("--resume", type=Path, help="weights to begin with")
    given = vars(parser.parse_args(arguments))
    out, resume = given.pop("out"), given.pop("resume")
    plan = Plan(**given)
    weights = np.load(resume) if resume else fresh_weights(plan.seed)[:WEIGHTS]
    train(plan, weights.astype(np.float64), out)


if __name__ == "__main__":
    main(sys.argv[1:])
