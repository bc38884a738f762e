"""Project Ur, Phase 1: the experiments of a report on artificial players of the Royal Game of Ur.

Section 4 asks how depth changes decisions and their cost; section 5, which the report announces and
never shows, how strong the strategies are. Every experiment is run in two readings: as the report's
text says, and as its program really behaves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from petteia import games
from petteia.arena.contest import Contest
from petteia.core.processors import processors
from petteia.games.ur import Ur
from petteia.games.ur.report import diagram
from petteia.games.ur.study.league import Cell, Player, decision_time, meeting
from petteia.games.ur.study.learning import measure_learning, tell_learning
from petteia.studies.frame import Experiment, Measurement, Outcome, Study
from petteia.studies.parts import score_table
from petteia.studies.report import COLOURS, Report, new_figure

__all__ = ["STUDY", "leagues_of", "matrix"]

DEPTHS = range(16)
_FULL_PAIRS, _QUICK_PAIRS = 2000, 20
_ARENA_FULL, _ARENA_QUICK = 100, 1
_SHALLOW = (0, 1, 2, 3, 4, 5, 6)
_REPRESENTATIVES = (0, 1, 6, 10, 12, 15)
EVERY = tuple(sorted({*_SHALLOW, *_REPRESENTATIVES}))

Row = dict[str, list[list[float]]]

AUTHOR = {
    0: (0.545, 0.625, 0.745, 0.795, 0.790, 0.805, 0.870),
    1: (0.350, 0.460, 0.565, 0.660, 0.740, 0.805, 0.760),
    2: (0.290, 0.435, 0.550, 0.655, 0.680, 0.690, 0.740),
    3: (0.175, 0.400, 0.460, 0.510, 0.590, 0.605, 0.675),
    4: (0.225, 0.295, 0.270, 0.430, 0.555, 0.585, 0.550),
    5: (0.180, 0.205, 0.300, 0.425, 0.445, 0.495, 0.540),
    6: (0.130, 0.175, 0.255, 0.400, 0.410, 0.480, 0.495),
}
"""Left's win rate of depths 0 to 6 (rows) against 0 to 6, 200 games each, by the author."""
AUTHOR_LEAGUES = {
    0: (0.545, 0.625, 0.870, 0.865, 0.855, 0.850),
    1: (0.350, 0.460, 0.760, 0.850, 0.860, 0.825),
    6: (0.130, 0.175, 0.495, 0.565, 0.585, 0.590),
    10: (0.145, 0.150, 0.475, 0.515, 0.475, 0.480),
    12: (0.160, 0.230, 0.495, 0.465, 0.520, 0.580),
    15: (0.160, 0.220, 0.490, 0.505, 0.440, 0.550),
}
"""The same for the representatives of the leagues."""
_LEAGUES = (("B", 8, 9), ("C", 6, 7), ("D", 4, 5), ("E", 1, 3), ("F", 0, 0))
_CHOSEN = {"A": 0, "B": 1, "C": 6, "D": 10, "E": 12, "F": 15}


def _name(depth: int) -> str:
    return f"SA{depth}" if depth else "SM"


def leagues_of(margins: Sequence[int]) -> dict[str, list[str]]:
    """The leagues that follow from the margins of depths 0 to 15; A is the one that looks nowhere.

    The report defines C as "above [6, 7]"; its members show that [6, 7] is meant.
    """
    found = {"A": [_name(0)]}
    for letter, low, high in _LEAGUES:
        found[letter] = [_name(d) for d in DEPTHS if d and low <= margins[d] <= high]
    return found


def _game(*, as_coded: bool) -> Ur:
    game = games.make("project-ur" if as_coded else "ur")
    assert isinstance(game, Ur)
    return game


def _row(depth: int, depths: Sequence[int], pairs: int, seed: int, *, as_coded: bool) -> Row:
    """A depth against itself and all later ones: for each the results as left and as right."""
    game = _game(as_coded=as_coded)
    start = game.parse("L=0,0,0,0,0,0,0 R=0,0,0,0,0,0,0 L")
    found: Row = {}
    for other in depths:
        if other >= depth:
            players = [Player.of_report(each, as_coded=as_coded) for each in (depth, other)]
            cells = meeting(
                game, players[0], players[1], pairs, seed=seed + 100 * depth + other, start=start,
                threads=processors(),
            )  # fmt: skip
            found[str(other)] = [[cell.games, cell.wins, cell.turns] for cell in cells]
    return found


