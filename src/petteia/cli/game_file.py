"""Files of games that commands are given: in our own format or any other that the game knows."""

from __future__ import annotations

from pathlib import Path

from petteia import games
from petteia.core.collection import Collection, own_games
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.reading import naming, read_text

__all__ = ["load"]


def load(game: Game, path: Path) -> Collection:
    """The games of a file, and what could not be read; an error if that is all there is."""
    text = read_text(path, old=True)
    with naming(path):
        found = game.foreign_games(text) or own_games(text)
        if not found.entries:
            raise PetteiaError("there is no game in this file")
        if not found.records:
            raise PetteiaError(f"no game could be read; {found.faults[0]}")
        for number, entry in enumerate(found.entries, 1):
            kept = entry.record
            if kept is not None and str(games.make(kept.game)) != str(game):
                raise PetteiaError(f"game {number}, line {entry.line} is {kept.game}, not {game}")
    return found
