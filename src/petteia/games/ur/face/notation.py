"""How Ur is written: position lines, numbered pieces, Heled's ids, and moves in every style.

4xx2/l2d2l1/1l2xx1l l 2 1 6 0      rows 3 (dark), 2 (shared), 1 (light); the side; light's
                                   pieces in hand and home, dark's; then perhaps the roll
L=2,1,5,10,3,14,0 R=3,4,6,12,7,11,0 L 3     the report's numbered pieces by their progress
MoX5A                              Heled's id, seen by light
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from petteia.core.errors import PetteiaError, one_of
from petteia.core.words import U, Words
from petteia.games.ur.face import heled
from petteia.games.ur.rules import PASS, UrRules
from petteia.games.ur.rules.rule_sets import mirrored

__all__ = [
    "cell_name", "move_text", "numbered_places", "parse_position", "plain_move", "position_text",
    "square_name", "squares_of", "tile_name", "tile_of", "words_of",
]  # fmt: skip

_SIDES = {"l": 0, "left": 0, "light": 0, "d": 1, "r": 1, "right": 1, "dark": 1}
_NUMBERED = re.compile(r"L=([\d,]+)\s+R=([\d,]+)\s+(\w+)(?:\s+(\d))?", re.IGNORECASE)
_TILES = re.compile(r"([ABC]\d{1,2}|[AC]@)-?([ABC]\d{1,2}|[AC]\+)[x*#]*", re.IGNORECASE)
_CELLS = re.compile(r"([LMR]\d{1,2})\s*[-x]\s*([LMR]\d{1,2})", re.IGNORECASE)
_SQUARES = re.compile(
    r"(?:\d:\s*)?(hand|[a-l][123])\s*[-x]\s*(home|[a-l][123])[*x]*", re.IGNORECASE
)


# --- names of places -----------------------------------------------------------------------------


def tile_of(game: UrRules, player: int, square: int) -> str:
    """RoyalUr's name of a square of a player's path, 1 for the first."""
    tile = game.rule_set.path[square - 1]
    return tile if player == 0 else mirrored(tile)


def square_name(game: UrRules, player: int, square: int) -> str:
    """The name in position lines: ``hand``, ``a1`` to ``h3``, ``home``."""
    if square == 0:
        return "hand"
    if square > game.squares:
        return "home"
    tile = tile_of(game, player, square)
    return f"{chr(96 + int(tile[1:]))}{'ABC'.index(tile[0]) + 1}"


def cell_name(game: UrRules, player: int, square: int) -> str:
    """The report's name: L0 to R7, with the start in row 4 and the end in row 5."""
    if square == 0:
        return "LR"[player] + "4"
    if square > game.squares:
        return "LR"[player] + "5"
    tile = tile_of(game, player, square)
    return f"{'LMR'['ABC'.index(tile[0])]}{int(tile[1:]) - 1}"


def tile_name(game: UrRules, player: int, square: int) -> str:
    """RoyalUr's name, with ``A@`` for light's hand and ``A+`` for its home."""
    lane = "AC"[player]
    if square == 0:
        return f"{lane}@"
    if square > game.squares:
        return (
            f"{game.rule_set.path[-1][0] if player == 0 else mirrored(game.rule_set.path[-1])[0]}+"
        )
    return tile_of(game, player, square)


# --- positions -----------------------------------------------------------------------------------


def squares_of(game: UrRules, p: Words, player: int) -> list[int]:
    """The squares of its path on which a player has pieces."""
    side = int(game.side(p, player))
    return [square for square in range(1, game.squares + 1) if side >> square & 1]


def numbered_places(game: UrRules, p: Words, player: int) -> list[int] | None:
    """The progress of a player's numbered pieces, or None where pieces have no numbers."""
    names = int(p[1])
    if not names:
        return None
    return [names >> (28 * player + 4 * number) & 15 for number in range(game.count)]


