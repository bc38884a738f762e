"""``petteia demo``."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from petteia.cli import output
from petteia.cli.options import Folder, Json
from petteia.core.writing import make_folder, write_whole
from petteia.studies import tour

__all__ = ["run"]


def run(out: Folder = Path("petteia-demo"), as_json: Json = False) -> None:
    """Takes the tour and writes its report."""
    started = time.perf_counter()
    make_folder(out)

    def tell(line: str) -> None:
        print(line, file=sys.stderr if as_json else sys.stdout, flush=True)

    def show(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        if not as_json:
            output.table(title, columns, rows)

    found = tour.take(tell, show)
    page = out / "index.html"
    write_whole(page, found.report.html())
    seconds = time.perf_counter() - started
    facts = {"report": str(page), "seconds": seconds, "games": found.facts}

    def text() -> None:
        print(f"\nThe report with figures: {page} ({seconds:.0f} s in all)\n\nHow to go on:")
        print(tour.next_steps())

    output.show(facts, as_json, text)
