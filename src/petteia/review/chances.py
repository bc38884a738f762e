"""From values to chances: how often a player won in quick games from positions so valued.

A value of a search is in the units of its evaluation. One logistic curve for each evaluation,
fitted to quick games of shallow searches that now and then err, makes a chance to win of it; where
both choose at the same time the quick games are random. It is an estimate; only a forced end is
certain.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from petteia.core.agent import Agent, EvaluatingAgent
from petteia.core.evaluation import Evaluation
from petteia.core.fair import drawn
from petteia.core.game import CHANCE, SIMULTANEOUS, TERMINAL, Game
from petteia.core.seeds import derive, nth
from petteia.core.words import Words
from petteia.review.outlook import Outlook, Throw
from petteia.search.alphabeta import FixedDepthSearch, leaf
from petteia.search.contract import Limits, Question
from petteia.search.stepper import stepper_of
from petteia.search.values import WIN, is_decided

__all__ = ["Curve", "chance_of", "curve_of", "fitted", "know_curve", "throw_chances"]

_GAMES = 40
_DEPTH = 3
_OPENING = 6
"""Random plies at the start, so that no two games are the same."""
_ERRS = 0.1
"""How often a quick player plays any move at all."""
_LONGEST = 400
_RANDOM_GAMES = 60
_MIXED = WIN / 50
"""Above this a value is the mean of certain ends, by the dice, and of evaluations far below them:
so much more often is the game won for certain than lost, and the rest is taken for even."""


@dataclass(frozen=True)
class Curve:
    """A chance of 1 / (1 + exp(-steepness (value - middle)))."""

    steepness: float | None
    """None where values are points of a game, between -1 and 1, or in units of ``point``."""
    middle: float = 0.0
    point: float = 1.0

    def chance(self, value: float) -> float:
        """The chance to win of the player for whom the value speaks."""
        if is_decided(value):
            return 1.0 if value > 0 else 0.0
        if abs(value) > _MIXED:
            return (1 + value / WIN) / 2
        if self.steepness is None:
            return min(1.0, max(0.0, (1 + value / self.point) / 2))
        return 1 / (1 + math.exp(-max(-40.0, min(40.0, self.steepness * (value - self.middle)))))


_POINTS = Curve(None)


def curve_of(game: Game, agent: Agent) -> Curve:
    """The curve for the values of an agent: fitted for its evaluation, if they are not points."""
    if agent.in_points or not isinstance(agent, EvaluatingAgent):
        return _POINTS
    point = agent.evaluation.point
    if point and game.has_simultaneous:  # there searches value ends in the same units
        return Curve(None, point=point)
    return _curve(game, str(agent.evaluation.spec), agent.evaluation)


def chance_of(agent: Agent, p: Words, value: float) -> float:
    """The chance to win that an agent's value at a position means, of the player for whom the value
    speaks; points are measured by what the game is worth now."""
    game = agent.game
    if value == 0 and agent.knows(p):
        return 0.5
    stake = max(1.0, game.stake(p)) if agent.in_points else 1.0
    return curve_of(game, agent).chance(value / stake)


def throw_chances(agent: Agent, seen: Outlook) -> tuple[list[float], float] | None:
    """Player 0's chance after every throw, and its mean; None where the agent has no opinion."""
    found = dict[int, float]()
    for throw in seen.counted:
        chance = _throw_chance(agent, throw)
        if chance is None:
            return None
        found[throw.outcome] = chance
    mean = sum(t.chance * found[t.outcome] for t in seen.counted)
    mean /= sum(t.chance for t in seen.counted)
    return [found.get(throw.outcome, mean) for throw in seen.throws], mean


def _throw_chance(agent: Agent, throw: Throw) -> float | None:
    if throw.then is not None:
        more = throw_chances(agent, throw.then)
        return None if more is None else more[1]
    if throw.value is None:
        return None
    if throw.over and not agent.in_points:
        return 0.5 if throw.value == 0 else float(throw.value > 0)
    return chance_of(agent, throw.after, throw.value)


_known: dict[tuple[str, str], Curve] = {}


def know_curve(game: Game, evaluation: Evaluation, curve: Curve) -> None:
    """Takes over a curve that was fitted before, so that nobody need play the quick games again."""
    _known[(str(game), str(evaluation.spec))] = curve


def _curve(game: Game, name: str, evaluation: Evaluation) -> Curve:
    key = (str(game), name)
    if key not in _known:
        samples = _random_samples if game.has_simultaneous else _samples
        _known[key] = Curve(*fitted(*samples(game, evaluation)))
    return _known[key]


