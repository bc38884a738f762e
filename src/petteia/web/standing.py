"""Agents compared by all the games that a store holds of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from petteia.arena.statistics import bradley_terry, league_name

__all__ = ["compared"]

_MOST = 24
"""Agents in a table; those with the most games."""


def compared(met: Iterable[tuple[tuple[str, str], float, int]]) -> dict[str, Any]:
    """Ratings, the strongest first, and who scored what against whom.

    ``met`` are the two agents of a series, the mean score of the first, and the games.
    """
    series = [each for each in met if each[2] and each[0][0] != each[0][1] and "*" not in each[0]]
    counts: Counter[str] = Counter()
    for names, _, count in series:
        counts.update(dict.fromkeys(names, count))
    agents = [name for name, _ in counts.most_common(_MOST)]
    if len(agents) < 2:
        return {"agents": [], "table": [], "games": [], "ratings": []}
    place = {name: number for number, name in enumerate(agents)}
    scores, games = np.zeros((len(agents),) * 2), np.zeros((len(agents),) * 2, int)
    for (first, second), score, count in series:
        if first in place and second in place:
            a, b = place[first], place[second]
            scores[a, b] += score * count
            scores[b, a] += (1 - score) * count
            games[a, b] += count
            games[b, a] += count
    found = bradley_terry(scores)
    leagues = {i: league_name(n) for n, group in enumerate(found.leagues()) for i in group}
    order = sorted(range(len(agents)), key=lambda i: -found.elo[i])
    return {
        "agents": [agents[i] for i in order],
        "table": [
            [float(scores[i, j] / games[i, j]) if games[i, j] else None for j in order]
            for i in order
        ],
        "games": games[np.ix_(order, order)].tolist(),
        "ratings": [
            {
                "agent": agents[i], "rating": found.elo[i], "error": found.errors[i],
                "league": leagues[i], "games": int(games[i].sum()),
            }
            for i in order
        ],
    }  # fmt: skip
