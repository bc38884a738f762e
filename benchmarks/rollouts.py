"""Backgammon: how often the intervals of short rollouts hold the result of long ones.

    python benchmarks/rollouts.py FILE [--positions 100] [--long 1296] [--trials 108]
        [--plies 10 20 0] [--threads N] [--seed 5]

Positions before a throw, one of each game of the networks against themselves, that the bear-off
tables do not know. Each is played out to the end ``--long`` times, and ``--trials`` times with
other dice for so many ``--plies``, the luck of the dice taken out; 0 plies play to the end too. An
interval of 95 % holds where both means differ by less than 1.96 standard errors of the difference.
If the networks' judgement where a rollout stops were right, 95 % would hold. The last column is the
error that stopping adds: the root of the mean square difference less what chance explains.

FILE keeps the long rollouts as lines of JSON, so that a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from petteia import agents, games
from petteia.arena.statistics import Z95, wilson
from petteia.core.game import CHANCE, TERMINAL
from petteia.core.processors import processors
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.search.rollout import RolledOut, Rollout
from petteia.search.stepper import stepper_of

GAME = games.make("backgammon")


def positions(wanted: int, seed: int) -> list[Words]:
    """Before a throw, somewhere in a game."""
    agent, stepper = agents.make("network", GAME), stepper_of(GAME)
    found: list[Words] = []
    number = 0
    while len(found) < wanted:
        number += 1
        chance, p = random.Random(derive(seed, number)), GAME.start()
        seen: list[Words] = []
        while (here := stepper.look(p)).kind != TERMINAL:
            if here.kind != CHANCE:
                p = stepper.play(p, agent.choose(p).move)
                continue
            if p != GAME.start() and not agent.knows(p):
                seen.append(p)
            p = stepper.play(p, chance.choices(here.moves, here.chances)[0])
        found.append(chance.choice(seen))
    return found


def rolled_out(p: Words, plies: int, trials: int, seed: int) -> RolledOut:
    """The points of the player who has just played."""
    playable = agents.make("network", GAME).playable()  # networks of its own, for a thread
    assert playable is not None
    (found,) = Rollout(GAME, playable, plies=plies).run([p], 1 - int(GAME.mover(p)), trials, seed)
    return found


def long_ones(asked: argparse.Namespace) -> list[dict[str, Any]]:
    """The long rollouts, those missing made."""
    lines = asked.file.read_text().splitlines() if asked.file.exists() else []
    found = [json.loads(line) for line in lines]
    places = positions(asked.positions, derive(asked.seed, "positions"))
    if any(row["text"] != GAME.text(p) for row, p in zip(found, places, strict=False)):
        raise SystemExit(f"{asked.file} holds positions of another seed")

    def one(number: int) -> dict[str, Any]:
        p = places[number]
        long = rolled_out(p, 0, asked.long, derive(asked.seed, "long", number))
        return {"text": GAME.text(p), "value": long.value, "error": long.error}

    for row in in_threads(one, range(len(found), asked.positions), asked.threads):
        with asked.file.open("a") as file:
            file.write(json.dumps(row) + "\n")
        found.append(row)
        print(f"{len(found)} of {asked.positions} positions", end="\r", flush=True)
    return found[: asked.positions]


def in_threads(work: Any, numbers: range, threads: int) -> Iterator[Any]:
    """The results in their order."""
    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(work, numbers)


def compared(rows: list[dict[str, Any]], plies: int, asked: argparse.Namespace) -> str:
    """One line of the table."""

    def one(number: int) -> tuple[float, float, float]:
        row, seed = rows[number], derive(asked.seed, "short", number)
        short = rolled_out(GAME.parse(row["text"]), plies, asked.trials, seed)
        return short.value - row["value"], short.error, row["error"]

    gaps, errors, known = np.array(
        list(in_threads(one, range(len(rows)), asked.threads))
    ).T  # (positions,) each
    spread = np.hypot(errors, known)
    holds, count = np.abs(gaps) <= Z95 * spread, len(rows)
    low, high = wilson(float(holds.mean()), count)
    added = float(np.mean(gaps**2 - spread**2))
    bias, error = float(gaps.mean()), float(gaps.std() / count**0.5)
    share = f"{holds.sum()} of {count} ({100 * low:.0f} to {100 * high:.0f} %)"
    return (
        f"| {plies or 'to the end'} | {share} | {np.median(errors):.4f} | {bias:+.4f} ± {error:.4f}"
        f" | {max(0.0, added) ** 0.5:.4f} |"
    )


def main() -> None:
    """Measures from the command line."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("file", type=Path)
    options.add_argument("--positions", type=int, default=100)
    options.add_argument("--long", type=int, default=1296, help="trials to the end")
    options.add_argument("--trials", type=int, default=108)
    options.add_argument("--plies", type=int, nargs="+", default=[10, 20, 0])
    options.add_argument("--threads", type=int, default=processors())
    options.add_argument("--seed", type=int, default=5)
    asked = options.parse_args()
    rolled_out(GAME.perft_start(), 1, 2, 0)  # compiled before threads begin
    rows = long_ones(asked)
    known = np.median([row["error"] for row in rows])
    print(f"{len(rows)} positions, {asked.long} trials to the end, standard error {known:.4f}")
    print("| plies | 95 % intervals that hold | standard error | bias | error of stopping |")
    print("|---|---|---|---|---|")
    for plies in asked.plies:
        print(compared(rows, plies, asked), flush=True)


if __name__ == "__main__":
    main()