def _matrix_of(rows: Mapping[int, Row]) -> dict[tuple[int, int], Cell]:
    """Left's results of every depth against every other, left named first."""
    found: dict[tuple[int, int], Cell] = {}
    for depth, row in rows.items():
        for other, cells in row.items():
            first, second = (Cell(int(n), int(wins), turns) for n, wins, turns in cells)
            found[int(other), depth] = second
            found[depth, int(other)] = first
    return found


def matrix(
    depths: Sequence[int], pairs: int, *, as_coded: bool, seed: int
) -> dict[tuple[int, int], Cell]:
    """The same, played at once."""
    rows = {depth: _row(depth, depths, pairs, seed, as_coded=as_coded) for depth in depths}
    return _matrix_of(rows)


# --- section 4 ---------------------------------------------------------------------------------


def _times(quick: bool, seed: int) -> list[float]:
    """The mean time of a decision as coded, by depth, in microseconds."""
    game = _game(as_coded=False)
    boards = [game.parse(board) for board in diagram.BOARDS]
    times = 200 if quick else 5000
    return [
        1e6 * decision_time(game, boards, Player.of_report(depth, as_coded=True), times)
        for depth in DEPTHS
    ]


def _diagram(report: Report, game: Ur, times: list[float]) -> dict[str, Any]:
    coded = [diagram.decisions(game, depth, as_coded=True) for depth in DEPTHS]
    text = [diagram.decisions(game, depth, as_coded=False) for depth in DEPTHS]
    margins = diagram.margins(coded)
    rows = [
        [depth, diagram.PUBLISHED[depth], coded[depth], "yes" if same else "no",
         diagram.MARGINS[depth], margins[depth], text[depth], diagram.RUNTIMES[depth],
         round(times[depth], 3)]
        for depth in DEPTHS
        for same in [coded[depth] == diagram.PUBLISHED[depth]]
    ]  # fmt: skip
    report.heading("Section 4: decisions and their cost by depth")
    report.text(
        "Each string holds the pieces moved on the three boards of section 4.2 with rolls 1 to 4; "
        "the margin counts the decisions that differ from depth 15. Depth 0 is Massugu. The "
        "report's figures come out of its program's behaviour, and not of its text."
    )
    report.table(
        "Diagram 1",
        ["depth", "report", "as coded", "same", "margin, report", "margin, ours", "by the text",
         "report, ms", "ours, µs"],
        rows,
    )  # fmt: skip
    _diagram_2(report, margins, times)
    fits = {"report": _fits(diagram.RUNTIMES), "ours": _fits(times)}
    report.table(
        "How the time of a decision grows with depth 1 to 15",
        ["times", "linear, R²", "exponential, R²", "time at depth 15 / depth 1"],
        [
            [name, round(fit["linear"], 3), round(fit["exponential"], 3), round(fit["ratio"], 1)]
            for name, fit in fits.items()
        ],
    )
    report.text(
        "The report claims O(4^n) and sees exponential growth. Four to the fourteenth would be a "
        "factor of 268 million between depths 1 and 15; the report's own times grow "
        f"{fits['report']['ratio']:.0f}-fold, ours {fits['ours']['ratio']:.0f}-fold. Each further "
        "half-turn looks at every piece with every step once and follows one line only: the cost "
        "is linear in the depth. The jump at depth 9 in the report comes from its third board."
    )
    return {
        "diagram1": coded, "margins": margins, "text": text, "microseconds": times, "fits": fits,
    }  # fmt: skip


def _fits(times: Sequence[float]) -> dict[str, float]:
    """How well a line, and an exponential, explain the times from depth 1 on."""
    x, y = np.arange(1, 16), np.asarray(times[1:], float)

    def explained(model: np.ndarray) -> float:
        return 1 - float(((y - model) ** 2).sum() / ((y - y.mean()) ** 2).sum())

    line = np.polyval(np.polyfit(x, y, 1), x)
    grown = np.exp(np.polyval(np.polyfit(x, np.log(y), 1), x))
    return {
        "linear": explained(line), "exponential": explained(grown), "ratio": float(y[-1] / y[0]),
    }  # fmt: skip


