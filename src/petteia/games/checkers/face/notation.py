"""How checkers is written: FEN, the course's grid, and moves by the numbers of squares."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from petteia.core.errors import PetteiaError, one_of
from petteia.core.words import U, Words
from petteia.games.checkers.face.paths import captures_of, ends_of, way_of, ways_of
from petteia.games.checkers.rules import CheckersRules
from petteia.games.checkers.rules.board import (
    BLACK_HOME,
    WHITE_HOME,
    bit_of,
    cell_of,
    mask,
    number_at,
    squares_of,
)

__all__ = [
    "BETWEEN", "BRUSHES", "DASHES", "LETTERS", "fen", "grid", "move_text", "parse_fen",
    "parse_grid", "parse_move", "parse_position",
]  # fmt: skip

LETTERS = "bw"
BRUSHES = "bBwW"
DASHES = r"-\u2010-\u2015\u2212"
"""The dashes of keyboards and of printed texts, as a set of a regular expression."""
BETWEEN = DASHES + r"x:\u00d7"
"""Signs between the squares of a move, in the same way: dashes, crosses and colons."""

_Complaint = Callable[[str], PetteiaError]
"""Makes the error for a reason."""

_MOST = 12
_EXAMPLE = "B:W21,22,K30:B1,2,K7"

# --- positions ----------------------------------------------------------------------------------


def fen(p: Words) -> str:
    """Side to move, White's squares, Black's squares, K before a king's; and H with the quiet
    plies so far, where there are any."""
    white, black = (
        ",".join(
            f"{'K' if int(p[2]) >> bit_of(number) & 1 else ''}{number}"
            for number in squares_of(pieces)
        )
        for pieces in (p[1], p[0])
    )
    quiet = int(p[3]) >> 1
    return f"{'BW'[int(p[3]) & 1]}:W{white}:B{black}{f':H{quiet}' if quiet else ''}"


def parse_position(game: CheckersRules, text: str) -> Words:
    """A FEN, or the course's grid."""
    rows = [row for row in re.split(r"[\s/]+", text.strip()) if row]
    is_grid = len(rows) > 1 and all(re.fullmatch(r"[.rbRB_]+", row) for row in rows)
    p = parse_grid("\n".join(rows))[0] if is_grid else parse_fen(text)
    quiet = int(p[3]) >> 1
    if quiet and not game.quiet_plies:
        raise PetteiaError(
            f"bad position {text.strip()!r}: H{quiet} counts quiet plies, but {game} has no such "
            "rule"
        )
    if quiet > game.quiet_plies:
        raise PetteiaError(
            f"bad position {text.strip()!r}: H{quiet} is more than {game.quiet_plies} quiet plies"
        )
    return p


def parse_fen(text: str) -> Words:
    """Reads a FEN in any of the forms that are met: colours in either order, ranges, a trailing
    dot, spaces, or wrapped as a PDN tag."""

    def bad(why: str) -> PetteiaError:
        return PetteiaError(f"bad position {text.strip()!r}: {why}")

    wrapped = re.fullmatch(r'\s*\[\s*FEN\s+"([^"]*)"\s*\]\s*', text)
    body = re.sub(r"\s+", "", wrapped[1] if wrapped else text).rstrip(".")
    fields = body.split(":")
    if len(fields) < 3 or fields[0].upper() not in ("B", "W"):
        raise bad(f"expected the side to move and both sides' squares, for instance {_EXAMPLE!r}")
    boards: dict[str, dict[int, bool]] = {}
    quiet = 0
    for field in fields[1:]:
        letter = field[:1].upper()
        if letter in ("H", "F") and len(boards) == 2 and re.fullmatch(r"\d{1,4}", field[1:]):
            quiet = int(field[1:]) if letter == "H" else quiet
        elif letter not in ("B", "W"):
            raise bad(f"{field[:20]!r}; expected W or B and a list of squares")
        elif letter in boards:
            raise bad(f"two lists of squares for {letter}")
        else:
            boards[letter] = _squares(field[1:], bad)
    if len(boards) < 2:
        raise bad(f"expected the squares of both sides, for instance {_EXAMPLE!r}")
    return _checked(boards["B"], boards["W"], "BW".index(fields[0].upper()), quiet, bad)


