"""Stored games to files, and games from files checked before they are stored."""

from __future__ import annotations

import csv
import importlib
import io
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from petteia import games
from petteia.arena.play import Forfeit, Played, Seat
from petteia.arena.plies import COLUMNS, plies_of
from petteia.arena.store.rows import GameRow
from petteia.arena.store.schema import SOME
from petteia.core import record
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.record import Record
from petteia.core.replay import replay
from petteia.core.writing import write_whole

__all__ = [
    "Taken", "export", "export_csv", "export_parquet", "export_plies", "export_records",
    "read_series",
]  # fmt: skip


# --- to files ------------------------------------------------------------------------------------


def export(path: str | Path, rows: Sequence[GameRow]) -> None:
    """Writes the games in the form that the file's name asks for."""
    suffix = Path(path).suffix.lower()
    writer = _WRITERS.get(suffix)
    if writer is None:
        raise PetteiaError(
            f"cannot tell from {str(path)!r} what to write; end the name with {', '.join(_WRITERS)}"
        )
    writer(path, rows)


def export_records(path: str | Path, rows: Iterable[GameRow]) -> None:
    """Writes the records, one game after the other."""
    record.save(path, [row.record for row in rows])


def export_csv(path: str | Path, rows: Iterable[GameRow]) -> None:
    """Writes a table with a line of names and one line a game, without the moves."""
    _write_csv(path, _columns(rows))


def export_parquet(path: str | Path, rows: Sequence[GameRow]) -> None:
    """Writes the table of ``export_csv`` and the records as Parquet; needs pyarrow."""
    columns = _columns(rows)
    columns["record"] = [row.text for row in rows]
    _write_parquet(path, columns, _TYPES)


def export_plies(path: str | Path, rows: Iterable[GameRow]) -> int:
    """Writes a table with one line a ply, as CSV or Parquet by the name; gives their number."""
    suffix = Path(path).suffix.lower()
    if suffix not in (".csv", ".parquet"):
        raise PetteiaError(
            f"cannot tell from {str(path)!r} what to write; end the name with .csv or .parquet"
        )
    columns: dict[str, list[Fact]] = {name: [] for name in ("series", "pair", "game", *COLUMNS)}
    known: dict[str, Game] = {}
    for row in rows:
        if row.game not in known:
            known[row.game] = games.make(row.game)
        for ply in plies_of(row.record, known[row.game]):
            place = {"series": row.series, "pair": row.pair, "game": row.number}
            for name, value in (place | ply).items():
                columns[name].append(value)
    if suffix == ".csv":
        _write_csv(path, columns)
    else:
        _write_parquet(path, columns, COLUMNS)
    return len(columns["ply"])


def _columns(rows: Iterable[GameRow]) -> dict[str, list[Fact]]:
    kept = list(rows)
    return {name: [fact(row) for row in kept] for name, fact in _FACTS.items()}


def _write_csv(path: str | Path, columns: Mapping[str, Sequence[Fact]]) -> None:
    text = io.StringIO(newline="")
    table = csv.writer(text, lineterminator="\n")
    table.writerow(columns)
    table.writerows(
        [_one_line(fact) for fact in row] for row in zip(*columns.values(), strict=True)
    )
    write_whole(path, text.getvalue())


def _write_parquet(
    path: str | Path, columns: Mapping[str, Sequence[Fact]], sorts: Mapping[str, type]
) -> None:
    try:
        arrow: Any = importlib.import_module("pyarrow")
        parquet: Any = importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise PetteiaError(
            'Parquet needs pyarrow; install it with the extra "parquet": petteia[parquet]'
        ) from None
    types = {int: arrow.int64(), float: arrow.float64(), str: arrow.string()}
    plain = {name: [_plain(fact) for fact in facts] for name, facts in columns.items()}
    schema = arrow.schema([(name, types[sorts.get(name, int)]) for name in columns])
    target = Path(path).resolve()
    fresh = target.parent / f".{secrets.token_hex(8)}.part"
    try:
        try:
            parquet.write_table(arrow.table(plain, schema=schema), fresh)
            fresh.replace(target)
        finally:
            fresh.unlink(missing_ok=True)
    except OSError as error:
        raise PetteiaError(f"cannot write {path}: {error.strerror or error}") from None


