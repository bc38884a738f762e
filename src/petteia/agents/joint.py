"""Agents for games in which both players choose at the same time."""

from __future__ import annotations

import time as clock
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from petteia.core.agent import ANY, Agent, Decision, EvaluatingAgent, MoveValue, Offer, at_most
from petteia.core.errors import PetteiaError
from petteia.core.evaluations import EVEN, evaluation_for, weights_for_move
from petteia.core.game import Game, Kind
from petteia.core.history import Line
from petteia.core.seeds import derive
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.search import joint
from petteia.search.joint_mcts import JointMonteCarlo
from petteia.search.joint_search import DEEPEST, JointSearch, Mixed
from petteia.search.matrix import soft_answer
from petteia.search.stepper import first_choice, stepper_of

__all__ = [
    "JointAgent", "JointMctsAgent", "MeanAgent", "NashAgent", "OptimisticAgent", "ParanoidAgent",
    "QuantalAgent", "Responder", "expected",
]  # fmt: skip

_SAMPLES = 6
_SIMULATIONS = 5000
_ENOUGH = 5000
"""A search that looks as deep as is cheap goes no deeper after so many positions."""


class JointAgent(EvaluatingAgent):
    """An agent with a mixed strategy where both choose, and a best move where one decides alone."""

    is_for = Kind.SIMULTANEOUS
    seeded = True
    """Whether the strategy depends on the seed, and not only the move drawn from it."""
    equilibrium = False
    """Whether the strategy is one of an equilibrium."""

    def __init__(
        self, game: Game, deepest: int, eval: Spec | None, time: float | None, **settings: Any
    ) -> None:
        super().__init__(game)
        if time is not None and not time > 0:
            raise PetteiaError(f"agent {self.name}: time={time} is not possible; above 0")
        self.deepest, self.eval, self.time = deepest, eval, time
        self.evaluation = evaluation_for(game, eval)
        # Without an evaluation only the end counts, and values are points.
        win = 1.0 if self.evaluation is EVEN else None
        self.in_points = win is not None or self.evaluation.point == 1.0
        self.search = JointSearch(game, self.evaluation, deepest=deepest, win=win, **settings)
        self._line: Line | None = None

    def strategy(self, p: Words, player: int, seed: int = 0) -> Mixed:
        """How it plays here as this player; the seed breaks ties."""
        if self.search.decides_alone(p):
            return self.alone(p, player, seed)
        return self.mixed(p, player, seed)

    @abstractmethod
    def mixed(self, p: Words, player: int, seed: int) -> Mixed:
        """Its strategy where both choose."""

    def alone(self, p: Words, player: int, seed: int) -> Mixed:
        """Its best move where the player decides alone, both playing an equilibrium later."""
        weights = weights_for_move(self.evaluation, seed)
        return self.search.nash(p, self.deepest, player, weights, earlier=self.earlier(p))

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        """Without a player both sides are looked at where both choose: player 0's move, and the
        matrix in notes."""
        started = clock.perf_counter()
        if self.search.decides_alone(p):
            player = stepper_of(self.game).look(p).mover
        found = self.strategy(p, player or 0, seed)
        notes = self.notes(p, seed, found) if player is None else None
        return Decision(
            found.drawn(seed), found.value, (), found.depth, found.interior, found.leaves,
            clock.perf_counter() - started, notes,
        )  # fmt: skip

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        if not self.search.decides_alone(p):
            return super().values(p, seed=seed)
        found = self.strategy(p, stepper_of(self.game).look(p).mover, seed)
        worth = found.values if found.values is not None else [None] * len(found.moves)
        values = [
            MoveValue(move, None if value is None else float(value), (move,))
            for move, value in zip(found.moves, worth, strict=True)
        ]
        return sorted(values, key=lambda each: -(each.value or 0.0))

    def notes(self, p: Words, seed: int, found: Mixed) -> dict[str, Any]:
        """The matrix, an equilibrium, its value and its exploitability."""
        weights = weights_for_move(self.evaluation, seed)
        # Of several equilibria the one that the agent plays, if it plays one.
        own = found if self.equilibrium else None
        depth = found.depth or self.deepest
        return self.search.analysis(p, depth, weights, self.earlier(p), own)

    def follow(self, line: Line) -> None:
        self._line = line

    def earlier(self, p: Words) -> Sequence[Words]:
        """The positions before this one, as far as anybody told."""
        line = self._line
        return line.earlier if line is not None and line.positions[-1:] == [p] else ()

    def prepare(self, p: Words) -> None:
        p = first_choice(self.game, p)
        self.search.prepare(p)
        limit, self.time = self.time, 1e-3
        self.strategy(p, stepper_of(self.game).look(p).mover)
        self.time = limit

    def new_game(self) -> None:
        self._line = None

    def stop(self) -> None:
        self.search.stop()


