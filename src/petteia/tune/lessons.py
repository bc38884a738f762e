"""Games to learn from: an agent plays itself, and what it saw is kept as rows of features."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from petteia import agents
from petteia.arena.match import Opening
from petteia.compiled import kernel, load, random_below, random_unit, store
from petteia.core.agent import Agent
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import LinearEvaluation
from petteia.core.game import CHANCE, DECISION, TERMINAL, Game
from petteia.core.policy import Playable, Policy
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.search.chance import dice_unit, nth_word
from petteia.search.duel import can_duel, policy_memory
from petteia.search.playout import drawn_outcome
from petteia.search.policy import GREEDY
from petteia.search.stepper import stepper_of
from petteia.search.values import is_decided
from petteia.tune.question import PART, Question
from petteia.tune.setting import Setting, Weights, bench_of, scores_of

__all__ = ["Lookahead", "Outcomes", "School", "Start", "labelled_rows", "school_of"]


class Start(NamedTuple):
    """Where a game for learning begins."""

    position: Words
    plies: int
    dice: int


@dataclass(frozen=True)
class School:
    """What games for learning need: the rules, who plays, and whose features are kept."""

    game: Game
    evaluation: LinearEvaluation
    policy: Policy
    opening: Opening
    seed: int

    @property
    def features(self) -> int:
        """How many there are."""
        return len(self.evaluation.weights)

    def start(self, number: int) -> Start:
        """The start of the game of this number."""
        dice = derive(self.seed, "lesson", number)
        moves = self.opening.moves(self.game, number, dice)
        p = self.game.start()
        for move in moves:
            p = stepper_of(self.game).play(p, move)
        return Start(p, len(moves), dice)


@lru_cache(maxsize=4)
def school_of(setting: Setting, method: str) -> School:
    """The school of a setting; it needs a linear evaluation, and rules that never look back."""
    bench = bench_of(setting)
    evaluation = bench.linear(method)
    if not can_duel(bench.game):
        raise PetteiaError(
            f"method {method} cannot learn {bench.game.spec.name} by itself: its games cannot run "
            "in one kernel"
        )
    if len(bench.names) != len(evaluation.weights):
        raise PetteiaError(f"method {method} tunes all weights together; --only is for the others")
    played: Playable | None = bench.agent.playable()
    policy = played.policy if played is not None else GREEDY
    opening = Opening.parse(bench.game, setting.opening)
    return School(bench.game, evaluation, policy, opening, setting.seed)


class Seen(NamedTuple):
    """What the players of one game saw after their moves."""

    features: np.ndarray
    """(moves, features), for the player who had moved."""
    movers: np.ndarray
    decisions: np.ndarray
    """(moves, words): the positions before the moves."""
    points: float
    """Of player 0."""


class _Classroom:
    """A school with its buffers."""

    def __init__(self, school: School) -> None:
        self.school = school
        game = school.game
        self._memory = policy_memory(game)
        self._rows = np.empty((game.max_plies + 1, school.features), np.float64)
        self._movers = np.empty(game.max_plies + 1, np.int64)
        self._boards = np.empty((game.max_plies + 1, len(game.start())), np.uint64)
        self._numbers = np.zeros(2, np.float64)

    def play(self, weights: np.ndarray, number: int, epsilon: float) -> Seen:
        """The game of this number, with a random move now and then."""
        school = self.school
        start = school.start(number)
        state = np.array([derive(start.dice, "whims")], np.uint64)
        store(self._boards, 0, start.position)
        self._numbers[0] = epsilon
        count = one_game(
            school.game, school.policy, school.evaluation.tag, weights, start.plies,
            np.uint64(start.dice), state, self._memory[0], self._rows, self._movers,
            self._boards, self._numbers,
        )  # fmt: skip
        rows, movers = self._rows[:count].copy(), self._movers[:count].copy()
        return Seen(rows, movers, self._boards[:count].copy(), float(self._numbers[1]))


@kernel
def features_at(game: Any, evaluation: Any, p: Words, player: int, row: np.ndarray) -> None:
    """Writes the features of a position into a row."""
    features = evaluation.function(game, p, player)
    for i in range(len(features)):
        row[i] = features[i]


@kernel
def one_game(
    game: Any,
    policy: Any,
    evaluation: Any,
    weights: np.ndarray,
    ply: int,
    dice: np.uint64,
    state: np.ndarray,
    memory: Any,
    rows: np.ndarray,
    movers: np.ndarray,
    boards: np.ndarray,
    numbers: np.ndarray,
) -> int:
    """Plays a policy against itself from the board in row 0; the number of rows that it filled.

    A row is what the mover saw after his move, unless the game was over with it. ``numbers`` holds
    the share of random moves, and takes the points of player 0.
    """
    p = load(boards, 0, game.start())
    out, prob = memory.out, memory.prob
    count = 0
    numbers[1] = 0.0
    while ply < game.max_plies:
        kind = game.kind(p)
        if kind == TERMINAL:
            numbers[1] = game.result(p)
            break
        if kind == CHANCE:
            end = game.chances(p, out, prob, 0)
            p = game.play(p, out[drawn_outcome(prob, end, dice_unit(dice, ply))])
        else:
            player = game.mover(p)
            if random_unit(state) < numbers[0]:
                end = game.moves(p, out, 0)
                move = out[random_below(state, end)]
            else:
                seed = np.int64(nth_word(dice, ply))
                move = policy.pick(game, evaluation, p, weights, seed, memory)
            after = game.play(p, move)
            if game.kind(after) != TERMINAL:
                features = evaluation.function(game, after, player)
                for i in range(len(features)):
                    rows[count, i] = features[i]
                movers[count] = player
                store(boards, count, p)
                count += 1
            p = after
        ply += 1
    return count


@dataclass(frozen=True)
class _Games(Question):
    """Games of an agent against itself, by number."""

    method: str
    weights: Weights
    count: int
    first: int = 0
    epsilon: float = 0.0

    @property
    def games(self) -> int:
        return self.count

    def parts(self) -> list[Question]:
        ends = range(0, self.count, 2 * PART)
        return [
            replace(self, first=self.first + at, count=min(2 * PART, self.count - at))
            for at in ends
        ]

    def _played(self, school: School) -> Iterator[tuple[int, Seen]]:
        room, weights = _Classroom(school), np.array(self.weights)
        for number in range(self.first, self.first + self.count):
            yield number, room.play(weights, number, self.epsilon)


@dataclass(frozen=True)
class Outcomes(_Games):
    """The answer has a row for every move: the features after it, how the game ended for who
    had moved (1, 0.5 or 0), and the number of the game."""

    def answer(self, setting: Setting) -> np.ndarray:
        school = school_of(setting, self.method)
        parts = [np.empty((0, school.features + 2))]
        for number, seen in self._played(school):
            sign = 1.0 - 2.0 * seen.movers
            ends = scores_of(sign * seen.points, "wins")
            numbers = np.full(len(ends), float(number))
            parts.append(np.column_stack([seen.features, ends, numbers]))
        return np.concatenate(parts)


@dataclass(frozen=True)
class Lookahead(_Games):
    """The answer has a row for every legal move at some positions: the features after it, the
    teacher's value, and the number of the game; features and values less their mean over the
    moves of the position, since a choice sees nothing but differences."""

    teacher: str = ""
    every: int = 5
    """One decision out of so many is shown to the teacher."""

    def answer(self, setting: Setting) -> np.ndarray:
        school = school_of(setting, self.method)
        teacher = agents.make(self.teacher, school.game)
        parts = [np.empty((0, school.features + 2))]
        for number, seen in self._played(school):
            for place in range(number % self.every, len(seen.movers), self.every):
                p = tuple(seen.decisions[place])
                seed = derive(self.first, "teacher", number, place)
                rows = _taught(school, teacher, p, seed)
                if len(rows) > 1:
                    rows -= rows.mean(axis=0)
                    parts.append(np.column_stack([rows, np.full(len(rows), float(number))]))
        return np.concatenate(parts)


def _taught(school: School, teacher: Agent, p: Words, seed: int) -> np.ndarray:
    """A row for every move whose value is known and not the end of the game."""
    mover = int(stepper_of(school.game).look(p).mover)
    rows = []
    for found in teacher.values(p, seed=seed):
        if found.value is None:
            raise PetteiaError(f"agent {teacher.spec.name} gives moves no values: it cannot teach")
        after = stepper_of(school.game).play(p, found.move)
        over = stepper_of(school.game).look(after).kind == TERMINAL
        if not over and not is_decided(found.value):
            row = np.empty(school.features + 1)
            features_at(school.game, school.evaluation.tag, after, mover, row)
            row[-1] = found.value
            rows.append(row)
    return np.array(rows).reshape(len(rows), school.features + 1)


def labelled_rows(setting: Setting, text: str, method: str) -> np.ndarray:
    """Rows from lines of ``position <tab or last comma> value``: the features and the value.

    The value speaks for the player to move, where nobody moves alone for player 0.
    """
    bench = bench_of(setting)
    evaluation = bench.linear(method)
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        position, _, value = line.rpartition("\t" if "\t" in line else ",")
        try:
            label = float(value)
        except ValueError:
            raise PetteiaError(
                f"line {number} of the labels: expected a position, a tab or a comma, and a number"
            ) from None
        p = bench.game.parse(position)
        mover = int(bench.game.mover(p)) if bench.game.kind(p) == DECISION else 0
        rows.append([*map(float, evaluation.function(bench.game, p, mover)), label])
    if len(rows) <= len(evaluation.weights):
        raise PetteiaError(f"{len(rows)} labels are too few for {len(evaluation.weights)} weights")
    return np.array(rows)
