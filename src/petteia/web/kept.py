"""The games of the page in one SQLite file: a game is there as soon as its move is answered."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

from petteia.core.record import Ply
from petteia.web import trust
from petteia.web.clock import Clock
from petteia.web.database import opened
from petteia.web.messages.searches import ReviewShown
from petteia.web.messages.tables import Listed
from petteia.web.table import Table

__all__ = ["KeptTables"]

_SCHEMA = """
    CREATE TABLE IF NOT EXISTS tables (
        id TEXT PRIMARY KEY,
        touched REAL NOT NULL,
        game TEXT NOT NULL,
        plies INTEGER NOT NULL,
        state TEXT NOT NULL,
        owner TEXT NOT NULL,
        data TEXT NOT NULL
    )
"""
_REVIEWS = """
    CREATE TABLE IF NOT EXISTS reviews (
        id TEXT PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
        moves TEXT NOT NULL,
        data TEXT NOT NULL
    )
"""
_PUT = (
    "INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
    "touched = excluded.touched, plies = excluded.plies, state = excluded.state, "
    "data = excluded.data"
)


class KeptTables:
    """Tables on disk. Without a file they are kept in memory, for the life of the server."""

    def __init__(
        self, path: Path | None, *, most: int, each: int, allow_code: bool = False
    ) -> None:
        self.most, self.each = most, each
        self.allow_code = allow_code
        self._lock = threading.Lock()
        self._db = opened(path, "games", "PRAGMA foreign_keys = ON", _SCHEMA, _REVIEWS)

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._db.close()

    def put(self, table: Table) -> None:
        """Keeps a table as it stands."""
        data = {
            "players": table.players,
            "seed": str(table.seed),
            "secret": table.secret,
            "start": table.start,
            "created": table.created,
            "plies": [[ply.kind, list(ply.texts)] for ply in table.plies],
            "undone": [[ply.kind, list(ply.texts)] for ply in table.undone],
            "resigned": table.resigned,
            "serial": table.serial,
            "status": table.status,
            "seats": table.seats,
            "late": table.late,
            "terms": table.terms,
            "left": table.clock and table.clock.left,
        }
        state = "over" if table.is_over else "running"
        row = (
            table.id, time.time(), str(table.game), len(table.plies), state, table.owner,
            json.dumps(data),
        )  # fmt: skip
        with self._lock:
            self._db.execute(_PUT, row)

    def get(self, number: str) -> Table:
        """The table of this name."""
        with self._lock:
            row = self._db.execute(
                "SELECT game, owner, data FROM tables WHERE id = ?", (number,)
            ).fetchone()
        if row is None:
            raise KeyError(number)
        data = json.loads(row[2])
        # Games from before there were seats: who began one has them all.
        first, second = data.get("seats") or (row[1], row[1])
        terms = data.get("terms")
        return Table(
            game=trust.game_of(row[0], allow_code=self.allow_code),
            players=(data["players"][0], data["players"][1]),
            seed=int(data["seed"]),
            secret=data.get("secret", ""),
            start=data["start"],
            id=number,
            created=data["created"],
            owner=row[1],
            seats=(first, second),
            plies=[Ply(kind, tuple(texts)) for kind, texts in data["plies"]],
            undone=[Ply(kind, tuple(texts)) for kind, texts in data["undone"]],
            resigned=data["resigned"],
            late=data.get("late", False),
            terms=terms and (terms[0], terms[1]),
            clock=Clock(data["left"], terms[1]) if terms else None,
            serial=data["serial"],
        )

    def put_review(self, number: str, moves: list[str], review: ReviewShown) -> None:
        """Keeps the review of a game with these moves, if there is such a table."""
        row = (number, " ".join(moves), json.dumps(review), number)
        with self._lock:
            self._db.execute(
                "INSERT OR REPLACE INTO reviews SELECT ?, ?, ? "
                "WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?)",
                row,
            )

    def review(self, number: str, moves: list[str]) -> ReviewShown | None:
        """The review of a game, if it has these moves still."""
        with self._lock:
            row = self._db.execute(
                "SELECT data FROM reviews WHERE id = ? AND moves = ?", (number, " ".join(moves))
            ).fetchone()
        if row is None:
            return None
        found: ReviewShown = json.loads(row[0])
        return found

    def recent(self, visitor: str, limit: int = 20) -> list[Listed]:
        """The last games that a visitor began or has a seat at."""
        with self._lock:
            rows = self._db.execute(
                "SELECT id, touched, game, plies, state, data FROM tables "
                "WHERE plies > 0 AND ? IN (owner, json_extract(data, '$.seats[0]'), "
                "json_extract(data, '$.seats[1]')) ORDER BY touched DESC LIMIT ?",
                (visitor, limit),
            ).fetchall()
        return [
            {
                "id": row[0], "touched": row[1], "game": row[2], "plies": row[3],
                "state": row[4], "players": json.loads(row[5])["players"],
                "status": json.loads(row[5])["status"],
            }
            for row in rows
        ]  # fmt: skip

    def delete(self, number: str) -> None:
        """Forgets a table."""
        with self._lock:
            self._db.execute("DELETE FROM tables WHERE id = ?", (number,))

    def sweep(self, owner: str) -> None:
        """Forgets the oldest tables beyond what one visitor and all may keep; empty ones first."""
        of_all, of_each = ("", [self.most]), ("WHERE owner = ? ", [owner, self.each])
        with self._lock:
            for where, values in (of_each, of_all):
                self._db.execute(
                    f"DELETE FROM tables WHERE id IN (SELECT id FROM tables {where}"
                    "ORDER BY plies > 0 DESC, touched DESC LIMIT -1 OFFSET ?)",
                    values,
                )
