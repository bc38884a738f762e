"""A course report on RoPaSci 360: its claims, and twelve experiments of ours around them.

The games are played in the arena; what needs no games is measured in ``ropasci_parts`` and
``ropasci_mixing``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

from petteia.arena.contest import Contest
from petteia.games.ropasci.study import mixing, parts
from petteia.studies.frame import Experiment, Measurement, Outcome, Study
from petteia.studies.parts import score_chart, score_table, score_text
from petteia.studies.report import Report, new_figure

__all__ = ["STUDY"]

_FULL = 200
_QUICK = 1
_STRATEGIES = {
    1: "the ratio of types", 2: "the heaviest type", 3: "closer prey", 4: "distance to a group",
    5: "kill rather than escape", 6: "dearer throws",
}  # fmt: skip
_WEAKEN = (0.0, 0.5, 0.75, 0.9, 1.0)
_SWEPT = {
    "greedy": ("greedy", _WEAKEN, _FULL),
    "paranoid": ("paranoid(eval=report)", (0.5, 0.9, 1.0), 5),
    "nash": ("nash(eval=report)", (0.5, 0.9, 1.0), _FULL),
}
"""Who meets the weakened player, with which values, and pairs: with paranoid all games are long."""
_OURS = "nash(guard=1, contempt=1.0, eval=hunt)"
"""Our player when the study was made; the evaluation that was learned came later."""
_RULES = {
    "nash": "nash(guard=1, eval=hunt)", "paranoid": "paranoid(guard=1, eval=hunt)",
    "mean": "mean(eval=hunt)", "optimistic": "optimistic(eval=hunt)",
}  # fmt: skip
"""Ways to decide on the same matrix, one turn deep."""
_METHODS = {
    "paranoid": "paranoid(depth=2, time={time}, guard=1, eval=hunt)",
    "duct": "smmcts(time={time}, guard=1, eval=hunt)",
    "rm": "smmcts(time={time}, selection=rm, guard=1, eval=hunt)",
    "exp3": "smmcts(time={time}, selection=exp3, guard=1, eval=hunt)",
}
_NASH = "nash(depth=2, time={time}, guard=1, eval=hunt)"
_TIME, _TIMED_PAIRS, _TURNS = 0.1, 4, 120
"""Seconds a move, and pairs: a pair takes about a quarter of a minute."""
_EXPLOITED = {
    "nash": ("nash(eval=hunt)", 100),
    "quantal": ("quantal(softness=1.0, eval=hunt)", 10),
    "smmcts": ("smmcts(simulations=2000, eval=hunt)", 15),
    "paranoid": ("paranoid(eval=hunt)", 30),
    "report": ("report()", 50),
    "mean": ("mean(eval=hunt)", 20),
    "greedy": ("greedy(eval=hunt)", 100),
}
"""Agents that the best answer meets, and pairs; those that mix first."""
_DECIDED = ("paranoid", "report", "mean", "greedy")
"""Those of them that do not mix."""
_GUARDS = {
    "rules": "nash(eval=hunt)", "guard": "nash(guard=1, eval=hunt)", "contempt": _OURS,
}  # fmt: skip


def _experiment(
    key: str, title: str, first: str, second: str, *, game: str = "ropasci", **given: Any
) -> Experiment:
    """``given`` are further fields of the experiment."""
    sizes = {"quick": _QUICK, "full": _FULL}
    return Experiment(key, title, Contest(game, first, second), **{**sizes, **given})


def _of_the_report() -> Iterator[Experiment]:
    yield _experiment(
        "3-report", "3. report v random", "report()", "random", quick=5, full=500,
        claim="96 wins, no losses in 100 games", claimed=0.98,
    )  # fmt: skip
    yield _experiment("3-greedy", "3. greedy v random", "greedy", "random", quick=5, full=500)
    yield _experiment("3-ours", "3. our nash v random", _OURS, "random", quick=3, full=500)
    yield _experiment("3-versus", "3. our nash v greedy", _OURS, "greedy", quick=3)
    yield _experiment("3-meets", "3. our nash v report", _OURS, "report()", quick=0)
    for number, about in _STRATEGIES.items():
        yield _experiment(
            f"4-{number}", f"4. report without {number}, {about}, v greedy",
            f"report(strategy{number}=false)", "greedy",
        )  # fmt: skip
    for name, (enemy, values, pairs) in _SWEPT.items():
        for weaken in values:
            quick = 2 if name == "greedy" and weaken >= 0.5 else 0
            yield _experiment(
                f"5-{name}-{weaken:g}", f"5. weaken {weaken:g} v {name}",
                f"report(weaken={weaken})", enemy, quick=quick, full=pairs,
                claim="weakening wins more against greedy" if name == "greedy" else "",
            )  # fmt: skip
    yield _experiment(
        "6-deep", "6. report with deepening v greedy", "report(deepening=true)", "greedy",
        claim="may win a lot more; switched off for memory",
    )  # fmt: skip


def _of_methods() -> Iterator[Experiment]:
    for name, weights in parts.LABELS.items():
        yield _experiment(
            f"8-{name}", f"8. nash with weights from {name} v nash with ours by hand",
            f"nash(eval={weights})", "nash(eval=report)",
        )  # fmt: skip
    for first, second in combinations(_RULES, 2):
        yield _experiment(
            f"9-{first}-{second}", f"9. {first} v {second}", _RULES[first], _RULES[second],
            quick=0, full=50,
        )  # fmt: skip
    for name, spec in _METHODS.items():
        yield _experiment(
            f"9-timed-{name}", f"9. {name} v nash at {_TIME:g} s", spec.format(time=_TIME),
            _NASH.format(time=_TIME), quick=0, full=_TIMED_PAIRS,
            game=f"ropasci(turns={_TURNS})",
        )  # fmt: skip
    for key, spec in _GUARDS.items():
        title = f"11. {spec} v paranoid with the report's evaluation"
        yield _experiment(f"11-{key}", title, spec, "paranoid(eval=report)")
    for key, (spec, pairs) in _EXPLOITED.items():
        evaluation = "report" if key == "report" else "hunt"
        yield _experiment(
            f"12-{key}", f"12. best answer to {key} v {key}",
            f"respond(to={spec}, eval={evaluation})", spec, full=pairs,
        )  # fmt: skip


def causes_of(outcomes: Iterable[Outcome]) -> list[list[object]]:
    """Draws and why they were drawn, a row a series."""
    rows: list[list[object]] = []
    for outcome in outcomes:
        games = [game for pair in outcome.result.pairs for game in pair.games]
        causes = Counter(game.record.header("Draw") for game in games if game.result == 0)
        told = "; ".join(f"{count} {why or 'unknown'}" for why, count in causes.most_common())
        plies = sum(game.plies for game in games) / max(1, len(games))
        rows.append(
            [outcome.experiment.title, len(games), sum(causes.values()), told, round(plies)]
        )
    return rows


def _part(outcomes: Mapping[str, Outcome], number: int) -> list[Outcome]:
    return [each for key, each in outcomes.items() if key.split("-")[0] == str(number)]


def _sweep(report: Report, outcomes: Mapping[str, Outcome]) -> None:
    figure, axes = new_figure()
    for enemy, (_, values, _) in _SWEPT.items():
        played = [w for w in values if f"5-{enemy}-{w:g}" in outcomes]
        scores = [outcomes[f"5-{enemy}-{weaken:g}"].result for weaken in played]
        low, high = ([result.interval[k] for result in scores] for k in (0, 1))
        if played:
            axes.plot(played, [result.score for result in scores], marker="o", label=f"v {enemy}")
            axes.fill_between(played, low, high, alpha=0.15)
    axes.set_xlabel("weaken: what the enemy's utility counts")
    axes.set_ylabel("score of the report's player")
    axes.set_ylim(0, 1)
    axes.legend(frameon=False)
    report.chart(figure, "Experiment 5: weakening, with 95 % intervals")


def _difference(first: Outcome, second: Outcome) -> tuple[float, float]:
    """How much more one series scored than another, and half the 95 % interval of that."""
    ends = [each.result.interval for each in (first, second)]
    half = math.hypot(*((high - low) / 2 for low, high in ends))
    return first.result.score - second.result.score, half


def _compared(first: Outcome, second: Outcome) -> str:
    """Whether the first of two series scored more, as far as the interval of the difference
    tells."""
    more, half = _difference(first, second)
    return "holds" if more > half else "the opposite" if more < -half else "not seen"


def _gained(first: Outcome, second: Outcome) -> str:
    more, half = _difference(first, second)
    return f"a difference of {100 * more:+.1f} ± {100 * half:.1f} points"


def _counted(outcome: Outcome) -> str:
    won, drawn, lost = (outcome.result.count(score) for score in (1.0, 0.5, 0.0))
    return f"{won} won, {drawn} drawn, {lost} lost"


def _claims(report: Report, outcomes: Mapping[str, Outcome], found: dict[str, Any]) -> None:
    keys = ("3-report", "5-greedy-0.9", "5-greedy-1", "6-deep")
    random, weak, plain, deep = (outcomes[key] for key in keys)
    exponent = found["pruning"]["exponent"]
    rows = [
        ("96 wins and no loss of 100 against random", _counted(random),
         "holds" if random.result.count(1.0) >= 0.96 * len(random.result.scores) else "less",
         f"a low bar: greedy {_counted(outcomes['3-greedy'])}"),
        ("deepcopy 10 s, undo 0.3 s: 33 times", f"{found['copying']['ratio']:.0f} times",
         "about" if 20 < found["copying"]["ratio"] < 45 else "not so",
         "one board of dictionaries; see a plain copy beside them"),
        ("weakening raises the rate against greedy",
         f"weaken 0.9: {score_text(weak)}; 1: {score_text(plain)}", _compared(weak, plain),
         f"{_gained(weak, plain)}; see the sweep"),
        ("deepening may win a lot", f"with: {score_text(deep)}; without: {score_text(weak)}",
         _compared(deep, weak), f"against greedy, {_gained(deep, weak)}"),
        ("deepening needs too much memory", f"{found['memory']:.1f} MB at depth 5", "no",
         "depth-first search needs one list of moves a level"),
        ("alpha-beta looks at b^(d/2) nodes",
         f"{found['pruning']['looked_at']:.1%} of all pairs at depth 1: b^({exponent:.2f} d)",
         "about" if exponent < 0.6 else "more than that",
         "d in half-moves; actions in random order"),
    ]  # fmt: skip
    columns = ["the report says", "we see", "claim", "remark"]
    report.table("What the report says, and what we see", columns, rows)


def _played(told: Mapping[str, Any]) -> dict[str, Outcome]:
    return {key: each for key, each in told.items() if isinstance(each, Outcome)}


def _tell_rules(report: Report, told: Mapping[str, Any]) -> dict[str, Any]:
    found = {part.key: told[part.key] for part in _MEASUREMENTS}
    report.heading("Report and ours")
    _claims(report, _played(told), found)
    report.heading("1. Are the rules right?")
    seen, wrong = found["conformance"]
    report.text(
        f"Kernels and readable rules were compared on {seen:,} positions of random games: {wrong} "
        "differences. Recorded games are checked by petteia replay ropasci FILE."
    )
    report.heading("2. Copy or take back?")
    parts.show_copying(report, found["copying"])
    return found


def _tell_players(report: Report, told: Mapping[str, Any]) -> dict[str, Any]:
    outcomes = _played(told)
    report.heading("3. Against random and greedy players")
    score_table(report, "Series", _part(outcomes, 3))
    report.heading("4. What the report's strategies are worth")
    report.text(
        "The report's player with one strategy switched off, beside the whole one, against "
        "greedy. Against itself nearly every game is a draw after 360 turns, which tells nothing."
    )
    whole = replace(
        outcomes["5-greedy-0.9"],
        experiment=replace(outcomes["5-greedy-0.9"].experiment, title="the whole player v greedy"),
    )
    score_chart(report, "With one strategy switched off", [whole, *_part(outcomes, 4)])
    score_table(report, "Series", [whole, *_part(outcomes, 4)])
    report.heading("5. Weakening the enemy")
    report.text(
        "What the enemy has counts only so much; 1 is plain minimax. Paranoid and nash use the "
        "same evaluation as the report's player."
    )
    _sweep(report, outcomes)
    score_table(report, "Series", _part(outcomes, 5))
    report.heading("6. Deepening")
    report.text(
        "The deeper player searches the largest depth with (own x enemy actions)^depth within a "
        "million: two turns once throws are spent, else one."
    )
    score_table(report, "Series", _part(outcomes, 6))
    return {}


def _tell_methods(report: Report, told: Mapping[str, Any]) -> dict[str, Any]:
    outcomes = _played(told)
    report.heading("7. What pruning saves")
    parts.show_pruning(report, told["pruning"])
    report.heading("8. Weights from labels")
    report.text(
        "Coefficients of the report's evaluation by regression on values two turns deep, on "
        "results of games and by temporal differences, in place of its authors' intuition. The "
        "table shows them fitted to games of this run; the series are played with weights that "
        "were fitted to other games before."
    )
    parts.show_labels(report, told["labels"])
    score_table(report, "Series", _part(outcomes, 8))
    report.heading("9. Ways to decide, and methods at equal time")
    _methods(report, outcomes, told["times"])
    report.heading("10. Matrix solvers")
    parts.show_solvers(report, told["solvers"])
    report.heading("11. Draws")
    report.table(
        "Draws and their causes, all series", ["series", "games", "draws", "causes", "turns"],
        causes_of(outcomes.values()),
    )  # fmt: skip
    score_table(report, "Guards against repetition", _part(outcomes, 11))
    report.heading("12. Who can be foreseen")
    return {"exploited": _foreseen(report, outcomes, told["foreseen"])}


def _methods(report: Report, outcomes: Mapping[str, Outcome], times: dict[str, Any]) -> None:
    report.text(
        "First four ways to decide on the same matrix of the same evaluation, one turn deep: an "
        "equilibrium, the best action if the enemy saw it first, if it chose at random, and if it "
        "answered as favourably as possible."
    )
    every = _part(outcomes, 9)
    timed = [each for each in every if each.experiment.key.startswith("9-timed")]
    if not every:
        report.text("These series are played in the full run only.")
    else:
        score_table(report, "One turn deep, nash and paranoid with guard=1", every[: -len(timed)])
        report.text(
            f"Then searches with {_TIME:g} s a move against nash with the same; a game is a draw "
            f"after {_TURNS} turns here, and the pairs are few. Nash and paranoid look two turns "
            "ahead and need not use all their time. Half a second and a second a move would take "
            "hours of games; what more time gives the samplers is measured on positions instead."
        )
        score_table(report, f"Series at {_TIME:g} s a move", timed)
    mixing.show_times(report, times)
    report.text(
        "The gain is what the best answer gets over the value of the position's matrix, from who "
        "plays the strategy that the search found; no more than two tokens are counted in a "
        "position. An equilibrium of the matrix gives nothing away by its nature; that the "
        "samplers see further than one turn is not counted here."
    )


def _foreseen(
    report: Report, outcomes: Mapping[str, Outcome], found: dict[str, Any]
) -> dict[str, float]:
    """Experiment 12; what the best answer scores against each agent."""
    report.text(
        "The best answer knows an agent's strategy, not its dice. First position by position: the "
        "value of the matrix less what the agent's strategy is sure of, in tokens, no more than "
        "two counted in a position. All agents but the report's use the evaluation in which this "
        "is measured; ties of those that do not mix are broken by dice."
    )
    mixing.show_foreseen(report, found)
    report.text(
        "Then in games: the best answer, one turn deep, against the agent itself. Draws are many, "
        "and who gains a token in the next turn need not win the game."
    )
    score_chart(report, "What the best answer scores", _part(outcomes, 12))
    score_table(report, "Series", _part(outcomes, 12))
    exact, others = outcomes["12-nash"], [outcomes[f"12-{key}"] for key in _DECIDED]
    better = sum(_compared(each, exact) == "holds" for each in others)
    low, high = (f(each.result.score for each in others) for f in (min, max))
    report.text(
        f"Against the equilibrium the best answer scores {100 * exact.result.score:.0f} %, against "
        f"agents that decide for one action {100 * low:.0f} to {100 * high:.0f} %: for "
        f"{better} of {len(others)} of them the interval of the difference says more than against "
        "the equilibrium."
    )
    mixing_badly = [
        key for key in ("quantal", "smmcts") if _compared(outcomes[f"12-{key}"], exact) == "holds"
    ]
    if mixing_badly:
        report.text(
            f"Mixing alone is no protection: {' and '.join(mixing_badly)} mix, though not as an "
            "equilibrium does, and are exploited more than it is."
        )
    return {key: outcomes[f"12-{key}"].result.score for key in _EXPLOITED}


_MEASUREMENTS = (
    Measurement(
        "conformance", "1. rules", lambda quick, _: parts.conformance(500 if quick else 20_000)
    ),
    Measurement("copying", "2. copying", lambda quick, _: parts.copying(0.2 if quick else 1.0)),
    Measurement("memory", "6. memory", lambda *_: parts.memory_of_search()),
    Measurement("pruning", "7. pruning", lambda quick, _: parts.pruning(6 if quick else 40)),
    Measurement("labels", "8. labels", lambda quick, _: parts.labels(6 if quick else 60)),
    Measurement(
        "times", "9. samplers by time",
        lambda quick, _: mixing.at_times(*((4, (0.1,)) if quick else (30, mixing.TIMES))),
    ),
    Measurement("solvers", "10. solvers", lambda quick, _: parts.solvers(15 if quick else 200)),
    Measurement(
        "foreseen", "12. best answers",
        lambda quick, _: mixing.foreseen(*((8, 2) if quick else (200, 20))),
    ),
)  # fmt: skip


STUDY = Study(
    name="ropasci",
    title="RoPaSci 360: a course report played again",
    about="A course report of 2021 on a minimax player for a game of simultaneous moves.",
    experiments=(*_of_the_report(), *_of_methods()),
    tell=(_tell_rules, _tell_players, _tell_methods),
    measurements=_MEASUREMENTS,
)