class NashAgent(JointAgent):
    """Plays an equilibrium of the matrix of what a search to a depth finds."""

    name = "nash"
    about = "an equilibrium of the matrix game, by backward induction; depth in turns"
    for_visitors = at_most(depth=4, time=10, guard=100, contempt=ANY, width=1000)
    offered = Offer(stand_in="nash(depth=6, time=0.5)", quick="nash", by_evaluation="nash(eval=?)")
    seeded = False
    equilibrium = True

    def __init__(
        self,
        game: Game,
        depth: int | None = None,
        eval: Spec | None = None,
        time: float | None = None,
        bounds: bool = False,
        guard: int = 0,
        contempt: float = 0.0,
        width: int = 0,
    ) -> None:
        """Without a ``depth`` it looks one turn ahead; where there is no evaluation that would see
        nothing but the end, and it looks as deep as some thousand positions reach. ``bounds``
        narrows cells by serial searches first; a position that stood ``guard`` times counts as a
        draw (0: as the rules say), which is worth ``-contempt``. Out of ``time`` it plays the depth
        it finished. Beyond depth 1 each side has only ``width`` moves at the root (0: all), the
        best of depth 1."""
        deepest = depth
        if deepest is None:
            deepest = DEEPEST if evaluation_for(game, eval) is EVEN else 1
        super().__init__(game, deepest, eval, time, bounded=bounds, guard=guard, contempt=contempt)
        self.depth = depth
        if width < 0:
            raise PetteiaError(f"agent nash: width={width} is not possible; 0 or more")
        self.bounds, self.guard, self.contempt, self.width = bounds, guard, contempt, width

    def prepare(self, p: Words) -> None:
        p = first_choice(self.game, p)
        self.search.prepare(p)
        player = stepper_of(self.game).look(p).mover
        for depth in {1, self.deepest}:
            self.search.nash(
                p, depth, player, self.evaluation.array, seconds=1e-3, width=self.width
            )

    def mixed(self, p: Words, player: int, seed: int) -> Mixed:
        weights = weights_for_move(self.evaluation, seed)
        started = clock.perf_counter()
        earlier = self.earlier(p)
        best = self.search.nash(p, 1, player, weights, earlier=earlier)
        step_by_step = self.time is not None or self.depth is None
        for depth in range(2 if step_by_step else max(2, self.deepest), self.deepest + 1):
            left = None
            if self.time is not None:
                left = self.time - (clock.perf_counter() - started)
                if left <= 0:
                    break
            elif self.depth is None and best.interior + best.leaves > _ENOUGH:
                break
            found = self.search.nash(
                p, depth, player, weights, seconds=left, earlier=earlier, width=self.width
            )
            if self.search.ws["stop"]:
                break
            best = found
        return best

    alone = mixed


