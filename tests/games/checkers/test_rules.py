"""The rules of checkers: against the printed ones, and one by one."""

from __future__ import annotations

from itertools import chain

import pytest

from petteia.check import check_game
from petteia.core.errors import PetteiaError
from petteia.core.game import DECISION, TERMINAL
from petteia.core.words import Words, words
from petteia.games.checkers import Checkers, reference
from petteia.games.checkers.face.paths import way_of
from petteia.games.checkers.rules.board import ALL, bit_of, cell_of, number_at, number_of, turned
from petteia.search.stepper import stepper_of
from tests.games.checkers.boards import (
    board,
    circuits,
    of_games,
    printed,
    scattered,
    words_of,
)

COURSE = board(repetitions=0, quiet_plies=0)
BOTH = board(repetitions=0, quiet_plies=0, both_ways=True)


def texts(fen: str, game: Checkers = COURSE) -> set[str]:
    p = game.parse(fen)
    return {game.move_text(p, move) for move in game.legal_moves(p)}


def after(fen: str, *moves: str, game: Checkers = COURSE) -> str:
    p = game.parse(fen)
    for move in moves:
        p = game.play(p, game.parse_move(p, move))
    return game.text(p)


# --- the board ----------------------------------------------------------------------------------


@pytest.mark.rules
def test_squares_bits_and_cells_are_three_names_of_the_same() -> None:
    for number in range(1, 33):
        assert number_of(bit_of(number)) == number
        assert number_at(*cell_of(number)) == number
        assert int(ALL) >> bit_of(number) & 1
        assert turned(words(1 << bit_of(number))[0]) == 1 << bit_of(33 - number)
    assert int(ALL).bit_count() == 32
    assert [number_at(0, c) for c in range(8)] == [None, 1, None, 2, None, 3, None, 4]
    assert number_at(7, 0) == 29
    assert number_at(8, 1) is None


# --- against the printed rules ------------------------------------------------------------------


def path_cells(p: Words, move: int) -> tuple[tuple[int, int], ...]:
    return tuple(cell_of(number) for number in way_of(BOTH, p, move))


def same_as_printed(p: Words) -> int:
    """The kernels list the printed moves, in their order, and make the same positions of them."""
    position = printed(p)
    paths = reference.legal_moves(position)
    seen = stepper_of(BOTH).look(p)
    assert (seen.kind == TERMINAL) == (not paths)
    moves = [] if seen.kind == TERMINAL else seen.moves
    assert [path_cells(p, move) for move in moves] == paths
    for move, path in zip(moves, paths, strict=True):
        assert stepper_of(BOTH).play(p, move) == words_of(reference.play(position, path))
    merged = [] if COURSE.kind(p) == TERMINAL else stepper_of(COURSE).look(p).moves
    kinds = {(path[0], path[-1], frozenset(reference.taken_by(path))) for path in paths}
    assert len(merged) == len(kinds)
    assert merged == [move for move in moves if move >> 48 == 0]
    return len(moves) - len(merged)


@pytest.mark.rules
def test_the_start_is_as_printed() -> None:
    assert printed(COURSE.start()) == reference.start()


def test_the_kernels_agree_with_the_printed_rules() -> None:
    for p in chain(of_games(COURSE, 1000, 1), scattered(1500, 2), scattered(500, 3, most=5)):
        same_as_printed(p)


def test_the_kernels_agree_with_the_printed_rules_on_circuits() -> None:
    assert sum(same_as_printed(p) for p in circuits(400, 4)) > 100


@pytest.mark.rules
def test_the_plain_functions_agree_with_the_printed_rules() -> None:
    for p in chain(of_games(COURSE, 150, 4), scattered(250, 5)):
        position = printed(p)
        paths = reference.legal_moves(position)
        moves = BOTH.legal_moves(p)
        assert [path_cells(p, move) for move in moves] == paths
        for move, path in zip(moves, paths, strict=True):
            assert BOTH.play(p, move) == words_of(reference.play(position, path))


@pytest.mark.parametrize("game", [board(), COURSE, board(both_ways=True)], ids=str)
def test_the_contract_holds(game: Checkers) -> None:
    assert check_game(game, games=3).positions > 100


# --- one by one ---------------------------------------------------------------------------------


@pytest.mark.rules
def test_black_begins_with_seven_moves() -> None:
    assert texts(COURSE.text(COURSE.start())) == {
        "9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16",
    }  # fmt: skip


@pytest.mark.rules
def test_men_go_forward_and_kings_everywhere() -> None:
    assert texts("B:W32:B14") == {"14-17", "14-18"}
    assert texts("W:W14:B1") == {"14-9", "14-10"}
    assert texts("B:W32:BK14") == {"14-9", "14-10", "14-17", "14-18"}


