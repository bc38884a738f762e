"""Evaluations on the bare bits of the position, which follow a search from position to position.

For every bit that is set in a player's view of the position (``Rules.seen_by``) a row of numbers is
added to a sum. The sums of the last position are kept: the next one differs from it in a few bits,
the rows of which are added or taken away. What is made of the sums is an evaluation's shape:

- ``network``: both players' views go through one layer. Its sums, clipped to 0 .. 1 and squared,
  are weighted and added, the mover's with other weights than those of the one who waits; or, with a
  second layer, go through that first.
- ``linear``: the rows are weights, and the sum is the value.
- ``patterns``: each number of the sum is a place in the table of a region, which says how its bits
  are set. The values that stand there are added.

The weights depend on the phase of the game: how many bits are set tells how much stands on the
board, and the same thing is worth more or less when the board is full. No feature is made by hand.
All numbers are whole (lanes of 16 bits), so the value is the same whatever was looked at before, on
every processor.

Weights and sums are one array of words:

    rows      ``sides`` x ``words`` x 64 rows of ``lanes``, in a network scaled by ``UNIT``
    bias      ``sides`` rows
    head      what a shape makes of the sums
    rest      for each phase a real number: what is added at the end
    steps     how many bits of the mover's view begin each phase but the first
    sums      two rows, of player 0's view and of player 1's
    seen      the two views themselves
    begun     two words: whether there are sums yet
    spare     room to reckon in

The result is the logarithm of the odds. Where one player moves after the other, that times
``SCALE`` is the value: the end of a game outweighs it, and only its order counts. Where dice fall
or both choose at once, searches take means of values, so that values must be points: those that the
odds mean, between the most that a game can cost and the most that it can bring (``points_of``).
"""

from __future__ import annotations

import math
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from petteia.compiled import (
    BLOCK,
    LANES,
    add_lanes,
    clipped_squares,
    lane_at,
    lane_products,
    popcount,
    real_bits,
    real_of_bits,
    signed,
    store_squares,
    take_lanes,
    trailing_zeros,
)
from petteia.core import spec as specs
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.rules import Kind, Rules
from petteia.core.words import U, Words
from petteia.learn.parameters import Parameters, parameters, start_of

__all__ = [
    "SCALE", "BitsEvaluation", "NetworkEvaluation", "Sizes", "load", "points_of", "shape_of",
]  # fmt: skip

UNIT = 255
"""What 1 is in the first layer."""
OUT = 256
"""What 1 is among the weights that go out, in tables, and in a linear evaluation."""
INNER = 256
"""What 1 is among the weights of the second layer."""
SCALE = 10.0
"""The value of a position is so many times the logarithm of its odds."""
_MOST_OUT = 1000
"""Above it the sum over a block of lanes might not fit into 32 bits."""
_MOST = 2**15 - 1


class Sizes(NamedTuple):
    """Of the numbers of an evaluation."""

    words: int
    """Of a view."""
    sides: int
    """Sets of rows: one, or one a player."""
    lanes: int
    """Of a row: the hidden units, or the regions."""
    phases: int = 1
    more: int = 0
    """The units of the second layer, or the numbers in a region's table."""


def bits_value(game: Any, p: Words, player: int) -> float:
    """Learned from games, on the bits of the position."""
    raise NotImplementedError  # its weights are needed, see ``BitsEvaluation.value``