def _samples(game: Game, evaluation: Evaluation) -> tuple[list[float], list[float], bool]:
    """Values for the mover along quick games, whether the mover won, and whether the evaluation
    is fair: what it gives to one it takes from the other."""
    depth = 1 if game.has_chance else _DEPTH
    search = FixedDepthSearch(game, evaluation, prune=True)
    values, wins, fair = list[float](), list[float](), True
    stepper = stepper_of(game)
    for number in range(_GAMES):
        stream = (nth(derive(7, "chances", number), count) for count in itertools.count())
        p, seen, along = game.start(), stepper.look(game.start()), list[tuple[int, float]]()
        for ply in range(min(game.max_plies, _LONGEST)):
            if seen.kind in (TERMINAL, SIMULTANEOUS):
                break
            word = next(stream)
            if seen.kind == CHANCE:
                move = drawn(word, zip(seen.moves, seen.chances, strict=True))
            else:
                best = search.ask(Question(p, evaluation.array, Limits(depth), seen.mover)).best
                if best.value is not None and not is_decided(best.value):
                    along.append((seen.mover, best.value))
                fair = fair and _is_fair(game, evaluation, p)
                errs = ply < _OPENING or word / 2**63 < _ERRS
                move = seen.moves[next(stream) % len(seen.moves)] if errs else best.move
            p = stepper.play(p, move)
            seen = stepper.look(p)
        if seen.kind == TERMINAL and seen.result != 0:
            winner = 0 if seen.result > 0 else 1
            values += [value for _, value in along]
            wins += [float(player == winner) for player, _ in along]
    return values, wins, fair


def _is_fair(game: Game, evaluation: Evaluation, p: Words) -> bool:
    first, second = (
        leaf(game, evaluation.tag, p, side, 0, evaluation.array.copy()) for side in (0, 1)
    )
    return math.isclose(first, -second, rel_tol=1e-9, abs_tol=1e-9)


def _random_samples(game: Game, evaluation: Evaluation) -> tuple[list[float], list[float], bool]:
    """The same where both choose: random games, from both sides; half a win for a draw."""
    values, wins = list[float](), list[float]()
    for number in range(_RANDOM_GAMES):
        p, along = game.start(), list[tuple[float, float]]()
        for turn in range(min(game.max_plies, _LONGEST)):
            seen = stepper_of(game).look(p)
            if seen.kind == TERMINAL:
                break
            numbers = [derive(7, "random", number, turn, side) for side in (0, 1)]
            if seen.kind == CHANCE:
                p = game.play(p, drawn(numbers[0], zip(seen.moves, seen.chances, strict=True)))
                continue
            sides = [
                leaf(game, evaluation.tag, p, side, 0, evaluation.array.copy()) for side in (0, 1)
            ]
            along.append((sides[0], sides[1]))
            move = seen.moves[numbers[0] % len(seen.moves)]
            if seen.kind == SIMULTANEOUS:
                p = game.play_both(p, move, seen.others[numbers[1] % len(seen.others)])
            else:
                p = game.play(p, move)
        points = float(game.result(p)) if game.kind(p) == TERMINAL else 0.0
        share = 0.5 if points == 0 else float(points > 0)
        for first, second in along:
            values += [first, second]
            wins += [share, 1 - share]
    return values, wins, False


def fitted(values: list[float], wins: list[float], fair: bool) -> tuple[float, float]:
    """The steepness and the middle that make the wins most likely, by Newton's method.

    The middle is the value at which both win equally often: 0 for a fair evaluation. A prior of a
    win and a loss on either side keeps both finite where values foretell every result.
    """
    v, y = np.array(values), np.array(wins)
    mean = float(v.mean()) if len(v) and not fair else 0.0
    size = float(np.abs(v - mean).mean()) if len(v) else 0.0
    if size == 0.0:
        return 0.0, 0.0
    v = np.concatenate([(v - mean) / size, [1.0, 1.0, -1.0, -1.0]])
    y = np.concatenate([y, [1.0, 0.0, 1.0, 0.0]])
    x = np.stack([v, np.ones_like(v) * (not fair)])
    k = np.array([0.5, 0.0])
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(k @ x, -40, 40)))
        slope = x @ (y - p)
        bend = (x * (p * (1 - p))) @ x.T + 1e-9 * np.eye(2)
        step = np.clip(np.linalg.solve(bend, slope), -1.0, 1.0)
        k = k + step
        if float(np.abs(step).max()) < 1e-9:
            break
    steepness = max(0.0, float(k[0])) / size
    middle = mean - float(k[1]) / steepness if steepness > 0 else 0.0
    return steepness, middle