class ParanoidAgent(JointAgent):
    """Plays as if the enemy saw its move first: max over own moves of the worst answer."""

    name = "paranoid"
    about = "the best move if the enemy could see it first; alpha-beta; depth in turns"
    for_visitors = at_most(depth=4, time=10, guard=100, contempt=ANY)

    def __init__(
        self,
        game: Game,
        depth: int = 1,
        eval: Spec | None = None,
        time: float | None = None,
        ordered: bool = True,
        guard: int = 0,
        contempt: float = 0.0,
    ) -> None:
        """``ordered`` tries first the answer that refuted the last move."""
        super().__init__(game, depth, eval, time, ordered=ordered, guard=guard, contempt=contempt)
        self.depth, self.ordered, self.guard, self.contempt = depth, ordered, guard, contempt

    def mixed(self, p: Words, player: int, seed: int) -> Mixed:
        weights = weights_for_move(self.evaluation, seed)
        return self.search.paranoid(
            p, self.deepest, player, weights, seed, seconds=self.time, earlier=self.earlier(p)
        )

    alone = mixed


class _Hopeful(JointAgent):
    mode = joint.BEST

    def __init__(
        self, game: Game, depth: int = 1, eval: Spec | None = None, time: float | None = None
    ) -> None:
        super().__init__(game, depth, eval, time)
        self.depth = depth

    def mixed(self, p: Words, player: int, seed: int) -> Mixed:
        weights = weights_for_move(self.evaluation, seed)
        return self.search.hopeful(
            p, self.deepest, player, weights, seed, mode=self.mode, seconds=self.time,
            earlier=self.earlier(p),
        )  # fmt: skip

    alone = mixed


class OptimisticAgent(_Hopeful):
    """Plays as if the enemy's answer were the best one for itself."""

    name = "optimistic"
    about = "the best move if the enemy's answer were the most favourable; depth in turns"
    for_visitors = at_most(depth=4, time=10)
    mode = joint.BEST


class MeanAgent(_Hopeful):
    """Plays as if the enemy chose at random."""

    name = "mean"
    about = "the best move if the enemy chose at random; depth in turns"
    for_visitors = at_most(depth=4, time=10)
    mode = joint.MEAN


class QuantalAgent(JointAgent):
    """Plays the best mixed strategy against an enemy who answers it well, but not always best."""

    name = "quantal"
    about = "the best strategy against an enemy who errs; softness in units of the evaluation"
    for_visitors = at_most(softness=ANY, depth=2, guard=100)
    seeded = False

    def __init__(
        self,
        game: Game,
        softness: float = 1.0,
        depth: int = 1,
        eval: Spec | None = None,
        guard: int = 0,
    ) -> None:
        """``softness`` 0 is an equilibrium, a large one the mean response."""
        super().__init__(game, depth, eval, None, guard=guard)
        if not softness >= 0:
            raise PetteiaError(f"agent quantal: softness={softness} is not possible; 0 or more")
        self.softness, self.depth, self.guard = softness, depth, guard

    def mixed(self, p: Words, player: int, seed: int) -> Mixed:
        started = clock.perf_counter()
        weights = weights_for_move(self.evaluation, seed)
        rows, columns, matrix = self.search.matrix(
            p, self.deepest, player, weights, self.earlier(p)
        )
        own = rows if player == 0 else columns
        mine = matrix if player == 0 else np.ascontiguousarray(-matrix.T)
        if self.softness == 0:
            x = self.search.solver.solve(mine).row
            value = float((x @ mine).min())
        else:
            x, value = soft_answer(mine, self.softness)
        counts = (int(self.search.ws["interior"]), int(self.search.ws["leaves"]))
        return Mixed(
            tuple(own), x, None, value, self.deepest, *counts, clock.perf_counter() - started
        )


