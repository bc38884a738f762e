"""``petteia.match``: a series of games in one call, with its data as tables.

Examples:
    >>> import petteia
    >>> series = petteia.match("breakthrough", "alphabeta(depth=2)", "random", pairs=2)
    >>> series.result
    <match of 4 games, score 100.0 %, 95 % interval 34.2 to 100.0 %>
    >>> series.games()[["pair", "first", "result", "score"]].shape
    (4, 4)
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from petteia import games as all_games
from petteia.arena.contest import Contest
from petteia.arena.executors import workers as workers_for
from petteia.arena.match import MatchResult
from petteia.arena.plies import Value, plies_of
from petteia.arena.series import run_series
from petteia.arena.statistics.interval import pair_interval
from petteia.core.errors import PetteiaError, one_of
from petteia.core.game import Game

__all__ = ["Series", "match"]

_LIBRARIES = ("pandas", "polars")
_POINTS = 200
"""Of a figure: more cannot be told apart."""


def match(
    game: str | Game,
    first: str,
    second: str,
    *,
    pairs: int = 10,
    seed: int = 0,
    opening: str = "random",
    workers: int = 1,
) -> Series:
    """Plays pairs of games, sides swapped, and gives the series.

    Args:
        game: a spec such as ``"breakthrough"`` or ``"./mygame.py"``, or a game.
        first: the spec of agent A.
        second: the spec of agent B.
        pairs: how many pairs; a pair is two games with the same opening and dice.
        seed: decides everything random; the same seed gives the same games.
        opening: ``random``, ``random(plies=6)``, ``none``, or a list of the game's.
        workers: how many processes play.
    """
    if pairs < 1:
        raise PetteiaError(f"pairs={pairs} is not possible; 1 or more")
    if workers < 1:
        raise PetteiaError(f"workers={workers} is not possible; 1 or more")
    contest = Contest(str(game), first, second, seed, opening).checked()
    place = workers_for("serial" if workers == 1 else str(workers))
    *_, result = run_series(contest, pairs, place)
    return Series(contest, result)


@dataclass(frozen=True, repr=False)
class Series:
    """The games of a match, and what they say about agent A."""

    contest: Contest
    """What was played: game, agents, seed, opening."""
    result: MatchResult
    """Every pair, with its records."""

    @property
    def score(self) -> float:
        """Agent A's mean score: 1 for a win, half for a draw."""
        return self.result.score

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score, over pairs."""
        return self.result.interval

    def games(self, library: str = "pandas") -> Any:
        """A row for each game: ``pair``, ``number`` (0 if A had the first move), ``first`` and
        ``second`` (the agents by their seats), ``result`` (points of the first player), ``score``
        (of A), ``plies``, ``forfeit``, and for A and B ``moves``, ``nodes``, ``seconds``."""
        return _frame(self._games(), library)

    def pairs(self, library: str = "pandas") -> Any:
        """A row for each pair: ``pair``, ``score`` (A's mean in both games), ``points``."""
        rows: list[dict[str, Value]] = []
        for pair in self.result.pairs:
            points = (pair.games[0].result - pair.games[1].result) / 2
            rows.append({"pair": pair.index, "score": sum(pair.scores) / 2, "points": points})
        return _frame(rows, library)

    def moves(self, library: str = "pandas") -> Any:
        """A row for each ply: ``pair``, ``game`` (0 or 1), and the columns of
        ``petteia.arena.plies``: who moved, the move as text and as number, and the position."""
        game = all_games.make(self.contest.game)
        rows: list[dict[str, Value]] = [
            {"pair": pair.index, "game": number, **ply}
            for pair in self.result.pairs
            for number, played in enumerate(pair.games)
            for ply in plies_of(played.record, game)
        ]
        return _frame(rows, library)

    def figure(self, file: str | Path | None = None) -> Any:
        """Agent A's score after every pair with its 95 % interval, as a figure of matplotlib.

        Args:
            file: where to write it too: ``.svg``, ``.pdf`` or ``.png``.
        """
        from matplotlib.figure import Figure

        means = [sum(pair.scores) / 2 for pair in self.result.pairs]
        ends = sorted({*range(1, len(means) + 1, max(1, len(means) // _POINTS)), len(means)})
        low, high = zip(*(pair_interval(means[:end]) for end in ends), strict=True)
        figure = Figure(figsize=(7, 4), layout="constrained")
        axes = figure.add_subplot()
        axes.fill_between(ends, low, high, alpha=0.25, label="95 % interval")
        axes.plot(ends, [sum(means[:end]) / end for end in ends], label="score")
        axes.axhline(0.5, color="gray", linewidth=0.8)
        axes.set(xlabel="pairs of games", ylabel=f"score of {self.contest.first}", ylim=(0, 1))
        axes.set_title(f"{self.contest.game}: against {self.contest.second}", fontsize="medium")
        axes.legend()
        if file is not None:
            figure.savefig(file)
        return figure

    def _games(self) -> list[dict[str, Value]]:
        rows = []
        for pair in self.result.pairs:
            for number, (played, score) in enumerate(zip(pair.games, pair.scores, strict=True)):
                row: dict[str, Value] = {
                    "pair": pair.index,
                    "number": number,
                    "first": played.record.players[0],
                    "second": played.record.players[1],
                    "result": played.result,
                    "score": score,
                    "plies": played.plies,
                    "forfeit": played.forfeit.reason if played.forfeit else None,
                }
                for agent, name in enumerate("ab"):
                    seat = played.seats[agent ^ number]
                    row[f"{name}_moves"] = seat.moves
                    row[f"{name}_nodes"] = seat.interior + seat.leaves
                    row[f"{name}_seconds"] = seat.seconds
                rows.append(row)
        return rows

    def __len__(self) -> int:
        return len(self.result.scores)

    def __repr__(self) -> str:
        asked = self.contest
        return f"<{asked.game}, {asked.first} v {asked.second}: {self.result.in_words}>"


def _frame(rows: Sequence[dict[str, Value]], library: str) -> Any:
    if library not in _LIBRARIES:
        raise one_of(library, _LIBRARIES, what="library of data frames")
    try:
        frames: Any = importlib.import_module(library)
    except ImportError:
        raise PetteiaError(
            f"tables need {library}: pip install 'petteia[data]', or {library} itself"
        ) from None
    return frames.DataFrame(list(rows))
