"""Proof-number search, depth first: does the player to move win by force?

Nagai's df-pn. Every node has two numbers: how many leaves must at least still be proven to show
that the attacker wins (*proof*), and how many disproven to show that he does not. The search
always goes where the least work is left, which finds long forced wins that a search by depth
meets late. Here ``phi`` is the number that the node's mover wants to bring to zero and ``delta``
the other, so that both players' nodes are treated alike.

A draw counts as no win. For games of decisions whose positions never repeat within a line.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from petteia.compiled import kernel, signed
from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL, Game
from petteia.core.seeds import derive
from petteia.core.words import U, Words
from petteia.search.clock import NEVER, clock, deadline_in
from petteia.search.stepper import stepper_of
from petteia.search.table import TABLE_FIELDS, Table, key_of, read, write
from petteia.search.tree import count_node

__all__ = ["Proof", "ProofSearch"]

_INFINITE = 1 << 30
_MOVES = 1 << 16
_DEEPEST = 600
_CLOCK = 256  # nodes between two looks at the clock: each looks at all its children

WORKSPACE = np.dtype(
    [
        ("stop", np.int64),
        ("nodes", np.int64),
        ("node_limit", np.int64),
        ("deadline", np.int64),  # on the kernels' clock
        ("attacker", np.int64),
        *TABLE_FIELDS,
        ("moves", np.int64, (_MOVES,)),
    ],
    align=True,
)


@dataclass(frozen=True)
class Proof:
    """What was shown."""

    wins: bool | None
    """Whether the player to move wins by force; None where the limits came first."""
    move: int
    """A move that wins, or -1."""
    nodes: int
    """Nodes whose moves were generated, repetitions counted."""
    seconds: float


class ProofSearch:
    """A proof-number search of one game, and its memory: ``2**bits`` entries of 16 bytes."""

    def __init__(self, game: Game, bits: int = 20) -> None:
        if game.has_chance or game.has_simultaneous or game.repetitions:
            raise PetteiaError(
                f"{game.spec.name} has no proofs: they need a game of decisions without repetition"
            )
        self.game = game
        self._table = Table(bits)
        self.ws: Any = np.zeros(1, WORKSPACE).view(np.recarray)[0]
        self._table.lend(self.ws)

    def prepare(self, p: Words) -> None:
        """Compiles the search, without searching."""
        self.ws["stop"] = 1
        self.ws["nodes"], self.ws["node_limit"] = 0, NEVER
        prove(self.game, p, self.ws)

    def stop(self) -> None:
        """Ends a running search soon. Any thread may call it."""
        self.ws["stop"] = 1

    def run(self, p: Words, *, nodes: int | None = None, seconds: float | None = None) -> Proof:
        """Searches until the question is answered or a limit is met."""
        moves = stepper_of(self.game).look(p).moves
        if not moves:
            raise PetteiaError(f"nobody is to move at {self.game.text(p)!r}")
        ws = self.ws
        self.prepare(p)
        attacker = int(self.game.mover(p))
        ws["stop"], ws["nodes"] = 0, 0
        ws["node_limit"] = nodes if nodes is not None else NEVER
        ws["deadline"] = deadline_in(seconds)
        ws["attacker"] = attacker
        # What is proven for one attacker is not for the other: they share no entry.
        ws["salt"] = np.uint64(derive(attacker, "proof"))
        started = time.perf_counter()
        with clock(seconds, self.stop):
            answer = prove(self.game, p, ws)
        wins = None if answer == -2 else answer >= 0
        move = moves[answer] if answer >= 0 else -1
        return Proof(wins, move, int(ws["nodes"]), time.perf_counter() - started)


def at_first(game: Any, p: Words, ws: Any) -> tuple[int, int]:
    """Phi and delta of a position that is met for the first time."""
    attacking = game.mover(p) == ws.attacker
    if game.kind(p) == TERMINAL:
        points = game.result(p)
        won = points > 0.0 if ws.attacker == 0 else points < 0.0
        return (0, _INFINITE) if won == attacking else (_INFINITE, 0)
    forced = game.forced(p)
    if forced > 0:
        return 0, _INFINITE
    if forced < 0:
        return _INFINITE, 0
    return 1, 1


def recalled(game: Any, p: Words, ws: Any) -> tuple[int, int]:
    """Phi and delta as far as they are known."""
    data = read(ws, key_of(p, ws.salt))
    if data != U(0):
        return signed(data >> U(32)), signed(data & U(0xFFFFFFFF))
    return at_first(game, p, ws)


def keep(p: Words, phi: int, delta: int, ws: Any) -> None:
    """Writes what is known of a position over whatever stood in its place."""
    write(ws, key_of(p, ws.salt), (U(phi) << U(32)) | U(delta))


def summed(game: Any, p: Words, at: int, end: int, ws: Any) -> tuple[int, int, int, int, int]:
    """Phi and delta of a node from its children; the best child's place and phi, and the delta of
    the second best. What the child's mover wants is what the other does not.

    Delta is the hardest child's and one for each other that is open, instead of the sum: where
    lines meet again, a sum counts the same work many times over (weak proof numbers).
    """
    mover = game.mover(p)
    phi, second, best, best_phi = _INFINITE, _INFINITE, at, _INFINITE
    hardest, others = 0, -1
    for i in range(at, end):
        after = game.play(p, ws.moves[i])
        a, b = recalled(game, after, ws)
        if game.mover(after) == mover:
            a, b = b, a
        hardest = max(hardest, a)
        others += a > 0
        if b < phi:
            second, phi, best, best_phi = phi, b, i, a
        elif b < second:
            second = b
    delta = hardest
    if 0 < hardest < _INFINITE:  # only what is shown is infinite
        delta = min(hardest + others, _INFINITE - 1)
    return phi, delta, best, best_phi, second


def search(
    game: Any, p: Words, phi_limit: int, delta_limit: int, ply: int, at: int, ws: Any
) -> int:
    """Searches below a node until one of its numbers reaches its limit; 0."""
    count_node(ws, _CLOCK)
    end = game.moves(p, ws.moves, at)
    mover = game.mover(p)
    while True:
        phi, delta, best, child_phi, second = summed(game, p, at, end, ws)
        keep(p, phi, delta, ws)
        if phi >= phi_limit or delta >= delta_limit or ws.stop != 0:
            return 0
        if ply >= _DEEPEST or end + game.max_moves > _MOVES:
            ws.stop = 1
            return 0
        # A quarter beyond the second best, so that two lines of equal promise do not take turns.
        wanted = min(delta_limit - delta + child_phi, _INFINITE)
        other = min(phi_limit, second + second // 4 + 1, _INFINITE)
        after = game.play(p, ws.moves[best])
        if game.mover(after) == mover:
            search(game, after, other, wanted, ply + 1, end, ws)
        else:
            search(game, after, wanted, other, ply + 1, end, ws)


@kernel
def prove(game: Any, p: Words, ws: Any) -> int:
    """The place of a winning root move, -1 if there is none, -2 if that is not known."""
    if ws.stop == 0:
        search(game, p, _INFINITE, _INFINITE, 0, 0, ws)
    end = game.moves(p, ws.moves, 0)
    phi, delta, best, _, _ = summed(game, p, 0, end, ws)
    if phi == 0:
        return best
    return -1 if delta == 0 else -2
