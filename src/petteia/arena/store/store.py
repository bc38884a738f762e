"""The store itself: series, their pairs of games, and what can be asked about them."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

import platformdirs

from petteia import __version__
from petteia.agents import sandbox
from petteia.arena.match import Pair
from petteia.arena.store import transfer
from petteia.arena.store.database import Database, stored_text
from petteia.arena.store.rows import ADD_GAME, GameRow, SeriesRow, pair_rows
from petteia.arena.store.schema import KINDS, STATES
from petteia.arena.store.summary import Summary, summaries
from petteia.core.errors import PetteiaError, one_of

__all__ = ["Store", "default_path"]

_ADD_SERIES = """
    INSERT INTO series
        (created, version, kind, game, agent_a, agent_b, seed, pairs, options, state, note)
    VALUES (?, ?, ?, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), ?, ?, ?, ?,
        CAST(? AS TEXT))
"""
_IN_ORDER = "ORDER BY series DESC, pair, number"


def default_path() -> Path:
    """Where the store is unless it is named: ``PETTEIA_STORE``, else the user's data folder."""
    named = os.environ.get("PETTEIA_STORE", "")
    return Path(named) if named else Path(platformdirs.user_data_dir("petteia")) / "lab.db"


class Store:
    """A store. The file is opened, and made if it is absent, at the first use.

    Threads may share a store; processes open the same file each for itself.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = Path(path) if path is not None else default_path()
        if "\0" in str(self.path):
            raise PetteiaError(f"{str(self.path)!r} is not the name of a file")
        sandbox.hide(self.path)
        self._database = Database(self.path.absolute())

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file; the next use opens it again."""
        self._database.close()

    # --- writing ------------------------------------------------------------------------------

    def new_series(
        self,
        *,
        game: str,
        agents: tuple[str, str],
        seed: int,
        pairs: int,
        kind: str = "match",
        options: Mapping[str, Any] | None = None,
        note: str = "",
    ) -> int:
        """Begins a series, which is ``running``, and gives its number."""
        if kind not in KINDS:
            raise one_of(kind, KINDS, what="kind of series")
        if pairs < 0:
            raise PetteiaError(f"a series cannot have {pairs} pairs")
        with self._database.writing() as connection:
            return _add_series(connection, kind, (game, *agents), seed, pairs, options or {}, note)

    def add_pair(self, series_id: int, pair: Pair) -> None:
        """Keeps a pair; one that is kept already stays as it is, and must be the same."""
        self.add_pairs(series_id, [pair])

    def add_pairs(self, series_id: int, pairs: Iterable[Pair]) -> None:
        """Keeps several pairs in one transaction: all of them or, after an error, none."""
        rows = [row for pair in pairs for row in pair_rows(series_id, pair)]
        with self._database.writing() as connection:
            self._must_exist(connection, series_id)
            for row in rows:
                found = connection.execute(
                    "SELECT * FROM games WHERE series = ? AND pair = ? AND number = ?",
                    (row.series, row.pair, row.number),
                ).fetchone()
                if found is None:
                    connection.execute(ADD_GAME, row.values())
                elif not GameRow.of(found).same_game(row):
                    raise PetteiaError(
                        f"pair {row.pair} of series {series_id} is in the store with another game"
                    )

    def finish(self, series_id: int, state: str = "finished") -> None:
        """Sets the state: ``finished``, ``stopped``, or ``running`` when it goes on."""
        if state not in STATES:
            raise one_of(state, STATES, what="state of a series")
        with self._database.writing() as connection:
            self._must_exist(connection, series_id)
            connection.execute("UPDATE series SET state = ? WHERE id = ?", (state, series_id))

    def want(self, series_id: int, pairs: int) -> None:
        """Raises the number of pairs that are wanted; it never falls."""
        with self._database.writing() as connection:
            self._must_exist(connection, series_id)
            connection.execute(
                "UPDATE series SET pairs = max(pairs, ?) WHERE id = ?", (pairs, series_id)
            )

    def delete(self, series_id: int) -> None:
        """Deletes a series and its games."""
        with self._database.writing() as connection:
            self._must_exist(connection, series_id)
            connection.execute("DELETE FROM series WHERE id = ?", (series_id,))

    def import_records(self, path: str | Path) -> int:
        """Keeps the games of a file as a series of their own and gives its number.

        Every game is played again by the rules first; if one is wrong, nothing is kept. A game
        and the next with the seats swapped are taken for a pair.
        """
        taken = transfer.read_series(path)
        with self._database.writing() as connection:
            names = (taken.game, *taken.agents)
            note = f"from {Path(path).name}"
            series_id = _add_series(connection, "import", names, 0, len(taken.groups), {}, note)
            for pair, group in enumerate(taken.groups):
                for number, played in group:
                    row = GameRow.new(series_id, pair, number, played)
                    connection.execute(ADD_GAME, row.values())
        return series_id

    # --- asking -------------------------------------------------------------------------------

    def find(self, series_id: int) -> SeriesRow:
        """The series of this number."""
        rows = self._database.read("SELECT * FROM series WHERE id = ?", series_id)
        if not rows:
            raise self._no_series(series_id)
        return SeriesRow.of(rows[0])

    def series(
        self,
        *,
        game: str | None = None,
        agent: str | None = None,
        state: str | None = None,
        limit: int | None = None,
    ) -> list[SeriesRow]:
        """The series, newest first.

        ``game`` is a spec, or a name for all specs of that name; ``agent`` is part of the spec of
        agent A or B.
        """
        if state is not None and state not in STATES:
            raise one_of(state, STATES, what="state of a series")
        where, values = _where(game, agent, ("agent_a", "agent_b"), {"state": state})
        rows = self._database.read(
            f"SELECT * FROM series {where} ORDER BY id DESC LIMIT ?", *values, _most(limit)
        )
        return [SeriesRow.of(row) for row in rows]

    def games(
        self,
        *,
        series: int | None = None,
        game: str | None = None,
        agent: str | None = None,
        limit: int | None = None,
    ) -> list[GameRow]:
        """The games: newest series first, in a series in the order of the pairs."""
        if series is not None:
            self.find(series)
        where, values = _where(game, agent, ("first", "second"), {"series": series})
        rows = self._database.read(
            f"SELECT * FROM games {where} {_IN_ORDER} LIMIT ?", *values, _most(limit)
        )
        return [GameRow.of(row) for row in rows]

    def game(self, series_id: int, pair: int, number: int) -> GameRow:
        """One game."""
        rows = self._database.read(
            "SELECT * FROM games WHERE series = ? AND pair = ? AND number = ?",
            series_id, pair, number,
        )  # fmt: skip
        if not rows:
            raise PetteiaError(f"there is no game {series_id}/{pair}/{number} in {self.path}")
        return GameRow.of(rows[0])

    def pairs(self, series_id: int) -> list[Pair]:
        """The whole pairs of a series, equal to those that were added, in their order."""
        found = []
        for index, group in groupby(self.games(series=series_id), key=lambda row: row.pair):
            games = [row.played for row in group]
            if len(games) == 2:
                found.append(Pair(index, (games[0], games[1])))
        return found

    def missing(self, series_id: int) -> list[int]:
        """The indices of the pairs that are wanted and not yet played."""
        wanted = self.find(series_id).pairs
        rows = self._database.read("SELECT DISTINCT pair FROM games WHERE series = ?", series_id)
        played = {row["pair"] for row in rows}
        return [index for index in range(wanted) if index not in played]

    def summaries(self, series_ids: Sequence[int]) -> dict[int, Summary]:
        """The score, its interval and the costs of each of these series."""
        return summaries(self._database, series_ids)

    def problems(self, series_id: int) -> list[str]:
        """Why games of a series were forfeited."""
        rows = self._database.read(
            "SELECT forfeit_reason FROM games WHERE series = ? AND forfeit_agent IS NOT NULL "
            "ORDER BY pair, number",
            series_id,
        )
        return [row[0] for row in rows]

    def _must_exist(self, connection: sqlite3.Connection, series_id: int) -> None:
        found = connection.execute("SELECT 1 FROM series WHERE id = ?", (series_id,))
        if found.fetchone() is None:
            raise self._no_series(series_id)

    def _no_series(self, series_id: int) -> PetteiaError:
        return PetteiaError(f"there is no series {series_id} in {self.path}")


