"""The perfect player of races in which both sides are home: tables instead of estimates."""

from __future__ import annotations

import time
from typing import cast

from petteia.core import spec as specs
from petteia.core.agent import Agent, Decision, MoveValue, at_most
from petteia.core.errors import PetteiaError, one_of
from petteia.core.game import Game
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.games.backgammon.evaluations.cube import (
    THEIRS,
    Chances,
    Ways,
    before_game,
    efficiency,
    facts,
    modelled_ways,
    named,
    owner_for,
    value_by_phase,
)
from petteia.games.backgammon.rules import BackgammonRules
from petteia.games.backgammon.rules.board import checkers as checkers_of
from petteia.games.backgammon.rules.state import OPENING, OVER, PLAY, TAKE, parts_of
from petteia.games.backgammon.solution import bearoff
from petteia.search.contract import ranked
from petteia.search.stepper import stepper_of

__all__ = ["PerfectAgent"]


class PerfectAgent(Agent):
    """Exact where both sides are home with few checkers, in games for points with the cube too;
    nearly exact with more; before that another agent plays."""

    name = "perfect"
    about = "bears off by the tables that petteia solve makes; before that another agent plays"
    for_visitors = at_most(checkers=10)
    in_points = True

    def __init__(self, game: Game, otherwise: Spec | None = None, checkers: int = 6) -> None:
        """``otherwise`` plays before both sides are home; ``checkers`` names the table."""
        super().__init__(game)
        self.rules = cast(BackgammonRules, game)
        if self.rules.course:
            raise PetteiaError("agent perfect: its tables are of the official rules")
        self.otherwise, self.checkers = otherwise, checkers
        # The tables have games for points; scores of a match and beavers are left to the model.
        self._is_modelled = bool(self.rules.match or self.rules.beaver)
        self._exact = bearoff.BearOffSolver(2, checkers).table()
        self._other = self._named(otherwise or specs.parse(game.default_agent))

    def _named(self, spec: Spec) -> Agent:
        """One of the game's own agents."""
        known = {name: kind for name, kind in self.game.agents.items() if name != self.name}
        if spec.name not in known:
            raise one_of(spec.name, known, what="agent of backgammon")
        found: Agent = specs.build(known[spec.name], spec, what="agent", game=self.game)
        return found

    def knows(self, p: Words) -> bool:
        if parts_of(p[4])["phase"] in (OPENING, OVER) or self._is_modelled:
            return False
        return bearoff.is_bear_off(p) and self._is_known(p)

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        if not bearoff.is_bear_off(p):
            return self._other.choose(p, seed=seed, player=player)
        started = time.perf_counter()
        found = self.values(p, seed=seed)
        best = found[0]
        return Decision(
            best.move, best.value, (best.move,), 1, 1, len(found), time.perf_counter() - started
        )

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        if not bearoff.is_bear_off(p):
            return self._other.values(p, seed=seed)
        look, stepper = stepper_of(self.game).look(p), stepper_of(self.game)
        found = [
            MoveValue(move, self._value(stepper.play(p, move), look.mover), (move,))
            for move in look.moves
        ]
        return list(ranked(found))

    def remarks(self, p: Words) -> dict[str, object]:
        """The chances, and what the cube is worth by the same tables."""
        parts = parts_of(p[4])
        if parts["phase"] in (OPENING, OVER) or not bearoff.is_bear_off(p):
            return dict(self._other.remarks(p))
        roller = 1 - parts["mover"] if parts["phase"] == TAKE else parts["mover"]
        found, known = self._chances(p, roller)
        said: dict[str, object] = {"chances": named(found), "exact": known}
        if parts["phase"] != PLAY:
            said |= facts(self.rules, p, roller, self._ways(p, roller, parts), found)
        return said

    def _chances(self, p: Words, roller: int) -> tuple[Chances, bool]:
        """The chances of the player on roll, and whether they are exact."""
        if not self._is_known(p):
            return bearoff.chances_of(p, roller), False
        return (float(self._exact[0][bearoff.numbers(p, roller)]), 0.0, 0.0, 0.0, 0.0), True

    def _is_known(self, p: Words) -> bool:
        return max(int(checkers_of(p[0], p[1])), int(checkers_of(p[2], p[3]))) <= self.checkers

    def _value(self, p: Words, player: int) -> float:
        """The points that a player can expect."""
        parts = parts_of(p[4])
        if parts["phase"] == OVER:
            points = float(self.game.result(p))
            return points if player == 0 else -points
        if parts["phase"] == OPENING:
            return float(before_game(self.game, p, player))
        roller = 1 - parts["mover"] if parts["phase"] == TAKE else parts["mover"]
        value = value_by_phase(parts["phase"], self._ways(p, roller, parts))
        return float(value if player == roller else -value)

    def _ways(self, p: Words, roller: int, parts: dict[str, int]) -> Ways:
        """What the cube is worth: exactly where the tables have games for points with it."""
        if not self.rules.cube or self._is_modelled or not self._is_known(p):
            found, _ = self._chances(p, roller)
            return modelled_ways(self.game, p, roller, efficiency(p, roller), found)
        at, points = bearoff.numbers(p, roller), 1 << parts["level"]
        thrown = float(self._exact[1 + int(owner_for(p, roller))][at])
        doubled = 2.0 * float(self._exact[1 + THEIRS][at])
        return Ways(points * thrown, points * doubled, float(points))

    def new_game(self) -> None:
        self._other.new_game()

    def stop(self) -> None:
        self._other.stop()
