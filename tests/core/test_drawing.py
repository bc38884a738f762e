"""Pictures of views: what must be on them, and that any text is safe in them."""

from __future__ import annotations

import itertools
import json
import math
import random
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from petteia import games
from petteia.core.drawing import svg, terminal
from petteia.core.drawing.scene import scene_json
from petteia.core.drawing.style import document_style, rules_of
from petteia.core.errors import PetteiaError
from petteia.core.view import Cell, Label, Piece, View
from petteia.games.breakthrough import Breakthrough

SVG = "{http://www.w3.org/2000/svg}"


def hexagon(pitch: float = 1.0) -> View:
    """Seven hexes around a middle, their rows shifted by half a step."""
    places = {"a": (0.5, 0), "b": (1.5, 0), "c": (0, 1), "d": (1, 1), "e": (2, 1), "f": (0.5, 2)}
    places["g"] = (1.5, 2)
    return View(
        "hexes",
        (3, 3),
        tuple(Cell(name, (x, y * pitch), "hex") for name, (x, y) in places.items()),
        (
            Piece("a", 0, "R"), Piece("d", 1, "s", "scissors", 3),
            Piece("g", 0, "P"), Piece("g", 1, "p"),
        ),
        labels=(Label("top", (-1, 0)),),
        status="both choose",
        last=("c", "d"),
    )  # fmt: skip


def track() -> View:
    """A corner of the Ur board."""
    return View(
        "ur",
        (2, 2),
        (Cell("L0", (0, 0), mark="rosette"), Cell("L1", (0, 1)), Cell("M1", (1, 1))),
        (Piece("L1", 0, "l", count=4),),
        mover=0,
        dice=(0, 1, 1, 0),
        status="left to move, rolled 2",
    )


@lru_cache(maxsize=4)
def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)


def elements(text: str, layer: str) -> list[ET.Element]:
    group = parsed(text).find(f"{SVG}g[@class='{layer}']")
    return [] if group is None else list(group)


def attribute(element: ET.Element, key: str) -> float:
    return float(element.attrib[key])


def place(element: ET.Element) -> tuple[float, float]:
    found = re.match(r"translate\((\S+) (\S+)\)", element.attrib["transform"])
    assert found is not None
    return (float(found[1]), float(found[2]))


def inside(elements: list[ET.Element], kind: str) -> list[ET.Element]:
    """The elements of a class within others."""
    return [e for group in elements for e in group.iter() if e.attrib.get("class") == kind]


# --- text --------------------------------------------------------------------------------------


def test_text_shows_pieces_labels_last_move_and_status() -> None:
    game = Breakthrough(columns=4, rows=4, filled=1)
    p = game.play(game.start(), game.parse_move(game.start(), "b1c2"))
    assert terminal.board(game.view(p).with_last(("b1", "c2"))).split("\n") == [
        "4  b  b  b  b",
        "3  .  .  .  .",
        "2  .  . [w] .",
        "1  w [.] w  w",
        "   a  b  c  d",
        "black to move",
    ]


def test_flipped_text_is_seen_by_the_second_player() -> None:
    game = Breakthrough(columns=10, rows=3, filled=1)
    shown = terminal.board(game.view(game.start()).with_last(("a1",)), flip=True).split("\n")
    assert shown[0] == "1  w  w  w  w  w  w  w  w  w [w]"
    assert shown[2].startswith("3  b  b")
    assert shown[3] == "   j  i  h  g  f  e  d  c  b  a"


def test_labels_of_two_digits_keep_the_board_straight() -> None:
    game = Breakthrough(columns=4, rows=11, filled=1)
    lines = terminal.board(game.view(game.start())).split("\n")
    assert lines[0] == "11  b  b  b  b"
    assert lines[2] == " 9  .  .  .  ."


@pytest.mark.parametrize("pitch", [1.0, 0.866])
def test_hex_rows_are_shifted_by_half_a_cell(pitch: float) -> None:
    assert terminal.board(hexagon(pitch)).split("\n") == [
        "top    R   .",
        "    [.] [s3] .",
        "       .   Pp",
        "both choose",
    ]


def test_stacks_dice_and_rosettes_are_shown() -> None:
    assert terminal.board(track()).split("\n") == [
        " *",
        " l4  .",
        "dice: 0 1 1 0",
        "left to move, rolled 2",
    ]


