"""The rules against the package ``royalur``, an independent implementation."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

from petteia import games
from petteia.core.game import CHANCE, TERMINAL
from petteia.core.words import Words
from petteia.games.ur import Ur
from petteia.games.ur.face import notation
from petteia.games.ur.rules import PASS
from petteia.search.stepper import Stepper

royalur = pytest.importorskip("royalur", reason="the oracle royalur is not installed")

WANTED = int(os.environ.get("PETTEIA_UR_PAIRS", "4000"))
"""(position, roll) pairs for each rule set; the switch is for a long run."""


def _oracle(spec: str) -> Any:
    game = royalur.Game
    kinds = {"ur": game.create_finkel, "aseb": game.create_aseb}
    if spec == "ur(pieces=3)":
        return game.builder().finkel().starting_piece_count(3).build()
    return kinds[spec]()


class Twin:
    """The oracle's rules, asked about our positions."""

    def __init__(self, game: Ur, oracle: Any) -> None:
        self.game = game
        self.rules = oracle.rules
        self.players = (royalur.PlayerType.LIGHT, royalur.PlayerType.DARK)
        # The property that should give the paths gives None in this version.
        self.paths = [self.rules._paths.get(player) for player in self.players]

    def state(self, p: Words) -> Any:
        from royalur.rules.state import WaitingForRollGameState

        board = royalur.Board(self.rules._board_shape)
        for player, who in enumerate(self.players):
            for square in notation.squares_of(self.game, p, player):
                tile = self.paths[player][square - 1]
                board.set(tile, royalur.Piece(who, square - 1))
        counts = [
            royalur.PlayerState(who, int(self.game.hand(p, n)), int(self.game.home(p, n)))
            for n, who in enumerate(self.players)
        ]
        return WaitingForRollGameState(board, *counts, self.players[self.game.mover(p)])

    def moves(self, p: Words, roll: int) -> dict[tuple[int, bool], Any]:
        from royalur.model import Roll

        state = self.state(p)
        found = {}
        for move in self.rules.find_available_moves(
            state.board, state.get_turn_player(), Roll(roll)
        ):
            entering = move.is_introducing_piece()
            source = 0 if entering else move.get_source_piece().path_index + 1
            found[source, bool(move.is_capture())] = move
        return found


@pytest.mark.parametrize("spec", ["ur", "ur(pieces=3)", "aseb"])
def test_move_sets_and_turns_are_the_oracle_s(spec: str) -> None:
    from royalur.model import Roll

    game = games.make(spec)
    assert isinstance(game, Ur)
    twin, rng, checked = Twin(game, _oracle(spec)), np.random.default_rng(17), 0
    stepper = Stepper(game)
    p = game.start()
    while checked < WANTED:
        for roll in range(1, 5):
            q = stepper.play(p, roll)
            expected = twin.moves(p, roll)
            ours = {}
            for move in stepper.look(q).moves:
                if move != PASS:
                    r = stepper.play(q, move)
                    other = 1 - game.mover(p)
                    ours[move, game.hand(r, other) > game.hand(q, other)] = r
            assert set(ours) == set(expected), game.text(q)
            checked += 1
            if expected:
                chosen = sorted(expected)[int(rng.integers(len(expected)))]
                rolled = _rolled(twin, p, Roll(roll))
                theirs = twin.rules.apply_move(rolled, expected[chosen])[-1]
                r = ours[chosen]
                if game.kind(r) == CHANCE:
                    assert theirs.get_turn() == twin.players[game.mover(r)], game.text(r)
        rolled_at = int(rng.choice(5, p=[1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16]))
        q = stepper.play(p, rolled_at)
        p = stepper.play(q, int(rng.choice(stepper.look(q).moves)))
        if game.kind(p) == TERMINAL:
            p = game.start()


def _rolled(twin: Twin, p: Words, roll: Any) -> Any:
    """The oracle's state after the roll."""
    return twin.rules.apply_roll(twin.state(p), roll)[-1]
