"""The report's search as it is printed, against its listing written out in plain Python."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from petteia import agents
from petteia.core.errors import PetteiaError
from petteia.core.words import Words
from petteia.games.breakthrough import Breakthrough
from petteia.games.breakthrough.report import rank
from tests.games.breakthrough.boards import board, of_games

SMALL = board(columns=5, rows=5)


class Listing:
    """MaxValue and MinValue, line by line as the report has them."""

    def __init__(self, game: Breakthrough, searcher: int, depth: int) -> None:
        self.game, self.searcher, self.limit = game, searcher, depth
        self.evaluation = game.evaluations["offensive2"]
        self.expanded = 0
        self.action = -1

    def actions(self, p: Words) -> list[int]:
        return sorted(_scan(self.game, p), key=lambda move: rank(self.game, p, move, 0))

    def max_value(self, p: Words, depth: int, alpha: float, beta: float) -> float:
        if depth == self.limit:
            return self.evaluation.of(self.game, p, self.searcher)
        self.expanded += 1
        value_max = -1e18
        for action in self.actions(p):
            value = self.min_value(self.game.play(p, action), depth + 1, alpha, beta)
            if value >= value_max:
                value_max = value
                if depth == 0:
                    self.action = action
            if value_max >= beta:
                return value_max
            if value_max >= alpha:
                alpha = value_max
        return value_max

    def min_value(self, p: Words, depth: int, alpha: float, beta: float) -> float:
        if depth == self.limit:
            return self.evaluation.of(self.game, p, self.searcher)
        self.expanded += 1
        value_min = 1e18
        for action in self.actions(p):
            value = self.max_value(self.game.play(p, action), depth + 1, alpha, beta)
            if value <= value_min:
                value_min = value
            if value_min <= alpha:
                return value_min
            if value_min >= beta:  # sic
                beta = value_min
        return value_min


def _scan(game: Breakthrough, p: Words) -> list[int]:
    """Moves whether or not the game is over: the listing does not look."""
    out = np.empty(game.max_moves, np.int64)
    return [int(move) for move in out[: game.moves(p, out, 0)]]


def test_it_does_what_the_listing_does() -> None:
    agent = agents.make("alphabeta_as_printed(depth=3, eval=offensive2)", SMALL)
    chance = random.Random(5)
    seen = 0
    for p in of_games(SMALL, 400, seed=5):
        if not SMALL.legal_moves(p) or chance.random() < 0.85:
            continue
        seen += 1
        listing = Listing(SMALL, int(p[2]), 3)
        value = listing.max_value(p, 0, -1e18, 1e18)
        found = agent.choose(p)
        assert (found.move, found.interior) == (listing.action, listing.expanded)
        assert math.isclose(found.value or 0.0, value)
    assert seen > 30


GOLDEN = {
    "lowers_beta=true, sees_ends=true, strict=true, order=bottom": (2_978, 26_122),
    "lowers_beta=true, sees_ends=true, strict=true, order=top": (12_217, 35_039),
    "lowers_beta=true, sees_ends=true, strict=true, order=captures": (1_612, 12_912),
    "prune=false": (267_675, 6_182_818),
}


@pytest.mark.slow
@pytest.mark.parametrize("switches", GOLDEN)
def test_sound_counts_from_the_start_are_those_known(switches: str) -> None:
    game = board()
    agent = agents.make(f"alphabeta_as_printed(depth=5, eval=offensive2, {switches})", game)
    found = agent.choose(game.start())
    assert (found.interior, found.leaves) == GOLDEN[switches]
    assert found.value == 9.8125


def test_corrected_it_agrees_with_alphabeta() -> None:
    fixed = "lowers_beta=true, sees_ends=true, strict=true"
    ours = agents.make("alphabeta(depth=3, eval=defensive2)", SMALL)
    theirs = agents.make(f"alphabeta_as_printed(depth=3, eval=defensive2, {fixed})", SMALL)
    for p in of_games(SMALL, 60, seed=9):
        if SMALL.legal_moves(p):
            assert theirs.choose(p).value == ours.choose(p).value
            best = {each.move: each.value or 0.0 for each in ours.values(p)}
            assert best[theirs.choose(p).move] == max(best.values())


def test_without_a_test_for_the_end_it_walks_past_a_win() -> None:
    """Offensive 1 stops one step before the enemy's home row, as the report says."""
    p = SMALL.parse("ppp1p/P4/5/2p2/5 w")
    blind = agents.make("alphabeta_as_printed(depth=1, eval=offensive1(seed=3))", SMALL)
    seeing = agents.make(
        "alphabeta_as_printed(depth=1, eval=offensive1(seed=3), sees_ends=true)", SMALL
    )
    assert blind.choose(p).value == max(each.value or 0 for each in blind.values(p))
    assert (seeing.choose(p).value or 0) > 900_000 > (blind.choose(p).value or 0)


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(PetteiaError, match="order=left is not possible; top, bottom, captures"):
        agents.make("alphabeta_as_printed(order=left)", SMALL)
