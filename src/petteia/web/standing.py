"""Agents compared by all the games that a store holds of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import cast

import numpy as np

from petteia.arena.store.summary import Summary
from petteia.arena.tournament import CrossTable
from petteia.web.messages.results import Rating, Standings

__all__ = ["compared"]

_MOST = 24
"""Agents in a table; those with the most games."""


def compared(met: Iterable[tuple[tuple[str, str], Summary]]) -> Standings:
    """Ratings, the strongest first, and who scored what against whom.

    ``met`` are the two agents of each series, and its figures.
    """
    series = [
        (names, sums)
        for names, sums in met
        if sums.games and names[0] != names[1] and "*" not in names
    ]
    counts: Counter[str] = Counter()
    for names, sums in series:
        counts.update(dict.fromkeys(names, sums.games))
    agents = [name for name, _ in counts.most_common(_MOST)]
    if len(agents) < 2:
        return {"agents": [], "table": [], "games": [], "ratings": []}
    place = {name: number for number, name in enumerate(agents)}
    table = CrossTable(agents)
    for (first, second), sums in series:
        if first in place and second in place:
            table.add(place[first], place[second], sums.score, sums.games, sums.pair_scores)
    ratings = table.ratings()
    order = [place[row["agent"]] for row in ratings]
    scores, games = (each[np.ix_(order, order)].tolist() for each in (table.scores, table.games))
    return {
        "agents": [agents[i] for i in order],
        "table": [
            [score / count if count else None for score, count in zip(*row, strict=True)]
            for row in zip(scores, games, strict=True)
        ],
        "games": games,
        "ratings": cast("list[Rating]", ratings),
    }
