"""How positions are written: XGID in full, GNU Backgammon's Position ID and Match ID.

White is the player at the bottom of an XGID and GNU Backgammon's player 1. Three signs are ours:
turn 0 is the opening throw, dice ``--`` a player who has decided not to double, and dice ``X`` a
game that ended when a double was dropped.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass

import numpy as np

from petteia.core.errors import PetteiaError
from petteia.core.words import U, Words
from petteia.games.backgammon.rules import BackgammonRules
from petteia.games.backgammon.rules.board import BAR, CHECKERS
from petteia.games.backgammon.rules.state import (
    CENTRED,
    CUBE,
    LARGEST_CUBE,
    OPENING,
    OVER,
    PLAY,
    ROLL,
    TAKE,
    parts_of,
    state_of,
)

__all__ = ["counts_of", "match_id", "parse", "position_id", "position_of", "xgid"]

_EXAMPLE = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10"
_PREFIX = "XGID="
_BOARD = re.compile(r"[A-Oa-o-]{26}")
_GNUBG = re.compile(r"([A-Za-z0-9+/]{14})(?::([A-Za-z0-9+/]{12}))?")

_NUMBERS = {
    1: "cube", 2: "owner of the cube", 3: "turn", 5: "score", 6: "score", 7: "flags",
    8: "match length", 9: "largest cube",
}  # fmt: skip
"""The fields of an XGID that are numbers."""

Counts = list[int]
"""How many checkers on 0 to 25; 25 is the bar, and 0 is always empty."""


def counts_of(a: np.uint64, b: np.uint64) -> Counts:
    """One side's checkers by place."""
    low, high = int(a), int(b)
    return [
        (low >> i & 1)
        + 2 * (low >> (i + 32) & 1)
        + 4 * (high >> i & 1)
        + 8 * (high >> (i + 32) & 1)
        for i in range(BAR + 1)
    ]


def side_of(counts: Counts) -> tuple[np.uint64, np.uint64]:
    """The two words of a side."""
    a = b = 0
    for place, count in enumerate(counts):
        a |= (count & 1) << place | (count >> 1 & 1) << (place + 32)
        b |= (count >> 2 & 1) << place | (count >> 3 & 1) << (place + 32)
    return U(a), U(b)


def position_of(white: Counts, black: Counts, /, **parts: int) -> Words:
    """A position from both sides' checkers and the parts of the state."""
    return (*side_of(white), *side_of(black), state_of(**parts))


# --- XGID --------------------------------------------------------------------------------------


def xgid(game: BackgammonRules, p: Words) -> str:
    """The position as eXtreme Gammon writes it."""
    white, black, parts = counts_of(p[0], p[1]), counts_of(p[2], p[3]), parts_of(p[4])
    board = ["-"] * 26
    for place in range(1, BAR + 1):
        if white[place]:
            board[place] = chr(64 + white[place])
        if black[place]:
            board[BAR - place] = chr(96 + black[place])
    phase, mover = parts["phase"], parts["mover"]
    turn = (1, -1)[mover ^ (phase == TAKE)] if phase != OPENING else 0
    dice = "00"
    if phase == PLAY:
        dice = f"{parts['first']}{parts['second']}"
    elif phase == TAKE:
        dice = "D"
    elif phase == ROLL and game.may_double(p[4], mover):
        dice = "--"
    elif phase == OVER and any(white) and any(black) and not game.match:
        dice = "X"
    flags = _flags(game, crawford=bool(parts["crawford"]))
    fields = (
        parts["level"], (1, -1, 0)[parts["owner"]], turn, dice, parts["white"], parts["black"],
        flags, game.match, LARGEST_CUBE,
    )  # fmt: skip
    return f"{_PREFIX}{''.join(board)}:{':'.join(map(str, fields))}"


