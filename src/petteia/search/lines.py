"""Policies as agents, and whole games between two of them with every move kept.

Where two policy agents meet, the arena plays the whole game in one native call; its moves are
those that the agents would choose if they were asked for each.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from petteia.compiled import kernel, load, store
from petteia.core.agent import SEQUENTIAL, Agent, Decision, EvaluatingAgent, MoveValue
from petteia.core.evaluation import Evaluation
from petteia.core.game import CHANCE, SLACK, TERMINAL, Game
from petteia.core.policy import Playable, Policy
from petteia.core.words import Words
from petteia.search.chance import dice_unit, nth_word
from petteia.search.duel import can_duel
from petteia.search.playout import drawn_outcome
from petteia.search.policy import value_after
from petteia.search.values import WIN, is_decided

__all__ = ["Line", "LineSeries", "PolicyAgent", "play_line", "series_of"]

_SCRATCH = 64
_MOST_KEPT = 8


def _memory(game: Game) -> Any:
    size = game.max_moves + SLACK
    plies = game.max_plies + 1
    layout = np.dtype(
        [
            ("board", np.uint64, (2, len(game.start()))),
            ("control", np.int64, (4,)),
            ("seeds", np.uint64, (3,)),
            ("state", np.uint64, (1,)),
            ("out", np.int64, (size,)),
            ("prob", np.float64, (size,)),
            ("scratch", np.float64, (_SCRATCH,)),
            ("line", np.int64, (plies,)),
            ("kinds", np.int64, (plies,)),
            ("positions", np.uint64, (plies, len(game.start()))),
            ("result", np.float64, (1,)),
        ]
    )
    return np.zeros(1, layout).view(np.recarray)


class PolicyAgent(EvaluatingAgent):
    """An agent that is a policy with an evaluation and its weights."""

    policy: Policy
    handles = SEQUENTIAL

    def __init__(self, game: Game, evaluation: Evaluation) -> None:
        super().__init__(game)
        self.evaluation = evaluation
        self.weights = evaluation.array
        self._memory = _memory(game)
        self._pick: Callable[[], None] | None = None

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        started = time.perf_counter()
        record = self._memory[0]
        if self._pick is None:
            self._pick = pick_move.bind(
                self.game, self.policy, self.evaluation.tag, self.weights, record
            )
        record["board"][0] = p
        record["seeds"][0] = seed
        self._pick()
        return Decision(int(record["control"][0]), seconds=time.perf_counter() - started)

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        mover = int(self.game.mover(p))
        moves = self.game.legal_moves(p)
        found = []
        for move in moves:
            value = move_value(self.game, self.evaluation.tag, p, move, mover, self.weights)
            if is_decided(value) and self.evaluation.point is not None:
                value = round(value / WIN) * self.evaluation.point
            found.append(MoveValue(move, value, (move,)))
        return sorted(found, key=lambda item: -(item.value or 0.0))

    def prepare(self, p: Words) -> None:
        self.choose(p)

    def playable(self) -> Playable:
        return Playable(self.policy, self.evaluation.tag, self.weights)


@kernel
def pick_move(game: Any, policy: Any, evaluation: Any, w: np.ndarray, memory: Any) -> None:
    """The move at the position in row 0 of the board, into control."""
    p = load(memory.board, 0, game.start())
    memory.control[0] = policy.pick(game, evaluation, p, w, np.int64(memory.seeds[0]), memory)


@kernel
def move_value(
    game: Any, evaluation: Any, p: Words, move: int, player: int, w: np.ndarray
) -> float:
    """The value of one move."""
    return value_after(game, evaluation, p, move, player, w)


@kernel
def play_line(
    game: Any,
    first: Any,
    first_evaluation: Any,
    first_w: np.ndarray,
    second: Any,
    second_evaluation: Any,
    second_w: np.ndarray,
    memory: Any,
) -> None:
    """Plays a game to its end from the position in row 0 of the board.

    The seeds are those of the players and of the dice. The line gets all moves and outcomes, with
    the positions before them; control gets their number, and how many moves each player made.
    Move by move the same as a game in the arena.
    """
    p = load(memory.board, 0, game.start())
    seeds, out, prob, line = memory.seeds, memory.out, memory.prob, memory.line
    plies = int(memory.control[3])
    asked = (0, 0)
    memory.result[0] = 0.0
    while plies < game.max_plies:
        kind = game.kind(p)
        if kind == TERMINAL:
            memory.result[0] = game.result(p)
            break
        if kind == CHANCE:
            end = game.chances(p, out, prob, 0)
            move = out[drawn_outcome(prob, end, dice_unit(seeds[2], plies))]
        elif game.mover(p) == 0:
            move = first.pick(
                game, first_evaluation, p, first_w, np.int64(nth_word(seeds[0], asked[0])), memory
            )
            asked = (asked[0] + 1, asked[1])
        else:
            move = second.pick(
                game, second_evaluation, p, second_w, np.int64(nth_word(seeds[1], asked[1])), memory
            )
            asked = (asked[0], asked[1] + 1)
        line[plies], memory.kinds[plies] = move, kind
        store(memory.positions, plies, p)
        plies += 1
        p = game.play(p, move)
    memory.control[0], memory.control[1], memory.control[2] = plies, asked[0], asked[1]
    store(memory.board, 1, p)


@dataclass(frozen=True)
class Line:
    """A game that was played natively."""

    moves: list[int]
    """All moves and outcomes, those of the opening not included."""
    kinds: list[int]
    """The kind of the position before each of them."""
    positions: list[Words]
    """The position before each of them."""
    result: float
    """The points of player 0; 0 where the game was given up as too long."""
    asked: tuple[int, int]
    """How many moves each player made."""
    seconds: float


class LineSeries:
    """Two policy agents at one table: whole games at native speed, for one thread."""

    def __init__(self, game: Game, first: PolicyAgent, second: PolicyAgent) -> None:
        assert can_duel(game)
        self.game = game
        self.agents = (first, second)
        self._memory = _memory(game)
        record = self._memory[0]
        self._control, self._seeds = memoryview(record["control"]), record["seeds"]
        self._board, self._line, self._result = record["board"], record["line"], record["result"]
        self._positions, self._kinds = record["positions"], record["kinds"]
        self._run: Callable[[], None] | None = None

    def result(self, p: Words, seeds: tuple[int, int], dice: int, played: int = 0) -> float:
        """The points of player 0 of one game; ``played`` plies came before the position."""
        if self._run is None:
            a, b = self.agents
            self._run = play_line.bind(
                self.game, a.policy, a.evaluation.tag, a.weights,
                b.policy, b.evaluation.tag, b.weights, self._memory[0],
            )  # fmt: skip
        self._board[0] = p
        self._control[3] = played
        self._seeds[:] = (*seeds, dice)
        self._run()
        return float(self._result[0])

    def play(self, p: Words, seeds: tuple[int, int], dice: int, played: int = 0) -> Line:
        """One game with all its moves."""
        started = time.perf_counter()
        result = self.result(p, seeds, dice, played)
        end, first, second = self._control[0], self._control[1], self._control[2]
        seconds = time.perf_counter() - started
        positions = [tuple(row) for row in self._positions[played:end]]
        moves, kinds = self._line[played:end].tolist(), self._kinds[played:end].tolist()
        return Line(moves, kinds, positions, result, (first, second), seconds)


_kept = threading.local()


def series_of(game: Game, agents: tuple[Agent, Agent]) -> LineSeries | None:
    """This thread's table for two policy agents; None where a whole game cannot be one call."""
    first, second = agents
    if not (isinstance(first, PolicyAgent) and isinstance(second, PolicyAgent)):
        return None
    if not can_duel(game):
        return None
    table: dict[tuple[int, int, int], LineSeries] = _kept.__dict__.setdefault("table", {})
    key = (id(game), id(first), id(second))
    found = table.get(key)
    if found is None:
        if len(table) >= _MOST_KEPT:
            table.clear()
        found = table[key] = LineSeries(game, first, second)  # keeps them, so that ids stay theirs
    return found
