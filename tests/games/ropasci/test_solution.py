"""Endings of three tokens: where they stand, and what the solver says of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from petteia import agents, games
from petteia.core.errors import PetteiaError
from petteia.games.ropasci import RoPaSci
from petteia.games.ropasci.rules.hexes import HEXES, distance
from petteia.games.ropasci.solution import solver, table
from petteia.games.ropasci.solution.layout import (
    SIZE,
    ending_of,
    number_of,
    placement,
    position_of,
)
from petteia.search.reference_joint import by_linear_program
from petteia.solve import Control, TableFile

GAME = RoPaSci()
FAR = "5/6/7/8/3r5/8/1r5/6/P4 9-9 100"
CORNERED = "5/6/7/8/9/8/7/1P4/rr3 9-9 100"


@pytest.mark.rules
def test_a_place_is_its_own_position() -> None:
    for number in range(1000, SIZE, 997):
        hunter, first, second = placement(number)
        if hunter in (first, second) or first > second:
            continue
        assert number_of(hunter, first, second) == number
        assert ending_of(GAME, position_of(GAME, number)) == (number, 0)


def distances(place: int) -> list[int]:
    """Of the three tokens there from each other, and from the middle of the board."""
    hunter, *prey = (HEXES[number] for number in placement(place))
    apart = [distance(hunter, each) for each in prey]
    return [distance(*prey), distance(hunter, (0, 0)), *sorted(apart)]


@pytest.mark.rules
@pytest.mark.parametrize(
    "text",
    [
        "5/6/7/8/3r5/8/1r5/6/P4 9-9 20",
        "4P/6/5r1/8/5r3/8/7/6/5 9-9 20",  # turned by half
        "p4/6/1R5/8/3R5/8/7/6/5 9-9 20",  # the other player hunts
        "5/6/7/8/9/8/1(ss)5/6/R4 9-9 20",
    ],
)
def test_images_stand_at_places_of_the_same_distances(text: str) -> None:
    p = GAME.parse(text)
    place, hunter = ending_of(GAME, p)
    assert place >= 0
    assert hunter == (1 if text.startswith("p") else 0)
    for q, _, _ in GAME.symmetries_of_both(p, 61 * 64, 61 * 64):
        assert distances(ending_of(GAME, q)[0]) == distances(place)


@pytest.mark.rules
@pytest.mark.parametrize(
    "text",
    [
        "start",
        "5/6/7/8/3r5/8/1r5/6/P4 8-9 20",  # a throw is left
        "5/6/7/8/3r5/8/1r1r3/6/P4 9-9 20",
        "5/6/7/8/3s5/8/1r5/6/P4 9-9 20",  # over: scissors are not beaten
        "5/6/7/8/9/8/1(rrr)5/6/P4 9-9 20",
    ],
)
def test_other_positions_have_no_place(text: str) -> None:
    assert ending_of(GAME, GAME.parse(text) if text != "start" else GAME.start())[0] == -1


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path))
    monkeypatch.setattr(solver, "TURNS", 4)  # the first turns of what takes seconds
    return tmp_path


def test_chances_are_those_of_the_matrix_of_the_next_turn(folder: Path) -> None:
    facts = games.solver("ropasci(tokens=3)").solve(Control(), workers=1)
    counted = [int(str(facts[key])) for key in ("won", "uncertain", "drawn", "lost")]
    assert sum(counted) == facts["positions"] == len(solver.places())
    data = TableFile.open(table.path(), table.KIND, table.NAME).data
    assert len(data) > 2
    for row in data[::20]:
        p = position_of(GAME, int(row[0]))
        payoffs = np.array(
            [
                [GAME.result(GAME.play_both(p, a, b)) for b in GAME.legal_moves(p, 1)]
                for a in GAME.legal_moves(p, 0)
            ]
        )
        assert row[2] == pytest.approx(by_linear_program(payoffs)[0], abs=1e-6)
        assert (np.diff(row[1:]) >= -1e-6).all()  # more turns never hurt the hunter
    assert solver.EndingSolver.kept()[0].path == table.path()


def test_agents_look_endings_up_only_where_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path))
    far, near = GAME.parse(FAR), GAME.parse(CORNERED)
    place = ending_of(GAME, near)[0]
    chances = np.linspace(0, 0.75, table.TURNS + 1)
    data = np.concatenate([[place], chances]).astype(np.float32)[None, :]
    TableFile.write(table.path(), table.KIND, table.NAME, data, {})
    words = table.words_there()
    assert words is not None
    address = words.__array_interface__["data"][0]
    left = GAME.turns - 100
    assert GAME.exact_value(near, address) == pytest.approx(float(chances[left]), abs=1e-6)
    assert GAME.exact_value(far, address) == 0.0
    agent = agents.make("nash", GAME)
    assert not agent.knows(far)
    assert (agent.choose(far, player=0).value or 0) > 1
    agent.use_tables()
    assert agent.knows(far)
    assert agent.choose(far, player=0).value == 0


def test_other_numbers_of_tokens_are_refused() -> None:
    with pytest.raises(PetteiaError, match="endings of 5 tokens are not solved"):
        games.solver("ropasci(tokens=5)")
