"""The course report's search as it is printed, with each of its defects as a switch.

1. Its Min nodes never lower beta (the comparison is the wrong way round), so that Max nodes never
   cut. ``lowers_beta=true`` corrects it.
2. It looks for its depth limit only, never for the end of the game. ``sees_ends=true``.
3. Its root takes the last move whose value is at least the best so far; under pruning that value
   may be a mere bound. ``strict=true`` takes the first of the best.
4. It scans the board without any thought of order, from the top row to judge by its counts.
   ``order=captures`` takes captures and advances first; ``order=bottom`` scans the other way.

``prune=false`` is the report's minimax, which shares 2, 3 and 4. Past the end of a game its search
plays on while a side can still move; one that cannot is worth minus or plus infinity, as printed.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from petteia.compiled import kernel, load, store
from petteia.core.agent import ANY, Decision, EvaluatingAgent, MoveValue, at_most
from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL, Game
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.search.contract import ranked
from petteia.search.evaluations import evaluation_for, weights_for_move
from petteia.search.values import terminal_value

__all__ = ["ORDERS", "AsPrinted"]

ORDERS = ("top", "bottom", "captures")
_INFINITY = 1e18
_DEEPEST = 12


class AsPrinted(EvaluatingAgent):
    """The report's alpha-beta, defects and all; each can be switched off."""

    name = "alphabeta_as_printed"
    about = "the report's alpha-beta with its four defects; each can be switched off"
    for_visitors = at_most(depth=10, order=ANY)

    def __init__(
        self,
        game: Game,
        depth: int = 5,
        eval: Spec | None = None,
        *,  # the defects, one switch each
        lowers_beta: bool = False,
        sees_ends: bool = False,
        strict: bool = False,
        order: str = "top",
        prune: bool = True,
    ) -> None:
        super().__init__(game)
        if not 1 <= depth <= _DEEPEST:
            raise PetteiaError(f"agent {self.name}: depth={depth} is not possible; 1 to {_DEEPEST}")
        if order not in ORDERS:
            raise PetteiaError(
                f"agent {self.name}: order={order} is not possible; {', '.join(ORDERS)}"
            )
        self.depth, self.eval, self.order = depth, eval, order
        self.lowers_beta, self.sees_ends, self.strict = lowers_beta, sees_ends, strict
        self.prune = prune
        self.evaluation = evaluation_for(game, eval, default="offensive2")
        self._memory = np.zeros(1, _layout(game)).view(np.recarray)
        self._ws: Any = self._memory[0]
        ws = self._ws
        ws["lowers_beta"], ws["sees_ends"], ws["strict"] = lowers_beta, sees_ends, strict
        ws["order"], ws["prune"] = ORDERS.index(order), prune

    def _search(self, p: Words, depth: int, searcher: int, weights: np.ndarray) -> float:
        return search(self.game, self.evaluation.tag, p, depth, searcher, weights, self._ws)

    def _begin(self) -> None:
        ws = self._ws
        ws["interior"], ws["leaves"], ws["move"], ws["stop"] = 0, 0, -1, 0

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        started = time.perf_counter()
        self._begin()
        value = self._search(
            p, self.depth, int(self.game.mover(p)), weights_for_move(self.evaluation, seed)
        )
        ws, move = self._ws, int(self._ws["move"])
        return Decision(
            move, value, (move,), self.depth, int(ws["interior"]), int(ws["leaves"]),
            time.perf_counter() - started,
        )  # fmt: skip

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        """Each move searched on its own, so that no value is a bound."""
        searcher, weights = int(self.game.mover(p)), weights_for_move(self.evaluation, seed)
        self._begin()
        found = []
        for move in self.game.legal_moves(p):
            after = self.game.play(p, move)
            if self.depth == 1 or (self.sees_ends and self.game.kind(after) == TERMINAL):
                value = leaf(self.game, self.evaluation.tag, after, searcher, weights, self._ws)
            else:
                value = self._search(after, self.depth - 1, searcher, weights)
            found.append(MoveValue(move, value, (move,)))
        return list(ranked(found))

    def prepare(self, p: Words) -> None:
        self._ws["stop"] = 1
        self._search(p, self.depth, int(self.game.mover(p)), self.evaluation.array)

    def stop(self) -> None:
        self._ws["stop"] = 1


_FRAME = np.dtype(
    [
        ("next", np.int64),  # place of the next move
        ("end", np.int64),  # of the moves
        ("maximises", np.int64),
        ("alpha", np.float64),
        ("beta", np.float64),
        ("best", np.float64),
    ]
)


