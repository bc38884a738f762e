"""Exact values by sweeps over an indexed state space, on all processors or on a GPU.

A game's room supplies the space, a NamedTuple of its tables and values, and a batch whose piece
works out the values of one part of it. A sweep does all pieces; the numbers that are given with it
tell which sweep it is. Where positions can be put in an order, each stage of it is swept once
(retrograde analysis); where they go in circles a stage is swept until nothing changes any more
(value iteration).
"""

from __future__ import annotations

from typing import Any

from petteia.compiled import Batch

__all__ = ["Sweeps"]


class Sweeps:
    """Sweeps of one batch over the arrays of a space, which stay where they are worked on."""

    def __init__(
        self, batch: Batch, *given: Any, device: str = "cpu", threads: int | None = None
    ) -> None:
        """``given`` are the first arguments of every piece. On a GPU their arrays are copied there
        once, unless they are there already; ``fetch`` brings them back."""
        self.batch, self.device, self.threads = batch, device, threads
        self._here = given
        self.given = given
        """The arguments as the pieces see them."""
        self._launches: dict[tuple[int, ...], Any] = {}
        if device == "gpu":
            from petteia.compiled import cuda

            self.given = cuda.on_gpu(given)

    def __call__(self, pieces: int, *numbers: int, first: int = 0) -> None:
        """Does so many pieces from the first on; ``numbers`` are their last arguments. Nobody
        waits for a GPU: ``finish`` does."""
        if self.device == "gpu":
            self._launch(numbers)(pieces, first)
        else:
            self.batch(pieces, *self.given, *numbers, first=first, threads=self.threads)

    def finish(self) -> None:
        """Waits until all is done; an error if a piece failed."""
        for launch in self._launches.values():
            launch.finish()

    def fetch(self) -> None:
        """Brings the arrays back to where they came from."""
        self.finish()
        if self.device == "gpu":
            from petteia.compiled import cuda

            cuda.fetch(self._here, self.given)

    def _launch(self, numbers: tuple[int, ...]) -> Any:
        """The batch on the GPU, ready for sweeps with these numbers."""
        if numbers not in self._launches:
            from petteia.compiled import cuda

            self._launches[numbers] = cuda.Launch(self.batch, (*self.given, *numbers))
        return self._launches[numbers]