def parse(game: BackgammonRules, text: str) -> Words:
    """Reads an XGID, or a Position ID with or without a Match ID."""
    plain = text.strip()
    found = _GNUBG.fullmatch(plain)
    if found:
        return _parse_gnubg(game, plain, found[1], found[2])
    fields = plain.removeprefix(_PREFIX).split(":")
    if not _BOARD.fullmatch(fields[0]):
        if plain.startswith(_PREFIX) or len(fields) > 2:
            raise _bad(plain, _fault_of(fields[0]))
        raise _bad(
            plain,
            f"expected an XGID such as {_EXAMPLE!r} or a Position ID such as '4HPwATDgc/ABMA'",
        )
    if len(fields) < 4 or len(fields) > 10:
        raise _bad(plain, f"{len(fields)} fields between colons; an XGID has 10, at least 4")
    ours = ["00", "0", "0", str(_flags(game, crawford=False)), str(game.match), str(LARGEST_CUBE)]
    fields += ours[len(fields) - 4 :]
    dice = fields[4]
    if dice in ("B", "R"):
        raise _bad(plain, f"dice {dice!r}: here nobody can refuse a beaver, or beaver it again")
    if not re.fullmatch(r"[1-6]{2}|00|--|D|X", dice):
        raise _bad(plain, f"dice {dice!r}; expected two digits from 1 to 6, 00 or D")
    numbers = {}
    for index, name in _NUMBERS.items():
        if not re.fullmatch(r"-?\d{1,4}", fields[index]):
            raise _bad(plain, f"{name} {fields[index]!r} is not a whole number")
        numbers[index] = int(fields[index])
    if numbers[9] != LARGEST_CUBE:
        raise _bad(plain, f"a largest cube of 2 to the power {numbers[9]}; it is {LARGEST_CUBE}")
    most = 1 if numbers[8] else 3
    if not 0 <= numbers[7] <= most:
        raise _bad(plain, f"flags {numbers[7]}; expected 0 to {most}")
    white, black = [0] * 26, [0] * 26
    for place, letter in enumerate(fields[0]):
        if letter.isupper():
            white[place] = _number(letter)
        else:
            black[BAR - place] = _number(letter)
    if white[0] or black[0]:
        raise _bad(plain, "a player's bar holds the other's checkers")
    if numbers[2] not in (1, 0, -1) or numbers[3] not in (1, 0, -1):
        raise _bad(plain, "turn and the cube's owner are 1, 0 or -1")
    read = _Read(
        plain, white, black, length=numbers[8], level=numbers[1],
        owner={1: 0, -1: 1, 0: CENTRED}[numbers[2]], turn={1: 0, -1: 1, 0: None}[numbers[3]],
        dice=dice, scores=(numbers[5], numbers[6]), flags=numbers[7],
    )  # fmt: skip
    return _checked(game, read)


def _fault_of(board: str) -> str:
    """What is wrong with the first field of an XGID."""
    for sign in board:
        if not re.fullmatch(r"[A-Za-z-]", sign):
            return f"{sign!r} in the board; its signs are A to O for white, a to o for black and -"
        if _number(sign) > CHECKERS:
            return f"{sign!r} means {_number(sign)} checkers in one place; {CHECKERS} is the most"
    white, black = (sum(map(_number, filter(kind, board))) for kind in (str.isupper, str.islower))
    return (
        f"its board has {len(board)} places with {white} checkers of white's and {black} of "
        f"black's; an XGID has {BAR + 1} places: a bar, 24 points, the other bar"
    )


def _number(sign: str) -> int:
    """How many checkers a sign of an XGID's board means."""
    return 0 if sign == "-" else ord(sign.upper()) - 64


def _flags(game: BackgammonRules, *, crawford: bool) -> int:
    """Whether this is the Crawford game; for money 1 for Jacoby's rule and 2 for beavers."""
    return int(crawford) if game.match else int(game.jacoby) + 2 * int(game.beaver)


def _bad(text: str, why: str) -> PetteiaError:
    return PetteiaError(f"bad position {text!r}: {why}")


@dataclass(frozen=True)
class _Read:
    """What a text says of a position."""

    text: str
    white: Counts
    black: Counts
    length: int
    """Points of the match, 0 for none."""
    level: int = 0
    """The cube is 2 to this power."""
    owner: int = CENTRED
    turn: int | None = 0
    """None for the opening throw."""
    dice: str = "00"
    scores: tuple[int, int] = (0, 0)
    flags: int = 0
    """As in an XGID."""


