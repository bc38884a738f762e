"""Positions of many words: long tuples compile, and one word of them can be set."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from petteia import agents, with_word
from petteia.arena.match import Match
from petteia.check import check_game
from petteia.compiled import is_interpreted, kernel
from petteia.core.game import DECISION, TERMINAL, Game
from petteia.core.words import U, Words

ROWS = 70


@kernel
def changed(p: Words, place: int, word: np.uint64) -> Words:
    return with_word(p, place, word)


@kernel
def chosen(p: Words) -> Words:
    """A display of more than thirty words with a choice in it."""
    return (
        p[0] if p[1] == U(1) else p[2], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9],
        p[10], p[11], p[12], p[13], p[14], p[15], p[16], p[17], p[18], p[19],
        p[20], p[21], p[22], p[23], p[24], p[25], p[26], p[27], p[28], p[29],
        p[30], U(7) if p[0] == U(0) else U(8),
    )  # fmt: skip


@kernel
def repeated(word: np.uint64) -> Words:
    return (word,) * 40


class Ladder(Game):
    """Seventy rows of one word each. A move takes the lowest bit of one of the first rows that has
    one; who clears the last row wins. The last word counts the moves."""

    name = "ladder"
    max_moves = 3

    def start(self) -> Words:
        p: Words = (U(0),) * 71
        for row in range(0, ROWS, 10):
            p = with_word(p, row, U(1))
        return p

    def mover(self, p: Words) -> int:
        return np.int64(p[ROWS] & U(1))  # type: ignore[return-value]

    def kind(self, p: Words) -> int:
        for row in range(ROWS):
            if p[row] != U(0):
                return DECISION
        return TERMINAL

    def moves(self, p: Words, out: np.ndarray, at: int) -> int:
        first = at
        for row in range(ROWS):
            if p[row] != U(0) and at < first + 3:
                out[at] = row
                at += 1
        return at

    def play(self, p: Words, move: int) -> Words:
        p = with_word(p, move, p[move] & (p[move] - U(1)))
        return with_word(p, ROWS, p[ROWS] + U(1))

    def result(self, p: Words) -> float:
        return 1.0 if self.mover(p) == 1 else -1.0


P: Any = tuple(U(i) for i in range(32))


@pytest.mark.parametrize("place", [0, 17, 31])
def test_one_word_is_set(place: int) -> None:
    expected = [*P]
    expected[place] = U(2**64 - 1)
    assert changed(P, place, U(2**64 - 1)) == tuple(expected)
    assert with_word(P, place, U(2**64 - 1)) == tuple(expected)
    assert all(type(word) is np.uint64 for word in with_word(P, place, U(5)))


@pytest.mark.parametrize("place", [-1, 32])
def test_a_place_outside_is_refused(place: int) -> None:
    with pytest.raises(IndexError, match="32 words has no word"):
        with_word(P, place, U(0))


def test_a_long_tuple_with_a_choice_in_it() -> None:
    assert chosen(P) == chosen.function(P)
    assert chosen(P)[31] == U(7)


def test_a_tuple_is_repeated() -> None:
    assert repeated(U(9)) == (U(9),) * 40


def test_a_game_of_many_words_is_searched_and_played() -> None:
    game = Ladder()
    assert check_game(game, games=2).longest == 7
    if is_interpreted():
        return
    engine = agents.make("engine(depth=8)", game)
    found = engine.choose(game.start())
    assert found.value is not None
    assert found.value > 900_000  # seven bits, one each: the first player takes the last
    result = Match(game, engine, agents.make("random", game)).run(1)
    assert result.forfeits() == (0, 0)
