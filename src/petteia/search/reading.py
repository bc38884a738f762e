"""A player who reads the other: an equilibrium that leans against what the other was seen to do.

Most players who are no equilibrium have a habit: they take what is best on average, or in the worst
case, or they go back and forth. A *style* says how likely each of the enemy's moves is if that is
its habit. The moves of the game so far make some styles more likely than others, by Bayes' rule,
and all of them together foretell the next move.

The answer is a restricted Nash response (Johanson, Zinkevich and Bowling 2007): the best strategy
against an enemy who does what is foretold with some probability, and knows our strategy otherwise.
The probability is that of its having a habit at all, one style being that it mixes its moves as an
equilibrium does; but no higher than that at most ``risk`` is lost to an enemy who only pretended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from petteia.compiled import kernel
from petteia.core.agent import ANY, at_most
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import SIMULTANEOUS, Game
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.search.contract import Answer, Limits, Question, unvalued
from petteia.search.joint_search import JointAgent, JointSearch, possible_depth
from petteia.search.matrix import MatrixSolver, quantal
from petteia.search.stepper import stepper_of

__all__ = ["ReaderAgent", "ReadingSearch", "careful_response", "foretold"]

_SOFTNESS = (0.05, 0.3, 1.0)
"""How well an enemy keeps to its style, from nearly always to loosely: in standard deviations of
what its moves are worth to it."""
_ANYTHING = 0.1
"""How likely any move at all is in any style: a surprise does not rule it out. This counts as
evidence only; who hopes for blunders that never come loses by it."""
_FORGETTING = 0.97
"""What a turn leaves of the evidence before it: a style may change in the course of a game."""
_NO_HABIT = "equilibrium"
_PRIOR = 3.0
"""The logarithm of how much likelier no habit is than any one, before anything was seen."""
_RECENT = 4
"""Turns back in which a player who goes back and forth is looked for."""
_STEPS = 7
"""Halvings in the search for how far to lean."""


def styles(theirs: np.ndarray, ours: np.ndarray, equal: np.ndarray) -> dict[str, np.ndarray]:
    """How likely each move of the enemy is in each style. ``theirs`` is what pairs are worth to the
    enemy (our moves by its moves), ``ours`` and ``equal`` are the strategies of an equilibrium."""
    count = theirs.shape[1]
    found = {"anything": np.full(count, 1.0), _NO_HABIT: equal}
    values = {
        "mean": theirs.mean(axis=0),
        "cautious": theirs.min(axis=0),
        "hopeful": theirs.max(axis=0),
        "answer": (theirs.T * ours).sum(axis=1),
    }
    for name, worth in values.items():
        spread = float(worth.std()) or 1.0
        for softness in _SOFTNESS:
            found[f"{name} {softness:g}"] = quantal(worth, softness * spread)
    return {name: chances / chances.sum() for name, chances in found.items()}


def again(moves: Sequence[int], recent: Sequence[int]) -> np.ndarray:
    """The style of one who does again what it did a short while ago."""
    same = np.isin(moves, recent).astype(float)
    same = same if same.any() else np.ones(len(moves))
    return np.asarray(same / same.sum())


def foretold(weights: dict[str, float], chances: dict[str, np.ndarray]) -> np.ndarray:
    """The mean of what the styles say, by how likely each is."""
    total = sum(weights.values())
    return np.asarray(sum(weight / total * chances[name] for name, weight in weights.items()))


def careful_response(
    solver: MatrixSolver, mine: np.ndarray, expected: np.ndarray, risk: float, trust: float = 1.0
) -> tuple[np.ndarray, float]:
    """The row player's best strategy if the expected one is played with a probability of ``trust``,
    and the best answer to ours otherwise, but one that loses at most ``risk`` to that answer; and
    how much it loses."""
    against = (mine * expected).sum(axis=1)
    fair = solver.solve(mine)
    best, lost = fair.row, 0.0
    low, high = 0.0, trust
    for step in range(_STEPS):
        lean = trust if step == 0 else 0.5 * (low + high)
        row = solver.solve((1 - lean) * mine + lean * against[:, None]).row
        risked = fair.value - float((mine.T * row).sum(axis=1).min())
        if risked <= risk:
            best, lost, low = row, max(risked, 0.0), lean
            if step == 0:
                break
        else:
            high = lean
    return best, lost


@kernel
def mark_seen(
    game: Any, p: Words, after: Words, own: np.ndarray, theirs: np.ndarray, player: int,
    seen: np.ndarray,
) -> None:  # fmt: skip
    """Marks the enemy's moves after which the next position can be what it was."""
    for j in range(len(theirs)):
        seen[j] = False
        for i in range(len(own)):
            if player == 0:
                q = game.play_both(p, own[i], theirs[j])
            else:
                q = game.play_both(p, theirs[j], own[i])
            if q == after:
                seen[j] = True
                break


@dataclass
class _Reading:
    """What is known of an enemy after a line of positions."""

    line: list[Words]
    logs: dict[str, float]
    """The logarithm of how likely the line is in each style."""
    recent: list[int]
    """Its last moves, as far as they are known for certain."""

    @property
    def weights(self) -> dict[str, float]:
        top = max(self.logs.values(), default=0.0)
        return {name: float(np.exp(log - top)) for name, log in self.logs.items()}


