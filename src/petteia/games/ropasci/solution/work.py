"""A hunt of four tokens under way: what is finished of it, on disk, and how long it took."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from petteia.games.ropasci.solution import table
from petteia.games.ropasci.solution.chase import Chase, Three
from petteia.games.ropasci.solution.hunts import Hunt
from petteia.games.ropasci.solution.straight import StraightLines
from petteia.games.ropasci.solution.sweep import ONE, SETTLED
from petteia.games.ropasci.solution.table import WHOLE, Kept
from petteia.solve import Stopped
from petteia.solve.parts import Parts

__all__ = ["WON", "Work", "parts_of"]

WON = 0.999
"""A chance above this within all turns counts as won."""
_EVERY = 60.0
"""Seconds between two saves."""
_PARTS = ("before", "rows")


def parts_of(hunt: Hunt) -> Parts:
    """What is kept of a hunt that is not finished."""
    name = hunt.name.replace(" v ", "-").lower()
    folder = table.large_path().with_name(f"ropasci-4-{name}.parts")
    return Parts(folder, f"{table.LARGE_NAME} {hunt.name}")


@dataclass(frozen=True)
class _Moment:
    """All that is needed to go on, when a turn was just kept: only then are the chances of the
    last turn enough."""

    facts: dict[str, object]
    before: np.ndarray
    rows: list[np.ndarray]

    def save(self, parts: Parts) -> None:
        parts.save(self.facts, {"before": self.before, "rows": np.stack(self.rows)})


class Work:
    """A hunt of four tokens, for ever more turns."""

    def __init__(self, hunt: Hunt, three: Three, workers: int) -> None:
        self.hunt, self.seconds = hunt, 0.0
        self._chase = Chase(hunt, workers, three)
        self._lines = StraightLines(len(self._chase.places))
        self.parts = parts_of(hunt)
        found = self.parts.load(_PARTS)
        if found is not None:
            facts, arrays = found
            self.seconds = float(facts["seconds"])
            self._chase.go_on(int(facts["turn"]), float(facts["residual"]), arrays["before"])
            chances = self._chase.chances
            self._lines.go_on(facts["turns"], arrays["rows"], float(facts["error"]), chances)

    @property
    def size(self) -> int:
        """How many positions it has."""
        return len(self._chase.places)

    def to_the_end(self, turns: int, report: Callable[[float, str], None]) -> None:
        """Solves it; saves now and then, when it is stopped, and at the end."""
        chase, lines = self._chase, self._lines
        if lines.turns[-1] == turns:
            return
        before, saved, moment = time.perf_counter(), time.perf_counter(), self._moment()
        goes_on = True
        while goes_on and chase.turn < turns:
            goes_on = chase.longer()
            now = time.perf_counter()
            self.seconds, before = self.seconds + now - before, now
            if lines.add(chase.chances):
                moment = self._moment()
                if now - saved > _EVERY:
                    moment.save(self.parts)
                    saved = time.perf_counter()
            try:
                report(chase.turn / turns, f"{self.hunt.name}, {chase.turn} turns")
            except Stopped:
                moment.save(self.parts)
                raise
        lines.finish(turns)
        self._moment().save(self.parts)

    def _moment(self) -> _Moment:
        chase, lines = self._chase, self._lines
        facts = {
            "turn": chase.turn, "residual": chase.residual, "turns": list(lines.turns),
            "error": lines.error, "seconds": self.seconds,
        }  # fmt: skip
        return _Moment(facts, chase.before.copy(), list(lines.rows))

    def kept(self) -> Kept:
        """Its chances, without the places that have none."""
        chances = np.stack(self._lines.rows, axis=1)
        there = chances[:, -1] > 0
        return Kept(self._chase.places[there], self._lines.turns, chances[there])

    def facts(self) -> dict[str, Any]:
        """How many positions are won, what is told of how many turns, and how well."""
        last, lines = self._lines.rows[-1] / WHOLE, self._lines
        won, drawn = int((last > WON).sum()), int((last == 0).sum())
        error = lines.error + 0.5 / WHOLE + self._chase.residual + 1.0 - SETTLED / ONE
        return {
            "hunt": self.hunt.name,
            "positions": self.size,
            "won": won,
            "uncertain": self.size - won - drawn,
            "drawn": drawn,
            "mean": round(float(last.mean()), 4),
            "kept_turns": len(lines.turns) - 1,
            "within": round(error, 6),
        }
