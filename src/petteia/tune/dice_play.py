"""Games with dice against oneself: the greedy player with some random moves, at native speed."""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import kernel, store
from petteia.core.evaluation import Evaluation
from petteia.core.game import DECISION, Game
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.search.game_loop import (
    EXPLORING_FIELDS,
    Observer,
    exploring_of,
    game_memory,
    play_out,
)
from petteia.search.policy import GREEDY
from petteia.search.rollout import best_points, points_of
from petteia.tune.hindsight import Seen

__all__ = ["DicePlay"]


class AllSeen(Observer):
    """Keeps every position and, where the evaluation speaks in points, what it is worth by a look
    at the next throw or move."""

    def begin(self, memory: Any) -> None:
        memory.count = 0

    def throw(self, game: Any, players: Any, weights: Any, p: Words, memory: Any) -> None:
        if memory.knows == 0:
            return
        mean = 0.0
        for i in range(memory.outcomes):
            q = game.play(p, memory.out[i])
            value = best_points(game, players.chooser.evaluation, q, weights, memory)
            mean += memory.prob[i] * value
            if i == memory.fell:
                memory.foreseen[memory.count] = value
        memory.value[memory.count] = mean

    def step(
        self, game: Any, players: Any, weights: Any, p: Words, after: Words, memory: Any
    ) -> None:
        row = memory.count
        if memory.kind == DECISION and memory.knows != 0:
            evaluation = players.chooser.evaluation
            memory.outcomes = 0
            memory.value[row] = best_points(game, evaluation, p, weights, memory)
            memory.foreseen[row] = points_of(game, evaluation, after, 0, weights)
        memory.kinds[row] = memory.kind
        store(memory.positions, row, p)
        memory.count += 1


_ALL_SEEN = AllSeen()


@kernel
def one_game(game: Any, players: Any, weights: np.ndarray, memory: Any) -> None:
    """Plays a game from the start."""
    play_out(game, game.start(), players, weights, _ALL_SEEN, memory)


class DicePlay:
    """An evaluation that plays itself. One that says nothing plays at random."""

    def __init__(self, game: Game, evaluation: Evaluation) -> None:
        self.game = game
        self.evaluation = evaluation
        self._weights = evaluation.array.copy()
        self._players = exploring_of(GREEDY, evaluation.tag)
        rows = game.max_plies + 1
        fields = [
            *EXPLORING_FIELDS,
            ("player", np.int64),  # for whom values speak
            ("knows", np.int64),  # whether values are points
            ("count", np.int64),  # of rows so far
            ("kinds", np.int64, (rows,)),
            ("value", np.float64, (rows,)),
            ("foreseen", np.float64, (rows,)),
            ("positions", np.uint64, (rows, len(game.start()))),
        ]
        self._memory = game_memory(game, fields)
        self._memory[0]["knows"] = evaluation.point == 1.0

    def play(self, epsilon: float, seed: int) -> Seen:
        """A game in which so many moves are random."""
        memory = self._memory[0]
        memory["ply"], memory["dice"] = 0, derive(seed, "dice")
        memory["whims"][0] = derive(seed, "whims")
        memory["epsilon"] = 1.0 if self.evaluation.says_nothing else epsilon
        one_game(self.game, self._players, self._weights, memory)
        count = int(memory["count"])
        kinds, positions, value, foreseen = (
            np.array(memory[name][:count]) for name in ("kinds", "positions", "value", "foreseen")
        )
        if not memory["knows"]:
            value[:] = foreseen[:] = np.nan
        strayed = (kinds == DECISION) & (value != foreseen)
        return Seen(positions, kinds, value, foreseen, strayed, float(memory["result"]))
