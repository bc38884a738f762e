"""Searches where both choose: against the readable ones, on a toy and on a real game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from petteia.agents import evaluation_for
from petteia.core.agent import MoveValue
from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL
from petteia.core.words import Words
from petteia.games.ropasci import RoPaSci
from petteia.search import nash, reference_joint
from petteia.search.contract import Answer, Limits, Question
from petteia.search.joint_mcts import JointMctsSearch
from petteia.search.joint_search import Standing
from petteia.search.joint_tree import SELECTIONS
from petteia.search.matrix import exploitability
from petteia.search.nash import NashSearch
from petteia.search.paranoid import HopefulSearch, ParanoidSearch
from tests.positions import random_positions
from tests.toys import OddEven

TOY = OddEven()
EVEN = evaluation_for(TOY, None)
SMALL = RoPaSci(throws=2)
REPORT = SMALL.evaluations["report"]


def of_toy(p: Words) -> float:
    return 0.0


def of_report(p: Words) -> float:
    return REPORT.of(SMALL, p, 0)


def asked(
    p: Words, depth: int = 1, player: int = 0, *, seed: int = 0, earlier: Sequence[Words] = ()
) -> Question:
    """A question of the small game."""
    return Question(p, REPORT.array, Limits(depth=depth), player, seed, earlier)


def of_start(depth: int, player: int) -> Question:
    """A question of the toy."""
    return Question(TOY.start(), EVEN.array, Limits(depth=depth), player)


def worth(found: Answer) -> float:
    assert found.value is not None
    return found.value


def few_moves(count: int) -> list[Words]:
    """Positions of the small game with so few moves that a plain search can look two turns on."""
    found = [
        p
        for p in random_positions(SMALL, 400, seed=1)
        if len(SMALL.legal_moves(p, 0)) * len(SMALL.legal_moves(p, 1)) <= 64
    ]
    return found[:: len(found) // count][:count]


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("bounded", [False, True])
def test_equilibria_of_the_toy_are_exact(depth: int, bounded: bool) -> None:
    search = NashSearch(TOY, EVEN, bounded=bounded)
    value = reference_joint.nash(TOY, TOY.start(), depth, of_toy)
    found = search.ask(of_start(depth, 0))
    assert found.value == pytest.approx(value, abs=1e-5)
    other = search.ask(of_start(depth, 1))
    assert other.value == pytest.approx(-value, abs=1e-5)
    assert sum(found.strategy or ()) == pytest.approx(1)


def test_the_whole_toy_is_a_known_game() -> None:
    # A round is matching pennies: both mix, and nobody is ahead over three rounds.
    search = NashSearch(TOY, EVEN)
    found = search.ask(of_start(3, 1))
    assert found.value == pytest.approx(0, abs=1e-6)
    assert found.strategy == pytest.approx([0.5, 0.5], abs=1e-6)


def test_one_turn_of_the_real_game_is_the_matrix_of_its_evaluation() -> None:
    search = NashSearch(SMALL, REPORT)
    for p in random_positions(SMALL, 12, seed=2):
        rows, columns, matrix = search.matrix(asked(p))
        assert rows == SMALL.legal_moves(p, 0)
        assert columns == SMALL.legal_moves(p, 1)
        for i, j in ((0, 0), (-1, 0), (len(rows) // 2, -1)):
            after = SMALL.play_both(p, rows[i], columns[j])
            over = SMALL.kind(after) == TERMINAL
            value = SMALL.result(after) * 1000 * (1 - 1e-6) if over else of_report(after)
            assert matrix[i, j] == pytest.approx(value)
        value, _, _ = reference_joint.by_linear_program(matrix)
        found = search.ask(asked(p, 1, 0))
        assert found.value == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("bounded", [False, True])
def test_two_turns_of_the_real_game(bounded: bool) -> None:
    search = NashSearch(SMALL, REPORT, bounded=bounded)
    for p in few_moves(2):
        value = reference_joint.nash(SMALL, p, 2, of_report)
        assert search.ask(asked(p, 2, 0)).value == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize("ordered", [False, True])
def test_alpha_beta_finds_the_paranoid_value(ordered: bool) -> None:
    search = ParanoidSearch(SMALL, REPORT, ordered=ordered)
    for p in few_moves(2):
        for player, sign in ((0, 1.0), (1, -1.0)):
            # The weights are even-handed, so that both players' values are opposite.
            value = reference_joint.paranoid(SMALL, p, 2, player, of_report)
            found = search.ask(asked(p, 2, player, seed=5))
            assert found.value == pytest.approx(sign * value)
            moves = len(SMALL.legal_moves(p, 0)) * len(SMALL.legal_moves(p, 1))
            assert found.leaves < moves**2 or moves == 1


@pytest.mark.parametrize("depth", [1, 2])
def test_what_the_best_answer_gains(depth: int) -> None:
    search = NashSearch(SMALL, REPORT)
    for p in few_moves(2):
        for player in (0, 1):
            question = asked(p, depth, player)
            rows, columns, matrix = search.matrix(question)
            mine = matrix if player == 0 else -matrix.T
            own = rows if player == 0 else columns
            moves = tuple(MoveValue(move, None) for move in own)
            even = Answer(moves, strategy=(1 / len(own),) * len(own))
            value, _, _ = reference_joint.by_linear_program(mine)
            gain = search.exploited(question, even)
            assert gain == pytest.approx(value - mine.mean(axis=0).min(), abs=1e-5)
            best = search.ask(question)
            gain = search.exploited(question, best)
            assert gain == pytest.approx(0, abs=1e-5)


def test_a_narrow_root_has_the_best_moves_of_depth_1() -> None:
    search = NashSearch(SMALL, REPORT)
    (p,) = few_moves(1)
    rows, columns, matrix = search.matrix(asked(p, 2))
    wide = NashSearch(SMALL, REPORT, width=64).ask(asked(p, 2))
    assert set(wide.chances()) == set(rows)
    assert wide.value == pytest.approx(search.ask(asked(p, 2, 0)).value, abs=1e-5)
    two = NashSearch(SMALL, REPORT, width=2)
    narrow = [two.ask(asked(p, 2, player)) for player in (0, 1)]
    own = [rows.index(move) for move in narrow[0].chances()]
    other = [columns.index(move) for move in narrow[1].chances()]
    assert len(own) == len(other) == 2
    value, _, _ = reference_joint.by_linear_program(matrix[np.ix_(own, other)])
    assert narrow[0].value == pytest.approx(value, abs=1e-5)
    assert narrow[1].value == pytest.approx(-value, abs=1e-5)
    one = search.ask(asked(p, 1, 0))
    likely = {move for move, chance in one.chances().items() if chance > 0.01}
    assert likely & set(narrow[0].chances())


def test_who_moves_first_bounds_the_equilibrium() -> None:
    search, paranoid = NashSearch(SMALL, REPORT), ParanoidSearch(SMALL, REPORT)
    for p in few_moves(4):
        between = worth(search.ask(asked(p, 2)))
        assert worth(paranoid.ask(asked(p, 2, 0))) <= between + 1e-5
        assert -worth(paranoid.ask(asked(p, 2, 1))) >= between - 1e-5


def test_hope_takes_the_best_or_the_mean() -> None:
    search = NashSearch(SMALL, REPORT)
    average, hope = (HopefulSearch(SMALL, REPORT, takes_mean=mean) for mean in (True, False))
    for p in random_positions(SMALL, 6, seed=3):
        _, _, matrix = search.matrix(asked(p))
        assert average.ask(asked(p)).value == pytest.approx(matrix.mean(axis=1).max())
        assert hope.ask(asked(p)).value == pytest.approx(matrix.max())


def test_a_position_that_stood_often_enough_is_a_draw() -> None:
    p = SMALL.parse("5/6/7/8/4R4/8/7/6/s4 1-1 9")
    back = SMALL.play_both(p, *(SMALL.parse_move(p, m, k) for k, m in enumerate(
        ("(0,0)-(0,1)", "(-4,0)-(-4,1)"))))  # fmt: skip
    search = NashSearch(SMALL, REPORT)
    rows, columns, free = search.matrix(asked(back))
    i = rows.index(SMALL.parse_move(back, "(0,1)-(0,0)", 0))
    j = columns.index(SMALL.parse_move(back, "(-4,1)-(-4,0)", 1))
    assert free[i, j] != 0
    once = search.matrix(asked(back, earlier=[p]))[2]
    assert once[i, j] == free[i, j], "once is not enough"
    twice = search.matrix(asked(back, earlier=[p, back, p]))[2]
    assert twice[i, j] == 0
    assert (twice != free).sum() == 1
    careful = NashSearch(SMALL, REPORT, guard=1).matrix(asked(back, earlier=[p]))[2]
    assert careful[i, j] == 0


@pytest.mark.parametrize("guard", [1, 2])
def test_where_one_stands_is_searched_although_it_stood_before(guard: int) -> None:
    p = few_moves(1)[0]
    search = NashSearch(SMALL, REPORT, guard=guard)
    free = search.ask(asked(p, 2, 0))
    found = search.ask(asked(p, 2, earlier=[p]))
    assert found.interior > 1
    assert found.value == pytest.approx(free.value, abs=1e-5)


def test_lines_are_counted_on_and_anew_when_they_are_others() -> None:
    a, b, c = random_positions(SMALL, 3, seed=4)
    standing = Standing(SMALL)
    assert len(standing.drawn_keys(b, [a], 1)) == 2
    (twice,) = standing.drawn_keys(a, [a, b], 2)
    assert standing.drawn_keys(c, [a, b, a], 2) == [twice]
    assert standing.drawn_keys(b, [a], 2) == [], "taken back"
    assert twice not in standing.drawn_keys(c, [b], 1), "another line"
    assert Standing(RoPaSci(throws=2, repetitions=0)).drawn_keys(a, [a, a], 2) == []


def test_a_stopped_search_still_has_a_strategy() -> None:
    search = NashSearch(SMALL, REPORT)
    p = random_positions(SMALL, 5, seed=1)[-1]
    found = search.to_depth(replace(asked(p), limits=Limits(depth=3, seconds=1e-4)))
    assert search.ws["stop"] == 1
    assert sum(found.strategy or ()) == pytest.approx(1)


def test_nobody_chooses_when_the_game_is_over() -> None:
    over = SMALL.parse("R4/6/7/8/9/8/7/6/5 2-2 9")
    with pytest.raises(PetteiaError, match="nobody chooses"):
        NashSearch(SMALL, REPORT).ask(asked(over))
    with pytest.raises(PetteiaError, match="not possible"):
        ParanoidSearch(SMALL, REPORT).ask(asked(SMALL.start(), depth=9))


# --- Monte Carlo ---------------------------------------------------------------------------------


@pytest.mark.parametrize("selection", SELECTIONS)
def test_monte_carlo_learns_the_toy(selection: str) -> None:
    tree = JointMctsSearch(TOY, EVEN, selection=selection, exploration=0.2)
    limits = Limits(nodes=20_000)
    row, column = (
        tree.ask(Question(TOY.start(), EVEN.array, limits, player, seed=3)) for player in (0, 1)
    )
    # A round is matching pennies: one finger and three are the same.
    pennies = np.array(
        [[1.0 if (a + b) % 2 == 0 else -1.0 for b in column.chances()] for a in row.chances()]
    )
    x, y = (np.array(list(found.chances().values())) for found in (row, column))
    assert exploitability(pennies, x, y) < 0.5
    assert row.leaves == 20_000


@pytest.mark.parametrize("selection", SELECTIONS)
def test_monte_carlo_does_not_beat_its_own_token(selection: str) -> None:
    p = SMALL.parse("5/6/7/8/4RS3/8/7/6/r4 2-1 9")
    tree = JointMctsSearch(SMALL, REPORT, selection=selection, exploration=0.2)
    question = Question(p, REPORT.array, Limits(nodes=5000), seed=1)
    found, same = tree.ask(question), tree.ask(question)
    assert found.strategy == same.strategy
    assert found.chances()[SMALL.parse_move(p, "(0,0)-(0,1)", 0)] < 0.03


def test_monte_carlo_says_what_is_wrong() -> None:
    with pytest.raises(PetteiaError, match="unknown selection"):
        JointMctsSearch(TOY, EVEN, selection="ucb")
    with pytest.raises(PetteiaError, match="exploration"):
        JointMctsSearch(TOY, EVEN, selection="rm", exploration=1.0)
    with pytest.raises(PetteiaError, match="needs a limit"):
        JointMctsSearch(TOY, EVEN).ask(of_start(1, 0))


def test_monte_carlo_goes_on_when_its_memory_is_full() -> None:
    tree = JointMctsSearch(SMALL, REPORT, megabytes=1)
    found = tree.ask(Question(SMALL.start(), REPORT.array, Limits(nodes=20_000)))
    assert found.leaves == 20_000
    assert found.interior <= len(tree._nodes)


def test_a_depth_that_cannot_be_finished_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    search = NashSearch(TOY, EVEN)
    question = replace(of_start(3, 0), limits=Limits(depth=3, seconds=60.0))
    assert search.answer(question).depth == 3
    monkeypatch.setattr(nash, "_grown", lambda before, took: 1000.0 if before else 0.0)
    assert search.answer(question).depth == 2
    assert search.answer(of_start(3, 0)).depth == 3  # without a clock it is what was asked for