def _squares(text: str, bad: _Complaint) -> dict[int, bool]:
    """Numbers of squares, each with whether a king stands there."""
    found: dict[int, bool] = {}
    for item in text.split(",") if text else []:
        part = re.fullmatch(r"([Kk]?)(\d{1,2})(?:-[Kk]?(\d{1,2}))?", item)
        if part is None:
            raise bad(f"{item!r} is not a square; expected 1 to 32, K before a king")
        first, last = int(part[2]), int(part[3] or part[2])
        for number in range(first, last + 1):
            if not 1 <= number <= 32:
                raise bad(f"there is no square {number}; expected 1 to 32")
            if number in found:
                raise bad(f"square {number} is named twice")
            found[number] = bool(part[1])
        if last < first:
            raise bad(f"{item!r} runs backwards")
    return found


def _checked(
    black: dict[int, bool], white: dict[int, bool], mover: int, quiet: int, bad: _Complaint
) -> Words:
    """The position, if there can be such a one."""
    for number in black.keys() & white.keys():
        raise bad(f"both sides stand on square {number}")
    for side, pieces, home in (("Black", black, WHITE_HOME), ("White", white, BLACK_HOME)):
        if len(pieces) > _MOST:
            raise bad(f"{side} has {len(pieces)} pieces, at most {_MOST} are possible")
        for number in squares_of(home):
            if pieces.get(number) is False:
                raise bad(f"{side}'s man on square {number} would be a king; expected K{number}")
    kings = [number for pieces in (black, white) for number, king in pieces.items() if king]
    return (mask(*black), mask(*white), mask(*kings), U(mover | quiet << 1))


def edited(game: CheckersRules, p: Words, cells: Mapping[str, str], mover: int | None) -> Words:
    """The position with other pieces on some squares; it must be one that can be written."""
    sides = [
        {number: bool(int(p[2]) >> bit_of(number) & 1) for number in squares_of(pieces)}
        for pieces in (p[0], p[1])
    ]
    known = {str(number): number for number in range(1, 33)}
    for cell, letter in cells.items():
        if cell not in known:
            raise one_of(cell, known, what="dark square")
        if letter and letter not in BRUSHES:
            raise one_of(letter, BRUSHES, what="piece")
        for side in sides:
            side.pop(known[cell], None)
        if letter:
            sides[LETTERS.index(letter.lower())][known[cell]] = letter.isupper()
    turn = int(p[3]) & 1 if mover is None else mover

    def bad(why: str) -> PetteiaError:
        return PetteiaError(f"there can be no such position: {why}")

    return _checked(sides[0], sides[1], turn, 0, bad)


# --- the course's grid --------------------------------------------------------------------------


def parse_grid(text: str) -> tuple[Words, bool]:
    """The position of the course's 8x8 grid, red to move, and whether the board is flipped.

    Red is White here, and moves up. Some of the course's boards stand on the other colour of
    squares: they are read with the columns reversed.
    """
    rows = text.replace("\r\n", "\n").rstrip("\n").split("\n")

    def bad(why: str) -> PetteiaError:
        return PetteiaError(f"bad board: {why}")

    if len(rows) != 8:
        raise bad(f"{len(rows)} lines; expected 8")
    found: dict[tuple[int, int], str] = {}
    for r, row in enumerate(rows):
        if len(row.rstrip()) != 8:
            raise bad(f"line {r + 1} has {len(row.rstrip())} columns; expected 8")
        for c, letter in enumerate(row.rstrip()):
            if letter not in ".rbRB":
                raise bad(f"{letter!r} in line {r + 1}, column {c + 1}; expected one of . r b R B")
            if letter != ".":
                found[r, c] = letter
    places = {colour: [rc for rc in found if sum(rc) % 2 == colour] for colour in (0, 1)}
    if places[0] and places[1]:
        (r, c), (s, d) = places[0][0], places[1][0]
        raise bad(
            f"pieces on squares of both colours: line {r + 1}, column {c + 1} and line {s + 1}, "
            f"column {d + 1}"
        )
    flipped = bool(places[0])
    sides: dict[str, dict[int, bool]] = {"b": {}, "r": {}}
    for (r, c), letter in found.items():
        if (letter, r) in (("r", 0), ("b", 7)):
            colour = "red" if letter == "r" else "black"
            raise bad(f"a {colour} man in line {r + 1}, column {c + 1}, where it would be a king")
        number = number_at(r, 7 - c if flipped else c)
        assert number is not None
        sides[letter.lower()][number] = letter.isupper()
    return _checked(sides["b"], sides["r"], 1, 0, bad), flipped


