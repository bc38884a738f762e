"""Heled's five-character ids of seven-piece Finkel positions, seen by the side to move.

Thirty-one bits: the mover's hand (3), its private squares (6), the opponent's hand and private
squares (9), and the shared squares as a number in base 3 (13), written in base 85 with the
alphabet of Z85, the least significant digit first.
"""

from __future__ import annotations

import string

from petteia.core.errors import PetteiaError
from petteia.core.words import Words
from petteia.games.ur.rules import UrRules

__all__ = ["is_id", "parse", "text"]

_DIGITS = (
    string.digits + string.ascii_lowercase + string.ascii_uppercase + ".-:+=^!/*?&<>()[]{}@%$#"
)
_PRIVATE = (1, 2, 3, 4, 13, 14)
_SHARED = range(5, 13)


def is_id(word: str) -> bool:
    """Whether a word has the form of an id."""
    return len(word) == 5 and all(sign in _DIGITS for sign in word)


def _refuse_other_games(game: UrRules) -> None:
    if game.squares != 14 or game.count != 7 or game.rule_set.closed:
        raise PetteiaError(
            f"Heled's ids are for ur with seven pieces by Finkel's rules, not {game}"
        )


def text(game: UrRules, p: Words) -> str:
    """The id of a position; the dice and the colours are not part of it."""
    _refuse_other_games(game)
    mover = int(game.mover(p))
    number = 0
    for player in (mover, 1 - mover):
        side = int(game.side(p, player))
        number = number << 3 | int(game.hand(p, player))
        for square in _PRIVATE:
            number = number << 1 | side >> square & 1
    middle = 0
    own, other = int(game.side(p, mover)), int(game.side(p, 1 - mover))
    for square in _SHARED:
        middle = 3 * middle + (2 if own >> square & 1 else 0 if other >> square & 1 else 1)
    number = number << 13 | middle
    signs = []
    for _ in range(5):
        number, digit = divmod(number, 85)
        signs.append(_DIGITS[digit])
    return "".join(signs)


def parse(game: UrRules, word: str) -> Words:
    """The position with this id, light to roll."""
    from petteia.games.ur.face.notation import words_of

    _refuse_other_games(game)
    number = sum(_DIGITS.index(sign) * 85**place for place, sign in enumerate(word))
    middle = number & 0x1FFF
    if number >= 2**31 or middle >= 3**8:
        raise PetteiaError(f"bad id {word!r}: no position has it")
    squares: tuple[list[int], list[int]] = ([], [])
    for square in reversed(_SHARED):
        middle, digit = divmod(middle, 3)
        if digit != 1:
            squares[0 if digit == 2 else 1].append(square)
    home = [0, 0]
    for player, half in enumerate((number >> 22, number >> 13 & 0x1FF)):
        hand = half >> 6
        squares[player].extend(
            square for place, square in enumerate(_PRIVATE) if half >> (5 - place) & 1
        )
        home[player] = 7 - hand - len(squares[player])
        if home[player] < 0:
            raise PetteiaError(f"bad id {word!r}: a side has more than seven pieces")
    if home == [7, 7]:
        raise PetteiaError(f"bad id {word!r}: both sides cannot have won")
    return words_of(game, (sorted(squares[0]), sorted(squares[1])), (home[0], home[1]), 0)
