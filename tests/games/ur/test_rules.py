"""The rules of Ur: what the printed rules say, and what the report's object model does."""

from __future__ import annotations

import numpy as np
import pytest

from petteia import games
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION, TERMINAL
from petteia.core.words import Words
from petteia.games.ur import Ur
from petteia.games.ur.face import notation
from petteia.games.ur.report import model
from petteia.games.ur.rules import PASS
from tests.positions import after

pytestmark = pytest.mark.rules

FINKEL = Ur()


def at(text: str, spec: str = "ur") -> tuple[Ur, Words]:
    game = games.make(spec)
    assert isinstance(game, Ur)
    return game, game.parse(text)


def moves(text: str, spec: str = "ur") -> set[tuple[int, int]]:
    game, p = at(text, spec)
    return {(m, m + game.roll(p)) for m in game.legal_moves(p) if m != PASS}


@pytest.mark.parametrize(
    ("roll", "expected"),
    [
        (1, {(0, 1), (3, 4), (5, 6), (11, 12), (13, 14)}),
        (2, {(0, 2), (5, 7), (13, 15)}),
        (3, {(3, 6), (11, 14)}),
        (4, {(0, 4), (3, 7), (5, 9), (11, 15)}),
    ],
)
def test_the_worked_example(roll: int, expected: set[tuple[int, int]]) -> None:
    assert moves(f"4xx2/l2d2l1/1l2xx1l l 2 1 6 0 {roll}") == expected


def test_a_roll_of_nothing_passes() -> None:
    game, p = at("4xx2/8/4xx2 l 7 0 7 0 0")
    assert game.legal_moves(p) == [PASS]
    q = game.play(p, PASS)
    assert game.text(q) == "4xx2/8/4xx2 d 7 0 7 0"


def test_capture_sends_the_piece_back_to_the_hand() -> None:
    game, p = at("4xx2/l1d5/4xx2 l 6 0 6 0 2")
    q = game.play(p, game.parse_move(p, "a2-c2"))
    assert game.text(q) == "4xx2/2l5/4xx2 d 6 0 7 0"


def test_nobody_is_captured_on_the_middle_rosette() -> None:
    assert (6, 8) not in moves("4xx2/1l1d4/4xx2 l 6 0 6 0 2")
    assert (6, 8) in moves("4xx2/1l6/4xx2 l 6 0 7 0 2")


@pytest.mark.parametrize(("line", "move"), [
    ("4xx2/8/4xx2 l 7 0 7 0 4", "hand-a1"),
    ("4xx2/1l6/4xx2 l 6 0 7 0 2", "b2-d2"),
    ("4xx2/8/4xx1l l 6 0 7 0 1", "h1-g1"),
])  # fmt: skip
def test_a_rosette_gives_another_roll(line: str, move: str) -> None:
    game, p = at(line)
    q = game.play(p, game.parse_move(p, move))
    assert game.kind(q) == CHANCE
    assert game.mover(q) == 0


def test_bearing_off_is_exact_and_ends_the_turn() -> None:
    assert moves("4xx2/8/4xxl1 l 0 6 7 0 2") == set()
    game, p = at("4xx2/8/4xxl1 l 1 5 7 0 1")
    q = game.play(p, game.parse_move(p, "g1-home"))
    assert game.text(q) == "4xx2/8/4xx2 d 1 6 7 0"


def test_the_last_piece_home_wins() -> None:
    game, p = at("4xx2/8/4xxl1 l 0 6 7 0 1")
    q = game.play(p, game.legal_moves(p)[0])
    assert game.kind(q) == TERMINAL
    assert game.result(q) == 1.0
    assert game.status(q) == "light wins"


def test_masters_tiles_meet_under_different_numbers() -> None:
    # Light's square 13 is C8, which is dark's square 15.
    game, p = at("4xx1d/6l1/4xx2 l 6 0 6 0 2", "masters")
    q = game.play(p, game.parse_move(p, "g2-h3"))
    assert game.text(q) == "4xx1l/8/4xx2 d 6 0 7 0"


