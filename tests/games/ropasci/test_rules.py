"""The rules of RoPaSci 360: against the printed ones, and one by one."""

from __future__ import annotations

import pytest

from petteia.core.errors import PetteiaError
from petteia.core.game import SIMULTANEOUS, TERMINAL
from petteia.core.words import Words
from petteia.games.ropasci import RoPaSci
from petteia.games.ropasci.face import notation
from petteia.games.ropasci.rules import PASS
from petteia.search.perft import perft

GAME = RoPaSci()


def after(text: str, upper: str, lower: str) -> str:
    """The position after both moves, which must be legal."""
    p = GAME.parse(text)
    first, second = GAME.parse_move(p, upper, 0), GAME.parse_move(p, lower, 1)
    return GAME.text(GAME.play_both(p, first, second))


def throws(p: Words, player: int) -> list[int]:
    return [move for move in GAME.legal_moves(p, player) if move >= 61 * 64]


pytestmark = pytest.mark.rules

# --- moves ---------------------------------------------------------------------------------------


def test_the_start_has_fifteen_throws_a_side() -> None:
    assert len(GAME.legal_moves(GAME.start(), 0)) == len(GAME.legal_moves(GAME.start(), 1)) == 15
    assert perft(GAME, GAME.start(), 1) == 225


@pytest.mark.parametrize(
    ("made", "actions"),
    [*enumerate([15, 33, 54, 78, 105, 129, 150, 168, 183, 0])],
)
def test_the_throw_zone_grows_by_a_row_a_throw(made: int, actions: int) -> None:
    # The other player has thrown nothing, so that the game is not over.
    p = GAME.parse(f"5/6/7/8/9/8/7/6/5 {made}-0 20")
    q = GAME.parse(f"5/6/7/8/9/8/7/6/5 0-{made} 20")
    assert len(throws(p, 0)) == actions if made < 9 else GAME.kind(p) == TERMINAL
    assert len(throws(q, 1)) == actions if made < 9 else GAME.kind(q) == TERMINAL


def test_a_lone_token_slides_to_the_six_hexes_around_it() -> None:
    p = GAME.parse("5/6/7/8/4R4/8/7/6/5 9-0 9")
    names = {GAME.move_text(p, move) for move in GAME.legal_moves(p, 0)}
    beside = ("(1,-1)", "(1,0)", "(0,1)", "(-1,1)", "(-1,0)", "(0,-1)")
    assert names == {f"(0,0)-{place}" for place in beside}


def test_a_token_swings_over_its_own_but_not_over_an_enemy() -> None:
    p = GAME.parse("5/6/7/8/3rRP3/8/7/6/5 9-8 9")
    names = {GAME.move_text(p, move) for move in GAME.legal_moves(p, 0)}
    swings = {name for name in names if name.startswith("(0,0)~")}
    assert swings == {f"(0,0)~{place}" for place in ("(1,1)", "(0,2)", "(-1,2)")}
    assert len([name for name in names if name.startswith("(0,0)-")]) == 6


def test_the_same_target_over_two_pivots_is_one_move() -> None:
    p = GAME.parse("5/6/7/3P4/4RP3/8/7/6/5 9-0 9")
    moves = GAME.legal_moves(p, 0)
    assert len(set(moves)) == len(moves)
    assert notation.move_of("(0,0)~(1,1)") in moves


def test_a_stack_moves_one_token_at_a_time() -> None:
    assert (
        after("5/6/7/8/4(RR)4/8/7/6/r4 8-8 9", "(0,0)-(0,1)", "(-4,0)-(-4,1)")
        == "5/6/7/8/4RR3/8/7/6/1r3 8-8 10"
    )


def test_a_stack_of_nine_is_possible() -> None:
    p = GAME.start()
    for turn in range(9):
        p = GAME.play_both(p, 61 * 64 + 56, 61 * 64)
        assert notation.counts_at(p, 56) == (turn + 1, 0)
    assert GAME.text(p) == "(RRRRRRRRR)4/6/7/8/9/8/7/6/(rrrrrrrrr)4 9-9 9"
    for left in range(8, 0, -1):
        p = GAME.play_both(p, 56 * 64 + 57, 0 * 64 + 1)
        assert notation.counts_at(p, 56) == (left, 0)
        assert notation.counts_at(p, 57) == (9 - left, 0)


# --- battles -------------------------------------------------------------------------------------


def test_two_symbols_leave_the_winner() -> None:
    assert (
        after("5/6/7/8/3RS4/8/7/6/s4 2-1 5", "(0,-1)-(0,0)", "(-4,0)-(-4,1)")
        == "5/6/7/8/4R4/8/7/6/1s3 2-1 6"
    ), "one's own token dies too"
    assert (
        after("5/6/7/8/3R(ss)4/8/7/6/s4 1-3 5", "(0,-1)-(0,0)", "(-4,0)-(-4,1)")
        == "5/6/7/8/4R4/8/7/6/1s3 1-3 6"
    )