def grid(p: Words, *, flipped: bool = False) -> str:
    """The course's 8x8 grid, without a line's end at its end."""
    rows = [["."] * 8 for _ in range(8)]
    for pieces, letter in ((p[0], "b"), (p[1], "r")):
        for number in squares_of(pieces):
            row, column = cell_of(number)
            is_king = int(p[2]) >> bit_of(number) & 1
            rows[row][7 - column if flipped else column] = letter.upper() if is_king else letter
    return "\n".join("".join(row) for row in rows)


# --- moves --------------------------------------------------------------------------------------


def move_text(game: CheckersRules, p: Words, move: int) -> str:
    """``11-15``, ``11x18``; with all its squares where the ends alone do not tell the move."""
    start, end = ends_of(move)
    if not captures_of(move):
        return f"{start}-{end}"
    others = [m for m in game.legal_moves(p) if m != move and (m ^ move) & 4095 == 0]
    if start != end and not others:
        return f"{start}x{end}"
    return "x".join(map(str, way_of(game, p, move)))


def _numbers(text: str) -> list[int] | None:
    """The squares that a text names, in order; hop by hop ("11x18 18x25") counts each once."""
    plain = re.sub(r"[*!?\s]+$", "", text.strip())
    if re.fullmatch(r"\d{4}", plain):
        plain = f"{plain[:2]}-{plain[2:]}"
    if not re.fullmatch(rf"\d{{1,2}}(?:\s*[{BETWEEN} ,]\s*\d{{1,2}})+", plain, re.IGNORECASE):
        return None
    numbers = [int(number) for number in re.findall(r"\d+", plain)]
    hops = numbers[1:-1]
    if len(hops) % 2 == 0 and hops[::2] == hops[1::2]:
        return [numbers[0], *hops[::2], numbers[-1]]
    return numbers


def parse_move(game: CheckersRules, p: Words, text: str) -> int:
    """The legal move that a text means; the sign between squares may be wrong, as it often is."""
    legal = game.legal_moves(p)
    numbers = _numbers(text)
    found = []
    if numbers is not None:
        for move in legal:
            if ends_of(move) == (numbers[0], numbers[-1]):
                ways = ways_of(game, p, move)
                if game.both_ways:
                    ways = [way_of(game, p, move)]
                if tuple(numbers) in ways:
                    return move
                if len(numbers) == 2:
                    found.append(move)
    if found and len({move & (1 << 48) - 1 for move in found}) == 1:
        return found[0]
    if found:
        longs = _listed("x".join(map(str, way_of(game, p, move))) for move in found)
        raise PetteiaError(f"{text.strip()!r} could be {longs}; name all squares")
    if not legal:
        raise PetteiaError(f"{text.strip()!r} is not a legal move here; the game is over")
    names = _listed(move_text(game, p, move) for move in legal)
    forced = "captures are compulsory; " if captures_of(legal[0]) and numbers else ""
    raise PetteiaError(f"{text.strip()!r} is not a legal move here; {forced}legal are {names}")


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return ", ".join(names[:8]) + more
