"""The agent for games with dice that plays its best moves out many times."""

from __future__ import annotations

import time
from dataclasses import replace

from petteia.core.agent import (
    SEQUENTIAL,
    Agent,
    Decision,
    EvaluatingAgent,
    MoveValue,
    at_most,
)
from petteia.core.errors import PetteiaError
from petteia.core.game import Game, Kind
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.search.contract import ranked
from petteia.search.rollout import RolledOut, Rollout
from petteia.search.stepper import stepper_of

__all__ = ["RolloutAgent"]

_MOST = 1_000_000


class RolloutAgent(Agent):
    """Asks another agent for its best moves and plays each of them out with that agent on both
    sides; the luck of the dice is taken out of the mean."""

    name = "rollout"
    about = "plays its best moves out many times, the luck of the dice taken out"
    for_visitors = at_most(trials=10_000, plies=1000, candidates=50)
    in_points = True
    handles = SEQUENTIAL
    is_for = Kind.CHANCE

    def __init__(
        self,
        game: Game,
        *,
        by: Spec | None = None,
        trials: int = 108,
        plies: int = 10,
        candidates: int = 3,
        luck: bool = True,
    ) -> None:
        """``by`` plays (the game's usual agent), ``plies`` moves or with 0 to the end; ``luck``
        says whether luck is taken out."""
        super().__init__(game)
        self._possible(2, _MOST, trials=trials)
        self._possible(0, _MOST, plies=plies)
        self._possible(1, _MOST, candidates=candidates)
        self.by, self.trials, self.plies = by, trials, plies
        self.candidates, self.luck = candidates, luck
        from petteia import agents  # the list of all agents names this one

        self.player = agents.make(by or agents.usual(game), game)
        playable = self.player.playable()
        if playable is None:
            raise PetteiaError(
                f"agent {self.name}: {self.player} cannot play whole games by itself; "
                "by= takes greedy(eval=...) and agents like it"
            )
        evaluation = playable.evaluation
        if isinstance(self.player, EvaluatingAgent):  # with the weights that it was given
            evaluation = self.player.evaluation
        if (luck or plies) and evaluation.point != 1.0:
            raise PetteiaError(
                f"agent {self.name}: {evaluation.name} does not estimate points, which taking out "
                "luck and stopping early need; luck=false and plies=0 do without"
            )
        self._rollout = Rollout(game, playable, plies=plies, luck=luck)
        self._last: tuple[tuple[Words, int], list[MoveValue], float] | None = None

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        found, seconds = self._found(p, seed)
        best = found[0]
        return Decision(best.move, best.value, (best.move,), self.plies, seconds=seconds)

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        return self._found(p, seed)[0]

    def _found(self, p: Words, seed: int) -> tuple[list[MoveValue], float]:
        """The moves that were played out, the best first, then the others as ``by`` sees them."""
        if self._last is None or self._last[0] != (p, seed):
            started = time.perf_counter()
            seen = self.player.values(p, seed=seed)
            played = self._played_out(p, seen[: self.candidates], seed)
            found = [*played, *seen[self.candidates :]]
            self._last = ((p, seed), found, time.perf_counter() - started)
        return self._last[1], self._last[2]

    def _played_out(self, p: Words, moves: list[MoveValue], seed: int) -> tuple[MoveValue, ...]:
        stepper = stepper_of(self.game)
        mover = stepper.look(p).mover
        after = [stepper.play(p, each.move) for each in moves]
        rolled = self._rollout.run(after, mover, self.trials, seed)
        best = max(rolled, key=lambda each: each.value)
        return ranked(
            replace(each, value=one.value, visits=one.trials, notes=self._notes(one, best))
            for each, one in zip(moves, rolled, strict=True)
        )

    def _notes(self, one: RolledOut, best: RolledOut) -> dict[str, float]:
        behind, error = one.behind(best)
        notes = {"error": one.error, "behind": behind, "behind_error": error}
        if self.luck:
            notes |= {"raw_value": one.raw_value, "raw_error": one.raw_error}
            if one.error > 0.0:
                notes["variance_ratio"] = one.ratio
        return notes

    def remarks(self, p: Words) -> dict[str, object]:
        if not self.plies:
            return {}
        judge = str(self.player)
        return {"stops": {"after_moves": self.plies, "judge": judge, "errors": "of chance alone"}}

    def prepare(self, p: Words) -> None:
        self.player.prepare(p)
        self._rollout.run([p], 0, 2, 0)

    def new_game(self) -> None:
        self._last = None
        self.player.new_game()

    def stop(self) -> None:
        self._rollout.stop()
