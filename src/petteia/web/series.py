"""The routes of the store: its series and games, agents compared, a series that goes on."""

from __future__ import annotations

import math
from typing import Annotated, cast

from fastapi import Path as InPath
from fastapi import Query

from petteia.arena.statistics import pair_interval
from petteia.arena.store import SeriesRow, Store
from petteia.arena.store.summary import Summary
from petteia.core import record
from petteia.core.errors import PetteiaError
from petteia.web import standing
from petteia.web.lab import Lab, TheLab
from petteia.web.measured import Begin
from petteia.web.messages import results
from petteia.web.messages import workers as m
from petteia.web.router import Router

__all__ = ["router"]

Number = Annotated[int, InPath(ge=0, lt=2**31)]
_MOST_POINTS = 100
"""Of the course of a series."""
_MOST_ROWS = 500

router = Router()


def _store(lab: Lab) -> Store:
    if lab.settings.store is None:
        raise PetteiaError("this laboratory was started without a store")
    return Store(lab.settings.store)


def _is_empty(lab: Lab) -> bool:
    return lab.settings.store is None or not lab.settings.store.exists()


@router.get("/api/series")
def series(
    lab: TheLab,
    game: Annotated[str | None, Query(max_length=200)] = None,
    agent: Annotated[str | None, Query(max_length=200)] = None,
    limit: Annotated[int, Query(ge=1, le=_MOST_ROWS)] = 100,
) -> results.SeriesList:
    """What the store holds, newest first."""
    if _is_empty(lab):
        return {"series": []}
    with _store(lab) as kept:
        rows = kept.series(game=game or None, agent=agent or None, limit=limit)
        sums = kept.summaries([row.id for row in rows])
        return {"series": [_facts(row, sums[row.id]) for row in rows]}


def _facts(row: SeriesRow, sums: Summary) -> results.Series:
    score = cast("results.Score", sums.as_json())
    return {
        "id": row.id, "created": row.created, "kind": row.kind, "game": row.game,
        "agents": row.agents, "seed": str(row.seed), "pairs": row.pairs, "state": row.state,
        "sprt": row.options.get("sprt"), "opening": row.options.get("opening"),
        "plies": sums.plies, **score,
    }  # fmt: skip


@router.get("/api/standings")
def standings(
    lab: TheLab, game: Annotated[str, Query(min_length=1, max_length=600)]
) -> results.Standings:
    """All agents that have met in a game, compared: ratings and a cross table."""
    wanted = str(lab.game(game))
    if _is_empty(lab):
        return standing.compared([])
    with _store(lab) as kept:
        rows = [row for row in kept.series(game=wanted) if row.game == wanted]
        sums = kept.summaries([row.id for row in rows])
    return standing.compared((row.agents, sums[row.id]) for row in rows)


@router.get("/api/series/{number}")
def one(number: Number, lab: TheLab) -> results.SeriesGames:
    """A series with its games."""
    with _store(lab) as kept:
        sums = kept.summaries([number])[number]
        facts = _facts(kept.find(number), sums)
        games = kept.games(series=number, limit=_MOST_ROWS)
    listed: list[results.SeriesGame] = [
        {
            "place": each.place, "players": each.players, "result": each.result,
            "score": each.score, "plies": each.plies,
            "forfeit": each.forfeit.reason if each.forfeit else None,
        }
        for each in games
    ]  # fmt: skip
    return {**facts, "list": listed, "course": _course(listed) if len(listed) == sums.games else ()}


def _course(games: list[results.SeriesGame]) -> tuple[tuple[float, float, float], ...]:
    """The mean score and its interval after the first pairs, and so on to the last."""
    scores = [each["score"] for each in games]
    pairs = [(a + b) / 2 for a, b in zip(scores[::2], scores[1::2], strict=False)]
    step = max(1, math.ceil(len(pairs) / _MOST_POINTS))
    ends = sorted({*range(step, len(pairs) + 1, step), len(pairs)} - {0})
    return tuple((sum(pairs[:n]) / n, *pair_interval(pairs[:n])) for n in ends)


@router.get("/api/series/{number}/games/{pair}/{side}")
def game(
    number: Number, pair: Number, side: Annotated[int, InPath(ge=0, le=1)], lab: TheLab
) -> results.StoredGame:
    """A stored game as a line that can be replayed."""
    with _store(lab) as kept:
        played = kept.game(number, pair, side).record
    return {
        "game": played.game, "start": played.start, "players": played.players,
        "moves": [record.ply_text(ply) for ply in played.plies], "result": played.result,
    }  # fmt: skip


@router.post("/api/series/{number}/resume")
async def resume(number: Number, begin: Begin) -> results.Job:
    """Goes on with a series."""
    return await begin.made(_resumed, number)


def _resumed(lab: Lab, number: int) -> m.Job:
    with _store(lab) as kept:
        row = kept.find(number)
    if row.kind == "import":
        raise PetteiaError(f"series {number} was imported; it cannot be continued")
    game = lab.game(row.game)
    agents = [lab.agent(text, game) for text in row.agents]
    return m.MatchJob(series=number, game=row.game, agents=agents, pairs=row.pairs)
