"""Records played again: every ply must be legal, the result right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from petteia.core.errors import PetteiaError
from petteia.core.face import Face
from petteia.core.history import Line, repetition_text, start_text
from petteia.core.record import Ply, PlyKind, Record, result_word
from petteia.core.rules import CHANCE, DECISION, SIMULTANEOUS, TERMINAL
from petteia.core.words import Words

__all__ = ["after", "joined", "play_all", "positions", "record_of", "replay"]

_KIND_OF_PLY: dict[int, PlyKind] = {DECISION: "move", CHANCE: "chance", SIMULTANEOUS: "both"}
_WANTED = {"move": "one move", "chance": "an outcome of the dice", "both": "two moves"}


def replay(record: Record, game: Face) -> list[Words]:
    """The positions of the game, from the start to the end.

    Every ply must be legal, and the result right where the rules end the game; where they do
    not, as after a resignation or a limit, it stands as recorded.
    """
    line = Line(game, record.start)
    play_all(line, record.plies)
    points: float | None = None
    if game.kind(line.p) == TERMINAL:
        points = float(game.result(line.p))
    elif line.is_drawn:
        points = 0.0
    if points is not None and record.result != points:
        right, stated = result_word(points), result_word(record.result)
        raise PetteiaError(
            f"after ply {len(record.plies)} the game is over with {right}, "
            f"but the record says {stated}"
        )
    return line.positions


def positions(game: Face, start: str, plies: Iterable[Ply]) -> list[Words]:
    """The positions from ``start``, or the one that a text writes, through legal plies."""
    line = Line(game, start)
    play_all(line, plies)
    return line.positions


def play_all(line: Line, plies: Iterable[Ply]) -> None:
    """Plays legal plies on from where a line stands."""
    for number, ply in enumerate(plies, 1):
        try:
            if line.is_drawn:
                shown = "|".join(ply.texts)
                raise PetteiaError(f"{shown!r} is not possible; {repetition_text(line.game)}")
            line.add(ply, after(line.game, line.p, ply))
        except PetteiaError as error:
            raise PetteiaError(f"ply {number}: {error}") from None


def after(game: Face, p: Words, ply: Ply) -> Words:
    """The position after a legal ply."""
    shown = "|".join(ply.texts)
    wanted = _KIND_OF_PLY.get(int(game.kind(p)))
    if wanted is None:
        raise PetteiaError(f"{shown!r} is not possible; the game is over")
    if ply.kind != wanted:
        raise PetteiaError(f"expected {_WANTED[wanted]}, found {_WANTED[ply.kind]} {shown!r}")
    if ply.kind == "move":
        return game.play(p, game.parse_move(p, ply.texts[0]))
    if ply.kind == "both":
        first, second = (game.parse_move(p, text, n) for n, text in enumerate(ply.texts))
        return game.play_both(p, first, second)
    return game.play(p, game.parse_outcome(p, ply.texts[0]))


def record_of(
    line: Line,
    players: tuple[str, str],
    result: float | None,
    headers: Iterable[tuple[str, str]] = (),
) -> Record:
    """What was played so far, as a record."""
    return Record(str(line.game), players, line.start, tuple(line.plies), result, tuple(headers))


def joined(game: Face, records: Sequence[Record]) -> list[Record]:
    """The records, but one that begins where the one before it stopped goes on with it.

    So the games of a match, which files hold one by one, are one line again.
    """
    found: list[Record] = []
    for kept in records:
        if found and _goes_on(game, found[-1], kept):
            before = found.pop()
            plies = before.plies + kept.plies
            kept = replace(kept, start=before.start, plies=plies, headers=())
        found.append(kept)
    return found


def _goes_on(game: Face, before: Record, kept: Record) -> bool:
    """Whether a record begins where another stopped, which is not where that one began."""
    if before.result is not None or kept.start in ("start", before.start):
        return False
    ended = start_text(game, replay(before, game)[-1])
    return kept.players == before.players and kept.start == ended
