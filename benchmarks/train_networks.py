"""How the networks that ship were learned, to be repeated.

    python benchmarks/train_networks.py GAME [--folder FOLDER] [--seed 21] [--hidden 128]
        [--start learned] [--plan POSITIONS:NODES:EPOCHS,...]

The plan names generations: how many positions of self-play, nodes a move, and epochs. Each begins
with the games of the network before, learns afresh from the positions of the last three, and is
kept as FOLDER/GAME-N.npz. It is ``petteia learn`` by the count instead of the clock and without its
tests, so that it does not matter how busy the machine is. One process plays and learns; a run that
was stopped goes on after the last file that was written.
"""

from __future__ import annotations

import argparse
import re
import time
from dataclasses import dataclass
from pathlib import Path

from petteia import games
from petteia.core.game import Game
from petteia.core.seeds import derive
from petteia.learn import network, samples, training
from petteia.tune import learning
from petteia.tune.self_play import SelfPlay, played

PLAN = "800000:700:6,1300000:500:8,2500000:500:10,1700000:1500:12,900000:2000:12,1500000:2000:11"
GAMES = 32
"""In a piece of work."""
PIECES = 50
"""In a file."""
RECENT = 3


@dataclass(frozen=True)
class Generation:
    """What a generation takes."""

    number: int
    positions: int
    nodes: int
    epochs: int


def play(game: Game, player: str, asked: Generation, seed: int, stem: Path) -> None:
    """Games of the last generation against itself, in files of many pieces each."""
    count = number = 0
    since, new = time.monotonic(), 0
    while count < asked.positions:
        path = stem.with_name(f"{stem.name}-{asked.number}-{number:03}.npz")
        if not path.exists():
            parts = [
                played(SelfPlay(str(game.spec), player, asked.nodes, GAMES,
                                derive(seed, asked.number, number, piece)))
                for piece in range(PIECES)
            ]  # fmt: skip
            samples.write(path, samples.joined(parts))
            new += sum(len(part.value) for part in parts)
        count += len(samples.read(path).value)
        number += 1
        speed = new / (time.monotonic() - since)
        print(f"generation {asked.number}: {count:,} positions, {speed:,.0f}/s", flush=True)


def learn(game: Game, asked: Generation, given: argparse.Namespace, stem: Path) -> Path:
    """A network from the positions of the last generations."""
    out = stem.with_name(f"{stem.name}-{asked.number}.npz")
    if out.exists():
        return out
    rounds = []
    for number in range(max(0, asked.number - RECENT + 1), asked.number + 1):
        files = sorted(stem.parent.glob(f"{stem.name}-{number}-*.npz"))
        rounds.append(samples.joined([samples.read(file) for file in files]))
    together, goals = learning.lessons(game, rounds)
    orders = samples.permutations(game, learning.some_positions(game, given.seed))
    plan = training.Plan(hidden=given.hidden, epochs=asked.epochs, seed=given.seed)
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
    network.save(out, game, trained.parameters, facts)
    return out


def main() -> None:
    """Learns from the command line."""
    parser = argparse.ArgumentParser(description="repeats how the networks that ship were learned")
    parser.add_argument("game", help="for example breakthrough")
    parser.add_argument("--folder", type=Path, default=Path("networks"))
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--start", default="learned", help="the evaluation that plays first")
    parser.add_argument("--plan", default=PLAN, help="POSITIONS:NODES:EPOCHS,...")
    given = parser.parse_args()
    game = games.make(given.game)
    given.folder.mkdir(parents=True, exist_ok=True)
    stem = given.folder / re.sub(r"\W+", "-", given.game).strip("-")
    player = given.start
    for number, part in enumerate(given.plan.split(",")):
        asked = Generation(number, *(int(each) for each in part.split(":")))
        play(game, player, asked, given.seed, stem)
        player = str(learn(game, asked, given, stem))
        print(player, flush=True)


if __name__ == "__main__":
    main()
