"""Seeds: every random choice comes from one number and the path to the place that needs it."""

from __future__ import annotations

import hashlib

__all__ = ["derive", "nth"]

_ALL = 2**64 - 1


def derive(seed: int, *path: int | str) -> int:
    """A 63-bit seed for the place named by the path, independent of all other places.

    ``derive(7, "pair", 3, "dice")`` is the same on every machine and in every version, and does
    not depend on how many seeds were asked for before.
    """
    text = "/".join([str(seed), *(str(step) for step in path)])
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def nth(seed: int, n: int) -> int:
    """The n-th 63-bit number of the stream that begins at a seed: splitmix64, for hot loops."""
    z = (seed + (n + 1) * 0x9E3779B97F4A7C15) & _ALL
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _ALL
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _ALL
    return (z ^ (z >> 31)) >> 1
