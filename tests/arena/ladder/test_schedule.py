"""The next meeting is the one that tells most."""

from __future__ import annotations

import math

import numpy as np
import pytest

from petteia.arena.ladder.schedule import information, most_informative
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


def test_who_is_new_comes_first_and_hopeless_meetings_last() -> None:
    ratings = bradley_terry(SCORES)
    assert 3 in most_informative(ratings, MEETINGS)
    known = [meeting for meeting in MEETINGS if 3 not in meeting]
    told = information(ratings)
    assert told[0, 1] == pytest.approx(told[1, 0])
    assert most_informative(bradley_terry(np.zeros((4, 4))), MEETINGS) == (0, 1)
    assert all(told[0, 3] > told[meeting] for meeting in known)
