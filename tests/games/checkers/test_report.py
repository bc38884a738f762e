"""The report's player: against the readable form, and what its cache gets wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from petteia import agents
from petteia.core.errors import PetteiaError
from petteia.core.game import DECISION
from petteia.core.words import Words
from petteia.games.checkers.evaluations import EVALUATIONS
from petteia.games.checkers.report.reference import Saved, Search, points_of
from petteia.games.checkers.report.search import ordering_points
from tests.games.checkers.boards import board, of_games, scattered

GAME = board(repetitions=0, quiet_plies=0)
POINTS = np.array([2, 21, 2, 3, 2], np.int64)


def some_positions(count: int, seed: int, every: int = 7) -> list[Words]:
    """Of random games, where there is something to decide."""
    found = [p for p in of_games(GAME, count * every * 2, seed) if GAME.kind(p) == DECISION]
    return found[::every][:count]


def report(**given: Any) -> Any:
    arguments = ", ".join(f"{key}={value}" for key, value in given.items())
    return agents.make(f"report({arguments})".lower(), GAME)


@pytest.mark.parametrize("cache", ["none", "printed", "corrected"])
@pytest.mark.parametrize("ordering", [True, False])
def test_the_compiled_search_is_the_readable_one(cache: str, ordering: bool) -> None:
    agent = report(depth=4, cache=cache, ordering=ordering)
    for p in some_positions(25, seed=1):
        slow = Search(GAME, lambda q: EVALUATIONS["report"].of(GAME, q, 1), 4, cache, ordering)
        value = slow.value(p)
        found = agent.choose(p)
        assert found.value == (value if GAME.mover(p) == 1 else -value)
        assert (found.interior, found.leaves) == (slow.interior, slow.leaves)
        assert found.notes["cache_hits"] == slow.hits
        assert found.notes["cached"] == len(slow.kept)


def test_pruning_cache_and_ordering_leave_the_value_alone() -> None:
    """Values at equal depth: plain alpha-beta's, whatever is switched off."""
    plain = report(depth=6, cache="none", ordering=False)
    others = [
        report(depth=6, cache="corrected", equal_depth=True),
        report(depth=6, cache="window", equal_depth=True),
        report(depth=6, cache="none"),
        report(depth=6, cache="none", picking="sort", jumps_first=False),
    ]
    for p in some_positions(150, seed=2):
        value = plain.choose(p).value
        assert [other.choose(p).value for other in others] == [value] * len(others)


def test_heap_sort_and_scan_take_moves_in_the_same_order() -> None:
    heap, *others = [report(depth=5, picking=each) for each in ("heap", "sort", "best")]
    for p in some_positions(40, seed=3):
        found = heap.choose(p)
        for other in others:
            again = other.choose(p)
            assert (again.move, again.value, again.interior, again.leaves) == (
                found.move, found.value, found.interior, found.leaves,
            )  # fmt: skip


def test_the_printed_cache_is_wrong_sometimes() -> None:
    """The test never looks at the other end of the window, and takes a bound for a value."""
    plain = report(depth=6, cache="none", flat_wins=True)
    printed = report(depth=6, cache="printed", flat_wins=True, equal_depth=True)
    positions = [p for p in some_positions(900, seed=4, every=3) if GAME.mover(p) == 1]
    wrong = [p for p in positions if plain.choose(p).value != printed.choose(p).value]
    assert 0 < len(wrong) < len(positions) // 50


def test_the_smallest_example_of_the_wrong_cache() -> None:
    """Max node N has one child A (Min) with leaves 3 and -4, so that its value is -4. With the
    window (5, 9) A stops at 3, an upper bound; with (2, 8) the printed test takes it as exact."""
    search = Search(GAME, lambda _: 0.0, cache="printed")
    saved = Saved(depth=2, alpha=5.0, beta=9.0, value=3.0)
    assert search.usable(saved, 2, 2.0, 8.0, is_max=True)
    search.cache = "corrected"
    assert not search.usable(saved, 2, 2.0, 8.0, is_max=True)
    assert search.usable(saved, 2, 4.0, 8.0, is_max=True)  # still below alpha: enough


@pytest.mark.rules
@pytest.mark.parametrize(
    ("fen", "points"),
    [
        (
            "W:WK12,20,26:B7,14,15,18,K31",
            {"12-8": 2, "12-16": 0, "20-16": 0, "26-22": 0, "26-23": 0},
        ),
        ("W:W7,11,15:B4,8,K14,16", {"7-2": 5, "7-3": 5, "15-10": 2}),
    ],
)
def test_worked_points_of_the_ordering(fen: str, points: dict[str, int]) -> None:
    p = GAME.parse(fen)
    moves = {GAME.move_text(p, move): move for move in GAME.legal_moves(p)}
    assert {name: ordering_points(p, move, POINTS) for name, move in moves.items()} == points


@pytest.mark.rules
def test_the_points_are_those_of_the_readable_form() -> None:
    for p in scattered(300, 6):
        for move in GAME.legal_moves(p):
            assert ordering_points(p, move, POINTS) == points_of(GAME, p, move)


@pytest.mark.parametrize(
    ("fen", "move", "plies"),
    [
        ("W:WK26:B25,K29", "26-30", 1),
        ("W:W31:B18", "31-26", 3),
        ("W:WK12,20,26:B7,14,15,18,K31", "20-16", 7),
        ("W:W7,11,15:B4,8,K14,16", "15-10", 7),
    ],
)
@pytest.mark.parametrize("cache", ["printed", "corrected"])
def test_the_report_solves_the_courses_puzzles(fen: str, move: str, plies: int, cache: str) -> None:
    p = GAME.parse(fen)
    found = report(cache=cache).choose(p)
    assert GAME.move_text(p, found.move) == move
    assert found.value == 10_000 - plies


def test_terms_of_the_heuristic_are_switched_by_their_weights() -> None:
    p = GAME.start()
    bare = agents.make("report(depth=1, eval=report(safe=0, vulnerable=0, home_row=0))", GAME)
    assert bare.choose(p).value == -48.0


def test_values_are_those_of_the_moves() -> None:
    agent = report(depth=5, cache="corrected", equal_depth=True)
    p = GAME.parse("W:WK12,20,26:B7,14,15,18,K31")
    ranked = agent.values(p)
    assert len(ranked) == len(GAME.legal_moves(p))
    assert ranked[0].value == agent.choose(p).value


@pytest.mark.parametrize("bad", ["depth=0", "depth=99", "cache=some", "picking=pile", "eval=none"])
def test_impossible_settings_are_refused(bad: str) -> None:
    with pytest.raises(PetteiaError):
        agents.make(f"report({bad})", GAME)
