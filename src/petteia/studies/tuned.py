"""The page of a tuning run: the search as a picture, and what fresh games said of its result."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from petteia.studies.report import COLOURS, Report, new_figure
from petteia.tune.tuner import Mark

__all__ = ["page", "verdict"]


def _percent(facts: dict[str, Any], value: float) -> str:
    return f"{value:+.3f}" if facts["aim"] == "points" else f"{100 * value:.1f} %"


def _search(facts: dict[str, Any], marks: Sequence[Mark]) -> Any:
    """Every candidate as a dot, and the score that each restart stood at as a line."""
    figure, axes = new_figure()
    factor = 1 if facts["aim"] == "points" else 100
    ordered = sorted(marks, key=lambda mark: mark.restart)
    for restart, group in groupby(ordered, key=lambda mark: mark.restart):
        line = list(group)
        kept = [mark for mark in line if mark.is_kept]
        colour = COLOURS[restart % len(COLOURS)]
        places, scores = [m.iteration for m in line], [factor * m.score for m in line]
        axes.plot(places, scores, ".", color=colour, alpha=0.35, markersize=4)
        axes.step(
            [m.iteration for m in kept], [factor * m.score for m in kept],
            where="post", color=colour, linewidth=1.2,
        )  # fmt: skip
    axes.axhline(factor * facts["confirmed_score"], color="#000000", linewidth=1, linestyle="--")
    axes.axhspan(*(factor * end for end in facts["interval"]), color="#000000", alpha=0.08)
    axes.set_xlabel("iteration")
    axes.set_ylabel("points a game" if facts["aim"] == "points" else "score, %")
    return figure


def _weights(facts: dict[str, Any], marks: Sequence[Mark], names: Sequence[str]) -> Any:
    """The way of the weights in the restart that won."""
    figure, axes = new_figure()
    winner = facts["pool"][0]["restart"]
    kept = [mark for mark in marks if mark.restart == winner and mark.is_kept]
    for place, name in enumerate(names):
        values = [mark.weights[place] for mark in kept]
        style = "-" if place < len(COLOURS) else "--"
        places = [mark.iteration for mark in kept]
        axes.step(places, values, style, where="post", label=name)
    axes.set_xlabel("iteration")
    axes.set_ylabel("weight")
    axes.legend(fontsize="small", ncols=2, frameon=False)
    return figure


def page(facts: dict[str, Any], marks: Sequence[Mark], names: Sequence[str]) -> Report:
    """The report of a run."""
    lead = (
        f"{facts['method']} on {facts['game']} against {facts['against']}: {facts['games']:,} "
        f"games, seed {facts['seed']}."
    )
    report = Report("A search for weights", lead)
    report.heading("What it is worth")
    low, high = (_percent(facts, end) for end in facts["interval"])
    report.table(
        "Against the same opponent",
        ["", "score", "95 % interval", "games"],
        [
            ("in the search", _percent(facts, facts["series_score"]), "", facts["series"]),
            (
                "on fresh dice",
                _percent(facts, facts["confirmed_score"]),
                f"{low} to {high}",
                facts["confirmed_games"],
            ),
            (
                "the start, on the same fresh dice",
                _percent(facts, facts["start_score"]),
                " to ".join(_percent(facts, end) for end in facts["start_interval"]),
                facts["confirmed_games"],
            ),
        ],
    )
    report.text(verdict(facts))
    report.heading("The search")
    report.chart(
        _search(facts, marks),
        "Every candidate's series as a dot, what each restart stood at as a line; dashed, with its "
        "95 % interval, what the result scored on fresh dice.",
    )
    report.chart(_weights(facts, marks, names), "The way of the weights that won.")
    rows = [(name, facts["start"][name], facts["weights"][name]) for name in facts["weights"]]
    report.table("The weights", ["weight", "start", "tuned"], rows)
    report.heading("The agent")
    report.code(facts["agent"])
    return report


def verdict(facts: dict[str, Any]) -> str:
    """How much of the gain was luck, in two sentences."""
    test = facts["test"]
    seen = facts["series_score"] - facts["start_score"]
    said = (
        f"In its search the result scored {_percent(facts, facts['series_score'])}, on fresh dice "
        f"{_percent(facts, facts['confirmed_score'])}: "
    )
    if facts["luck"] > 0 and seen > 0:
        share = min(1.0, facts["luck"] / seen)
        said += f"{100 * share:.0f} % of the gain that the search showed was luck. "
    else:
        said += "none of the gain that the search showed was luck. "
    met = f"Against its start it scored {100 * test['score']:.1f} % in {test['pairs']} pairs"
    if facts["better"]:
        return f"{said}{met}: the sequential test accepts that it is better."
    if test["pairs"] == 0:
        return f"{said}The search came back with its start."
    what = "has not decided" if test["decision"] == "continue" else "rejects that it is better"
    return f"{said}{met}: the sequential test {what}."
