"""Search where both players choose at the same time, driven from Python."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from petteia.compiled import kernel
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import DECISION, SIMULTANEOUS, Game
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.search import joint
from petteia.search.clock import deadline_in
from petteia.search.joint_node import HURRY, MAX_SEEN, joint_memory, largest
from petteia.search.matrix import SIMPLEX, Solver, exploitability
from petteia.search.pvs import identity_key
from petteia.search.stepper import stepper_of

__all__ = ["DEEPEST", "JointSearch", "Mixed", "Standing"]

DEEPEST = 6
WIN = 1000.0
"""What a win is worth where strategies are mixed. Far above any evaluation, but not so far that a
risk of one in a thousand outweighs everything else."""


@dataclass(frozen=True)
class Mixed:
    """A choice of one player: a mixed strategy where both choose, the best move where it alone
    does."""

    moves: tuple[int, ...]
    """The player's moves."""
    strategy: np.ndarray
    """The probability of each."""
    values: np.ndarray | None
    """What each is worth to the player against what the enemy is expected to do, where known."""
    value: float
    """What the position is worth to the player."""
    depth: int
    interior: int
    leaves: int
    seconds: float

    def drawn(self, seed: int) -> int:
        """The move that a seed chooses from the strategy."""
        point = derive(seed, "mixed") / 2**63
        for move, chance in zip(self.moves, self.strategy, strict=True):
            point -= chance
            if point < 0:
                return move
        return self.moves[int(np.argmax(self.strategy))]


@kernel
def key_of_position(game: Any, p: Words) -> Any:
    """The key by which kernels know a position again."""
    return identity_key(game, p)