def words_of(
    game: UrRules,
    squares: tuple[list[int], list[int]],
    home: tuple[int, int],
    mover: int,
    roll: int = -1,
    names: tuple[list[int], list[int]] | None = None,
) -> Words:
    """The position with these pieces; what is neither on the board nor home is in hand."""
    word = mover << 40 | (roll + 1) << 41
    for player in (0, 1):
        side = sum(1 << square for square in squares[player]) | home[player] << 17
        word |= side << 20 * player
    numbered = 0
    if names is not None:
        numbered = 1 << 63
        for player in (0, 1):
            for number, place in enumerate(names[player]):
                numbered |= place << (28 * player + 4 * number)
    return (U(word), U(numbered))


def position_text(game: UrRules, p: Words) -> str:
    """The position line, or the progress of the pieces where these have numbers."""
    mover, roll = int(game.mover(p)), int(game.roll(p))
    shown = f" {roll}" if roll >= 0 else ""
    places = [numbered_places(game, p, player) for player in (0, 1)]
    if places[0] is not None and places[1] is not None:
        left, right = (",".join(map(str, each)) for each in places if each is not None)
        return f"L={left} R={right} {'LR'[mover]}{shown}"
    rows = [["x"] * game.rule_set.length for _ in range(3)]
    for player in (0, 1):
        for square in range(1, game.squares + 1):
            _set(rows, square_name(game, player, square), ".")
    for player in (0, 1):
        for square in squares_of(game, p, player):
            _set(rows, square_name(game, player, square), "ld"[player])
    packed = [
        re.sub(r"\.+", lambda run: str(len(run.group())), "".join(rows[row])) for row in (2, 1, 0)
    ]
    counts = " ".join(f"{game.hand(p, player)} {game.home(p, player)}" for player in (0, 1))
    return f"{'/'.join(packed)} {'ld'[mover]} {counts}{shown}"


def _set(rows: list[list[str]], name: str, sign: str) -> None:
    rows[int(name[1]) - 1][ord(name[0]) - 97] = sign


def parse_position(game: UrRules, text: str) -> Words:
    """Reads a position in any of the three forms."""
    text = text.strip()
    numbered = _NUMBERED.fullmatch(text)
    if numbered:
        return _parse_numbered(game, text, *numbered.groups())
    fields = text.split()
    if fields and heled.is_id(fields[0]) and len(fields) <= 2:
        p = heled.parse(game, fields[0])
        return p if len(fields) == 1 else _rolled(game, text, p, fields[1])
    return _parse_line(game, text, fields)


def _bad(text: str, why: str) -> PetteiaError:
    return PetteiaError(f"bad position {text!r}: {why}")


def _rolled(game: UrRules, text: str, p: Words, roll: str) -> Words:
    if roll not in [str(each) for each in range(5) if game.chance[each] > 0]:
        raise _bad(text, f"{roll!r} is not a roll of the dice")
    if max(game.home(p, 0), game.home(p, 1)) == game.count:
        raise _bad(text, "the game is over, nobody rolls")
    return game.play(p, int(roll))


def _parse_line(game: UrRules, text: str, fields: list[str]) -> Words:
    if len(fields) not in (6, 7):
        example = position_text(game, (U(0), U(0)))
        raise _bad(text, f"expected rows, side and four counts, for instance {example!r}")
    squares = _parse_rows(game, text, fields[0])
    if fields[1] not in ("l", "d"):
        raise _bad(text, f"the side {fields[1]!r} is neither l nor d")
    if not all(re.fullmatch(r"\d", field) for field in fields[2:6]):
        raise _bad(text, "expected light's pieces in hand and home, then dark's, as four digits")
    hands, homes = (int(fields[2]), int(fields[4])), (int(fields[3]), int(fields[5]))
    for player, name in enumerate(game.players):
        total = len(squares[player]) + hands[player] + homes[player]
        if total != game.count:
            raise _bad(text, f"{name} has {total} pieces in all, expected {game.count}")
    if homes == (game.count, game.count):
        raise _bad(text, "both sides cannot have won")
    p = words_of(game, squares, homes, "ld".index(fields[1]))
    return _rolled(game, text, p, fields[6]) if len(fields) == 7 else p


