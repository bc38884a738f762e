"""The rules of Breakthrough: against the printed ones, and one by one."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
import pytest

from petteia.compiled import kernel, store
from petteia.core import spec as specs
from petteia.core.errors import PetteiaError
from petteia.core.game import DECISION, TERMINAL
from petteia.core.words import Words
from petteia.games.breakthrough import Breakthrough
from petteia.games.breakthrough.reference import ReferencePosition, ReferenceRules
from tests.games.breakthrough.boards import (
    board,
    every_board,
    late,
    of_games,
    one_worker_boards,
    pieces_of,
    printed,
    scattered,
    words_of,
)

# --- against the printed rules ------------------------------------------------------------------


@kernel
def look(game: Any, p: Words, facts: np.ndarray, moves: np.ndarray, after: np.ndarray) -> float:
    """Writes kind, mover, forced and the end of the moves; the moves; and where each leads."""
    facts[0] = game.kind(p)
    facts[1] = game.mover(p)
    facts[2] = game.forced(p)
    facts[3] = facts[4] = 0
    if facts[0] == TERMINAL:
        return float(game.result(p))
    facts[3] = game.moves(p, moves[0], 0)
    facts[4] = game.noisy_moves(p, moves[1], 0)
    for i in range(facts[3]):
        moves[2, i] = game.priority(p, moves[0, i])
        store(after, i, game.play(p, moves[0, i]))
    return 0.0


class Seen:
    """What the kernels say about a position."""

    def __init__(self, game: Breakthrough, p: Words) -> None:
        facts = np.zeros(5, np.int64)
        moves = np.zeros((3, game.max_moves), np.int64)
        after = np.zeros((game.max_moves, 3), np.uint64)
        self.result = look(game, p, facts, moves, after)
        self.kind, self.mover, self.forced = (int(fact) for fact in facts[:3])
        self.moves: list[int] = moves[0, : facts[3]].tolist()
        self.noisy: list[int] = moves[1, : facts[4]].tolist()
        self.priorities: list[int] = moves[2, : facts[3]].tolist()
        self.after = [tuple(row) for row in after[: facts[3]]]


@every_board
@pytest.mark.rules
def test_rules_are_the_printed_ones(game: Breakthrough) -> None:
    rules = printed(game)
    assert game.start() == words_of(game, rules.start())
    for p in chain(of_games(game, 250, seed=1), scattered(game, 150, seed=2)):
        position, seen = pieces_of(game, p), Seen(game, p)
        winner = rules.winner(position)
        assert seen.kind == game.kind(p) == (DECISION if winner is None else TERMINAL)
        assert seen.mover == game.mover(p) == "wb".index(position.mover)
        if winner is not None:
            assert seen.result == game.result(p) == {"w": 1.0, "b": -1.0}[winner]
        assert seen.moves == game.legal_moves(p)
        assert len(seen.moves) == len(set(seen.moves)) <= game.max_moves
        texts = {game.move_text(p, move): move for move in seen.moves}
        assert sorted(texts) == sorted(rules.legal_moves(position))
        assert seen.after == [game.play(p, move) for move in seen.moves]
        for text, move in texts.items():
            assert pieces_of(game, game.play(p, move)) == rules.play(position, text)


@every_board
@pytest.mark.rules
def test_compiled_hooks_are_the_interpreted_ones(game: Breakthrough) -> None:
    for p in chain(of_games(game, 150, seed=3), late(game, 150, seed=4)):
        seen = Seen(game, p)
        assert seen.forced == game.forced(p)
        assert seen.noisy == game.legal_moves(p, only_noisy=True)
        assert seen.priorities == [game.priority(p, move) for move in game.legal_moves(p)]


@every_board
@pytest.mark.rules
def test_interpreted_kernels_keep_words_as_words(game: Breakthrough) -> None:
    for p in of_games(game, 50, seed=5):
        assert [type(word) for word in p] == [np.uint64] * 3


# --- the rules one by one -----------------------------------------------------------------------


def texts(game: Breakthrough, fen: str) -> set[str]:
    """The legal moves of a position as texts; the printed rules must agree."""
    p = game.parse(fen)
    found = {game.move_text(p, move) for move in game.legal_moves(p)}
    assert found == set(printed(game).legal_moves(pieces_of(game, p)))
    return found


def winner(game: Breakthrough, fen: str, *moves: str) -> str | None:
    """Who has won after these moves."""
    p = game.parse(fen)
    for move in moves:
        assert game.kind(p) == DECISION
        p = game.play(p, game.parse_move(p, move))
    seen = Seen(game, p)
    assert seen.kind == game.kind(p)
    name = None if seen.kind == DECISION else "white" if seen.result > 0 else "black"
    assert (
        name == {"w": "white", "b": "black", None: None}[printed(game).winner(pieces_of(game, p))]
    )
    return name


FULL = board()
FIVE = board(columns=5, rows=5)
THREE = board(workers=3)


@pytest.mark.rules
def test_each_player_fills_two_home_rows() -> None:
    assert FULL.text(FULL.start()) == "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w"


@pytest.mark.rules
def test_the_long_board_has_ten_columns_and_twenty_workers_a_side() -> None:
    game = board(columns=10, rows=5)
    assert game.text(game.start()) == "pppppppppp/pppppppppp/10/PPPPPPPPPP/PPPPPPPPPP w"


@pytest.mark.rules
def test_one_row_can_be_filled() -> None:
    game = board(columns=5, rows=5, filled=1)
    assert game.text(game.start()) == "ppppp/5/5/5/PPPPP w"


@pytest.mark.rules
def test_the_second_player_can_start() -> None:
    assert FULL.mover(FULL.start()) == 0
    game = board(first=1)
    assert game.mover(game.start()) == 1
    assert len(game.legal_moves(game.start())) == 22


@pytest.mark.rules
def test_a_worker_moves_straight_or_diagonally_ahead() -> None:
    assert texts(FIVE, "4p/5/5/2P2/5 w") == {"c2b3", "c2c3", "c2d3"}
    assert texts(FIVE, "5/2p2/5/5/4P b") == {"c4b3", "c4c3", "c4d3"}


@pytest.mark.rules
def test_a_worker_at_the_edge_stays_on_the_board() -> None:
    assert texts(FIVE, "4p/5/5/P4/5 w") == {"a2a3", "a2b3"}
    assert texts(FIVE, "p4/5/5/4P/5 w") == {"e2d3", "e2e3"}
    assert texts(FIVE, "5/p4/5/5/4P b") == {"a4a3", "a4b3"}
    assert texts(FIVE, "5/4p/5/5/P4 b") == {"e4d3", "e4e3"}


@pytest.mark.rules
def test_a_straight_capture_is_illegal() -> None:
    assert texts(FIVE, "5/5/2p2/2P2/5 w") == {"c2b3", "c2d3"}
    assert texts(FIVE, "5/5/2p2/2P2/5 b") == {"c3b2", "c3d2"}


@pytest.mark.rules
def test_a_diagonal_capture_takes_the_worker() -> None:
    fen = "4p/5/1p3/2P2/5 w"
    assert texts(FIVE, fen) == {"c2xb3", "c2c3", "c2d3"}
    p = FIVE.parse(fen)
    assert FIVE.text(FIVE.play(p, FIVE.parse_move(p, "c2xb3"))) == "4p/5/1P3/5/5 b"


@pytest.mark.rules
def test_capturing_is_not_compulsory() -> None:
    assert {"c2c3", "c2d3"} < texts(FIVE, "4p/5/1p3/2P2/5 w")


@pytest.mark.rules
def test_own_workers_block() -> None:
    assert texts(FIVE, "4p/5/1PPP1/2P2/5 w").isdisjoint({"c2b3", "c2c3", "c2d3"})


@pytest.mark.rules
def test_the_other_player_moves_next() -> None:
    p = FULL.play(FULL.start(), FULL.parse_move(FULL.start(), "a2a3"))
    assert FULL.mover(p) == 1
    assert FULL.mover(FULL.play(p, FULL.parse_move(p, "h7h6"))) == 0


@pytest.mark.rules
@pytest.mark.parametrize("move", ["c4b5", "c4c5", "c4xd5"])
def test_reaching_the_home_row_wins(move: str) -> None:
    assert winner(FIVE, "3pp/2P2/5/5/P4 w", move) == "white"


@pytest.mark.rules
def test_reaching_the_home_row_wins_for_black() -> None:
    assert winner(FIVE, "3p1/5/5/1p3/2P2 b", "b2xc1") == "black"
    assert winner(FIVE, "3p1/5/5/1p3/2P2 b", "b2a1") == "black"


@pytest.mark.rules
def test_capturing_all_wins() -> None:
    assert winner(FIVE, "5/5/1p3/2P2/5 w", "c2xb3") == "white"
    assert winner(FIVE, "5/5/1p3/2P2/5 b", "b3xc2") == "black"
    assert winner(FIVE, "4p/5/1p3/2P2/5 w", "c2xb3") is None


@pytest.mark.rules
def test_a_finished_game_has_no_moves() -> None:
    for fen in ("2P1p/5/5/5/P4 b", "5/5/1P3/5/5 b", "4p/5/5/5/1p2P w"):
        assert FIVE.legal_moves(FIVE.parse(fen)) == []


@pytest.mark.rules
def test_every_move_advances_so_games_end() -> None:
    for game in (FULL, THREE, board(columns=2, rows=32)):
        lengths = [0]
        for p in of_games(game, 2000, seed=6):
            if game.kind(p) == TERMINAL:
                lengths.append(0)
            else:
                lengths[-1] += 1
        assert len(lengths) > 5
        assert max(lengths) <= game.max_plies


@one_worker_boards
@pytest.mark.rules
def test_with_one_worker_to_win_a_player_can_always_move(game: Breakthrough) -> None:
    for p in scattered(game, 200, seed=7):
        assert game.kind(p) == TERMINAL or game.legal_moves(p)


# --- three workers ------------------------------------------------------------------------------


@pytest.mark.rules
def test_the_third_arrival_wins() -> None:
    fen = "PP1p1p1p/3P4/8/8/8/8/p7/1pp5 w"
    assert winner(THREE, fen) is None
    assert winner(THREE, fen, "d7c8") == "white"
    assert winner(THREE, fen, "d7e8") == "white"
    assert winner(THREE, "PP1p1p1p/3P4/8/8/8/8/p7/1pp5 b", "a2a1") == "black"


@pytest.mark.rules
def test_a_second_arrival_does_not_win() -> None:
    assert winner(THREE, "P2p1p1p/3P4/8/8/8/4P3/p7/1p6 w", "d7c8") is None


@pytest.mark.rules
def test_fewer_than_three_workers_left_loses() -> None:
    fen = "8/8/8/1ppp4/P1P5/8/8/P7 w"
    assert winner(THREE, fen) is None
    assert winner(THREE, fen, "a4xb5") == "white"
    assert winner(THREE, fen, "a4a5") is None
    assert winner(THREE, "8/8/8/1ppp4/P1P5/8/8/P7 b", "b5xa4") == "black"


@pytest.mark.rules
def test_arrived_workers_count_as_left() -> None:
    assert winner(THREE, "P7/8/2p5/1P6/3p4/4P3/1p6/7p b", "d4xe3") == "black"
    assert winner(THREE, "P7/8/2p5/1P6/3p4/4P3/1p6/7p b", "d4d3") is None


@pytest.mark.rules
def test_without_a_legal_move_the_mover_loses() -> None:
    blocked = "pP1P4/P7/8/8/8/8/5ppp/8 w"
    assert texts(THREE, blocked) == set()
    assert winner(THREE, blocked) == "black"
    assert winner(THREE, "pP1P4/P7/8/8/8/5p2/6pp/8 b", "f3f2") == "black"
    assert winner(THREE, "8/5PPP/8/8/8/8/p7/Pp1p4 b") == "white"


@pytest.mark.rules
def test_stalemate_of_the_player_who_is_not_to_move_does_not_end_the_game() -> None:
    assert winner(THREE, "pP1P4/P7/8/8/8/5p2/6pp/8 b") is None


@pytest.mark.rules
def test_an_arrived_worker_cannot_move() -> None:
    moves = texts(THREE, "P6P/8/4p3/8/8/2P5/p7/2p1p3 w")
    assert {move[:2] for move in moves} == {"c3"}
    moves = texts(THREE, "P6P/8/4p3/8/8/2P5/p7/2p1p3 b")
    assert {move[:2] for move in moves} == {"e6", "a2"}


@pytest.mark.rules
def test_an_arrived_worker_cannot_be_captured() -> None:
    for p in chain(of_games(THREE, 600, seed=8), scattered(THREE, 400, seed=9)):
        mover = int(THREE.mover(p))
        own_home = set(range(8)) if mover == 0 else set(range(56, 64))
        assert not any(move % 64 in own_home for move in THREE.legal_moves(p))


@pytest.mark.rules
def test_two_workers_to_win_need_two() -> None:
    two = board(columns=5, rows=5, workers=2)
    assert winner(two, "P3p/2P2/5/5/p3P w", "c4b5") == "white"
    assert winner(two, "4p/2P2/5/P4/p3P w", "c4b5") is None
    assert winner(two, "4p/5/1p3/2P2/P4 w", "c2xb3") == "white"


# --- parameters ---------------------------------------------------------------------------------


@pytest.mark.rules
@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({"columns": 1}, "1 columns"),
        ({"rows": 2}, "2 rows"),
        ({"columns": 9, "rows": 8}, "at most 64 squares"),
        ({"filled": 0}, "filled=0"),
        ({"rows": 5, "filled": 3}, "1 to 2 home rows"),
        ({"workers": 0}, "workers=0"),
        ({"workers": 9}, "1 to 8"),
        ({"first": 2}, "first=2"),
    ],
)
def test_impossible_parameters_are_refused(parameters: dict[str, int], named: str) -> None:
    with pytest.raises(PetteiaError, match=named) as caught:
        Breakthrough(**parameters)
    assert "\n" not in str(caught.value)


@pytest.mark.rules
def test_variants_are_settings_of_the_parameters() -> None:
    made = {
        name: specs.build(Breakthrough, specs.Spec(name, tuple(settings.items())), what="variant")
        for name, settings in Breakthrough.variants.items()
    }
    three, long = made["three-workers"], made["long-board"]
    assert (three.columns, three.rows, three.workers) == (8, 8, 3)
    assert (long.columns, long.rows, long.filled, long.workers) == (10, 5, 2, 1)
    assert str(long) == "breakthrough(columns=10, rows=5)"


@pytest.mark.rules
def test_the_reference_refuses_what_is_illegal() -> None:
    rules = ReferenceRules()
    with pytest.raises(ValueError, match="a1a2 is not legal"):
        rules.play(rules.start(), "a1a2")
    assert rules.square(0, 1) is None
    with pytest.raises(ValueError, match="not legal"):
        rules.play(ReferencePosition({"a8": "w", "b8": "b"}, "b"), "b8b7")
