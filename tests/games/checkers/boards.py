"""Random positions on which the rules are tried, and the way to the printed rules and back."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from petteia.core.words import Words, words
from petteia.games.checkers import Checkers
from petteia.games.checkers.reference import ReferencePosition
from petteia.games.checkers.rules.board import bit_of, cell_of, number_at, squares_of


@cache
def board(**parameters: int | bool) -> Checkers:
    """The game with these parameters; one object for all tests, so that it is compiled once."""
    return Checkers(**parameters)  # type: ignore[arg-type]


def of_games(game: Checkers, count: int, seed: int) -> Iterator[Words]:
    """Positions of games between random players, their ends included."""
    chance = random.Random(seed)
    p = game.start()
    for _ in range(count):
        yield p
        moves = game.legal_moves(p)
        p = game.play(p, chance.choice(moves)) if moves else game.start()


def scattered(count: int, seed: int, most: int = 12) -> Iterator[Words]:
    """Men and kings thrown onto the board, 1 to ``most`` a side; many with long jumps."""
    chance = random.Random(seed)
    for _ in range(count):
        yield thrown(chance, most)


def thrown(chance: random.Random, most: int) -> Words:
    """One such position."""
    black, white = chance.randint(1, most), chance.randint(1, most)
    places = chance.sample(range(1, 33), black + white)
    share = chance.random()
    sides = [0, 0]
    kings = 0
    for place, number in enumerate(places):
        side = 0 if place < black else 1
        bit = 1 << bit_of(number)
        sides[side] |= bit
        crowned = number > 28 if side == 0 else number < 5
        if crowned or chance.random() < share:
            kings |= bit
    return words(*sides, kings, chance.randint(0, 1))


def circuits(count: int, seed: int) -> Iterator[Words]:
    """A white king or two among black pieces that stand as if for its long jumps."""
    chance = random.Random(seed)
    for _ in range(count):
        odd = chance.randint(0, 1)
        nodes = [(r, c) for r in range(odd, 8, 2) for c in range(1 - odd, 8, 2)]
        between = [(r, c) for r in range(1 + odd, 7, 2) for c in range(2 - odd, 7, 2)]
        cells = chance.sample(between, chance.randint(4, len(between)))
        kings = chance.sample(nodes, chance.randint(1, 2))
        pieces = {cell: chance.choice("bbB") for cell in cells} | dict.fromkeys(kings, "W")
        yield words_of(ReferencePosition(pieces, "w"))


def printed(p: Words) -> ReferencePosition:
    """The position as the printed rules see it."""
    pieces = {}
    for letter, side in (("b", p[0]), ("w", p[1])):
        for number in squares_of(side):
            is_king = int(p[2]) >> bit_of(number) & 1
            pieces[cell_of(number)] = letter.upper() if is_king else letter
    return ReferencePosition(pieces, "bw"[int(p[3]) & 1])


def words_of(position: ReferencePosition) -> Words:
    """The position as the kernels see it."""
    sides, kings = {"b": 0, "w": 0}, 0
    for cell, piece in position.pieces.items():
        number = number_at(*cell)
        assert number is not None
        sides[piece.lower()] |= 1 << bit_of(number)
        kings |= (1 << bit_of(number)) if piece.isupper() else 0
    return words(sides["b"], sides["w"], kings, "bw".index(position.mover))
