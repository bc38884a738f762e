"""Objects whose whole content is known to the compiler."""

from __future__ import annotations

__all__ = ["CompileTime"]


class CompileTime:
    """Base of games and evaluations.

    A kernel that takes such an object is compiled for it: its numbers become constants and its
    functions direct calls. It must not change after ``__init__``.
    """