@pytest.mark.rules
def test_captures_are_compulsory_but_free_to_choose() -> None:
    assert texts("B:W15,18:B10,14,1") == {"10x19", "14x23"}
    # One piece or two: no rule asks for more.
    assert texts("W:WK22,21:B17,18,11") == {"22x8", "22x13", "21x14"}
    assert texts("B:W14,15,23:B10") == {"10x17", "10x26"}


@pytest.mark.rules
def test_a_chain_must_be_carried_to_its_end() -> None:
    assert texts("B:W6,15,23:B1") == {"1x26"}
    assert after("B:W6,15,23:B1", "1x10x19x26") == "W:W:B26"
    with pytest.raises(PetteiaError, match="legal are 1x26"):
        after("B:W6,15,23:B1", "1x10")


@pytest.mark.rules
def test_men_do_not_jump_backwards_but_kings_do() -> None:
    assert texts("B:W10:B15") == {"15-18", "15-19"}
    assert texts("B:W10:BK15") == {"15x6"}


@pytest.mark.rules
def test_a_piece_may_jump_a_king() -> None:
    assert after("B:WK18,32:B14", "14x23") == "W:W32:B23"


@pytest.mark.rules
def test_crowning_ends_the_move() -> None:
    # On 31 the new king could jump 27, but not in this turn.
    assert texts("B:W26,27:B22") == {"22x31"}
    assert after("B:W26,27:B22", "22x31") == "W:W27:BK31"
    assert after("W:W6:B12", "6-1") == "B:WK1:B12"


@pytest.mark.rules
def test_a_king_may_come_back_to_where_it_started() -> None:
    fen = "W:WK31:B26,27,18,19"
    assert texts(fen) == {"31x22x15x24x31"}
    assert texts(fen, BOTH) == {"31x22x15x24x31", "31x24x15x22x31"}
    assert after(fen, "31x24x15x22x31") == "B:WK31:B"


@pytest.mark.rules
def test_who_cannot_move_loses() -> None:
    for fen, result in (("W:W:B1", 1.0), ("B:W32:B", -1.0), ("B:W26,30:B21,K29,22,25", None)):
        p = COURSE.parse(fen)
        if result is None:
            assert COURSE.kind(p) == DECISION
        else:
            assert (COURSE.kind(p), COURSE.result(p)) == (TERMINAL, result)
    blocked = COURSE.parse("B:WK30:B25,K29")  # after 26-30 of the first course puzzle
    assert COURSE.kind(blocked) == TERMINAL
    assert COURSE.result(blocked) == -1.0


# --- draws --------------------------------------------------------------------------------------


@pytest.mark.rules
def test_forty_quiet_moves_a_side_are_a_draw() -> None:
    game = board()
    p = game.parse("B:WK1,14:BK32:H78")
    assert game.kind(p) == DECISION
    p = game.play(p, game.parse_move(p, "32-28"))
    assert game.text(p) == "W:WK1,14:BK32:H79".replace("K32", "K28")
    p = game.play(p, game.parse_move(p, "1-5"))
    assert (game.kind(p), game.result(p)) == (TERMINAL, 0.0)
    assert game.status(p) == "draw: 80 moves without a capture or a step of a man"


@pytest.mark.rules
def test_captures_and_advances_of_men_break_quiet() -> None:
    assert after("W:WK1,14:BK32:H79", "14-10", game=board()) == "B:WK1,10:BK32"
    assert after("B:W27,1:BK32:H79".replace(",1", ",K1"), "32x23", game=board()) == "W:WK1:BK23"
    other = board(repetitions=0, quiet_plies=40, advances=False)
    assert after("W:WK1,14:BK32:H20", "14-10", game=other) == "B:WK1,10:BK32:H21"


@pytest.mark.rules
def test_without_a_rule_nothing_is_counted() -> None:
    assert after("B:WK1,14:BK32", "32-28", "1-5") == "B:WK5,14:BK28"
    with pytest.raises(PetteiaError, match="no such rule"):
        COURSE.parse("B:WK1,14:BK32:H3")


@pytest.mark.rules
def test_a_lost_game_is_lost_even_when_it_was_quiet_for_long() -> None:
    game = board()
    p = game.parse("B:WK30:B25,K29:H80")
    assert (game.kind(p), game.result(p)) == (TERMINAL, -1.0)


@pytest.mark.rules
def test_the_counter_is_no_part_of_what_is_repeated() -> None:
    game = board()
    assert game.identity(game.parse("W:WK1:BK32:H7")) == game.parse("W:WK1:BK32")


@pytest.mark.parametrize("bad", ["repetitions=1", "repetitions=9", "quiet_plies=-1"])
def test_impossible_parameters_are_refused(bad: str) -> None:
    key, value = bad.split("=")
    with pytest.raises(PetteiaError, match="is not possible"):
        board(**{key: int(value)})
