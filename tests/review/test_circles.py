"""Throws after throws that lead round in a circle, as in Pig, where a 1 passes the dice on."""

from __future__ import annotations

from pathlib import Path

import pytest

from petteia import games
from petteia.core.agent import Agent, Decision, MoveValue
from petteia.core.words import Words
from petteia.review.chances import throw_chances
from petteia.review.outlook import outlook
from petteia.search.stepper import first_choice

PIG = games.make(str(Path(__file__).parents[2] / "examples" / "pig.py"))


class Content(Agent):
    """Whoever is to move has half a point."""

    name = "content"
    in_points = True

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        return Decision(self.game.legal_moves(p)[0], 0.5)

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        return [MoveValue(move, 0.5) for move in self.game.legal_moves(p)]


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETTEIA_INTERPRET", "1")


def test_a_throw_that_leads_back_counts_as_if_it_had_not_happened() -> None:
    seen = outlook(Content(PIG), PIG.start())
    one = seen.throws[0]
    assert one.then is not None
    assert [throw.leads_back for throw in one.then.throws] == [True, *[False] * 5]
    assert one.value == pytest.approx(-0.5), "then the other has a choice"
    assert seen.value == pytest.approx((5 * 0.5 - 0.5) / 6)
    chances = throw_chances(Content(PIG), one.then)
    assert chances is not None
    assert chances[1] == pytest.approx(0.25)


def test_an_agent_that_knows_is_believed() -> None:
    class Sure(Content):
        def worth(self, p: Words) -> float | None:
            return -0.25

    seen = outlook(Sure(PIG), PIG.start())
    assert (seen.throws[0].value, seen.throws[0].then) == (-0.25, None)


def test_a_choice_is_found_although_the_first_throws_never_give_one() -> None:
    assert PIG.legal_moves(first_choice(PIG, PIG.start())) == [0, 7]
    assert PIG.kind(first_choice(PIG, PIG.start())) == 0
