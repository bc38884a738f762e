"""Races: what is called certain is so, by the tables of solved boards."""

from __future__ import annotations

from collections import Counter

import pytest

from petteia.core.game import TERMINAL
from petteia.core.words import Words
from petteia.games.breakthrough import Breakthrough
from petteia.games.breakthrough.solution import swept
from tests.games.breakthrough.boards import board, late, scattered

EIGHT = board()


def test_every_race_ends_as_the_solved_board_says() -> None:
    game = board(columns=3, rows=7)
    solution = swept(game, workers=2)
    told: Counter[int] = Counter()
    for p in [*scattered(game, 2500, seed=3), *late(game, 6000, seed=4)]:
        if game.kind(p) == TERMINAL:
            continue
        forced = game.forced(p)
        told[forced] += 1
        if forced:  # the rules make the moves, the table names what they lead to
            assert bool(solution.winning_moves(p)) is (forced > 0), game.text(p)
    assert min(told[plies] for plies in (1, -2, 3, -4)) > 5
    assert told[5] > 0


def wins_within(game: Breakthrough, p: Words, plies: int) -> bool:
    """Whether the mover can end the game as its winner in so many plies."""
    if game.kind(p) == TERMINAL:
        return bool(game.result(p) == (1.0 if p[2] == 0 else -1.0))
    return plies > 0 and any(
        loses_within(game, game.play(p, move), plies - 1) for move in game.legal_moves(p)
    )


def loses_within(game: Breakthrough, p: Words, plies: int) -> bool:
    """Whether the mover cannot help losing in so many plies."""
    if game.kind(p) == TERMINAL:
        return bool(game.result(p) == (-1.0 if p[2] == 0 else 1.0))
    return plies > 0 and all(
        wins_within(game, game.play(p, move), plies - 1) for move in game.legal_moves(p)
    )


def test_a_race_takes_as_long_as_it_says() -> None:
    game = board(columns=5, rows=5)
    seen = 0
    for p in late(game, 400, seed=6):
        if game.kind(p) == TERMINAL:
            continue
        forced = game.forced(p)
        if forced == 3:
            assert wins_within(game, p, 3), game.text(p)
            assert not wins_within(game, p, 1), game.text(p)
        if forced == -4:
            assert loses_within(game, p, 4), game.text(p)
            assert not loses_within(game, p, 2), game.text(p)
        seen += forced in (3, -4)
    assert seen > 20


@pytest.mark.parametrize(
    ("text", "forced"),
    [
        ("8/8/8/3P4/8/8/6pp/P7 w", -2),
        ("8/8/8/3P4/8/6pp/8/P7 w", -4),  # black needs two moves, white three
        ("8/8/8/3P4/5ppp/8/8/P7 w", 5),
        ("3p4/8/8/3P4/5ppp/8/8/P7 w", 0),  # somebody stands in the way
        ("1p6/8/8/3P4/5ppp/8/8/P7 w", 5),  # too far aside: three rows ahead, two columns
        ("2p5/8/8/3P4/5ppp/8/8/P7 w", 0),  # one column: it can meet the runner
        ("8/pp6/p7/3P4/8/8/8/P7 b", -6),
        ("8/8/8/3P4/6pp/8/8/P7 w", 0),  # two workers might be captured before,
    ],
)
def test_races_by_example(text: str, forced: int) -> None:
    assert EIGHT.forced(EIGHT.parse(text)) == forced
