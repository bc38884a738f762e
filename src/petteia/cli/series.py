"""``petteia series`` and ``petteia records``: what is in the store."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from petteia import games
from petteia.arena.store import GameRow, SeriesRow, Store, Summary, export
from petteia.arena.store.schema import SOME, STATES
from petteia.cli import output
from petteia.core import record, spec
from petteia.core.drawing import terminal
from petteia.core.errors import PetteiaError, one_of
from petteia.core.game import Game
from petteia.core.record import Ply
from petteia.core.words import Words

__all__ = ["records", "series"]

_LISTED = 20
"""How many rows a list shows unless told."""
_PLACE = re.compile(r"([0-9]{1,18})/([0-9]{1,18})/([0-9]{1,18})")


@contextmanager
def _opened(path: Path | None, *, make: bool = False) -> Iterator[Store | None]:
    """The store, or None where there is no store yet; asking never makes a file."""
    with Store(path) as store:
        there = make or store.path.exists()
        if path is not None and not there:
            raise PetteiaError(f"there is no store {str(path)!r}")
        yield store if there else None


# --- petteia series ------------------------------------------------------------------------------


def series(
    game: str | None,
    agent: str | None,
    state: str | None,
    limit: int | None,
    show: int | None,
    delete: int | None,
    store: Path | None,
    as_json: bool,
) -> None:
    """Lists the series of the store, shows one, or deletes one."""
    if show is not None and delete is not None:
        raise PetteiaError("--show and --delete cannot be given together")
    if state is not None and state not in STATES:
        raise one_of(state, STATES, what="state of a series")
    with _opened(store) as opened:
        if show is not None:
            _show(_needed(opened, f"series {show}"), show, as_json)
        elif delete is not None:
            _delete(_needed(opened, f"series {delete}"), delete, as_json)
        else:
            _list_series(opened, _game_filter(game), agent, state, limit, as_json)


def _needed(store: Store | None, what: str) -> Store:
    if store is None:
        raise PetteiaError(f"there is no {what}; the store is empty")
    return store


def _game_filter(game: str | None) -> str | None:
    """The spec as games write it: a variant's name stands for its settings."""
    if game is None:
        return None
    asked = spec.parse(game)
    return str(games.make(asked) if asked.name in games.variants() else asked)


