"""``petteia series``: the series in the store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from petteia import games
from petteia.arena.store import SeriesRow, Store, Summary
from petteia.arena.store.schema import SOME, STATES
from petteia.cli import output
from petteia.cli.options import AgentPart, GameFilter, Json, Limit, StorePath
from petteia.core import spec
from petteia.core.errors import PetteiaError, one_of

__all__ = ["LISTED", "Options", "game_filter", "needed", "opened", "run"]

LISTED = 20
"""How many rows a list shows unless told."""


@contextmanager
def opened(path: Path | None, *, make: bool = False) -> Iterator[Store | None]:
    """The store, or None if there is none yet; reading never makes a file."""
    with Store(path) as store:
        there = make or store.path.exists()
        if path is not None and not there:
            raise PetteiaError(f"there is no store {str(path)!r}")
        yield store if there else None


@dataclass(frozen=True)
class Options:
    """Which series, and what is done with them."""

    game: GameFilter = None
    agent: AgentPart = None
    state: Annotated[str | None, typer.Option(help="running, finished or stopped")] = None
    limit: Limit = None
    show: Annotated[int | None, typer.Option(metavar="ID", help="one series in full")] = None
    delete: Annotated[int | None, typer.Option(metavar="ID", help="delete a series")] = None
    store: StorePath = None
    as_json: Json = False


def run(options: Options) -> None:
    """Lists the series of the store, shows one, or deletes one."""
    show, delete, state = options.show, options.delete, options.state
    if show is not None and delete is not None:
        raise PetteiaError("--show and --delete cannot be given together")
    if state is not None and state not in STATES:
        raise one_of(state, STATES, what="state of a series")
    with opened(options.store) as store:
        if show is not None:
            _show(needed(store, f"series {show}"), show, options.as_json)
        elif delete is not None:
            _delete(needed(store, f"series {delete}"), delete, options.as_json)
        else:
            _list(store, options)


def needed(store: Store | None, what: str) -> Store:
    """The store, which must exist."""
    if store is None:
        raise PetteiaError(f"there is no {what}; the store is empty")
    return store


def game_filter(game: str | None) -> str | None:
    """The spec as games write it: a variant's name stands for its settings."""
    if game is None:
        return None
    asked = spec.parse(game)
    return str(games.make(asked) if asked.name in games.variants() else asked)


def _list(store: Store | None, options: Options) -> None:
    filters = {
        "game": game_filter(options.game), "agent": options.agent, "state": options.state,
    }  # fmt: skip
    limit = LISTED if options.limit is None else options.limit
    rows = store.series(**filters, limit=limit) if store else []
    sums = store.summaries([row.id for row in rows]) if store else {}
    facts = {"series": [_series_facts(row, sums[row.id]) for row in rows]}
    empty = "there are no such series" if any(filters.values()) else "the store is empty"
    output.show(facts, options.as_json, lambda: _table(rows, sums) if rows else print(empty))


def _table(rows: list[SeriesRow], sums: dict[int, Summary]) -> None:
    output.table(
        "",
        ["series", "kind", "game", "A", "B", "pairs", "state", "score of A", "95 % interval"],
        [
            (
                row.id, row.kind, *map(output.line, (row.game, *row.agents)),
                f"{sums[row.id].pairs} of {row.pairs}", row.state, *_score_cells(row, sums[row.id]),
            )
            for row in rows
        ],
    )  # fmt: skip


def _has_score(row: SeriesRow, total: Summary) -> bool:
    """Whether there is a score: there were games, and all were between the same two agents."""
    return total.games > 0 and SOME not in row.agents


def _score_cells(row: SeriesRow, total: Summary) -> tuple[str, str]:
    if not _has_score(row, total):
        return ("-", "-")
    low, high = total.interval
    return (f"{100 * total.score:.1f} %", f"{100 * low:.1f} to {100 * high:.1f} %")


def _series_facts(row: SeriesRow, total: Summary) -> dict[str, Any]:
    facts = {
        "id": row.id, "created": row.created, "version": row.version, "kind": row.kind,
        "game": row.game, "agents": list(row.agents), "seed": row.seed, "pairs": row.pairs,
        "played": total.pairs, "state": row.state, "options": dict(row.options), "note": row.note,
        **total.as_json(),
    }  # fmt: skip
    return facts if _has_score(row, total) else facts | {"score": None, "interval": None}


def _show(store: Store, number: int, as_json: bool) -> None:
    row = store.find(number)
    total = store.summaries([number])[number]
    problems = store.problems(number)
    facts = _series_facts(row, total)
    facts["costs"] = [
        {
            "agent": name, "moves": seat.moves, "interior": seat.interior, "leaves": seat.leaves,
            "seconds": seat.seconds, "late": seat.late,
        }
        for name, seat in zip(row.agents, total.costs, strict=True)
    ]  # fmt: skip
    facts["problems"] = problems
    text = partial(_show_one, row, total, problems)
    output.show({"series": [facts]}, as_json, text)


def _show_one(row: SeriesRow, total: Summary, problems: list[str]) -> None:
    print(f"series {row.id}: {row.kind} of {output.line(row.game)}, {row.state}")
    print(f"begun {row.created} with petteia {output.line(row.version)}, seed {row.seed}")
    if row.note:
        print(f"note: {output.line(row.note)}")
    for name, value in row.options.items():
        print(f"{output.line(name)}: {output.line(str(value))}")
    print(f"{total.pairs} of {row.pairs} pairs, {total.games} games", end="")
    print(f", {total.plies:.1f} plies a game" if total.games else "")
    if not _has_score(row, total):
        return
    won = (total.wins, total.draws, total.losses)
    rows = []
    for i, name in enumerate(row.agents):
        seat, moves = total.costs[i], max(total.costs[i].moves, 1)
        rows.append(
            (
                output.line(name), *(reversed(won) if i else won), total.forfeits[i], seat.late,
                f"{(seat.interior + seat.leaves) / moves:,.0f}",
                f"{1000 * seat.seconds / moves:.2f}",
            )
        )  # fmt: skip
    heads = ["agent", "wins", "draws", "losses", "forfeits", "late", "nodes/move", "ms/move"]
    output.table("", heads, rows)
    score, interval = _score_cells(row, total)
    print(f"score of {output.line(row.agents[0])}: {score}, 95 % interval {interval}")
    for reason in problems[:3]:
        print(f"forfeit: {output.line(reason)}")


def _delete(store: Store, number: int, as_json: bool) -> None:
    played = store.summaries([number])[number].games
    store.delete(number)
    text = f"deleted series {number} with {played} games"
    output.show({"deleted": number, "games": played}, as_json, lambda: print(text))
