"""Outside oracles: OpenSpiel, py-draughts and pydraughts play the same checkers as we do.

The last two are called by the same name, ``draughts``, so that only one of them can be installed
beside Petteia. ``PETTEIA_PYDRAUGHTS`` may name another interpreter that has pydraughts.
``PETTEIA_ORACLE_POSITIONS`` asks for more positions than the few of every run.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest

from petteia.core.game import DECISION
from petteia.core.words import Words
from petteia.games.checkers.rules.board import number_of, turned
from petteia.search.stepper import stepper_of
from tests.games.checkers.boards import board, circuits, of_games, scattered

COURSE = board(repetitions=0, quiet_plies=0)
COUNT = int(os.environ.get("PETTEIA_ORACLE_POSITIONS", "1000"))


def successors(p: Words) -> set[str]:
    """The positions after every legal move."""
    stepper = stepper_of(COURSE)
    seen = stepper.look(p)
    if seen.kind != DECISION:
        return set()
    return {COURSE.text(stepper.play(p, move)) for move in seen.moves}


def positions(count: int) -> Iterator[Words]:
    """Of random games, of pieces thrown onto the board, and for kings' circuits."""
    yield from chain(
        of_games(COURSE, count // 2, 11), scattered(count // 3, 12), circuits(count // 6, 13)
    )


# --- OpenSpiel ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def open_spiel() -> Any:
    return pytest.importorskip("pyspiel", reason="OpenSpiel (open_spiel) is not installed")


def whole_turns(state: Any) -> Iterator[Any]:
    """OpenSpiel moves hop by hop: the states after every whole turn."""
    player = state.current_player()
    for action in state.legal_actions():
        child = state.child(action)
        if not child.is_terminal() and child.current_player() == player:
            yield from whole_turns(child)
        else:
            yield child


def seen_by_open_spiel(state: Any) -> str:
    """Its pieces as a FEN without the side to move. Its first player, ``o``, is at the bottom."""
    sides: dict[str, list[tuple[int, str]]] = {"o": [], "+": []}
    for r, row in enumerate(str(state).splitlines()[:8]):
        for c, letter in enumerate(row[1:9]):
            if letter in "o8+*":
                number = 33 - (r * 4 + c // 2 + 1)
                king = "K" if letter in "8*" else ""
                sides["o" if letter in "o8" else "+"].append((number, f"{king}{number}"))
    white, black = (",".join(text for _, text in sorted(sides[who])) for who in ("+", "o"))
    return f"W{white}:B{black}"


def test_open_spiel_agrees(open_spiel: Any) -> None:
    game = open_spiel.load_game("checkers")
    chance = random.Random(5)
    p, state, seen, quiet = COURSE.start(), game.new_initial_state(), 0, 0
    while seen < COUNT:
        seen += 1
        theirs = {seen_by_open_spiel(child): child for child in whole_turns(state)}
        ours = {text.split(":", 1)[1]: text for text in successors(p)}
        assert set(ours) == set(theirs), COURSE.text(p)
        choice = chance.choice(sorted(ours))
        pieces = int(p[0]).bit_count() + int(p[1]).bit_count()
        p, state = COURSE.parse(ours[choice]), theirs[choice]
        quiet = quiet + 1 if int(p[0]).bit_count() + int(p[1]).bit_count() == pieces else 0
        over = COURSE.kind(p) != DECISION
        if quiet < 40:  # beyond that it calls a draw, by a rule of its own
            assert state.is_terminal() == over
            if over:
                assert state.returns()[0] == COURSE.result(p)
        if over or quiet >= 39 or state.is_terminal():
            p, state, quiet = COURSE.start(), game.new_initial_state(), 0


# --- py-draughts --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def acf_board() -> Any:
    american = pytest.importorskip(
        "draughts.boards.american", reason="py-draughts is not installed"
    )

    class AcfBoard(american.Board):  # type: ignore[name-defined,misc]
        """Its own board lets a player decline a capture."""

        @property
        def legal_moves(self) -> Any:
            return self._legal_moves_from_core(
                american._CORE, max_capture=False, captures_optional=False
            )

    return AcfBoard


def test_py_draughts_agrees(acf_board: Any) -> None:
    for p in positions(COUNT):
        other = acf_board.from_fen(COURSE.text(p))
        theirs = set()
        for move in list(other.legal_moves):
            other.push(move)
            theirs.add(COURSE.text(COURSE.parse(other.fen)))
            other.pop()
        assert theirs == successors(p), COURSE.text(p)


# --- pydraughts ---------------------------------------------------------------------------------

_PROGRAM = """
import json, sys
from draughts import Board
for line in sys.stdin:
    board = Board(variant="english", fen=line.strip())
    found = []
    for move in board.legal_moves():
        after = Board(variant="english", fen=line.strip())
        after.push(move)
        found.append(after.fen)
    print(json.dumps(found), flush=True)
"""


def test_pydraughts_agrees() -> None:
    python = os.environ.get("PETTEIA_PYDRAUGHTS")
    if not python:
        pytest.skip("PETTEIA_PYDRAUGHTS names no interpreter with pydraughts")
    asked = [COURSE.text(p) for p in positions(COUNT)]
    answered = subprocess.run(
        [python, "-c", _PROGRAM], input="\n".join(asked), capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for fen, line in zip(asked, answered, strict=True):
        theirs = {COURSE.text(COURSE.parse(text)) for text in json.loads(line)}
        assert theirs == successors(COURSE.parse(fen)), fen


# --- the colours --------------------------------------------------------------------------------


def test_the_rules_are_the_same_for_both_colours() -> None:
    for p in positions(300):
        there = (turned(p[1]), turned(p[0]), turned(p[2]), p[3] ^ type(p[3])(1))
        assert len(successors(p)) == len(successors(there))
    assert number_of(34) == 32
