"""The SQLite file under the store: opened, checked, brought up to date, its errors in words."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from petteia.arena.store.schema import APPLICATION, MIGRATIONS
from petteia.core.errors import PetteiaError

__all__ = ["Database", "stored_text"]

_MAGIC = b"SQLite format 3\x00"
_HEADER = 100
_PAGE_SIZE_AT = slice(16, 18)
_APPLICATION_AT = slice(68, 72)
_WAIT = 30.0
"""Seconds to wait for another process to finish its writing."""


def stored_text(text: str) -> bytes:
    """A text for ``CAST(? AS TEXT)``: SQLite keeps lone surrogates, which Python would refuse."""
    return text.encode("utf-8", "surrogatepass")


class Database:
    """A connection that is opened at its first use; several threads may share it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.RLock()

    def close(self) -> None:
        """Closes the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def read(self, sql: str, *values: Any) -> list[sqlite3.Row]:
        """The rows that a query finds."""
        with self._lock, self._in_words():
            return self._opened().execute(sql, values).fetchall()

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is kept, or, after an error, nothing."""
        with self._lock, self._in_words(), _transaction(self._opened()) as connection:
            yield connection

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            self._refuse_foreign()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(
                self.path, timeout=_WAIT, isolation_level=None, check_same_thread=False
            )
            try:
                self._settle(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _refuse_foreign(self) -> None:
        """Looks at the first bytes before SQLite may: a file that is not ours is not touched."""
        if not self.path.exists():
            return
        if not self.path.is_file():
            raise PetteiaError(f"{self.path} is not a file; a store is one file")
        with self.path.open("rb") as file:
            head = file.read(_HEADER)
        if not head:
            return
        if not head.startswith(_MAGIC):
            raise PetteiaError(f"{self.path} is not a store of petteia; it is not an SQLite file")
        if head[_APPLICATION_AT] != APPLICATION.to_bytes(4, "big"):
            raise PetteiaError(
                f"{self.path} is not a store of petteia; it is another program's SQLite file"
            )
        # SQLite would take the missing rest of the last page for zeros.
        page = int.from_bytes(head[_PAGE_SIZE_AT], "big")
        if page > 1 and self.path.stat().st_size % page and not self._unfinished():
            raise PetteiaError(f"the store {self.path} is damaged: its end is cut off")

    def _unfinished(self) -> bool:
        """Whether there is a log from which SQLite will complete the file."""
        logs = (self.path.with_name(self.path.name + end) for end in ("-wal", "-journal"))
        return any(log.exists() and log.stat().st_size for log in logs)

    def _settle(self, connection: sqlite3.Connection) -> None:
        connection.row_factory = sqlite3.Row
        connection.text_factory = lambda raw: raw.decode("utf-8", "surrogatepass")
        # Durable also when the power fails; a batch of pairs costs one wait for the disk.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        if self._version(connection) < len(MIGRATIONS):
            with _transaction(connection):
                # Another process may have done it while this one waited.
                for version in range(self._version(connection), len(MIGRATIONS)):
                    for statement in MIGRATIONS[version]:
                        connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        # Only now: the first transaction then stands in the file itself, where the next opening
        # looks for the application's number.
        if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            connection.execute("PRAGMA journal_mode = WAL")

    def _version(self, connection: sqlite3.Connection) -> int:
        found = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if found > len(MIGRATIONS):
            raise PetteiaError(
                f"{self.path} is a store of version {found}, and this petteia knows versions up "
                f"to {len(MIGRATIONS)}; use a newer petteia"
            )
        return found

    @contextlib.contextmanager
    def _in_words(self) -> Iterator[None]:
        """Turns what a user or a disk can cause into one line."""
        try:
            yield
        except sqlite3.Error as error:
            # An error of ours, such as a wrong statement, is not the user's.
            if isinstance(error, sqlite3.ProgrammingError | sqlite3.IntegrityError):
                raise
            raise PetteiaError(self._words(error)) from error
        except UnicodeDecodeError as error:
            raise PetteiaError(f"the store {self.path} is damaged: {error.reason}") from error
        except OverflowError:
            raise PetteiaError("the store takes whole numbers below 2^63") from None
        except OSError as error:
            raise PetteiaError(f"cannot use the store {self.path}: {error.strerror}") from error

    def _words(self, error: sqlite3.Error) -> str:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_FULL:
            return f"the disk is full; the store {self.path} keeps what was stored before"
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return f"the store {self.path} is in use by another program; try again later"
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return f"the store {self.path} is damaged: {error}"
        if code == sqlite3.SQLITE_IOERR:
            return f"the disk refuses the store {self.path}: {error}; is it full?"
        return f"cannot use the store {self.path}: {error}"


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        # A writer from the start: a reader that turns writer could not wait for another writer.
        connection.execute("BEGIN IMMEDIATE")
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        # SQLite has undone it already after some errors, such as a full disk.
        if connection.in_transaction:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
        raise
