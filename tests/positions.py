"""Positions to test on, met in random play, and random games."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from petteia.core.game import CHANCE, SIMULTANEOUS, TERMINAL, Game
from petteia.core.session import Session
from petteia.core.words import Words

S = TypeVar("S", bound=Session)

__all__ = ["after", "play_random", "random_ply", "random_positions"]


def after(game: Game, p: Words, rng: np.random.Generator) -> Words:
    """A position one random ply later."""
    kind = game.kind(p)
    if kind == SIMULTANEOUS:
        first, second = (int(rng.choice(game.legal_moves(p, player))) for player in (0, 1))
        return game.play_both(p, first, second)
    if kind == CHANCE:
        outcomes = game.outcomes(p)
        place = int(rng.choice(len(outcomes), p=[chance for _, chance in outcomes]))
        return game.play(p, outcomes[place][0])
    return game.play(p, int(rng.choice(game.legal_moves(p))))


def random_positions(game: Game, count: int, seed: int) -> list[Words]:
    """Different positions from random games that are not over, in the order they were met."""
    rng = np.random.default_rng(seed)
    found: dict[Words, None] = {}
    for _ in range(100 * count):
        p = game.start()
        while game.kind(p) != TERMINAL and len(found) < count:
            found[p] = None
            p = after(game, p, rng)
        if len(found) == count:
            break
    return list(found)


def random_ply(session: Session, rng: np.random.Generator) -> None:
    """Plays a random ply; dice are the session's own."""
    if session.kind == CHANCE:
        session.roll()
        return
    sides = (0, 1) if session.kind == SIMULTANEOUS else (0,)
    session.make(*(int(rng.choice(session.game.legal_moves(session.p, side))) for side in sides))


def play_random(session: S, seed: int, most: int = 10_000) -> S:
    """The same session, played at random to its end, or to so many plies."""
    rng = np.random.default_rng(seed)
    while not session.is_over and len(session.plies) < most:
        random_ply(session, rng)
    return session
