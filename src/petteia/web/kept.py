"""The games of the page in one SQLite file: a game is there as soon as its move is answered."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from pathlib import Path

from petteia.core.errors import PetteiaError
from petteia.core.record import Ply
from petteia.web import trust
from petteia.web.messages.answers import Listed
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
_PUT = "INSERT OR REPLACE INTO tables VALUES (?, ?, ?, ?, ?, ?, ?)"


class KeptTables:
    """Tables on disk. Without a file they are kept in memory, for the life of the server."""

    def __init__(
        self, path: Path | None, *, most: int, each: int, allow_code: bool = False
    ) -> None:
        self.most, self.each = most, each
        self.allow_code = allow_code
        self._lock = threading.Lock()
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(
                path or ":memory:", isolation_level=None, check_same_thread=False, timeout=10
            )
            # A killed process loses nothing; only a power cut could take the last moves.
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute(_SCHEMA)
        except (sqlite3.Error, OSError) as error:
            raise PetteiaError(f"cannot keep the games of the page in {path}: {error}") from None

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
            serial=data["serial"],
        )

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
