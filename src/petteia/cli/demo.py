"""``petteia demo``."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from petteia.cli import output
from petteia.core.errors import PetteiaError
from petteia.core.writing import write_whole
from petteia.studies import tour

__all__ = ["run"]


def run(folder: Path, as_json: bool) -> None:
    """Takes the tour and writes its report."""
    started = time.perf_counter()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PetteiaError(f"cannot make the folder {str(folder)!r}: {error.strerror}") from error

    def tell(line: str) -> None:
        print(line, file=sys.stderr if as_json else sys.stdout, flush=True)

    def show(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        if not as_json:
            output.table(title, columns, rows)

    found = tour.take(tell, show)
    page = folder / "index.html"
    write_whole(page, found.report.html())
    seconds = time.perf_counter() - started
    if as_json:
        output.json_object({"report": str(page), "seconds": seconds, "games": found.facts})
        return
    print(f"\nThe report with figures: {page} ({seconds:.0f} s in all)\n\nHow to go on:")
    print(tour.next_steps())
