"""PDN read: every game of a text, or what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from petteia.core.collection import Fault
from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL
from petteia.core.reading import Lines
from petteia.core.words import Words
from petteia.games.checkers.face import CheckersFace
from petteia.games.checkers.face.notation import BETWEEN, DASHES
from petteia.games.checkers.formats.games import ENGLISH, RESULTS, PdnGame, PdnMove
from petteia.games.checkers.formats.splitting import Part, goes_on, said_by, split, word_at

__all__ = ["read"]

_NEXT_HOP = re.compile(rf"\s+((\d{{1,2}})\s?[{BETWEEN}]\s?\d{{1,2}})(?!\d|\s*\.)")
_DEEPEST = 100
"""Variations inside each other; by far more than anybody writes."""


def read(
    game: CheckersFace, text: str, *, first_player_first: bool = False
) -> Iterator[PdnGame | Fault]:
    """The games of a text, each or what is wrong with it.

    By the tag's definition 1-0 is White's win; many collections mean the player who moves first,
    Black, instead: ``first_player_first`` reads theirs.
    """
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = Lines(text)
    for number, part in enumerate(split(text), 1):
        reader = _Reader(game, part)
        try:
            found = reader.read(-1.0 if first_player_first else 1.0)
        except PetteiaError as error:
            yield Fault(number, lines.at(reader.place), str(error))
        else:
            found.line = lines.at(part.begin)
            yield found


class _Reader:
    def __init__(self, game: CheckersFace, part: Part) -> None:
        self.game, self.part, self.body = game, part, part.body
        self.at = 0
        self.place = part.begin
        self.results: list[str] = []
        self.inside = 0
        self.number = 0
        """Of the moves, where numbers have no dots."""
        self.has_dots = False

    def words(self) -> Iterator[re.Match[str]]:
        while self.at < len(self.body):
            word = word_at(self.body, self.at)
            self.place = self.part.place(self.at)
            self.at = word.end()
            yield word

    def read(self, sign: float) -> PdnGame:
        tags = self.part.tags
        if self.part.wrong is not None:
            self.place, why = self.part.wrong
            raise PetteiaError(why)
        kind = tags.get("GameType", ENGLISH).split(",")[0]
        if kind != ENGLISH:
            raise PetteiaError(f'GameType "{kind}" is not English checkers, which is {ENGLISH}')
        found = PdnGame(tags, warnings=list(self.part.twice))
        found.moves, found.comment, end = self.line(found.start(self.game), 0)
        if self.inside:
            raise PetteiaError("a variation is not closed")
        stated = self.result(found)
        value = RESULTS[stated]
        found.result = None if value is None else sign * value
        if self.game.kind(end) == TERMINAL:
            right = float(self.game.result(end))
            if found.result is not None and found.result != right:
                winner = "Black" if right > 0 else "White" if right < 0 else "nobody"
                found.contradiction = f"{stated} contradicts the final position, which {winner} won"
        return found

    def result(self, found: PdnGame) -> str:
        """What the game says of its end; what it says besides is a warning."""
        tag = _plain(found.tags.get("Result", "*"))
        if tag in ("", "?"):
            tag = "*"
        told = [each for each in self.results if each != "*"]
        stated = told[0] if told else tag
        for other in told[1:]:
            if RESULTS[other] != RESULTS[stated]:
                found.warnings.append(f"the moves end with {stated} and with {other}")
        if stated not in RESULTS:
            found.warnings.append(f"the result {stated!r} is not one of {', '.join(RESULTS)}")
            return "*"
        if stated == "0-0":
            found.warnings.append("0-0: both lost; kept as a game without a result")
        if tag != "*" and (tag not in RESULTS or RESULTS[tag] != RESULTS[stated]):
            found.warnings.append(f"the tag says {tag}, the moves end with {stated}")
        return stated

    def line(self, p: Words, ply: int) -> tuple[list[PdnMove], str, Words]:
        """Moves up to the end of the text or of a variation; and the position after them."""
        moves: list[PdnMove] = []
        before: list[str] = []
        previous = p

        def say(words: str) -> None:
            if moves:
                moves[-1].comment = f"{moves[-1].comment} {words}".strip()
            else:
                before.append(words)

        for word in self.words():
            said = said_by(word)
            if word["move"]:
                move = self.hop_by_hop(p, word, ply + len(moves) + 1)
                text = self.game.move_text(p, move)
                moves.append(PdnMove(move, text, word["glued"] or "", mark=word["mark"]))
                previous, p = p, self.game.play(p, move)
            elif said is not None:
                say(said)
            elif word["open"]:
                if not moves:
                    raise PetteiaError("a variation stands before the first move")
                self.inside += 1
                if self.inside > _DEEPEST:
                    raise PetteiaError(f"more than {_DEEPEST} variations inside each other")
                other, talk, _ = self.line(previous, ply + len(moves) - 1)
                if talk and other:
                    other[0].comment = f"{talk} {other[0].comment}".strip()
                if other:
                    moves[-1].variations.append(other)
                elif talk:
                    say(talk)
            elif word["close"]:
                if not self.inside:
                    raise PetteiaError("a variation is closed that was not opened")
                self.inside -= 1
                return moves, " ".join(before), p
            elif word["result"]:
                if self.inside:
                    say(word[0])
                elif word[0] == "*" and goes_on(self.body, self.at):
                    self.mark(moves, word)
                else:
                    self.results.append(_plain(word["result"]))
            elif word["bare"]:
                self.count(word, ply + len(moves) + 1)
            elif word["sign"]:
                self.mark(moves, word)
            elif word["number"]:
                self.has_dots = True
            elif word["other"]:
                raise PetteiaError(_not_a_move(word, ply + len(moves) + 1))
        return moves, " ".join(before), p

    def count(self, word: re.Match[str], ply: int) -> None:
        """The number of a move without a dot, where no number has one: it follows the last."""
        number = int(word["bare"])
        is_first = self.number == 0 and "FEN" in self.part.tags
        if self.has_dots or not (is_first or number <= self.number + 1):
            raise PetteiaError(_not_a_move(word, ply))
        self.number = number

    def mark(self, moves: list[PdnMove], word: re.Match[str]) -> None:
        """A sign that stands alone belongs to the move before it."""
        if not moves:
            raise PetteiaError(f"{word[0]!r} stands before the first move")
        sign = word[0].strip("()")
        gap = " " if sign.startswith("$") and moves[-1].mark else ""
        moves[-1].mark += gap + sign

    def hop_by_hop(self, p: Words, word: re.Match[str], ply: int) -> int:
        """The move that a word means, with the words that carry its chain on."""
        begin = self.at
        if re.search(r"(?<!\d)0+(?!\d)", word["move"]):
            raise PetteiaError(_not_a_move(word, ply))
        whole = word["move"]
        while not word["glued"] and not word["mark"]:
            on = _NEXT_HOP.match(self.body, self.at)
            if on is None or int(on[2]) != int(re.findall(r"\d+", whole)[-1]):
                break
            whole, self.at = f"{whole} {on[1]}", on.end()
        for chain, end in ((whole, self.at), (word["move"], begin)):
            try:
                move = self.game.parse_move(p, chain)
            except PetteiaError as error:
                problem = error
            else:
                self.at = end
                return move
        raise PetteiaError(f"ply {ply}: {problem}")


def _plain(result: str) -> str:
    """A result with the dash of keyboards."""
    return re.sub(f"[{DASHES}]", "-", result.strip())


def _not_a_move(word: re.Match[str], ply: int) -> str:
    if word[0] == "{":
        return f"ply {ply}: a comment is not closed"
    return f"ply {ply}: {word[0][:40]!r} is neither a move nor a result"
