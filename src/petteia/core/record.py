"""Whole games as text, close to chess's PGN, and back.

    [Game "breakthrough"]
    [First "alphabeta(depth=4)"]
    [Second "random"]
    [Start "start"]
    [Result "1"]

    1. a2a3 b7b6 2. a3a4 {a comment} b6b5 1-0

A move stands as it is, an outcome of the dice as ``:3``, simultaneous moves as ``a|b``. A space
inside a move is written ``_``. A backslash takes from the next sign its special meaning; ``\\n``
is a line's end, ``\\e`` the empty text, ``\\ua0;`` any character by its number. Move numbers are
for people and are not checked. The result is the points of the first player: ``1-0``, ``0-1``,
``1/2-1/2``, ``+2``, ``-3``, or ``*`` while the game goes on.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal, NoReturn, TypeAlias

from petteia.core.errors import LineError, PetteiaError, one_of
from petteia.core.reading import Lines, naming, read_text
from petteia.core.writing import write_whole

__all__ = [
    "Ply", "PlyKind", "Record", "known_ply", "load", "parse_ply", "ply_text", "read_all",
    "read_each", "result_word", "save", "wrapped", "write", "written",
]  # fmt: skip

PlyKind: TypeAlias = Literal["move", "chance", "both"]

_OWN_HEADERS: tuple[str, ...] = ("Game", "First", "Second", "Start", "Result")
_TEXTS = {"move": 1, "chance": 1, "both": 2}
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_WIDTH = 100
_LARGEST = 64 * 2**20


@dataclass(frozen=True, slots=True)
class Ply:
    """One step of a game."""

    kind: PlyKind
    """``move`` of one player, outcome of ``chance``, or the simultaneous moves of ``both``."""
    texts: tuple[str, ...]
    """The move or outcome in the game's notation; two moves where both players choose."""
    comment: str = ""

    def __post_init__(self) -> None:
        if self.kind not in _TEXTS:
            raise one_of(self.kind, _TEXTS, what="kind of ply")
        if len(self.texts) != _TEXTS[self.kind]:
            raise PetteiaError(f"a {self.kind} ply has {_TEXTS[self.kind]} texts: {self.texts!r}")


@lru_cache(maxsize=2**17)
def known_ply(kind: PlyKind, texts: tuple[str, ...]) -> Ply:
    """The ply of these texts, one object for all records that have it: a long study holds millions
    of plies at once, and most of them are alike."""
    return Ply(kind, texts)


@dataclass(frozen=True)
class Record:
    """A game as it was played."""

    game: str
    """The spec of the game."""
    players: tuple[str, str]
    """Specs or names of the two players."""
    start: str = "start"
    """``start``, or the text of the position from which they played."""
    plies: tuple[Ply, ...] = ()
    result: float | None = None
    """The points of player 0, or None while the game goes on."""
    headers: tuple[tuple[str, str], ...] = ()
    """Whatever else is to be kept, such as the seed or the date."""

    def __post_init__(self) -> None:
        if len(self.players) != 2:
            raise PetteiaError(f"a record has 2 players, not {len(self.players)}")
        if self.result is not None and not math.isfinite(self.result):
            raise PetteiaError(f"a result of {self.result} points is not possible")
        seen = set(_OWN_HEADERS)
        for key, _ in self.headers:
            if not _KEY.fullmatch(key):
                raise PetteiaError(f"bad header {key!r}; expected a letter, then letters or digits")
            if key in seen:
                raise PetteiaError(f"the header {key} is given twice")
            seen.add(key)

    def header(self, key: str, default: str = "") -> str:
        """The value of one of the other headers."""
        return dict(self.headers).get(key, default)


# --- writing -----------------------------------------------------------------------------------

_NUMBER = r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
_RESULT = re.compile(rf"1-0|0-1|1/2-1/2|\*|[+-]{_NUMBER}")
_MOVE_NUMBER = re.compile(r"[0-9]++\.++")
_WORDS = {"1-0": 1.0, "0-1": -1.0, "1/2-1/2": 0.0}


def write(record: Record) -> str:
    """The text of a game, with a line's end at its end."""
    points = "*" if record.result is None else _points(record.result)
    own = (record.game, *record.players, record.start, points)
    headers = [*zip(_OWN_HEADERS, own, strict=True), *record.headers]
    lines = [f'[{key} "{_escaped(value, special=chr(34))}"]' for key, value in headers]
    return "\n".join([*lines, "", *wrapped(_tokens(record)), ""])


