"""The report's third objective: can a machine learn this game? TD(lambda) from self-play alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia import games
from petteia.core.game import DECISION
from petteia.core.processors import processors
from petteia.core.seeds import derive
from petteia.games.ur import Ur
from petteia.games.ur.learning import FEATURES, Learner, model_regret, self_play
from petteia.games.ur.solution.solver import UrSolver
from petteia.games.ur.solution.tables import Values, table_path
from petteia.games.ur.study.league import MODEL, PERFECT, Player, meeting
from petteia.games.ur.study.strength import positions_of_play
from petteia.solve import Control
from petteia.studies.report import COLOURS, Report, new_figure

__all__ = ["learning_curve", "measure_learning", "tell_learning"]

RATE, DECAY = 0.02, 0.7
_FULL = (10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000)
_QUICK = (10, 100, 1000, 3000)


def learning_curve(
    known: Values, milestones: tuple[int, ...], *, pairs: int, positions: int, seed: int
) -> tuple[list[dict[str, float]], np.ndarray]:
    """Strength and regret after so many games of self-play; the table only measures."""
    game = known.game
    w, trace = np.zeros(FEATURES), np.zeros(FEATURES)
    out, state = np.zeros(16, np.int64), np.array([derive(seed, "td")], np.uint64)
    where = positions_of_play(known, positions, kind=DECISION, every=7, seed=1)
    found, played = [], 0
    for games_so_far in milestones:
        rate = RATE / (1 + games_so_far / 100_000)
        self_play(game, games_so_far - played, Learner(w, trace, rate, DECAY), out, state)
        played = games_so_far
        as_left, as_right = meeting(
            game, Player("TD", MODEL, weights=w), Player("perfect", PERFECT), pairs,
            seed=seed, known=known, threads=processors(),
        )  # fmt: skip
        score = (as_left.rate + 1 - as_right.rate) / 2
        lost = model_regret(game, where, known.exact, w, out)
        found.append(
            {
                "games": played,
                "score": score,
                "error": 1.96 * (max(score * (1 - score), 1e-9) / (2 * pairs)) ** 0.5,
                "regret": lost / positions,
            }
        )
    return found, w


def _known_values() -> Values:
    """The table of the whole game where it was solved, else of a small one, solved at once."""
    game = games.make("ur")
    assert isinstance(game, Ur)
    if not table_path(game).exists():
        game = games.make("ur(pieces=2)")
        assert isinstance(game, Ur)
        UrSolver(2).solve(Control(), workers=processors())
    return Values(game)


def measure_learning(quick: bool, seed: int) -> dict[str, Any]:
    """Learns and measures."""
    known = _known_values()
    curve, w = learning_curve(
        known, _QUICK if quick else _FULL, pairs=200 if quick else 5000,
        positions=2000 if quick else 20_000, seed=seed,
    )  # fmt: skip
    return {"game": str(known.game), "curve": curve, "weights": w.tolist()}


def tell_learning(report: Report, found: dict[str, Any]) -> None:
    """Reports the result."""
    curve, game = found["curve"], found["game"]
    report.heading("Objective 3: can a machine learn this game?")
    report.text(
        "A linear model of 33 numbers (its pieces on each square, in hand and home, the "
        "opponent's, and a constant) plays against itself and learns by TD(lambda) after every "
        f"move, lambda {DECAY:g}. It never sees the exact solution, which only measures it, on "
        f"{game}: the score against perfect play, and the chance of winning that a decision "
        "gives up on positions of perfect play."
    )
    if game != "ur":
        report.text('Solve the whole game first for its own curve: petteia solve "ur".')
    figure, axes = new_figure()
    x = [point["games"] for point in curve]
    axes.errorbar(
        x, [100 * point["score"] for point in curve], [100 * point["error"] for point in curve],
        marker="o", color=COLOURS[0], label="score against perfect play, %",
    )  # fmt: skip
    axes.set_xscale("log")
    axes.set_xlabel("games of self-play")
    axes.set_ylabel("score, %")
    axes.set_ylim(0, 55)
    other = axes.twinx()
    other.plot(x, [100 * point["regret"] for point in curve], marker="s", color=COLOURS[1],
               label="regret a decision, %")  # fmt: skip
    other.set_ylabel("regret, % of winning")
    figure.legend(frameon=False, loc="outside upper right", ncols=2)
    report.chart(figure, "Learning from self-play alone")
    report.table(
        "Learning",
        ["games", "score, %", "± ", "regret, %"],
        [
            [int(p["games"]), round(100 * p["score"], 1), round(100 * p["error"], 1),
             round(100 * p["regret"], 3)]
            for p in curve
        ],
    )  # fmt: skip
    last = curve[-1]
    report.text(
        f"It can: after {int(last['games']):,} games it scores {100 * last['score']:.0f} % "
        "against perfect play."
    )
