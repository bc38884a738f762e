"""Games in the community's files: ``.mat`` (Jellyfish, GNU Backgammon) and SGF.

Both are read into records and written from them. White is the player of the left column of a
``.mat`` file and SGF's W. Every game of a match is a record, which begins at its score.
"""

from __future__ import annotations

from collections.abc import Sequence

from petteia.core.collection import Collection
from petteia.core.record import Record
from petteia.games.backgammon.face import BackgammonFace
from petteia.games.backgammon.formats.mat import is_mat, read_mat, write_mat
from petteia.games.backgammon.formats.reading import entries_of
from petteia.games.backgammon.formats.sgf import is_sgf, read_sgf, write_sgf
from petteia.games.backgammon.formats.writing import match_of

__all__ = ["WRITERS", "games_in", "text_of"]

WRITERS = {".mat": write_mat, ".sgf": write_sgf}
"""By the suffix of a file."""


def games_in(game: BackgammonFace, text: str) -> Collection | None:
    """The games of a text in one of these forms; None if it is in neither."""
    if is_sgf(text):
        matches = read_sgf(text)
    elif is_mat(text):
        matches = read_mat(text)
    else:
        return None
    return Collection(tuple(entry for match in matches for entry in entries_of(game, match)))


def text_of(game: BackgammonFace, records: Sequence[Record], suffix: str) -> str | None:
    """The games of one match or session as a file of this suffix; None if it is another form."""
    write = WRITERS.get(suffix)
    return write(match_of(game, records, suffix)) if write else None
