"""How much evaluations of checkers know at a glance.

    python benchmarks/judgement.py [EVALUATION ...] [--judge EVALUATION] [--positions 200]
        [--nodes 1000000] [--seed 1] [--json]

Positions are quiet, with as many men and as many kings on both sides, one of each game that the
engine played against itself from a random opening. For each evaluation: the rank correlation of
its value there with that of a deep search, which uses the ``--judge`` (the engine's default) at
its leaves, with a 95 % interval by bootstrap. Positions with a forced end are left out.
"""

from __future__ import annotations

import argparse
import json
import random

import numpy as np

from petteia import games
from petteia.compiled import popcount
from petteia.core import spec as specs
from petteia.core.game import DECISION
from petteia.core.words import Words
from petteia.search.contract import Limits, Question
from petteia.search.engine import Engine
from petteia.search.evaluations import evaluation_for
from petteia.search.stepper import stepper_of
from petteia.search.values import is_decided

GAME = games.make("checkers")
_PLAYED_WITH = 2000
"""Nodes a move of the games that positions are taken from."""
_SAMPLES = 1000


def is_level(p: Words) -> bool:
    """Whether both sides have as many men, and as many kings."""
    counts = [(popcount(side & ~p[2]), popcount(side & p[2])) for side in p[:2]]
    return counts[0] == counts[1]


def positions(engine: Engine, count: int, seed: int) -> list[Words]:
    """One quiet position of each game."""
    chance, stepper = random.Random(seed), stepper_of(GAME)
    found: list[Words] = []
    while len(found) < count:
        p, opening, level = GAME.start(), chance.randrange(4, 13), list[Words]()
        engine.new_game()
        for ply in range(80):
            seen = stepper.look(p)
            if seen.kind != DECISION:
                break
            if ply < opening:
                move = chance.choice(seen.moves)
            else:
                asked = Question(p, engine.evaluation.array, Limits(nodes=_PLAYED_WITH), seen.mover)
                move = engine.answer(asked).moves[0].move
                if len(seen.moves) > 1 and not GAME.restless(p, 0) and is_level(p):
                    level.append(p)
            p = stepper.play(p, move)
        if level:
            found.append(chance.choice(level))
    return found


def ranks(values: np.ndarray) -> np.ndarray:
    """From 0 on; equal values share their mean rank."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts + 1) / 2)[place]


def correlation(a: np.ndarray, b: np.ndarray) -> float:
    """Spearman's."""
    return float(np.corrcoef(ranks(a), ranks(b))[0, 1])


def measure(given: argparse.Namespace) -> dict[str, object]:
    """The correlations of all evaluations."""
    judge = evaluation_for(
        GAME, specs.parse(given.judge) if given.judge else None, default=GAME.strongest_evaluation
    )
    engine = Engine(GAME, judge, table_bits=18)
    stepper = stepper_of(GAME)
    deep, kept = list[float](), list[Words]()
    for p in positions(engine, given.positions, given.seed):
        engine.new_game()
        mover = stepper.look(p).mover
        answer = engine.answer(Question(p, judge.array, Limits(nodes=given.nodes), mover))
        if answer.value is not None and not is_decided(answer.value):
            deep.append(answer.value if mover == 0 else -answer.value)
            kept.append(p)
    chance, truth = np.random.default_rng(given.seed), np.array(deep)
    found = {}
    for spec in given.evaluations or [judge.name, "tuned"]:
        evaluation = evaluation_for(GAME, specs.parse(spec))
        said = np.array([evaluation.of(GAME, p, 0) for p in kept])
        drawn = chance.integers(0, len(said), (_SAMPLES, len(said)))
        spread = [correlation(said[which], truth[which]) for which in drawn]
        found[spec] = {
            "correlation": correlation(said, truth),
            "interval": np.quantile(spread, (0.025, 0.975)).tolist(),
        }
    return {"judge": str(judge.spec), "nodes": given.nodes, "positions": len(kept), "by": found}


def main() -> None:
    """Measures from the command line."""
    parser = argparse.ArgumentParser(description="how much evaluations know at a glance")
    parser.add_argument("evaluations", nargs="*", metavar="EVALUATION")
    parser.add_argument("--judge", default="", metavar="EVALUATION")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measure(given)
    if given.json:
        print(json.dumps(found))
        return
    print(f"{found['positions']} positions, {given.nodes:,} nodes of {found['judge']}")
    for spec, each in found["by"].items():  # type: ignore[attr-defined]
        low, high = each["interval"]
        print(f"{each['correlation']:.2f} ({low:.2f} to {high:.2f})  {spec}")


if __name__ == "__main__":
    main()
