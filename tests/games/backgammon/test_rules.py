"""The rules: against the readable reference, and case by case."""

from __future__ import annotations

import itertools

import pytest

from petteia import games
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION, TERMINAL
from petteia.core.words import Words
from petteia.games.backgammon import Backgammon, reference
from petteia.games.backgammon.rules.state import PLAY, parts_of, state_of
from petteia.search.perft import perft
from tests.games.backgammon.boards import board, decisions, game, sides

pytestmark = pytest.mark.rules

PLAYS = {
    "11": 42, "21": 15, "31": 16, "41": 14, "51": 8, "61": 10, "22": 75, "32": 17, "42": 18,
    "52": 8, "62": 14, "33": 73, "43": 17, "53": 9, "63": 14, "44": 52, "54": 9, "64": 14,
    "55": 4, "65": 7, "66": 11,
}  # fmt: skip
"""Distinct plays from the start by roll, as published."""


def at(text: str, of: Backgammon | None = None) -> Words:
    return (of or game()).parse(text)


def plays(text: str, of: Backgammon | None = None) -> set[str]:
    of = of or game()
    p = at(text, of)
    return {of.move_text(p, move) for move in of.legal_moves(p)}


def test_plays_of_every_roll_from_the_start() -> None:
    official = game()
    first = official.perft_start()
    found = {}
    for throw, _ in official.outcomes(first):
        found[official.move_text(first, throw)] = len(
            official.legal_moves(official.play(first, throw))
        )
    assert found == PLAYS
    assert sum(found.values()) == 447
    assert sum(count for roll, count in found.items() if roll[0] != roll[1]) == 190


@pytest.mark.parametrize("rules", ["official", "course"])
def test_the_reference_agrees(rules: str) -> None:
    of = game(rules)
    for p in decisions(of, 250 if rules == "official" else 80, seed=3):
        parts = parts_of(p[4])
        own, enemy = sides(p)
        expected = reference.plays(own, enemy, parts["first"], parts["second"], course=of.course)
        moves = of.legal_moves(p)
        found = []
        for move in moves:
            q = of.moved(p, move)
            found.append(sides(q))
        assert len(found) == len(set(found)), "two moves lead to the same position"
        assert set(found) == expected, of.text(p)


def test_the_opening_is_one_die_each_and_never_a_double() -> None:
    official = game()
    throws = official.outcomes(official.start())
    assert len(throws) == 30
    assert {round(chance, 12) for _, chance in throws} == {round(1 / 30, 12)}
    texts = {official.move_text(official.start(), throw): throw for throw, _ in throws}
    p = official.play(official.start(), texts["2-5"])
    assert official.mover(p) == 1
    assert (parts_of(p[4])["first"], parts_of(p[4])["second"]) == (5, 2)


def test_the_course_tosses_a_coin_and_allows_doubles_at_once() -> None:
    course = game("course")
    throws = course.outcomes(course.start())
    assert len(throws) == 72
    assert "w66" in {course.move_text(course.start(), throw) for throw, _ in throws}


def test_both_dice_must_be_played_if_possible() -> None:
    # The 1 can be played from 8 or from 4, but only 8/7 leaves a 6.
    text = board({8: 1, 4: 1}, {23: 2}, "61")
    assert plays(text) == {"8/1"}


def test_the_larger_die_must_be_played_if_only_one_can_be() -> None:
    # 10/4 and 10/9 are open, 3 is not.
    assert plays(board({10: 1}, {22: 2}, "61")) == {"10/4"}


def test_the_smaller_die_is_played_if_the_larger_cannot_be() -> None:
    assert plays(board({10: 1}, {22: 2, 21: 2}, "61")) == {"10/9"}


def test_a_checker_on_the_bar_enters_first() -> None:
    found = plays("XGID=-b----E-C---eE---c-e----AA:0:0:1:52:0:0:0:0:10")
    assert found
    assert all("bar/" in play for play in found)


def test_nobody_enters_a_closed_board() -> None:
    closed = dict.fromkeys(range(1, 7), 2)
    assert plays(board({25: 1, 1: 1}, closed, "66")) == {"pass"}


def test_bearing_off_from_beyond_only_with_the_highest() -> None:
    assert plays(board({3: 1, 2: 1}, {3: 1}, "54")) == {"3/off 2/off"}
    assert plays(board({5: 1, 2: 1}, {3: 1}, "41")) == {"5/1 2/1", "5/off"}


def test_nobody_bears_off_with_a_checker_outside() -> None:
    assert plays(board({7: 1, 2: 1}, {3: 1}, "42")) == {"7/1", "7/3 2/off"}


def test_the_course_bears_off_any_checker_that_is_near_enough() -> None:
    text = board({3: 1, 2: 1}, {3: 1}, "51")
    found = {}
    for of in (game(), game("course")):
        p = of.parse(text)
        found[of.rules] = {sides(of.moved(p, move))[0] for move in of.legal_moves(p)}
    the_two_is_off = reference.side(p3=1)
    assert the_two_is_off in found["course"]
    assert the_two_is_off not in found["official"]


