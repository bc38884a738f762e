"""PDN: whole games in the text format of checkers programs, read and written.

What is met in public collections is read with patience: squares with zeros in front, the wrong
sign between them, chains short, long or hop by hop, comments, variations, results that look like
moves. A game with an illegal move is reported by its number, its ply and the word, and the
reading goes on with the next game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL
from petteia.core.record import Ply, Record, wrapped
from petteia.core.replay import positions
from petteia.core.words import Words
from petteia.core.writing import write_whole
from petteia.games.checkers.face import CheckersFace, notation

__all__ = [
    "Fault",
    "PdnGame",
    "PdnMove",
    "load",
    "of_line",
    "of_record",
    "read",
    "save",
    "to_record",
    "write",
]

_ENGLISH = "21"
_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_RESULTS = {"1-0": -1.0, "0-1": 1.0, "1/2-1/2": 0.0, "2-0": -1.0, "0-2": 1.0, "1-1": 0.0, "*": None}
"""The points of player 0, Black, when the first figure is White's, as the tag is defined."""
_TOKEN = re.compile(
    r"""\s+ | \{(?P<comment>[^}]*)\} | ;(?P<line>[^\n]*) | (?P<open>\() | (?P<close>\))
      | (?P<result>1/2-1/2|1-0|0-1|2-0|0-2|1-1|\*)(?![\w/-])
      | (?P<number>\d+\s*\.+)
      | (?P<move>\d{1,2}(?:\s?[-x:]\s?\d{1,2})+|\d{4}\b)(?P<mark>[!?*]*)
      | \$\d+ | (?P<other>\S+)""",
    re.VERBOSE | re.IGNORECASE,
)
_NEXT_HOP = re.compile(r"\s+((\d{1,2})\s?[x:-]\s?\d{1,2})(?!\s*\.)")
_WIDTH = 79


@dataclass
class PdnMove:
    """A move with what was said about it."""

    move: int
    text: str
    """As the rules write it."""
    comment: str = ""
    variations: list[list[PdnMove]] = field(default_factory=list)
    """Lines that could have been played instead of this move."""


@dataclass
class PdnGame:
    """A game with its tags."""

    tags: dict[str, str] = field(default_factory=dict)
    moves: list[PdnMove] = field(default_factory=list)
    comment: str = ""
    """What stands before the first move."""
    result: float | None = None
    """The points of player 0 (Black), None while it is not known."""
    warnings: list[str] = field(default_factory=list)

    def start(self, game: CheckersFace) -> Words:
        """Where the game began."""
        return game.parse(self.tags["FEN"]) if "FEN" in self.tags else game.start()

    def positions(self, game: CheckersFace) -> list[Words]:
        """The positions from the start to the end of the main line."""
        line = [self.start(game)]
        for each in self.moves:
            line.append(game.play(line[-1], each.move))
        return line


@dataclass(frozen=True)
class Fault:
    """A game that could not be read."""

    number: int
    """The game's number in the text, from 1."""
    why: str


def read(
    game: CheckersFace, text: str, *, first_player_first: bool = False
) -> Iterator[PdnGame | Fault]:
    """The games of a text, each or what is wrong with it.

    By the tag's definition 1-0 is White's win; many collections mean the player who moves first,
    Black, instead: ``first_player_first`` reads theirs.
    """
    for number, (tags, body) in enumerate(_split(text.lstrip("\ufeff")), 1):
        try:
            kind = tags.get("GameType", _ENGLISH).split(",")[0]
            if kind != _ENGLISH:
                raise PetteiaError(f'GameType "{kind}" is not English checkers, which is 21')
            found = _Reader(game, tags, body).read(-1.0 if first_player_first else 1.0)
        except PetteiaError as error:
            yield Fault(number, f"game {number}: {error}")
        else:
            yield found