def _parse_rows(game: UrRules, text: str, board: str) -> tuple[list[int], list[int]]:
    rows = board.split("/")
    if len(rows) != 3:
        raise _bad(text, f"{len(rows)} rows, but the board has 3")
    known = [
        {square_name(game, player, n): n for n in range(1, game.squares + 1)} for player in (0, 1)
    ]
    tiles = set(known[0]) | set(known[1])
    squares: tuple[list[int], list[int]] = ([], [])
    for number, row in zip((3, 2, 1), rows, strict=True):
        column = 0
        for token in re.findall(r"[0-9]+|.", row):
            if token.isdecimal():
                width = min(int(token[:3]), 99)
                names = [f"{chr(97 + column + step)}{number}" for step in range(width)]
                if any(name not in tiles for name in names):
                    raise _bad(text, f"{token} empty squares do not fit into row {number}")
                column += width
                continue
            name = f"{chr(97 + column)}{number}"
            column += 1
            if token == "x" and name not in tiles and column <= game.rule_set.length:
                continue
            if token not in ("l", "d"):
                raise _bad(
                    text, f"{token!r} at {name}; expected l, d, a number, or x for no square"
                )
            player = "ld".index(token)
            if name not in known[player]:
                raise _bad(text, f"{game.players[player]} never comes to {name}")
            if known[player][name] in game.rule_set.closed_squares:
                raise _bad(text, f"nobody may land on {name}")
            squares[player].append(known[player][name])
        if column != game.rule_set.length:
            raise _bad(text, f"row {number} has {column} columns, expected {game.rule_set.length}")
    return squares


def _parse_numbered(
    game: UrRules, text: str, left: str, right: str, side: str, roll: str | None
) -> Words:
    if game.squares != 14:
        raise _bad(text, f"numbered pieces walk the path of Project Ur, not that of {game.rules}")
    if side.lower() not in _SIDES:
        raise _bad(text, f"the side {side!r} is neither L nor R")
    places: list[list[int]] = []
    for letter, part in (("L", left), ("R", right)):
        found = part.split(",")
        if len(found) != game.count or not all(re.fullmatch(r"\d{1,2}", each) for each in found):
            raise _bad(text, f"{letter} should have {game.count} numbers from 0 to 15")
        numbers = [int(each) for each in found]
        if max(numbers) > 15:
            raise _bad(text, f"{letter} has a piece on {max(numbers)}; 15 is home")
        standing = [n for n in numbers if 0 < n < 15]
        if len(set(standing)) != len(standing):
            raise _bad(text, f"two pieces of {letter} stand on one square")
        if any(n in game.rule_set.closed_squares for n in standing):
            raise _bad(text, "nobody may land on square 8")
        places.append(numbers)
    for n in range(1, 15):
        if game.meets[n] and n in places[0] and n in places[1]:
            raise _bad(text, f"two pieces stand on the shared square {n}")
    home = (places[0].count(15), places[1].count(15))
    if home == (game.count, game.count):
        raise _bad(text, "both sides cannot have won")
    squares = ([n for n in places[0] if 0 < n < 15], [n for n in places[1] if 0 < n < 15])
    p = words_of(game, squares, home, _SIDES[side.lower()], names=(places[0], places[1]))
    return _rolled(game, text, p, roll) if roll is not None else p


