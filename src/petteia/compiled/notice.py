"""One line that says why the first run waits."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

__all__ = ["compiling", "on_compiling"]

_said = False
_listeners: list[Callable[[bool], None]] = []


def on_compiling(listener: Callable[[bool], None]) -> None:
    """Somebody who wants to hear when a kernel begins to be compiled (True) and when it is."""
    _listeners.append(listener)


@contextlib.contextmanager
def compiling(name: str) -> Iterator[None]:
    """Shows that a kernel is being compiled: a spinner on a terminal, else one line a process."""
    global _said
    for listener in _listeners:
        listener(True)
    try:
        if sys.stderr.isatty():
            from rich.console import Console

            words = f"Compiling {name} (only this once; later starts find it ready)"
            with Console(stderr=True).status(words):
                yield
        else:
            if not _said:
                words = "petteia: compiling for the first use; later starts are quick"
                print(words, file=sys.stderr)
                _said = True
            yield
    finally:
        for listener in _listeners:
            listener(False)
