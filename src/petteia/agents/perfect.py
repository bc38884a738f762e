"""Perfect play in any game that ``petteia solve`` has solved by enumeration."""

from __future__ import annotations

import time
from functools import cached_property

import numpy as np

from petteia.core.agent import Agent, Decision, MoveValue, at_most
from petteia.core.errors import PetteiaError
from petteia.core.game import DECISION, SIMULTANEOUS, Game
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.search.contract import Answer, unvalued
from petteia.search.equilibrium import Equilibrium
from petteia.search.matrix import MatrixSolver
from petteia.search.stepper import first_choice
from petteia.search.values import WIN
from petteia.solve.solved import Known, SolvedTable, preference, solved_path

__all__ = ["Perfect"]


class Perfect(Agent):
    """Looks moves up: the quickest win, the longest defence; of equal moves, as the seed decides.

    Where both choose at the same time it plays an equilibrium.
    """

    name = "perfect"
    about = "a move that keeps the value of the game, by the table that petteia solve makes"
    for_visitors = at_most()

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.table = SolvedTable.of(game)
        # Where every game is won, lost or drawn, values say how far the end is.
        self.in_points = not self.table.has_distances or game.most_points != 1

    @classmethod
    def unable(cls, game: Game) -> str:
        why = super().unable(game)
        if why or solved_path(game).exists():
            return why
        return f"agent perfect has no table of {game}; petteia solve makes it if the game is small"

    @cached_property
    def _solver(self) -> MatrixSolver:
        return MatrixSolver(self.game.max_moves)

    def prepare(self, p: Words) -> None:
        p = first_choice(self.game, p)
        if self.game.kind(p) in (DECISION, SIMULTANEOUS) and self.knows(p):
            self.choose(p)

    def knows(self, p: Words) -> bool:
        return self.table.find(p) is not None

    def worth(self, p: Words) -> float | None:
        known = self.table.find(p)
        return None if known is None else known.points

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        started = time.perf_counter()
        seen, found = self.table.after(p)
        if not found:
            raise PetteiaError(f"nobody is to move at {self.game.text(p)!r}")
        if seen.kind == SIMULTANEOUS:
            answer = self._mixed(p, found, player or 0)
            answer.seconds = time.perf_counter() - started
            return answer.decision(seed)
        wanted = [preference(known, seen.mover) for known in found]
        best = [place for place, each in enumerate(wanted) if each == max(wanted)]
        place = best[derive(seed, "perfect") % len(best)]
        return Decision(
            seen.moves[place], self._worth(found[place], seen.mover), (seen.moves[place],),
            depth=1, interior=1, leaves=len(found), seconds=time.perf_counter() - started,
        )  # fmt: skip

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        seen, found = self.table.after(p)
        if seen.kind == SIMULTANEOUS:
            return super().values(p, seed=seed)  # a move is worth nothing without the other's
        order = sorted(
            range(len(found)), key=lambda place: preference(found[place], seen.mover), reverse=True
        )
        return [
            MoveValue(
                seen.moves[place], self._worth(found[place], seen.mover), (seen.moves[place],)
            )
            for place in order
        ]

    def _worth(self, after: Known, mover: int) -> float:
        """What a move is worth to the mover, by the position that it leads to."""
        points = after.points if mover == 0 else -after.points
        return points if self.in_points else points * (WIN - (after.plies + 1))

    def _mixed(self, p: Words, found: list[Known], player: int) -> Answer:
        """An equilibrium of the matrix of what is known after each pair of moves."""
        moves = [self.game.legal_moves(p, side) for side in (0, 1)]
        payoffs = np.array([known.points for known in found]).reshape(len(moves[0]), -1)
        solved = self._solver.solve(payoffs)
        names = [[self.game.move_text(p, move) for move in each] for each in moves]
        equilibrium = Equilibrium(
            payoffs, (names[0], names[1]), (solved.row, solved.column), solved.value
        )
        strategy = solved.row if player == 0 else solved.column
        return Answer(
            tuple(unvalued(move) for move in moves[player]),
            solved.value if player == 0 else -solved.value,
            depth=1, interior=1, leaves=len(found), strategy=tuple(strategy.tolist()),
            is_certain=True, notes=equilibrium.notes(),
        )  # fmt: skip
