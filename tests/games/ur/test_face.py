"""Text forms of Ur: each a round trip, and bad text gets one clear line."""

from __future__ import annotations

import pytest

from petteia import games
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION
from petteia.core.position import Position
from petteia.games.ur import Ur
from petteia.games.ur.face import heled
from tests.positions import random_positions

pytestmark = pytest.mark.rules

UR = Ur()

IDS = {
    "MoX5A": "4xx2/8/4xx2 l 7 0 7 0",
    "Z9&60": "4xxd1/8/4xxl1 l 0 6 0 6",
    "ESVd0": "4xxd1/8/4xx1l l 0 6 0 6",
    "8l<60": "4xx1d/8/4xxl1 l 0 6 0 6",
    "AdZFx": "3dxx2/8/3lxx2 l 6 0 6 0",
    ">^Rcb": "4xx2/l2d2l1/1l2xx1l l 2 1 6 0",
    "&bCRa": "2d1xx2/1d1ll1d1/l3xx2 l 2 2 2 2",
}


@pytest.mark.parametrize(("word", "line"), IDS.items())
def test_heled_ids(word: str, line: str) -> None:
    assert UR.text(UR.parse(word)) == line
    assert heled.text(UR, UR.parse(line)) == word


@pytest.mark.parametrize("spec", ["ur", "blitz", "masters", "aseb", "project-ur", "ur(pieces=2)"])
def test_positions_and_moves_are_round_trips(spec: str) -> None:
    game = games.make(spec)
    for p in random_positions(game, 300, 7):
        assert game.parse(game.text(p)) == p
        if game.kind(p) == DECISION:
            for move in game.legal_moves(p):
                assert game.parse_move(p, game.move_text(p, move)) == move


def test_ids_are_round_trips() -> None:
    for p in random_positions(UR, 300, 8):
        if UR.kind(p) == CHANCE and UR.mover(p) == 0:
            assert UR.parse(heled.text(UR, p)) == p


@pytest.mark.parametrize(
    ("line", "writings"),
    [
        ("4xx2/l2d2l1/1l2xx1l l 2 1 6 0 2", ["hand-c1", "A@A3", "L4-L2", "2: hand-c1"]),
        ("4xx2/l2d2l1/1l2xx1l l 2 1 6 0 2", ["a2-c2", "B1B3", "M0-M2", "A2-C2", "a2-c2*"]),
        ("4xx2/l2d2l1/1l2xx1l l 2 1 6 0 2", ["h1-home", "A8A+", "L7-L5"]),
        ("4xx2/8/4xx2 d 7 0 7 0 4", ["hand-a3", "C@C1", "R4-R0"]),
        ("4xx2/8/4xx2 d 7 0 7 0 0", ["pass", "-", "--"]),
    ],
)
def test_moves_in_every_style(line: str, writings: list[str]) -> None:
    p = UR.parse(line)
    assert len({UR.parse_move(p, text) for text in writings}) == 1


def test_numbered_pieces_by_their_names() -> None:
    p = UR.parse("L=2,1,5,10,3,14,0 R=3,4,6,12,7,11,0 left 2")
    assert UR.text(p) == "L=2,1,5,10,3,14,0 R=3,4,6,12,7,11,0 L 2"
    move = UR.parse_move(p, "L3")
    assert UR.move_text(p, move) == "L3:M5-M7"
    assert UR.parse_move(p, "M5-M7") == move
    assert UR.text(UR.play(p, move)) == "L=2,1,5,12,3,14,0 R=3,4,6,0,7,11,0 R"
    assert "L3" in Position(UR, p).draw()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "expected rows"),
        ("4xx2/8/4xx2 l 7 0 7", "expected rows"),
        ("4xx2/8 l 7 0 7 0", "2 rows"),
        ("4xx2/8/4xx2 w 7 0 7 0", "neither l nor d"),
        ("4xx2/9/4xx2 l 7 0 7 0", "do not fit"),
        ("4xx2/7/4xx2 l 7 0 7 0", "7 columns"),
        ("4xx2/8/8 l 7 0 7 0", "do not fit"),
        ("4xx2/8/4xx2 l 7 0 7 1", "dark has 8 pieces"),
        ("4xx2/q7/4xx2 l 7 0 7 0", "'q' at a2"),
        ("l3xx2/8/4xx2 l 6 0 7 0", "light never comes to a3"),
        ("4xx2/8/4xx2 l 7 0 7 0 5", "is not a roll"),
        ("4xx2/8/4xx2 l 0 7 0 7", "both sides"),
        ("L=1,2 R=0,0,0,0,0,0,0 L", "7 numbers"),
        ("L=1,1,0,0,0,0,0 R=0,0,0,0,0,0,0 L", "two pieces"),
        ("L=5,1,0,0,0,0,0 R=5,0,0,0,0,0,0 L", "shared square 5"),
        ("L=16,1,0,0,0,0,0 R=5,0,0,0,0,0,0 L", "15 is home"),
        ("L=1,0,0,0,0,0,0 R=0,0,0,0,0,0,0 X", "neither L nor R"),
        ("#####", "no position"),
    ],
)
def test_bad_positions_say_what_is_wrong(text: str, why: str) -> None:
    with pytest.raises(PetteiaError, match=why):
        UR.parse(text)


def test_ids_belong_to_finkel_with_seven_pieces() -> None:
    with pytest.raises(PetteiaError, match="seven pieces"):
        games.make("aseb").parse("MoX5A")


def test_the_picture_has_hands_homes_and_dice() -> None:
    view = UR.view(UR.parse("4xx2/l2d2l1/1l2xx1l l 2 1 6 0 2"))
    assert list(view.size) == [8, 3]
    assert list(view.dice) == [1, 1, 0, 0]
    assert len(view.cells) == 24
    counts = {(piece.cell, piece.owner): piece.count for piece in view.pieces}
    assert counts["hand-l", 0] == 2
    assert counts["home-l", 0] == 1
    assert {cell.id for cell in view.cells if cell.mark == "rosette"} == {
        "a1", "a3", "d2", "g1", "g3",
    }  # fmt: skip