def _layout(game: Game) -> np.dtype[Any]:
    """The memory of a search."""
    return np.dtype(
        [
            ("lowers_beta", np.int64),  # the switches of the agent
            ("sees_ends", np.int64),
            ("strict", np.int64),
            ("order", np.int64),
            ("prune", np.int64),
            ("stop", np.int64),  # set from outside
            ("move", np.int64),  # the best at the root, -1 for none yet
            ("interior", np.int64),
            ("leaves", np.int64),
            ("frame", _FRAME, (_DEEPEST + 1,)),
            ("stack", np.uint64, (_DEEPEST + 1, len(game.start()))),
            ("out", np.int64, ((_DEEPEST + 1) * game.max_moves,)),
        ]
    )


def rank(game: Any, p: Words, move: int, order: int) -> int:
    """How late a move comes in an order."""
    source, target = move >> 6, move & 63
    if order == 2:
        return -game.priority(p, move)
    row, column = source // game.columns, source % game.columns
    if order == 0:
        row = game.rows - 1 - row
    return (row * game.columns + column) * 4 + target % game.columns - column + 1


def sort_moves(game: Any, p: Words, out: np.ndarray, at: int, end: int, order: int) -> None:
    """Brings a list of moves into an order; equals stay as they were."""
    for i in range(at, end):  # rank, place and move in one number
        out[i] |= (rank(game, p, out[i], order) + 4096) << 20 | (i - at) << 12
        moved, j = out[i], i
        while j > at and out[j - 1] > moved:
            out[j] = out[j - 1]
            j -= 1
        out[j] = moved
    for i in range(at, end):
        out[i] &= 4095


@kernel
def leaf(
    game: Any, evaluation: Any, p: Words, searcher: int, weights: np.ndarray, ws: Any
) -> float:
    """The value of a position that is not searched further."""
    if ws.sees_ends != 0 and game.kind(p) == TERMINAL:
        return terminal_value(game, p, searcher, 0)
    return evaluation.value(game, p, searcher, weights)


def enter(game: Any, p: Words, searcher: int, ply: int, at: int, ws: Any) -> None:
    """Opens a position: its moves stand from ``at`` on, its window is that of the ply before."""
    ws.interior += 1
    store(ws.stack, ply, p)
    frame = ws.frame[ply]
    frame.next, frame.end = at, game.moves(p, ws.out, at)
    sort_moves(game, p, ws.out, at, frame.end, ws.order)
    frame.maximises = 1 if game.mover(p) == searcher else 0
    frame.alpha = ws.frame[ply - 1].alpha if ply > 0 else -_INFINITY
    frame.beta = ws.frame[ply - 1].beta if ply > 0 else _INFINITY
    frame.best = -_INFINITY if frame.maximises == 1 else _INFINITY


def back_up(ply: int, value: float, ws: Any) -> None:
    """A move's value reaches the position where it was made."""
    frame = ws.frame[ply]
    if frame.maximises == 1:
        if value > frame.best or (ws.strict == 0 and value == frame.best):
            if ply == 0:
                ws.move = ws.out[frame.next - 1]
            frame.best = value
        frame.alpha = max(frame.alpha, value)
    else:
        frame.best = min(frame.best, value)
        if ws.lowers_beta != 0:
            frame.beta = min(frame.beta, value)
    if ws.prune != 0:
        # As printed: Max looks at beta, Min at alpha.
        done = frame.best >= frame.beta if frame.maximises == 1 else frame.best <= frame.alpha
        if done:
            frame.next = frame.end


@kernel
def search(
    game: Any,
    evaluation: Any,
    root: Words,
    depth: int,
    searcher: int,
    weights: np.ndarray,
    ws: Any,
) -> float:
    """The value of the root for the searcher, who is Max; the best move is noted."""
    ply, value = 0, 0.0
    enter(game, root, searcher, 0, 0, ws)
    while ws.stop == 0:
        frame = ws.frame[ply]
        if frame.next < frame.end:
            child = game.play(load(ws.stack, ply, root), ws.out[frame.next])
            frame.next += 1
            if ws.sees_ends != 0 and game.kind(child) == TERMINAL:
                ws.leaves += 1
                value = terminal_value(game, child, searcher, ply + 1)
            elif ply + 1 == depth:
                ws.leaves += 1
                value = evaluation.value(game, child, searcher, weights)
            else:
                ply += 1
                enter(game, child, searcher, ply, frame.end, ws)
                continue
        else:
            value = frame.best
            if ply == 0:
                break
            ply -= 1
        back_up(ply, value, ws)
    if ws.move < 0:
        ws.move = ws.out[0]
    return value if ws.stop == 0 else ws.frame[0].best
