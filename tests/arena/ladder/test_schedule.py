"""The next meeting is the one that tells most."""

from __future__ import annotations

import math

import numpy as np
import pytest

from petteia.arena.ladder.schedule import Plan, information
from petteia.arena.statistics import bradley_terry

# Three who know each other well, the third far weaker; the fourth is new.
SCORES = np.array([[0, 10, 20, 0], [10, 0, 20, 0], [0, 0, 0, 0], [0, 0, 0, 0]], float)
MEETINGS = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]


def test_the_information_is_that_of_its_formula() -> None:
    ratings = bradley_terry(SCORES)
    found = information(ratings)
    scale = math.log(10) / 400
    for first, second in MEETINGS:
        difference, error = ratings.difference(first, second)
        expected = 1 / (1 + 10 ** (-difference / 400))
        wanted = math.log1p(expected * (1 - expected) * (scale * error) ** 2)
        assert found[first, second] == pytest.approx(wanted)
        assert found[second, first] == pytest.approx(wanted)


def _plan(scores: np.ndarray, meetings: list[tuple[int, int]]) -> Plan:
    plan = Plan(len(scores))
    for first, second in MEETINGS:
        won, lost = scores[first, second], scores[second, first]
        if won + lost:
            plan.add(first, second, [won / (won + lost)] * round((won + lost) / 2))
    for meeting in meetings:
        plan.open(*meeting)
    return plan


def test_who_is_new_comes_first_and_hopeless_meetings_last() -> None:
    plan = _plan(SCORES, MEETINGS)
    order = []
    while plan.is_open:
        order.append(plan.next())
        plan.close(*order[-1])
    assert order == [(0, 3), (1, 3), (2, 3), (0, 1), (0, 2), (1, 2)]


def test_a_result_changes_what_is_next() -> None:
    plan = _plan(SCORES, [(0, 1), (0, 3)])
    assert plan.next() == (0, 3)
    assert plan.next() == (0, 1), "the other one is under way"
    assert plan.next() == (0, 3), "both are"
    for meeting in ((0, 1), (0, 3), (0, 3)):
        plan.is_back(*meeting)
    plan.add(0, 3, [1.0] * 40)
    assert plan.next() == (0, 1)


def test_nobody_knows_anything_at_first() -> None:
    assert _plan(np.zeros((4, 4)), MEETINGS[2:]).next() == (0, 3)
