"""Texts: positions in three forms, plays in two, round trips and clear errors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from petteia.core.errors import PetteiaError
from petteia.games.backgammon import Backgammon
from petteia.games.backgammon.face.notation import steps_of
from petteia.games.backgammon.face.positions import match_id, position_id
from petteia.games.backgammon.rules.state import parts_of
from tests.games.backgammon.boards import board, decisions, game

pytestmark = pytest.mark.rules

START = "XGID=-b----E-C---eE---c-e----B-"


def test_the_start_in_three_forms() -> None:
    official = game()
    p = official.parse(f"{START}:0:0:1:00:0:0:0:0:10")
    assert p == official.perft_start()
    assert position_id(p) == "4HPwATDgc/ABMA"
    assert official.parse("4HPwATDgc/ABMA") == p


def test_the_xgid_of_the_manual_is_the_match_id_that_gnubg_makes_of_it() -> None:
    seven = game(match=7, cube=True)
    p = seven.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10")
    # Its last letter holds a bit for Jacoby, which means nothing in a match.
    assert f"{position_id(p)}:{match_id(seven, p)[:11]}" == "4HPwATDgc/ABMA:cInlAAAAAAA"
    assert seven.parse("4HPwATDgc/ABMA:cInlAAAAAAAE") == p


def test_the_match_id_of_the_manual() -> None:
    nine = game(match=9, cube=True)
    p = nine.parse("4HPwATDgc/ABMA:QYkqASAAIAAA")
    parts = parts_of(p[4])
    # Player 0 of the manual is our Black: 2-4, Black owns a cube at 2, White has rolled 52.
    assert (parts["black"], parts["white"], parts["level"], parts["owner"]) == (2, 4, 1, 1)
    assert (parts["mover"], parts["first"], parts["second"]) == (0, 5, 2)
    assert match_id(nine, p) == "QYkqASAAIAAA"


@pytest.mark.parametrize("of", [game(), game("course"), game(match=3, cube=True)], ids=str)
def test_positions_round_trip_through_both_ids(of: Backgammon) -> None:
    for p in decisions(of, 60, seed=4):
        assert of.parse(of.text(p)) == p
        if not of.course:
            assert of.parse(f"{position_id(p)}:{match_id(of, p)}") == p


@pytest.mark.parametrize("of", [game(), game("course")], ids=str)
def test_every_play_is_read_back(of: Backgammon) -> None:
    for p in decisions(of, 25, seed=6):
        moves = of.legal_moves(p)
        for move in moves[:: max(1, len(moves) // 12)]:
            assert of.parse_move(p, of.move_text(p, move)) == move


def test_both_notations_are_read_by_both_rules() -> None:
    text = f"{START}:0:0:1:31:0:0:0:0:10"
    for of in (game(), game("course")):
        p = of.parse(text)
        made = of.parse_move(p, "8/5 6/5")
        assert made == of.parse_move(p, "6/5 8/5") == of.parse_move(p, "17W20 19W20")
        assert made == of.parse_move(p, "8-5, 6-5")
    assert game().move_text(p, made) == "8/5 6/5"
    assert game("course").move_text(p, made) == "17W20 19W20"


def test_texts_of_hits_bar_off_and_repeats() -> None:
    official = game()
    for text, wanted in (
        (board({13: 5, 6: 5}, {18: 1, 6: 5}, "61"), "13/7* 7/6"),
        (board({24: 2, 6: 5}, {7: 1, 6: 5}, "61"), "24/18*/17"),
        (board({25: 1, 6: 5}, {1: 5}, "52"), "bar/20 6/4"),
        (board({6: 2, 3: 2}, {6: 5}, "63"), "6/off 3/off"),
        (board({13: 4, 6: 5}, {1: 5}, "22"), "13/11(2) 6/4(2)"),
    ):
        p = official.parse(text)
        move = official.parse_move(p, wanted)
        assert official.parse_move(p, official.move_text(p, move)) == move
        assert ("*" in wanted) == ("*" in official.move_text(p, move))
    p = official.parse(board({24: 2, 6: 5}, {7: 1, 6: 5}, "61"))
    assert official.move_text(p, official.parse_move(p, "24/18*/17")) == "24/18*/17"


def test_a_route_over_a_blot_is_told_from_the_other() -> None:
    """24/17 by way of 18 hits there; by way of 23 it does not."""
    official = game()
    p = official.parse(board({24: 1, 6: 5}, {7: 1, 5: 5}, "61"))
    hitting, quiet = official.parse_move(p, "24/18*/17"), official.parse_move(p, "24/17")
    assert hitting != quiet
    assert official.parse_move(p, "24/23/17") == quiet
    assert official.parse_move(p, "24/18 18/17") == hitting


def test_steps_are_single_dice() -> None:
    official = game()
    for p in decisions(official, 40, seed=12):
        parts = parts_of(p[4])
        for move in official.legal_moves(p)[:3]:
            for start, end in steps_of(p, move):
                assert start - end in (parts["first"], parts["second"]) or end == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("hello", "expected an XGID"),
        (f"{START}:0:0:1", "expected an XGID|fields|turn"),
        (f"{START}:0:0:1:77:0:0:0:0:10", "dice '77'"),
        (f"{START}:0:0:2:52:0:0:0:0:10", "1, 0 or -1"),
        (f"{START}:0:0:x:52:0:0:0:0:10", "turn 'x'"),
        (f"{START}:1:1:1:52:0:0:0:0:10", "no cube"),
        (f"{START}:0:0:1:52:0:0:0:5:10", "match to 5"),
        (f"{START}:0:0:0:52:0:0:0:0:10", "opening throw"),
        ("XGID=-b----O-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10", "25 checkers"),
        ("XGID=--------------------------:0:0:1:52:0:0:0:0:10", "both players"),
        ("XGID=Ab----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10", "bar"),
        ("XGID=-b----E-C---eE---c-e----B:0:0:1:52:0:0:0:0:10", "25 places with 15 .* and 15 of"),
        ("-b----E-C---eE---c-e----BA-:0:0:1:52", "27 places with 16 .* white's and 15 of black's"),
        ("XGID=-b----P-C---eE---c-e----B-", "'P' means 16 checkers in one place; 15"),
        ("XGID=-b----5-C---eE---c-e----B-", "'5' in the board"),
        ("4HPwATDgc/AB//", "Position ID"),
    ],
)
def test_bad_positions_are_named(text: str, why: str) -> None:
    if text.endswith(":1"):
        assert game().parse(text) == game().perft_start()
        return
    with pytest.raises(PetteiaError, match=why):
        game().parse(text)


@pytest.mark.parametrize(
    ("of", "rest", "why"),
    [
        (game(cube=True), "00:0:0:1:0:10", r"backgammon\(cube=true, jacoby=true\), the game is"),
        (game(cube=True), "00:0:0:2:0:10", r"backgammon\(cube=true, beaver=true\), the game is"),
        (game(cube=True, jacoby=True), "00:0:0:0:0:10", r"backgammon\(cube=true\), the game is"),
        (game(), "00:0:0:3:0:10", "jacoby=true, beaver=true"),
        (game(), "00:0:0:4:0:10", "flags 4"),
        (game(), "D:0:0:0:0:10", "nobody can have doubled"),
        (game(cube=True), "B:0:0:0:0:10", "nobody can refuse a beaver"),
        (game(cube=True), "00:0:0:0:0:6", "largest cube"),
        (game(match=7, cube=True), "00:5:2:1:7:10", "one player alone is a point away"),
        (game(match=7, cube=True), "00:6:6:1:7:10", "one player alone is a point away"),
        (game(match=7, cube=True), "D:6:2:1:7:10", "nobody can have doubled"),
        (game(match=7, cube=True, crawford=False), "00:6:2:1:7:10", "Crawford game, and"),
    ],
)
def test_positions_of_other_rules_are_named(of: Backgammon, rest: str, why: str) -> None:
    with pytest.raises(PetteiaError, match=why):
        of.parse(f"{START}:0:0:1:{rest}")


def test_a_turned_cube_has_no_place_in_the_crawford_game() -> None:
    with pytest.raises(PetteiaError, match="has no cube, but it is turned"):
        game(match=7, cube=True).parse(f"{START}:1:1:1:00:6:2:1:7:10")


def test_an_offered_double_is_a_decision_of_the_other() -> None:
    for of, rest in (
        (game(cube=True), "0:0:1:D:0:0:0:0:10"),
        (game(cube=True, jacoby=True, beaver=True), "0:0:1:D:0:0:3:0:10"),
        (game(match=7, cube=True), "1:1:1:D:3:2:0:7:10"),
    ):
        p = of.parse(f"{START}:{rest}")
        options = [of.move_text(p, move) for move in of.legal_moves(p)]
        assert options == ["take", "drop", "beaver"][: 3 if of.beaver else 2]
        assert of.mover(p) == 1
        assert of.text(p) == f"{START}:{rest}"
        assert of.parse(f"{position_id(p)}:{match_id(of, p)}") == p


def test_a_match_id_tells_of_jacoby() -> None:
    """Its last bit is set where gammons count at once, as in GNU Backgammon's own."""
    p = game(cube=True).parse("4HPwATDgc/ABMA:cAkAAAAAAAAE")
    assert match_id(game(cube=True), p) == "cAkAAAAAAAAE"
    assert match_id(game(cube=True, jacoby=True), p) == "cAkAAAAAAAAA"
    with pytest.raises(PetteiaError, match="jacoby=true"):
        game(cube=True).parse("4HPwATDgc/ABMA:cAkAAAAAAAAA")
    with pytest.raises(PetteiaError, match="resignation"):
        game(cube=True).parse("4HPwATDgc/ABMA:MGkAAIAAAAAE")


def test_only_a_match_with_a_cube_announces_its_crawford_game() -> None:
    for cube in (True, False):
        of = game(match=3, cube=cube)
        p = of.parse(f"{START}:0:0:1:31:2:0:1:3:10")
        assert ("(Crawford)" in of.view(p).status) is cube


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("8/5", "not a legal play of 31"),
        ("8/2 6/5", "not a legal play of 31"),
        ("5/8 6/5", "forward"),
        ("eight/five", "not part of a play"),
        ("13B10 6B5", "other player"),
        ("pass", "not part of a play"),
    ],
)
def test_bad_plays_are_named(text: str, why: str) -> None:
    official = game()
    p = official.parse(f"{START}:0:0:1:31:0:0:0:0:10")
    with pytest.raises(PetteiaError, match=why):
        official.parse_move(p, text)


def test_the_page_lists_every_evaluation() -> None:
    page = Path(__file__).parents[3] / "docs" / "games" / "backgammon.md"
    listed = set(re.findall(r"^\| `([\w-]+)` \|", page.read_text(), flags=re.MULTILINE))
    assert set(Backgammon.evaluations) | set(Backgammon.variants) <= listed
