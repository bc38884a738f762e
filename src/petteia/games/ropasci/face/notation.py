"""How RoPaSci 360 is written: rows of hexes, short moves, the course's tuples and log lines."""

from __future__ import annotations

import re
from collections.abc import Mapping

from petteia.core.errors import PetteiaError, one_of
from petteia.core.words import U, Words
from petteia.games.ropasci.rules import RoPaSciRules
from petteia.games.ropasci.rules.hexes import HEXES, NUMBER, Hex, distance

__all__ = [
    "SYMBOLS", "action_of", "counts_at", "hex_name", "move_of", "move_text", "parse_position",
    "plain_move", "position_text", "symbol_on", "words_of",
]  # fmt: skip

SYMBOLS = "rps"
"""The symbols in the order of their codes, which begin at 1."""

Action = tuple[str, "str | Hex", Hex]
"""The course's form: ("THROW", "s", (4, -2)), ("SLIDE", (4, -2), (3, -2)), ("SWING", ...)."""

_ROWS = [[n for n, (r, _) in enumerate(HEXES) if r == row] for row in range(4, -5, -1)]
_TEXTS = [f"({r},{q})" for r, q in HEXES]
_HEX = r"(?:Hex)?[(\[]\s*(?:r\s*=\s*)?([+-]?\d+)\s*,\s*(?:q\s*=\s*)?([+-]?\d+)\s*[)\]]"
_QUOTE = r"[\"']?"
_THROW = re.compile(
    rf"[(\[]?\s*(?:{_QUOTE}THROW{_QUOTE}[\s,]*)?(?:symbol\s+)?{_QUOTE}([rps]){_QUOTE}[\s,]*"
    rf"(?:to|@)?\s*{_HEX}\s*[)\]]?",
    re.IGNORECASE,
)
_STEP = re.compile(
    rf"(?:[(\[]\s*)?(?:{_QUOTE}(SLIDE|SWING){_QUOTE}[\s,]*)?(?:from\s+)?{_HEX}\s*(?:to|[,~>-]+)?\s*"
    rf"{_HEX}(?:\s*[)\]])?",
    re.IGNORECASE,
)


def hex_name(number: int) -> str:
    """A hex as ``(4,-2)``."""
    return _TEXTS[number]


def symbol_on(p: Words, number: int) -> str:
    """The symbol on a hex, or an empty text."""
    code = (int(p[0]) >> number & 1) | (int(p[1]) >> number & 1) << 1
    return SYMBOLS[code - 1] if code else ""


def counts_at(p: Words, number: int) -> tuple[int, int]:
    """How many tokens upper and lower have on a hex."""
    upper = sum((int(p[2 + k]) >> number & 1) << k for k in range(4))
    lower = sum((int(p[6 + k]) >> number & 1) << k for k in range(4))
    return upper, lower


def words_of(tokens: dict[int, tuple[str, int, int]], thrown: tuple[int, int], turn: int) -> Words:
    """The position with these tokens: by hex the symbol and how many upper and lower have."""
    words = [0] * 10
    for number, (symbol, upper, lower) in tokens.items():
        code = SYMBOLS.index(symbol) + 1
        words[0] |= (code & 1) << number
        words[1] |= (code >> 1) << number
        for k in range(4):
            words[2 + k] |= (upper >> k & 1) << number
            words[6 + k] |= (lower >> k & 1) << number
    return (*(U(word) for word in words), U(thrown[0] | thrown[1] << 4 | turn << 8))


def position_text(game: RoPaSciRules, p: Words) -> str:
    """Rows from Upper's home down, then the throws made by upper-lower, then the turns played.

    Upper's tokens are capitals, Lower's small letters, several on a hex stand in brackets, numbers
    are empty hexes: ``2S2/6/7/8/9/8/7/1(rrR)4/5 3-2 7``.
    """
    rows = []
    for row in _ROWS:
        text, empty = "", 0
        for number in row:
            symbol, (upper, lower) = symbol_on(p, number), counts_at(p, number)
            if not symbol:
                empty += 1
                continue
            body = symbol.upper() * upper + symbol * lower
            text += (str(empty) if empty else "") + (body if len(body) == 1 else f"({body})")
            empty = 0
        rows.append(text + (str(empty) if empty else ""))
    return f"{'/'.join(rows)} {game.thrown(p, 0)}-{game.thrown(p, 1)} {game.turn(p)}"


