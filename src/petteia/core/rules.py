"""The rules of a game: its kernels.

*Kernels* are small pure functions on a position. The compiled layer compiles them for searches,
playouts and solvers; called from Python they run as they stand, so a game is debugged, covered and
taught as ordinary Python. Inside a kernel ``self`` is known to the compiler: ``self.columns`` is a
constant there and ``self.mover(p)`` a direct call.
"""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any, ClassVar

import numpy as np

from petteia.core import spec as specs
from petteia.core.compile_time import CompileTime
from petteia.core.errors import PetteiaError
from petteia.core.words import Words

__all__ = [
    "CHANCE", "DECISION", "DRAWN", "SIMULTANEOUS", "SLACK", "TERMINAL", "Kind", "Rules",
    "drawn_outcome",
]  # fmt: skip


class Kind(IntEnum):
    """What happens at a position."""

    DECISION = 0
    """One player moves."""
    CHANCE = 1
    """Dice are thrown."""
    SIMULTANEOUS = 2
    """Both players choose at the same time."""
    TERMINAL = 3
    """The game is over."""


# Kernels return plain integers: an enum costs compile time and buys nothing there.
DECISION, CHANCE, SIMULTANEOUS, TERMINAL = (int(kind) for kind in Kind)


DRAWN = 1 << 20
"""What ``Game.known`` says of a position that is a draw by exact tables."""

_FLAGS = {
    "has_chance": ("chances",),
    "has_simultaneous": ("play_both",),
    "has_decisions": ("moves", "play"),
}
"""What is found out of a game, and the kernels that tell."""

_NUMBERED = {
    "moves": ("count_moves", "nth_move"),
    "moves_of": ("count_moves_of", "nth_move_of"),
    "chances": ("count_chances", "chance_at"),
}
"""Lists, and the kernels that tell the same without one."""

SLACK = 1024
"""Room beyond ``max_moves`` in the buffers of single positions, so that a game which names too
small a number is told so instead of overwriting what it should not."""


def drawn_outcome(prob: np.ndarray, end: int, unit: float) -> int:
    """The place of the outcome that a random number in [0, 1) falls on."""
    for i in range(end - 1):
        unit -= prob[i]
        if unit < 0.0:
            return i
    return end - 1


