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
from petteia.core.game import Game
from petteia.core.policy import Playable, Policy
from petteia.core.words import Words
from petteia.search.contract import ranked
from petteia.search.game_loop import Observer, can_duel, game_memory, opponents_of, play_out
from petteia.search.policy import value_after
from petteia.search.values import WIN, is_decided

__all__ = ["LineSeries", "PlayedLine", "PolicyAgent", "series_of"]

_MOST_KEPT = 8


class PolicyAgent(EvaluatingAgent):
    """An agent that is a policy with an evaluation and its weights."""

    policy: Policy
    handles = SEQUENTIAL
    threads: int | None = None
    """How many its spec asks for, where it can have several; whole games are played by one."""

    def __init__(self, game: Game, evaluation: Evaluation) -> None:
        super().__init__(game)
        self.evaluation = evaluation
        self.weights = evaluation.array
        self._memory = game_memory(game, [("position", np.uint64, (1, len(game.start())))])
        self._pick: Callable[[], None] | None = None

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        started = time.perf_counter()
        record = self._memory[0]
        if self._pick is None:
            self._pick = pick_move.bind(
                self.game, self.policy, self.evaluation.tag, self.weights, record
            )
        record["position"][0] = p
        record["seeds"][0] = seed
        self._pick()
        return Decision(int(record["move"]), seconds=time.perf_counter() - started)

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        mover = int(self.game.mover(p))
        moves = self.game.legal_moves(p)
        found = []
        for move in moves:
            value = move_value(self.game, self.evaluation.tag, p, move, mover, self.weights)
            if is_decided(value) and self.evaluation.point is not None:
                value = round(value / WIN) * self.evaluation.point
            found.append(MoveValue(move, value, (move,)))
        return list(ranked(found))

    def prepare(self, p: Words) -> None:
        self.choose(p)

    def playable(self) -> Playable:
        return Playable(self.policy, self.evaluation.tag, self.weights)


@kernel
def pick_move(game: Any, policy: Any, evaluation: Any, w: np.ndarray, memory: Any) -> None:
    """Writes the move at the position."""
    p = load(memory.position, 0, game.start())
    memory.move = policy.pick(game, evaluation, p, w, np.int64(memory.seeds[0]), memory)


@kernel
def move_value(
    game: Any, evaluation: Any, p: Words, move: int, player: int, w: np.ndarray
) -> float:
    """The value of one move."""
    return value_after(game, evaluation, p, move, player, w)


class LineKept(Observer):
    """Keeps all moves and outcomes, and the positions before them."""

    def step(
        self, game: Any, players: Any, weights: Any, p: Words, after: Words, memory: Any
    ) -> None:
        ply = memory.ply
        memory.moves[ply], memory.kinds[ply] = memory.move, memory.kind
        store(memory.positions, ply, p)


_LINE_KEPT = LineKept()


def _line_memory(game: Game) -> Any:
    plies = game.max_plies + 1
    fields = [
        ("position", np.uint64, (1, len(game.start()))),  # where the game begins
        ("moves", np.int64, (plies,)),
        ("kinds", np.int64, (plies,)),
        ("positions", np.uint64, (plies, len(game.start()))),
    ]
    return game_memory(game, fields)


@kernel
def play_line(
    game: Any, players: Any, first_w: np.ndarray, second_w: np.ndarray, memory: Any
) -> None:
    """Plays a game to its end; move by move the same as a game in the arena."""
    p = load(memory.position, 0, game.start())
    memory.asked[0] = memory.asked[1] = 0
    play_out(game, p, players, (first_w, second_w), _LINE_KEPT, memory)


@dataclass(frozen=True)
class PlayedLine:
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
        self._memory = _line_memory(game)
        self._run: Callable[[], None] | None = None

    def result(self, p: Words, seeds: tuple[int, int], dice: int, played: int = 0) -> float:
        """The points of player 0 of one game; ``played`` plies came before the position."""
        record = self._memory[0]
        if self._run is None:
            first, second = (agent.playable() for agent in self.agents)
            players = opponents_of(first, second)
            self._run = play_line.bind(self.game, players, first.weights, second.weights, record)
        record["position"][0] = p
        record["ply"], record["dice"] = played, dice
        record["seeds"][:] = seeds
        self._run()
        return float(record["result"])

    def play(self, p: Words, seeds: tuple[int, int], dice: int, played: int = 0) -> PlayedLine:
        """One game with all its moves."""
        started = time.perf_counter()
        result = self.result(p, seeds, dice, played)
        seconds = time.perf_counter() - started
        record = self._memory[0]
        these = slice(played, int(record["ply"]))
        positions = [tuple(row) for row in record["positions"][these]]
        moves, kinds = record["moves"][these].tolist(), record["kinds"][these].tolist()
        first, second = record["asked"].tolist()
        return PlayedLine(moves, kinds, positions, result, (first, second), seconds)


_kept = threading.local()


def series_of(game: Game, agents: tuple[Agent, Agent]) -> LineSeries | None:
    """This thread's table for two policy agents; None where a whole game cannot be one call, or
    where an agent is to think with several threads."""
    first, second = agents
    if not (isinstance(first, PolicyAgent) and isinstance(second, PolicyAgent)):
        return None
    if not can_duel(game) or any((agent.threads or 1) > 1 for agent in (first, second)):
        return None
    table: dict[tuple[int, int, int], LineSeries] = _kept.__dict__.setdefault("table", {})
    key = (id(game), id(first), id(second))
    found = table.get(key)
    if found is None:
        if len(table) >= _MOST_KEPT:
            table.clear()
        found = table[key] = LineSeries(game, first, second)  # keeps them, so that ids stay theirs
    return found