class BitsEvaluation(Evaluation):
    """Sums of rows that follow a search; a shape says what is made of them. All of one shape and
    size have the same kernels. The file is read when it is needed."""

    remembers = True
    shape: ClassVar[str]
    """What ``--shape`` and the file call it."""

    def __init__(
        self, name: str, sizes: Sizes, file: Path | None = None, *, points: float = 0.0
    ) -> None:
        """``points``: values are points, and no game brings more; with 0 they are odds."""
        super().__init__(name, bits_value)
        self.words, self.sides, self.lanes, self.phases, self.more = sizes
        self.points = points
        self.point = 1.0 if points > 0.0 else None
        self.blocks = self.lanes // LANES
        self.width = self.lanes // 4
        self.bias = self.sides * self.words * 64 * self.width
        self.head = self.bias + self.sides * self.width
        self.rest = self.head + self.head_words()
        self.steps = self.rest + self.phases
        self.sums = self.steps + self.phases - 1
        self.seen = self.sums + 2 * self.width
        self.begun = self.seen + 2 * self.words
        self.spare = self.begun + 2
        self.file = file
        if file is not None:
            self.tag = _tag(self.shape, sizes, points)

    # --- what a shape says ---------------------------------------------------------------------

    def head_words(self) -> int:
        """The words of its head."""
        raise NotImplementedError

    def fill(self, array: np.ndarray, learned: Parameters) -> None:
        """Writes rows, bias and head as whole numbers."""
        raise NotImplementedError

    def look(self, game: Any, p: Words, mover: int, w: np.ndarray) -> None:
        """Kernel: brings the sums that are needed up to date; here the mover's."""
        self.follow(game.seen_by(p, mover), mover, w)

    def odds(self, mover: int, phase: int, w: np.ndarray) -> float:
        """Kernel: the logarithm of the mover's odds, but for the rest."""
        raise NotImplementedError

    # --- weights -------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """The words of weights, sums and views together."""
        return self.spare

    @property
    def array(self) -> np.ndarray:
        return self._read[0]

    @cached_property
    def _read(self) -> tuple[np.ndarray, dict[str, Any]]:
        """The weights as the kernels take them, and how they were learned."""
        assert self.file is not None, "a shape alone has no weights"
        learned, facts = parameters(self.file)
        sizes = Sizes(self.words, self.sides, self.lanes, self.phases, self.more)
        if (type(self), sizes) != _sort_of(learned):
            raise PetteiaError(f"{self.file} is a network of another shape than {self.name}")
        return self.whole(learned), facts

    def whole(self, learned: Parameters) -> np.ndarray:
        """Parameters rounded to whole numbers, with room for sums and views."""
        array = np.zeros(self.size, np.uint64)
        self.fill(array, learned)
        for phase, rest in enumerate(learned.rest):
            array[self.rest + phase] = real_bits(float(rest))
        array[self.steps : self.sums] = learned.steps
        array.flags.writeable = False
        return array

    def check(self, game: Rules) -> None:
        """Refuses a game in which bits mean something else."""
        facts = self._read[1]
        made_for = specs.parse(str(facts["game"])).name
        if made_for != game.spec.name:
            raise PetteiaError(f"the network {self.name} is for {made_for}, not for {game}")
        if facts["start"] != start_of(game):
            raise PetteiaError(f"the network {self.name} was learned on another board than {game}")

    def of(self, game: Rules, p: Words, player: int) -> float:
        return float(self.value(game, p, player, self.array.copy()))

    # --- kernels -------------------------------------------------------------------------------

    def value(self, game: Any, p: Words, player: int, w: np.ndarray) -> float:
        mover = game.mover(p)
        self.look(game, p, mover, w)
        phase = self.phase(mover, w)
        odds = self.odds(mover, phase, w) + real_of_bits(w[self.rest + phase])
        value = self.points * math.tanh(0.5 * odds) if self.points > 0.0 else SCALE * odds
        return value if mover == player else -value

    def phase(self, mover: int, w: np.ndarray) -> int:
        """The phase that the bits of the mover's view, as it was last followed, tell."""
        found, standing = 0, 0
        if self.phases > 1:
            seen = self.seen + mover * self.words
            for i in range(self.words):
                standing += popcount(w[seen + i])
            for step in range(self.phases - 1):
                if standing >= signed(w[self.steps + step]):
                    found += 1
        return found

    def follow(self, view: Words, side: int, w: np.ndarray) -> None:
        """Brings the sums of a view up to date."""
        sums, seen = self.sums + side * self.width, self.seen + side * self.words
        rows = side * self.words * 64 * self.width if self.sides > 1 else 0
        changed, standing = 0, 0
        for i in range(len(view)):
            changed += popcount(view[i] ^ w[seen + i])
            standing += popcount(view[i])
        if w[self.begun + side] == U(0) or changed > standing:
            bias = self.bias + (side * self.width if self.sides > 1 else 0)
            for k in range(self.width):
                w[sums + k] = w[bias + k]
            for i in range(len(view)):
                w[seen + i] = U(0)
            w[self.begun + side] = U(1)
        for i in range(len(view)):
            left = view[i] ^ w[seen + i]
            w[seen + i] = view[i]
            while left != U(0):
                bit = trailing_zeros(left)
                left &= left - U(1)
                row = rows + (i * 64 + bit) * self.width
                if (view[i] >> U(bit)) & U(1) != U(0):
                    for block in range(self.blocks):
                        add_lanes(w, sums + block * BLOCK, row + block * BLOCK)
                else:
                    for block in range(self.blocks):
                        take_lanes(w, sums + block * BLOCK, row + block * BLOCK)