def test_text_is_ascii_whatever_the_view_says() -> None:
    view = View("x", (1, 1), (Cell("a", (0, 0)),), (Piece("a", 0, "♞"),), status="süß\nund gut")
    shown = terminal.board(view)
    assert shown.isascii()
    assert shown == " ?\ns?? und gut"


def test_an_empty_view_is_drawn() -> None:
    empty = View("nothing", (0, 0), (), ())
    assert terminal.board(empty, flip=True) == ""
    assert ET.fromstring(svg.board(empty, flip=True)).find(f"{SVG}title") is not None


def test_crowded_cells_are_all_shown() -> None:
    cells = tuple(Cell(str(n), (n / 100, 0.5)) for n in range(5))
    pieces = tuple(Piece(str(n), 0, "abcde"[n]) for n in range(5))
    assert re.findall(r"\w", terminal.board(View("x", (1, 1), cells, pieces))) == list("abcde")


@pytest.mark.parametrize("draw", [terminal.board, svg.board])
def test_a_piece_beside_the_cells_is_an_error(draw: object) -> None:
    view = replace(track(), pieces=(Piece("off", 0, "l"),))
    assert callable(draw)
    with pytest.raises(PetteiaError, match="'off', which is not one of its cells"):
        draw(view)


# --- SVG ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [Breakthrough(), Breakthrough(columns=10, rows=5)], ids=str)
def test_every_position_is_well_formed_with_all_cells_and_pieces(game: Breakthrough) -> None:
    chooser, p = random.Random(5), game.start()
    last: tuple[str, ...] = ()
    while True:
        view = game.view(p).with_last(last)
        text = svg.board(view, flip=len(view.pieces) % 2 == 0)
        cells = [element.attrib["data-cell"] for element in elements(text, "cells")]
        assert cells == [cell.id for cell in view.cells]
        pieces = {(e.attrib["data-cell"], e.attrib["data-owner"]) for e in elements(text, "pieces")}
        assert pieces == {(piece.cell, str(piece.owner)) for piece in view.pieces}
        assert {e.attrib["data-cell"] for e in elements(text, "last-move")} == set(last)
        assert parsed(text).findtext(f"{SVG}title") == view.status
        if not view.actions:
            break
        action = chooser.choice(view.actions)
        last, p = action.path, game.play(p, game.parse_move(p, action.move))


def test_the_picture_stands_alone_and_follows_the_screen() -> None:
    text = svg.board(Breakthrough().view(Breakthrough().start()))
    root = ET.fromstring(text)
    assert root.attrib["role"] == "img"
    assert "prefers-color-scheme:dark" in text
    assert "var(" not in text
    assert not re.search(r"href|url\(|@import|<script", text)


@pytest.mark.parametrize("size", [1, 100, 480])
def test_size_is_the_longer_side(size: int) -> None:
    game = Breakthrough(columns=10, rows=5)
    for view in (track(), hexagon(), game.view(game.start())):
        root = ET.fromstring(svg.board(view, size=size))
        assert max(attribute(root, "width"), attribute(root, "height")) == size


def test_a_picture_without_size_is_an_error() -> None:
    with pytest.raises(PetteiaError, match="size 0 is not possible"):
        svg.board(track(), size=0)


def test_everything_lies_inside_the_picture() -> None:
    for view in (track(), Breakthrough().view(Breakthrough().start())):
        text = svg.board(view)
        left, top, width, height = map(float, ET.fromstring(text).attrib["viewBox"].split())
        for element in ET.fromstring(text).iter():
            if element.attrib.get("transform", "").startswith("translate"):
                x, y = place(element)
                assert left <= x < left + width
                assert top <= y < top + height


def test_owners_differ_in_shape_and_colour() -> None:
    game = Breakthrough(columns=2, rows=3, filled=1)
    view = game.view(game.start())
    drawn = {e.attrib["data-owner"]: e for e in elements(svg.board(view), "pieces")}
    assert drawn["0"].find(f"{SVG}circle") is not None
    assert drawn["1"].find(f"{SVG}rect") is not None
    assert {e.attrib["class"] for e in drawn.values()} == {"piece p0", "piece p1"}
    # White is white because he is called so; in another game the first player is orange.
    assert ".c0-white .p0 .body{fill:#fdf9ef" in svg.board(view)
    assert ".c0-own .p0 .body{fill:#e69f00" in svg.board(hexagon())