def _split(text: str) -> Iterator[tuple[dict[str, str], str]]:
    """Each game's tags and movetext. A game ends where the next tags begin, or with its result
    where there are no tags."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    at, tags, begin = 0, dict[str, str](), 0
    while at < len(text):
        tag = _TAG.match(text, at)
        if tag is not None:
            if text[begin:at].strip():
                yield tags, text[begin:at]
                tags = {}
            tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
            at = begin = tag.end()
            continue
        token = _TOKEN.match(text, at)
        assert token is not None
        at = token.end()
        if token["result"] and not _goes_on(text, at):
            yield tags, text[begin:at]
            tags, begin = {}, at
    if tags or text[begin:].strip():
        yield tags, text[begin:]


def _goes_on(text: str, at: int) -> bool:
    """Whether moves follow: then a star was a mark of a forced move, or 1-0 stood in a line."""
    while at < len(text) and not _TAG.match(text, at):
        token = _TOKEN.match(text, at)
        assert token is not None
        if token["move"] or token["close"]:
            return True
        if token["number"]:
            return not re.match(r"1\s*\.", token["number"])
        if token["result"]:
            return False
        at = token.end()
    return False


class _Reader:
    def __init__(self, game: CheckersFace, tags: dict[str, str], body: str) -> None:
        self.game, self.tags, self.body, self.at = game, tags, body, 0
        self.stated: str | None = None
        self.inside = 0

    def tokens(self) -> Iterator[re.Match[str]]:
        while self.at < len(self.body):
            token = _TOKEN.match(self.body, self.at)
            assert token is not None
            self.at = token.end()
            yield token

    def read(self, sign: float) -> PdnGame:
        found = PdnGame(self.tags)
        found.moves, found.comment, end = self.line(found.start(self.game), 0)
        if self.inside:
            raise PetteiaError("a variation is not closed")
        stated = self.stated or self.tags.get("Result", "*").strip()
        if stated not in _RESULTS:
            found.warnings.append(f"the result {stated!r} is none of {', '.join(_RESULTS)}")
            stated = "*"
        value = _RESULTS[stated]
        found.result = None if value is None else sign * value
        tag = self.tags.get("Result", stated).strip()
        if tag != stated and stated != "*" and tag != "*":
            found.warnings.append(f"the tag says {tag}, the moves end with {stated}")
        if self.game.kind(end) == TERMINAL:
            right = float(self.game.result(end))
            if found.result is not None and found.result != right:
                winner = "Black" if right > 0 else "White" if right < 0 else "nobody"
                found.warnings.append(
                    f"the result {stated} contradicts the final position, which {winner} won"
                )
        return found

    def line(self, p: Words, ply: int) -> tuple[list[PdnMove], str, Words]:
        """Moves up to the end of the text or of a variation; and the position after them."""
        moves: list[PdnMove] = []
        before: list[str] = []
        previous = p
        for token in self.tokens():
            if token["move"]:
                move = self.hop_by_hop(p, token["move"], ply + len(moves) + 1)
                moves.append(PdnMove(move, self.game.move_text(p, move)))
                previous, p = p, self.game.play(p, move)
            elif token["comment"] is not None or token["line"] is not None:
                words = " ".join((token["comment"] or token["line"] or "").split())
                if moves:
                    moves[-1].comment = f"{moves[-1].comment} {words}".strip()
                else:
                    before.append(words)
            elif token["open"]:
                if not moves:
                    raise PetteiaError("a variation stands before the first move")
                self.inside += 1
                other, said, _ = self.line(previous, ply + len(moves) - 1)
                if said and other:
                    other[0].comment = f"{said} {other[0].comment}".strip()
                moves[-1].variations.append(other)
            elif token["close"]:
                if not self.inside:
                    raise PetteiaError("a variation is closed that was not opened")
                self.inside -= 1
                return moves, " ".join(before), p
            elif token["result"]:
                if not _goes_on(self.body, self.at):  # else a star marks a forced move
                    self.stated = token["result"]
            elif token["other"]:
                raise PetteiaError(
                    f"ply {ply + len(moves) + 1}: {token['other'][:20]!r} is neither a move nor a "
                    "result"
                )
        return moves, " ".join(before), p

    def hop_by_hop(self, p: Words, text: str, ply: int) -> int:
        """The move that a word means, with the words that carry its chain on."""
        begin = self.at
        whole = text
        while True:
            on = _NEXT_HOP.match(self.body, self.at)
            if on is None or int(on[2]) != int(re.findall(r"\d+", whole)[-1]):
                break
            whole, self.at = f"{whole} {on[1]}", on.end()
        for chain, end in ((whole, self.at), (text, begin)):
            try:
                move = self.game.parse_move(p, chain)
            except PetteiaError as error:
                problem = error
            else:
                self.at = end
                return move
        raise PetteiaError(f"ply {ply}: {problem}")


# --- writing ------------------------------------------------------------------------------------


def write(game: CheckersFace, found: PdnGame) -> str:
    """The text of a game, with a line's end at its end."""
    words = {-1.0: "1-0", 1.0: "0-1", 0.0: "1/2-1/2", None: "*"}
    result = words[found.result]
    tags = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?",
            "Black": "?"} | found.tags | {"Result": result, "GameType": _ENGLISH}  # fmt: skip
    start = found.start(game)
    if start != game.start():
        tags |= {"SetUp": "1", "FEN": game.text(start)}
    lines = [f'[{key} "{_escaped(value)}"]' for key, value in tags.items()]
    body = [f"{{{found.comment}}}"] if found.comment else []
    body += [*_line_words(game, start, found.moves, int(game.mover(start))), result]
    return "\n".join([*lines, "", *wrapped(body, _WIDTH), ""])


