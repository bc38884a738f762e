"""Every text form is a round trip, is told from the others, and a bad one gets one clear line."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from petteia.core.errors import PetteiaError
from petteia.puzzles.flow import Puzzle, course, formats, rule_named
from petteia.puzzles.flow.reference import faults
from petteia.puzzles.flow.rules import LETTERS
from tests.puzzles.flow.boards import any_board

pytestmark = pytest.mark.rules


@pytest.mark.parametrize("name", course.boards())
@pytest.mark.parametrize("form", formats.FORMATS)
def test_each_form_is_a_round_trip_and_is_recognised(name: str, form: str) -> None:
    board = course.board(name)
    text = formats.write(board.puzzle, form, board.solution)
    for variant in (text, text + "\n", text.replace("\n", "\r\n") + "\r\n\r\n", "\ufeff" + text):
        found = formats.read(variant)
        assert found.format == form
        assert found.puzzle.cells == board.puzzle.cells
        assert formats.write(found.puzzle, form, board.solution) == text
        if form == "level":
            assert found.solution == board.solution
        elif form != "numlin":
            assert found.puzzle == board.puzzle


def test_random_boards_are_round_trips() -> None:
    chance = random.Random(1)
    for _ in range(200):
        puzzle = any_board(chance)
        forms = ["json"] if puzzle.walls else ["json", "course", "letters", "header"]
        for form in forms:
            found = formats.read(formats.write(puzzle, form)).puzzle
            # Colours are numbered as they appear.
            assert found.rows() == puzzle.rows()
            assert found.walls == puzzle.walls


def test_many_colours_and_the_largest_board() -> None:
    cells = [value for colour in range(5000) for value in (colour, colour)]
    puzzle = Puzzle(100, 100, tuple(cells), tuple(LETTERS[:5000]))
    for form in ("course", "letters", "header", "json"):
        assert formats.read(formats.write(puzzle, form)).puzzle.cells == puzzle.cells
    with pytest.raises(PetteiaError, match="at most 4,095 colours"):
        formats.write(puzzle, "numlin")
    long = Puzzle(80, 30, tuple(cells[:2400]), tuple(LETTERS[:1200]))
    assert formats.read(formats.write(long, "numlin")).puzzle.cells == long.cells


def test_the_published_address_of_the_small_board() -> None:
    text = formats.write(course.board("5x5").puzzle, "numlin")
    assert text == "numlin/5/5/1h23i4i4i23g5g15h"
    found = formats.read(f"https://puzz.link/p?{text}")
    assert found.puzzle.rows() == ["A__BC", "___D_", "__D__", "_BC_E", "_AE__"]


def test_files_that_puzz_link_saves() -> None:
    """Rows before columns, lines ended as in a file or by strokes, then what is drawn."""
    text = "pzprv3\nnumlin\n2\n3\n2 . 2 \n1 . 1 \n0 1 \n0 0 \n0 0 0 \n"
    for written in (text, text.replace("\n", "/"), text.replace("pzprv3", "pzprv3.1")):
        found = formats.read(written)
        assert (found.format, found.puzzle.rows()) == ("numlin", ["B_B", "A_A"])


def test_the_problem_among_other_blocks() -> None:
    text = "[begin]\npuzzle arukone\n[problem]\n1 - 1\n2 - 2\n[solution]\n1 1 1\n2 2 2\n[end]\n"
    assert formats.read(text).puzzle.rows() == ["1_1", "2_2"]


def test_a_public_level_line_holds_its_solution() -> None:
    line = "5,0,1,5;18,17,12;21,16,11,6;3,4,9;0,1,2,7,8,13,14,19,24,23,22;20,15,10,5"
    found = formats.read(line)
    assert found.solution is not None
    assert found.puzzle.size == "5x5"
    assert faults(found.puzzle, found.solution, rule_named("strict")) == []
    assert formats.write(found.puzzle, "level", found.solution) == line


def test_holes_and_walls_in_a_level_line() -> None:
    found = formats.read("3:2,0,7,1,,4,0|3;0,1,2,5")
    assert found.puzzle.rows() == ["A__", "_#A"]
    assert found.puzzle.walls == {(0, 3)}
    assert found.solution is not None
    again = formats.write(found.puzzle, "level", found.solution)
    assert again == "3:2,0,1,1,,4,0|3;0,1,2,5"
    assert formats.read(again).puzzle == found.puzzle


@pytest.mark.parametrize(
    "text",
    [
        "A _ A\nB _ B\nC _ C\n", "A,_,A\nB,_,B\nC,_,C", "A,,A\nB,,B\nC,,C", "  A_A\n  B_B\n  C_C\n",
        "A0A\nB0B\nC0C", "A\t0\tA\nB\t0\tB\nC\t0\tC", "9 . 9\n10 . 10\n11 . 11\n",
        "A\t\tA\nB\t \tB\nC\t_\tC", "A;;A\nB;;B\nC;;C", "A_A\n\nB_B\n\nC_C\n",
        "3x3\nA_A\nB_B\nC_C", "3 X 3\n\nA.A\nB.B\nC.C", "9,0,9\r\n10,0,10\r\n11,0,11\r\n",
        "3 3\n9 - 9\n10 - 10\n11 - 11\n",
    ],
)  # fmt: skip
def test_cells_with_gaps_and_numbers(text: str) -> None:
    assert formats.read(text).puzzle.rows() == ["A_A", "B_B", "C_C"]


def test_a_first_line_with_an_x_is_the_size_unless_x_is_a_colour() -> None:
    assert formats.read("2x1\nAA\n").puzzle.rows() == ["AA"]
    assert formats.read("1x1\n_x_\n").puzzle.rows() == ["1x1", "_x_"]


def test_a_star_is_a_hole_beside_another_sign_for_no_dot() -> None:
    assert formats.read("A*A\nB*B\n").puzzle.rows() == ["A_A", "B_B"]
    assert formats.read("A . * A\nB . * B\n* * * *\n").puzzle.rows() == ["A_#A", "B_#B", "####"]
    assert formats.read("3 2\nA.*\n*A*\n").puzzle.rows() == ["A_#", "#A#"]


def test_a_remark_before_the_size() -> None:
    assert formats.read("# by somebody\n3 2\nA.#\nA.#\n").puzzle.rows() == ["A_#", "A_#"]
    assert formats.read("###\nA_A\n").puzzle.rows() == ["###", "A_A"]


def test_zero_is_a_dot_where_it_can_be_one() -> None:
    assert formats.read("0.0\nB.B\n").puzzle.rows() == ["0_0", "B_B"]
    assert formats.read("0 _ A\n0 _ A\n").puzzle.rows() == ["0_A", "0_A"]
    colours = range(1, 101)  # the letter of number 53 is 0
    rows = [f"{colour} 0 {colour}" for colour in colours]
    assert formats.read("\n".join(rows)).puzzle.colours == 100


def test_a_row_of_a_table_may_be_empty() -> None:
    """As a spreadsheet copies it: nothing but tabs, in the first row and in the last."""
    assert formats.read("\t\t\nA\t\tA\n\t\t\n").puzzle.rows() == ["___", "A_A", "___"]
    assert formats.read(",,\nA,,A\n").puzzle.rows() == ["___", "A_A"]
    assert formats.read("\tA_A\n\t\n").puzzle.rows() == ["A_A"]  # no table: indented


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A   A\nB   B\n", "a blank is no cell, and then none of them is empty; write _"),
        ("A A\nB B\n", "a blank is no cell, and then none"),
        ("A    \n  B A\nB    ", "row 2, column 2: a blank is no cell; write _"),
        ("Level 5\nA_A\n", "row 1, column 6: a blank is no cell"),
        ("A_A\nB_B\n\nC_C\nD_D\n", "an empty line after 'B_B', and then more rows; a file holds"),
        (
            "AxA\nBxB\nCxC",
            "'x' has 3 dots; every colour needs exactly 2, the ends of its path; the other",
        ),
        ("AAA\nBBB\n", "'A' has 3 dots; every colour needs exactly 2, the ends of its path"),
        ("3x3\nA_A\nB_B\n", "the first line says 3 rows, but 2"),
        ('["A_A", "B_B"]', "JSON that is no puzzle; expected"),
        ("https://puzz.link/p?slither/3/1/1g1", "an address, but none of a numlin puzzle"),
        ('{"rows": ["A_A"], "walls": [["r1c1", "r1c3"]]}', "not between r1c1 and r1c3"),
        ("", "an empty puzzle"),
        ("  \n \n", "an empty puzzle"),
        ("A_A\nB__\n", "'B' has 1 dot;"),
        ("A_A\nA_A\n", "'A' has 4 dots"),
        ("AAA\n", "'A' has 3 dots"),
        ("A_A\nB_B_\n", "row 2 has 4 cells and row 1 has 3"),
        ("___\n___\n", "at least one pair"),
        ("A_A\nB?B\n", "row 2, column 2: '?'"),
        ("3 3\nA.A\nB.B\n", "says 3 rows, but 2"),
        ("4 2\nA.A\nB.B\n", "says 4 columns, but row 1 has 3"),
        ("A" * 10_001 + "\n", "10001x1 is not possible"),
        ("numlin/3/2/1g1", "fills 3 cells of a board of 6"),
        ("numlin/3/1/1g!", "'!' at place 3"),
        ("numlin/3/1/0g0", "the number 0"),
        ("numlin/999/20/z", "999x20 is not possible"),
        ("pzprv3\nslither\n1\n3\n1 . 1", "a file of puzz.link with 'slither'; only numlin is read"),
        ("pzprv3/numlin/2/3/1 . 1 /2 2", "row 2 of the file has 2 cells, not 3"),
        ("pzprv3/numlin/1/3/1 - 1", "'-' is no number; a dot is one"),
        ("pzprv3/numlin/x/3/1 . 1", "the third line is the number of rows"),
        ("numlin/3", "expected numlin/<columns>/<rows>"),
        ("5,0,1", "expected width[:height],0,level,flows"),
        ("5,0,1,2;0,1,2", "says 2 flows, but has 1"),
        ("5,0,1,1;0,1,99", "'99' is not a cell"),
        ("5,0,1,1,0;0,1,2", "no bridge can be at 0"),
        ("5,0,1,1,3;0,1,2", "the bridge at r1c4 needs a cell on all four sides"),
        ("X:5,0,1,1,12;0,1,2", "no bridge can be at 12"),
        ("5,0,1,1;0,1,24", "flow 1 steps from cell 1 to 24, its neighbour on no board"),
        ("3:2,0,1,2;0,3;1,3", "but not all on a board of one width"),
        ("Z:5,0,1,1;0,1", "begins with 'Z:5,0,1,1'; expected width[:height]"),
        ("5:5:5,0,1,1;0,1", "begins with '5:5:5,0,1,1'"),
        ('{"rows": ["A_A"], "holes": [[0, 1]]}', "unknown key 'holes'"),
        ("1 . " + "9" * 5000 + "\n1 . 2", "is no number; a dot is one"),
        ("X:4,0,1,1;0,15", "level of hexes step to no neighbours"),
        ("W:2,0,1,1;0,1", "with warps is 3x3 or larger"),
        ('{"rows": ["A_A"], "grid": "hexes"}', "did you mean hex"),
        ("5,0,1,1,,,0-1;0,1,2", "'0-1'"),
        ("2,0,1,2;0,1;1,3", "two flows end at cell 1"),
        ("5,0,1,1;,5,10", "'' is no number; cells are 0 to 24"),
        ("5,0,1,1;0,,10", "'' is no number; cells are 0 to 24"),
        ("101,0,1,1;0,1", "101x101 is not possible"),
        ("5 5", "says 5 rows, but 0 follow"),
        ("9" * 5000 + " 5\nA.A", "is no number; the first line"),
        ("99999999999999999,0,1,1;0,1", "expected width[:height],0,level,flows"),
        ("9" * 5000 + ",0,1,1;0,1", "expected width[:height],0,level,flows"),
        ("5,0,1,\u00b2;0,1;3,4", "'\u00b2' is no number"),
        ("5,0,1,1,,\u00b2;0,1", "'\u00b2' is no number"),
        ("5,0,1,1;0," + "9" * 5000, "is no number; cells are 0 to 24"),
        ("numlin/" + "9" * 5000 + "/5/1", "expected numlin/<columns>/<rows>"),
        ('{"rows":' + "[" * 100_000, "nested too deeply"),
        ('{"rows":' + "9" * 5000 + "}", "not JSON"),
        ('{"rows": ["A_A"], "walls": [["r' + "9" * 5000 + 'c1", "r1c1"]]}', "is not a cell"),
        ("{", "not JSON"),
        ('{"rows": 3}', "no list of rows"),
        ('{"rows": ["A_A"], "walls": ["r1c1"]}', "walls are pairs"),
        ('{"rows": ["A_A"], "walls": [["r1c1", "r1c3"]]}', "between two neighbours"),
        ('{"rows": ["A_A"], "walls": [["r1c1", "r9c3"]]}', "'r9c3' is not a cell"),
    ],
)
def test_a_bad_puzzle_gets_one_clear_line(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_text(text)
    with pytest.raises(PetteiaError) as caught:
        formats.load(file)
    assert said in str(caught.value)
    assert "bad.txt" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_damaged_puzzles_are_read_or_told() -> None:
    """Texts of every form with some signs changed: a puzzle or one line, and nothing else."""
    chance = random.Random(7)
    board = course.board("5x5")
    texts = [formats.write(board.puzzle, form, board.solution) for form in formats.FORMATS]
    texts.append("3:2,0,7,1,,4,0|3;0,1,2,5")
    signs = '0123456789,:;|+-_.#[]{}"/\\ \n\tABXW\u00b2\u0661\x00\u4e00'
    told = []
    for _ in range(3000):
        text = list(chance.choice(texts))
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(text))
            text[at : at + chance.randint(0, 2)] = chance.choices(signs, k=chance.randint(0, 3))
        try:
            formats.read("".join(text))
        except PetteiaError as error:
            told.append(str(error))
    assert len(told) > 1500
    assert all("\n" not in line and len(line) < 400 for line in told)


def test_punctuation_as_dots() -> None:
    """Collections that go on after Z; a full stop is no dot there, and # stays a hole."""
    found = formats.read("4 3\n_..\\\n_A^\\\nA^..\n").puzzle
    assert found.rows(".") == ["B..C", "BADC", "AD.."]
    assert formats.read("3 2\nA.#\nA.#\n").puzzle.rows() == ["A_#", "A_#"]
    assert formats.read("3 2\nA_B\nA_B\n").puzzle.rows() == ["A_B", "A_B"]


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "bad.bin"
    file.write_bytes(b"\xfd\xfe\x00\x81")
    with pytest.raises(PetteiaError, match="not text in UTF-8"):
        formats.load(file)


def test_what_a_form_cannot_say_is_told() -> None:
    walled = Puzzle.of_rows(["A_A"], [(0, 1)])
    holed = Puzzle.of_rows(["A_A", "#BB"])
    with pytest.raises(PetteiaError, match="no walls"):
        formats.write(walled, "course")
    with pytest.raises(PetteiaError, match="no holes"):
        formats.write(holed, "numlin")
    with pytest.raises(PetteiaError, match="holds the solution"):
        formats.write(holed, "level")
    with pytest.raises(PetteiaError, match="numlin"):
        formats.write(holed, "numlim")
