"""Parts that reports of studies share: scores with intervals, single games, nodes by depth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from petteia import agents, games
from petteia.arena.play import Played
from petteia.core.drawing import svg, terminal
from petteia.core.game import Game
from petteia.core.replay import replay
from petteia.core.words import Words
from petteia.studies.frame import Outcome
from petteia.studies.report import COLOURS, Report, new_figure

__all__ = ["Shown", "nodes_by_depth", "score_chart", "score_table", "score_text"]


def score_text(outcome: Outcome) -> str:
    """The first agent's points with the 95 % interval of its score, in one line."""
    result = outcome.result
    low, high = (f"{100 * bound:.0f}" for bound in result.interval)
    return f"{sum(result.scores):g} of {len(result.scores)} ({low} to {high} %)"


def score_table(report: Report, caption: str, outcomes: Iterable[Outcome]) -> None:
    """Every series with the first agent's score, its interval, and its score from each seat."""
    rows = []
    for outcome in outcomes:
        result = outcome.result
        low, high = result.interval
        rows.append(
            [
                outcome.experiment.title,
                result.count(1.0),
                result.count(0.5),
                result.count(0.0),
                round(100 * result.score),
                f"{100 * low:.0f} to {100 * high:.0f}",
                " / ".join(f"{100 * score:.0f}" for score in outcome.by_seat),
            ]
        )
    columns = [
        "series", "wins", "draws", "losses", "score, %", "95 % interval", "as player 0 / 1, %",
    ]  # fmt: skip
    report.table(caption, columns, rows)


def score_chart(report: Report, caption: str, outcomes: Sequence[Outcome]) -> None:
    """The first agents' scores with their intervals, and the published scores as diamonds."""
    figure, axes = new_figure(width=8.5, height=1.1 + 0.36 * len(outcomes))
    claims = [outcome.experiment.claimed for outcome in outcomes]
    for place, outcome in enumerate(reversed(outcomes)):
        low, high = outcome.result.interval
        axes.plot([low, high], [place, place], linewidth=4, color=COLOURS[0], alpha=0.35)
        axes.plot(outcome.result.score, place, marker="o", color=COLOURS[0], zorder=3)
        claimed = outcome.experiment.claimed
        if claimed is not None:
            axes.plot(claimed, place, marker="D", markersize=6, color=COLOURS[1], fillstyle="none")
    axes.plot([], [], marker="o", linewidth=4, color=COLOURS[0], label="ours, 95 % interval")
    if any(claim is not None for claim in claims):
        axes.plot([], [], "D", fillstyle="none", color=COLOURS[1], label="published")
    axes.set_yticks(
        range(len(outcomes)), [outcome.experiment.title for outcome in reversed(outcomes)]
    )
    axes.axvline(0.5, color="#555", linewidth=0.8)
    axes.set_xlim(-0.02, 1.02)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
    axes.set_ylim(-0.6, len(outcomes) - 0.4)
    axes.set_xlabel("score of the agent named first")
    figure.legend(frameon=False, loc="outside upper right", ncols=2)
    report.chart(figure, caption)


@dataclass(frozen=True)
class Shown:
    """A single game with what a report says about it."""

    game: Game
    played: Played
    positions: tuple[Words, ...]

    @classmethod
    def of(cls, outcome: Outcome) -> Shown:
        """The first game of a series, in which the agent named first is player 0."""
        game = games.make(outcome.series.contest.game)
        played = outcome.result.pairs[0].games[0]
        return cls(game, played, tuple(replay(played.record, game)))

    @property
    def winner(self) -> int | None:
        """The player who won, or None."""
        result = self.played.result
        return None if result == 0 else 0 if result > 0 else 1

    @property
    def captures(self) -> tuple[int, int]:
        """How many pieces each player took: those that went from the enemy's side of the view."""
        taken = [0, 0]
        counts = [self._pieces(p) for p in self.positions]
        for before, after in pairwise(counts):
            for player in (0, 1):
                taken[player] += max(0, before[1 - player] - after[1 - player])
        return (taken[0], taken[1])

    def _pieces(self, p: Words) -> tuple[int, int]:
        pieces = self.game.view(p).pieces
        first, second = (sum(x.count for x in pieces if x.owner == owner) for owner in (0, 1))
        return (first, second)

    def picture(self, caption: str, size: int = 260) -> tuple[str, str, str]:
        """The final board as a picture for a report, the last move marked."""
        view = self.game.view(self.positions[-1])
        last = self.played.record.plies[-1].texts[0]
        for action in self.game.actions(self.positions[-2]):
            if action.move == last:
                view = view.with_last(action.path)
        return (svg.board(view, size=size), caption, terminal.board(view))

    def facts(self) -> dict[str, Any]:
        """The items of the game as JSON-ready data; what belongs to a player is a pair."""
        seats = self.played.seats
        return {
            "board": self.game.text(self.positions[-1]),
            "winner": self.winner,
            "plies": self.played.plies,
            "moves": [seat.moves for seat in seats],
            "captures": list(self.captures),
            "nodes": [seat.interior for seat in seats],
            "nodes_per_move": [seat.interior / max(1, seat.moves) for seat in seats],
            "seconds": [seat.seconds for seat in seats],
            "seconds_per_move": [seat.seconds / max(1, seat.moves) for seat in seats],
        }


def nodes_by_depth(
    report: Report, caption: str, game: Game, searches: dict[str, str], deepest: int
) -> dict[str, list[int]]:
    """Interior nodes from the start by depth, as a figure and a table.

    A search is an agent's spec with ``{depth}`` in it, by the name that the report shows.
    """
    counts: dict[str, list[int]] = {}
    figure, axes = new_figure()
    depths = range(1, deepest + 1)
    for name, spec in searches.items():
        counts[name] = [
            agents.make(spec.format(depth=depth), game).choose(game.start()).interior
            for depth in depths
        ]
    for line in dict.fromkeys(tuple(found) for found in counts.values()):
        # Searches that need the same nodes would hide each other: they share a line.
        label = ", ".join(name for name, found in counts.items() if tuple(found) == line)
        axes.semilogy(depths, line, marker="o", label=label)
    axes.set_xticks(depths)
    axes.set_xlabel("depth")
    axes.set_ylabel("interior nodes")
    axes.legend(frameon=False)
    report.chart(figure, caption)
    rows = [[depth, *(found[depth - 1] for found in counts.values())] for depth in depths]
    report.table("Interior nodes, the root included", ["depth", *counts], rows)
    return counts