def _tokens(record: Record) -> Iterator[str]:
    """The words of the movetext. A number opens every second move and every pair of moves."""
    turns, numbered = 0, False
    for ply in record.plies:
        if turns % 2 == 0 and not numbered:
            yield f"{turns // 2 + 1}."
            numbered = True
        yield ply_text(ply)
        if ply.comment:
            # Only a lone space may become a line's end, so that reading restores it.
            body = _escaped(ply.comment, special="{}").replace('[Game "', '\\[Game "')
            yield from re.split(r"(?<=[^ ]) (?=[^ ])", f"{{{body}}}")
        if ply.kind == "both":
            turns += 2 - turns % 2
        elif ply.kind == "move":
            turns += 1
        numbered = numbered and (ply.kind == "chance" or turns % 2 == 1)
    yield result_word(record.result)


def ply_text(ply: Ply) -> str:
    """A ply, without its comment, as one word."""
    return (":" if ply.kind == "chance" else "") + "|".join(_word(text) for text in ply.texts)


def _word(text: str) -> str:
    """A move as one word that cannot be taken for anything else."""
    if not text:
        return r"\e"
    word = _escaped(text, special="_|{}").replace(" ", "_")
    if word[0] in ":[" or _MOVE_NUMBER.match(word) or _RESULT.fullmatch(word):
        return "\\" + word
    return word


def _escaped(text: str, *, special: str) -> str:
    """Text in one line of visible characters."""

    def sign(char: str) -> str:
        if char == "\n":
            return r"\n"
        if not char.isprintable():
            return f"\\u{ord(char):x};"
        return f"\\{char}" if char in special or char == "\\" else char

    return text if text.isalnum() else "".join(map(sign, text))


def _points(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))


def result_word(value: float | None) -> str:
    """A result as records write it."""
    if value is None:
        return "*"
    usual = [word for word, points in _WORDS.items() if points == value]
    return usual[0] if usual else ("+" if value > 0 else "") + _points(value)