def test_pictures_on_one_page_leave_each_other_alone() -> None:
    styles = [document_style(names)[1] for names in ((), ("white", "black"), ("dark", "}*{x:1}"))]
    rules = [dict(rules_of(style.split("@media")[0])) for style in styles]
    assert all(selector.startswith(".petteia-board") for each in rules for selector in each)
    for one, other in itertools.permutations(rules, 2):
        assert all(other[selector] == one[selector] for selector in one.keys() & other.keys())
    assert "x:1" not in styles[2]


def test_a_letter_tells_what_colour_and_shape_do_not() -> None:
    cells = tuple(Cell(name, (x, 0)) for x, name in enumerate("abcde"))
    pieces = (
        Piece("a", 0, "w"), Piece("b", 0, "W", "king"), Piece("c", 0, "r", "rook"),
        Piece("d", 0, "L3"), Piece("e", 2, "x"),
    )  # fmt: skip
    drawn = elements(svg.board(View("x", (5, 1), cells, pieces)), "pieces")
    assert [each.findtext(f"{SVG}text") for each in drawn] == [None, None, "R", "L3", "X"]
    assert len(inside([drawn[1]], "crown")) == 1


def test_a_flip_turns_the_cells_but_keeps_labels_at_their_side() -> None:
    view = Breakthrough().view(Breakthrough().start())

    def places(layer: str, *, flip: bool) -> list[tuple[float, float]]:
        return [place(e) for e in elements(svg.board(view, flip=flip), layer)]

    assert places("cells", flip=True) == places("cells", flip=False)[::-1]
    assert set(places("labels", flip=True)) == set(places("labels", flip=False))
    assert places("labels", flip=True) != places("labels", flip=False)


@pytest.mark.parametrize("flip", [False, True])
def test_every_playable_square_of_checkers_has_its_number(flip: bool) -> None:
    text = svg.board(games.make("checkers").view(games.make("checkers").start()), flip=flip)
    written = {e.attrib["data-cell"]: e.findtext(f"{SVG}text") for e in elements(text, "cells")}
    numbers = {str(number) for number in range(1, 33)}
    assert {cell for cell, name in written.items() if name is not None} == numbers
    assert all(name in (None, cell) for cell, name in written.items())
    assert 'class="labels"' not in text


@pytest.mark.parametrize("x", [-1, 2])
def test_a_word_beside_the_board_fits_into_the_picture_and_covers_no_cell(x: int) -> None:
    view = replace(track(), labels=(Label("second", (x, 0)), Label("1", (x, 1))))
    side = scene_json(view)["sides"][0]
    left, _, width, _ = side["box"]
    words = {text: at for _, at, _, text in side["labels"]}
    half = 0.28 * 15 * len("second")  # letters are about as wide as half their height
    if x < 0:
        assert left < words["second"] - half < words["second"] + half < -30 < left + width
        assert words["second"] < words["1"]
    else:
        assert 90 < words["second"] - half < words["second"] + half < left + width
        assert words["second"] > words["1"]


def test_labels_on_two_sides_go_with_their_cells() -> None:
    view = games.make("backgammon").view(games.make("backgammon").start())

    def away(*, flip: bool) -> float:
        text = svg.board(view, flip=flip)
        cell = next(e for e in elements(text, "cells") if e.attrib["data-cell"] == "24")
        label = next(e for e in elements(text, "labels") if e.findtext(f"{SVG}text") == "24")
        return math.dist(place(cell), place(label))

    assert away(flip=True) == pytest.approx(away(flip=False))


@pytest.mark.parametrize("pitch", [1.0, 0.866])
def test_hexes_are_regular_however_far_apart_their_rows_are(pitch: float) -> None:
    cells = elements(svg.board(hexagon(pitch)), "cells")
    assert len(cells) == 7
    corners = re.findall(r"Q(\S+) (\S+) ", inside([cells[0]], "face")[0].attrib["d"])
    xs = [float(x) for x, _ in corners]
    assert max(xs) - min(xs) == pytest.approx(58, abs=0.05)
    assert place(cells[2])[1] - place(cells[0])[1] == pytest.approx(60 * 0.866, abs=0.05)


def test_stacks_carry_their_count_and_dice_their_pips() -> None:
    text = svg.board(track())
    heap = elements(text, "pieces")
    assert [piece.findtext(f"{SVG}text") for piece in heap] == [None, None, None, "4"]
    below = elements(text, "below")
    assert [e.attrib.get("class") for e in below].count("die") == 4
    assert len(inside(below, "pip")) == 2
    assert len(inside(elements(text, "cells"), "rosette")) == 9


