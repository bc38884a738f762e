"""The player who reads the other: what it expects, and what it may lose by it."""

from __future__ import annotations

import numpy as np
import pytest

from petteia import agents
from petteia.core.errors import PetteiaError
from petteia.core.history import Line
from petteia.games.ropasci import RoPaSci
from petteia.search.matrix import MatrixSolver, exploitability
from petteia.search.reading import careful_response
from tests.toys import OddEven

RPS = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
"""Rock, paper, scissors."""
MOSTLY_ROCK = np.array([0.8, 0.1, 0.1])
GAME = RoPaSci()


def test_without_a_risk_it_is_an_equilibrium() -> None:
    row, risked = careful_response(MatrixSolver(3), RPS, MOSTLY_ROCK, 0.0)
    assert row == pytest.approx([1 / 3] * 3)
    assert risked == pytest.approx(0.0)


def test_with_every_risk_it_is_the_best_answer() -> None:
    row, risked = careful_response(MatrixSolver(3), RPS, MOSTLY_ROCK, 2.0)
    assert row == pytest.approx([0, 1, 0])
    assert risked == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(5))
def test_a_risk_is_kept_and_pays_the_more_the_larger_it_is(seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix, expected = rng.normal(size=(9, 7)), rng.dirichlet(np.ones(7))
    solver = MatrixSolver(9)
    fair = solver.solve(matrix)
    gains = []
    for risk in (0.0, 0.05, 0.2, 0.5, 9.0):
        row, risked = careful_response(solver, matrix, expected, risk)
        assert risked <= risk
        assert exploitability(matrix, row, fair.column) <= risk + 1e-9
        gains.append(float(row @ matrix @ expected))
    assert gains == sorted(gains)
    assert gains[-1] == pytest.approx((matrix @ expected).max())


def against(enemy: str, turns: int) -> Line:
    """A game of the reader, player 1, against another."""
    line, players = Line(GAME), (agents.make(enemy, GAME), agents.make("reader", GAME))
    for turn in range(turns):
        for agent in players:
            agent.follow(line)
        moves = [
            int(agent.choose(line.p, seed=turn, player=side).move)
            for side, agent in enumerate(players)
        ]
        line.stand(GAME.play_both(line.p, moves[0], moves[1]))
    return line


@pytest.mark.parametrize(("enemy", "style"), [("mean", "mean"), ("paranoid", "cautious")])
def test_habits_are_found_out(enemy: str, style: str) -> None:
    line = against(enemy, 20)
    reader = agents.make("reader(risk=3)", GAME)
    reader.follow(line)
    notes = reader.choose(line.p, seed=1, player=1).notes
    assert notes is not None
    assert str(notes["style"]).startswith(style)
    assert 0.0 <= float(str(notes["risked"])) <= 3.0


def test_a_line_says_the_same_at_once_and_step_by_step() -> None:
    line = against("mean", 8)
    step_by_step, at_once = (agents.make("reader", GAME) for _ in range(2))
    so_far = Line(GAME)
    for p in line.positions[1:]:
        step_by_step.follow(so_far)
        step_by_step.choose(so_far.p, player=1)
        so_far.stand(p)
    for agent in (step_by_step, at_once):
        agent.follow(line)
    answers = [agent.choose(line.p, player=1) for agent in (step_by_step, at_once)]
    assert answers[0].move == answers[1].move
    assert answers[0].value == answers[1].value
    assert answers[0].notes == answers[1].notes
    step_by_step.new_game()
    step_by_step.follow(Line(GAME))
    assert step_by_step.choose(GAME.start(), player=1).notes is None


def test_a_risk_below_nothing_is_refused() -> None:
    with pytest.raises(PetteiaError, match=r"agent reader: risk=-1\.0 is not possible; 0 or more"):
        agents.make("reader(risk=-1.0)", OddEven())