def _list_series(
    store: Store | None,
    game: str | None,
    agent: str | None,
    state: str | None,
    limit: int | None,
    as_json: bool,
) -> None:
    most = _LISTED if limit is None else limit
    rows = store.series(game=game, agent=agent, state=state, limit=most) if store else []
    sums = store.summaries([row.id for row in rows]) if store else {}
    if as_json:
        _json({"series": [_series_facts(row, sums[row.id]) for row in rows]})
        return
    if not rows:
        print("there are no such series" if game or agent or state else "the store is empty")
        return
    output.table(
        "",
        ["series", "kind", "game", "A", "B", "pairs", "state", "score of A", "95 % interval"],
        [
            (
                row.id, row.kind, _line(row.game), *(_line(name) for name in row.agents),
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
    if as_json:
        _json({"series": [facts]})
        return
    print(f"series {row.id}: {row.kind} of {_line(row.game)}, {row.state}")
    print(f"begun {row.created} with petteia {_line(row.version)}, seed {row.seed}")
    if row.note:
        print(f"note: {_line(row.note)}")
    for name, value in row.options.items():
        print(f"{_line(name)}: {_line(str(value))}")
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
                _line(name), *(reversed(won) if i else won), total.forfeits[i], seat.late,
                f"{(seat.interior + seat.leaves) / moves:,.0f}",
                f"{1000 * seat.seconds / moves:.2f}",
            )
        )  # fmt: skip
    heads = ["agent", "wins", "draws", "losses", "forfeits", "late", "nodes/move", "ms/move"]
    output.table("", heads, rows)
    score, interval = _score_cells(row, total)
    print(f"score of {_line(row.agents[0])}: {score}, 95 % interval {interval}")
    for reason in problems[:3]:
        print(f"forfeit: {_line(reason)}")


def _delete(store: Store, number: int, as_json: bool) -> None:
    played = store.summaries([number])[number].games
    store.delete(number)
    if as_json:
        _json({"deleted": number, "games": played})
    else:
        print(f"deleted series {number} with {played} games")


# --- petteia records -----------------------------------------------------------------------------


def records(
    series: int | None,
    game: str | None,
    agent: str | None,
    limit: int | None,
    replay: str | None,
    export_to: Path | None,
    import_from: Path | None,
    store: Path | None,
    as_json: bool,
) -> None:
    """Lists the games of the store, replays one, writes them to a file or reads a file."""
    if sum(wish is not None for wish in (replay, export_to, import_from)) > 1:
        raise PetteiaError("give only one of --replay, --export and --import")
    with _opened(store, make=import_from is not None) as opened:
        if import_from is not None:
            _import(_needed(opened, "store"), import_from, as_json)
        elif replay is not None:
            _replay(_needed(opened, f"game {replay}"), replay, as_json)
        else:
            most = _LISTED if limit is None and export_to is None else limit
            rows = []
            if series is not None:
                opened = _needed(opened, f"series {series}")
            if opened is not None:
                wanted = _game_filter(game)
                rows = opened.games(series=series, game=wanted, agent=agent, limit=most)
            if export_to is not None:
                _export(export_to, rows, as_json)
            else:
                _list_games(rows, as_json)


def _list_games(rows: list[GameRow], as_json: bool) -> None:
    if as_json:
        _json({"games": [_game_facts(row) for row in rows]})
        return
    if not rows:
        print("there are no such games")
        return
    heads = ["place", "game", "first", "second", "result", "plies", "forfeit"]
    table = []
    for row in rows:
        names = (_line(row.game), *(_line(name) for name in row.players))
        forfeit = _line(row.forfeit.reason) if row.forfeit else ""
        table.append((row.place, *names, f"{row.result:+g}", row.plies, forfeit))
    output.table("", heads, table)


def _game_facts(row: GameRow) -> dict[str, Any]:
    return {
        "series": row.series, "pair": row.pair, "number": row.number, "game": row.game,
        "players": list(row.players), "result": row.result, "score": row.score,
        "plies": row.plies, "forfeit": row.forfeit.reason if row.forfeit else None,
    }  # fmt: skip


def _import(store: Store, path: Path, as_json: bool) -> None:
    number = store.import_records(path)
    count = store.summaries([number])[number].games
    if as_json:
        _json({"imported": count, "series": number})
    else:
        print(f"{count} games are now series {number}")


def _export(path: Path, rows: list[GameRow], as_json: bool) -> None:
    if not rows:
        raise PetteiaError("there are no such games to export")
    export(path, rows)
    if as_json:
        _json({"exported": len(rows), "file": str(path)})
    else:
        print(f"wrote {len(rows)} games to {path}")


def _replay(store: Store, place: str, as_json: bool) -> None:
    parts = _PLACE.fullmatch(place)
    if parts is None:
        raise PetteiaError(f"bad place {place!r}; expected SERIES/PAIR/NUMBER such as 12/0/1")
    row = store.game(int(parts[1]), int(parts[2]), int(parts[3]))
    kept = row.record
    game = games.make(kept.game)
    line = record.replay(kept, game)
    if as_json:
        more = {"record": row.text, "positions": [game.text(p) for p in line]}
        _json({"games": [_game_facts(row) | more]})
        return
    print(f"game {row.place}: {_line(row.game)}")
    for name, agent in zip(game.players, row.players, strict=True):
        print(f"{name}: {_line(agent)}")
    print(f"\n{terminal.board(game.view(line[0]))}")
    for number, ply in enumerate(kept.plies, 1):
        print(f"\n{number}. {_step(game, line[number - 1], ply)}")
        print(_board_after(game, line[number - 1], line[number], ply))
    print(f"\nresult: {row.result:+g} for {game.players[0]}")
    if row.forfeit:
        print(f"forfeit: {_line(row.forfeit.reason)}")


def _step(game: Game, before: Words, ply: Ply) -> str:
    text = _line(" | ".join(ply.texts))
    who = {"chance": "the dice", "both": "both"}.get(ply.kind)
    said = f"{who or game.players[int(game.mover(before))]} {text}"
    return f"{said} ({_line(ply.comment)})" if ply.comment else said


def _board_after(game: Game, before: Words, after: Words, ply: Ply) -> str:
    actions = game.view(before).actions if ply.kind == "move" else ()
    path = next((action.path for action in actions if action.move == ply.texts[0]), ())
    return terminal.board(game.view(after).with_last(path))


# --- texts from files that anybody may have written ----------------------------------------------


def _line(text: str) -> str:
    """One line that cannot change the terminal."""
    return "".join(char if char.isprintable() else " " for char in text)


def _json(facts: dict[str, Any]) -> None:
    output.json_object({key: _encodable(value) for key, value in facts.items()})


def _encodable(value: Any) -> Any:
    """The value with every lone surrogate, which no output can hold, spelled out."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_encodable(key): _encodable(each) for key, each in value.items()}
    return [_encodable(each) for each in value] if isinstance(value, list) else value
