"""SQLite files in which the laboratory keeps what must outlive it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from petteia.core.errors import PetteiaError

__all__ = ["opened"]


def opened(path: Path | None, what: str, *statements: str) -> sqlite3.Connection:
    """The database for ``what``, with its tables made; without a file it lives in memory."""
    try:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(
            path or ":memory:", isolation_level=None, check_same_thread=False, timeout=10
        )
        # A killed process loses nothing; only a power cut could take the last moves.
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        for statement in statements:
            database.execute(statement)
    except (sqlite3.Error, OSError) as error:
        raise PetteiaError(f"cannot keep the {what} of the page in {path}: {error}") from None
    return database
