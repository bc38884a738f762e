"""The strategies of the course framework as agents.

By the course rules they choose exactly as the framework does: with its order of trying steps, its
strict comparisons, and its readiness to leave dice unused. By the official rules they take the
best legal play by the same values. Values of small whole numbers tie at every fourth turn, and
what is played then is worth up to fifteen points of a percent: so ties have a rule of their own
here, and do not follow from the order in which plays happen to be generated.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import popcount, random_below
from petteia.core.agent import ANY, Agent, at_most
from petteia.core.errors import one_of
from petteia.core.evaluation import Evaluation, PlainEvaluation
from petteia.core.game import Game
from petteia.core.spec import Spec
from petteia.core.words import U, Words
from petteia.games.backgammon.evaluations import EVALUATIONS
from petteia.games.backgammon.rules.board import (
    BAR,
    POINTS,
    bit,
    count_on,
    highest,
    made,
    mirrored,
    occupied,
    singles,
)
from petteia.games.backgammon.rules.plays import (
    ADDED,
    HITS,
    PLACE,
    change,
    landing,
    sources,
    with_place,
)
from petteia.games.backgammon.rules.state import FIRST, PHASE, PLAY, SECOND, field
from petteia.search.evaluations import evaluation_for
from petteia.search.lines import PolicyAgent
from petteia.search.policy import GreedyPolicy, Policy

__all__ = ["STRATEGIES", "CompareAllMoves", "MoveFurthestBack", "MoveRandomPiece"]

_WORST = 1e18
_VALUE, _STEPS, _PATH = 0, 4, 8
"""Where the best of each depth stands in the scratch memory."""


def mover_sources(game: Any, p: Words, die: int) -> np.uint64:
    """The places from which the mover can go with a die."""
    white = game.mover(p) == 0
    a, b = (p[0], p[1]) if white else (p[2], p[3])
    other_a, other_b = (p[2], p[3]) if white else (p[0], p[1])
    free = POINTS & ~mirrored(made(other_a, other_b))
    return sources(game, occupied(a, b), free, die)


def step(game: Any, p: Words, place: int, die: int) -> Words:
    """The board after one step; the dice stay as they are."""
    to = landing(place, die)
    other_a, other_b = (p[2], p[3]) if game.mover(p) == 0 else (p[0], p[1])
    blots = mirrored(singles(other_a, other_b)) & POINTS
    hit = to if (blots >> U(to)) & U(1) != U(0) else 0
    return game.moved(p, place | to << ADDED | hit << HITS)


def play_by(game: Any, p: Words, path: int, dice: int, count: int) -> int:
    """The play that goes from the places of a path with the dice of a list, five bits each."""
    lost = gained = hits = 0
    q = p
    for i in range(count):
        place, die = path >> (5 * i) & PLACE, dice >> (5 * i) & PLACE
        to = landing(place, die)
        other_a, other_b = (q[2], q[3]) if game.mover(q) == 0 else (q[0], q[1])
        blots = mirrored(singles(other_a, other_b)) & POINTS
        if (blots >> U(to)) & U(1) != U(0):
            hits = with_place(hits, to)
        lost, gained = with_place(lost, place), with_place(gained, to)
        q = step(game, q, place, die)
    return change(lost, gained, count, hits)


def dice_list(p: Words, reverse: bool) -> tuple[int, int]:
    """The dice as a list of five bits each, and how many there are."""
    first, second = field(p[4], FIRST, 7), field(p[4], SECOND, 7)
    if first == second:
        return first | first << 5 | first << 10 | first << 15, 4
    if reverse:
        first, second = second, first
    return first | second << 5, 2


class Judge(NamedTuple):
    """For whom plays are compared, by which weights, and where the best of each depth stands."""

    player: int
    w: np.ndarray
    scratch: np.ndarray


def compare(
    game: Any, evaluation: Any, p: Words, judge: Judge, dice: int, left: int, depth: int
) -> float:
    """The framework's search with the dice in one order: the lowest value, with its steps.

    A short line that was found first and is lower shuts out longer ones, and a die that cannot be
    played is not skipped: so it is there.
    """
    player, w, scratch = judge
    best, steps, path = _WORST, 0, 0
    die = dice & PLACE
    places = mover_sources(game, p, die)
    while places != U(0):
        place = highest(places)
        places ^= bit(place)
        q = step(game, p, place, die)
        if left > 1:
            value = compare(game, evaluation, q, judge, dice >> 5, left - 1, depth + 1)
            more = int(scratch[_STEPS + depth + 1])
            if more == 0:
                value = -evaluation.value(game, q, player, w)
                if value < best and steps < 2:
                    best, steps, path = value, 1, place
            elif value < best and more + 1 >= steps:
                best, steps = value, more + 1
                path = place | int(scratch[_PATH + depth + 1]) << 5
        else:
            value = -evaluation.value(game, q, player, w)
            if value < best:
                best, steps, path = value, 1, place
    scratch[_VALUE + depth], scratch[_STEPS + depth], scratch[_PATH + depth] = best, steps, path
    return best


class ComparePolicy(GreedyPolicy):
    """CompareAllMoves: by course rules the framework's own search, else the best legal play."""

    def __init__(self, front: bool = False) -> None:
        self.front = front
        """Whether ties go to the play that fills the low points, not the one that spares them."""

    def pick(
        self, game: Any, evaluation: Any, p: Words, w: np.ndarray, seed: int, memory: Any
    ) -> int:
        if not game.course or field(p[4], PHASE, 7) != PLAY:
            return best_play(game, evaluation, p, w, memory, self.front)
        scratch = memory.scratch
        judge = Judge(game.mover(p), w, scratch)
        dice, count = dice_list(p, False)
        best = compare(game, evaluation, p, judge, dice, count, 0)
        steps, path = int(scratch[_STEPS]), int(scratch[_PATH])
        if count == 2:
            turned, _ = dice_list(p, True)
            other = compare(game, evaluation, p, judge, turned, count, 0)
            if other < best and int(scratch[_STEPS]) >= steps:
                steps, path, dice = int(scratch[_STEPS]), int(scratch[_PATH]), turned
        return play_by(game, p, path, dice, steps)


