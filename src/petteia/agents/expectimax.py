"""The agent for games with dice: expectiminimax to a fixed depth."""

from __future__ import annotations

from petteia.core.agent import ANY, SEQUENTIAL, Decision, EvaluatingAgent, MoveValue, at_most
from petteia.core.errors import PetteiaError
from petteia.core.evaluations import evaluation_for, weights_for_move
from petteia.core.game import Game
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.search.expectimax import DEEPEST, Expectimax
from petteia.search.stepper import first_choice, stepper_of

__all__ = ["ExpectimaxAgent"]


class ExpectimaxAgent(EvaluatingAgent):
    """Looks a number of moves ahead and averages over the dice."""

    name = "expectimax"
    about = "the best mean over the dice, a fixed number of moves ahead"
    for_visitors = at_most(depth=6, prune=ANY, table=64)
    handles = SEQUENTIAL

    def __init__(
        self,
        game: Game,
        depth: int = 2,
        eval: Spec | None = None,
        prune: str = "star2",
        table: int = 4,
    ) -> None:
        """``prune`` is none, star1 or star2; ``table`` is in megabytes, 0 for none."""
        super().__init__(game)
        if not 1 <= depth <= DEEPEST:
            raise PetteiaError(f"agent {self.name}: depth={depth} is not possible; 1 to {DEEPEST}")
        if not 0 <= table <= 4096:
            raise PetteiaError(
                f"agent {self.name}: table={table} is not possible; 0 to 4096 megabytes"
            )
        self.depth, self.eval, self.prune, self.table = depth, eval, prune, table
        self.evaluation = evaluation_for(game, eval)
        self.in_points = self.evaluation.point == 1.0
        bits = (table * 2**20 // 16).bit_length() - 1 if table else None
        self._search = Expectimax(game, self.evaluation, prune=prune, table_bits=bits)

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        mover = stepper_of(self.game).look(p).mover
        weights = weights_for_move(self.evaluation, seed)
        found = self._search.search(p, self.depth, mover, weights)
        move = found.moves[found.best]
        return Decision(
            move, found.values[found.best], (move,), self.depth, found.interior, found.leaves,
            found.seconds,
        )  # fmt: skip

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        mover = stepper_of(self.game).look(p).mover
        weights = weights_for_move(self.evaluation, seed)
        found = self._search.search(p, self.depth, mover, weights, every=True)
        values = [
            MoveValue(move, value, (move,))
            for move, value in zip(found.moves, found.values, strict=True)
        ]
        return sorted(values, key=lambda each: -(each.value or 0.0))

    def prepare(self, p: Words) -> None:
        self._search.search(first_choice(self.game, p), 1, 0, self.evaluation.array)

    def new_game(self) -> None:
        self._search.new_game()

    def stop(self) -> None:
        self._search.stop()