def test_a_large_heap_is_a_small_picture() -> None:
    view = replace(track(), pieces=(Piece("L1", 0, "l", count=1_000_000),))
    heap = elements(svg.board(view), "pieces")
    assert len(heap) <= 20
    assert heap[-1].findtext(f"{SVG}text") == "1000000"


def test_words_of_a_view_never_name_another_symbol() -> None:
    cells = tuple(Cell(word, (x, 0), word) for x, word in enumerate(("badge", "label", "p0 man a")))
    view = View("x", (3, 1), cells, (Piece("badge", 0, "a"),), (Label("l", (0, 1)),))
    assert len(inside(elements(svg.board(view), "cells"), "face")) == 3


@pytest.mark.parametrize("flip", [False, True])
def test_points_of_backgammon_stand_on_the_edge_and_hold_columns(flip: bool) -> None:
    game = games.make("backgammon")
    text = svg.board(game.view(game.start()), flip=flip)
    cells = {e.attrib["data-cell"]: e for e in elements(text, "cells")}
    upper, lower = ("1", "24") if flip else ("24", "1")
    assert place(cells[upper])[1] < place(cells[lower])[1]
    assert {"down", "up"} & set(cells[upper].attrib["class"].split()) == {"down"}
    six = [place(e) for e in elements(text, "pieces") if e.attrib["data-cell"] == "6"]
    assert len({x for x, _ in six}) == 1
    assert sorted(y for _, y in six) == sorted({y for _, y in six})


def test_both_sides_are_told_to_the_page_in_few_bytes() -> None:
    game = games.make("checkers")
    told = scene_json(game.view(game.start()))
    assert len(json.dumps(told, separators=(",", ":"))) < 9_000
    for side in told["sides"]:
        used = {placed[0] for layer in ("cells", "pieces", "labels") for placed in side[layer]}
        assert used < told["symbols"].keys()
    there, back = ({c[3]: c[1:3] for c in side["cells"]} for side in told["sides"])
    assert there.keys() == back.keys()
    assert there["1"] == back["32"]


def test_dice_and_cube_lie_on_the_board_of_backgammon() -> None:
    game = games.make("backgammon(cube=true)")
    rolled = game.parse("XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:0:0:0:0:10")
    shown = scene_json(game.view(rolled))
    for side in shown["sides"]:
        assert [prop[0] for prop in side["props"]] == ["die 3", "die 1", "cube 2"]
        left, top, width, height = side["box"]
        for _, x, y, *_ in side["props"]:
            assert left < x < left + width
            assert top < y < top + height
    near, far = (side["props"] for side in shown["sides"])
    assert near[2][2] < near[0][2]  # the cube is Black's, at the top
    assert far[2][2] > far[0][2]
    drawing = svg.board(game.view(rolled))
    assert drawing.count('class="die"') == 2  # and not a second time below
    assert ">2</text>" in drawing
    doubled = game.play(game.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"), 1)
    view = game.view(doubled)
    assert view.cube is not None
    assert (view.cube.value, view.cube.offered) == (2, True)
    assert view.status == "white doubles to 2: black takes or drops"


def test_a_long_status_is_cut_but_whole_in_the_title() -> None:
    view = replace(track(), status="so many words " * 9)
    root = ET.fromstring(svg.board(view))
    assert root.findtext(f"{SVG}title") == view.status
    shown = [e.text or "" for e in root.iter(f"{SVG}text") if e.attrib["class"] == "status"]
    assert shown[0].endswith("…")


@settings(max_examples=60, deadline=None)
@given(text=st.text(st.characters(codec=None)), letter=st.text(max_size=3), flip=st.booleans())
def test_any_text_is_safe_in_both_drawings(text: str, letter: str, flip: bool) -> None:
    view = View(
        text, (1, 1), (Cell(text, (0, 0), text, text),), (Piece(text, 0, letter, text),),
        labels=(Label(text, (0, 1)),), status=text, last=(text,),
    )  # fmt: skip
    root = ET.fromstring(svg.board(view, flip=flip).encode())
    allowed = {"svg", "title", "style", "g", "rect", "circle", "text", "path"}
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= allowed
    assert terminal.board(view, flip=flip).isascii()


def test_markup_is_escaped() -> None:
    evil = "<script>\"'&</script>"
    view = replace(track(), status=evil, labels=(Label(evil, (-1, 0)),))
    text = svg.board(view)
    assert "<script" not in text
    assert ET.fromstring(text).findtext(f"{SVG}title") == evil
