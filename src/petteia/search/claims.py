"""Which moves other threads are searching just now, so that a thread takes others first.

Threads that search one position with one table would mostly do the same work at the same time. So
each claims a move before it searches it; who meets a claimed move puts it off until the others are
done, when the table mostly knows the answer. Nobody waits, and a claim that is lost, since two fall
on one word, costs time only.

    J.-C. Weill, The ABDADA Distributed Minimax Search Algorithm, ICCA Journal 1996;
    with claims in a small table of their own, as T. Kerrigan simplified it
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import mix, signed, words_at
from petteia.core.words import U

__all__ = ["CLAIMED_DEPTH", "PUT_OFF", "claim", "claim_of", "made_claims", "release"]

CLAIMED_DEPTH = 4
"""With fewer plies left a search is over before a claim is seen, and late moves are left out."""
PUT_OFF = 1 << 62
"""Marks a move in the order that was claimed by another thread."""
_SLOTS = 1 << 14


def made_claims() -> np.ndarray:
    """The memory of the claims of some threads."""
    return np.zeros(_SLOTS, np.uint64)


def claim_of(key: Any, move: int, depth: int) -> Any:
    """Kernel: what stands for the search of a move to a depth; never 0."""
    return mix(key ^ mix(U(move)) ^ U(depth)) | U(1)


def claim(ws: Any, wanted: Any) -> bool:
    """Kernel: takes a move for this thread; false where another has it."""
    slots = words_at(ws.claims, _SLOTS)
    slot = signed(wanted >> U(1)) & (_SLOTS - 1)
    if slots[slot] == wanted:
        return False
    slots[slot] = wanted
    return True


def release(ws: Any, held: Any) -> None:
    """Kernel: gives a move back."""
    words_at(ws.claims, _SLOTS)[signed(held >> U(1)) & (_SLOTS - 1)] = U(0)
