"""Exact distances: against plain minimax, and on games whose values are known."""

from __future__ import annotations

import math

import pytest

from petteia import games
from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL, Game
from petteia.core.words import Words
from petteia.search.distance import Prover
from petteia.search.stepper import stepper_of
from tests.games.checkers.boards import board, scattered
from tests.positions import random_positions

CHECKERS = board(repetitions=0, quiet_plies=0)


def distance(game: Game, p: Words, plies: int) -> float:
    """Plies to the end with its sign for the mover, infinite if not within ``plies``."""
    seen = stepper_of(game).look(p)
    if seen.kind == TERMINAL:
        return math.inf if seen.result == 0 else 0.0
    if plies == 0:
        return math.inf
    best = math.inf
    losses = []
    for move in seen.moves:
        after = stepper_of(game).play(p, move)
        value = distance(game, after, plies - 1)
        if value <= 0:
            best = min(best, 1 - value)
        losses.append(value)
    if best < math.inf:
        return best
    return -1 - max(losses) if all(0 < value < math.inf for value in losses) else math.inf


def test_distances_are_those_of_plain_search() -> None:
    prover = Prover(CHECKERS, table_bits=16)
    found = {"win": 0, "loss": 0, "unknown": 0}
    for p in scattered(250, 41, most=3):
        if CHECKERS.kind(p) == TERMINAL:
            continue
        wanted = distance(CHECKERS, p, 5)
        proved = prover.prove(p, plies=5)
        found[proved.result] += 1
        if proved.plies is None:
            assert wanted == math.inf
            assert proved.searched == 5
        else:
            assert wanted == (proved.plies if proved.result == "win" else -proved.plies)
            assert len(proved.line) == proved.plies
            assert proved.line[0] == proved.best
            assert proved.best in proved.optimal
    assert min(found.values()) > 5


def test_every_optimal_move_keeps_the_distance_and_no_other_does() -> None:
    prover = Prover(CHECKERS, table_bits=16)
    for p in scattered(120, 42, most=3):
        if CHECKERS.kind(p) == TERMINAL:
            continue
        proved = prover.prove(p, plies=5)
        if proved.plies is None:
            continue
        for move in CHECKERS.legal_moves(p):
            after = distance(CHECKERS, CHECKERS.play(p, move), 5)
            kept = proved.plies - 1 if proved.result == "loss" else 1 - proved.plies
            assert (move in proved.optimal) == (after == kept)


def test_lines_end_in_the_win_that_was_proved() -> None:
    p = CHECKERS.parse("W:W7,11,15:B4,8,K14,16")
    proved = Prover(CHECKERS).prove(p, sized=True)
    assert (proved.result, proved.plies) == ("win", 7)
    assert proved.proof_size is not None
    assert len(proved.line) < proved.proof_size < proved.nodes
    for move in proved.line:
        p = CHECKERS.play(p, move)
    assert CHECKERS.kind(p) == TERMINAL
    assert CHECKERS.result(p) == -1.0


def test_a_draw_is_proved_where_every_line_ends() -> None:
    game = board()
    p = game.parse("W:WK5:BK32:H75")  # five more quiet plies are a draw
    proved = Prover(game, table_bits=16).prove(p)
    assert (proved.result, proved.plies, proved.best) == ("draw", None, None)
    assert proved.searched == 5


def test_what_was_not_decided_is_said() -> None:
    proved = Prover(CHECKERS).prove(CHECKERS.start(), nodes=20_000)
    assert (proved.result, proved.plies, proved.best, proved.line) == ("unknown", None, None, ())
    assert proved.searched >= 3


def test_the_end_of_a_game_proves_nothing() -> None:
    with pytest.raises(PetteiaError, match="the game is over"):
        Prover(CHECKERS).prove(CHECKERS.parse("W:W:B1"))


def test_threads_prove_the_same() -> None:
    one, two = (Prover(CHECKERS, table_bits=16, threads=count) for count in (1, 2))
    for p in scattered(40, 43, most=4):
        if CHECKERS.kind(p) != TERMINAL:
            found, expected = (prover.prove(p, plies=9) for prover in (two, one))
            assert (found.result, found.plies) == (expected.result, expected.plies)
            assert (found.optimal, found.line) == (expected.optimal, expected.line)


def test_a_fresh_prover_answers_at_once() -> None:
    p = CHECKERS.parse("B:W6:B1")  # Black takes White's last piece
    assert Prover(CHECKERS, table_bits=16).within(p, 1, 0) == 1
    assert Prover(CHECKERS, table_bits=16).within(p, 1, 1) < 0


def test_ends_that_are_certain_at_a_glance_shorten_proofs_and_change_nothing() -> None:
    game = games.make("breakthrough(columns=4, rows=6)")
    whole, short = (Prover(game, table_bits=18, rules_alone=alone) for alone in (True, False))
    decided = 0
    for p in random_positions(game, 700, seed=4)[10::9]:
        one, two = (prover.prove(p, plies=7) for prover in (whole, short))
        assert (one.result, one.plies, one.optimal) == (two.result, two.plies, two.optimal)
        if one.plies is not None and one.plies > 1:
            assert two.nodes < one.nodes
            assert len(two.line) == two.plies
            decided += 1
    assert decided > 10