class Rules(CompileTime):
    """The rules of a game for two players, 0 and 1.

    ``__init__`` takes the parameters of the game, each with a type and a default, and keeps each
    under its own name; numbers, words, tuples and arrays kept on ``self`` are constants of the
    kernels. A game never changes after ``__init__``.
    """

    name: ClassVar[str] = ""
    """The name in specs; a game in a user's file is named by the file."""
    max_moves: int = 256
    """No position has more moves or outcomes than this."""
    max_plies: int = 1024
    """A game that is longer than this is given up as a draw by playouts."""
    most_points: float = 1.0
    """No game ends with more points than this."""
    repetitions: int = 0
    """A position that stands for this many times is a draw; 0 where the rules do not look back."""

    late_moves: ClassVar[tuple[int, int, int]] = (1 << 16, 1 << 16, 1 << 16)
    """How many moves the engine looks at where it has 1, 2 or 3 plies left, beside its main line;
    quiet ones that come later in its order are passed over."""
    has_chance: ClassVar[bool] = False
    """Whether there are dice: found out, true of every game that defines ``chances``."""
    has_simultaneous: ClassVar[bool] = False
    """Whether both players ever choose at the same time: found out, true of every game that
    defines ``play_both``."""
    has_decisions: ClassVar[bool] = True
    """Whether one player may move while the other waits: found out, true of every game that defines
    ``moves`` and ``play``."""

    spec_name: str | None = None

    def __init_subclass__(cls, *, is_contract: bool = False, **given: Any) -> None:
        """``is_contract``: a part of the contract, which has no rules of its own."""
        super().__init_subclass__(**given)
        if is_contract:
            return
        for flag, kernels in _FLAGS.items():
            defines = all(getattr(cls, name) is not getattr(Rules, name) for name in kernels)
            if cls.__dict__.get(flag, defines) != defines:
                does, says = ("defines", "false") if defines else ("does not define", "true")
                raise PetteiaError(
                    f"game {cls.__name__} says {flag} is {says}, but {does} "
                    f"{' and '.join(kernels)}; the flag may be left out"
                )
            setattr(cls, flag, defines)
        for listed, numbered in _NUMBERED.items():
            own = [name for name in numbered if name in cls.__dict__]
            if len(own) == 1:
                both = " and ".join(numbered)
                raise PetteiaError(f"game {cls.__name__} defines {own[0]}, but not both of {both}")
            if listed in cls.__dict__ and not own:  # what a parent says is of another list
                for name in numbered:
                    setattr(cls, name, getattr(Rules, name))
        needed = ["start", "kind", "result"]
        if not cls.has_simultaneous:
            needed += ["mover", "moves", "play"]
        elif cls.moves is Rules.moves:  # which else are the moves of both
            needed += ["moves_of"]
        needed += ["play"] if cls.has_chance and "play" not in needed else []
        missing = [name for name in needed if getattr(cls, name) is getattr(Rules, name)]
        if missing:
            raise PetteiaError(f"game {cls.__name__} does not define {', '.join(missing)}")

    @classmethod
    def kinds(cls) -> frozenset[Kind]:
        """The kinds of positions at which something happens, as far as the kernels tell."""
        told = {
            Kind.DECISION: cls.has_decisions,
            Kind.CHANCE: cls.has_chance,
            Kind.SIMULTANEOUS: cls.has_simultaneous,
        }
        return frozenset(kind for kind, is_met in told.items() if is_met)

    @classmethod
    def lacks(cls, kind: Kind) -> str:
        """What is wrong with a position of a kind for which the game has no kernels."""
        kernels = {Kind.DECISION: "moves and play", Kind.CHANCE: "chances"}.get(kind, "play_both")
        return f"kind is {kind.name}, but the game does not define {kernels}"

    # --- the kernels: every game writes these -------------------------------------------------

    def start(self) -> Words:
        """The initial position."""
        raise NotImplementedError

    def kind(self, p: Words) -> int:
        """DECISION, CHANCE, SIMULTANEOUS or TERMINAL."""
        raise NotImplementedError

    def mover(self, p: Words) -> int:
        """The player to move, 0 or 1."""
        return 0

    def moves(self, p: Words, out: np.ndarray, at: int) -> int:
        """Writes the legal moves into ``out`` from ``at`` and returns the end."""
        return at

    def play(self, p: Words, move: int) -> Words:
        """The position after a move, or after an outcome of the dice."""
        return p

    def result(self, p: Words) -> float:
        """The points of player 0 at a terminal position; player 1 has the opposite."""
        raise NotImplementedError

    # --- kernels for games with dice or simultaneous moves ------------------------------------

    def chances(self, p: Words, out: np.ndarray, prob: np.ndarray, at: int) -> int:
        """Writes the outcomes of the dice and their probabilities from ``at``; returns the end."""
        return at

    def moves_of(self, p: Words, player: int, out: np.ndarray, at: int) -> int:
        """The moves of one player at a simultaneous node."""
        return self.moves(p, out, at)

    def play_both(self, p: Words, first: int, second: int) -> Words:
        """The position after both players' simultaneous moves."""
        return p

    # --- kernels that spare random play the lists; a game supplies those that it has ------------
    # Where there are few moves to a bitboard, the n-th is found by counting bits. ``out`` and
    # ``prob`` are scratch paper: what the first kernel writes there is the second's to read.

    def count_moves(self, p: Words, out: np.ndarray) -> int:
        """How many moves ``moves`` lists."""
        return self.moves(p, out, 0)

    def nth_move(self, p: Words, n: int, out: np.ndarray) -> int:
        """The move at place ``n`` of that list; asked after ``count_moves``."""
        return out[n]  # type: ignore[no-any-return]

    def count_moves_of(self, p: Words, player: int, out: np.ndarray) -> int:
        """How many moves ``moves_of`` lists."""
        return self.moves_of(p, player, out, 0)

    def nth_move_of(self, p: Words, player: int, n: int, out: np.ndarray) -> int:
        """The move at place ``n`` of that list; asked after ``count_moves_of``."""
        return out[n]  # type: ignore[no-any-return]

    def count_chances(self, p: Words, out: np.ndarray, prob: np.ndarray) -> int:
        """How many outcomes ``chances`` lists."""
        return self.chances(p, out, prob, 0)

    def chance_at(
        self, p: Words, unit: float, count: int, out: np.ndarray, prob: np.ndarray
    ) -> int:
        """The outcome of that list, ``count`` long, on which a random number in [0, 1) falls, to
        the last bit as ``drawn_outcome`` finds it; asked after ``count_chances``."""
        return out[drawn_outcome(prob, count, unit)]  # type: ignore[no-any-return]

    # --- kernels for rules that look back, see ``core.history`` ---------------------------------

    def identity(self, p: Words) -> Words:
        """What makes two positions the same to the rule of repetition: without counters."""
        return p

    def lookback(self, p: Words) -> int:
        """At most this many plies ago the same position can have stood: since the last move that
        cannot be taken back. Only saves time."""
        return 1 << 30

    # --- kernels that help searches; a game supplies those that it has ------------------------

    def remembered(self, p: Words) -> Words:
        """The position as the engine's table keeps it. Counters that seldom matter may be left
        out or made coarser, so that more is found again."""
        return p

    def priority(self, p: Words, move: int) -> int:
        """How early a search should look at this move; from 100 on it is tactical, such as a
        capture, and comes before what other lines have taught."""
        return 0

    def noisy_moves(self, p: Words, out: np.ndarray, at: int) -> int:
        """Writes the moves that a search should still look at when it has run out of depth."""
        return at

    def forced(self, p: Words) -> int:
        """What is certain at a glance: n plies to a win of the mover, -n to its loss, or 0. With
        best play of both it takes exactly so many."""
        return 0

    def restless(self, p: Words, beyond: int) -> bool:
        """Whether a search, ``beyond`` plies past its depth, must go on with all moves because no
        evaluation can speak for such a position, as where a capture is compulsory."""
        return False

    def known(self, p: Words, tables: int) -> int:
        """What exact tables say: n plies to a win of the mover, -n to its loss, ``DRAWN``, or 0
        where they say nothing. ``tables`` is the address of what ``exact_tables`` gave."""
        return 0

    def exact_value(self, p: Words, tables: int) -> float:
        """What exact tables say where both choose at the same time: the expected points of player
        0, or not a number where they say nothing. ``tables`` as for ``known``."""
        return math.nan

    def seen_by(self, p: Words, player: int) -> Words:
        """The position as a player sees it, for learning: its own pieces where the other sees the
        other's, so that both learn from each other; counters and the turn left out. A game that
        says nothing teaches each player apart."""
        return p

    def certain(self, p: Words, tables: int) -> int:
        """The same for proofs: nothing where a rule that the tables do not know could interfere."""
        return self.known(p, tables)

    # --- for Python ----------------------------------------------------------------------------

    def exact_tables(self) -> np.ndarray | None:
        """Words in which ``known`` or ``worth`` finds tables, for searches that were asked to use
        them; None where there are none."""
        return None

    def exact_error(self, p: Words) -> float:
        """By how much, in points, ``exact_value`` may be off where it knows a position."""
        return 0.0

    @property
    def spec(self) -> specs.Spec:
        """The spec that makes this game again."""
        return specs.Spec(self.spec_name or self.name, specs.arguments(self))

    def __str__(self) -> str:
        return str(self.spec)

    def __repr__(self) -> str:
        return f"<game {self}>"

    def legal_moves(
        self, p: Words, player: int | None = None, *, only_noisy: bool = False
    ) -> list[int]:
        """The legal moves, in the order of the kernel."""
        if self.kind(p) == TERMINAL:
            return []
        out = np.empty(self.max_moves + SLACK, np.int64)
        if self.kind(p) == SIMULTANEOUS:
            end = self.moves_of(p, 0 if player is None else player, out, 0)
        elif only_noisy:
            end = self.noisy_moves(p, out, 0)
        else:
            end = self.moves(p, out, 0)
        return [int(move) for move in out[:end]]

    def outcomes(self, p: Words) -> list[tuple[int, float]]:
        """The outcomes of a chance node with their probabilities."""
        size = self.max_moves + SLACK
        out, prob = np.empty(size, np.int64), np.empty(size, np.float64)
        end = self.chances(p, out, prob, 0)
        return [(int(o), float(q)) for o, q in zip(out[:end], prob[:end], strict=True)]

    def symmetries(self, p: Words, move: int) -> list[tuple[Words, int]]:
        """Positions that are the same but for the way they lie, each with the same move there."""
        return []

    def symmetries_of_both(self, p: Words, first: int, second: int) -> list[tuple[Words, int, int]]:
        """The same where both choose: each position with the moves of its player 0 and 1."""
        return []