def wrapped(words: Iterable[str], width: int = _WIDTH) -> Iterator[str]:
    """Words in lines of at most this width."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


# --- reading -----------------------------------------------------------------------------------

# Possessive repeats never go back: an unclosed quote in a large file costs one pass.
_HEADER = re.compile(r'\[\s*([A-Za-z][A-Za-z0-9_]*)\s*"((?:[^"\\\n]++|\\.)*+)"\s*\]')
# A comment that is not closed must not take the next game with it.
_COMMENT = re.compile(r'\{((?:[^}\\\n]++|\\.|\n(?!\[Game "))*+)\}')
_NEXT_GAME = re.compile(r"^\[\s*Game\b", re.MULTILINE)
_TOKEN = re.compile(r"(?!\[)(?:[^\s{}\\]++|\\.)++")
_PLY = re.compile(r"(:)?+((?:[^|\\]++|\\.)++)(?:\|((?:[^|\\]++|\\.)++))?")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{1,6});|.)|[_\n]")
_POINTS = re.compile(rf"{_RESULT.pattern}|{_NUMBER}")
_SPACE = re.compile(r"\s*")
_BETWEEN = re.compile(rf"(?:\s++|{_MOVE_NUMBER.pattern})*+")
_SEEN: dict[str, Ply] = {}
"""Words of records that were read, and their plies: most are met again and again."""
_MOST_SEEN = 2**17


def read_all(text: str) -> list[Record]:
    """The games in a text, in their order. An error names the line and what was expected."""
    return list(_Reader(text.replace("\r\n", "\n")).records())


def read_each(text: str) -> Iterator[tuple[int, Record | PetteiaError]]:
    """The games in a text, each with the line where it begins; or what is wrong with it, and in
    which line. After a fault the reading goes on with the next ``[Game "..."]``."""
    reader = _Reader(text.replace("\r\n", "\n"))
    lines = Lines(reader.text)
    while reader.more():
        begin = reader.at
        found: Record | PetteiaError
        line = lines.at(begin)
        try:
            found = reader.record()
        except LineError as error:
            line, found = error.line, PetteiaError(error.why)
        except PetteiaError as error:
            found = error
        if not isinstance(found, Record):
            reader.skip_to_game(begin)
        yield line, found


def parse_ply(word: str) -> Ply:
    """The ply that one word writes."""
    reader = _Reader(word)
    try:
        if not _TOKEN.fullmatch(word):
            reader.fail("a move in one word")
        return reader.ply(word, 0)
    except LineError as error:
        raise PetteiaError(error.why) from None


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, wanted: str, at: int | None = None) -> NoReturn:
        at = self.at if at is None else at
        rest = self.text[at : at + 24].split("\n")[0]
        found = repr(rest) if rest else "the end" if at >= len(self.text) else "the line's end"
        self.refuse(f"expected {wanted}, found {found}", at)

    def refuse(self, why: str, at: int) -> NoReturn:
        raise LineError(self.text.count("\n", 0, at) + 1, why)

    def skip_to_game(self, begin: int) -> None:
        """Leaves the game that began there: goes to the next, or to the end."""
        found = _NEXT_GAME.search(self.text, max(self.at, begin + 1))
        self.at = found.start() if found else len(self.text)

    def more(self) -> bool:
        """Goes to the next sign; False at the end of the text."""
        self.match(_SPACE)
        return self.at < len(self.text)

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
        return found

    def records(self) -> Iterator[Record]:
        while self.more():
            yield self.record()

    def record(self) -> Record:
        headers = self.headers()
        plies, result = self.movetext()
        stated = headers.pop("Result", result_word(result))
        if not _POINTS.fullmatch(stated) or self.points(stated, self.at) != result:
            word = result_word(result)
            self.refuse(f"expected the result {stated[:24]!r} of the header, found {word}", self.at)
        return Record(
            game=headers.pop("Game"),
            players=(headers.pop("First", "?"), headers.pop("Second", "?")),
            start=headers.pop("Start", "start"),
            plies=tuple(plies),
            result=result,
            headers=tuple(headers.items()),
        )

    def headers(self) -> dict[str, str]:
        begin, found = self.at, dict[str, str]()
        while self.more() and self.text[self.at] == "[":
            at = self.at
            header = self.match(_HEADER)
            if header is None:
                self.fail('a header such as [Game "breakthrough"]')
            if header[1] in found:
                self.at = at  # it may begin the next game
                self.refuse(f"expected every header once, found {header[1]} twice", at)
            found[header[1]] = self.plain(header[2], at)
        if "Game" not in found:
            self.fail('a header [Game "..."] before the moves', begin)
        return found

    def movetext(self) -> tuple[list[Ply], float | None]:
        plies: list[Ply] = []
        while True:
            self.match(_BETWEEN)
            at = self.at
            if at == len(self.text):
                break
            if self.text[at] == "{":
                comment = self.match(_COMMENT)
                if comment is None:
                    self.fail("a comment that ends with }")
                if not plies:
                    self.fail("a move before its comment", at)
                text = self.plain(comment[1], at, newline=" ")
                before = plies[-1].comment
                plies[-1] = replace(plies[-1], comment=f"{before} {text}" if before else text)
            else:
                token = self.match(_TOKEN)
                if token is None:
                    self.fail("a move, or a result such as 1-0 or *")
                ply = _SEEN.get(token[0])
                if ply is None and _RESULT.fullmatch(token[0]):
                    return plies, self.points(token[0], at)
                plies.append(ply or self.ply(token[0], at))
        self.fail("a move, or a result such as 1-0 or *")

    def ply(self, token: str, at: int) -> Ply:
        ply = self.new_ply(token, at)
        if len(_SEEN) < _MOST_SEEN:
            _SEEN[token] = ply
        return ply

    def new_ply(self, token: str, at: int) -> Ply:
        if token.isalnum():
            return known_ply("move", (token,))
        found = _PLY.fullmatch(token)
        if found is None or (found[1] and found[3]):
            self.fail("a move, an outcome such as :3, or two moves such as a|b", at)
        kind: PlyKind = "chance" if found[1] else "both" if found[3] else "move"
        texts = (self.plain(part, at, underline=" ") for part in found.group(2, 3) if part)
        return known_ply(kind, tuple(texts))

    def plain(self, raw: str, at: int, *, underline: str = "_", newline: str = "\n") -> str:
        """Text without its escapes."""
        if not _ESCAPE.search(raw):
            return raw
        meanings = {"_": underline, "\n": newline, r"\n": "\n", r"\e": ""}

        def sign(found: re.Match[str]) -> str:
            if found[0] in meanings:
                return meanings[found[0]]
            if found[1] and int(found[1], 16) < 0x110000:
                return chr(int(found[1], 16))
            if found[1] or found[0][1].isalpha():
                self.refuse(
                    f"expected an escape such as \\n, \\_ or \\ua0;, found {found[0]!r}", at
                )
            return found[0][1]

        return _ESCAPE.sub(sign, raw)

    def points(self, word: str, at: int) -> float | None:
        value = None if word == "*" else _WORDS[word] if word in _WORDS else float(word)
        if value is not None and not math.isfinite(value):
            self.refuse(f"the result {word[:24]} is too large", at)
        return value


# --- files -------------------------------------------------------------------------------------


def load(path: str | Path) -> list[Record]:
    """The games of a file."""
    text = read_text(path, most=_LARGEST)
    with naming(path):
        return read_all(text)


def written(path: str | Path, records: Iterable[Record]) -> str:
    """The text of a file of games, if it is not too large to be read again."""
    text = "\n".join(write(record) for record in records)
    if len(text.encode()) > _LARGEST:
        raise PetteiaError(f"{path} would be too large; at most {_LARGEST >> 20} MB can be read")
    return text


def save(path: str | Path, records: Iterable[Record]) -> None:
    """Writes the games to a file, which is replaced as a whole or not at all."""
    write_whole(path, written(path, records))
