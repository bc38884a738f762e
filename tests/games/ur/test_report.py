"""The report's strategies: Diagram 1, the golden decisions, the text's own strings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from petteia import agents, games
from petteia.core.errors import PetteiaError
from petteia.core.game import DECISION, TERMINAL
from petteia.games.ur import Ur
from petteia.games.ur.face import notation
from petteia.games.ur.report import diagram, model
from tests.positions import after, random_positions

UR = Ur()

TEXT = (
    "333443312331", "334421312441", "334021302331", "234421302331", "234021312441",
    "234021312041", "234021310444", "234021312441", "234021312441", "204021312441",
    "234021312431", "233021312041", "233021311044", "233021310444", "233021310444",
    "333023310434",
)  # fmt: skip
"""The decisions of the text's agents on the three boards, depth 0 (Massugu) to 15."""


def test_diagram_1_as_coded() -> None:
    found = [diagram.decisions(UR, depth, as_coded=True) for depth in range(16)]
    assert tuple(found) == diagram.PUBLISHED
    assert diagram.margins(found) == list(diagram.MARGINS)
    assert diagram.MARGINS == (10, 9, 9, 8, 8, 8, 6, 5, 6, 6, 5, 5, 3, 0, 0, 0)


def test_the_text_s_own_strings() -> None:
    found = [diagram.decisions(UR, depth, as_coded=False) for depth in range(16)]
    assert tuple(found) == TEXT


def _golden() -> list[tuple[str, int, int | None]]:
    lines = (Path(__file__).parent / "decisions.txt").read_text().splitlines()
    found = []
    for line in lines:
        if not line.startswith("#"):
            left, right, side, roll, depth, piece = line.split()
            position = f"L={left} R={right} {side} {roll}"
            found.append((position, int(depth), None if piece == "-" else int(piece)))
    return found


def test_golden_decisions_of_the_program() -> None:
    golden = _golden()
    assert len(golden) == 200
    for position, depth, piece in golden:
        spec = f"project_ur.ashikazu(depth={depth})" if depth else "project_ur.massugu"
        choice = agents.make(spec, UR).choose(UR.parse(position))
        assert choice.notes == {"piece": piece}, position
        assert choice.move in UR.legal_moves(UR.parse(position))


@pytest.mark.parametrize("depth", [0, 1, 2, 5])
def test_the_text_s_strategies_are_those_of_the_model(depth: int) -> None:
    agent = agents.make(f"ashikazu(depth={depth})" if depth else "massugu", UR)
    rng = np.random.default_rng(11)
    p = UR.parse("L=0,0,0,0,0,0,0 R=0,0,0,0,0,0,0 L")
    checked = 0
    while checked < 60:
        if UR.kind(p) == TERMINAL:
            p = UR.parse("L=0,0,0,0,0,0,0 R=0,0,0,0,0,0,0 L")
        if UR.kind(p) == DECISION:
            twin = model.Game()
            for player, side in enumerate("LR"):
                for number, place in enumerate(notation.numbered_places(UR, p, player) or ()):
                    path = twin.board.get_path(side)
                    twin.board.put(twin.get_piece(side, number), path[place])
            side, roll = "LR"[UR.mover(p)], UR.roll(p)
            strategy = twin.strategy_ashikazu if depth else twin.strategy_massugu
            utils = strategy(twin.player_dict[side], model.IBoard(twin.board), roll, depth)
            choice = agent.choose(p)
            assert choice.notes == {"piece": twin.select_move(utils, side)}, UR.text(p)
            checked += 1
        p = after(UR, p, rng)


@pytest.mark.parametrize("spec", ["ashikazu(depth=3)", "massugu(tie=front)", "massugu(tie=number)"])
def test_the_text_s_agents_play_every_rule_set(spec: str) -> None:
    for name in ("masters", "ur(pieces=2)"):
        game = games.make(name)
        agent = agents.make(spec, game)
        for p in random_positions(game, 60, 9):
            if game.kind(p) == DECISION:
                assert agent.choose(p).move in game.legal_moves(p)


def test_the_tie_rule_decides() -> None:
    p = UR.parse("4xx2/8/l1l1xx2 l 5 0 7 0 1")
    moves = {
        tie: UR.move_text(p, agents.make(f"ashikazu(depth=1, tie={tie})", UR).choose(p).move)
        for tie in ("back", "front")
    }
    assert moves == {"back": "hand-d1", "front": "a1-a2"}


@pytest.mark.parametrize(
    ("spec", "game"),
    [
        ("ashikazu(depth=0)", "ur"),
        ("massugu(tie=up)", "ur"),
        ("project_ur.massugu", "blitz"),
        ("project_ur.ashikazu(depth=3)", "aseb"),
    ],
)
def test_impossible_agents_are_refused(spec: str, game: str) -> None:
    with pytest.raises(PetteiaError):
        agents.make(spec, games.make(game))
