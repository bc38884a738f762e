"""What was begun from the page, in one SQLite file: a job is there before it begins, for ever."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from petteia.web.database import opened

__all__ = ["KeptJob", "KeptJobs"]

_SCHEMA = """
    CREATE TABLE IF NOT EXISTS jobs (
        id TEXT PRIMARY KEY,
        created REAL NOT NULL,
        owner TEXT NOT NULL,
        state TEXT NOT NULL,
        options TEXT NOT NULL,
        facts TEXT NOT NULL,
        html TEXT NOT NULL
    )
"""
_PUT = (
    "INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
    "state = excluded.state, options = excluded.options, facts = excluded.facts, "
    "html = excluded.html"
)
_LEFT = "UPDATE jobs SET state = 'stopped' WHERE state IN ('waiting', 'running')"
"""For jobs of an earlier server: whoever ran them is gone."""
_MOST = 5000
"""Jobs that are kept; the oldest that have ended go first."""


@dataclass(frozen=True)
class KeptJob:
    """A job as it is written down."""

    id: str
    created: float
    owner: str
    state: str
    options: str
    """What it was asked for, as JSON."""
    facts: dict[str, Any]
    """Its news, its result and what went wrong."""
    html: str


class KeptJobs:
    """Jobs on disk. Without a file they are kept in memory, for the life of the server."""

    def __init__(self, path: Path | None) -> None:
        self._lock = threading.Lock()
        self._db = opened(path, "jobs", _SCHEMA, _LEFT)

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._db.close()

    def put(self, job: KeptJob) -> None:
        """Keeps a job as it stands."""
        facts = json.dumps(job.facts)
        row = (job.id, job.created, job.owner, job.state, job.options, facts, job.html)
        with self._lock:
            self._db.execute(_PUT, row)

    def sweep(self) -> None:
        """Forgets the oldest jobs beyond what can be kept."""
        with self._lock:
            self._db.execute(
                "DELETE FROM jobs WHERE id IN (SELECT id FROM jobs "
                "WHERE state NOT IN ('waiting', 'running') "
                "ORDER BY created DESC LIMIT -1 OFFSET ?)",
                [_MOST],
            )

    def get(self, number: str) -> KeptJob:
        """The job of this name; KeyError if there is none."""
        found = self._rows("WHERE id = ?", [number])
        if not found:
            raise KeyError(number)
        return found[0]

    def of(self, owner: str, limit: int = 50) -> list[KeptJob]:
        """A visitor's jobs, the newest first."""
        return self._rows("WHERE owner = ? ORDER BY created DESC LIMIT ?", [owner, limit])

    def _rows(self, where: str, values: list[Any]) -> list[KeptJob]:
        with self._lock:
            rows = self._db.execute(f"SELECT * FROM jobs {where}", values).fetchall()
        return [
            KeptJob(number, created, owner, state, options, json.loads(facts), html)
            for number, created, owner, state, options, facts, html in rows
        ]