def is_farther(a: np.uint64, b: np.uint64, other_a: np.uint64, other_b: np.uint64) -> bool:
    """Whether a side has fewer checkers than another on the first point, from 1 up, on which the
    two differ."""
    differ = a ^ other_a | b ^ other_b
    differ = (differ | differ >> U(32)) & (POINTS | bit(BAR))
    if differ == U(0):
        return False
    place = popcount((differ & (~differ + U(1))) - U(1))
    return count_on(a, b, place) < count_on(other_a, other_b, place)


def best_play(game: Any, evaluation: Any, p: Words, w: np.ndarray, memory: Any, front: bool) -> int:
    """The legal move with the highest value; of equals the one with the fewest checkers on the low
    points, or in ``front`` the most. The cube stays where it is."""
    if field(p[4], PHASE, 7) != PLAY:
        return 0
    player = game.mover(p)
    out = memory.out
    end = game.moves(p, out, 0)
    best, value = 0, -_WORST
    best_a = best_b = U(0)
    for i in range(end):
        q = game.moved(p, out[i])
        mine = evaluation.value(game, q, player, w)
        a, b = (q[0], q[1]) if player == 0 else (q[2], q[3])
        better = mine > value
        if mine == value:
            better = is_farther(best_a, best_b, a, b) if front else is_farther(a, b, best_a, best_b)
        if better:
            best, value, best_a, best_b = i, mine, a, b
    return out[best]


def legal_or(game: Any, p: Words, play: int, otherwise: int, memory: Any) -> int:
    """A play, or where the rules forbid it another by its place in the list."""
    if game.course:
        return play
    out = memory.out
    end = game.moves(p, out, 0)
    for i in range(end):
        if out[i] == play:
            return play
    return out[otherwise % end]


