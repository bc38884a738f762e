"""Seeds: every random choice comes from one number and the path to the place that needs it."""

from __future__ import annotations

import hashlib

__all__ = ["derive"]


def derive(seed: int, *path: int | str) -> int:
    """A 63-bit seed for the place named by the path, independent of all other places.

    ``derive(7, "pair", 3, "dice")`` is the same on every machine and in every version, and does
    not depend on how many seeds were asked for before.
    """
    text = "/".join([str(seed), *(str(step) for step in path)])
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1