def _line_words(game: CheckersFace, p: Words, moves: Iterable[PdnMove], ply: int) -> Iterator[str]:
    """The words of a line; ``ply`` counts from 0, Black's moves are even."""
    is_broken = True  # a line, or what follows a comment, names its number again
    for each in moves:
        if ply % 2 == 0:
            yield f"{ply // 2 + 1}."
        elif is_broken:
            yield f"{ply // 2 + 1}..."
        yield game.move_text(p, each.move)
        is_broken = bool(each.comment or each.variations)
        if each.comment:
            yield from f"{{{each.comment}}}".split(" ")
        for other in each.variations:
            yield "("
            yield from _line_words(game, p, other, ply)
            yield ")"
        p = game.play(p, each.move)
        ply += 1


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


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
        move.comment = ply.comment.replace("}", ")")
    black, white = played.players
    found.tags = {"White": white, "Black": black} | dict(played.headers) | found.tags
    found.result = played.result
    return found


def to_record(game: CheckersFace, found: PdnGame) -> Record:
    """The main line of a PDN game as a record of the arena."""
    plies = tuple(Ply("move", (each.text,), each.comment) for each in found.moves)
    start = game.text(found.start(game)) if "FEN" in found.tags else "start"
    players = (found.tags.get("Black", "?"), found.tags.get("White", "?"))
    own = {"Black", "White", "Result", "FEN", "SetUp", "GameType"}
    headers = tuple((key, value) for key, value in found.tags.items() if key not in own)
    return Record(str(game), players, start, plies, found.result, headers)


def records(game: CheckersFace, text: str) -> list[Record] | None:
    """The main lines of a PDN text; None if it does not look like one. Games that cannot be read
    are left out, unless there is no other."""
    if not _TAG.search(text) and not re.match(r"\s*1\s*\.", text):
        return None
    if '[Game "' in text:  # a record of our own
        return None
    found = list(read(game, text))
    good = [to_record(game, each) for each in found if isinstance(each, PdnGame)]
    if found and not good:
        raise PetteiaError(next(each.why for each in found if isinstance(each, Fault)))
    return good


def load(path: str | Path, game: CheckersFace, **given: bool) -> list[PdnGame | Fault]:
    """The games of a file."""
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise PetteiaError(f"cannot read {path}: {error.strerror}") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")  # old collections
    return list(read(game, text, **given))


def save(path: str | Path, game: CheckersFace, games: Iterable[PdnGame]) -> None:
    """Writes the games to a file, which is replaced as a whole or not at all."""
    write_whole(path, "\n".join(write(game, each) for each in games))