class FurthestBackPolicy(Policy):
    """Each die in turn moves the rearmost checker that it can; the first die gets a second try."""

    def pick(
        self, game: Any, evaluation: Any, p: Words, w: np.ndarray, seed: int, memory: Any
    ) -> int:
        if field(p[4], PHASE, 7) != PLAY:
            return 0
        dice, count = dice_list(p, False)
        q, path, used, steps = p, 0, 0, 0
        missed = False
        for i in range(count + 1):
            if i == count and not missed:
                break
            die = dice >> (5 * i) & PLACE if i < count else dice & PLACE
            places = mover_sources(game, q, die)
            if places == U(0):
                missed = missed or i == 0
                continue
            place = highest(places)
            path |= place << (5 * steps)
            used |= die << (5 * steps)
            steps += 1
            q = step(game, q, place, die)
        return legal_or(game, p, play_by(game, p, path, used, steps), 0, memory)


class RandomPiecePolicy(Policy):
    """Each die in turn moves any checker that it can, each checker with the same chance."""

    def pick(
        self, game: Any, evaluation: Any, p: Words, w: np.ndarray, seed: int, memory: Any
    ) -> int:
        if field(p[4], PHASE, 7) != PLAY:
            return 0
        memory.state[0] = U(seed)
        dice, count = dice_list(p, False)
        q, path, used, steps = p, 0, 0, 0
        for i in range(count):
            die = dice >> (5 * i) & PLACE
            places = mover_sources(game, q, die)
            if places == U(0):
                continue
            a, b = (q[0], q[1]) if game.mover(q) == 0 else (q[2], q[3])
            total, left = 0, places
            while left != U(0):
                total += count_on(a, b, highest(left))
                left ^= bit(highest(left))
            chosen, left = random_below(memory.state, total), places
            place = highest(left)
            while chosen >= count_on(a, b, place):
                chosen -= count_on(a, b, place)
                left ^= bit(place)
                place = highest(left)
            path |= place << (5 * steps)
            used |= die << (5 * steps)
            steps += 1
            q = step(game, q, place, die)
        play = play_by(game, p, path, used, steps)
        return legal_or(game, p, play, random_below(memory.state, 1 << 20), memory)


def nothing(game: Any, p: Words, player: int) -> float:
    """Every position is worth the same."""
    return 0.0


_NOTHING = PlainEvaluation("nothing", nothing)


_FRONT = ComparePolicy(front=True)


class CompareAllMoves(PolicyAgent):
    """Tries every play and takes the one with the best value."""

    name = "compare"
    about = "the play with the best value: the framework's CompareAllMoves with any evaluation"
    for_visitors = at_most(ties=ANY)
    policy = ComparePolicy()

    def __init__(self, game: Game, eval: Spec | None = None, ties: str = "back") -> None:
        if ties not in ("back", "front"):
            raise one_of(ties, ("back", "front"), what="way with ties")
        self.eval = eval
        self.ties = ties
        if ties == "front":
            self.policy = _FRONT
        super().__init__(game, evaluation_for(game, eval))


class _ByDice(PolicyAgent):
    """A strategy of the framework that moves die by die and values nothing."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, _NOTHING)


class MoveFurthestBack(_ByDice):
    """The framework's MoveFurthestBackStrategy."""

    name = "move_furthest_back"
    about = "moves the rearmost checker with each die: MoveFurthestBackStrategy"
    for_visitors = at_most()
    policy = FurthestBackPolicy()


class MoveRandomPiece(_ByDice):
    """The framework's MoveRandomPiece."""

    name = "move_random_piece"
    about = "moves any checker with each die: MoveRandomPiece"
    for_visitors = at_most()
    policy = RandomPiecePolicy()


def _named(evaluation: Evaluation) -> type[Agent]:
    """CompareAllMoves with one evaluation, under the evaluation's name."""

    class Strategy(CompareAllMoves):
        name = evaluation.name
        about = evaluation.about
        for_visitors = at_most()

        def __init__(self, game: Game) -> None:
            CompareAllMoves.__init__(self, game, Spec(evaluation.name))

    return Strategy


_KINDS: list[type[Agent]] = [CompareAllMoves, MoveFurthestBack, MoveRandomPiece]
_KINDS += [_named(evaluation) for evaluation in EVALUATIONS.values()]
STRATEGIES: dict[str, type[Agent]] = {kind.name: kind for kind in _KINDS}
"""All strategies of the framework and of the report."""
