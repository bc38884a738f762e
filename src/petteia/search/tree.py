"""What the kernels of tree searches share: the order of moves, best lines, limits."""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import nanoseconds

__all__ = [
    "INFINITY", "PLACE", "Window", "count_node", "extend_line", "pick", "workspace_of",
]  # fmt: skip

INFINITY = 1e18
"""Beyond all values."""
PLACE = 0xFFFF
"""The bits of a move's score in which its place stands."""

Window = tuple[float, float]
"""Alpha and beta: a search need only tell apart the values between them."""


_FEW = 256


def workspace_of(fields: list[Any], weights: np.ndarray) -> np.dtype[Any]:
    """The memory of a search, with a copy of weights like these; small evaluations share one
    layout, so that one compiled search serves them all."""
    room = max(len(weights), _FEW) if weights.dtype == np.float64 else len(weights)
    return np.dtype([*fields, ("weights", weights.dtype, (room,))], align=True)


def count_node(ws: Any, every: int) -> None:
    """Kernel: counts a node and ends the search at its limits; after ``every`` nodes, a power of
    two, it looks at the clock."""
    ws.nodes += 1
    if ws.nodes >= ws.node_limit or (ws.nodes & (every - 1) == 0 and nanoseconds() > ws.deadline):
        ws.stop = 1


def pick(ws: Any, at: int, end: int) -> None:
    """Kernel: brings the move with the highest score to ``at``."""
    best, highest = at, ws.order[at]
    for i in range(at + 1, end):
        if ws.order[i] > highest:
            best, highest = i, ws.order[i]
    ws.order[best] = ws.order[at]
    ws.order[at] = highest


def extend_line(ws: Any, ply: int, move: int) -> None:
    """Kernel: the best line at this ply is the move and the best line after it."""
    ws.line[ply, 0] = move
    i = 0
    while ws.line[ply + 1, i] >= 0:
        ws.line[ply, i + 1] = ws.line[ply + 1, i]
        i += 1
    ws.line[ply, i + 1] = -1
