"""The kernels beside the readable rules, on positions of random games."""

from __future__ import annotations

from collections import Counter

import numpy as np

from petteia.core.game import TERMINAL
from petteia.core.words import Words
from petteia.games.ropasci import RoPaSci
from petteia.games.ropasci.face import notation
from petteia.games.ropasci.reference import ReferenceGame, ReferencePosition
from petteia.games.ropasci.rules.hexes import HEXES
from petteia.search.stepper import Stepper

__all__ = ["board_of", "differences"]

REFERENCE = ReferenceGame()


def board_of(game: RoPaSci, p: Words) -> ReferencePosition:
    """The reference's form of a position."""
    board = {}
    for number, place in enumerate(HEXES):
        symbol = notation.symbol_on(p, number)
        upper, lower = notation.counts_at(p, number)
        if symbol:
            board[place] = [symbol.upper()] * upper + [symbol] * lower
        else:
            assert (upper, lower) == (0, 0)
    return ReferencePosition(board, (game.thrown(p, 0), game.thrown(p, 1)), game.turn(p))


def differences(game: RoPaSci, positions: int, seed: int) -> tuple[int, int]:
    """How many positions of random games were compared, and how many differ.

    Compared are both lists of moves, the position after a random pair of them, and the result.
    Every other game keeps its throws longer, so that boards are full and stacks high.
    """
    stepper, rng = Stepper(game), np.random.default_rng(seed)
    seen = wrong = number = 0
    while seen < positions:
        number += 1
        p, reference = game.start(), ReferencePosition()
        while seen < positions:
            seen += 1
            look = stepper.look(p)
            end = REFERENCE.end(reference, Counter({reference.snapshot(): 1}))
            result = {"winner: upper": 1.0, "winner: lower": -1.0}.get(end or "", 0.0)
            if (end is None) != (look.kind != TERMINAL) or look.result != result:
                wrong += 1
            if end is not None and end.startswith("draw"):
                wrong += end != f"draw: {game.ending(p)}"
            if look.kind == TERMINAL or end is not None:
                break
            chosen = []
            for player, moves in enumerate((look.moves, look.others)):
                actions = {notation.action_of(move): move for move in moves}
                if set(actions) != REFERENCE.actions(reference, player) or len(actions) != len(
                    moves
                ):
                    wrong += 1
                own = [move for move in moves if move < 61 * 64]
                pick = own if own and number % 2 and rng.random() < 0.6 else moves
                chosen.append(int(rng.choice(pick)))
            upper, lower = (notation.action_of(move) for move in chosen)
            p = stepper.play_both(p, chosen[0], chosen[1])
            reference = REFERENCE.play(reference, upper, lower)
            if board_of(game, p).snapshot() != reference.snapshot():
                wrong += 1
    return seen, wrong
