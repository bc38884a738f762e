"""One line that says why the first run waits."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

__all__ = ["compiling"]

_said = False


@contextlib.contextmanager
def compiling(name: str) -> Iterator[None]:
    """Shows that a kernel is being compiled: a spinner on a terminal, else one line a process."""
    global _said
    if sys.stderr.isatty():
        from rich.console import Console

        words = f"Compiling {name} (only this once; later starts find it ready)"
        with Console(stderr=True).status(words):
            yield
    else:
        if not _said:
            print("petteia: compiling for the first use; later starts are quick", file=sys.stderr)
            _said = True
        yield
