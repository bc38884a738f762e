"""How checkers is written: FEN, the course's grid, moves."""

from __future__ import annotations

from itertools import chain

import pytest

from petteia.core.errors import PetteiaError
from petteia.games.checkers.face.notation import grid, parse_grid
from petteia.games.checkers.openings import BALLOTS
from tests.games.checkers.boards import board, circuits, of_games, scattered

pytestmark = pytest.mark.rules

GAME = board()
COURSE = board(repetitions=0, quiet_plies=0)
START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"

CHECKERS2 = """........
....b...
.......R
..b.b...
...b...r
........
...r....
....B..."""


def test_the_start() -> None:
    assert GAME.text(GAME.start()) == START
    assert GAME.parse(START) == GAME.start()


@pytest.mark.parametrize(
    "text",
    [
        "B:W21-32:B1-12",
        "B:B1-12:W21-32.",
        ' [FEN "B:W21-32:B1-12"] ',
        "b : w 21-32 : b 1 - 12 ",
        "B:W21-32:B1-12:H0:F1",
    ],
)
def test_fens_are_read_in_all_their_writings(text: str) -> None:
    assert GAME.parse(text) == GAME.start()


def test_an_empty_list_is_a_side_without_pieces() -> None:
    assert GAME.text(GAME.parse("W:W:BK5")) == "W:W:BK5"


def test_texts_are_round_trips() -> None:
    for p in chain(of_games(GAME, 200, 1), scattered(200, 2)):
        assert GAME.parse(GAME.text(p)) == p
        for flipped in (False, True):
            again, is_flipped = parse_grid(grid(p, flipped=flipped))
            assert again[:3] == p[:3]
            assert is_flipped == flipped or not p[0] | p[1]
        for move in GAME.legal_moves(p):
            assert GAME.parse_move(p, GAME.move_text(p, move)) == move


def test_circuits_are_written_with_all_their_squares() -> None:
    both = board(both_ways=True)
    for p in circuits(60, 3):
        for game in (GAME, both):
            names = [game.move_text(p, move) for move in game.legal_moves(p)]
            assert len(set(names)) == len(names)
            for name, move in zip(names, game.legal_moves(p), strict=True):
                assert game.parse_move(p, name) == move


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "expected the side to move"),
        ("X:W1:B2", "expected the side to move"),
        ("B:W21", "expected the side to move"),
        ("B:W21:W22", "two lists of squares for W"),
        ("B:W21:B33", "there is no square 33"),
        ("B:W21,21:B1", "square 21 is named twice"),
        ("B:W21:B21", "both sides stand on square 21"),
        ("B:W21:Bx", "'x' is not a square"),
        ("B:W3:B1", "White's man on square 3 would be a king"),
        ("B:W21:B30", "Black's man on square 30 would be a king"),
        ("B:W21:B1-13", "Black has 13 pieces"),
        ("B:W21:B9-5", "runs backwards"),
        ("B:W21:B1:Z", "'Z'"),
        ("B:WK1:BK32:H90", "more than 80"),
        ("/".join(["........"] * 7), "7 lines"),
    ],
)
def test_bad_positions_are_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(PetteiaError, match=why):
        GAME.parse(text)


def test_the_courses_grid() -> None:
    p = COURSE.parse(CHECKERS2)
    assert COURSE.text(p) == "W:WK12,20,26:B7,14,15,18,K31"
    assert COURSE.parse(CHECKERS2.replace("\n", "/")) == p
    assert parse_grid(CHECKERS2.replace("\n", "\r\n") + "\r\n") == (p, False)
    assert grid(p) == CHECKERS2


def test_boards_on_the_other_colour_are_flipped_and_flipped_back() -> None:
    mirrored = "\n".join(row[::-1] for row in CHECKERS2.split("\n"))
    p, flipped = parse_grid(mirrored)
    assert flipped
    assert p == COURSE.parse(CHECKERS2)
    assert grid(p, flipped=True) == mirrored


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("....b...", "....x..."), "'x' in line 2, column 5"),
        (("....b...", "....b.."), "line 2 has 7 columns"),
        (("........\n....b...", "....b..."), "7 lines; expected 8"),
        (("....b...", "...bb..."), "both colours: line 2, column 4 and line 2, column 5"),
        (("....B...", "....b..."), "a black man in line 8, column 5"),
        (("........\n....b", ".r......\n....b"), "a red man in line 1, column 2"),
    ],
)
def test_bad_grids_are_refused_with_the_place(change: tuple[str, str], why: str) -> None:
    with pytest.raises(PetteiaError, match=why):
        parse_grid(CHECKERS2.replace(*change, 1))


@pytest.mark.parametrize(
    "text", ["11-15", "11x15", "11 15", "1115", "11-15!", " 11 - 15 ", "11:15"]
)
def test_moves_are_read_in_all_their_writings(text: str) -> None:
    assert GAME.move_text(GAME.start(), GAME.parse_move(GAME.start(), text)) == "11-15"


@pytest.mark.parametrize(
    ("fen", "text", "why"),
    [
        (START, "11-14", "is not a legal move here; legal are 9-13, 9-14"),
        (START, "hello", "is not a legal move here"),
        ("B:W18,32:B14,1", "1-5", "captures are compulsory; legal are 14x23"),
        ("W:W:B1", "1-5", "the game is over"),
    ],
)
def test_bad_moves_are_refused_with_the_legal_ones(fen: str, text: str, why: str) -> None:
    with pytest.raises(PetteiaError, match=why):
        COURSE.parse_move(COURSE.parse(fen), text)


def test_a_short_form_of_two_captures_asks_for_all_squares() -> None:
    p = COURSE.parse("W:W31:B26,27,18,19")
    names = [COURSE.move_text(p, move) for move in COURSE.legal_moves(p)]
    assert names == ["31x22x15", "31x24x15"]
    with pytest.raises(PetteiaError, match="could be 31x22x15, 31x24x15; name all squares"):
        COURSE.parse_move(p, "31x15")


def test_the_ballots_are_156_different_legal_openings() -> None:
    assert len(BALLOTS) == 156
    assert len([b for b in BALLOTS if b.is_mail]) == 12
    assert len([b for b in BALLOTS if b.is_tough]) == 50
    ends = set()
    for ballot in BALLOTS:
        p = GAME.start()
        for text in ballot.moves.split():
            p = GAME.play(p, GAME.parse_move(p, text))
        ends.add(p)
    assert len(ends) == 156
    assert next(b for b in BALLOTS if b.number == 5).name == "Dreaded Edinburgh"


def test_the_view_has_every_piece_and_move() -> None:
    p = COURSE.parse("W:WK31:B26,27,18,19")
    view = COURSE.view(p)
    assert [(piece.cell, piece.letter, piece.kind) for piece in view.pieces] == [
        ("18", "b", "man"), ("19", "b", "man"), ("26", "b", "man"), ("27", "b", "man"),
        ("31", "W", "king"),
    ]  # fmt: skip
    (action,) = view.actions
    assert action.path == ("31", "22", "15", "24", "31")
    assert action.captures == ("18", "19", "26", "27")
    assert view.status == "white to move"