def parse_position(game: RoPaSciRules, text: str) -> Words:
    """Reads what ``position_text`` writes; the number of turns may be left out."""

    def bad(why: str) -> PetteiaError:
        return PetteiaError(f"bad position {text.strip()!r}: {why}")

    fields = text.split()
    counters = re.fullmatch(r"([0-9])-([0-9])", fields[1]) if len(fields) in (2, 3) else None
    if counters is None or not re.fullmatch(r"[0-9]{1,5}", fields[2] if len(fields) == 3 else "0"):
        raise bad(
            "expected rows, the throws made and the turns played, for instance "
            f"{position_text(game, game.start())!r}"
        )
    rows = fields[0].split("/")
    if len(rows) != 9:
        raise bad(f"{len(rows)} rows, but the board has 9")
    tokens: dict[int, tuple[str, int, int]] = {}
    for row, numbers in zip(rows, _ROWS, strict=True):
        name, width = f"row {HEXES[numbers[0]][0]}", 0
        for part in re.findall(r"\d+|\([^()]*\)|.", row):
            if part.isdecimal() and part.isascii():
                width += min(int(part[:3]), 100)
                continue
            letters = part.strip("()")
            if not re.fullmatch("[rR]+|[pP]+|[sS]+", letters):
                raise bad(
                    f"{part!r} in {name}; expected R, P, S, r, p, s, several of one symbol in "
                    "brackets, or a number"
                )
            if width < len(numbers):
                upper = sum(letter.isupper() for letter in letters)
                tokens[numbers[width]] = (letters[0].lower(), upper, len(letters) - upper)
            width += 1
        if width != len(numbers):
            more = "more" if width > len(numbers) else "fewer"
            raise bad(f"{name} has {more} than {len(numbers)} hexes")
    thrown = (int(counters[1]), int(counters[2]))
    turn = int(fields[2]) if len(fields) == 3 else max(thrown)
    for player, name in enumerate(game.players):
        count = sum((upper, lower)[player] for _, upper, lower in tokens.values())
        if thrown[player] > game.throws:
            raise bad(
                f"{name} has made {thrown[player]} throws, at most {game.throws} are possible"
            )
        if count > thrown[player]:
            raise bad(f"{name} has {count} tokens, but has thrown {thrown[player]}")
    if not max(thrown) <= turn <= game.turns:
        raise bad(f"turn {turn} is not possible; {max(thrown)} to {game.turns}")
    return words_of(tokens, thrown, turn)


def edited(game: RoPaSciRules, p: Words, cells: Mapping[str, str]) -> Words:
    """The position with other tokens on some hexes; tokens beyond those thrown count as thrown."""
    tokens = {
        number: (symbol, *counts_at(p, number))
        for number in range(len(HEXES))
        if (symbol := symbol_on(p, number))
    }
    known = {hex_name(number): number for number in range(len(HEXES))}
    for cell, letters in cells.items():
        if cell not in known:
            raise one_of(cell, known, what="hex")
        if not re.fullmatch("[rR]*|[pP]*|[sS]*", letters):
            raise PetteiaError(f"{letters!r} on {cell}; tokens on one hex have one symbol")
        tokens.pop(known[cell], None)
        if letters:
            upper = sum(letter.isupper() for letter in letters)
            tokens[known[cell]] = (letters[0].lower(), upper, len(letters) - upper)
    have = [sum((upper, lower)[side] for _, upper, lower in tokens.values()) for side in (0, 1)]
    thrown = (max(have[0], game.thrown(p, 0)), max(have[1], game.thrown(p, 1)))
    if max(have) > game.throws:
        raise PetteiaError(f"{max(have)} tokens of a player; at most {game.throws} are possible")
    return words_of(tokens, thrown, max(game.turn(p), *thrown))


def move_text(move: int) -> str:
    """``s(4,-2)`` throws, ``(4,-2)-(3,-2)`` slides, ``(4,-2)~(2,-1)`` swings."""
    source, target = divmod(int(move), 64)
    if source > 60:
        return f"{SYMBOLS[source - 61]}{_TEXTS[target]}"
    sign = "-" if distance(HEXES[source], HEXES[target]) == 1 else "~"
    return f"{_TEXTS[source]}{sign}{_TEXTS[target]}"


def action_of(move: int) -> Action:
    """A move as the course's tuple."""
    source, target = divmod(int(move), 64)
    if source > 60:
        return ("THROW", SYMBOLS[source - 61], HEXES[target])
    kind = "SLIDE" if distance(HEXES[source], HEXES[target]) == 1 else "SWING"
    return (kind, HEXES[source], HEXES[target])


def _place(r: str, q: str, text: str) -> int:
    place: Hex = (int(r[:4]), int(q[:4]))
    if place not in NUMBER:
        raise PetteiaError(f"{text.strip()[:60]!r}: there is no hex ({r},{q}) on the board")
    return NUMBER[place]


def move_of(text: str) -> int | None:
    """The move that a text means in any of its forms, legal or not; None if it is no move.

    Read are our own form, the course's tuples, the same as JSON, and the words of its logs
    (``THROW symbol s to (4, -2)``, ``SLIDE from Hex(r=4, q=-2) to Hex(r=3, q=-2)``).
    """
    throw = _THROW.fullmatch(text.strip())
    if throw:
        symbol = SYMBOLS.index(throw[1].lower())
        return (61 + symbol) * 64 + _place(throw[2], throw[3], text)
    step = _STEP.fullmatch(text.strip())
    if step is None:
        return None
    source, target = _place(step[2], step[3], text), _place(step[4], step[5], text)
    if step[1] and distance(HEXES[source], HEXES[target]) != (
        1 if step[1].upper() == "SLIDE" else 2
    ):
        return None
    return source * 64 + target


def plain_move(text: str) -> str:
    """A move in any accepted writing as ``move_text`` would write it, legal or not."""
    move = move_of(text)
    return text if move is None else move_text(move)