@pytest.mark.parametrize(
    ("black", "points"),
    [({6: 1}, 1), ({6: 15}, 2), ({6: 14, 18: 1}, 2), ({6: 14, 19: 1}, 3), ({6: 14, 25: 1}, 3)],
)
def test_points_for_gammon_and_backgammon(black: dict[int, int], points: int) -> None:
    text = board({1: 1}, black, "21")
    for of, worth in ((game(), points), (game("course"), 1)):
        p = of.parse(text)
        ends = {of.result(q) for m in of.legal_moves(p) if m for q in [of.play(p, m)]}
        assert ends == {float(worth)}


# --- the cube and matches ----------------------------------------------------------------------


def cube_game() -> Backgammon:
    return game(cube=True, jacoby=True, beaver=True)


def after(of: Backgammon, p: Words, *moves: str) -> Words:
    for move in moves:
        if of.kind(p) == CHANCE:
            names = {of.move_text(p, throw): throw for throw, _ in of.outcomes(p)}
            p = of.play(p, names[move])
        else:
            p = of.play(p, of.parse_move(p, move))
    return p


def test_double_take_and_who_owns_the_cube() -> None:
    of = cube_game()
    p = after(of, of.start(), "3-1", "8/5 6/5", "double")
    assert of.kind(p) == DECISION
    assert of.mover(p) == 0
    p = after(of, p, "take")
    assert of.kind(p) == CHANCE
    parts = parts_of(p[4])
    assert (parts["level"], parts["owner"], parts["mover"]) == (1, 0, 1)
    p = after(of, p, "66", "24/18(2) 13/7(2)")
    assert of.legal_moves(p) == [0, 1]
    p = after(of, p, "roll", "65", "13/2")
    assert of.kind(p) == CHANCE, "Black does not own the cube"


def test_a_dropped_double_ends_the_game_for_the_stake_as_it_was() -> None:
    of = cube_game()
    p = after(of, of.start(), "3-1", "8/5 6/5", "double", "drop")
    assert of.kind(p) == TERMINAL
    assert of.result(p) == -1.0
    assert of.parse(of.text(p)) == p


def test_a_beaver_doubles_again_and_keeps_the_cube() -> None:
    of = cube_game()
    p = after(of, of.start(), "3-1", "8/5 6/5", "double", "beaver")
    parts = parts_of(p[4])
    assert (parts["level"], parts["owner"], of.kind(p)) == (2, 0, CHANCE)


GAMMON = ({1: 1}, {6: 15}, "21")


def test_jacoby_counts_gammons_only_after_a_double() -> None:
    of = cube_game()
    for cube, points in (("0:0", 1), ("1:1", 4)):
        p = of.parse(board(*GAMMON, tail="0:0:3:0:10", cube=cube))
        assert of.result(of.play(p, of.legal_moves(p)[0])) == points


def match_game() -> Backgammon:
    return game(match=3, cube=True)


def test_a_match_goes_on_to_its_points_with_a_crawford_game() -> None:
    of = match_game()
    p = of.parse(board(*GAMMON, tail="0:0:0:3:10"))
    p = of.play(p, of.legal_moves(p)[0])
    parts = parts_of(p[4])
    assert (parts["white"], parts["black"], parts["crawford"]) == (2, 0, 1)
    assert p[:4] == of.start()[:4]
    assert of.kind(p) == CHANCE
    p = after(of, p, "1-3", "8/5 6/5")
    assert of.kind(p) == CHANCE, "no cube in the Crawford game"
    p = of.parse(board(*GAMMON, tail="2:0:1:3:10"))
    over = of.play(p, of.legal_moves(p)[0])
    assert of.kind(over) == TERMINAL
    assert of.result(over) == 1.0
    assert of.parse(of.text(over)) == over


def test_the_crawford_game_at_every_score() -> None:
    """The first after a player came within a point of the match, and no other."""
    for length in (2, 3, 5):
        of = game(match=length, cube=True)
        for white, black, points in itertools.product(range(length), range(length), (1, 2, 3)):
            state = state_of(phase=PLAY, white=white, black=black)
            p = of.after_game((*of.start()[:4], state), 0, points)
            parts = parts_of(p[4])
            near_before = length - 1 in (white, black)
            near = length - 1 in (parts["white"], parts["black"])
            over = of.kind(p) == TERMINAL
            assert over == (white + points >= length)
            assert over or bool(parts["crawford"]) == (near and not near_before)


def test_after_the_crawford_game_the_cube_is_back() -> None:
    of = match_game()
    p = of.parse(board({6: 5}, {1: 1}, "21", tail="2:0:1:3:10", turn=-1))
    p = of.play(p, of.legal_moves(p)[0])
    parts = parts_of(p[4])
    assert (parts["white"], parts["black"], parts["crawford"]) == (2, 1, 0)
    p = after(of, p, "1-3", "8/5 6/5")
    assert of.kind(p) == DECISION
    assert of.legal_moves(p) == [0, 1]


@pytest.mark.parametrize(
    ("spec", "names"),
    [
        ("backgammon(rules=old)", "official"),
        ("backgammon(match=65)", "match=65"),
        ("backgammon(rules=course, cube=true)", "neither a cube"),
        ("backgammon(jacoby=true)", "jacoby"),
        ("backgammon(beaver=true, match=3, cube=true)", "beaver"),
    ],
)
def test_impossible_parameters_are_named(spec: str, names: str) -> None:
    with pytest.raises(PetteiaError, match=names):
        games.make(spec)


def test_perft() -> None:
    official = game()
    assert perft(official, official.perft_start(), 1) == 447
