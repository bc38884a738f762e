"""PDN: whole games in the text format of checkers programs, read and written.

What is met in public collections is read with patience: squares with zeros in front, the wrong
sign between them, chains short, long or hop by hop, comments in any brackets or glued to a move,
variations, results that look like moves. A game with an illegal move is reported by its number,
line, ply and word, and the reading goes on with the next game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from petteia.core.collection import Collection, Entry, Fault
from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL
from petteia.core.reading import read_text
from petteia.core.record import Ply, Record
from petteia.core.replay import positions
from petteia.core.words import Words
from petteia.core.writing import write_whole
from petteia.games.checkers.face import CheckersFace, notation
from petteia.games.checkers.face.notation import BETWEEN
from petteia.games.checkers.formats.games import PdnGame, PdnMove
from petteia.games.checkers.formats.reading import read
from petteia.games.checkers.formats.writing import write

__all__ = [
    "PdnGame",
    "PdnMove",
    "games_in",
    "load",
    "of_line",
    "of_record",
    "read",
    "save",
    "to_record",
    "write",
]

_TALK = r"(?:\s|\{[^}]*\}|[;%][^\n]*\n)*"
_PDN = re.compile(rf'\ufeff?{_TALK}(?:\[\s*\w+\s+"|1\s*\.|(?:1\s+)?\d{{1,2}}\s?[{BETWEEN}]\s?\d)')
"""How a PDN text begins."""
_TAG_IN_COMMENT = re.compile(r'\[(?=\s*\w+\s+")')
_KEPT_APART = {"Black", "White", "Result", "FEN", "SetUp", "GameType"}
"""Tags that a record keeps in its own fields, or that say nothing new."""
_TAKEN = {"Game", "First", "Second", "Start"}
"""Names that mean something else in a record."""


def of_line(game: CheckersFace, start: Words, moves: Iterable[int]) -> PdnGame:
    """A game of these moves; its result where the rules end it."""
    found, p = PdnGame(), start
    if start != game.start():
        found.tags["FEN"] = game.text(start)
    for move in moves:
        found.moves.append(PdnMove(move, notation.move_text(game, p, move)))
        p = game.play(p, move)
    found.result = float(game.result(p)) if game.kind(p) == TERMINAL else None
    return found


def of_record(game: CheckersFace, played: Record) -> PdnGame:
    """A game of the arena as PDN."""
    line = positions(game, played.start, played.plies)
    moves = [game.parse_move(p, ply.texts[0]) for p, ply in zip(line, played.plies, strict=False)]
    found = of_line(game, line[0], moves)
    for move, ply in zip(found.moves, played.plies, strict=True):
        words = " ".join(ply.comment.replace("}", ")").split())
        move.comment = _TAG_IN_COMMENT.sub("(", words)
    black, white = played.players
    found.tags = {"White": white, "Black": black} | dict(played.headers) | found.tags
    found.result = played.result
    return found


def to_record(game: CheckersFace, found: PdnGame) -> Record:
    """The main line of a PDN game as a record of the arena."""
    plies = tuple(
        Ply("move", (each.text,), f"{each.mark} {each.comment}".strip()) for each in found.moves
    )
    start = game.text(found.start(game)) if "FEN" in found.tags else "start"
    players = (found.tags.get("Black", found.tags.get("Red", "?")), found.tags.get("White", "?"))
    headers = tuple(
        (f"Pdn{key}" if key in _TAKEN else key, value)
        for key, value in found.tags.items()
        if key not in _KEPT_APART
    )
    return Record(str(game), players, start, plies, found.result, headers)


def games_in(game: CheckersFace, text: str) -> Collection | None:
    """The main lines of a PDN text; None if it does not look like one."""
    if not _PDN.match(text) or '[Game "' in text:  # the latter is a record of our own
        return None
    found = list(read(game, text))
    entries = tuple(_entry(game, each) for each in found)
    usual = Collection(entries, first_player_first=False)
    if not _is_first_player_first(game, [each for each in found if isinstance(each, PdnGame)]):
        return usual
    note = "1-0 is read as a win of Black, who moves first: the final positions say so"
    return replace(usual.meaning(True), notes=(note,))


def _entry(game: CheckersFace, found: PdnGame | Fault) -> Entry:
    if isinstance(found, Fault):
        return Entry(found.line, None, found.why)
    try:
        kept = to_record(game, found)
    except PetteiaError as error:  # a tag whose name a record cannot keep
        return Entry(found.line, None, str(error))
    return Entry(found.line, kept, remarks=tuple(found.warnings))


def _is_first_player_first(game: CheckersFace, games: Iterable[PdnGame]) -> bool:
    """Whether the boards say that the first figure of a result is Black's. Games that the rules
    ended decide it; without any, those where the winner has clearly less than the loser."""
    sure = likely_right = likely_wrong = 0
    for each in games:
        if not each.result:
            continue
        end = each.positions(game)[-1]
        if game.kind(end) == TERMINAL:
            if game.result(end):
                sure += 1 if game.result(end) == each.result else -1
            continue
        lead = each.result * (_pieces(end, 0) - _pieces(end, 1))
        likely_right += lead > 0
        likely_wrong += lead < 0
    if sure:
        return sure < 0
    return likely_wrong > 1 and likely_wrong > 3 * likely_right


def _pieces(p: Words, player: int) -> int:
    """Men and kings of a player; a king counts as three halves."""
    return 2 * int(p[player]).bit_count() + (int(p[player]) & int(p[2])).bit_count()


def load(path: str | Path, game: CheckersFace, **given: bool) -> list[PdnGame | Fault]:
    """The games of a file; old ones may be in Latin-1."""
    found = list(read(game, read_text(path, old=True), **given))
    if not found:
        raise PetteiaError(f"{path} holds no game")
    return found


def save(path: str | Path, game: CheckersFace, games: Iterable[PdnGame]) -> None:
    """Writes the games to a file, which is replaced as a whole or not at all."""
    write_whole(path, "\n".join(write(game, each) for each in games))