def _checked(game: BackgammonRules, read: _Read) -> Words:
    """The position, or an error that says what is wrong with it."""
    text, white, black, length = read.text, read.white, read.black, read.length
    level, owner, turn, dice, scores = read.level, read.owner, read.turn, read.dice, read.scores
    for name, counts in (("white", white), ("black", black)):
        if sum(counts) > CHECKERS:
            raise _bad(text, f"{name} has {sum(counts)} checkers, at most {CHECKERS} are possible")
    if not sum(white) and not sum(black):
        raise _bad(text, "both players have borne off all their checkers")
    for place in range(1, BAR):
        if white[place] and black[BAR - place]:
            raise _bad(text, f"both players stand on white's {place} point")
    if length != game.match:
        raise _bad(
            text,
            f"it belongs to a match to {length}, the game is {game}; "
            f"ask for backgammon(match={length}{', cube=true' if length > 1 else ''})",
        )
    if not 0 <= level <= LARGEST_CUBE or (level == 0) != (owner == CENTRED):
        raise _bad(text, f"a cube of 2 to the power {level} with that owner is not possible")
    if level and not game.cube:
        raise _bad(text, f"the cube is turned, but {game} has no cube; say cube=true")
    if not game.match:
        scores = (0, 0)
    _refuse_other_rules(game, read)
    if max(scores) > game.match or min(scores) < 0 or (game.match and min(scores) == game.match):
        raise _bad(text, f"a score of {scores[0]} to {scores[1]} is not possible here")
    parts = {
        "level": level, "owner": owner, "white": scores[0], "black": scores[1],
        "crawford": read.flags if game.match else 0,
    }  # fmt: skip
    if turn is None:
        if dice != "00":
            raise _bad(text, "turn 0 is the opening throw, which has no dice yet")
        if position_of(white, black)[:4] != game.start()[:4]:
            raise _bad(text, "turn 0 is the opening throw, which is made at the start of a game")
        return position_of(white, black, phase=OPENING, **parts)
    winner = 0 if not sum(white) else 1 if not sum(black) else None
    if winner is None and game.match and game.match in scores:
        winner = scores.index(game.match)
    elif winner is None and dice == "X":
        winner = turn
    if winner is not None:
        return _over(game, position_of(white, black, **parts), parts, winner)
    parts["mover"] = turn
    if dice == "D":
        if not game.may_double(state_of(**parts), turn):
            raise _bad(text, f"nobody can have doubled here in {game}")
        parts |= {"phase": TAKE, "mover": 1 - turn}
    elif dice in ("00", "--"):
        double = dice == "00" and game.may_double(state_of(**parts), turn)
        parts["phase"] = CUBE if double else ROLL
    else:
        first, second = int(dice[0]), int(dice[1])
        if not game.course:
            first, second = max(first, second), min(first, second)
        parts |= {"phase": PLAY, "first": first, "second": second}
    return position_of(white, black, **parts)


def _refuse_other_rules(game: BackgammonRules, read: _Read) -> None:
    """Raises if Jacoby's rule, beavers or the Crawford game are not those of the game."""
    if not game.match:
        if read.flags != _flags(game, crawford=False):
            told = (("jacoby", read.flags & 1), ("beaver", read.flags & 2))
            rules = ", ".join(["cube=true", *(f"{name}=true" for name, on in told if on)])
            raise _bad(read.text, f"its rules are backgammon({rules}), the game is {game}")
    elif read.flags and not game.crawford:
        raise _bad(read.text, f"it is the Crawford game, and {game} has none")
    elif read.flags and game.match > 1:
        is_near = read.scores.count(game.match - 1) == 1
        if not is_near and game.match not in read.scores:  # a match that is over counts its game
            raise _bad(
                read.text, "in the Crawford game one player alone is a point away from the match"
            )
        if read.level:
            raise _bad(read.text, "the Crawford game has no cube, but it is turned")


def _over(game: BackgammonRules, p: Words, parts: dict[str, int], winner: int) -> Words:
    own = p[2 * winner : 2 * winner + 2]
    worth = game.worth(p, 1 - winner) if not own[0] | own[1] else 1
    if game.jacoby and parts["level"] == 0:
        worth = 1
    points = 1 if game.match else worth << parts["level"]
    if game.match and max(parts["white"], parts["black"]) < game.match:
        raise PetteiaError("bad position: the game is over, but the score does not count it")
    parts |= {"phase": OVER, "winner": winner, "mover": winner, "points": points}
    return (*p[:4], state_of(**parts))


