"""All positions of a game that can be reached, and what each leads to.

Positions are numbered in the order in which a breadth-first search from the start meets them; a
hash table finds the number of a position. What follows a position stands in a row of numbers: the
positions after its moves, after the outcomes of the dice, or, where both choose, after each pair of
moves, row by row.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import kernel, load, mix, store
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.rules import CHANCE, DECISION, SIMULTANEOUS, SLACK, TERMINAL
from petteia.core.words import U, Words
from petteia.solve.control import Control, Stopped
from petteia.solve.parts import Parts

__all__ = ["MOST_POSITIONS", "Arrays", "Graph", "explored", "prepare"]

MOST_POSITIONS = 50_000_000
"""A game with more positions is given up, unless the user allows more."""
_AT_ONCE = 200_000
"""Positions that are looked at between two reports."""
_FIRST_ROOM = 1 << 12
_KEPT_EVERY = 60.0
"""Seconds after which what was found so far is kept on disk."""
_STATE_NAMES: tuple[str, ...] = ("looked_at", "found", "edges")
_DONE, _FULL, _TOO_WIDE, _UNFINISHED = 0, 1, 2, 3
"""Why the kernel stopped: as asked, no room left, more moves than ``max_moves``, a position at
which somebody should move but cannot."""


class Arrays(NamedTuple):
    """The positions and what follows them; longer than what is used."""

    words: np.ndarray
    """The positions, (positions, words)."""
    kinds: np.ndarray
    """Twice the kind of each, and the mover where one player decides."""
    points: np.ndarray
    """Of player 0 where the game is over; 0 elsewhere."""
    starts: np.ndarray
    """Where the row of each begins in ``after``; one more than there are positions."""
    after: np.ndarray
    """The numbers of the positions that follow."""
    chances: np.ndarray
    """The probability of each of them; filled only where dice are thrown."""
    rows: np.ndarray
    """How many moves player 0 has; filled only where both choose."""


class _Search(NamedTuple):
    """What only the search for positions needs."""

    slots: np.ndarray
    """The hash table: the number of a position and one, or 0."""
    out: np.ndarray
    prob: np.ndarray


_STATE = np.dtype(
    [
        ("looked_at", np.int64),  # positions whose successors are known
        ("found", np.int64),  # positions that were met
        ("edges", np.int64),  # successors so far
        ("until", np.int64),  # where to stop
    ],
    align=True,
)


@dataclass(frozen=True)
class Graph:
    """Every position that can be reached from the start, which is number 0."""

    game: Game
    arrays: Arrays

    @property
    def positions(self) -> int:
        """How many there are."""
        return len(self.arrays.words)

    @property
    def edges(self) -> int:
        """How many successors they have together."""
        return len(self.arrays.after)

    def keep(self, parts: Parts) -> None:
        """Writes it down, so that a later run need not find it again."""
        counts = (self.positions, self.positions, self.edges)
        facts = dict(zip(_STATE_NAMES, counts, strict=True))
        parts.save(facts, self.arrays._asdict())


# --- kernels -------------------------------------------------------------------------------------


def hash_of(p: Words) -> np.uint64:
    """A number that looks random."""
    found = U(0x9E3779B97F4A7C15)
    for i in range(len(p)):
        found = mix(found ^ p[i])
    return found


def number_of(words: np.ndarray, slots: np.ndarray, state: Any, p: Words) -> int:
    """The number of a position, which is new or was met before."""
    mask = U(len(slots) - 1)
    at = hash_of(p) & mask
    while slots[at] != 0:
        number = int(slots[at]) - 1
        same = True
        for i in range(len(p)):
            same &= words[number, i] == p[i]
        if same:
            return number
        at = (at + U(1)) & mask
    new: int = state.found
    slots[at] = new + 1
    store(words, new, p)
    state.found += 1
    return new


@kernel
def put_again(game: Any, words: np.ndarray, slots: np.ndarray, state: Any) -> None:
    """Fills an empty hash table with the positions that were found."""
    count = state.found
    state.found = 0
    for number in range(count):
        number_of(words, slots, state, load(words, number, game.start()))


@kernel
def grow(game: Any, g: Arrays, search: _Search, state: Any) -> int:
    """Looks at positions in their order and writes what follows them, as long as there is room for
    the next. Gives the reason why it stopped."""
    out = search.out
    most = len(out) // 2 - SLACK
    while state.looked_at < min(state.found, state.until):
        number, at = state.looked_at, state.edges
        p = load(g.words, number, game.start())
        kind = game.kind(p)
        middle = end = 0
        mover = 0
        if kind == DECISION:
            mover = game.mover(p)
            end = game.moves(p, out, 0)
        elif kind == CHANCE:
            end = game.chances(p, out, search.prob, 0)
        elif kind == SIMULTANEOUS:
            middle = game.moves_of(p, 0, out, 0)
            end = game.moves_of(p, 1, out, middle)
        if max(middle, end - middle) > most:
            return _TOO_WIDE
        count = middle * (end - middle) if kind == SIMULTANEOUS else end
        if count == 0 and kind != TERMINAL:
            return _UNFINISHED
        room = min(len(g.words), len(search.slots) // 2) - state.found
        if at + count > len(g.after) or count > room:
            return _FULL
        if kind == SIMULTANEOUS:
            g.rows[number] = middle
            for i in range(middle):
                for j in range(middle, end):
                    q = game.play_both(p, out[i], out[j])
                    g.after[at] = number_of(g.words, search.slots, state, q)
                    at += 1
        else:
            for i in range(end):
                q = game.play(p, out[i])
                g.after[at] = number_of(g.words, search.slots, state, q)
                if kind == CHANCE:
                    g.chances[at] = search.prob[i]
                at += 1
        g.kinds[number] = 2 * kind + mover
        g.points[number] = game.result(p) if kind == TERMINAL else 0.0
        state.looked_at += 1
        state.edges = at
        g.starts[state.looked_at] = at
    return _DONE


# --- for Python ----------------------------------------------------------------------------------


class _Explorer:
    """The arrays while they grow."""

    def __init__(self, game: Game, most: int) -> None:
        self.game, self.most = game, most
        size = len(game.start())
        self.g = Arrays(
            np.zeros((0, size), np.uint64), np.zeros(0, np.uint8), np.zeros(0, np.float64),
            np.zeros(1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float64),
            np.zeros(0, np.int32),
        )  # fmt: skip
        wide = 2 * (game.max_moves + SLACK)
        self.search = _Search(
            np.zeros(0, np.uint32), np.zeros(wide, np.int64), np.zeros(wide, np.float64)
        )
        self.state: Any = np.zeros(1, _STATE).view(np.recarray)[0]

    def resize(self, positions: int, edges: int) -> None:
        """Room for so many positions and successors, if there is memory for it."""
        game, g = self.game, self.g
        slots = 1 << (2 * positions - 1).bit_length()
        a_position = g.words.shape[1] * 8 + 17 + 4 * game.has_simultaneous
        needed = positions * a_position + edges * (4 + 8 * game.has_chance) + 4 * slots
        free = _free_memory()
        if free is not None and needed > free:
            raise PetteiaError(
                f"{game} has more than {int(self.state['found']):,} positions; to go on takes "
                f"{needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free"
            )
        self.g = Arrays(
            _longer(g.words, positions), _longer(g.kinds, positions), _longer(g.points, positions),
            _longer(g.starts, positions + 1), _longer(g.after, edges),
            _longer(g.chances, edges if game.has_chance else 1),
            _longer(g.rows, positions if game.has_simultaneous else 1),
        )  # fmt: skip
        if slots != len(self.search.slots):
            self.search = self.search._replace(slots=np.zeros(slots, np.uint32))
            put_again(self.game, self.g.words, self.search.slots, self.state)

    def keep(self, parts: Parts) -> None:
        """Writes down how far it is."""
        facts = {name: int(self.state[name]) for name in _STATE_NAMES}
        parts.save(facts, self.cut().arrays._asdict())

    def resume(self, parts: Parts) -> bool:
        """Goes on from what an earlier run kept, if there is something."""
        kept = parts.load(Arrays._fields)
        if kept is None:
            return False
        facts, arrays = kept
        positions, edges = facts["found"], facts["edges"]
        self.resize(max(_FIRST_ROOM, positions), max(_FIRST_ROOM, edges))
        for name, array in arrays.items():
            getattr(self.g, name)[: len(array)] = array
        for name in _STATE_NAMES:
            self.state[name] = facts[name]
        self.search.slots[:] = 0
        put_again(self.game, self.g.words, self.search.slots, self.state)
        return True

    def begin(self) -> None:
        """Nothing is known but the start."""
        self.resize(_FIRST_ROOM, _FIRST_ROOM)
        self.g.words[0] = self.game.start()
        self.state["found"] = 1
        self.search.slots[:] = 0
        put_again(self.game, self.g.words, self.search.slots, self.state)

    @property
    def is_done(self) -> bool:
        """Whether there is no position left to look at."""
        return bool(self.state["looked_at"] == self.state["found"])

    def step(self) -> None:
        """Looks at some more positions."""
        state, game = self.state, self.game
        state["until"] = state["looked_at"] + _AT_ONCE
        why = int(grow(game, self.g, self.search, state))
        if state["found"] > self.most:
            raise PetteiaError(
                f"{game} has more than {self.most:,} positions, {int(state['found']):,} were met; "
                "--positions allows more"
            )
        if why == _FULL:
            self.resize(2 * len(self.g.words), _more_edges(self.g.after, game))
        elif why != _DONE:
            p = tuple(U(word) for word in self.g.words[int(state["looked_at"])])
            wrong = (
                f"more moves than max_moves={game.max_moves}"
                if why == _TOO_WIDE
                else "no moves, but is not over"
            )
            raise PetteiaError(f"{game}: the position {game.text(p)!r} has {wrong}")

    def cut(self) -> Graph:
        """What was found, without the room that was not needed."""
        found, edges = int(self.state["found"]), int(self.state["edges"])
        g = self.g
        return Graph(
            self.game,
            Arrays(
                g.words[:found], g.kinds[:found], g.points[:found], g.starts[: found + 1],
                g.after[:edges], g.chances[:edges], g.rows[:found],
            ),
        )  # fmt: skip


def prepare(game: Game) -> None:
    """Compiles what ``explored`` would compile, so that its time can be measured."""
    explorer = _Explorer(game, MOST_POSITIONS)
    explorer.begin()
    grow(game, explorer.g, explorer.search, explorer.state)


def explored(game: Game, control: Control, parts: Parts, *, most: int = MOST_POSITIONS) -> Graph:
    """Finds every position of a game. If it is stopped, it keeps in ``parts`` what it found."""
    explorer = _Explorer(game, most)
    if not explorer.resume(parts):
        explorer.begin()
    kept_at = time.perf_counter()
    try:
        while not explorer.is_done:
            explorer.step()
            looked_at, found = int(explorer.state["looked_at"]), int(explorer.state["found"])
            control.report(0.5 * looked_at / found, f"{found:,} positions found")
            if time.perf_counter() - kept_at > _KEPT_EVERY:
                explorer.keep(parts)
                kept_at = time.perf_counter()
    except Stopped:
        explorer.keep(parts)
        raise
    return explorer.cut()


def _longer(old: np.ndarray, size: int) -> np.ndarray:
    if len(old) >= size:
        return old
    found = np.zeros((size, *old.shape[1:]), old.dtype)
    found[: len(old)] = old
    return found


def _more_edges(after: np.ndarray, game: Game) -> int:
    """Twice the room, and enough for any one position."""
    widest = game.max_moves**2 if game.has_simultaneous else game.max_moves
    return 2 * len(after) + widest


def _free_memory() -> int | None:
    """Bytes that can be had without swapping; None where the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    return next((1024 * int(x.split()[1]) for x in lines if x.startswith("MemAvailable")), None)
