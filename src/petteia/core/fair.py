"""Dice that can be checked: a promise before the game, its proof after.

The thrower draws a secret and tells its hash. Every throw follows from the secret, so that when
it is told at the end, everybody can see that no throw was chosen after the promise.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable

from petteia.core.errors import PetteiaError
from petteia.core.seeds import derive

__all__ = ["drawn", "keeps", "new_secret", "promise", "thrown"]


def new_secret() -> str:
    """A secret that nobody can guess."""
    return secrets.token_hex(16)


def promise(secret: str) -> str:
    """The hash that is told before the game: SHA-256 of the secret's letters."""
    return hashlib.sha256(secret.encode()).hexdigest()


def keeps(secret: str, promised: str) -> bool:
    """Whether a secret is the one that was promised."""
    return secrets.compare_digest(promise(secret), promised)


def thrown(secret: str, ply: int, outcomes: Iterable[tuple[int, float]]) -> int:
    """The outcome of the throw at a ply of the game, counted from 0."""
    return drawn(derive(derive(0, "fair dice", secret), "dice", ply), outcomes)


def drawn(number: int, outcomes: Iterable[tuple[int, float]]) -> int:
    """The outcome that a 63-bit number selects: all dice thrown in Python come from here."""
    point = number / 2**63
    last: int | None = None
    for outcome, chance in outcomes:
        point -= chance
        if point < 0:
            return outcome
        last = outcome
    if last is None:
        raise PetteiaError("dice without outcomes cannot be thrown")
    return last  # rounding left a rest