class NetworkEvaluation(BitsEvaluation):
    """bits -> 2 x hidden -> 1. Its head: for each phase two rows, of the mover and of the other,
    scaled by ``OUT``."""

    shape = "network"

    def head_words(self) -> int:
        return 2 * self.phases * self.width

    def fill(self, array: np.ndarray, learned: Parameters) -> None:
        lanes = array.view(np.int16)
        first = _rounded(np.concatenate([learned.rows, learned.bias]), UNIT)
        lanes[: 4 * self.head] = first.reshape(-1)
        out = _rounded(learned.out, OUT, _MOST_OUT)
        lanes[4 * self.head : 4 * self.rest] = out.reshape(-1)

    def look(self, game: Any, p: Words, mover: int, w: np.ndarray) -> None:
        self.follow(game.seen_by(p, 0), 0, w)
        self.follow(game.seen_by(p, 1), 1, w)

    def odds(self, mover: int, phase: int, w: np.ndarray) -> float:
        own = self.sums + mover * self.width
        other = self.sums + (1 - mover) * self.width
        out = self.head + 2 * phase * self.width
        total = 0
        for block in range(self.blocks):
            at = block * BLOCK
            total += clipped_squares(w, own + at, out + at, UNIT)
            total += clipped_squares(w, other + at, out + self.width + at, UNIT)
        return total / (UNIT * UNIT * OUT)


class TwoLayerEvaluation(NetworkEvaluation):
    """bits -> 2 x hidden -> layers -> 1. Its head: for each unit of the second layer two rows, of
    the mover and of the other, scaled by ``INNER``; for each phase what is added to each of them;
    for each phase the weights that go out, scaled by ``OUT``; both whole, but written as real
    numbers, with which all of it is exact too. The squares stand in the spare room,
    256 for 1 and a little less, so that a unit is 1 at ``UNIT * UNIT``."""

    @property
    def size(self) -> int:
        return self.spare + 2 * self.width

    def head_words(self) -> int:
        return self.more * 2 * self.width + 2 * self.phases * self.more

    def fill(self, array: np.ndarray, learned: Parameters) -> None:
        lanes = array.view(np.int16)
        first = _rounded(np.concatenate([learned.rows, learned.bias]), UNIT)
        lanes[: 4 * self.head] = first.reshape(-1)
        begin = self.head + self.more * 2 * self.width
        lanes[4 * self.head : 4 * begin] = _rounded(learned.inner.T, INNER).reshape(-1)
        reals = array.view(np.float64)
        added = np.rint(learned.inner_bias.astype(np.float64) * UNIT * UNIT)
        reals[begin : begin + added.size] = added.reshape(-1)
        reals[begin + added.size : self.rest] = _rounded(learned.out, OUT).reshape(-1)

    def odds(self, mover: int, phase: int, w: np.ndarray) -> float:
        own = self.sums + mover * self.width
        other = self.sums + (1 - mover) * self.width
        for block in range(self.blocks):
            at = block * BLOCK
            store_squares(w, self.spare + at, own + at, UNIT)
            store_squares(w, self.spare + self.width + at, other + at, UNIT)
        added = self.head + self.more * 2 * self.width + phase * self.more
        total = 0.0
        for unit in range(self.more):
            row = self.head + unit * 2 * self.width
            found = 0
            for block in range(2 * self.blocks):
                found += lane_products(w, self.spare + block * BLOCK, row + block * BLOCK)
            clipped = min(max(found + real_of_bits(w[added + unit]), 0.0), float(UNIT * UNIT))
            total += clipped * real_of_bits(w[added + self.phases * self.more + unit])
        return total / (UNIT * UNIT * OUT)