def edited(game: UrRules, p: Words, cells: Mapping[str, str], mover: int | None) -> Words:
    """The position with other pieces on some squares, or at home; the rest is in hand."""
    if p[1]:
        raise PetteiaError("positions with numbered pieces are written as text, not edited")
    squares = [set(squares_of(game, p, player)) for player in (0, 1)]
    homes = [int(game.home(p, player)) for player in (0, 1)]
    paths = [
        {square_name(game, player, n): n for n in range(1, game.squares + 1)} for player in (0, 1)
    ]
    for cell, letters in cells.items():
        where, _, side = cell.partition("-")
        if where == "hand" and side in ("l", "d"):
            raise PetteiaError("in hand is whatever stands neither on the board nor at home")
        if where == "home" and side in ("l", "d"):
            if letters.strip(side):
                raise PetteiaError(f"{letters!r} at {cell}; expected only {side}")
            homes["ld".index(side)] = len(letters)
        elif cell not in paths[0] and cell not in paths[1]:
            raise one_of(cell, {**paths[0], **paths[1]}, what="square")
        elif letters not in ("", "l", "d"):
            raise PetteiaError(f"{letters!r} at {cell}; expected l, d or nothing")
        else:
            for player in (0, 1):
                squares[player].discard(paths[player].get(cell, 0))
            if letters and cell not in paths["ld".index(letters)]:
                raise PetteiaError(f"{game.players['ld'.index(letters)]} never comes to {cell}")
            if letters:
                squares["ld".index(letters)].add(paths["ld".index(letters)][cell])
    for player, name in enumerate(game.players):
        if len(squares[player]) + homes[player] > game.count:
            raise PetteiaError(f"{name} has {game.count} pieces and no more")
    turn = int(game.mover(p)) if mover is None else mover
    lying = (sorted(squares[0]), sorted(squares[1]))
    changed = words_of(game, lying, (homes[0], homes[1]), turn, int(game.roll(p)))
    return parse_position(game, position_text(game, changed))


# --- moves ---------------------------------------------------------------------------------------


def move_text(game: UrRules, p: Words, move: int) -> str:
    """``hand-b1``, ``a2-d2``, ``g1-home``; ``L3:M5-M7`` for a numbered piece; ``pass``; a roll."""
    if game.roll(p) < 0:
        return str(move)
    if move == PASS:
        return "pass"
    player, source = int(game.mover(p)), int(move) & 31
    target = source + int(game.roll(p))
    if move >> 5:
        names = (cell_name(game, player, square) for square in (source, target))
        return f"{'LR'[player]}{(int(move) >> 5) - 1}:{'-'.join(names)}"
    return "-".join(square_name(game, player, square) for square in (source, target))


def plain_move(game: UrRules, p: Words, text: str) -> str:
    """A move in any accepted writing as ``move_text`` writes it, legal or not.

    Accepted are squares (``a2-d2``, ``3: a2-d2*``), RoyalUr's tiles (``B1B4``, ``A@A3``,
    ``A7A+``), the report's cells (``M0-M3``), and for numbered pieces their names (``L3``).
    """
    text = text.strip()
    if text.lower() in ("-", "--", "pass", f"{game.roll(p)}: -"):
        return "pass"
    player, roll = int(game.mover(p)), int(game.roll(p))
    styles = ((_SQUARES, square_name), (_TILES, tile_name), (_CELLS, cell_name))
    numbered = numbered_places(game, p, player)
    if numbered is not None and re.fullmatch(r"[LR][0-6]", text.upper()):
        number = int(text[1])
        if text[0].upper() == "LR"[player] and number < game.count:
            return move_text(game, p, 32 * (number + 1) + numbered[number])
    for pattern, name in styles:
        found = pattern.fullmatch(text)
        if found is None:
            continue
        for source in range(game.squares + 1):
            pair = tuple(name(game, player, square).lower() for square in (source, source + roll))
            if source + roll <= game.squares + 1 and pair == (found[1].lower(), found[2].lower()):
                move = source
                if numbered is not None and source in numbered:
                    move += 32 * (numbered.index(source) + 1)
                return move_text(game, p, move)
    return text
