"""The checkers study: its examples are true, its samples the same every time."""

from __future__ import annotations

import pytest

from petteia import agents, games
from petteia.core.game import DECISION
from petteia.games.checkers.study import PUZZLES, STUDY, WRONG_CACHE, compared, sample, two_pieces
from petteia.studies import frame

COURSE = games.make("course-checkers")


@pytest.mark.parametrize(("fen", "depth"), WRONG_CACHE)
def test_the_printed_cache_plays_another_move_there(fen: str, depth: int) -> None:
    p = COURSE.parse(fen)
    moves = {}
    for cache in ("none", "corrected", "printed"):
        spec = f"report(depth={depth}, cache={cache}, equal_depth=true, flat_wins=true)"
        found = agents.make(spec, COURSE).choose(p)
        moves[cache] = (found.move, found.value)
    assert moves["none"] == moves["corrected"]
    assert moves["none"][0] != moves["printed"][0]
    assert moves["none"][1] != moves["printed"][1]


def test_samples_are_the_same_every_time() -> None:
    where = sample(COURSE, 12)
    assert where == sample(COURSE, 12)
    assert len(set(where)) == 12
    assert all(COURSE.kind(p) == DECISION and COURSE.mover(p) == 1 for p in where)


def test_two_pieces_are_all_there_are() -> None:
    where = two_pieces(COURSE)
    assert len(set(where)) == len(where) == 3_486  # of 3,488, two are over
    assert all(COURSE.mover(p) == 1 for p in where)


def test_costs_are_counted_against_the_first_player() -> None:
    specs = {"a": "report(depth=3)", "b": "report(depth=3, picking=sort)", "c": "report(depth=1)"}
    costs = compared(COURSE, specs, sample(COURSE, 15))
    assert costs["a"].nodes == costs["b"].nodes > costs["c"].nodes
    assert (costs["b"].values, costs["b"].moves) == (0, 0)
    assert costs["c"].values > 0


def test_its_experiments_are_sound() -> None:
    assert frame.find("checkers") is STUDY
    for experiment in STUDY.experiments:
        assert experiment.contest.checked().opening == "ballots"
    assert len(PUZZLES) == 4