def _diagram_2(report: Report, margins: Sequence[int], times: Sequence[float]) -> None:
    figure, axes = new_figure()
    axes.plot(DEPTHS, diagram.RUNTIMES, marker="D", color=COLOURS[1], label="report, ms")
    axes.plot(DEPTHS, times, marker="o", color=COLOURS[0], label="ours, µs")
    axes.set_xlabel("depth")
    axes.set_ylabel("mean time of a decision")
    axes.set_xticks(DEPTHS)
    other = axes.twinx()
    other.bar(DEPTHS, margins, color=COLOURS[2], alpha=0.25, label="margin")
    other.set_ylabel("decisions that differ from depth 15")
    other.set_ylim(0, 12)
    figure.legend(frameon=False, loc="outside upper right", ncols=3)
    report.chart(figure, "Diagram 2: time and margin by depth")


# --- section 5 ---------------------------------------------------------------------------------


def _matrices(
    report: Report, coded: dict[tuple[int, int], Cell], text: dict[tuple[int, int], Cell]
) -> dict[str, Any]:
    pairs = coded[0, 0].games
    report.heading("Section 5: how strong the strategies are")
    report.text(
        "The report announces this section and never shows it; the author's data are left's win "
        f"rates in 200 games a cell (± 7 %). Ours are {pairs:,} games a cell, in pairs with the "
        "same dice and sides exchanged. Rows are the left player, who begins."
    )
    _matrix_table(report, "As coded, depths 0 to 6", _SHALLOW, coded, AUTHOR)
    _matrix_table(report, "As coded, one of each league", _REPRESENTATIVES, coded, AUTHOR_LEAGUES)
    _matrix_table(report, "By the text, one of each league", _REPRESENTATIVES, text, None)
    inside, cells = _agreement(coded)
    report.text(
        f"{inside} of the author's {cells} cells lie within the combined 95 % interval of ours; "
        f"about {0.95 * cells:.0f} would if both measured the same."
    )
    report.text(_conclusion(coded, text, list(EVERY)))
    return {
        "pairs": pairs,
        "as_coded": _as_json(coded),
        "text": _as_json(text),
        "author_cells_inside": [inside, cells],
    }


def _conclusion(
    coded: Mapping[tuple[int, int], Cell], text: Mapping[tuple[int, int], Cell], depths: list[int]
) -> str:
    """What the matrices say, in words."""

    def against(cells: Mapping[tuple[int, int], Cell], depth: int) -> tuple[float, float]:
        """The score against Massugu over both sides, and half its interval."""
        as_left, as_right = cells[depth, 0], cells[0, depth]
        return (as_left.rate + 1 - as_right.rate) / 2, as_left.error / 2**0.5

    def told(cells: Mapping[tuple[int, int], Cell]) -> str:
        scores = {depth: against(cells, depth) for depth in depths if depth}
        above = [_name(d) for d, (score, error) in scores.items() if score - error > 0.5]
        below = [_name(d) for d, (score, error) in scores.items() if score + error < 0.5]
        better = f"{', '.join(above)} beat Massugu" if above else "no depth beats Massugu"
        return f"{better}, {len(below)} of {len(scores)} depths lose to it"

    best = max(depths, key=lambda d: sum(coded[d, e].rate for e in depths))
    return (
        f"The conclusion that the author did not write: as coded, {_name(best)} scores most; "
        f"{told(coded)}. By the text {told(text)}. So looking ahead in the report's way does not "
        "pay, and its bugs are not the whole cause."
    )


def _agreement(ours: Mapping[tuple[int, int], Cell]) -> tuple[int, int]:
    """How many of the author's cells agree with ours, and of how many."""
    inside, seen = 0, set[tuple[int, int]]()
    for table, depths in ((AUTHOR, _SHALLOW), (AUTHOR_LEAGUES, _REPRESENTATIVES)):
        for a, row in table.items():
            for b, rate in zip(depths, row, strict=True):
                if (a, b) in seen:
                    continue
                seen.add((a, b))
                theirs = 1.96 * (max(rate * (1 - rate), 1e-9) / 200) ** 0.5
                cell = ours[a, b]
                inside += abs(rate - cell.rate) <= (theirs**2 + cell.error**2) ** 0.5
    return inside, len(seen)


