"""How the networks that ship were learned, to be repeated.

    python benchmarks/train_networks.py GAME [--folder FOLDER] [--seed 21] [--shape network]
        [--hidden 128] [--layers 0] [--start EVALUATION] [--plan POSITIONS:NODES:EPOCHS,...]
        [--recent 3] [--workers serial] [--device cpu]

The plan names generations: how many positions of self-play, nodes a move, and epochs. Each begins
with the games of the network before, learns afresh from the positions of the last ``--recent`` (0:
of all), and is kept as FOLDER/GAME-N.npz. It is ``petteia learn`` by the count instead of the clock
and without its tests, so that it does not matter how busy the machine is, nor how many workers
play. A run that was stopped goes on after the last file that was written.
"""

from __future__ import annotations

import argparse
import itertools
import re
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path

from petteia import games
from petteia.arena.executors import workers
from petteia.core.game import Game
from petteia.core.seeds import derive
from petteia.learn import network, samples, training
from petteia.learn.parameters import SHAPES, save
from petteia.tune import learning
from petteia.tune.random_games import regions_of, some_positions
from petteia.tune.self_play import SelfPlay, played

PLAN = "800000:700:6,1300000:500:8,2500000:500:10,1700000:1500:12,900000:2000:12,1500000:2000:11"
GAMES = 32
"""In a piece of work."""
PIECES = 50
"""In a file."""


@dataclass(frozen=True)
class Generation:
    """What a generation takes."""

    number: int
    positions: int
    nodes: int
    epochs: int


def pieces(
    executor: Executor, count: int, game: Game, player: str, nodes: int, seeds: Iterator[int]
) -> Iterator[samples.Samples]:
    """Games against itself, in the order of their seeds, whoever is first."""
    waiting = deque[Future[samples.Samples]]()
    try:
        while True:
            while len(waiting) < 2 * count:
                asked = SelfPlay(str(game.spec), player, nodes, GAMES, next(seeds))
                waiting.append(executor.submit(played, asked))
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def play(game: Game, player: str, asked: Generation, given: argparse.Namespace, stem: Path) -> None:
    """Games of the last generation against itself, in files of many pieces each."""

    def file(number: int) -> Path:
        return stem.with_name(f"{stem.name}-{asked.number}-{number:03}.npz")

    count = number = 0
    while file(number).exists() and count < asked.positions:
        count += len(samples.read(file(number)).value)
        number += 1
    first = number
    seeds = (
        derive(given.seed, asked.number, place // PIECES, place % PIECES)
        for place in itertools.count(first * PIECES)
    )
    started, new = time.monotonic(), 0
    working = workers(given.workers)
    with working.make() as executor:
        parts = pieces(executor, working.count, game, player, asked.nodes, seeds)
        while count < asked.positions:
            together = samples.joined([next(parts) for _ in range(PIECES)])
            samples.write(file(number), together)
            number, count, new = number + 1, count + len(together.value), new + len(together.value)
            speed = new / (time.monotonic() - started)
            print(f"generation {asked.number}: {count:,} positions, {speed:,.0f}/s", flush=True)
        parts.close()


def learn(game: Game, asked: Generation, given: argparse.Namespace, stem: Path) -> Path:
    """A network from the positions of the last generations."""
    out = stem.with_name(f"{stem.name}-{asked.number}.npz")
    if out.exists():
        return out
    rounds = []
    for number in range(max(0, asked.number - given.recent + 1), asked.number + 1):
        files = sorted(stem.parent.glob(f"{stem.name}-{number}-*.npz"))
        rounds.append(samples.joined([samples.read(file) for file in files]))
    together, goals = learning.lessons(game, rounds)
    orders = samples.permutations(game, some_positions(game, given.seed))
    plan = training.Plan(
        given.shape, given.hidden, given.layers,
        regions=regions_of(game, 0) if given.shape == "patterns" else None,
        epochs=asked.epochs, seed=given.seed, device=given.device,
    )  # fmt: skip
    sides = network.shape_of(game)[1]
    trained = None
    for trained in training.train(together, goals, sides, plan, orders=orders):
        print(
            f"generation {asked.number}: {len(goals):,} positions, epoch {len(trained.loss)}, loss "
            f"{trained.loss[-1]:.4f}, held-out {trained.held_out[-1]:.4f}",
            flush=True,
        )
    assert trained is not None
    facts = {
        "seed": given.seed, "positions": len(goals), "loss": trained.loss[-1],
        "held_out_loss": trained.held_out[-1], "round": asked.number + 1,
    }  # fmt: skip
    save(out, game, trained.parameters, facts)
    return out


def main() -> None:
    """Learns from the command line."""
    parser = argparse.ArgumentParser(description="repeats how the networks that ship were learned")
    parser.add_argument("game", help="for example breakthrough")
    parser.add_argument("--folder", type=Path, default=Path("networks"))
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--shape", choices=SHAPES, default=SHAPES[0])
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--layers", type=int, default=0, help="units of a second layer")
    parser.add_argument("--start", help="the evaluation that plays first; else the engine's own")
    parser.add_argument("--plan", default=PLAN, help="POSITIONS:NODES:EPOCHS,...")
    parser.add_argument("--recent", type=int, default=3, help="generations to learn from; 0: all")
    parser.add_argument("--workers", default="serial", help="serial, or a number of processes")
    parser.add_argument("--device", default="cpu", help="cpu, or gpu: where networks are trained")
    given = parser.parse_args()
    game = games.make(given.game)
    given.folder.mkdir(parents=True, exist_ok=True)
    stem = given.folder / re.sub(r"\W+", "-", given.game).strip("-")
    plan = [
        Generation(number, *(int(each) for each in part.split(":")))
        for number, part in enumerate(given.plan.split(","))
    ]
    given.recent = given.recent or len(plan)
    player = given.start or game.strongest_evaluation
    for asked in plan:
        play(game, player, asked, given, stem)
        player = str(learn(game, asked, given, stem))
        print(player, flush=True)


if __name__ == "__main__":
    main()
