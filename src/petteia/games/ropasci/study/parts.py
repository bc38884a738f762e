"""What the study of RoPaSci 360 measures without playing series."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from petteia.core.words import Words
from petteia.games.ropasci import RoPaSci, learning
from petteia.games.ropasci.evaluations import EVALUATIONS
from petteia.games.ropasci.face import notation
from petteia.games.ropasci.study.conformance import board_of, differences
from petteia.games.ropasci.study.undo import DictBoard, after_copy, after_deepcopy
from petteia.search.contract import Answer, Limits, Question
from petteia.search.matrix import REGRET_MATCHING, SIMPLEX, exploitability
from petteia.search.nash import NashSearch
from petteia.search.paranoid import ParanoidSearch
from petteia.search.reference_joint import (
    by_double_oracle,
    by_fictitious_play,
    by_linear_program,
)
from petteia.search.stepper import stepper_of
from petteia.studies.report import Report

__all__ = [
    "LABELS", "conformance", "copying", "labels", "memory_of_search", "positions_of_play",
    "pruning", "show_copying", "show_labels", "show_pruning", "show_solvers", "solvers",
]  # fmt: skip

GAME = RoPaSci()
REPORT = EVALUATIONS["report"]


def _spec(weights: dict[str, float]) -> str:
    return f"report({', '.join(f'{key}={value:.4g}' for key, value in weights.items())})"


# From the 40 games of ``learning.games_of(GAME, REPORT.array, 40, seed=11)``, and the sample made
# of their positions; in units in which a token is worth 10.
LABELS = {
    "depth-2 values": _spec(
        {"throws": 35.2, "tokens": 10, "attack": 10.8, "danger": -4.44, "invincible": 6.14,
         "ratio": -23.6, "heavy": 39.3}
    ),
    "results": _spec(
        {"throws": 8.91, "tokens": 10, "attack": 4.19, "danger": 0.5, "invincible": 6.66,
         "ratio": 8.0, "heavy": -5.43}
    ),
    "temporal differences": _spec(
        {"throws": 33.5, "tokens": 10, "attack": 4.76, "danger": 12.5, "invincible": 11.6,
         "ratio": -8.34, "heavy": 16.8}
    ),
}  # fmt: skip


def positions_of_play(count: int, seed: int = 1) -> list[Words]:
    """Positions of the equilibrium agent's games against itself, in random order."""
    games = learning.games_of(GAME, REPORT.array, max(2, count // 25), seed)
    found = [p for line, _ in games for p in line[1:]]
    rng = np.random.default_rng(seed)
    return [found[k] for k in rng.permutation(len(found))[:count]]


def conformance(positions: int) -> tuple[int, int]:
    """Positions compared with the readable rules, and how many differ."""
    return differences(GAME, positions, seed=1)


# --- 2: copying ----------------------------------------------------------------------------------


def _rate(function: Callable[[], int], seconds: float) -> float:
    """What a function counts, a second of processor time."""
    count, started = 0, time.process_time()
    while time.process_time() - started < seconds:
        count += function()
    return count / (time.process_time() - started)


def copying(seconds: float) -> dict[str, Any]:
    """Joint successors a second: a deep copy, a copy, make and undo, and compiled."""
    p = positions_of_play(20)[0]
    board = DictBoard()
    board.board.update({x: list(here) for x, here in board_of(GAME, p).board.items()})
    rows, columns = (
        [notation.action_of(move) for move in GAME.legal_moves(p, player)[:30]] for player in (0, 1)
    )
    pairs = [(a, b) for a in rows for b in columns]
    state = {"at": 0}

    def some(function: Callable[[Any, Any], object], many: int) -> Callable[[], int]:
        def run() -> int:
            for _ in range(many):
                state["at"] = (state["at"] + 1) % len(pairs)
                function(*pairs[state["at"]])
            return many

        return run

    def undone(a: Any, b: Any) -> None:
        board.undo(a, b, board.make(a, b))

    search = NashSearch(GAME, REPORT)

    def compiled() -> int:
        return search.matrix(Question(p, REPORT.array))[2].size

    compiled()
    rates = {
        "deepcopy": _rate(some(lambda a, b: after_deepcopy(board, a, b), 20), seconds),
        "copy": _rate(some(lambda a, b: after_copy(board, a, b), 200), seconds),
        "make and undo": _rate(some(undone, 200), seconds),
        "compiled, with evaluation": _rate(compiled, seconds),
    }
    return {"rates": rates, "ratio": rates["make and undo"] / rates["deepcopy"]}


def show_copying(report: Report, found: dict[str, Any]) -> None:
    """The rates as a table."""
    base = found["rates"]["deepcopy"]
    report.table(
        "Joint successors a second, one core",
        ["way", "a second", "times deepcopy"],
        [[name, round(rate), round(rate / base, 1)] for name, rate in found["rates"].items()],
    )
    report.text(
        "The first three are Python on the same dictionaries. Positions of the kernels are eleven "
        "words: they are copied in registers, and there is nothing to take back."
    )


# --- 6 and 7: depth and pruning ------------------------------------------------------------------


def memory_of_search() -> float:
    """Megabytes that a search holds, the same for every depth."""
    return float(ParanoidSearch(GAME, REPORT).ws.nbytes) / 2**20


def pruning(count: int) -> dict[str, Any]:
    """How many of all pairs of moves the searches look at, over positions of play."""
    every = ordered = plain = oracle = 0
    logs, exponents = [], []
    every_deep, weights = 0, REPORT.array
    nash = NashSearch(GAME, REPORT)
    paranoid = ParanoidSearch(GAME, REPORT)
    unordered = ParanoidSearch(GAME, REPORT, ordered=False)
    ways: dict[str, Callable[[Question], Answer]] = {
        "double oracle": nash.to_depth,
        "with serial bounds": NashSearch(GAME, REPORT, bounded=True).to_depth,
        "paranoid": paranoid.answer,
    }
    deep = dict.fromkeys(ways, 0)
    for number, p in enumerate(positions_of_play(count)):
        question = Question(p, weights, Limits(depth=1), seed=1)
        _, _, matrix = nash.matrix(question)
        every += matrix.size
        ordered += paranoid.ask(question).leaves
        looked = unordered.ask(question).leaves
        plain += looked
        logs.append(math.log(matrix.size))
        exponents.append(math.log(max(looked, 2)) / math.log(max(matrix.size, 3)))
        oracle += nash.ask(question).leaves
        if number < max(3, count // 4):
            every_deep += matrix.size**2
            deeper = replace(question, limits=Limits(depth=2, seconds=20))
            for name, answer in ways.items():
                deep[name] += answer(deeper).leaves
    return {
        "looked_at": plain / every,
        "ordered": ordered / every,
        "double_oracle": oracle / every,
        "exponent": float(np.mean(exponents)),
        "depth2": {name: leaves / every_deep for name, leaves in deep.items()},
        "pairs": float(np.exp(np.mean(logs))),
    }


def show_pruning(report: Report, found: dict[str, Any]) -> None:
    """The shares as a table."""
    rows = [
        ["alpha-beta, actions in random order", 1, f"{found['looked_at']:.1%}"],
        ["alpha-beta, the last refutation first", 1, f"{found['ordered']:.1%}"],
        ["double oracle, exact equilibrium", 1, f"{found['double_oracle']:.1%}"],
        ["alpha-beta, the last refutation first", 2, f"{found['depth2']['paranoid']:.2%}"],
        ["double oracle, exact equilibrium", 2, f"{found['depth2']['double oracle']:.2%}"],
        ["the same, serial bounds first", 2, f"{found['depth2']['with serial bounds']:.2%}"],
    ]
    report.table("Pairs of actions looked at, of all", ["search", "depth", "looked at"], rows)
    report.text(
        f"At depth 1 plain alpha-beta looks at n^{found['exponent']:.2f} of n pairs (the report's "
        "average, b^(d/2) with d = 2 half-moves, would be n^0.5; full width is n^1). Two serial "
        "searches to bound a cell can cost more than the double oracle's exact answer."
    )


# --- 8: labels -----------------------------------------------------------------------------------


def labels(games: int) -> dict[str, Any]:
    """Weights from several kinds of labels, and how well each foretells the results of games."""
    played = learning.games_of(GAME, REPORT.array, games, seed=1)
    train, test = played[: 2 * games // 3], played[2 * games // 3 :]
    sample = learning.read(GAME, [learning.SAMPLE])
    found = {
        "by hand (ours)": {term: REPORT.weights[term] for term in learning.TERMS},
        "depth-2 values": learning.fit(GAME, sample),
        "results": learning.fit_outcomes(GAME, train),
        "temporal differences": learning.temporal_differences(GAME, train),
    }
    return {
        name: {"weights": weights, "log_loss": learning.log_loss(GAME, weights, train, test)}
        for name, weights in found.items()
    }


def show_labels(report: Report, found: dict[str, Any]) -> None:
    """Weights in units of a token of 10, and the log loss on games that were held out."""
    rows = []
    for name, each in found.items():
        token = each["weights"]["tokens"] or 1.0
        scaled = [round(10 * each["weights"][term] / token, 2) for term in learning.TERMS]
        rows.append([name, *scaled, round(each["log_loss"], 4)])
    report.table(
        "Weights by where their labels come from",
        ["labels", *learning.TERMS, "log loss, held out"],
        rows,
    )


# --- 10: solvers ---------------------------------------------------------------------------------


def solvers(count: int) -> list[dict[str, Any]]:
    """Time and gap of every solver on matrices of play."""
    search = NashSearch(GAME, REPORT)
    matrices = [
        search.matrix(Question(p, REPORT.array))[2] for p in positions_of_play(count, seed=2)
    ]
    solver = search.solver

    def ours(method: int) -> Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]:
        def solve(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            found = solver.solve(matrix, method)
            return found.row, found.column

        return solve

    def raw(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = solver.by_regret(matrix, 1000)
        return found.row, found.column

    ways: dict[str, Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]] = {
        "saddle, dominance, simplex": ours(SIMPLEX),
        "saddle, dominance, regret matching+": ours(REGRET_MATCHING),
        "regret matching+, 1000 iterations, raw": raw,
        "linear program (HiGHS)": lambda m: by_linear_program(m)[1:],
        "fictitious play, 1000 iterations": lambda m: by_fictitious_play(m, 1000)[1:],
        "double oracle with linear programs": lambda m: by_double_oracle(m)[1:3],
    }
    found = []
    for name, solve in ways.items():
        solve(matrices[0])
        times, gaps = [], []
        for matrix in matrices:
            started = time.process_time()
            x, y = solve(matrix)
            times.append(1000 * (time.process_time() - started))
            gaps.append(exploitability(matrix, x, y))
        found.append(
            {
                "solver": name, "ms": float(np.median(times)), "gap": float(np.median(gaps)),
                "gap90": float(np.quantile(gaps, 0.9)),
            }
        )  # fmt: skip
    return found


def show_solvers(report: Report, found: list[dict[str, Any]]) -> None:
    """The solvers as a table."""
    report.table(
        "Median time and exploitability (a token is 10)",
        ["solver", "ms", "exploitability", "90th percentile"],
        [[each["solver"], each["ms"], each["gap"], each["gap90"]] for each in found],
    )


def successors_per_second(seconds: float) -> float:
    """Joint successors with evaluation a second, over positions of play."""
    search, places = NashSearch(GAME, REPORT), positions_of_play(25)
    stepper_of(GAME).look(places[0])
    state = {"at": 0}

    def run() -> int:
        state["at"] += 1
        p = places[state["at"] % len(places)]
        return search.matrix(Question(p, REPORT.array))[2].size

    return _rate(run, seconds)