class JointMctsAgent(JointAgent):
    """Monte Carlo tree search with evaluated leaves."""

    name = "smmcts"
    about = "Monte Carlo tree search where both choose; selection=duct, rm or exp3"
    for_visitors = at_most(
        simulations=2_000_000, time=10, selection=ANY, exploration=ANY, scale=ANY, guard=100
    )

    def __init__(
        self,
        game: Game,
        simulations: int | None = None,
        time: float | None = None,
        selection: str | None = None,
        exploration: float | None = None,
        scale: float = 10.0,
        eval: Spec | None = None,
        guard: int = 0,
    ) -> None:
        """Without any limit it makes 5000 simulations; an evaluation of ``scale`` counts half a
        win; ``exploration`` is 0.3 for duct and 0.1 for the others. The selection is duct where
        both choose in every turn, else exp3, which comes nearer to the exact values."""
        super().__init__(game, 1, eval, time)
        if simulations is not None and simulations < 1:
            raise PetteiaError(f"agent smmcts: simulations={simulations} is not possible; above 0")
        self.simulations, self.selection, self.scale = simulations, selection, scale
        self.exploration, self.guard = exploration, guard
        always = game.kinds() == {Kind.SIMULTANEOUS}
        selection = selection or ("duct" if always else "exp3")
        share = exploration if exploration is not None else 0.3 if selection == "duct" else 0.1
        self._tree = JointMonteCarlo(
            game, self.evaluation, selection=selection, exploration=share, scale=scale, guard=guard,
            playouts=self.evaluation is EVEN,
        )  # fmt: skip

    def mixed(self, p: Words, player: int, seed: int) -> Mixed:
        unlimited = self.simulations is None and self.time is None
        return self._tree.run(
            p, player, weights_for_move(self.evaluation, seed), seconds=self.time, seed=seed,
            simulations=_SIMULATIONS if unlimited else self.simulations, earlier=self.earlier(p),
        )  # fmt: skip

    alone = mixed

    def stop(self) -> None:
        super().stop()
        self._tree.stop()


class Responder(JointAgent):
    """Knows another agent's strategy, though not its dice, and plays the best answer to it.

    What it wins shows how far that agent can be exploited.
    """

    name = "respond"
    about = "the best answer, one turn deep, to the strategy of the agent that 'to' names"
    for_visitors = at_most()

    def __init__(self, game: Game, to: Spec, eval: Spec | None = None) -> None:
        super().__init__(game, 1, eval, None)
        from petteia import agents

        self.to = to
        self.other = agents.make(to, game)

    def mixed(self, p: Words, player: int, seed: int) -> Mixed:
        started = clock.perf_counter()
        weights = weights_for_move(self.evaluation, seed)
        rows, columns, matrix = self.search.matrix(p, 1, player, weights, self.earlier(p))
        own, enemy = (rows, columns) if player == 0 else (columns, rows)
        mine = matrix if player == 0 else -matrix.T
        places = {move: place for place, move in enumerate(enemy)}
        foreseen = expected(self.other, p, 1 - player, seed)
        chances = np.zeros(len(enemy))
        chances[[places[move] for move in foreseen.moves]] = foreseen.strategy
        values = mine @ chances
        best = np.flatnonzero(values >= values.max() - 1e-12)
        x = np.zeros(len(own))
        x[best[derive(seed, "answer") % len(best)]] = 1.0
        return Mixed(
            tuple(own), x, values, float(values.max()), 1, 1, matrix.size,
            clock.perf_counter() - started,
        )  # fmt: skip

    def follow(self, line: Line) -> None:
        super().follow(line)
        self.other.follow(line)

    def new_game(self) -> None:
        super().new_game()
        self.other.new_game()


def expected(agent: Agent, p: Words, player: int, seed: int, samples: int = _SAMPLES) -> Mixed:
    """What somebody who knows an agent, though not its seeds, must expect of it: its mixed
    strategy, or the mean of what it does for some seeds where they decide."""
    joint_agent = agent if isinstance(agent, JointAgent) else None
    if joint_agent is not None and not joint_agent.seeded:
        samples = 1
    total: dict[int, float] = {}
    for number in range(samples):
        guess = derive(seed, "guess", number)
        if joint_agent is None:
            chosen = {agent.choose(p, seed=guess, player=player).move: 1.0}
        else:
            found = joint_agent.strategy(p, player, guess)
            chosen = dict(zip(found.moves, found.strategy.tolist(), strict=True))
        for move, chance in chosen.items():
            total[move] = total.get(move, 0.0) + chance / samples
    return Mixed(tuple(total), np.array(list(total.values())), None, 0.0, 0, 0, 0, 0.0)