def test_blitz_captures_roll_again_and_rosettes_are_not_safe() -> None:
    game, p = at("4xx2/1l1d4/4xx2 l 4 0 4 0 2", "blitz")
    q = game.play(p, game.parse_move(p, "b2-d2"))
    assert game.text(q) == "4xx2/3l4/4xx2 l 4 0 5 0"
    game, p = at("4xx2/ld6/4xx2 l 4 0 4 0 1", "blitz")
    assert game.mover(game.play(p, game.parse_move(p, "a2-b2"))) == 0


def test_aseb_walks_down_the_long_column() -> None:
    game, p = at("4xxxxxxxx/11l/4xxxxxxxx l 4 0 5 0 1", "aseb")
    assert moves(game.text(p), "aseb") == {(0, 1), (16, 17)}


def test_three_dice_never_show_nothing() -> None:
    game = games.make("masters")
    assert game.outcomes(game.start()) == [(1, 3 / 8), (2, 3 / 8), (3, 1 / 8), (4, 1 / 8)]
    assert sum(chance for _, chance in FINKEL.outcomes(FINKEL.start())) == 1


def test_invariants_of_random_games() -> None:
    rng = np.random.default_rng(3)
    for _ in range(6):
        p = FINKEL.start()
        home = [0, 0]
        while FINKEL.kind(p) != TERMINAL:
            q = after(FINKEL, p, rng)
            for player in (0, 1):
                on_board = notation.squares_of(FINKEL, q, player)
                total = FINKEL.hand(q, player) + len(on_board) + FINKEL.home(q, player)
                assert total == 7
                assert FINKEL.home(q, player) >= home[player]
                home[player] = FINKEL.home(q, player)
            shared = [set(notation.squares_of(FINKEL, q, n)) & set(range(5, 13)) for n in (0, 1)]
            assert not shared[0] & shared[1]
            if FINKEL.kind(p) == DECISION:
                before, later = (int(FINKEL.side(x, 1 - FINKEL.mover(p))) >> 8 & 1 for x in (p, q))
                assert before == later, "square 8 changed its owner by capture"
            p = q


def _as_model(game: Ur, p: Words) -> model.Game:
    """The same position in the report's model; pieces are numbered as in the position."""
    found = model.Game(pieces=game.count)
    for player, side in enumerate("LR"):
        places = notation.numbered_places(game, p, player)
        assert places is not None
        path = found.board.get_path(side)
        for number, place in enumerate(places):
            found.board.put(found.get_piece(side, number), path[place])
    return found


def test_the_kernels_play_as_the_report_s_model() -> None:
    game, p = at("L=0,0,0,0,0,0,0 R=0,0,0,0,0,0,0 L")
    rng, seen = np.random.default_rng(5), 0
    for _ in range(4):
        p = game.parse("L=0,0,0,0,0,0,0 R=0,0,0,0,0,0,0 L")
        twin = model.Game()
        while game.kind(p) != TERMINAL:
            q = after(game, p, rng)
            if game.kind(p) == DECISION:
                side, roll = "LR"[game.mover(p)], game.roll(p)
                legal = game.legal_moves(p)
                allowed = twin.piece_filter(side, roll, model.IBoard(twin.board))
                expected = [piece.piece_num for piece in allowed]
                assert [(m >> 5) - 1 for m in legal if m != PASS] == expected
                (played,) = [m for m in legal if game.play(p, m) == q]
                again = played != PASS and twin.move(side, (played >> 5) - 1, roll)
                assert twin.victory_check(side) == (game.kind(q) == TERMINAL)
                if game.kind(q) != TERMINAL:
                    assert (game.mover(q) == game.mover(p)) == again
                fresh = _as_model(game, q).board.get_field_info()
                assert twin.board.get_field_info() == fresh
                seen += 1
            p = q
    assert seen > 500


@pytest.mark.parametrize("spec", ["ur(pieces=8)", "ur(rules=house)", "ur(dice=5)"])
def test_impossible_games_are_refused(spec: str) -> None:
    with pytest.raises(PetteiaError):
        games.make(spec)


def test_the_spec_is_as_short_as_it_can_be() -> None:
    assert str(games.make("ur(pieces=7, dice=4)")) == "ur"
    assert str(games.make("blitz(pieces=5)")) == 'ur(rules="blitz")'
