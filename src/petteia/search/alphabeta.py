"""Minimax and alpha-beta to a fixed depth, exactly as textbooks have them.

No table, no ordering beyond the game's own, no extensions: the baselines that course reports
describe, at native speed. The searching player is Max; leaves are evaluated for that player.
The form to read and to compare with is ``search.reference``.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Any

import numpy as np

from petteia.compiled import kernel
from petteia.core.agent import SEQUENTIAL, MoveValue, Offer, at_most
from petteia.core.evaluation import Evaluation
from petteia.core.game import TERMINAL, Game, Kind
from petteia.core.policy import Playable
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.search.contract import Answer, Limits, Question, Search, SearchAgent, ranked
from petteia.search.policy import GREEDY
from petteia.search.stepper import stepper_of
from petteia.search.tree import INFINITY, Window, extend_line
from petteia.search.values import settled_value, terminal_value

__all__ = ["AlphaBeta", "FixedDepthSearch", "Greedy", "Minimax", "leaf"]

DEEPEST = 60


def _layout(game: Game, weights: np.ndarray) -> np.dtype[Any]:
    return np.dtype(
        [
            ("stop", np.int64),  # set from outside
            ("interior", np.int64),
            ("leaves", np.int64),
            ("searcher", np.int64),
            ("prune", np.int64),  # whether what cannot matter is left out
            ("depth", np.int64),  # of the search
            ("played", np.int64),  # plies from the root to where it begins
            ("weights", weights.dtype, (max(1, len(weights)),)),
            ("begins", np.int64, (DEEPEST + 1,)),  # where the moves of a ply begin
            ("line", np.int64, (DEEPEST + 1, DEEPEST + 1)),
            ("moves", np.int64, (DEEPEST * game.max_moves,)),
        ],
        align=True,
    )


class FixedDepthSearch(Search):
    """Minimax, or alpha-beta if ``prune``, of one game with one evaluation."""

    def __init__(self, game: Game, evaluation: Evaluation, *, prune: bool) -> None:
        self.game = game
        self.evaluation = evaluation
        self.ws: Any = np.zeros(1, _layout(game, evaluation.array)).view(np.recarray)[0]
        self.ws["prune"] = int(prune)

    def stop(self) -> None:
        self.ws["stop"] = 1

    def answer(self, question: Question) -> Answer:
        """The first of equal moves is the best."""
        ws = self.ws
        ws["stop"], ws["interior"], ws["leaves"], ws["searcher"] = 0, 0, 0, question.player
        ws["weights"][: len(question.weights)] = question.weights
        depth = question.limits.depth or 1
        if question.every:
            ws["interior"] = 1
            moves = self._every(question.position, depth)
        else:
            value, line = self._value(question.position, depth, played=0)
            moves = (MoveValue(line[0], value, line),) if line else ()
        best = moves[0].value if moves else None
        return Answer(moves, best, depth, int(ws["interior"]), int(ws["leaves"]))

    def _every(self, p: Words, depth: int) -> tuple[MoveValue, ...]:
        """All moves; the value of one that was not finished is unknown."""
        stepper, found = stepper_of(self.game), []
        for move in stepper.look(p).moves:
            value, line = self._value(stepper.play(p, move), depth - 1, played=1)
            found.append(MoveValue(move, None if self.ws["stop"] else value, (move, *line)))
        return ranked(found)

    def value(
        self, p: Words, depth: int, searcher: int, weights: np.ndarray, *, played: int = 0
    ) -> float:
        """The value for the searcher of any position, ``played`` plies from the root."""
        self.ws["searcher"] = searcher
        self.ws["weights"][: len(weights)] = weights
        return self._value(p, depth, played=played)[0]

    def _value(self, p: Words, depth: int, *, played: int) -> tuple[float, tuple[int, ...]]:
        """The value of a position and the best line."""
        ws = self.ws
        ws["depth"], ws["played"] = depth, played
        value = root_value(self.game, self.evaluation.tag, p, ws)
        return value, tuple(takewhile(lambda move: move >= 0, ws["line"][0].tolist()))


@kernel
def leaf(
    game: Any, evaluation: Any, p: Words, searcher: int, ply: int, weights: np.ndarray
) -> float:
    """The value of a position that is not searched further."""
    if game.kind(p) == TERMINAL:
        return terminal_value(game, p, searcher, ply)
    return settled_value(game, evaluation, p, searcher, ply, weights)


@kernel
def root_value(game: Any, evaluation: Any, p: Words, ws: Any) -> float:
    """The value of a position for the searcher; of a search that is stopped, that of the best move
    it has finished. The line stands in the memory."""
    ws.line[0, 0] = -1
    if ws.depth == 0 or game.kind(p) == TERMINAL:
        ws.leaves += 1
        return leaf(game, evaluation, p, ws.searcher, ws.played, ws.weights)
    return alphabeta(game, evaluation, p, (-INFINITY, INFINITY), 0, ws)


def alphabeta(game: Any, evaluation: Any, p: Words, window: Window, ply: int, ws: Any) -> float:
    """Kernel: the value of a decision for the searcher, if it lies inside the window."""
    ws.interior += 1
    alpha, beta = window
    at = ws.begins[ply]
    end = ws.begins[ply + 1] = game.moves(p, ws.moves, at)
    maximise = game.mover(p) == ws.searcher
    best = -INFINITY if maximise else INFINITY
    for i in range(at, end):
        after = game.play(p, ws.moves[i])
        ws.line[ply + 1, 0] = -1
        if ply + 1 == ws.depth or game.kind(after) == TERMINAL:
            ws.leaves += 1
            value = leaf(game, evaluation, after, ws.searcher, ws.played + ply + 1, ws.weights)
        else:
            value = alphabeta(game, evaluation, after, (alpha, beta), ply + 1, ws)
        if ws.stop != 0:  # what is not finished says nothing
            break
        if (value > best) if maximise else (value < best):
            best = value
            extend_line(ws, ply, ws.moves[i])
            if maximise:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if ws.prune != 0 and alpha >= beta:
                break
    return best


class _FixedDepth(SearchAgent):
    """A search to a fixed depth; the first of equal moves is played."""

    handles = frozenset({Kind.DECISION})
    prune = True

    def __init__(self, game: Game, depth: int, eval: Spec | None) -> None:
        super().__init__(game, eval)
        self._possible(1, DEEPEST, depth=depth)
        self.depth = depth
        self.limits = Limits(depth)
        self.search = FixedDepthSearch(game, self.evaluation, prune=self.prune)


class Greedy(_FixedDepth):
    """Plays the move after which the evaluation is highest."""

    name = "greedy"
    about = "the move after which the evaluation is highest"
    for_visitors = at_most()
    offered = Offer(
        beginners={"greedy": "the next position that looks best"}, by_evaluation="greedy(eval=?)"
    )
    handles = SEQUENTIAL  # it evaluates before a throw, and never looks beyond

    def __init__(self, game: Game, eval: Spec | None = None) -> None:
        super().__init__(game, 1, eval)

    def playable(self) -> Playable | None:
        if self.evaluation.is_seeded:
            return None  # noise of its own for every move
        return Playable(GREEDY, self.evaluation.tag, self.evaluation.array)


class Minimax(_FixedDepth):
    """Minimax, every line to the full depth."""

    name = "minimax"
    about = "every line to a fixed depth"
    for_visitors = at_most(depth=10)
    prune = False

    def __init__(self, game: Game, depth: int = 3, eval: Spec | None = None) -> None:
        super().__init__(game, depth, eval)


class AlphaBeta(_FixedDepth):
    """Plain alpha-beta: minimax's value with fewer nodes."""

    name = "alphabeta"
    about = "minimax's value with fewer nodes"
    for_visitors = at_most(depth=20)
    offered = Offer(
        levels={
            "alphabeta(depth=2)": "looks two moves ahead",
            "alphabeta(depth=4)": "looks four moves ahead",
        },
        by_evaluation="alphabeta(depth=4, eval=?)",
    )

    def __init__(self, game: Game, depth: int = 5, eval: Spec | None = None) -> None:
        super().__init__(game, depth, eval)