class ReadingSearch(JointSearch):
    """The best strategy against what the enemy is expected to do that risks little."""

    def __init__(self, game: Game, evaluation: Evaluation, *, risk: float, **settings: Any) -> None:
        """``risk`` in units of the evaluation."""
        super().__init__(game, evaluation, **settings)
        self.risk = risk
        self._readings: dict[int, _Reading] = {}

    def new_game(self) -> None:
        self._readings.clear()

    def mixed(self, question: Question) -> Answer:
        reading = self._read(question)
        own, _, mine, chances = self._styles(question, reading.recent)
        weights = reading.weights
        habits = {name: weight for name, weight in weights.items() if name != _NO_HABIT}
        trust = sum(habits.values()) / sum(weights.values()) if weights else 0.0
        if trust > 0:
            expected = foretold(habits, chances)
            row, risked = careful_response(self.solver, mine, expected, self.risk, trust)
        else:
            row, risked = self.solver.solve(mine).row, 0.0
        value = float((mine.T * row).sum(axis=1).min())
        moves = [unvalued(move) for move in own]
        found = self._found(moves, question.limits.depth or 1, value, row)
        if weights:
            likeliest = max(weights, key=weights.__getitem__)
            share = weights[likeliest] / sum(weights.values())
            found.notes = {"style": likeliest, "likely": share, "risked": risked}
        return found

    def expected(self, question: Question) -> dict[int, float]:
        """How likely each move of the enemy is, after what it has done so far."""
        reading = self._read(question)
        _, theirs, _, chances = self._styles(question, reading.recent)
        mean = foretold(reading.weights or dict.fromkeys(chances, 1.0), chances)
        chance = (1 - _ANYTHING) * mean + _ANYTHING / len(theirs)
        return dict(zip(theirs, chance.tolist(), strict=True))

    def _styles(
        self, question: Question, recent: Sequence[int]
    ) -> tuple[list[int], list[int], np.ndarray, dict[str, np.ndarray]]:
        """Our moves, the enemy's, what pairs are worth to us, and what each style expects."""
        own, theirs, mine = self.matrix(question)
        if question.player == 1:
            own, theirs, mine = theirs, own, np.ascontiguousarray(-mine.T)
        fair = self.solver.solve(mine)
        chances = styles(-mine, fair.row, fair.column)
        chances["again"] = again(theirs, recent)
        return own, theirs, mine, chances

    def _read(self, question: Question) -> _Reading:
        """What the line so far says of the enemy, counted on as the line grows."""
        line, player = [*question.earlier, question.position], question.player
        known = self._readings.get(player)
        if known is None or line[: len(known.line)] != known.line:
            known = _Reading(line[:1], {}, [])
        for p, after in zip(line[len(known.line) - 1 :], line[len(known.line) :], strict=False):
            if stepper_of(self.game).look(p).kind == SIMULTANEOUS:
                self._observe(known, replace(question, position=p, earlier=()), after)
        known.line = line
        self._readings[player] = known
        return known

    def _observe(self, known: _Reading, question: Question, after: Words) -> None:
        question = replace(question, limits=Limits(depth=1))
        own, theirs, _, chances = self._styles(question, known.recent)
        seen = np.zeros(len(theirs), np.bool_)
        mark_seen(
            self.game, question.position, after, np.array(own, np.int64),
            np.array(theirs, np.int64), question.player, seen,
        )  # fmt: skip
        if not seen.any():
            return  # dice were thrown in between: what it chose cannot be told
        for name, each in chances.items():
            before = known.logs.get(name, _PRIOR if name == _NO_HABIT else 0.0)
            surprise = _ANYTHING * seen.sum() / len(seen)
            likely = (1 - _ANYTHING) * each[seen].sum() + surprise
            known.logs[name] = _FORGETTING * before + float(np.log(likely))
        if seen.sum() == 1:
            known.recent = [*known.recent, theirs[int(np.argmax(seen))]][-_RECENT:]


class ReaderAgent(JointAgent):
    """Plays an equilibrium that leans against the habits that the enemy has shown in this game."""

    name = "reader"
    about = "an equilibrium that leans against the enemy's habits; risk in units of the evaluation"
    for_visitors = at_most(risk=ANY, depth=2, guard=100, contempt=ANY)
    seeded = False

    def __init__(
        self,
        game: Game,
        risk: float = 0.2,
        depth: int = 1,
        eval: Spec | None = None,
        guard: int = 0,
        contempt: float = 0.0,
    ) -> None:
        """``risk``: what an enemy who only pretends to have a habit can gain in a turn at most."""
        super().__init__(game, eval)
        if not risk >= 0:
            raise PetteiaError(f"agent reader: risk={risk} is not possible; 0 or more")
        self.limits = Limits(possible_depth(depth))
        self.risk, self.depth, self.guard, self.contempt = risk, depth, guard, contempt
        self.search = ReadingSearch(
            game, self.evaluation, risk=risk, win=self.win, guard=guard, contempt=contempt
        )
