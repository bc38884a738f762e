"""How RoPaSci 360 is written and drawn, and how others write it."""

from __future__ import annotations

import pytest

from petteia.core.drawing import svg, terminal
from petteia.core.errors import PetteiaError
from petteia.core.record import Record
from petteia.games.ropasci import RoPaSci, formats
from petteia.games.ropasci.face import notation
from tests.positions import random_positions

GAME = RoPaSci()
pytestmark = pytest.mark.rules


def test_positions_and_moves_are_round_trips() -> None:
    for p in random_positions(GAME, 40, seed=5):
        assert GAME.parse(GAME.text(p)) == p
        for player in (0, 1):
            for move in GAME.legal_moves(p, player):
                assert notation.move_of(notation.move_text(move)) == move
                assert notation.move_of(repr(notation.action_of(move))) == move


@pytest.mark.parametrize(
    "text",
    [
        "s(4,-2)",
        "S(4,-2)",
        "s @ (4, -2)",
        '("THROW", "s", (4, -2))',
        "('THROW', 's', (4, -2))",
        '["THROW", "s", [4, -2]]',
        "THROW symbol s to (4, -2)",
        "THROW symbol s to Hex(r=4, q=-2)",
        "THROW s (4,-2)",
    ],
)
def test_a_throw_is_read_in_every_form(text: str) -> None:
    move = notation.move_of(text)
    assert move is not None
    assert notation.action_of(move) == ("THROW", "s", (4, -2))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("(4,-2)-(3,-2)", "SLIDE"),
        ("(4,-2) (3,-2)", "SLIDE"),
        ("(4,-2)~(2,-1)", "SWING"),
        ("('SWING', (4, -2), (2, -1))", "SWING"),
        ('["SLIDE",[4,-2],[3,-2]]', "SLIDE"),
        ("SLIDE from (4, -2) to (3, -2)", "SLIDE"),
        ("SWING from Hex(r=4, q=-2) to Hex(r=2, q=-1)", "SWING"),
    ],
)
def test_steps_are_read_in_every_form(text: str, kind: str) -> None:
    move = notation.move_of(text)
    assert move is not None
    assert notation.action_of(move)[0] == kind


@pytest.mark.parametrize(
    "text", ["", "hello", "s", "(4,-2)", "SLIDE from (4,-2) to (2,-1)", "x(4,-2)", "s(4,-2)(4,-2)"]
)
def test_what_is_no_move_is_refused(text: str) -> None:
    assert notation.move_of(text) is None
    with pytest.raises(PetteiaError, match="not a legal move"):
        GAME.parse_move(GAME.start(), text, 0)


def test_a_hex_outside_the_board_is_named() -> None:
    with pytest.raises(PetteiaError, match=r"no hex \(5,0\)"):
        GAME.parse_move(GAME.start(), "s(5,0)", 0)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "expected rows"),
        ("5/6/7/8/9/8/7/6/5", "expected rows"),
        ("5/6/7/8/9/8/7/6/5 0-0 x", "expected rows"),
        ("5/6/7/8/9/8/7/6/5 00 0", "expected rows"),
        ("5/6/7/8/9/8/7/6 0-0 0", "8 rows"),
        ("6/6/7/8/9/8/7/6/5 0-0 0", "row 4 has more than 5"),
        ("5/5/7/8/9/8/7/6/5 0-0 0", "row 3 has fewer than 6"),
        ("4x/6/7/8/9/8/7/6/5 0-0 0", "'x' in row 4"),
        ("4(Rs)/6/7/8/9/8/7/6/5 1-1 1", "in row 4"),
        ("4(/6/7/8/9/8/7/6/5 1-1 1", "in row 4"),
        ("R4/6/7/8/9/8/7/6/5 0-0 0", "upper has 1 tokens, but has thrown 0"),
        ("5/6/7/8/9/8/7/6/5 3-0 2", "turn 2 is not possible"),
        ("5/6/7/8/9/8/7/6/5 3-0 361", "turn 361 is not possible"),
    ],
)
def test_bad_positions_say_what_is_wrong(text: str, why: str) -> None:
    with pytest.raises(PetteiaError, match=why):
        GAME.parse(text)


LOG = """\
turn 1: upper: THROW symbol s to (4, -2)
turn 1: lower: THROW symbol r to Hex(r=-4, q=0)
turn 2: upper: SLIDE from (4, -2) to (3, -2)
turn 2: lower: SLIDE from (-4, 0) to (-4, 1)
winner: upper
"""
JSON = (
    '{"turns":[[["THROW","s",[4,-2]],["THROW","r",[-4,0]]],'
    '[["SLIDE",[4,-2],[3,-2]],["SLIDE",[-4,0],[-4,1]]]],"result":"winner: upper"}\n'
)


def read(text: str) -> list[Record]:
    found = GAME.foreign_games(text)
    assert found is not None
    return found.whole()


def test_logs_and_json_lines_mean_the_same_game() -> None:
    (of_log,) = read(LOG)
    (of_json,) = read(JSON)
    assert of_log == of_json
    assert of_log.result == 1.0
    assert of_log.plies[0].texts == ("s(4,-2)", "r(-4,0)")
    assert read(formats.log_text(GAME, of_log)) == [of_log]


def test_draws_keep_their_cause() -> None:
    text = LOG.replace("winner: upper", "draw: same game state occurred for 3rd time")
    (found,) = read(text)
    assert found.result == 0.0
    assert found.header("Draw") == "the position stands for the third time"
    assert formats.log_text(GAME, found) == text.replace("Hex(r=-4, q=0)", "(-4, 0)")


def test_logs_that_follow_each_other_and_logs_that_break_off() -> None:
    broken = "\n".join(LOG.splitlines()[:4])
    found = read(f"{LOG}\n{broken}\n{LOG}")
    assert [record.result for record in found] == [1.0, None, 1.0]
    error = f"{broken}\nerror: lower: illegal action ('SLIDE', (0, 0), (0, 1))\n"
    assert [record.result for record in read(error)] == [None]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{}", "line 1: expected a game as"),
        ('{"turns": [[1]]}', "line 1: expected a game as"),
        ('{"turns": [["FLY", [0, 0]]], "result": "winner: upper"}', "is not an action"),
        (JSON.replace("winner: upper", "upper won"), "expected a result"),
        (LOG.replace("turn 1: upper: THROW symbol s to (4, -2)\n", ""), "expected turn 1 of upper"),
    ],
)
def test_bad_logs_name_the_line(text: str, why: str) -> None:
    with pytest.raises(PetteiaError, match=why):
        read(text)


def test_other_texts_are_no_logs() -> None:
    assert GAME.foreign_games('[Game "ropasci"]\n\n*\n') is None
    assert GAME.foreign_games("") is None


def test_the_picture_has_61_hexes_and_shows_stacks() -> None:
    p = GAME.parse("2(SS)2/6/7/8/4(Rr)4/8/7/6/p4 4-3 9")
    view = GAME.view(p)
    assert len(view.cells) == 61
    assert all(cell.shape == "hex" for cell in view.cells)
    assert {(piece.cell, piece.owner, piece.letter, piece.count) for piece in view.pieces} == {
        ("(4,-2)", 0, "S", 2), ("(0,0)", 0, "R", 1), ("(0,0)", 1, "r", 1), ("(-4,0)", 1, "p", 1),
    }  # fmt: skip
    assert {action.player for action in view.actions} == {0, 1}
    text = terminal.board(view)
    assert "S2" in text.splitlines()[0]
    assert "Rr" in text
    assert len(text.splitlines()) == 10
    assert svg.board(view).count('class="cell hex"') == 61
