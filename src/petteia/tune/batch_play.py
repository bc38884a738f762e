"""Games of a policy against itself by the million, on threads or a GPU, for a network to learn.

What every game taught stays where it was played: with ``device="gpu"`` the arrays are CuPy's and a
trainer there finds them in its memory. The games are the same everywhere.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import Batch, random_below, random_unit
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import CHANCE, DECISION, Game
from petteia.core.gpu import cupy_for
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.learn.network import points_of, shape_of
from petteia.learn.samples import Samples
from petteia.search.chance import nth_word
from petteia.search.game_loop import (
    EXPLORING_FIELDS,
    Chooser,
    Observer,
    Players,
    can_duel,
    chooser_of,
    game_memory,
    play_out,
)
from petteia.search.policy import GREEDY
from petteia.search.values import settled_value

__all__ = ["BatchPlay"]


_MOST_WEIGHTS = 8192


class Kept(NamedTuple):
    """What was kept of every game: [game, place]; of each as many as ``length`` says."""

    own: np.ndarray
    """The mover's view."""
    other: np.ndarray
    mover: np.ndarray
    value: np.ndarray
    length: np.ndarray
    points: np.ndarray
    """Of player 0 at the end of the game."""


class Lesson(NamedTuple):
    """What a game is given besides its rules and its player."""

    weights: np.ndarray
    kept: Kept


class Wandering(Players):
    """One chooser for both sides that makes a random move now and then."""

    def __init__(self, chooser: Chooser) -> None:
        self.chooser = chooser

    def choose(self, game: Any, p: Words, weights: Lesson, memory: Any) -> int:
        if random_unit(memory.whims) < memory.epsilon:
            count = game.count_moves(p, memory.out)
            return game.nth_move(p, random_below(memory.whims, count), memory.out)  # type: ignore[no-any-return]
        seed = nth_word(memory.dice, memory.ply)
        return self.chooser.pick(game, p, weights.weights, seed, memory)


class Keeping(Observer):
    """Keeps every position before a throw, or before a move where there are no dice."""

    def begin(self, memory: Any) -> None:
        memory.count = 0

    def step(
        self, game: Any, players: Any, weights: Any, p: Words, after: Words, memory: Any
    ) -> None:
        kept, row, at = weights.kept, memory.number, memory.count
        if memory.kind != (CHANCE if game.has_chance else DECISION) or at == kept.mover.shape[1]:
            return
        mover = game.mover(p)
        mine, theirs = game.seen_by(p, mover), game.seen_by(p, 1 - mover)
        for i in range(len(mine)):
            kept.own[row, at, i], kept.other[row, at, i] = mine[i], theirs[i]
        evaluation = players.chooser.evaluation
        kept.value[row, at] = settled_value(game, evaluation, p, mover, 0, weights.weights)
        kept.mover[row, at] = mover
        memory.count += 1


_KEEPING = Keeping()


@lru_cache(maxsize=64)
def _wandering(chooser: Chooser) -> Wandering:
    return Wandering(chooser)


class BatchPlay:
    """The greedy player of an evaluation, with some random moves, against itself."""

    def __init__(self, game: Game, evaluation: Evaluation, *, most: int = 256) -> None:
        """Of every game at most so many positions are kept, the first ones."""
        if not can_duel(game):
            raise PetteiaError(
                f"{game}: games in batches need one player to move at a time and no rule that "
                "looks back"
            )
        self.game, self.evaluation, self.most = game, evaluation, most
        fields = [
            *EXPLORING_FIELDS,
            ("count", np.int64),  # of positions so far
            ("number", np.int64),  # of the game
            (
                "weights",
                evaluation.array.dtype,
                evaluation.array.shape,
            ),  # an evaluation may write into them
        ]
        self.batch = Batch(game_of_lessons, game_memory(game, fields).dtype)

    def arguments(
        self, count: int, epsilon: float, seed: int, library: Any = np
    ) -> tuple[Any, ...]:
        """What the games are given; the last of it holds what they keep."""
        words, shape = shape_of(self.game)[0], (count, self.most)
        kept = Kept(
            library.zeros((*shape, words), np.uint64), library.zeros((*shape, words), np.uint64),
            library.zeros(shape, np.int64), library.zeros(shape, np.float64),
            library.zeros(count, np.int64), library.zeros(count, np.float64),
        )  # fmt: skip
        players = _wandering(chooser_of(GREEDY, self.evaluation.tag))
        epsilon = 1.0 if self.evaluation.says_nothing else epsilon
        lesson = Lesson(self.evaluation.array.copy(), kept)
        return self.game, players, np.uint64(derive(seed, "lessons")), epsilon, lesson

    def play(
        self, count: int, epsilon: float, seed: int, *, device: str = "cpu", threads: int = 1
    ) -> Samples:
        """So many games, and what is to be learned from them, in the memory of the device."""
        library: Any = np
        if device == "gpu":
            library = cupy_for("self-play in batches", "device=cpu plays the same games")
            if len(self.evaluation.array) > _MOST_WEIGHTS:
                raise PetteiaError(
                    f"{self.evaluation.name} has {len(self.evaluation.array)} weights; a thread of "
                    f"a GPU has room for {_MOST_WEIGHTS}; device=cpu plays the same games"
                )
        args = self.arguments(count, epsilon, seed, library)
        self.batch(count, *args, device=device, threads=threads)
        return self._samples(args[-1].kept, library)

    def _samples(self, kept: Kept, library: Any) -> Samples:
        is_kept = library.arange(self.most)[None] < kept.length[:, None]
        game = library.broadcast_to(library.arange(len(kept.length))[:, None], is_kept.shape)
        mover, value, game = kept.mover[is_kept], kept.value[is_kept], game[is_kept]
        most = points_of(self.game) or self.game.most_points
        first = 0.5 + 0.5 * kept.points[game] / most
        if self.evaluation.says_nothing:
            value = library.full_like(value, np.nan)
        return Samples(
            kept.own[is_kept],
            kept.other[is_kept],
            mover.astype(np.int8),
            value.astype(np.float32),
            library.where(mover == 0, first, 1 - first).astype(np.float32),
            game,
        )


def game_of_lessons(
    i: int, memory: Any, game: Any, players: Any, seed: np.uint64, epsilon: float, lesson: Lesson
) -> None:
    """Piece ``i``: game number ``i`` of a seed."""
    memory.ply, memory.number, memory.epsilon = 0, i, epsilon
    memory.dice = nth_word(seed, 2 * i)
    memory.whims[0] = nth_word(seed, 2 * i + 1)
    for k in range(len(lesson.weights)):
        memory.weights[k] = lesson.weights[k]
    own = Lesson(memory.weights, lesson.kept)
    play_out(game, game.start(), players, own, _KEEPING, memory)
    lesson.kept.length[i], lesson.kept.points[i] = memory.count, memory.result