Fact = int | float | str | None

_FACTS: dict[str, Callable[[GameRow], Fact]] = {
    "series": lambda row: row.series,
    "pair": lambda row: row.pair,
    "number": lambda row: row.number,
    "game": lambda row: row.game,
    "first": lambda row: row.players[0],
    "second": lambda row: row.players[1],
    "result": lambda row: row.result,
    "score": lambda row: row.score,
    "plies": lambda row: row.plies,
    "a_moves": lambda row: row.costs[0].moves,
    "a_interior": lambda row: row.costs[0].interior,
    "a_leaves": lambda row: row.costs[0].leaves,
    "a_seconds": lambda row: row.costs[0].seconds,
    "a_late": lambda row: row.costs[0].late,
    "b_moves": lambda row: row.costs[1].moves,
    "b_interior": lambda row: row.costs[1].interior,
    "b_leaves": lambda row: row.costs[1].leaves,
    "b_seconds": lambda row: row.costs[1].seconds,
    "b_late": lambda row: row.costs[1].late,
    "forfeit_agent": lambda row: row.forfeit_agent,
    "forfeit_reason": lambda row: row.forfeit.reason if row.forfeit else None,
}
_TYPES: dict[str, type] = {
    **dict.fromkeys(("result", "score", "a_seconds", "b_seconds"), float),
    **dict.fromkeys(("game", "first", "second", "forfeit_reason", "record"), str),
}
_WRITERS: dict[str, Callable[[str | Path, Sequence[GameRow]], None]] = {
    ".txt": export_records,
    ".pgn": export_records,
    ".csv": export_csv,
    ".parquet": export_parquet,
}


def _plain(fact: Fact) -> Fact:
    """Text that UTF-8 can hold."""
    return fact.encode("utf-8", "backslashreplace").decode() if isinstance(fact, str) else fact


def _one_line(fact: Fact) -> Fact:
    return " ".join(str(_plain(fact)).split()) if isinstance(fact, str) else fact


# --- from files ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Taken:
    """The games of a file, in the order of a series."""

    game: str
    """The spec of the game; ``*`` if there are several."""
    agents: tuple[str, str]
    """Agents A and B; ``*`` if there are others too."""
    groups: list[list[tuple[int, Played]]]
    """Pairs and single games, each game with its number within the pair."""


def read_series(path: str | Path) -> Taken:
    """Reads a file of records and plays every game again; the first error ends it."""
    found = record.load(path)
    if not found:
        raise PetteiaError(f"{path} holds no game")
    known: dict[str, Game] = {}
    played = []
    for number, kept in enumerate(found, 1):
        try:
            if kept.game not in known:
                known[kept.game] = games.make(kept.game)
            played.append(_played(kept, known[kept.game]))
        except PetteiaError as error:
            raise PetteiaError(f"{path}: game {number}: {error}") from None
    return _in_pairs(played)


def _played(kept: Record, game: Game) -> Played:
    if kept.result is None:
        raise PetteiaError("it is not finished; the store keeps finished games")
    replay(kept, game)
    forfeit = None
    name, _, reason = kept.header("Forfeit").partition(": ")
    if name in game.players:
        forfeit = Forfeit(game.players.index(name), reason)
    return Played(kept, kept.result, len(kept.plies), (Seat(), Seat()), forfeit)


def _in_pairs(played: list[Played]) -> Taken:
    specs = {each.record.game for each in played}
    players = {player for each in played for player in each.record.players}
    a, b = played[0].record.players
    # With these two agents only, every game is seen from A's side, also one without its pair.
    alone = players == {a, b}
    groups: list[list[tuple[int, Played]]] = []
    for each in played:
        before = groups[-1] if groups else []
        if len(before) == 1 and _swapped(before[0][1].record, each.record):
            before.append((1 - before[0][0], each))
            before.sort(key=lambda numbered: numbered[0])
        else:
            groups.append([(int(alone and each.record.players[0] != a), each)])
    game = specs.pop() if len(specs) == 1 else SOME
    return Taken(game, (a, b) if alone else (SOME, SOME), groups)


def _swapped(one: Record, other: Record) -> bool:
    same = (one.game, one.start) == (other.game, other.start)
    return same and one.players == other.players[::-1]
