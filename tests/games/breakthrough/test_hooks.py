"""What searches ask of Breakthrough beyond its rules: forced ends, noisy moves, order, symmetry."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import pytest

from petteia.core.game import DECISION, TERMINAL
from petteia.core.words import Words
from petteia.games.breakthrough import Breakthrough
from tests.games.breakthrough.boards import (
    board,
    empty_list,
    every_board,
    late,
    of_games,
    one_worker_boards,
    pieces_of,
    printed,
    scattered,
)

FIVE = board(columns=5, rows=5)


def wins_at_once(game: Breakthrough, p: Words) -> bool:
    """Whether some move of the mover ends the game in its favour."""
    sign = 1 if game.mover(p) == 0 else -1
    children = [game.play(p, move) for move in game.legal_moves(p)]
    return any(game.kind(q) == TERMINAL and sign * game.result(q) > 0 for q in children)


def loses_in_two(game: Breakthrough, p: Words) -> bool:
    """Whether after every move of the mover the enemy wins with its next."""
    moves = game.legal_moves(p)
    children = [game.play(p, move) for move in moves]
    return all(game.kind(q) == DECISION and wins_at_once(game, q) for q in children)


@every_board
@pytest.mark.rules
def test_forced_tells_the_truth(game: Breakthrough) -> None:
    told: Counter[int] = Counter()
    for p in late(game, 400, seed=10):
        if game.kind(p) == TERMINAL:
            continue
        forced = game.forced(p)
        told[forced] += 1
        if forced == 1:
            assert wins_at_once(game, p), game.text(p)
        if forced == -2:
            assert not wins_at_once(game, p), game.text(p)
            assert loses_in_two(game, p), game.text(p)
    if game.workers > 1:
        assert set(told) == {0}
    else:
        assert min(told[1], told[-2]) > 0


def arrives_at_once(game: Breakthrough, p: Words) -> bool:
    """Whether some move of the mover reaches the enemy's home row."""
    goal = int(game.goals[int(game.mover(p))])
    return any(goal >> move % 64 & 1 for move in game.legal_moves(p))


@one_worker_boards
@pytest.mark.rules
def test_forced_sees_every_arrival_and_every_threat_that_stands(game: Breakthrough) -> None:
    for p in late(game, 300, seed=11):
        if game.kind(p) == TERMINAL:
            continue
        children = [game.play(p, move) for move in game.legal_moves(p)]
        if arrives_at_once(game, p):
            wanted = 1
        else:
            wanted = -2 if all(arrives_at_once(game, q) for q in children) else 0
        seen = game.forced(p)  # what takes longer is held against solved boards
        assert (seen if seen in (1, -2) else 0) == wanted, game.text(p)


@pytest.mark.rules
def test_forced_by_example() -> None:
    assert FIVE.forced(FIVE.parse("p4/3P1/5/5/P4 w")) == 1
    assert FIVE.forced(FIVE.parse("p4/3P1/5/5/P4 b")) == -2
    assert FIVE.forced(FIVE.parse("4p/3P1/5/5/P4 b")) == 0  # e5xd4 holds
    assert FIVE.forced(FIVE.parse("2p1p/1P1P1/5/5/P4 b")) == -2  # two threats, one capture
    assert FIVE.forced(FIVE.parse("p4/3P1/5/p4/4P b")) == 1
    assert FIVE.forced(FIVE.start()) == 0


@every_board
@pytest.mark.rules
def test_noisy_moves_capture_workers_that_are_far_or_unsupported(game: Breakthrough) -> None:
    rules = printed(game)
    for p in chain(of_games(game, 100, seed=12), scattered(game, 200, seed=13)):
        if game.kind(p) == TERMINAL:
            continue
        position = pieces_of(game, p)
        noisy = {game.move_text(p, move) for move in game.legal_moves(p, only_noisy=True)}
        captures = {move for move in rules.legal_moves(position) if "x" in move}
        wanted = set()
        for capture in captures:
            target = capture.partition("x")[2]
            row = int(target[1:])
            walked = row if position.enemy == "w" else game.rows + 1 - row
            past_the_middle = 2 * walked > game.rows + 1
            taken = rules.play(position, capture)
            taken_back = any(reply.endswith(f"x{target}") for reply in rules.steps(taken))
            if past_the_middle or not taken_back:
                wanted.add(capture)
        assert noisy == wanted, game.text(p)


@one_worker_boards
@pytest.mark.rules
def test_priority_looks_at_wins_then_captures_then_far_moves(game: Breakthrough) -> None:
    for p in late(game, 300, seed=14):
        player = int(game.mover(p))
        by_class: dict[int, list[int]] = {0: [], 1: [], 2: []}
        for move in game.legal_moves(p):
            after = game.play(p, move)
            won = game.kind(after) == TERMINAL
            takes = "x" in game.move_text(p, move)
            by_class[0 if won else 1 if takes else 2].append(game.priority(p, move))
            if not takes and not won:
                assert game.priority(p, move) == game.advance(move % 64, player) < 100
            if takes and not won:  # the further the victim has come, the sooner
                assert game.priority(p, move) == 100 + 8 * game.advance(move % 64, 1 - player)
        for better, worse in ((0, 1), (0, 2), (1, 2)):
            if by_class[better] and by_class[worse]:
                assert min(by_class[better]) > max(by_class[worse]), game.text(p)
        assert all(priority >= 100 for priority in by_class[0] + by_class[1])


@every_board
@pytest.mark.rules
def test_no_position_has_more_moves_than_said(game: Breakthrough) -> None:
    moves = empty_list(game)
    for p in scattered(game, 300, seed=15):
        assert game.moves(p, moves, 0) <= game.max_moves


# --- symmetries ---------------------------------------------------------------------------------


@every_board
@pytest.mark.rules
def test_mirrored_and_exchanged_positions_are_the_same_game(game: Breakthrough) -> None:
    for p in chain(of_games(game, 60, seed=16), scattered(game, 60, seed=17)):
        moves = game.legal_moves(p)
        (mirrored, _), (exchanged, _) = game.symmetries(p, 0)
        assert game.symmetries(mirrored, 0)[0][0] == p
        assert game.symmetries(exchanged, 0)[1][0] == p
        assert game.kind(p) == game.kind(mirrored) == game.kind(exchanged)
        if game.kind(p) == TERMINAL:
            assert game.result(p) == game.result(mirrored) == -game.result(exchanged)
            continue
        assert game.forced(p) == game.forced(mirrored) == game.forced(exchanged)
        pairs = [game.symmetries(p, move) for move in moves]
        for which, other in ((0, mirrored), (1, exchanged)):
            assert sorted(pair[which][1] for pair in pairs) == sorted(game.legal_moves(other))
        for move, pair in zip(moves, pairs, strict=True):
            after = game.symmetries(game.play(p, move), 0)
            for which, (twin, twin_move) in enumerate(pair):
                assert game.play(twin, twin_move) == after[which][0]
                assert game.priority(twin, twin_move) == game.priority(p, move)
