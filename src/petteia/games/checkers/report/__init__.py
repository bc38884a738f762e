"""The report's player: depth-8 alpha-beta, every piece of which can be switched off."""

from __future__ import annotations

import time
from itertools import takewhile
from typing import Any

import numpy as np

from petteia.core.agent import ANY, Decision, EvaluatingAgent, MoveValue, at_most
from petteia.core.errors import PetteiaError, one_of
from petteia.core.game import Game
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.games.checkers.report import search
from petteia.search.contract import ranked
from petteia.search.evaluations import evaluation_for
from petteia.search.stepper import stepper_of

__all__ = ["ReportAgent"]

_CACHES = {
    "none": search.NONE,
    "printed": search.PRINTED,
    "inclusive": search.INCLUSIVE,
    "window": search.WINDOW,
    "corrected": search.CORRECTED,
}
_PICKINGS = {"heap": search.HEAP, "sort": search.SORT, "best": search.BEST}


class ReportAgent(EvaluatingAgent):
    """The player of the course report."""

    name = "report"
    about = "the course report's alpha-beta with its cache, heuristic and node ordering"
    for_visitors = at_most(
        depth=12,
        cache=ANY,
        picking=ANY,
        captured=10**6,
        centre=10**6,
        home=10**6,
        crown=10**6,
        far=10**6,
    )

    def __init__(
        self,
        game: Game,
        *,  # as a spec names them; the study switches each piece off by itself
        depth: int = 8,
        eval: Spec | None = None,
        cache: str = "printed",  # or inclusive, window, corrected, none
        equal_depth: bool = False,  # only saved values of the same depth are used
        ordering: bool = True,  # else moves come as generated
        picking: str = "heap",  # or sort, best
        jumps_first: bool = True,  # else quiet moves are generated for nothing
        flat_wins: bool = False,  # a slow win is worth as much as a quick one
        captured: int = 2,  # this and the rest: the ordering's points
        centre: int = 21,
        home: int = 2,
        crown: int = 3,
        far: int = 2,
    ) -> None:
        super().__init__(game)
        if not 1 <= depth <= search.DEEPEST:
            raise PetteiaError(
                f"agent report: depth={depth} is not possible; 1 to {search.DEEPEST}"
            )
        if cache not in _CACHES:
            raise one_of(cache, _CACHES, what="cache of agent report")
        if picking not in _PICKINGS:
            raise one_of(picking, _PICKINGS, what="picking of agent report")
        self.depth, self.eval, self.cache, self.equal_depth = depth, eval, cache, equal_depth
        self.ordering, self.picking, self.jumps_first = ordering, picking, jumps_first
        self.flat_wins = flat_wins
        self.captured, self.centre, self.home, self.crown, self.far = (
            captured, centre, home, crown, far,
        )  # fmt: skip
        self.evaluation = evaluation_for(game, eval, default="report")
        if len(self.evaluation.weights) > search.MOST_WEIGHTS:
            raise PetteiaError(
                f"agent report: evaluation {self.evaluation.name} has "
                f"{len(self.evaluation.weights)} weights; at most {search.MOST_WEIGHTS}"
            )
        self._memory = np.zeros(1, search.WORKSPACE).view(np.recarray)
        ws: Any = self._memory[0]
        self._ws = ws
        ws["depth"], ws["cache"], ws["equal_depth"] = depth, _CACHES[cache], int(equal_depth)
        ws["picking"] = _PICKINGS[picking] if ordering else search.UNSORTED
        ws["jumps_first"], ws["flat"] = int(jumps_first), int(flat_wins)
        ws["points"] = captured, centre, home, crown, far
        weights = self.evaluation.array
        ws["weights"][: len(weights)] = weights

    def _run(self, p: Words, depth: int = 0) -> float:
        """The value for Red of a position this many plies below the root, with an empty cache."""
        ws = self._ws
        ws["age"] += 1
        ws["interior"] = ws["leaves"] = ws["hits"] = ws["saved"] = 0
        return search.root(self.game, self.evaluation.tag, p, depth, ws)

    def _line(self, depth: int = 0) -> tuple[int, ...]:
        return tuple(takewhile(lambda move: move >= 0, self._ws["line"][depth].tolist()))

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        started = time.perf_counter()
        self._ws["stop"] = 0
        value = self._run(p)
        line = self._line()
        if not line:  # stopped before the first move had a value
            line = (stepper_of(self.game).look(p).moves[0],)
        ws = self._ws
        return Decision(
            line[0], self._for_mover(p, value), line, self.depth, int(ws["interior"]),
            int(ws["leaves"]), time.perf_counter() - started,
            {"cache_hits": int(ws["hits"]), "cached": int(ws["saved"])},
        )  # fmt: skip

    def _for_mover(self, p: Words, value: float) -> float:
        return value if stepper_of(self.game).look(p).mover == 1 else -value

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        self._ws["stop"] = 0
        found = []
        for move in stepper_of(self.game).look(p).moves:
            value = self._run(stepper_of(self.game).play(p, move), 1)
            found.append(MoveValue(move, self._for_mover(p, value), (move, *self._line(1))))
        return list(ranked(found))

    def prepare(self, p: Words) -> None:
        depth, self._ws["depth"] = self._ws["depth"], 1
        self._run(p)
        self._ws["depth"] = depth

    def stop(self) -> None:
        self._ws["stop"] = 1
