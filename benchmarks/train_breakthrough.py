"""How the weights of Breakthrough's evaluation ``tuned`` were made, to be repeated.

    python benchmarks/train_breakthrough.py [--pairs 1200] [--eval lorentz] [--json FILE]
    python benchmarks/train_breakthrough.py --three-workers FILE [--pairs 600]

Our engine plays against itself with a little more time, each pair of games from ten random plies,
which leave more to be decided than quiet ones. From the positions those are taken in which no end
is forced and nothing can be captured that quiescence would look at. A logistic
regression of the game's result on the features, without a constant since every feature is one
side's less the other's, gives the weights; they are scaled so that a worker of the first rows is
worth ten points on average, and rounded. Every fifth game is held out: the loss there, beside that
of the square table alone, says what was learned.

Two features have nothing to say where one arrival wins: workers one step from the goal, and workers
that are home. Their weights come from games of 3 Workers to Base, with the weights of FILE, which
the first run wrote, for all the others.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from petteia import agents
from petteia.arena.match import Match
from petteia.core.replay import replay
from petteia.games.breakthrough import Breakthrough
from petteia.games.breakthrough.evaluations import lorentz_value
from petteia.games.breakthrough.evaluations.structure import FEATURES, structure_features

RANDOM_PLIES = 10
LATE = ("row6", "home")
AGENTS = "engine(nodes=1000, eval={})", "engine(nodes=1500, eval={})"


def samples(
    game: Breakthrough, evaluation: str, count: int, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features and the square table's value for player 0, the result, and the game's number."""
    first, second = (agents.make(spec.format(evaluation), game) for spec in AGENTS)
    match = Match(game, first, second, seed=seed, opening=f"random(plies={RANDOM_PLIES})")
    rows, results, numbers = [], [], []
    for number in range(count):
        for played in match.pair(number).games:
            for p in list(replay(played.record, game))[RANDOM_PLIES:-1]:
                if game.forced(p) or game.legal_moves(p, only_noisy=True):
                    continue
                rows.append((*structure_features(game, p, 0), lorentz_value(game, p, 0)))
                results.append(1.0 if played.result > 0 else 0.0)
                numbers.append(number)
        if number % 100 == 99:
            print(f"{number + 1} pairs, {len(rows)} positions", flush=True)
    return np.array(rows), np.array(results), np.array(numbers)


def fit(x: np.ndarray, y: np.ndarray, ridge: float = 1.0) -> np.ndarray:
    """Logistic regression by Newton's method, with a ridge that keeps rare features small."""
    w = np.zeros(x.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-x @ w))
        slope = x.T @ (y - chance) - ridge * w
        curve = (x * (chance * (1 - chance))[:, None]).T @ x + ridge * np.eye(len(w))
        step = np.linalg.solve(curve, slope)
        w += step
        if np.abs(step).max() < 1e-8:
            break
    return w


def loss(x: np.ndarray, y: np.ndarray, w: np.ndarray) -> float:
    """The mean logarithmic loss."""
    return float(np.mean(np.logaddexp(0, np.where(y > 0.5, -1, 1) * (x @ w))))


def fit_on_top(pairs: int, seed: int, file: Path) -> dict[str, object]:
    """The weights of the features in ``LATE``, in the units of those in the file."""
    base: dict[str, float] = json.loads(file.read_text())["weights"]
    x, y, numbers = samples(Breakthrough(workers=3), "three_workers", pairs, seed)
    known = np.array([0.0 if name in LATE else base[name] for name in FEATURES])
    late = [x[:, FEATURES.index(name)] for name in LATE]
    columns = np.column_stack([x[:, :-1] @ known, *late])
    held = numbers % 5 == 0
    w, alone = fit(columns[~held], y[~held]), fit(columns[~held, :1], y[~held])
    facts = {
        "positions": len(y),
        "held_out_loss": loss(columns[held], y[held], w),
        "held_out_loss_without": loss(columns[held, :1], y[held], alone),
    }
    w = fit(columns, y)
    weights = {name: round(float(v / w[0]), 1) for name, v in zip(LATE, w[1:], strict=True)}
    return {**facts, "weights": weights}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--pairs", type=int, default=1200)
    parser.add_argument("--eval", default="lorentz", help="with which the engine plays")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--three-workers", type=Path, metavar="FILE")
    wish = parser.parse_args()
    if wish.three_workers:
        print(json.dumps(fit_on_top(wish.pairs, wish.seed, wish.three_workers), indent=1))
        return
    x, y, numbers = samples(Breakthrough(), wish.eval, wish.pairs, wish.seed)
    held = numbers % 5 == 0
    features, table = x[:, :-1], x[:, -1:]
    w = fit(features[~held], y[~held])
    alone = fit(table[~held], y[~held])
    facts = {
        "eval": wish.eval,
        "pairs": wish.pairs,
        "positions": len(y),
        "held_out_loss": loss(features[held], y[held], w),
        "held_out_loss_of_the_square_table": loss(table[held], y[held], alone),
        "weights": {},
    }
    w = fit(features, y)
    scaled = w * 10 / np.mean(w[:4])
    facts["weights"] = {
        name: round(float(value), 1) for name, value in zip(FEATURES, scaled, strict=True)
    }
    print(json.dumps(facts, indent=1))
    if wish.json:
        wish.json.write_text(json.dumps(facts))


if __name__ == "__main__":
    main()
