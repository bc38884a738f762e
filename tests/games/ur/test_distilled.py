"""The network that ships with the package: small, and close to the exact solution."""

from __future__ import annotations

from importlib import resources

import numpy as np
import pytest

from petteia import agents, games
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION
from petteia.games.ur.evaluations.distilled import chances, network
from tests.positions import random_positions

UR = games.make("ur")


def test_it_is_small() -> None:
    file = resources.files("petteia.games.ur.evaluations") / "distilled.npz"
    assert len(file.read_bytes()) < 1_000_000
    assert sum(w.size + b.size for w, b in network()) == 48_641


@pytest.mark.parametrize(
    ("line", "roll", "values"),
    [
        # Published exact values of two decisions, in percent of winning.
        ("AdZFx", 2, {"hand-c1": 51.49, "d1-b1": 49.59}),
        ("&bCRa", 3, {"hand-b1": 57.18, "d2-g2": 54.20}),
    ],
)
def test_it_knows_published_decisions(line: str, roll: int, values: dict[str, float]) -> None:
    p = UR.play(UR.parse(line), roll)
    found = {
        UR.move_text(p, each.move): 50 * ((each.value or 0) + 1)
        for each in agents.make("distilled", UR).values(p)
    }
    for move, value in values.items():
        assert found[move] == pytest.approx(value, abs=1.0)
    assert max(found, key=lambda move: found[move]) == max(values, key=lambda move: values[move])


def test_the_start_is_worth_what_was_published() -> None:
    assert chances(np.array([UR.start()[0]]))[0] == pytest.approx(0.5154, abs=0.005)


def test_colours_do_not_matter() -> None:
    where = [p for p in random_positions(UR, 300, 3) if UR.kind(p) == CHANCE]
    turned = [UR.symmetries(p, 0)[0][0] for p in where]
    first, second = (chances(np.array([p[0] for p in some])) for some in (where, turned))
    assert first == pytest.approx(second, abs=1e-6)


def test_it_plays_legal_moves() -> None:
    agent = agents.make("distilled", UR)
    for p in random_positions(UR, 200, 4):
        if UR.kind(p) == DECISION:
            choice = agent.choose(p)
            assert choice.move in UR.legal_moves(p)
            if choice.value is not None:
                assert choice.value == pytest.approx(agent.values(p)[0].value)


def test_it_plays_with_fewer_pieces_as_at_the_end_of_a_whole_game() -> None:
    # Exact values of the first player, solved with two and three pieces.
    for pieces, first in ((2, 0.5186), (3, 0.5178)):
        game = games.make(f"ur(pieces={pieces})")
        agent = agents.make("distilled", game)
        before = sum(
            chance * (1 + (agent.values(game.play(game.start(), roll))[0].value or 0.0)) / 2
            for roll, chance in game.outcomes(game.start())
        )
        assert before == pytest.approx(first, abs=0.01)
    whole, one = agents.make("distilled", UR), agents.make("distilled", games.make("ur(pieces=1)"))
    late = UR.play(UR.parse("Z9&60"), 1)  # both have six home, and the last on 14
    same = one.game.play(one.game.parse("4xxd1/8/4xxl1 l 0 0 0 0"), 1)
    assert one.values(same)[0].value == whole.values(late)[0].value == 1.0


@pytest.mark.parametrize("spec", ["blitz", "masters", "ur(dice=3)"])
def test_other_rules_are_refused(spec: str) -> None:
    with pytest.raises(PetteiaError, match="Finkel's rules with four dice"):
        agents.make("distilled", games.make(spec))
