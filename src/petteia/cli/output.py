"""What every command prints: one JSON object, or text for people; progress on standard error."""

from __future__ import annotations

import contextlib
import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

__all__ = [
    "json_object", "line", "note", "per_second", "plain", "progress", "show",
    "table", "tracked", "value_text", "weighted",
]  # fmt: skip

T = TypeVar("T")


def show(facts: Mapping[str, Any], as_json: bool, text: Callable[[], object]) -> None:
    """Prints a command's answer: the facts as JSON, or ``text`` prints them for people."""
    if as_json:
        json_object(facts)
    else:
        text()


def json_object(facts: Mapping[str, Any]) -> None:
    """Prints exactly one JSON object on standard output."""
    written = json.dumps(_encodable(facts), ensure_ascii=False, allow_nan=False)
    sys.stdout.write(written + "\n")


def _encodable(value: Any) -> Any:
    """The value with every lone surrogate, which no output can hold, spelled out."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, Mapping):
        return {_encodable(key): _encodable(each) for key, each in value.items()}
    return [_encodable(each) for each in value] if isinstance(value, list | tuple) else value


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Prints a table, with numbers aligned to the right."""
    rows = [list(row) for row in rows]
    grid = Table(box=None, pad_edge=False)
    for place, column in enumerate(columns):
        numeric = all(isinstance(row[place], int | float) for row in rows) if rows else False
        grid.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        grid.add_row(*(Text(_cell(value)) for value in row))
    if title:
        print(title)
    console = Console()
    # A pipe or a file has no edge: lines are broken only where a person would see it.
    Console(width=None if console.is_terminal else 200).print(grid)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def line(text: str) -> str:
    """An untrusted text as one line that cannot change the terminal."""
    return "".join(char if char.isprintable() else " " for char in text)


def per_second(count: float, seconds: float) -> float:
    """A rate that is never infinite."""
    return count / max(seconds, 1e-9)


def value_text(value: float | None, plies: int | None) -> str:
    """A value for people: a forced end by its distance."""
    if value is None:
        return "-"
    if plies is not None:
        return f"{'win' if value > 0 else 'loss'} in {plies}"
    return f"{value:+.3f}" if math.isfinite(value) else str(value)


def _bar(*columns: ProgressColumn) -> Progress:
    console = Console(stderr=True)
    return Progress(*columns, console=console, disable=not sys.stderr.isatty(), transient=True)


def tracked(steps: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Passes the steps on and shows a bar with an estimate on a terminal."""
    with _bar(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        TextColumn("left"), TimeRemainingColumn(),
    ) as bar:  # fmt: skip
        task = bar.add_task(what, total=total)
        for step in steps:
            yield step
            bar.advance(task)


def weighted(steps: Iterable[tuple[float, str]], total: float) -> None:
    """Runs steps of different lengths, each with a weight and a name, under one bar."""
    with _bar(
        BarColumn(), TaskProgressColumn(), TimeElapsedColumn(), TextColumn("left"),
        TimeRemainingColumn(elapsed_when_finished=False), TextColumn("{task.description}"),
    ) as bar:  # fmt: skip
        task = bar.add_task("", total=max(total, 1e-9))
        for weight, name in steps:
            bar.update(task, advance=weight, description=name)


@contextlib.contextmanager
def progress(what: str) -> Iterator[Callable[[float, str], None]]:
    """A bar for work that reports its progress from 0 to 1 and what it is doing."""
    with _bar(
        TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn(),
        TextColumn("left"), TimeRemainingColumn(),
    ) as bar:  # fmt: skip
        task = bar.add_task(what, total=1.0)

        def show(share: float, step: str) -> None:
            bar.update(task, completed=share, description=step or what)

        yield show


def note(text: str) -> None:
    """One line for people, beside the answer."""
    print(f"petteia: {text}", file=sys.stderr)


def plain(value: object) -> str:
    """A fact for people."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "-"}[value]
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.9g}" if isinstance(value, float) else str(value)
