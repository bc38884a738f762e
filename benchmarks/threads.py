"""How much sooner several threads reach a depth, and how much stronger they play.

    python benchmarks/threads.py [--threads 2] [--positions 20] [--pairs 100] [--json FILE]

By the wall clock, because threads share the work: run it on a quiet machine with as many
processors. One thread and several take turns on each position, with an empty table; the positions
come from games of the engine against itself, as far as they are not decided within the depth. Then
``engine(time=0.1)`` with so many threads plays pairs against itself with one.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from breakthrough import Row, show

from petteia import agents, games
from petteia.arena.match import Match
from petteia.core.game import Game
from petteia.core.processors import processors
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.search.contract import Limits, Question
from petteia.search.engine import Engine
from petteia.search.evaluations import evaluation_for
from petteia.search.stepper import stepper_of

DEPTHS = {"breakthrough": 14, "checkers": 17}
TABLE_BITS = 22
RANDOM_PLIES, OWN_PLIES = 6, 12
_WANTED = 0.65


def positions(game: Game) -> Iterator[Words]:
    """Positions some plies after a random opening, played by the engine."""
    stepper, player = stepper_of(game), agents.make("engine(nodes=2000)", game)
    number = 0
    while True:
        p = game.start()
        for ply in range(RANDOM_PLIES + number % OWN_PLIES):
            moves = stepper.look(p).moves
            if not moves:
                break
            if ply < RANDOM_PLIES:
                move = moves[derive(number, "threads", ply) % len(moves)]
            else:
                move = player.choose(p).move
            p = stepper.play(p, move)
        if stepper.look(p).moves:
            yield p
        number += 1


def time_to_depth(game: Game, depth: int, threads: int, count: int) -> Row:
    """The median over positions of the time of several threads by that of one."""
    evaluation = evaluation_for(game, None)
    alone, together = (
        Engine(game, evaluation, table_bits=TABLE_BITS, threads=number) for number in (1, threads)
    )
    samples: dict[str, list[float]] = {"alone": [], "together": [], "nodes": []}
    for p in positions(game):
        if len(samples["alone"]) == count:
            break
        question = Question(p, evaluation.array, Limits(depth=depth))
        times, nodes = [], []
        for engine in (alone, together):
            engine.prepare(p)
            engine.new_game()
            started = time.perf_counter()
            found = engine.ask(question)
            times.append(time.perf_counter() - started)
            nodes.append(found.nodes)
            if found.depth < depth:
                break
        else:
            samples["alone"].append(times[0])
            samples["together"].append(times[1])
            samples["nodes"].append(nodes[1] / nodes[0])
            print(game, len(samples["alone"]), *(f"{t:.2f} s" for t in times), file=sys.stderr)
    ratios = [b / a for a, b in zip(samples["alone"], samples["together"], strict=True)]
    total = sum(samples["together"]) / sum(samples["alone"])
    what = (
        f"{game} to depth {depth}, {threads} threads by one, {count} positions (all together "
        f"{total:.2f}, nodes {statistics.median(samples['nodes']):.2f})"
    )
    samples["ratio"] = ratios
    return Row(what, "x", statistics.median(ratios), at_most=_WANTED, samples=samples)


def strength(game: Game, threads: int, pairs: int) -> Row:
    """Several threads against one, a tenth of a second a move."""
    specs = f"engine(time=0.1, threads={threads})", "engine(time=0.1)"
    match = Match(game, agents.make(specs[0], game), agents.make(specs[1], game), seed=1)
    result = match.run(pairs)
    low, high = (100 * bound for bound in result.interval)
    what = f"{game}: {specs[0]} v {specs[1]}, {2 * pairs} games ({low:.1f} to {high:.1f} %)"
    return Row(what, "%", 100 * result.score, at_least=50)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--positions", type=int, default=20, help="of each game; 0 for none")
    parser.add_argument("--pairs", type=int, default=100, help="of each game; 0 for none")
    parser.add_argument("--shallower", type=int, default=0, metavar="PLIES", help="for a trial")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all samples here")
    options = parser.parse_args()
    options.seconds, options.repeats = 0.0, 1  # what the table's file wants to know
    if options.threads > processors():
        print(f"only {processors()} processors for {options.threads} threads", file=sys.stderr)
    rows = []
    for name, depth in DEPTHS.items():
        game = games.make(name)
        if options.positions:
            plies = depth - options.shallower
            rows.append(time_to_depth(game, plies, options.threads, options.positions))
        if options.pairs:
            rows.append(strength(game, options.threads, options.pairs))
    show(rows, options)


if __name__ == "__main__":
    main()
