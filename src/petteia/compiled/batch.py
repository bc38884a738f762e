"""Many pieces of one work: one after another, on all processors, or on a GPU.

    def one_game(i, memory, game, seed, points):          # piece number i
        memory.state[0] = nth_word(seed, i)
        points[i] = playout(game, game.start(), memory.state, memory.out, memory.prob)

    play = Batch(one_game, memory=[("state", np.uint64, (1,)), ("out", np.int64, (512,)), ...])
    play(100_000, game, seed, points)                     # on all processors
    play(100_000, game, seed, points, device="gpu")       # the same bits, from the same source

A piece is a kernel: plain Python that is compiled. It writes what it found to its own places of
the arrays that it is given. Its memory is scratch paper, one sheet a thread, and not clean: what a
piece reads there it has written before. So the results are the same wherever and in whatever order
the pieces are done.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from petteia.compiled.disk import Entry
from petteia.compiled.kernel import Kernel, is_interpreted
from petteia.compiled.targets import Target
from petteia.core.errors import PetteiaError, one_of
from petteia.core.processors import processors

__all__ = ["DEVICES", "Batch"]

DEVICES = ("cpu", "gpu")
_CHUNKS = 16
"""A thread takes so many pieces at a time that about this many turns are left to each."""


class Batch:
    """A piece of work that is done many times."""

    def __init__(
        self, piece: Callable[..., None], memory: Any, *, block: int = 256, crowd: int = 0
    ) -> None:
        """``memory`` is the layout of one thread's scratch paper, as ``np.dtype`` takes it. A GPU
        does ``block`` neighbouring pieces on one processor, where they share a cache, and at least
        ``crowd`` such blocks at once, with fewer registers each: good for pieces that mostly wait
        for memory."""
        self.layout = np.dtype(memory)
        self.block, self.crowd = block, crowd
        self.loop: Kernel[..., None] = Kernel(_loop_over(piece))

    def __call__(
        self,
        count: int,
        *args: Any,
        first: int = 0,
        device: str = "cpu",
        threads: int | None = None,
    ) -> None:
        """Does pieces ``first`` to ``first + count - 1``; ``threads`` are all processors if not
        said otherwise."""
        if device not in DEVICES:
            raise one_of(device, DEVICES, what="device")
        if threads is not None and threads < 1:
            raise PetteiaError(f"{threads} threads are not possible; at least 1")
        last = first + count
        if device == "gpu" and not is_interpreted():
            from petteia.compiled import cuda

            launch = cuda.Launch(self, args)
            launch(count, first)
            launch.finish()
            return
        workers = 1 if is_interpreted() else min(threads or processors(), max(count, 1))
        if workers == 1:
            self.loop(first, last, 1, self._paper(), *args)
            return
        self.loop(first, first, 1, self._paper(), *args)  # compiles, if nobody has
        chunk = max(1, count // (workers * _CHUNKS))
        turns = iter(range(first, last, chunk))
        lock = threading.Lock()

        def work() -> None:
            paper = self._paper()
            for begin in _in_turn(turns, lock):
                self.loop(begin, min(begin + chunk, last), 1, paper, *args)

        with ThreadPoolExecutor(workers) as pool:
            for done in [pool.submit(work) for _ in range(workers)]:
                done.result()

    def code_for(self, target: Target, *args: Any) -> Entry:
        """Its code for another processor, made on this one, for arguments like these."""
        return self.loop.code_for(target, 0, 0, 1, self._paper(), *args)

    def _paper(self) -> Any:
        return np.zeros(1, self.layout).view(np.recarray)[0]


def _in_turn(turns: Iterator[int], lock: threading.Lock) -> Iterator[int]:
    while True:
        with lock:
            begin = next(turns, None)
        if begin is None:
            return
        yield begin


def _loop_over(piece: Callable[..., None]) -> Callable[..., None]:
    """The loop over pieces, with as many parameters as the piece has: kernels take no ``*args``."""
    function = piece.function if isinstance(piece, Kernel) else piece
    code = function.__code__
    names = code.co_varnames[2 : code.co_argcount]
    rest = "".join(f", {name}" for name in names)
    source = (
        f"def {function.__name__}_loop(begin_, end_, step_, memory_{rest}) -> None:\n"
        f"    for i_ in range(begin_, end_, step_):\n"
        f"        piece_(i_, memory_{rest})\n"
    )
    space: dict[str, Any] = {"piece_": piece, "__name__": function.__module__}
    exec(source, space)
    made: Callable[..., None] = space[f"{function.__name__}_loop"]
    return made
