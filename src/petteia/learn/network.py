"""A network on the bare bits of the position, which follows a search from position to position.

Both players' views of the position (``Rules.seen_by``) go through one layer: for every bit that is
set a row of ``hidden`` numbers is added. The sums, clipped to 0 .. 1 and squared, are weighted and
added, the mover's with other weights than those of the one who waits. These weights depend on the
phase of the game: how many bits are set tells how much stands on the board, and the same thing is
worth more or less when the board is full. No feature is made by hand.

The sums of the last position are kept: the next one differs from it in a few bits, the rows of
which are added or taken away. All numbers are whole (lanes of 16 bits), so the value is the same
whatever was looked at before, on every processor.

Weights and sums are one array of words:

    rows      ``sides`` x ``words`` x 64 rows of ``hidden`` lanes, scaled by ``UNIT``
    bias      ``sides`` rows
    out       for each phase two rows, of the mover and of the other, scaled by ``OUT``
    rest      for each phase a real number: what is added at the end
    steps     how many bits of the mover's view begin each phase but the first
    sums      two rows, of player 0's view and of player 1's
    seen      the two views themselves
    begun     two words: whether there are sums yet

The sum is the logarithm of the odds. Where one player moves after the other, that times ``SCALE``
is the value: the end of a game outweighs it, and only its order counts. Where dice fall or both
choose at once, searches take means of values, so that values must be points: those that the odds
mean, between the most that a game can cost and the most that it can bring (``points_of``).
"""

from __future__ import annotations

import json
import math
import zipfile
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import (
    BLOCK,
    LANES,
    add_lanes,
    clipped_squares,
    popcount,
    real_bits,
    real_of_bits,
    signed,
    take_lanes,
    trailing_zeros,
)
from petteia.core import spec as specs
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.rules import Kind, Rules
from petteia.core.words import U, Words
from petteia.core.writing import writing_whole

__all__ = [
    "SCALE", "NetworkEvaluation", "Parameters", "is_file_name", "load", "parameters", "points_of",
    "save", "shape_of",
]  # fmt: skip

UNIT = 255
"""What 1 is in the first layer."""
OUT = 256
"""What 1 is among the weights that go out."""
SCALE = 10.0
"""The value of a position is so many times the logarithm of its odds."""
_KIND = "petteia network"
_MOST_OUT = 1000
"""Above it the sum over a block of lanes might not fit into 32 bits."""


class Parameters(NamedTuple):
    """What training learns, as real numbers."""

    rows: np.ndarray
    """(sides x words x 64, hidden)"""
    bias: np.ndarray
    """(sides, hidden)"""
    out: np.ndarray
    """(phases, 2, hidden)"""
    rest: np.ndarray
    """(phases,)"""
    steps: np.ndarray
    """(phases - 1,): so many set bits begin the next phase; not learned, but chosen so that the
    phases have equally many positions."""


def network_value(game: Any, p: Words, player: int) -> float:
    """A network on the bits of the position."""
    raise NotImplementedError  # its weights are needed, see ``NetworkEvaluation.value``


class NetworkEvaluation(Evaluation):
    """A network; all of one shape have the same kernels. Its file is read when it is needed."""

    remembers = True

    def __init__(
        self,
        name: str,
        words: int,
        sides: int,
        hidden: int,
        file: Path | None = None,
        *,
        phases: int = 1,
        points: float = 0.0,
    ) -> None:
        """``points``: values are points, and no game brings more; with 0 they are odds."""
        super().__init__(name, network_value)
        self.words, self.sides, self.hidden, self.points = words, sides, hidden, points
        self.phases = phases
        self.point = 1.0 if points > 0.0 else None
        self.blocks = hidden // LANES
        self.width = hidden // 4
        self.bias = sides * words * 64 * self.width
        self.out = self.bias + sides * self.width
        self.rest = self.out + 2 * phases * self.width
        self.steps = self.rest + phases
        self.sums = self.steps + phases - 1
        self.seen = self.sums + 2 * self.width
        self.begun = self.seen + 2 * words
        self.file = file
        if file is not None:
            self.tag = _shape(words, sides, hidden, phases, points)

    @property
    def size(self) -> int:
        """The words of weights, sums and views together."""
        return self.begun + 2

    @property
    def array(self) -> np.ndarray:
        return self._read[0]

    @cached_property
    def _read(self) -> tuple[np.ndarray, dict[str, Any]]:
        """The weights as the kernels take them, and how they were learned."""
        assert self.file is not None, "a shape alone has no weights"
        learned, facts = parameters(self.file)
        if learned.bias.shape != (self.sides, self.hidden) or len(learned.rest) != self.phases:
            raise PetteiaError(f"{self.file} is a network of another shape than {self.name}")
        return _whole(self.tag, learned), facts

    def check(self, game: Rules) -> None:
        """Refuses a game in which bits mean something else."""
        facts = self._read[1]
        made_for = specs.parse(str(facts["game"])).name
        if made_for != game.spec.name:
            raise PetteiaError(f"the network {self.name} is for {made_for}, not for {game}")
        if facts["start"] != _start_of(game):
            raise PetteiaError(f"the network {self.name} was learned on another board than {game}")

    def of(self, game: Rules, p: Words, player: int) -> float:
        return float(self.value(game, p, player, self.array.copy()))

    def value(self, game: Any, p: Words, player: int, w: np.ndarray) -> float:
        self.follow(game.seen_by(p, 0), 0, w)
        self.follow(game.seen_by(p, 1), 1, w)
        mover = game.mover(p)
        own = self.sums + mover * self.width
        other = self.sums + (1 - mover) * self.width
        phase = self.phase(mover, w)
        out = self.out + 2 * phase * self.width
        total = 0
        for block in range(self.blocks):
            at = block * BLOCK
            total += clipped_squares(w, own + at, out + at, UNIT)
            total += clipped_squares(w, other + at, out + self.width + at, UNIT)
        odds = total / (UNIT * UNIT * OUT) + real_of_bits(w[self.rest + phase])
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


