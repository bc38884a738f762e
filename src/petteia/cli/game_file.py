"""Files of games that commands are given: in our own format or any other that the game knows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from petteia import games
from petteia.core import record
from petteia.core.collection import Collection, own_games
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.reading import naming, read_text
from petteia.core.record import Ply, Record
from petteia.core.replay import joined
from petteia.core.writing import write_whole

__all__ = ["keep", "load", "save", "written"]

_OWN = (".txt", ".pgn")
"""The suffixes of our own format."""


def written(game: Game, path: Path, records: Sequence[Record]) -> str:
    """Games in the form that the file's name asks for, or an error that says why they cannot be."""
    forms, suffix = (*_OWN, *game.foreign_suffixes), path.suffix.lower()
    if suffix not in forms:
        listed = f"{', '.join(forms[:-1])} or {forms[-1]}"
        raise PetteiaError(
            f"cannot tell from {str(path)!r} what to write; end the name with {listed}"
        )
    with naming(path):
        text = None if suffix in _OWN else game.foreign_text(records, suffix)
    return record.written(path, records) if text is None else text


def save(game: Game, path: Path, records: Sequence[Record]) -> None:
    """Writes games in the form that the file's name asks for; as a whole or not at all."""
    write_whole(path, written(game, path, records))


def keep(game: Game, path: Path, kept: Record) -> tuple[Ply, ...]:
    """Writes one game so that it can be continued; gives what the form leaves out of its end.

    Some forms write a throw only with its move, so one that nobody has played yet is left out.
    """
    text = written(game, path, [kept])
    left: tuple[Ply, ...] = ()
    if path.suffix.lower() not in _OWN:
        with naming(path):
            found = game.foreign_games(text)
            again = joined(game, found.whole()) if found else []
            told = again[0].plies if again else ()
            left = kept.plies[len(told) :]
            whole = len(again) == 1 and (*told, *left) == kept.plies
            if not whole or again[0].start != kept.start or (left and left[-1].kind != "chance"):
                raise PetteiaError("this form cannot tell the game whole; save it as .txt")
    write_whole(path, text)
    return left


def load(game: Game, path: Path) -> Collection:
    """The games of a file, and what could not be read; an error if that is all there is."""
    text = read_text(path, old=True)
    with naming(path):
        found = game.foreign_games(text) or own_games(text)
        if not found.entries:
            raise PetteiaError("there is no game in this file")
        if not found.records:
            first, *others = found.faults
            more = f" (and {len(others)} more games with faults)" if others else ""
            raise PetteiaError(f"no game could be read; {first}{more}")
        for number, entry in enumerate(found.entries, 1):
            kept = entry.record
            if kept is not None and str(games.make(kept.game)) != str(game):
                raise PetteiaError(f"game {number}, line {entry.line} is {kept.game}, not {game}")
    return found
