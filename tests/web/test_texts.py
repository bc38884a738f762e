"""Positions and games in the forms of others: read, written, edited; for every game."""

from __future__ import annotations

from itertools import islice

import pytest

from petteia import games
from petteia.core.errors import PetteiaError
from petteia.core.game import DECISION, Game
from petteia.core.session import Session
from petteia.core.words import Words
from tests.positions import play_random
from tests.web.conftest import Served

_FLOW = "A__\n_A_\n___"


def _walk(game: Game, seed: int) -> list[Words]:
    """A random game."""
    return play_random(Session(game, seed=seed), seed, 80).positions


def _standing(game: Game, p: Words) -> dict[str, str]:
    found: dict[str, str] = {}
    for piece in game.view(p).pieces:
        found[piece.cell] = found.get(piece.cell, "") + piece.letter * piece.count
    return found


@pytest.mark.parametrize("name", games.names())
def test_every_game_can_be_edited(name: str) -> None:
    game = games.make(name)
    for p in islice(_walk(game, 3), 1, None, 4):
        before = _standing(game, p)
        for cell, letters in before.items():
            if cell.startswith(("hand", "off")):
                continue
            assert _standing(game, game.edited(p, {cell: letters})) == before
            less = _standing(game, game.edited(p, {cell: letters[:-1]}))
            assert less.get(cell, "") == letters[:-1]
            rest = {
                c: s for c, s in less.items() if c != cell and not c.startswith(("hand", "off"))
            }
            assert all(before[c] == s for c, s in rest.items())
    with pytest.raises(PetteiaError):
        game.edited(game.start(), {"nowhere": ""})
    with pytest.raises(PetteiaError):
        game.edited(game.start(), {game.view(game.start()).cells[1].id: "?"})


@pytest.mark.parametrize("name", [n for n in games.names() if not games.make(n).has_simultaneous])
def test_the_editor_changes_who_is_to_move(name: str) -> None:
    game = games.make(name)
    p = next(p for p in _walk(game, 3)[1:] if game.kind(p) == DECISION)
    for mover in (0, 1):
        assert game.mover(game.edited(p, {}, mover)) == mover


_MAT = """ 0 point match

 Game 1
 somebody : 0                            nobody : 0
  1) 31: 8/5 6/5                        42: 8/4 6/4
"""
_SGF = "(;FF[4]GM[6]PW[somebody]PB[nobody];W[31hefe];B[42qusu])"


@pytest.mark.parametrize(
    ("game", "text", "moves"),
    [
        ("checkers", '[Event "x"]\n1. 11-15 23-19 2. 8-11 *', 3),
        ("checkers", "W:W31,K9:B1,K14", 0),
        ("checkers", "........\n" * 3 + "..b.....\n" + "........\n" * 3 + "r.......", 0),
        ("backgammon", _MAT, 4),
        ("backgammon", _SGF, 4),
        ("backgammon", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", 0),
        ("backgammon", "4HPwATDgc/ABMA", 0),
        ("ropasci", "turn 1: upper: THROW symbol s to (4, -2)\n"
                    "turn 1: lower: THROW symbol r to (-4, 3)", 1),
        ("breakthrough", "pppppppp/pppppppp/8/8/8/P7/1PPPPPPP/PPPPPPPP b", 0),
    ],
)  # fmt: skip
def test_texts_of_others_are_read(lab: Served, game: str, text: str, moves: int) -> None:
    meant = lab.post("/api/read", {"game": game, "text": text})
    assert len(meant["moves"]) == moves
    if moves == 0:
        assert meant["start"] != "start"


_LINES = {
    "breakthrough": ["a2a3", "b7b6"],
    "checkers": ["11-15", "23-19", "8-11"],
    "ropasci": ["s(4,-2)|r(-4,3)"],
    "ur": [":2", "hand-c1", ":1"],
    "backgammon": [":3-1", "8/5_6/5", ":42"],
}


@pytest.mark.parametrize("name", games.names())
def test_games_are_written_for_others_and_read_again(lab: Served, name: str) -> None:
    line = {"game": name, "moves": _LINES[name]}
    forms = lab.post("/api/texts", {**line, "players": ["somebody", "nobody"]})
    known = {each["suffix"]: each["text"] for each in forms["games"]}
    assert list(known) == [".txt", *games.make(name).foreign_suffixes]
    for suffix, text in known.items():
        read = lab.post("/api/read", {"game": name, "text": text})
        whole = suffix == ".txt" or not games.make(name).has_chance
        assert read["moves"] == _LINES[name][: None if whole else -1]
    shown = lab.post("/api/line", line)["view"]["text"]
    for each in forms["positions"]:
        assert lab.post("/api/read", {"game": name, "text": each["text"]})["start"], each
    assert forms["positions"][0]["text"] == shown


def test_forms_that_cannot_tell_a_game_are_left_out(lab: Served) -> None:
    # A .mat file begins at the start of a game.
    start = "XGID=------B-B--------b-b------:0:0:1:21:0:0:0:0:10"
    forms = lab.post("/api/texts", {"game": "backgammon", "start": start, "moves": ["8/6_8/7"]})
    assert [each["suffix"] for each in forms["games"]] == [".txt"]


def test_a_text_of_several_games(lab: Served) -> None:
    text = '[Event "1"]\n1. 11-15 *\n\n[Event "2"]\n1. 9-14 22-18 *\n'
    first = lab.post("/api/read", {"game": "checkers", "text": text})
    assert (first["games"], first["moves"]) == (2, ["11-15"])
    second = lab.post("/api/read", {"game": "checkers", "text": text, "number": 2})
    assert second["moves"] == ["9-14", "22-18"]
    wrong = lab.client.post("/api/read", json={"game": "checkers", "text": text, "number": 3})
    assert "2 games" in wrong.json()["detail"]


def test_flow_in_every_format(lab: Served) -> None:
    puzzle = lab.post("/api/flow/read", {"text": _FLOW})
    texts = lab.post("/api/flow/texts", {"text": puzzle["text"]})["texts"]
    assert {"course", "letters", "header", "numlin", "json"} <= set(texts)
    for text in texts.values():
        again = lab.post("/api/flow/read", {"text": text})
        assert again["cells"] == puzzle["cells"]