# --- GNU Backgammon ----------------------------------------------------------------------------


def position_id(p: Words) -> str:
    """The fourteen characters of the checkers, seen by the player on roll."""
    sides = [counts_of(p[0], p[1]), counts_of(p[2], p[3])]
    mover = parts_of(p[4])["mover"]
    bits = ""
    for counts in (sides[1 - mover], sides[mover]):
        for place in range(1, BAR + 1):
            bits += "1" * counts[place] + "0"
    return _letters(bits.ljust(80, "0"))


def match_id(game: BackgammonRules, p: Words) -> str:
    """The twelve characters of the dice, the cube and the score."""
    parts = parts_of(p[4])
    phase = parts["phase"]
    on_roll = parts["mover"] ^ (phase == TAKE)
    fields = (
        (parts["level"], 4),
        (3 if parts["owner"] == CENTRED else 1 - parts["owner"], 2),
        (1 - on_roll, 1),
        (parts["crawford"], 1),
        (_state_of_play(game, p), 3),
        (1 - parts["mover"], 1),
        (int(phase == TAKE), 1),
        (0, 2),
        (parts["first"], 3),
        (parts["second"], 3),
        (game.match, 15),
        (parts["black"], 15),
        (parts["white"], 15),
        (int(not game.match and not game.jacoby), 1),
    )
    bits = "".join(f"{value:0{width}b}"[::-1] for value, width in fields)
    return _letters(bits.ljust(72, "0"))


def _state_of_play(game: BackgammonRules, p: Words) -> int:
    """1 while a game is played, 2 when it is over, 4 when it ended by a drop."""
    if parts_of(p[4])["phase"] != OVER:
        return 1
    borne_off = not (p[0] | p[1]) or not (p[2] | p[3])
    return 2 if borne_off or game.match else 4


def _letters(bits: str) -> str:
    raw = bytes(int(bits[i : i + 8][::-1], 2) for i in range(0, len(bits), 8))
    return base64.b64encode(raw).decode().rstrip("=")


def _bits(text: str, letters: str) -> str:
    try:
        raw = base64.b64decode(letters + "=" * (-len(letters) % 4), validate=True)
    except binascii.Error:
        raise _bad(text, f"{letters!r} is not base64") from None
    return "".join(f"{byte:08b}"[::-1] for byte in raw)


def _parse_gnubg(game: BackgammonRules, text: str, position: str, match: str | None) -> Words:
    runs = _bits(text, position).split("0")
    if len(runs) < 50 or any(runs[50:]):
        raise _bad(text, "a Position ID holds 2 x 25 runs of ones and nothing behind them")
    sides = [[0] + [len(run) for run in runs[25 * side : 25 * side + 25]] for side in (0, 1)]
    if match is None:
        flags = _flags(game, crawford=False)
        return _checked(game, _Read(text, sides[1], sides[0], game.match, flags=flags))
    bits, at = _bits(text, match), 0
    found = []
    for width in (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1):
        found.append(int(bits[at : at + width][::-1], 2))
        at += width
    level, owner, turn, crawford, state, _, doubled, resigned = found[:8]
    first, second, length, black, white, no_jacoby = found[8:]
    turn = 1 - turn
    if resigned or state == 3:
        raise _bad(text, "a resignation is offered, or was taken; here only boards are read")
    dropped = state == 4 and not length
    # The last bit came late, and means something only for money. Beavers are not told.
    flags = crawford if length else int(not no_jacoby) + 2 * int(game.beaver)
    if (first == 0) != (second == 0) or max(first, second) > 6:
        raise _bad(text, f"dice {first}{second} in the Match ID")
    read = _Read(
        text, sides[1 - turn], sides[turn], length=length, level=level,
        owner=CENTRED if owner == 3 else 1 - (owner & 1), turn=turn,
        dice="X" if dropped else "D" if doubled else f"{first}{second}", scores=(white, black),
        flags=flags,
    )  # fmt: skip
    return _checked(game, read)