def _matrix_table(
    report: Report,
    caption: str,
    depths: Sequence[int],
    ours: Mapping[tuple[int, int], Cell],
    author: Mapping[int, Sequence[float]] | None,
) -> None:
    rows = []
    for a in depths:
        row: list[object] = [_name(a)]
        for place, b in enumerate(depths):
            cell = ours[a, b]
            text = f"{cell.rate:.3f} ± {cell.error:.3f}"
            row.append(f"{text} ({author[a][place]:.3f})" if author else text)
        rows.append(row)
    shown = f"{caption}: left's win rate{' (the author)' if author else ''}"
    report.table(shown, ["left / right", *(_name(d) for d in depths)], rows)


def _as_json(ours: Mapping[tuple[int, int], Cell]) -> dict[str, dict[str, list[float]]]:
    found: dict[str, dict[str, list[float]]] = {}
    for (a, b), cell in ours.items():
        found.setdefault(_name(a), {})[_name(b)] = [cell.rate, cell.error, cell.turns]
    return found


# --- all ---------------------------------------------------------------------------------------


def _experiments() -> tuple[Experiment, ...]:
    found = []
    for depth in (1, 2, 6, 15):
        for game, first, second, reading in (
            ("ur", "massugu", "ashikazu", "text"),
            ("project-ur", "project_ur.massugu", "project_ur.ashikazu", "as coded"),
        ):
            found.append(
                Experiment(
                    f"{reading}-{depth}", f"SM v SA{depth}, {reading}",
                    Contest(game, first, f"{second}(depth={depth})"),
                    _ARENA_QUICK, _ARENA_FULL,
                )
            )  # fmt: skip
    return tuple(found)


def _key(depth: int, *, as_coded: bool) -> str:
    return f"{_name(depth)}-{'as-coded' if as_coded else 'text'}"


def _row_measurement(depth: int, *, as_coded: bool) -> Measurement:
    def take(quick: bool, seed: int) -> Row:
        pairs = _QUICK_PAIRS if quick else _FULL_PAIRS
        return _row(depth, EVERY, pairs, seed, as_coded=as_coded)

    reading = "as coded" if as_coded else "by the text"
    return Measurement(_key(depth, as_coded=as_coded), f"{_name(depth)}, {reading}", take)


def _measurements() -> tuple[Measurement, ...]:
    rows = [_row_measurement(d, as_coded=coded) for coded in (True, False) for d in EVERY]
    return (
        Measurement("times", "time of a decision", _times),
        *rows,
        Measurement("learning", "learning from self-play", measure_learning),
    )


def _tell(report: Report, outcomes: Mapping[str, Any]) -> dict[str, Any]:
    found = _diagram(report, _game(as_coded=False), outcomes["times"])
    found["leagues"] = leagues_of(found["margins"])
    report.table(
        "Leagues by the margin",
        ["league", "members", "representative"],
        [[name, ", ".join(who), _name(_CHOSEN[name])] for name, who in found["leagues"].items()],
    )
    coded, text = (
        _matrix_of({depth: outcomes[_key(depth, as_coded=as_coded)] for depth in EVERY})
        for as_coded in (True, False)
    )
    found["effectiveness"] = _matrices(report, coded, text)
    report.heading("The same in the arena")
    report.text("Whole games of our agents through the same door as every other agent's.")
    played = [each for each in outcomes.values() if isinstance(each, Outcome)]
    score_table(report, "Massugu against Ashikazu", played)
    tell_learning(report, outcomes["learning"])
    found["learning"] = outcomes["learning"]
    return found


STUDY = Study(
    name="project-ur",
    title="Project Ur: a report on artificial players, run again",
    about="Decisions, costs and strength of the strategies of a report on the Royal Game of Ur.",
    experiments=_experiments(),
    tell=(_tell,),
    measurements=_measurements(),
    headline=("diagram1", "margins", "leagues"),
)
