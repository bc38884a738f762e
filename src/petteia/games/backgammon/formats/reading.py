"""The games of files as records.

Every game is a record of its own, from the opening throw at its score. Three headers say what the
rules cannot: ``Score`` before the game, ``Points`` that it brought White (less than 0 if it brought
Black some), and ``Resigned``, the player who gave it up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from petteia.core.collection import Entry
from petteia.core.errors import PetteiaError
from petteia.core.history import start_text
from petteia.core.reading import number_of
from petteia.core.record import Record
from petteia.core.replay import record_of
from petteia.core.session import Session
from petteia.core.words import Words
from petteia.games.backgammon.face import BackgammonFace
from petteia.games.backgammon.formats.played import (
    PlayedGame,
    PlayedMatch,
    Score,
    Turn,
    has_ended,
    points_won,
    score_after,
)
from petteia.games.backgammon.rules.state import CUBE, OPENING, ROLL, TAKE, parts_of, state_of

__all__ = ["entries_of"]

_ROLL = re.compile(r"([1-6])([1-6])(:)?\s*(.*)")
_DOUBLES = re.compile(r"doubles(?:\s*=>\s*(\d+))?", re.IGNORECASE)
_BEAVERS = re.compile(r"beavers(?:\s*=>\s*(\d+))?", re.IGNORECASE)
_NO_PLAY = re.compile(
    r"\(?(?:(?:cannot|can['\u2019]t) move|no (?:legal )?(?:move|play)s?|dance[sd]?)\)?\.?",
    re.IGNORECASE,
)
"""How some programs write a throw without a play; others leave it out."""
_EXAMPLES = "31: 8/5 6/5, Doubles => 2, Takes, Drops or Beavers => 4"


def entries_of(game: BackgammonFace, match: PlayedMatch) -> Iterator[Entry]:
    """The games as records; one that cannot be read costs no other."""
    why = _other_rules(game, match)
    score: Score | None = (0, 0)
    at_match_point: bool | None = None
    for number, each in enumerate(match.games):
        begins = each.score or score or (0, 0)
        later = match.games[number + 1].score if number + 1 < len(match.games) else None
        remarks = []
        if number and score is not None and begins != score:
            remarks.append(
                f"it begins at {_shown(begins)}, but the games before it make {_shown(score)}"
            )
        crawford = _is_crawford(game, each, begins, at_match_point)
        if each.is_crawford is not None and game.match > 1 and crawford != each.is_crawford:
            said, is_so = ("not the", "is") if crawford else ("the", "is not")
            remarks.append(f"it is said to be {said} Crawford game, and {is_so}")
        score = None
        try:
            if each.why or why:
                raise PetteiaError(each.why or why)
            place = _Place(begins, crawford, later)
            kept, points = _record(game, match, each, place, remarks)
            yield Entry(each.line, kept, remarks=tuple(remarks))
            score = score_after(begins, points or 0)
        except PetteiaError as error:
            yield Entry(each.line, None, str(error))
        at_match_point = game.match - 1 in begins


def _shown(score: Score) -> str:
    return f"{score[0]}:{score[1]}"


def _other_rules(game: BackgammonFace, match: PlayedMatch) -> str:
    """Why the game that was asked for is not the one of the file; empty if it is."""
    if game.match and match.length != game.match:
        held = f"a match to {match.length}" if match.length else "games for money"
        return f"the file holds {held}, the game is {game}; say match={match.length}"
    if game.match and match.crawford is False and game.crawford:
        return f"the match was played without the Crawford game, {game} has one; say crawford=false"
    if not match.length and match.jacoby is not None and match.jacoby != game.jacoby:
        ours, theirs = ("without", "with") if match.jacoby else ("with", "without")
        return (
            f"the file was played {theirs} Jacoby's rule, {game} is {ours} it; "
            f"say cube=true, jacoby={str(match.jacoby).lower()}"
        )
    return ""


def _is_crawford(game: BackgammonFace, each: PlayedGame, score: Score, before: bool | None) -> bool:
    """Whether this is the Crawford game: the first after a player came within a point of the match.

    ``before`` says whether somebody was that near in the game before it; None at the first game of
    a file, where a double tells that it is a later one.
    """
    if not game.crawford or score.count(game.match - 1) != 1:
        return False
    if before is not None:
        return not before
    if each.is_crawford is not None:
        return each.is_crawford
    return not any(_DOUBLES.match(turn.text.strip()) for turn in each.turns)


def _opening(game: BackgammonFace, score: Score, crawford: bool) -> Words:
    """The opening throw at a score."""
    if not game.match or score == (0, 0):
        return game.start()
    if max(score) >= game.match:
        raise PetteiaError(f"a game at {_shown(score)} is not possible in a match to {game.match}")
    state = state_of(phase=OPENING, white=score[0], black=score[1], crawford=int(crawford))
    return (*game.start()[:4], state)


class _Place(NamedTuple):
    """Where a game stands in its match."""

    score: Score
    is_crawford: bool
    later: Score | None
    """The score before the next game, where the file tells it."""


def _record(
    game: BackgammonFace,
    match: PlayedMatch,
    each: PlayedGame,
    place: _Place,
    remarks: list[str],
) -> tuple[Record, int | None]:
    """A game as a record, and the points that it brought White; None if it is unfinished."""
    score, later = place.score, place.later
    line = _Reading(game, match, _opening(game, score, place.is_crawford))
    for number, turn in enumerate(each.turns, 1):
        try:
            line.take(turn, is_last=number == len(each.turns))
        except PetteiaError as error:
            raise PetteiaError(f"turn {number} ({turn.text.strip()}): {error}") from None
    points, told = line.points, each.points
    if points is None and told is None and later is not None:
        points = (later[0] - score[0]) - (later[1] - score[1])
    elif points is None:
        points = told
    elif told is not None and score_after(score, told) not in _scores(game, score, points):
        remarks.append(
            f"by the rules {_won(game, points)}, but the file says that {_won(game, told)}"
        )
    headers = [("Score", f"{score[0]}-{score[1]}")] if each.score is not None else []
    if points:
        headers.append(("Points", f"{points:+d}"))
        if line.points is None:
            headers.append(("Resigned", game.players[points > 0]))
    result = line.session.result
    if result is None and points and not game.match:
        result = float(points)
    elif result is None and points and max(score_after(score, points)) >= game.match:
        result = 1.0 if points > 0 else -1.0
    return record_of(line.session, match.names, result, headers), points


def _won(game: BackgammonFace, points: int) -> str:
    plural = "" if abs(points) == 1 else "s"
    return f"{game.players[points < 0]} won {abs(points)} point{plural}"


def _scores(game: BackgammonFace, score: Score, points: int) -> tuple[Score, ...]:
    """The score after a game: with all its points, and with those that the match still needs."""
    white, black = score_after(score, points)
    most = game.match or max(white, black)
    return (white, black), (min(white, most), min(black, most))


class _Reading:
    """A game that is played again, turn by turn."""

    def __init__(self, game: BackgammonFace, match: PlayedMatch, start: Words) -> None:
        self.game = game
        self.session = Session(game, match.names, start=start_text(game, start))
        self.rules = f"match={match.length}, cube=true" if match.length else "cube=true"
        """What the game must be asked for with where there is a cube."""
        self.points: int | None = None
        """What White won by the last turn, where it ended the game."""
        self._beavered = False
        """Whether the last turn was a beaver, which the doubler takes or drops."""

    def take(self, turn: Turn, *, is_last: bool) -> None:
        """Plays a turn."""
        if self.points is not None:
            raise PetteiaError("the game is over")
        beavered, self._beavered = self._beavered, False
        text = turn.text.strip()
        roll = _ROLL.fullmatch(text)
        if roll is not None:
            self._roll(turn.player, roll, is_last=is_last)
        elif beavered and turn.player == self._mover() and text.lower() in ("takes", "drops"):
            if text.lower() == "drops":
                # Our rules have no answer to a beaver: the game ends as by a resignation.
                level = parts_of(self.session.p[4])["level"]
                self.points = (-1 if turn.player == 0 else 1) << (level - 1)
        else:
            self._cube(turn.player, text)

    def _mover(self) -> int:
        return parts_of(self.session.p[4])["mover"]

    def _roll(self, player: int, roll: re.Match[str], *, is_last: bool) -> None:
        if parts_of(self.session.p[4])["phase"] == CUBE and self._mover() == player:
            self.session.play("roll")
        self.session.throw(_throw(self.game, self.session.p, player, int(roll[1]), int(roll[2])))
        if roll[4] and not roll[3]:
            raise PetteiaError(f"expected for instance {_EXAMPLES}")
        # A throw without a play is a pass, or at the end of a game one that is not played yet.
        is_open = is_last and not roll[4] and 0 not in self.game.legal_moves(self.session.p)
        play = roll[4].strip()
        if roll[3] and not is_open:
            self._play("pass" if not play or _NO_PLAY.fullmatch(play) else play)

    def _cube(self, player: int, text: str) -> None:
        doubles, beavers = _DOUBLES.fullmatch(text), _BEAVERS.fullmatch(text)
        words = {"takes": "take", "drops": "drop"}
        if not doubles and not beavers and text.lower() not in words:
            raise PetteiaError(
                f"neither a throw nor a decision at the cube; expected for instance {_EXAMPLES}"
            )
        parts, game = parts_of(self.session.p[4]), self.game
        if parts["phase"] != (CUBE if doubles else TAKE) or parts["mover"] != player:
            why = "" if game.cube or not doubles else f"; say {self.rules}"
            raise PetteiaError(f"{game.players[player]} cannot do that here in {game}{why}")
        found, turned = doubles or beavers, 1 if doubles else 2
        if found and found[1] and number_of(found[1]) != 1 << (parts["level"] + turned):
            raise PetteiaError(f"the cube comes to {1 << (parts['level'] + turned)} here")
        if beavers and not game.beaver:
            raise PetteiaError(f"{game} has no beavers; say beaver=true")
        self._beavered = beavers is not None
        self._play("double" if doubles else "beaver" if beavers else words[text.lower()])

    def _play(self, text: str) -> None:
        p = self.session.p
        self.session.play(text)
        if has_ended(self.game, self.session.p):
            self.points = points_won(self.game, p, self.game.parse_move(p, text))


def _throw(game: BackgammonFace, p: Words, player: int, first: int, second: int) -> int:
    parts = parts_of(p[4])
    if parts["phase"] not in (OPENING, ROLL):
        raise PetteiaError("no throw is due here")
    if parts["phase"] == ROLL and parts["mover"] != player:
        raise PetteiaError(f"it is not {game.players[player]}'s turn")
    if not game.course:
        first, second = max(first, second), min(first, second)
    wanted = first << 3 | second | (player << 6 if parts["phase"] == OPENING else 0)
    if wanted not in [throw for throw, _ in game.outcomes(p)]:
        raise PetteiaError(f"a throw of {first}{second} is not possible here")
    return wanted
