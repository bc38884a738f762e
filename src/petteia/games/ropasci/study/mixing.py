"""How far strategies can be exploited: what the best answer to one gains over its equilibrium.

Scores of games tell this badly: most games between good players are drawn, and an answer that looks
one turn ahead may gain a token and lose the game. So it is asked position by position: the value of
the position less what an agent's strategy is sure of, in tokens.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from petteia import agents
from petteia.agents.respond import expected
from petteia.core.words import Words
from petteia.games.ropasci.study.parts import GAME, positions_of_play
from petteia.search.contract import Limits, Question
from petteia.search.nash import NashSearch
from petteia.studies.report import COLOURS, Report, new_figure

__all__ = ["TIMES", "at_times", "foreseen", "gains", "show_foreseen", "show_times"]

HUNT = GAME.evaluations["hunt"]
TOKEN = 10.0
MOST = 2.0
"""Tokens that are counted at most: a win is worth a hundred, and a few of them would be all that a
mean tells."""
SETTINGS: dict[str, tuple[str, bool]] = {
    "nash": ("nash(eval=hunt)", True),
    "nash, depth 2": ("nash(depth=2, eval=hunt)", True),
    "quantal": ("quantal(softness=1.0, eval=hunt)", True),
    "smmcts, duct": ("smmcts(simulations=2000, eval=hunt)", True),
    "smmcts, rm": ("smmcts(simulations=2000, selection=rm, eval=hunt)", True),
    "smmcts, exp3": ("smmcts(simulations=2000, selection=exp3, eval=hunt)", True),
    "paranoid": ("paranoid(eval=hunt)", False),
    "report": ("report()", False),
    "mean": ("mean(eval=hunt)", False),
    "greedy": ("greedy(eval=hunt)", False),
    "optimistic": ("optimistic(eval=hunt)", False),
}
"""Agents by their names in the report, and whether they mix."""
TIMES = (0.1, 0.5, 1.0)
_TIMED = {
    "duct": "smmcts(time={time}, eval=hunt)",
    "rm": "smmcts(time={time}, selection=rm, eval=hunt)",
    "exp3": "smmcts(time={time}, selection=exp3, eval=hunt)",
}


def gains(spec: str, positions: Sequence[Words], depth: int, samples: int = 6) -> dict[str, float]:
    """What the best answer to an agent's strategy gains, in tokens: the mean over positions with
    half its 95 % interval, and the share of the positions in which it gains a twentieth.

    Where seeds decide, the strategy is the mean over so many of them."""
    agent = agents.make(spec, GAME)
    search = NashSearch(GAME, HUNT)
    found = []
    for number, p in enumerate(positions):
        player = number % 2
        strategy = expected(agent, p, player, seed=number, samples=samples)
        question = Question(p, HUNT.array, Limits(depth), player)
        gain = search.exploited(question, strategy) / TOKEN
        found.append(min(max(gain, 0.0), MOST))
    values = np.array(found)
    return {
        "mean": float(values.mean()),
        "half": 1.96 * float(values.std()) / math.sqrt(len(values)),
        "share": float((values > 0.05).mean()),
    }


def foreseen(count: int, deep: int) -> dict[str, Any]:
    """Every agent against the best answer one turn deep, and on fewer positions two."""
    positions = positions_of_play(count, seed=3)
    return {
        "positions": [len(positions), min(deep, len(positions))],
        "agents": {
            name: {
                "mixes": mixes,
                "one": gains(spec, positions, 1),
                "two": gains(spec, positions[:deep], 2),
            }
            for name, (spec, mixes) in SETTINGS.items()
        },
    }


def show_foreseen(report: Report, found: Mapping[str, Any]) -> None:
    """The gains as a chart and a table."""
    every = found["agents"]
    figure, axes = new_figure(width=8.5, height=1.1 + 0.36 * len(every))
    for place, each in enumerate(reversed(list(every.values()))):
        colour = COLOURS[0] if each["mixes"] else COLOURS[1]
        axes.errorbar(each["one"]["mean"], place, xerr=each["one"]["half"], fmt="o", color=colour)
    axes.plot([], [], "o", color=COLOURS[0], label="mixes")
    axes.plot([], [], "o", color=COLOURS[1], label="decides for one action")
    axes.set_yticks(range(len(every)), list(reversed(every)))
    axes.set_xlim(left=-0.01)
    axes.set_xlabel("tokens that the best answer gains a turn, with 95 % intervals")
    figure.legend(frameon=False, loc="outside upper right", ncols=2)
    report.chart(figure, "What the best answer gains, one turn deep")
    one, two = found["positions"]
    rows = [
        [name, "yes" if each["mixes"] else "no", _gain(each["one"]),
         f"{each['one']['share']:.0%}", _gain(each["two"])]
        for name, each in every.items()
    ]  # fmt: skip
    report.table(
        f"Tokens that the best answer gains a turn: one turn deep in {one} positions, two turns "
        f"deep in {two}",
        ["agent", "mixes", "one turn deep", "positions in which it gains 0.05", "two turns deep"],
        rows,
    )


def at_times(count: int, times: Sequence[float]) -> dict[str, Any]:
    """What the best answer gains from the samplers, by the seconds that they have for a move."""
    positions = positions_of_play(count, seed=4)
    return {
        "positions": len(positions),
        "times": list(times),
        "methods": {
            name: [gains(spec.format(time=time), positions, 1, samples=1) for time in times]
            for name, spec in _TIMED.items()
        },
        "nash": gains("nash(eval=hunt)", positions, 1),
        "paranoid": gains("paranoid(eval=hunt)", positions, 1),
    }


def show_times(report: Report, found: Mapping[str, Any]) -> None:
    """The gains by time as a table."""
    times = found["times"]
    rows = [[name, *(_gain(each) for each in gained)] for name, gained in found["methods"].items()]
    rows += [
        [f"{name}, a millisecond", *([_gain(found[name])] * len(times))]
        for name in ("nash", "paranoid")
    ]
    report.table(
        f"Tokens that the best answer gains a turn, one turn deep, in {found['positions']} "
        "positions",
        ["method", *(f"{time:g} s a move" for time in times)],
        rows,
    )


def _gain(each: Mapping[str, float]) -> str:
    return f"{each['mean']:.3f} ± {each['half']:.3f}"