@cache
def _shape(words: int, sides: int, hidden: int, phases: int, points: float) -> NetworkEvaluation:
    """What the kernels know of a network: where its numbers stand, not which they are."""
    return NetworkEvaluation("network", words, sides, hidden, phases=phases, points=points)


def shape_of(game: Rules) -> tuple[int, int]:
    """The words of a view, and how many sets of rows a network of this game has: one where each
    player sees the position as its own, else one a player."""
    p = game.start()
    is_mirrored = type(game).seen_by is not Rules.seen_by
    return len(game.seen_by(p, 0)), 1 if is_mirrored else 2


def points_of(game: Rules) -> float:
    """The most points of a game whose networks speak in points, or 0 where they tell the odds."""
    return 0.0 if game.kinds() == {Kind.DECISION} else float(game.most_points)


def _start_of(game: Rules) -> list[str]:
    """The start as player 0 sees it: boards on which bits mean the same have the same."""
    return [f"{int(word):x}" for word in game.seen_by(game.start(), 0)]


def _whole(shape: Any, learned: Parameters) -> np.ndarray:
    """Parameters rounded to whole numbers, with room for sums and views."""
    array = np.zeros(shape.size, np.uint64)
    lanes = array.view(np.int16)
    first = np.rint(np.concatenate([learned.rows, learned.bias]) * UNIT)
    lanes[: 4 * shape.out] = np.clip(first, -(2**15), 2**15 - 1).astype(np.int16).reshape(-1)
    out = np.clip(np.rint(learned.out * OUT), -_MOST_OUT, _MOST_OUT)
    lanes[4 * shape.out : 4 * shape.rest] = out.astype(np.int16).reshape(-1)
    for phase, rest in enumerate(learned.rest):
        array[shape.rest + phase] = real_bits(float(rest))
    array[shape.steps : shape.sums] = learned.steps
    array.flags.writeable = False
    return array


def save(path: Path, game: Rules, learned: Parameters, facts: dict[str, Any]) -> None:
    """Writes a network to a file, with the game that it is for and how it was learned."""
    about = {"kind": _KIND, "game": str(game), "start": _start_of(game), **facts}
    with writing_whole(path) as file:
        text = np.array(json.dumps(about, ensure_ascii=False))
        np.savez_compressed(file, about=text, **learned._asdict())


def is_file_name(name: str) -> bool:
    """Whether a name in a spec means the file of a network."""
    return name.endswith(".npz")


def load(name: str, game: Rules) -> NetworkEvaluation:
    """The network in a file, for this game."""
    path = Path(name).expanduser()
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        raise PetteiaError(f"there is no file {name!r}") from None
    return _loaded(name, path, changed, *shape_of(game), points_of(game))


@lru_cache(maxsize=16)
def _loaded(
    name: str, path: Path, changed: int, words: int, sides: int, points: float
) -> NetworkEvaluation:
    learned, _ = parameters(path)
    if learned.rows.shape[0] != sides * words * 64:
        raise PetteiaError(
            f"the network {name} has {learned.rows.shape[0]} inputs; this game needs "
            f"{sides * words * 64}"
        )
    return NetworkEvaluation(
        name, words, sides, learned.bias.shape[1], path, phases=len(learned.rest), points=points
    )


def parameters(path: Path) -> tuple[Parameters, dict[str, Any]]:
    """What the file of a network holds: its numbers, and how they were learned."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            facts = json.loads(str(found["about"]))
            learned = _complete({field: found[field] for field in found.files if field != "about"})
        is_told = isinstance(facts, dict) and {"game", "start"} <= facts.keys()
        if not is_told or facts["kind"] != _KIND or not _is_sound(learned):
            raise ValueError
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        raise PetteiaError(
            f"{path} does not hold a network; petteia learn writes such files"
        ) from None
    return learned, facts


def _complete(found: dict[str, np.ndarray]) -> Parameters:
    """The parameters in a file; files of before there were phases have one."""
    if "steps" not in found:
        found |= {"out": found["out"][None], "steps": np.zeros(0, np.int64)}
    return Parameters(**found)


def _is_sound(learned: Parameters) -> bool:
    *real, steps = (np.asarray(each) for each in learned)
    rows, bias, out, rest = real
    hidden = bias.shape[-1] if bias.ndim == 2 else 0
    fits = rows.ndim == 2 and rows.shape[1] == hidden and hidden > 0 and hidden % LANES == 0
    fits = fits and rest.ndim == 1 and len(rest) > 0 and out.shape == (len(rest), 2, hidden)
    fits = fits and steps.shape == (len(rest) - 1,) and steps.dtype.kind == "i"
    return fits and all(each.dtype.kind == "f" and np.isfinite(each).all() for each in real)
