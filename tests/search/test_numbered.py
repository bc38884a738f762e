"""What spares random play the lists of moves: every game says by number what stands in its list."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from petteia import games
from petteia.compiled import kernel, random_next, unit_of, whole_below
from petteia.core.game import CHANCE, SIMULTANEOUS, TERMINAL
from petteia.core.rules import SLACK, drawn_outcome
from petteia.core.words import U, Words
from petteia.search.playout import by_number

SPECS = [
    "breakthrough", "breakthrough(workers=3)", "breakthrough(columns=5, rows=6)",
    "ur", "ur(rules=masters)", "ur(rules=aseb)", "ur(rules=blitz, dice=3)", "ur(rules=project-ur)",
    "ropasci", "ropasci(throws=3)",
    "backgammon", "backgammon(rules=course)", "backgammon(cube=true, beaver=true)",
    "backgammon(match=3, cube=true)",
]  # fmt: skip


@kernel
def differing(
    game: Any, seed: np.uint64, plies: int, listed: np.ndarray, out: np.ndarray,
    prob: np.ndarray, found: np.ndarray,
) -> int:  # fmt: skip
    """How many positions of random games are not the same by number as by their list."""
    random, p, wrong = seed, game.start(), 0
    for _ in range(plies):
        kind = game.kind(p)
        if kind == TERMINAL:
            p = game.start()
            continue
        random = random_next(random)
        unit = unit_of(random)
        count = by_number(game, p, unit, out, prob, found)
        if kind == CHANCE:
            end = game.chances(p, listed, prob, 0)
            fell = listed[drawn_outcome(prob, end, unit)]
            if count != 2 or found[0] != end or found[1] != fell:
                wrong += 1
            p = game.play(p, fell)
            continue
        middle = end = game.moves_of(p, 0, listed, 0)
        if kind == SIMULTANEOUS:
            end = game.moves_of(p, 1, listed, middle)
        same = count == end
        for i in range(end):
            same = same and found[i] == listed[i]
        if not same:
            wrong += 1
        if kind == SIMULTANEOUS:
            first = listed[whole_below(random, middle)]
            random = random_next(random)
            p = game.play_both(p, first, listed[middle + whole_below(random, end - middle)])
        else:
            p = game.play(p, listed[whole_below(random, end)])
    return wrong


def _room(game: Any) -> tuple[np.ndarray, ...]:
    size = 2 * (game.max_moves + SLACK)
    numbers = (np.zeros(size, np.int64) for _ in range(3))
    listed, out, found = numbers
    return listed, out, np.zeros(size), found


@pytest.mark.parametrize("spec", SPECS)
def test_every_game_says_by_number_what_it_lists(spec: str) -> None:
    game = games.make(spec)
    assert differing(game, U(5), 20_000, *_room(game)) == 0
    assert differing.function(game, U(6), 60, *_room(game)) == 0


class _Reversed(type(games.make("breakthrough"))):  # type: ignore[misc]
    """Counts from the end."""

    def count_moves(self, p: Words, out: np.ndarray) -> int:
        return self.moves(p, out, 0)  # type: ignore[no-any-return]

    def nth_move(self, p: Words, n: int, out: np.ndarray) -> int:
        return out[self.count_moves(p, out) - 1 - n]  # type: ignore[no-any-return]


def test_a_game_that_says_otherwise_is_found() -> None:
    game = _Reversed()
    assert differing(game, U(5), 1000, *_room(game)) > 900


@pytest.mark.parametrize("spec", ["backgammon", "backgammon(rules=course)", "ur(rules=masters)"])
def test_dice_fall_the_same_at_the_ends_of_their_ranges(spec: str) -> None:
    game = games.make(spec)
    p = game.start()
    _, out, prob, found = _room(game)
    outcomes = [outcome for outcome, _ in game.outcomes(p)]
    odds = np.array([chance for _, chance in game.outcomes(p)])
    ends = np.cumsum(odds)
    near = [*ends, *np.nextafter(ends, 0), *np.nextafter(ends, 2), 0.0, np.nextafter(1.0, 0)]
    for unit in near:
        by_number(game, p, float(unit), out, prob, found)
        assert found[1] == outcomes[drawn_outcome(odds, len(odds), float(unit))]
