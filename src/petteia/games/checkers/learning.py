"""The recipe behind ``tuned.txt``: self-play, then logistic regression.

    python -m petteia.games.checkers.learning --out tuned.txt

A round lets the engine play itself at a fixed number of nodes from random openings, keeps quiet
positions with the result of their game, and fits the weights so that the logistic function of the
value foretells the results best. The next round plays with the new weights; all rounds together
are fitted in the end. The same arguments give the same weights on every machine with the same
libraries.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from petteia.compiled import kernel, load
from petteia.core.game import DECISION
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.core.writing import write_whole
from petteia.games.checkers import Checkers
from petteia.games.checkers.evaluations.tuned import NAMES, plain_weights, tuned_value
from petteia.search.contract import Limits, Question
from petteia.search.engine import Engine
from petteia.search.stepper import stepper_of

__all__ = ["Sample", "design", "fit", "main", "self_play"]

Sample = tuple[np.ndarray, np.ndarray]
"""Positions, four words each, and the results of their games: 1 if Black won, 0.5, 0."""

_OPENING = 8
_NODES = 600
_LONGEST = 160
_PRIOR = 0.5
"""How strongly weights are held to where they began."""


def evaluation_with(weights: np.ndarray) -> Any:
    """The evaluation with these weights."""
    from petteia.core.evaluation import WeightedEvaluation

    return WeightedEvaluation("tuned", tuned_value, dict(zip(NAMES, weights.tolist(), strict=True)))


def self_play(weights: np.ndarray, seed: int, games: int, nodes: int = _NODES) -> Sample:
    """Quiet positions of games between the engine and itself."""
    rules = Checkers()
    engine = Engine(rules, evaluation_with(weights), table_bits=16)
    boards: list[Words] = []
    results: list[float] = []
    for number in range(games):
        line, points = _game(rules, engine, weights, derive(seed, number), nodes)
        kept = [p for p in line if not rules.must_jump(p) and not rules.is_threatened(p)]
        boards += kept
        results += [0.5 + points / 2] * len(kept)
    return np.array(boards, np.uint64).reshape(-1, 4), np.array(results)


def _game(
    rules: Checkers, engine: Engine, weights: np.ndarray, seed: int, nodes: int
) -> tuple[list[Words], float]:
    """One game: the positions after the opening, and Black's points."""
    stepper = stepper_of(rules)
    engine.new_game()
    p, line = rules.start(), list[Words]()
    while True:
        look = stepper.look(p)
        if look.kind != DECISION:
            return line[_OPENING:], look.result
        seen = [rules.identity(q) for q in line]
        if len(line) >= _LONGEST or seen.count(rules.identity(p)) >= 2:
            return line[_OPENING:], 0.0
        if len(line) < _OPENING:
            move = look.moves[derive(seed, "opening", len(line)) % len(look.moves)]
        else:
            question = Question(p, weights, Limits(nodes=nodes), earlier=line)
            move = engine.ask(question).best.move
        line.append(p)
        p = stepper.play(p, move)


@kernel
def fill_design(game: Any, like: Words, boards: np.ndarray, w: np.ndarray, out: np.ndarray) -> None:
    """What a unit of every weight adds to the value, for every position."""
    for row in range(len(boards)):
        p = load(boards, row, like)
        for i in range(len(w)):
            w[i] = 1.0
            out[row, i] = tuned_value(game, p, 0, w)
            w[i] = 0.0


def design(boards: np.ndarray) -> np.ndarray:
    """The value of every position is this matrix times the weights."""
    rules = Checkers()
    out = np.zeros((len(boards), len(NAMES)), np.float32)
    fill_design(rules, rules.start(), boards, np.zeros(len(NAMES)), out)
    return out


def fit(sample: Sample, start: np.ndarray) -> np.ndarray:
    """The weights that foretell the results best, a man being worth about a hundred."""
    from scipy.optimize import minimize

    boards, results = sample
    matrix = design(boards)
    scale = 1.0 / 100.0

    def loss(x: np.ndarray) -> tuple[float, np.ndarray]:
        value = matrix @ x.astype(np.float32) * scale
        expected = 1.0 / (1.0 + np.exp(-value))
        off = (expected - results) / len(results)
        safe = np.clip(expected, 1e-9, 1 - 1e-9)
        cost = -np.mean(results * np.log(safe) + (1 - results) * np.log(1 - safe))
        away = (x - start) * scale
        cost += _PRIOR * 1e-3 * float(away @ away)
        slope = scale * (matrix.T @ off.astype(np.float32)) + _PRIOR * 2e-3 * scale * away
        return float(cost), slope.astype(np.float64)

    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 400})
    print(
        f"{len(results)} positions: cost {loss(start)[0]:.5f} to {found.fun:.5f} "
        f"after {found.nit} steps",
        file=sys.stderr,
    )
    return np.asarray(found.x)


def _share(job: tuple[np.ndarray, int, int, int]) -> Sample:
    weights, seed, games, nodes = job
    return self_play(weights, seed, games, nodes)


def main(arguments: list[str] | None = None) -> None:
    """Plays, fits, and writes the weights."""
    parser = argparse.ArgumentParser(description="tune the evaluation of checkers on self-play")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--games", type=int, default=1000, help="a round")
    parser.add_argument("--nodes", type=int, default=_NODES, help="a move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("tuned.txt"))
    given = parser.parse_args(arguments)
    start = np.array(list(plain_weights().values()))
    weights, samples = start, list[Sample]()
    batches = 20
    with ProcessPoolExecutor(given.workers) as pool:
        for number in range(given.rounds):
            jobs = [
                (weights, derive(given.seed, number, batch) % 2**31, given.games // batches,
                 given.nodes)
                for batch in range(batches)
            ]  # fmt: skip
            for done, sample in enumerate(pool.map(_share, jobs), 1):
                samples.append(sample)
                print(f"round {number + 1}: {done} of {batches}", file=sys.stderr, flush=True)
            together = tuple(np.concatenate(part) for part in zip(*samples, strict=True))
            weights = fit(together, start)  # type: ignore[arg-type]
            _write(given.out, weights, given)


def _write(path: Path, weights: np.ndarray, given: argparse.Namespace) -> None:
    head = (
        "# The weights of the evaluation `tuned`, in hundredths of a man, made by\n"
        f"# python -m petteia.games.checkers.learning --rounds {given.rounds} "
        f"--games {given.games} --nodes {given.nodes} --seed {given.seed}\n"
    )
    lines = [f"{name} {value:.1f}" for name, value in zip(NAMES, weights, strict=True)]
    write_whole(path, head + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
