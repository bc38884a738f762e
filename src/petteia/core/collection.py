"""The games of a text: those that were read, and why the others were not. Nothing is left out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from petteia.core.errors import PetteiaError
from petteia.core.record import Record, read_each

__all__ = ["Collection", "Entry", "Fault", "own_games"]


@dataclass(frozen=True)
class Entry:
    """A game in a text."""

    line: int
    """Where it begins, or where the fault is; from 1."""
    record: Record | None
    """None if it could not be read."""
    why: str = ""
    """Why it could not."""
    remarks: tuple[str, ...] = ()
    """Where the text contradicts itself, although the game could be read."""


@dataclass(frozen=True)
class Fault:
    """A game that could not be read."""

    game: int
    """Its number in the text, from 1."""
    line: int
    why: str

    def __str__(self) -> str:
        return f"game {self.game}, line {self.line}: {self.why}"


@dataclass(frozen=True)
class Collection:
    """All games of a text, in their order."""

    entries: tuple[Entry, ...]
    refereed: bool = False
    """Whether only the rules end a game there, as in a referee's log: nobody can resign."""
    notes: tuple[str, ...] = ()
    """How the text was understood, where it could mean two things."""
    first_player_first: bool | None = None
    """Whether the first figure of a result was read as that of the player who moves first; None
    where a form leaves no doubt."""

    @classmethod
    def of(cls, records: Iterable[Record], lines: Iterable[int]) -> Collection:
        """Games that were all read, each with the line in which it begins."""
        return cls(tuple(Entry(line, kept) for kept, line in zip(records, lines, strict=True)))

    @property
    def records(self) -> list[Record]:
        """The games that were read."""
        return [entry.record for entry in self.entries if entry.record is not None]

    @property
    def faults(self) -> list[Fault]:
        """The games that were not."""
        return [
            Fault(number, entry.line, entry.why)
            for number, entry in enumerate(self.entries, 1)
            if entry.record is None
        ]

    def meaning(self, first_player_first: bool) -> Collection:
        """The same games, with the first figure of a result for this player."""
        if self.first_player_first is None:
            raise PetteiaError("results in this form have one meaning only")
        if self.first_player_first == first_player_first:
            return replace(self, notes=())
        turned = tuple(
            entry
            if entry.record is None or entry.record.result is None
            else replace(entry, record=replace(entry.record, result=-entry.record.result or 0.0))
            for entry in self.entries
        )
        return replace(self, entries=turned, notes=(), first_player_first=first_player_first)

    def whole(self) -> list[Record]:
        """The games, if all of them could be read; the first fault is the error."""
        for fault in self.faults:
            raise PetteiaError(str(fault))
        return self.records


def own_games(text: str) -> Collection:
    """The games of a text in our own format."""
    return Collection(
        tuple(
            Entry(line, found) if isinstance(found, Record) else Entry(line, None, str(found))
            for line, found in read_each(text)
        )
    )