class LinearBitsEvaluation(BitsEvaluation):
    """A weight for each bit of the mover's view and each phase: the lanes of a row are phases."""

    shape = "linear"

    def head_words(self) -> int:
        return 0

    def fill(self, array: np.ndarray, learned: Parameters) -> None:
        weights = _rounded(np.concatenate([learned.rows, learned.bias]), OUT)
        lanes = array.view(np.int16)[: 4 * self.head].reshape(-1, self.lanes)
        lanes[:, : self.phases] = weights

    def odds(self, mover: int, phase: int, w: np.ndarray) -> float:
        return lane_at(w, 4 * (self.sums + mover * self.width) + phase) / OUT


class PatternsEvaluation(BitsEvaluation):
    """Tables of regions: what a region's bits in the mover's view are worth together. The sums are
    places in the tables; the head has them phase by phase."""

    shape = "patterns"

    def head_words(self) -> int:
        return self.phases * self.lanes * self.more // 4

    def fill(self, array: np.ndarray, learned: Parameters) -> None:
        lanes = array.view(np.int16)
        lanes[: 4 * self.head] = np.concatenate([learned.rows, learned.bias]).reshape(-1)
        lanes[4 * self.head : 4 * self.rest] = _rounded(learned.out, OUT).reshape(-1)

    def odds(self, mover: int, phase: int, w: np.ndarray) -> float:
        places = 4 * (self.sums + mover * self.width)
        table = 4 * self.head + phase * self.lanes * self.more
        total = 0
        for region in range(self.lanes):
            total += lane_at(w, table + region * self.more + lane_at(w, places + region))
        return total / OUT


_SHAPES: dict[str, type[BitsEvaluation]] = {
    sort.shape: sort for sort in (NetworkEvaluation, LinearBitsEvaluation, PatternsEvaluation)
}


def _rounded(numbers: np.ndarray, unit: int, most: int = _MOST) -> np.ndarray:
    found: np.ndarray = np.clip(np.rint(numbers * unit), -most, most).astype(np.int16)
    return found


def _sort(shape: str, more: int) -> type[BitsEvaluation]:
    return TwoLayerEvaluation if shape == "network" and more else _SHAPES[shape]


def _sort_of(learned: Parameters) -> tuple[type[BitsEvaluation], Sizes]:
    """The shape and the sizes of what was learned."""
    sides, lanes = learned.bias.shape
    more = learned.out.shape[2] if learned.shape == "patterns" else learned.inner.shape[1]
    if learned.shape == "linear":
        lanes = LANES
    words = len(learned.rows) // (64 * sides)
    return _sort(learned.shape, more), Sizes(words, sides, lanes, len(learned.rest), more)


@cache
def _tag(shape: str, sizes: Sizes, points: float) -> BitsEvaluation:
    """What the kernels know of an evaluation: where its numbers stand, not which they are."""
    return _sort(shape, sizes.more)(shape, sizes, points=points)


def shape_of(game: Rules) -> tuple[int, int]:
    """The words of a view, and how many sets of rows a network of this game has: one where each
    player sees the position as its own, else one a player."""
    p = game.start()
    is_mirrored = type(game).seen_by is not Rules.seen_by
    return len(game.seen_by(p, 0)), 1 if is_mirrored else 2


def points_of(game: Rules) -> float:
    """The most points of a game whose networks speak in points, or 0 where they tell the odds."""
    return 0.0 if game.kinds() == {Kind.DECISION} else float(game.most_points)


def load(name: str, game: Rules) -> BitsEvaluation:
    """The evaluation in a file, for this game."""
    path = Path(name).expanduser()
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        raise PetteiaError(f"there is no file {name!r}") from None
    return _loaded(name, path, changed, *shape_of(game), points_of(game))


@lru_cache(maxsize=16)
def _loaded(
    name: str, path: Path, changed: int, words: int, sides: int, points: float
) -> BitsEvaluation:
    learned, _ = parameters(path)
    if len(learned.rows) != sides * words * 64:
        raise PetteiaError(
            f"the network {name} has {len(learned.rows)} inputs; this game needs "
            f"{sides * words * 64}"
        )
    sort, sizes = _sort_of(learned)
    return sort(name, sizes, path, points=points)