def _add_series(
    connection: sqlite3.Connection,
    kind: str,
    names: tuple[str, str, str],
    seed: int,
    pairs: int,
    options: Mapping[str, Any],
    note: str,
) -> int:
    """Adds a series, ``names`` being its game and agents. An imported one is whole already."""
    state = "finished" if kind == "import" else "running"
    created = datetime.now(UTC).isoformat(timespec="seconds")
    # A seed may have more digits than SQLite's numbers.
    added = connection.execute(
        _ADD_SERIES,
        (
            created, __version__, kind, *map(stored_text, names),
            str(seed), pairs, json.dumps(dict(options), allow_nan=False), state, stored_text(note),
        ),
    )  # fmt: skip
    assert added.lastrowid is not None
    return added.lastrowid


def _where(
    game: str | None,
    agent: str | None,
    agent_columns: tuple[str, str],
    equal: Mapping[str, str | int | None],
) -> tuple[str, list[str | int | bytes]]:
    tests: list[str] = []
    values: list[str | int | bytes] = []
    if game is not None:
        tests.append("(game = CAST(? AS TEXT) OR instr(game, CAST(? AS TEXT)) = 1)")
        values += [stored_text(game), stored_text(f"{game}(")]
    if agent is not None:
        part = "instr(lower({}), lower(CAST(? AS TEXT))) > 0"
        tests.append("(" + " OR ".join(part.format(column) for column in agent_columns) + ")")
        values += [stored_text(agent)] * 2
    for column, value in equal.items():
        if value is not None:
            tests.append(f"{column} = ?")
            values.append(value)
    return (f"WHERE {' AND '.join(tests)}" if tests else "", values)


def _most(limit: int | None) -> int:
    return -1 if limit is None else limit
