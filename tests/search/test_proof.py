"""Proof-number search against solved boards and a toy."""

from __future__ import annotations

import pytest

from petteia import agents
from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL
from petteia.games.breakthrough.solution.solver import swept
from petteia.search.proof import ProofSearch
from tests.games.breakthrough.boards import board, of_games
from tests.toys import Race


def test_what_is_proven_is_so() -> None:
    game = board(columns=3, rows=5)
    solution = swept(game)
    search = ProofSearch(game, bits=16)
    known = won = 0
    for p in of_games(game, 300, seed=2):
        if game.kind(p) == TERMINAL:
            continue
        proof = search.run(p, nodes=20_000)
        if proof.wins is None:
            continue
        known += 1
        won += proof.wins
        assert proof.wins is solution.mover_wins(p), game.text(p)
        assert (proof.move in solution.winning_moves(p)) is proof.wins
    assert known > 150
    assert 20 < won < known - 20


def test_a_small_memory_costs_time_but_no_truth() -> None:
    game = board(columns=3, rows=5)
    solution, search = swept(game), ProofSearch(game, bits=6)
    for p in list(of_games(game, 120, seed=5))[::3]:
        if game.kind(p) != TERMINAL:
            proof = search.run(p, nodes=3000)
            assert proof.wins in (None, solution.mover_wins(p))


def test_limits_end_it() -> None:
    game = board(columns=3, rows=5)
    search = ProofSearch(game, bits=14)
    proof = search.run(game.start(), nodes=5)
    assert (proof.wins, proof.move) == (None, -1)
    assert proof.nodes == 5
    assert search.run(game.start(), seconds=0.0).wins is None


def test_it_refuses_what_it_cannot_prove() -> None:
    with pytest.raises(PetteiaError, match="they need a game of decisions without repetition"):
        ProofSearch(Race())


def test_the_engine_with_a_prover_beside_it_keeps_its_wins() -> None:
    game = board(columns=3, rows=5)
    solution = swept(game)
    agent = agents.make("engine(nodes=3000000, eval=even, proof=true)", game)
    plain = agents.make("engine(nodes=20, eval=even)", game)
    won = 0
    for p in of_games(game, 40, seed=3):
        if game.kind(p) != TERMINAL and solution.mover_wins(p):
            won += 1
            assert agent.choose(p).move in solution.winning_moves(p)
            assert plain.choose(p).notes is None
    assert won > 5
