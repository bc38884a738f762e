"""Records as the games of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL
from petteia.core.reading import number_of
from petteia.core.record import Record
from petteia.core.replay import replay
from petteia.core.words import Words
from petteia.games.backgammon.face import BackgammonFace
from petteia.games.backgammon.face.notation import steps_of
from petteia.games.backgammon.formats.played import (
    PlayedGame,
    PlayedMatch,
    Score,
    Turn,
    has_ended,
    points_won,
    score_after,
)
from petteia.games.backgammon.rules.state import OPENING, PLAY, TAKE, parts_of

__all__ = ["match_of"]


def match_of(game: BackgammonFace, records: Sequence[Record], form: str) -> PlayedMatch:
    """The records as the games of one match or session.

    In a file the first player keeps his column; where two players changed seats between games, the
    colours of a game are exchanged.
    """
    names = records[0].players
    found = PlayedMatch(names, game.match, jacoby=game.jacoby, crawford=game.crawford)
    score = _base(records[0])
    for number, kept in enumerate(records):
        seats = 0 if kept.players == names else 1
        if sorted(kept.players) != sorted(names):
            raise PetteiaError(
                f"a {form} file holds the games of two players, {' and '.join(names)}; "
                f"{' and '.join(kept.players)} need a file of their own"
            )
        for each in _games_of(game, kept, form):
            if game.match and number and (seats or each.score == (0, 0)):
                raise PetteiaError(
                    f"a {form} file holds one match; write {len(records)} matches as .txt"
                )
            if not game.match:
                each.score = score
            if seats:
                each.turns = [Turn(1 - turn.player, turn.text) for turn in each.turns]
                each.points = None if each.points is None else -each.points
            score = score_after(each.score or (0, 0), each.points or 0)
            found.games.append(each)
    return found


def _base(kept: Record) -> Score:
    """The score at which a session begins."""
    told = re.fullmatch(r"(\d+)-(\d+)", kept.header("Score"))
    return (number_of(told[1]), number_of(told[2])) if told else (0, 0)


def _games_of(game: BackgammonFace, kept: Record, form: str) -> Iterator[PlayedGame]:
    """The games of a record: one, or those of a whole match."""
    line = replay(kept, game)
    if parts_of(line[0][4])["phase"] != OPENING:
        raise PetteiaError(f"a {form} file begins at the opening throw; write this game as .txt")
    found, ended = _begun(line[0]), 0
    for number, (p, ply, q) in enumerate(zip(line, kept.plies, line[1:], strict=False), 1):
        if ply.kind != "move":
            if number == len(kept.plies):
                found.turns.append(_thrown(q))
            continue
        move = game.parse_move(p, ply.texts[0])
        text = _turn_text(p, move)
        if text:
            found.turns.append(Turn(parts_of(p[4])["mover"], text))
        if has_ended(game, q):
            found.points = points_won(game, p, move)
            yield found
            found, ended = _begun(q), ended + 1
    # A match that stands between two games has told all; else the last game was given up, or it
    # goes on.
    if int(game.kind(line[-1])) == TERMINAL or (ended and not found.turns and kept.result is None):
        return
    found.points = _given_up(game, kept, found, form)
    found.resigned = found.points is not None
    level = parts_of(line[-1][4])["level"]
    beavered = bool(found.turns) and found.turns[-1].text.startswith("Beavers")
    if beavered and found.points is not None and abs(found.points) == 1 << (level - 1):
        found.turns.append(Turn(int(found.points > 0), "Drops"))
        found.resigned = False
    yield found


def _begun(p: Words) -> PlayedGame:
    parts = parts_of(p[4])
    crawford = bool(parts["crawford"])
    return PlayedGame(score=(parts["white"], parts["black"]), is_crawford=crawford)


def _thrown(p: Words) -> Turn:
    """The throw that nobody has played yet, at the end of a record."""
    parts = parts_of(p[4])
    return Turn(parts["mover"], f"{parts['first']}{parts['second']}")


def _given_up(game: BackgammonFace, kept: Record, last: PlayedGame, form: str) -> int | None:
    """What a game brought White that the rules did not end."""
    told = kept.header("Points")
    if re.fullmatch(r"[+-]\d{1,9}", told):
        return int(told)
    if kept.result is None:
        return None
    if kept.result == 0 or kept.result != int(kept.result):
        raise PetteiaError(f"a {form} file has no game that ends with {kept.result:g} points")
    if not game.match:
        return int(kept.result)
    white, black = last.score or (0, 0)
    return game.match - white if kept.result > 0 else black - game.match


def _turn_text(p: Words, move: int) -> str:
    """A move as files write it; nothing for the decision not to double."""
    parts = parts_of(p[4])
    if parts["phase"] == PLAY:
        hits = {move >> shift & 31 for shift in range(40, 60, 5)} - {0}
        steps = []
        for start, end in steps_of(p, move):
            steps.append(f"{start}/{end}{'*' if end in hits else ''}")
            hits.discard(end)
        return f"{parts['first']}{parts['second']}: {' '.join(steps)}"
    if parts["phase"] == TAKE:
        return ("Takes", "Drops", f"Beavers => {4 << parts['level']}")[move]
    return f"Doubles => {2 << parts['level']}" if move == 1 else ""
