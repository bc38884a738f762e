"""Positions are flat tuples of unsigned 64-bit words."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

__all__ = ["U", "Words", "words"]

U = np.uint64
"""The word type. Constants that meet a word are written ``U(3)``: a plain int beside a word
becomes signed, or even a float, in compiled code."""

Words: TypeAlias = "tuple[np.uint64, ...]"


def words(*values: int) -> Words:
    """A position from plain numbers."""
    return tuple(U(value) for value in values)
