"""``petteia tournament``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from petteia.arena.contest import Contest
from petteia.arena.executors import workers as workers_for
from petteia.arena.kept import KeptSeries
from petteia.arena.match import MatchResult
from petteia.arena.tournament import Tournament
from petteia.cli import output
from petteia.cli.match import store_at, tell_sandbox
from petteia.cli.options import (
    Cluster,
    GameSpec,
    Json,
    Openings,
    Seed,
    StoreName,
    WorkersName,
)
from petteia.core.writing import write_whole

__all__ = ["Options", "run"]

_RATING_COLUMNS = ("league", "agent", "rating", "s.e.", "points", "games")


def _show(facts: dict[str, Any]) -> None:
    names = facts["agents"]
    print(f"{facts['game']}, {facts['kind']}, {facts['pairs']} pairs a meeting, ", end="")
    print(f"seed {facts['seed']}, opening {facts['opening']}\n")
    rows = []
    for i, row in enumerate(facts["table"]):
        cells = ["" if score is None else f"{100 * score:.0f}" for score in row]
        rows.append((str(i + 1), names[i], *cells))
    columns = ["", "agent", *(str(number + 1) for number in range(len(names)))]
    output.table("Scores in %, row against column", columns, rows)
    print()
    output.table(
        "Bradley-Terry ratings (mean 0; with half a win and half a loss to an average player)",
        _RATING_COLUMNS,
        _rating_rows(facts),
    )


def _rating_rows(facts: dict[str, Any]) -> list[list[Any]]:
    rows = []
    for row in facts["ratings"]:
        rating, error = f"{row['rating']:+.0f}", f"{row['error']:.0f}"
        points = f"{row['points']:g}"
        rows.append([row["league"], row["agent"], rating, error, points, row["games"]])
    return rows


def _plot(path: Path, facts: dict[str, Any]) -> None:
    """The ratings with their standard errors, as an HTML page."""
    from petteia.studies.report import Report, new_figure

    report = Report(
        f"Tournament of {facts['game']}", f"{facts['kind']}, {facts['pairs']} pairs each"
    )
    figure, axes = new_figure(height=1.2 + 0.45 * len(facts["ratings"]))
    for place, row in enumerate(reversed(facts["ratings"])):
        axes.errorbar(row["rating"], place, xerr=1.96 * row["error"], fmt="o", color="#0072B2")
    axes.set_yticks(range(len(facts["ratings"])), [r["agent"] for r in reversed(facts["ratings"])])
    axes.set_xlabel("rating with its 95 % interval")
    report.chart(figure, "Bradley-Terry ratings, mean 0")
    report.table("Ratings", _RATING_COLUMNS, _rating_rows(facts))
    report.table(
        "Meetings",
        ["", "against", "score", "95 % interval"],
        [
            [m["agents"][0], m["agents"][1], f"{100 * m['score']:.1f} %",
             f"{100 * m['interval'][0]:.1f} to {100 * m['interval'][1]:.1f} %"]
            for m in facts["meetings"]
        ],
    )  # fmt: skip
    write_whole(path, report.html())


@dataclass(frozen=True)
class Options:
    """Who plays, how the games are played, and where they are kept."""

    game: GameSpec
    agents: Annotated[list[str], typer.Argument(metavar="A B C ...", help="agents")]
    pairs: Annotated[int, typer.Option(help="pairs of games per meeting", min=1)] = 10
    seed: Seed = 0
    openings: Openings = "random"
    gauntlet: Annotated[bool, typer.Option("--gauntlet", help="the first against all")] = False
    workers: WorkersName = ""
    cluster: Cluster = ""
    store: StoreName = ""
    plot: Annotated[Path | None, typer.Option(help="write a page with figures here")] = None
    as_json: Json = False


def run(options: Options) -> None:
    """Plays a tournament; every meeting is a separate series in the store."""
    tournament = Tournament(
        options.game, tuple(options.agents), options.pairs, options.seed, options.openings,
        options.gauntlet,
    )  # fmt: skip
    contests = [contest.checked() for contest in tournament.contests().values()]
    tournament.game, tournament.opening = contests[0].game, contests[0].opening
    numbers: list[int | None] = []
    tell_sandbox(tournament.agents)
    with store_at(options.store) as store:
        where = workers_for(options.workers, options.cluster)

        def series(contest: Contest) -> Iterator[MatchResult]:
            kept = KeptSeries(contest.checked(), tournament.pairs, store=store, kind="tournament")
            yield from kept.play(where)
            numbers.append(kept.id)

        total = len(contests) * tournament.pairs
        for _ in output.tracked(tournament.play(where, series), total, "pairs"):
            pass
    facts = tournament.facts(numbers)
    if options.plot is not None:
        _plot(options.plot, facts)
    output.show(facts, options.as_json, lambda: _show(facts))
