"""The tables of the store, as numbered steps from an empty file to the newest form."""

from __future__ import annotations

__all__ = ["APPLICATION", "KINDS", "MIGRATIONS", "SOME", "STATES"]

APPLICATION = 0x50455454
"""SQLite's ``application_id`` of a store: PETT."""
KINDS = ("match", "tournament", "study", "import")
STATES = ("running", "finished", "stopped")
SOME = "*"
"""Stands for the game or the agents of an imported series that has more than one."""

# AUTOINCREMENT: the number of a deleted series is never given to another, to which a process that
# still plays the old one would then add its games. Long texts stand last, so that a sum over the
# columns before them does not read them.
_FIRST = (
    """
    CREATE TABLE series (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        created TEXT NOT NULL,
        version TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('match', 'tournament', 'study', 'import')),
        game TEXT NOT NULL,
        agent_a TEXT NOT NULL,
        agent_b TEXT NOT NULL,
        seed TEXT NOT NULL,
        pairs INTEGER NOT NULL CHECK (pairs >= 0),
        options TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('running', 'finished', 'stopped')),
        note TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE games (
        series INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
        pair INTEGER NOT NULL CHECK (pair >= 0),
        number INTEGER NOT NULL CHECK (number IN (0, 1)),
        result REAL NOT NULL,
        score REAL NOT NULL CHECK (score IN (0, 0.5, 1)),
        plies INTEGER NOT NULL,
        a_moves INTEGER NOT NULL,
        a_interior INTEGER NOT NULL,
        a_leaves INTEGER NOT NULL,
        a_seconds REAL NOT NULL,
        b_moves INTEGER NOT NULL,
        b_interior INTEGER NOT NULL,
        b_leaves INTEGER NOT NULL,
        b_seconds REAL NOT NULL,
        forfeit_agent INTEGER CHECK (forfeit_agent IN (0, 1)),
        game TEXT NOT NULL,
        first TEXT NOT NULL,
        second TEXT NOT NULL,
        forfeit_reason TEXT,
        record TEXT NOT NULL,
        forfeit_trace TEXT,
        UNIQUE (series, pair, number)
    )
    """,
)

# Answers after the time, inside the grace; nobody counted them before.
_LATE = tuple(
    f"ALTER TABLE games ADD COLUMN {agent}_late INTEGER NOT NULL DEFAULT 0" for agent in "ab"
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_FIRST, _LATE)
"""``MIGRATIONS[n]`` takes a store of version n to version n + 1."""