class Standing:
    """How often positions stood in the line of a game, counted on as the line grows."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._line: list[Words] = []
        self._times: Counter[int] = Counter()

    def drawn_keys(self, p: Words, earlier: Sequence[Words], guard: int) -> list[int]:
        """The keys, sorted, of the positions that stood at least ``guard`` times: they come no
        more but as a draw."""
        if not (earlier and self._game.repetitions):
            return []
        line, known = [*earlier, p], self._line
        if line[: len(known)] != known:  # another line, or one that was taken back
            known = []
            self._times.clear()
        for q in line[len(known) :]:
            self._times[int(key_of_position(self._game, q))] += 1
        self._line = line
        return sorted(key for key, count in self._times.items() if count >= guard)[:MAX_SEEN]


class JointSearch:
    """Searches of one game with one evaluation, and their memory."""

    def __init__(
        self,
        game: Game,
        evaluation: Evaluation,
        *,
        deepest: int = 1,
        win: float | None = None,
        bounded: bool = False,
        ordered: bool = True,
        guard: int = 0,
        contempt: float = 0.0,
    ) -> None:
        """``bounded`` bounds cells by serial searches before it solves them; ``ordered`` tries
        first the answer that refuted the last move. A point at the end is worth ``win``, by default
        what the evaluation says or ``WIN``. A position that stood ``guard`` times counts
        as drawn when it comes again; by default as often as the rules say. Such a draw is worth
        ``-contempt`` to the player who searches."""
        if not 1 <= deepest <= DEEPEST:
            raise PetteiaError(f"a depth of {deepest} turns is not possible; 1 to {DEEPEST}")
        self.game = game
        self.evaluation = evaluation
        self.deepest = deepest
        self.guard = guard or max(1, game.repetitions - 1)
        self.contempt = contempt
        # The same layout for every depth, so that kernels are compiled once for all of them; the
        # system gives memory only to the levels that are used.
        layout = joint_memory(game.max_moves, DEEPEST + 1, len(evaluation.weights))
        self._memory = np.zeros(1, layout).view(np.recarray)
        self.ws: Any = self._memory[0]
        self.win = win = win or evaluation.point or WIN
        self.ws["win"], self.ws["close"] = win, win / 1e9
        self.ws["hurry"] = 0.0 if evaluation.point else HURRY
        self.ws["top"] = largest(game.most_points, win)
        self.ws["bounded"], self.ws["ordered"] = int(bounded), int(ordered)
        self.solver = Solver(game.max_moves)
        self._standing = Standing(game)

    def prepare(self, p: Words) -> None:
        """Compiles what only the later turns of a game need."""
        if self.game.repetitions:
            key_of_position(self.game, p)

    def stop(self) -> None:
        """Ends a running search soon. Any thread may call it."""
        self.ws["stop"] = 1

    def moves(self, p: Words, player: int) -> list[int]:
        """The moves of a player where both choose, or where it alone does."""
        seen = stepper_of(self.game).look(p)
        if seen.kind == DECISION and seen.mover == player:
            return seen.moves
        if seen.kind != SIMULTANEOUS:
            raise PetteiaError(f"nobody chooses at {self.game.text(p)!r}")
        return seen.others if player else seen.moves

    def decides_alone(self, p: Words) -> bool:
        """Whether one player moves here while the other waits."""
        return stepper_of(self.game).look(p).kind == DECISION

    def _begin(
        self, p: Words, searcher: int, weights: np.ndarray, seconds: float | None,
        earlier: Sequence[Words],
    ) -> float:  # fmt: skip
        ws = self.ws
        ws["stop"] = ws["interior"] = ws["leaves"] = 0
        ws["thrown"] = ws["no_room"] = 0
        ws["beyond"] = 0.0
        ws["searcher"] = searcher
        # Nothing is left of the last search: the same question has the same answer.
        ws["killer"], ws["guess"] = 0, -1
        ws["draw"] = -self.contempt if searcher == 0 else self.contempt
        ws["deadline"] = deadline_in(seconds)
        ws["weights"][: len(weights)] = weights
        keys = self._standing.drawn_keys(p, earlier, self.guard)
        ws["keys"][: len(keys)] = keys
        ws["seen"] = len(keys)
        ws["root_counts"] = 0
        return time.perf_counter()

    def _counts(self, started: float) -> tuple[int, int, float]:
        self.refuse_nonsense()
        seconds = time.perf_counter() - started
        return int(self.ws["interior"]), int(self.ws["leaves"]), seconds

    def refuse_nonsense(self) -> None:
        """A search that met what cannot be says so, instead of giving a value."""
        game, top = self.game.spec.name, float(self.ws["top"])
        if self.ws["no_room"]:
            raise PetteiaError(f"{game}: throws of the dice follow one another without an end")
        if self.ws["beyond"]:
            value, win = float(self.ws["beyond"]), float(self.ws["win"])
            raise PetteiaError(
                f"{game}: a value of {value:g} was met, where none may be beyond {top:g}: a point "
                f"at the end is worth {win:g}, and most_points is {self.game.most_points:g}"
            )

    def _alone(
        self, p: Words, depth: int, player: int, weights: np.ndarray, seconds: float | None,
        earlier: Sequence[Words], value_of: Callable[[Words], float],
    ) -> Mixed:  # fmt: skip
        """The best move where a player decides alone, the first of equals; ``value_of`` is what a
        search one turn less deep says of the position after a move, for player 0."""
        started = self._begin(p, player, weights, seconds, earlier)
        self.ws["interior"] = 1
        moves = self.moves(p, player)
        values = np.full(len(moves), -np.inf)
        for place, move in enumerate(moves):
            value = value_of(stepper_of(self.game).play(p, move))
            if self.ws["stop"] and place > 0:
                break
            values[place] = value if player == 0 else -value
        strategy = np.zeros(len(moves))
        best = int(np.argmax(values))
        strategy[best] = 1.0
        return Mixed(
            tuple(moves), strategy, values, float(values[best]), depth, *self._counts(started)
        )

    def value(
        self, p: Words, depth: int, weights: np.ndarray, *, searcher: int = 0,
        earlier: Sequence[Words] = (),
    ) -> float:  # fmt: skip
        """What any position is worth to player 0 when both play an equilibrium for so many turns,
        for instance before the dice are thrown."""
        started = self._begin(p, searcher, weights, None, earlier)
        value = joint.root_equilibrium(
            self.game, self.evaluation.tag, p, depth, 0, self.ws, self.solver.memory
        )
        self._counts(started)
        return float(value)

    def matrix(
        self,
        p: Words,
        depth: int,
        searcher: int,
        weights: np.ndarray,
        earlier: Sequence[Words] = (),
    ) -> tuple[list[int], list[int], np.ndarray]:
        """Player 0's moves, player 1's moves, and the value of each pair for player 0."""
        self._begin(p, searcher, weights, None, earlier)
        rows, columns = self.moves(p, 0), self.moves(p, 1)
        game, tag, ws = self.game, self.evaluation.tag, self.ws
        flat = np.zeros(len(rows) * len(columns))
        if depth == 1:
            joint.fill(game, tag, p, flat, np.array(rows), np.array(columns), ws)
        else:
            for place in range(len(flat)):
                first, second = divmod(place, len(columns))
                after = game.play_both(p, rows[first], columns[second])
                flat[place] = joint.root_equilibrium(
                    game, tag, after, depth - 1, 1, ws, self.solver.memory
                )
        self.refuse_nonsense()
        return rows, columns, flat.reshape(len(rows), len(columns))

    def nash(
        self,
        p: Words,
        depth: int,
        player: int,
        weights: np.ndarray,
        *,
        seconds: float | None = None,
        earlier: Sequence[Words] = (),
        width: int = 0,
    ) -> Mixed:
        """An equilibrium strategy of a player. The matrix is filled only where the double oracle
        looks: at depth 1 a seventh of it. With a ``width`` each side has only so many moves at the
        root of a deeper search: those that are best one turn deep against the equilibrium. A player
        who decides alone gets its best move."""
        if self.decides_alone(p):
            tag, solver = self.evaluation.tag, self.solver.memory
            return self._alone(
                p, depth, player, weights, seconds, earlier,
                lambda q: joint.root_equilibrium(
                    self.game, tag, q, depth - 1, 1, self.ws, solver
                ),
            )  # fmt: skip
        narrowed = None
        if width and depth > 1:
            begun = time.perf_counter()
            narrowed = self._narrowed(p, width, player, weights, earlier)
            seconds = None if seconds is None else seconds - (time.perf_counter() - begun)
        started = self._begin(p, player, weights, seconds, earlier)
        own = self.moves(p, player)
        if narrowed is not None:
            self.ws["root_counts"] = [len(moves) for moves in narrowed]
            both = [*narrowed[0], *narrowed[1]]
            self.ws["root_moves"][: len(both)] = both
            own = narrowed[player]
        value = joint.root_equilibrium(
            self.game, self.evaluation.tag, p, depth, 0, self.ws, self.solver.memory
        )
        field = "x" if player == 0 else "y"
        strategy = np.array(self.ws[field][depth][: len(own)])
        total = strategy.sum()
        strategy = strategy / total if total > 0 else np.full(len(own), 1 / len(own))
        return Mixed(
            tuple(own), strategy, None, float(value if player == 0 else -value), depth,
            *self._counts(started),
        )  # fmt: skip

    def _narrowed(
        self, p: Words, width: int, searcher: int, weights: np.ndarray, earlier: Sequence[Words]
    ) -> tuple[list[int], list[int]]:
        rows, columns, matrix = self.matrix(p, 1, searcher, weights, earlier)
        solved = self.solver.solve(matrix)
        # Plain sums: a library for matrices would take tens of megabytes for its threads.
        best = np.argsort(-(matrix * solved.column).sum(axis=1), kind="stable")[:width]
        worst = np.argsort((matrix.T * solved.row).sum(axis=1), kind="stable")[:width]
        return [rows[k] for k in best], [columns[k] for k in worst]

    def paranoid(
        self,
        p: Words,
        depth: int,
        player: int,
        weights: np.ndarray,
        seed: int,
        *,
        seconds: float | None = None,
        earlier: Sequence[Words] = (),
    ) -> Mixed:
        """The best move if the enemy sees every move before it answers; of equals the first in an
        order that the seed decides."""
        return self._ranked(p, depth, player, weights, seed, seconds, earlier, None)

    def hopeful(
        self,
        p: Words,
        depth: int,
        player: int,
        weights: np.ndarray,
        seed: int,
        *,
        mode: int,
        seconds: float | None = None,
        earlier: Sequence[Words] = (),
    ) -> Mixed:
        """The best move if the enemy answers as one would wish (``joint.BEST``), or at random
        (``joint.MEAN``)."""
        return self._ranked(p, depth, player, weights, seed, seconds, earlier, mode)

    def _ranked(
        self, p: Words, depth: int, player: int, weights: np.ndarray, seed: int,
        seconds: float | None, earlier: Sequence[Words], mode: int | None,
    ) -> Mixed:  # fmt: skip
        if self.decides_alone(p):
            game, tag, ws = self.game, self.evaluation.tag, self.ws
            if mode is None:
                return self._alone(
                    p, depth, player, weights, seconds, earlier,
                    lambda q: joint.value_serial(game, tag, q, depth - 1, 1, player, ws),
                )  # fmt: skip
            return self._alone(
                p, depth, player, weights, seconds, earlier,
                lambda q: joint.value_hopeful(game, tag, q, depth - 1, 1, mode, ws),
            )  # fmt: skip
        started = self._begin(p, player, weights, seconds, earlier)
        rng = np.random.default_rng(derive(seed, "order"))
        order = rng.permutation(np.array(self.moves(p, player), np.int64))
        values = np.full(len(order), -np.inf)
        game, tag = self.game, self.evaluation.tag
        if mode is None:
            best = joint.root_serial(game, tag, p, depth, player, order, values, self.ws)
        else:
            best = joint.root_hopeful(game, tag, p, depth, mode, order, values, self.ws)
        strategy = np.zeros(len(order))
        strategy[int(np.argmax(values))] = 1.0
        return Mixed(
            tuple(order.tolist()), strategy, values, float(best), depth, *self._counts(started)
        )

    def exploited(
        self,
        p: Words,
        given: Mixed,
        depth: int,
        player: int,
        weights: np.ndarray,
        *,
        earlier: Sequence[Words] = (),
    ) -> float:
        """How much less than the value of the position a player's strategy is sure of: what the
        best answer gains, for values of a search to this depth."""
        value = self.nash(p, depth, player, weights, earlier=earlier).value
        enemy = np.array(self.moves(p, 1 - player), np.int64)
        game, tag, ws = self.game, self.evaluation.tag, self.ws
        sure, row = np.zeros(len(enemy)), np.zeros(len(enemy))
        for move, chance in zip(given.moves, given.strategy, strict=True):
            if chance <= 0:
                continue
            alone = np.array([move], np.int64)
            rows, columns = (alone, enemy) if player == 0 else (enemy, alone)
            if depth == 1:
                joint.fill(game, tag, p, row, rows, columns, ws)
            else:
                for place, (first, second) in enumerate(product(rows, columns)):
                    after = game.play_both(p, int(first), int(second))
                    row[place] = joint.root_equilibrium(
                        game, tag, after, depth - 1, 1, ws, self.solver.memory
                    )
            sure += chance * row
        return value - float(sure.min() if player == 0 else -sure.max())

    def analysis(
        self,
        p: Words,
        depth: int,
        weights: np.ndarray,
        earlier: Sequence[Words] = (),
        own: Mixed | None = None,
    ) -> dict[str, Any]:
        """The matrix of a position with an equilibrium, its value and how far it is from exact.

        ``own`` is player 0's part of it, where that is known."""
        rows, columns, matrix = self.matrix(p, depth, 0, weights, earlier)
        found = self.solver.solve(matrix, SIMPLEX)
        row = found.row
        if own is not None:
            chances = dict(zip(own.moves, own.strategy, strict=True))
            row = np.array([chances.get(move, 0.0) for move in rows])
        return {
            "row_actions": [self.game.move_text(p, move) for move in rows],
            "column_actions": [self.game.move_text(p, move) for move in columns],
            "matrix": matrix.tolist(),
            "row_strategy": row.tolist(),
            "column_strategy": found.column.tolist(),
            "value": found.value,
            "exploitability": exploitability(matrix, row, found.column),
        }
