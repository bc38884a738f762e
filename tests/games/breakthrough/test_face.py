"""How positions and moves of Breakthrough are read, written and shown."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from petteia.core.errors import PetteiaError
from petteia.core.game import DECISION
from petteia.core.words import Words
from petteia.games.breakthrough import Breakthrough
from tests.games.breakthrough.boards import (
    PARAMETERS,
    board,
    every_board,
    of_games,
    pieces_of,
    scattered,
    words_of,
)

pytestmark = pytest.mark.rules

FULL = board()
FIVE = board(columns=5, rows=5)
LONG = board(columns=10, rows=5)
T = TypeVar("T")

BOARDS = [board(**each) for each in PARAMETERS]


@st.composite
def positions(draw: st.DrawFn) -> tuple[Breakthrough, Words]:
    """A game and one of its positions."""
    game = draw(st.sampled_from(BOARDS))
    maker = draw(st.sampled_from([of_games, scattered]))
    count, seed = draw(st.integers(1, 30)), draw(st.integers(0, 10**6))
    return game, list(maker(game, count, seed))[-1]


def read(reader: Callable[..., T], *arguments: object) -> T | None:
    """What a text means, or None where it is refused with one line."""
    try:
        return reader(*arguments)
    except PetteiaError as error:
        complaint = str(error)
    assert len(complaint.splitlines()) == 1
    return None


def one_line(error: pytest.ExceptionInfo[PetteiaError]) -> str:
    text = str(error.value)
    assert len(text.splitlines()) == 1
    return text


# --- positions ----------------------------------------------------------------------------------


@given(positions())
def test_a_position_survives_its_text(given: tuple[Breakthrough, Words]) -> None:
    game, p = given
    text = game.text(p)
    assert game.parse(text) == p
    assert game.text(game.parse(f"  {text} \n")) == text
    assert [type(word) for word in game.parse(text)] == [type(word) for word in p]
    assert game.parse(f"{text} - - 0 1") == game.parse(f"{text} 0 17") == p


@given(positions())
def test_the_text_shows_the_pieces(given: tuple[Breakthrough, Words]) -> None:
    game, p = given
    rows, mover = game.text(p).split()
    spread = [re.sub(r"\d+", lambda run: "." * int(run.group()), row) for row in rows.split("/")]
    shown = {
        f"{chr(97 + x)}{game.rows - y}": {"P": "w", "p": "b"}[sign]
        for y, row in enumerate(spread)
        for x, sign in enumerate(row)
        if sign != "."
    }
    assert (shown, mover) == (dict(pieces_of(game, p).pieces), pieces_of(game, p).mover)
    assert words_of(game, pieces_of(game, p)) == p


def test_positions_by_example() -> None:
    assert FULL.text(FULL.start()) == "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w"
    assert LONG.text(LONG.start()) == "pppppppppp/pppppppppp/10/PPPPPPPPPP/PPPPPPPPPP w"
    assert int(FIVE.parse("5/5/5/5/P4 w")[0]) == 1
    assert int(FIVE.parse("5/5/5/5/4P b")[0]) == 1 << 4
    assert int(FIVE.parse("p4/5/5/5/4P b")[1]) == 1 << 20


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "expected a board and w or b, for instance 'ppppp/ppppp/5/PPPPP/PPPPP w'"),
        ("ppppp/ppppp/5/PPPPP/PPPPP", "expected a board and w or b"),
        ("ppppp/ppppp/5/PPPPP/PPPPP x", "expected a board and w or b"),
        ("ppppp/ppppp/5/PPPPP/PPPPP W", "expected a board and w or b"),
        ("ppppp/ppppp/5/PPPPP w", "4 rows, but the board has 5"),
        ("ppppp/ppppp/5/PPPPP/PPPPP/5 w", "6 rows, but the board has 5"),
        ("ppppp/pppp/5/PPPPP/PPPPP w", "row 4 has fewer than 5 squares"),
        ("ppppp/ppppp/6/PPPPP/PPPPP w", "row 3 has more than 5 squares"),
        ("ppppp/ppppp/5/PPPPP/PPPPPP w", "row 1 has more than 5 squares"),
        ("ppppp/ppppp/99999999999999999999/PPPPP/PPPPP w", "row 3 has more than 5"),
        ("ppppp/ppppp//PPPPP/PPPPP w", "row 3 has fewer than 5 squares"),
        ("ppppp/ppppp/5/PPQPP/PPPPP w", "'Q' in row 2; expected P, p or a number"),
        (
            "ppppp/ppppp/\N{ARABIC-INDIC DIGIT FIVE}/PPPPP/PPPPP w",
            "in row 3; expected P, p or a number",
        ),
        ("ppppp/ppppp/5/PPPPP/PPPPP w 0 one", "only dashes and counters may follow"),
        ("ppppp/ppppp/4P/PPPPP/PPPPP w", "white has 11 workers, at most 10 are possible"),
        ("ppppp/ppppp/4p/4p/PPPPP b", "black has 12 workers, at most 10 are possible"),
        ("P3p/5/5/5/p4 w", "over in two ways at once"),
        ("5/5/5/5/5 w", "over in two ways at once"),
    ],
)
def test_a_bad_position_is_one_line_that_names_the_place(text: str, named: str) -> None:
    with pytest.raises(PetteiaError, match=re.escape(named)) as caught:
        FIVE.parse(text)
    assert one_line(caught).startswith(f"bad position {text.strip()!r}: ")


fen_like = st.text(
    alphabet="Pp0123456789/ wb-x\n\N{ARABIC-INDIC DIGIT THREE}\N{SUPERSCRIPT TWO}", max_size=80
)


@given(st.sampled_from(BOARDS), st.text() | fen_like)
@example(FULL, "9" * 5000 + "/8/8/8/8/8/8/8 w")
@example(FULL, "8/8/8/8/8/8/8/8 w " + "9" * 5000)
@example(FULL, "\x00 w")
@example(FULL, "8/8/8/8/8/8/8/8\u2028w")
def test_any_text_is_a_position_or_a_clear_error(game: Breakthrough, text: str) -> None:
    p = read(game.parse, text)
    if p is not None:
        assert game.parse(game.text(p)) == p
        game.legal_moves(p)


@given(st.sampled_from(BOARDS), st.data())
def test_a_position_with_one_sign_changed_is_read_or_refused(
    game: Breakthrough, data: st.DataObject
) -> None:
    text = game.text(game.start())
    at = data.draw(st.integers(0, len(text) - 1))
    sign = data.draw(st.sampled_from([*"Pp1239/ wbx", ""]))
    changed = text[:at] + sign + text[at + 1 :]
    p = read(game.parse, changed)
    assert p is None or game.parse(game.text(p)) == p


# --- moves --------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(positions())
def test_moves_survive_every_writing(given: tuple[Breakthrough, Words]) -> None:
    game, p = given
    for move in game.legal_moves(p):
        text = game.move_text(p, move)
        source, target = re.findall(r"[a-w]\d+", text.replace("x", " "))
        takes = target in pieces_of(game, p).pieces
        assert text == (f"{source}x{target}" if takes else f"{source}{target}")
        row, column = game.rows + 1 - int(source[1:]), ord(source[0]) - ord("a") + 1
        aside = ord(target[0]) - ord(source[0])
        letters = {-1: "L", 0: "UDF", 1: "R"}[aside]
        writings = [
            text,
            text.upper(),
            f" {text}\n",
            *(f"{source}{sign}{target}" for sign in ("", "-", "x", ":", " ", " - ", " x ")),
            *(f"{row} {column} {letter}" for letter in letters),
            *(f"{row},{column},{letter.lower()}" for letter in letters),
            *(f" {row}, {column}  {letter} " for letter in letters),
        ]
        for writing in writings:
            assert game.parse_move(p, writing) == move, writing


def test_the_reports_form_counts_rows_from_the_top() -> None:
    start = FULL.start()
    assert FULL.move_text(start, FULL.parse_move(start, "7 1 R")) == "a2b3"
    assert FULL.move_text(start, FULL.parse_move(start, "7 8 L")) == "h2g3"
    assert FULL.move_text(start, FULL.parse_move(start, "7 4 U")) == "d2d3"


def test_the_reports_form_for_the_second_player_is_as_seen_on_the_picture() -> None:
    p = FULL.play(FULL.start(), FULL.parse_move(FULL.start(), "a2a3"))
    assert FULL.move_text(p, FULL.parse_move(p, "2 1 R")) == "a7b6"
    assert FULL.move_text(p, FULL.parse_move(p, "2 8 L")) == "h7g6"
    assert FULL.move_text(p, FULL.parse_move(p, "2 4 D")) == "d7d6"
    assert FULL.move_text(p, FULL.parse_move(p, "2 4 U")) == "d7d6"


def test_the_reports_form_on_a_board_of_ten_columns() -> None:
    start = LONG.start()
    assert LONG.move_text(start, LONG.parse_move(start, "4 10 L")) == "j2i3"


def test_a_capture_is_written_with_x() -> None:
    p = FIVE.parse("4p/5/1p3/2P2/5 w")
    assert FIVE.move_text(p, FIVE.parse_move(p, "c2b3")) == "c2xb3"
    assert FIVE.move_text(p, FIVE.parse_move(p, "4 3 L")) == "c2xb3"
    assert FIVE.move_text(p, FIVE.parse_move(p, "c2-d3")) == "c2d3"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("a1a2", "'a1a2' is not a legal move here; legal are "),
        ("a2a4", "'a2a4' is not a legal move here"),
        ("", "'' is not a legal move here"),
        ("z9z9", "'z9z9' is not a legal move here"),
        ("7 1 L", "'7 1 L' leaves the board of 8 rows and 8 columns"),
        ("9 1 U", "'9 1 U' leaves the board"),
        ("0 1 U", "'0 1 U' leaves the board"),
        ("7 9 U", "'7 9 U' leaves the board"),
        ("1 1 U", "'1 1 U' leaves the board"),
        ("8 1 U", "'a1a2' is not a legal move here"),
    ],
)
def test_a_bad_move_is_one_line_that_names_it(text: str, named: str) -> None:
    with pytest.raises(PetteiaError, match=re.escape(named)) as caught:
        FULL.parse_move(FULL.start(), text)
    one_line(caught)


def test_after_the_end_no_move_is_legal() -> None:
    with pytest.raises(PetteiaError, match="'a2a3' is not a legal move here; the game is over"):
        FIVE.parse_move(FIVE.parse("P3p/5/5/5/P4 b"), "a2a3")


move_like = st.text(alphabet="abchxz123890-: LRUDFlr,\n\N{ARABIC-INDIC DIGIT THREE}", max_size=20)


@given(positions(), st.text() | move_like)
@example((FULL, FULL.start()), "9" * 5000 + " 1 R")
@example((FULL, FULL.start()), "1 " + "9" * 5000 + " R")
@example((FULL, FULL.start()), "a" + "9" * 5000 + "b3")
@example((FULL, FULL.start()), "\N{ARABIC-INDIC DIGIT SEVEN} \N{ARABIC-INDIC DIGIT ONE} R")
@example((FULL, FULL.start()), "7 1 \N{LATIN SMALL LETTER LONG S}")
def test_any_text_is_a_legal_move_or_a_clear_error(
    given: tuple[Breakthrough, Words], text: str
) -> None:
    game, p = given
    move = read(game.parse_move, p, text)
    assert move is None or move in game.legal_moves(p)


# --- the picture --------------------------------------------------------------------------------


@every_board
def test_the_view_shows_the_position(game: Breakthrough) -> None:
    for p in [*of_games(game, 40, seed=1), *scattered(game, 20, seed=2)]:
        view, position = game.view(p), pieces_of(game, p)
        assert list(view.size) == [game.columns, game.rows]
        cells = {cell.id: cell.at for cell in view.cells}
        assert len(cells) == len(view.cells) == game.columns * game.rows
        assert cells == {
            f"{chr(97 + x)}{game.rows - y}": (x, y)
            for x in range(game.columns)
            for y in range(game.rows)
        }
        assert {piece.cell: "wb"[piece.owner] for piece in view.pieces} == position.pieces
        assert all(piece.letter == "wb"[piece.owner] for piece in view.pieces)
        moves = [game.move_text(p, move) for move in game.legal_moves(p)]
        assert [action.move for action in view.actions] == moves
        for action in view.actions:
            source, target = action.path
            assert position.pieces[source] == position.mover
            assert action.captures == ((target,) if target in position.pieces else ())
            assert action.move.replace("x", "") == source + target
        if game.kind(p) == DECISION:
            assert view.mover == game.mover(p)
            assert view.status == f"{('white', 'black')[game.mover(p)]} to move"
        else:
            assert view.mover is None
            assert view.actions == ()
            assert view.status == ("white wins" if game.result(p) > 0 else "black wins")


def test_a1_is_dark_and_at_the_bottom_left() -> None:
    cells = {cell.id: cell for cell in FULL.view(FULL.start()).cells}
    assert cells["a1"].mark == cells["h8"].mark == "dark"
    assert cells["a2"].mark == cells["h1"].mark == ""
    assert cells["a1"].at == (0, 7)


def test_the_board_as_rows_of_text() -> None:
    p = FIVE.parse("p4/5/5/2P2/5 w")
    assert FIVE.board(p) == ["b....", ".....", ".....", "..w..", "....."]