def test_three_symbols_leave_nobody() -> None:
    assert (
        after("5/6/7/8/3RSp3/8/7/6/5 2-1 5", "(0,-1)-(0,0)", "(0,1)-(0,0)")
        == "5/6/7/8/9/8/7/6/5 2-1 6"
    )


def test_one_symbol_stands_together() -> None:
    assert (
        after("5/6/7/8/3R1r3/8/7/6/5 1-1 5", "(0,-1)-(0,0)", "(0,1)-(0,0)")
        == "5/6/7/8/4(Rr)4/8/7/6/5 1-1 6"
    )


def test_tokens_that_exchange_hexes_pass_through_each_other() -> None:
    assert (
        after("5/6/7/8/4Rs3/8/7/6/5 1-1 5", "(0,0)-(0,1)", "(0,1)-(0,0)")
        == "5/6/7/8/4sR3/8/7/6/5 1-1 6"
    )


def test_who_leaves_in_time_is_not_hit() -> None:
    assert (
        after("5/6/7/8/4Rs3/8/7/6/5 1-1 5", "(0,0)-(0,1)", "(0,1)-(0,2)")
        == "5/6/7/8/5Rs2/8/7/6/5 1-1 6"
    )


def test_a_thrown_token_fights_like_any_other() -> None:
    assert (
        after("p4/6/7/8/9/8/7/6/5 0-1 5", "s(4,-4)", "(4,-4)-(4,-3)") == "Sp3/6/7/8/9/8/7/6/5 1-1 6"
    )
    assert after("p4/6/7/8/9/8/7/6/5 0-1 5", "s(4,-4)", "r(-4,0)").startswith("S4/")


def test_a_pass_does_nothing_but_count_the_turn() -> None:
    p = GAME.parse("5/6/7/8/3RS4/8/7/6/s4 2-1 5")
    assert GAME.text(GAME.play_both(p, PASS, PASS)) == "5/6/7/8/3RS4/8/7/6/s4 2-1 6"
    alone = GAME.play_both(p, GAME.parse_move(p, "(0,-1)-(0,0)", 0), PASS)
    assert GAME.text(alone) == "5/6/7/8/4R4/8/7/6/s4 2-1 6"


# --- ends ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "result", "why"),
    [
        ("5/6/7/8/9/8/7/6/5 9-9 20", 0.0, "no remaining tokens or throws"),
        ("5/6/7/8/9/8/7/6/r4 9-1 20", -1.0, ""),
        ("R4/6/7/8/9/8/7/6/5 9-9 20", 1.0, ""),
        ("R4/6/7/8/9/8/7/6/r4 9-9 20", 0.0, "both players have an invincible token"),
        ("RR3/6/7/8/9/8/7/6/(rr)4 9-9 360", 0.0, "both players have an invincible token"),
        ("RS3/6/7/8/9/8/7/6/s4 9-9 20", 1.0, ""),
        ("R4/6/7/8/9/8/7/6/pp3 9-9 20", -1.0, ""),
        ("R4/6/7/8/9/8/7/6/p4 8-9 360", 0.0, "maximum number of turns reached"),
    ],
)
def test_the_ends_in_their_order(text: str, result: float, why: str) -> None:
    p = GAME.parse(text)
    assert GAME.kind(p) == TERMINAL
    assert GAME.result(p) == result
    assert GAME.ending(p) == why
    assert GAME.legal_moves(p, 0) == GAME.legal_moves(p, 1) == []


@pytest.mark.parametrize(
    "text",
    [
        "5/6/7/8/9/8/7/6/r4 8-1 20",  # a throw is left
        "RP3/6/7/8/9/8/7/6/r4 9-8 20",  # lower may still throw a hunter
        "RS3/6/7/8/9/8/7/6/ss3 9-9 20",  # invincible, but lower has two tokens
        "RS3/6/7/8/9/8/7/6/(ss)4 9-9 20",  # also when they share a hex
        "R4/6/7/8/9/8/7/6/p4 8-9 359",
    ],
)
def test_the_game_goes_on(text: str) -> None:
    p = GAME.parse(text)
    assert GAME.kind(p) == SIMULTANEOUS
    assert GAME.legal_moves(p, 0)
    assert GAME.legal_moves(p, 1)


def test_the_identity_leaves_out_the_turn_alone() -> None:
    p, q = GAME.parse("R4/6/7/8/9/8/7/6/p4 1-1 5"), GAME.parse("R4/6/7/8/9/8/7/6/p4 1-1 9")
    assert p != q
    assert GAME.identity(p) == GAME.identity(q)
    assert GAME.identity(p) != GAME.identity(GAME.parse("R4/6/7/8/9/8/7/6/p4 2-1 5"))


@pytest.mark.parametrize(
    "spec", [{"throws": 0}, {"throws": 10}, {"turns": 0}, {"repetitions": 1}, {"repetitions": -1}]
)
def test_impossible_parameters_are_refused(spec: dict[str, int]) -> None:
    with pytest.raises(PetteiaError, match="is not possible"):
        RoPaSci(**spec)
