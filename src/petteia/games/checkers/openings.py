"""The three-move ballots: balanced openings, drawn by lot in play over the board."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files

__all__ = ["BALLOTS", "OPENINGS", "Ballot"]

_LINE = re.compile(r"(\d+): ([^;]+)(?:; (\w*))?(?:; (.+))?")


@dataclass(frozen=True)
class Ballot:
    """An opening of three moves."""

    number: int
    """Its number in the federation's list."""
    moves: str
    is_mail: bool
    """Drawn in mail play only."""
    is_tough: bool
    """One of the fifty hard ones, with which strong programs are told apart."""
    name: str


def _read() -> tuple[Ballot, ...]:
    text = files("petteia.games.checkers").joinpath("openings.txt").read_text("utf-8")
    found = []
    for line in text.splitlines():
        if not line.startswith("#"):
            ballot = _LINE.fullmatch(line)
            assert ballot is not None, line
            marks = ballot[3] or ""
            found.append(
                Ballot(int(ballot[1]), ballot[2], "m" in marks, "t" in marks, ballot[4] or "")
            )
    return tuple(found)


BALLOTS = _read()

OPENINGS = {
    "ballots": tuple(ballot.moves for ballot in BALLOTS),
    "tough": tuple(ballot.moves for ballot in BALLOTS if ballot.is_tough),
}
"""The lists that ``--openings`` takes."""
