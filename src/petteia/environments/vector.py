"""Many games at once as one environment of Gymnasium, stepped by one compiled loop."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from petteia import games
from petteia.compiled import Batch, load, random_next, store, unit_of
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, TERMINAL, Game
from petteia.core.rules import SLACK, drawn_outcome
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.environments.single import library
from petteia.search.chance import nth_word

__all__ = ["vector_env"]

_BEGIN = -1
"""In place of an action: the game begins."""
_GOES_ON, _OVER, _TOO_LONG = 0, 1, 2


class _Boards(NamedTuple):
    """Where all games stand; one entry a game."""

    words: np.ndarray
    """The positions, (games, words)."""
    random: np.ndarray
    """What decides the next throw of the dice."""
    plies: np.ndarray
    movers: np.ndarray
    counts: np.ndarray
    """How many legal moves there are."""
    actions: np.ndarray
    rewards: np.ndarray
    """Of the player who moved last."""
    ended: np.ndarray
    """How the game that was played on has ended, if it has."""


def _thrown(i: int, memory: Any, game: Any, b: _Boards, p: Words) -> Words:
    """The position after the dice, if there are some to be thrown."""
    while game.kind(p) == CHANCE and b.plies[i] < game.max_plies:
        b.random[i] = random_next(b.random[i])
        end = game.chances(p, memory.out, memory.prob, 0)
        p = game.play(p, memory.out[drawn_outcome(memory.prob, end, unit_of(b.random[i]))])
        b.plies[i] += 1
    return p


def _step(i: int, memory: Any, game: Any, b: _Boards) -> None:
    """Plays on in game i; one that has ended begins again."""
    p = load(b.words, i, game.start())
    begins = b.actions[i] == _BEGIN
    b.rewards[i], b.ended[i] = 0.0, _GOES_ON
    if not begins:
        mover = game.mover(p)
        game.moves(p, memory.out, 0)
        p = game.play(p, memory.out[b.actions[i]])
        b.plies[i] += 1
        p = _thrown(i, memory, game, b, p)
        if game.kind(p) == TERMINAL:
            b.rewards[i] = game.result(p) if mover == 0 else -game.result(p)
            b.ended[i] = _OVER
        elif b.plies[i] >= game.max_plies:
            b.ended[i] = _TOO_LONG
        begins = b.ended[i] != _GOES_ON
    if begins:
        b.plies[i] = 0
        p = _thrown(i, memory, game, b, game.start())
    store(b.words, i, p)
    b.movers[i] = game.mover(p)
    b.counts[i] = game.moves(p, memory.out, 0)


def _batch(rules: Game) -> Batch:
    wide = rules.max_moves + SLACK
    return Batch(_step, [("out", np.int64, (wide,)), ("prob", np.float64, (wide,))])


def _boards(count: int, size: int) -> _Boards:
    plies, movers, counts, actions, ended = np.zeros((5, count), np.int64)
    words, random = np.zeros((count, size), np.uint64), np.zeros(count, np.uint64)
    return _Boards(words, random, plies, movers, counts, actions, np.zeros(count), ended)


def vector_env(game: str | Game, count: int, *, threads: int = 1, device: str = "cpu") -> Any:
    """So many games as a ``gymnasium.vector.VectorEnv``; an action is that of whoever is to move.

    An observation has ``observation``, the bits of the position, and ``action_mask``; ``infos`` has
    ``mover``. A reward is that of the player who made the move. The environment throws the dice.
    A game that has ended begins again in the same step, so that its observation is already that of
    the next. The same seed and actions give the same games on any number of ``threads``, which pay
    only for costly rules or many thousand games, and with ``device="gpu"``, to which all games are
    copied and back at every step.
    """
    gymnasium: Any = library("gymnasium")
    vector: Any = library("gymnasium.vector")
    rules = games.make(game)
    if rules.has_simultaneous:
        raise PetteiaError(f"in {rules} both choose at the same time: use pettingzoo_env")
    if count < 1:
        raise PetteiaError(f"{count} games are not possible; at least 1")
    spaces, size = gymnasium.spaces, len(rules.start())
    batch, boards = _batch(rules), _boards(count, size)

    class Environment(vector.VectorEnv):  # type: ignore[misc]
        """Games side by side."""

        metadata = {"autoreset_mode": vector.AutoresetMode.SAME_STEP}  # noqa: RUF012

        def __init__(self) -> None:
            self.num_envs = count
            self.single_action_space = spaces.Discrete(rules.max_moves)
            self.single_observation_space = spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (64 * size,), np.int8),
                    "action_mask": spaces.Box(0, 1, (rules.max_moves,), np.int8),
                }
            )
            batched = vector.utils.batch_space
            self.action_space = batched(self.single_action_space, count)
            self.observation_space = batched(self.single_observation_space, count)
            self.boards = boards

        def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, Any]:
            """Begins all games."""
            if seed is None:
                seed = int(np.random.default_rng().integers(2**63))
            begin = np.uint64(derive(seed, "vector"))
            self.boards.random[:] = [nth_word(begin, i) for i in range(count)]
            self.boards.actions[:] = _BEGIN
            batch(count, rules, self.boards, threads=threads, device=device)
            return self._observed()

        def step(self, actions: Any) -> tuple[Any, Any, Any, Any, Any]:
            """Plays a move in every game: its number among the legal moves."""
            given = np.asarray(actions, np.int64)
            if given.shape != (count,):
                raise PetteiaError(f"actions of shape {given.shape} are not possible; ({count},)")
            wrong = np.flatnonzero((given < 0) | (given >= self.boards.counts))
            if len(wrong):
                i = int(wrong[0])
                most = int(self.boards.counts[i]) - 1
                raise PetteiaError(f"action {given[i]} is not legal in game {i}; 0 to {most}")
            self.boards.actions[:] = given
            batch(count, rules, self.boards, threads=threads, device=device)
            observed, infos = self._observed()
            ended = self.boards.ended
            return observed, self.boards.rewards.copy(), ended == _OVER, ended == _TOO_LONG, infos

        def _observed(self) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
            packed = self.boards.words.astype("<u8").view(np.uint8)
            bits = np.unpackbits(packed, axis=1, bitorder="little").view(np.int8)
            mask = np.arange(rules.max_moves) < self.boards.counts[:, None]
            infos = {"mover": self.boards.movers.copy()}
            return {"observation": bits, "action_mask": mask.astype(np.int8)}, infos

    return Environment()
