"""Which moves other threads are searching just now, so that a thread takes others first.

Threads that search one position with one table would mostly do the same work at the same time. So
each claims a move before it searches it; who meets a claimed move puts it off until the others are
done, when the table mostly knows the answer. Nobody waits, and a claim that is lost, since two fall
on one word, costs time only.

    J.-C. Weill, The ABDADA Distributed Minimax Search Algorithm, ICCA Journal 1996;
    with claims in a small table of their own, as T. Kerrigan simplified it
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from petteia.compiled import mix, signed, words_at
from petteia.core.words import U
from petteia.search.tree import pick

__all__ = [
    "CLAIMED_DEPTH",
    "CLAIMS_BYTES",
    "claim",
    "claim_of",
    "helped",
    "made_claims",
    "release",
    "take",
    "turn_to",
]

CLAIMED_DEPTH = 4
"""With fewer plies left a search is over before a claim is seen, and late moves are left out."""
_PUT_OFF = 1 << 62  # marks a move in the order that another thread had claimed
_SLOTS = 1 << 14
CLAIMS_BYTES = 8 * _SLOTS


def made_claims() -> np.ndarray:
    """The memory of the claims of some threads."""
    return np.zeros(_SLOTS, np.uint64)


@contextlib.contextmanager
def helped(work: Callable[[Any], object], helpers: Sequence[Any]) -> Iterator[None]:
    """Lets threads work meanwhile, each with a workspace of its own, by which it is stopped."""
    threads = [threading.Thread(target=work, args=(ws,), daemon=True) for ws in helpers]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for ws in helpers:
            ws["stop"] = 1
        for thread in threads:
            thread.join()


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


def turn_to(ws: Any, turn: int, end: int, again: int) -> int:
    """Kernel: the place in the order of the move whose turn it is: up to ``end`` the best that is
    left, in ``again`` turns more those that were put off; -1 if it was not."""
    if turn < end:
        pick(ws, turn, end)
        return turn
    place = turn - again
    if ws.order[place] & _PUT_OFF == 0:
        return -1
    ws.order[place] ^= _PUT_OFF
    return place


def take(ws: Any, place: int, wanted: Any) -> Any:
    """Kernel: claims the move at a place in the order, or puts it off and gives 0."""
    if claim(ws, wanted):
        return wanted
    ws.order[place] |= _PUT_OFF
    return U(0)
