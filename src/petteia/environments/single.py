"""A game as an environment of PettingZoo, or as a game of OpenSpiel."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from petteia import games
from petteia.core.errors import PetteiaError
from petteia.core.fair import drawn
from petteia.core.game import CHANCE, SIMULTANEOUS, TERMINAL, Game
from petteia.core.words import Words
from petteia.search.stepper import Look, stepper_of

__all__ = ["bits_of", "library", "open_spiel_game", "pettingzoo_env"]

_PLAYERS: tuple[str, ...] = ("player_0", "player_1")


def bits_of(p: Words) -> np.ndarray:
    """The bits of a position's words, the lowest first: (64 * words,), 0 or 1."""
    return np.unpackbits(np.array(p, "<u8").view(np.uint8), bitorder="little").astype(np.int8)


def _moves(seen: Look, player: int) -> list[int]:
    return seen.others if seen.kind == SIMULTANEOUS and player == 1 else seen.moves


def library(module: str, package: str = "pettingzoo") -> Any:
    """A library that need not be there."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise PetteiaError(f"this needs {package}: pip install {package}") from None


def pettingzoo_env(game: str | Game) -> Any:
    """The game as an ``AECEnv`` of PettingZoo; dice are thrown by the environment.

    An observation has ``observation``, the bits of the position, and ``action_mask``. Where both
    choose at the same time player_0 acts first, and player_1 does not see what.
    """
    spaces: Any = library("gymnasium.spaces")
    base: Any = library("pettingzoo").AECEnv
    rules = games.make(game)
    stepper = stepper_of(rules)

    class Environment(base):  # type: ignore[misc]
        """A game of two agents in turn."""

        metadata = {  # noqa: RUF012  (as PettingZoo wants it)
            "name": f"petteia_{rules.spec.name}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        render_mode = "ansi"

        def __init__(self) -> None:
            super().__init__()
            self.possible_agents = list(_PLAYERS)
            size, most = len(bits_of(rules.start())), rules.max_moves
            self.action_spaces = dict.fromkeys(_PLAYERS, spaces.Discrete(most))
            self.agent_selection: str = _PLAYERS[0]
            seen: dict[str, Any] = {
                "observation": spaces.Box(0, 1, (size,), np.int8),
                "action_mask": spaces.Box(0, 1, (most,), np.int8),
            }
            self.observation_spaces = {name: spaces.Dict(seen) for name in _PLAYERS}

        def observation_space(self, agent: str) -> Any:
            return self.observation_spaces[agent]

        def action_space(self, agent: str) -> Any:
            return self.action_spaces[agent]

        def reset(self, seed: int | None = None, options: Any = None) -> None:
            self.random = np.random.default_rng(seed)
            self.agents = list(_PLAYERS)
            self.rewards = dict.fromkeys(_PLAYERS, 0.0)
            self._cumulative_rewards = dict.fromkeys(_PLAYERS, 0.0)
            self.terminations = dict.fromkeys(_PLAYERS, False)
            self.truncations = dict.fromkeys(_PLAYERS, False)
            self.infos = {name: dict[str, Any]() for name in _PLAYERS}
            self.words, self.plies, self.chosen = rules.start(), 0, -1
            self._settle()

        def observe(self, agent: str) -> dict[str, np.ndarray]:
            mask = np.zeros(rules.max_moves, np.int8)
            if agent == self.agent_selection and not self.terminations[agent]:
                mask[: len(_moves(stepper.look(self.words), _PLAYERS.index(agent)))] = 1
            return {"observation": bits_of(self.words), "action_mask": mask}

        def step(self, action: int | None) -> None:
            agent = self.agent_selection
            if self.terminations[agent] or self.truncations[agent]:
                self._was_dead_step(action)
                return
            seen, player = stepper.look(self.words), _PLAYERS.index(agent)
            moves = _moves(seen, player)
            if action is None or not 0 <= action < len(moves):
                raise PetteiaError(f"action {action} is not legal here; 0 to {len(moves) - 1}")
            self._cumulative_rewards[agent] = 0.0
            self._clear_rewards()
            if seen.kind == SIMULTANEOUS and player == 0:
                self.chosen = moves[action]
                self.agent_selection = _PLAYERS[1]
                return
            if seen.kind == SIMULTANEOUS:
                self.words = stepper.play_both(self.words, self.chosen, moves[action])
            else:
                self.words = stepper.play(self.words, moves[action])
            self.plies += 1
            self._settle()
            self._accumulate_rewards()

        def _settle(self) -> None:
            """Throws dice until somebody acts or the game is over."""
            seen = stepper.look(self.words)
            while seen.kind == CHANCE:
                word = int(self.random.integers(2**63))
                throw = drawn(word, zip(seen.moves, seen.chances, strict=True))
                self.words = stepper.play(self.words, throw)
                self.plies += 1
                seen = stepper.look(self.words)
            if seen.kind == TERMINAL:
                self.rewards = dict(zip(_PLAYERS, (seen.result, -seen.result), strict=True))
                self.terminations = dict.fromkeys(_PLAYERS, True)
            elif self.plies >= rules.max_plies:
                self.truncations = dict.fromkeys(_PLAYERS, True)
            self.agent_selection = _PLAYERS[seen.mover]

        def render(self) -> str:
            from petteia.core.position import Position

            return Position(rules, self.words).draw()

        def close(self) -> None:
            """Nothing is open."""

    return Environment()


def open_spiel_game(game: str | Game) -> Any:
    """The game as a ``pyspiel.Game`` of perfect information; its algorithms can be run on it."""
    pyspiel: Any = library("pyspiel", "open_spiel")
    game_base: Any = pyspiel.Game
    state_base: Any = pyspiel.State
    rules = games.make(game)
    stepper = stepper_of(rules)
    kinds = pyspiel.GameType
    both, dice = rules.has_simultaneous, rules.has_chance
    about = kinds(
        short_name="petteia",
        long_name=str(rules),
        dynamics=kinds.Dynamics.SIMULTANEOUS if both else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC
        if dice
        else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )
    size = pyspiel.GameInfo(
        num_distinct_actions=rules.max_moves,
        max_chance_outcomes=rules.max_moves if dice else 0,
        num_players=2,
        min_utility=-float(rules.most_points),
        max_utility=float(rules.most_points),
        utility_sum=0.0,
        max_game_length=rules.max_plies,
    )

    class Spiel(game_base):  # type: ignore[misc]
        """A game of ours."""

        def __init__(self, params: Any = None) -> None:
            super().__init__(about, size, params or {})

        def new_initial_state(self) -> Any:
            return State(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            return Observer()

    class Observer:
        """Both see the whole position: its bits."""

        def __init__(self) -> None:
            self.tensor = np.zeros(len(bits_of(rules.start())), np.float32)
            self.dict = {"observation": self.tensor}

        def set_from(self, state: Any, player: int) -> None:
            self.tensor[:] = bits_of(state.words)

        def string_from(self, state: Any, player: int) -> str:
            return str(state)

    class State(state_base):  # type: ignore[misc]
        """A position."""

        def __init__(self, of: Any) -> None:
            super().__init__(of)
            self.words = rules.start()

        def current_player(self) -> int:
            seen = stepper.look(self.words)
            special = {
                TERMINAL: pyspiel.PlayerId.TERMINAL,
                CHANCE: pyspiel.PlayerId.CHANCE,
                SIMULTANEOUS: pyspiel.PlayerId.SIMULTANEOUS,
            }
            return int(special.get(seen.kind, seen.mover))

        def _legal_actions(self, player: int) -> list[int]:
            return list(range(len(_moves(stepper.look(self.words), player))))

        def chance_outcomes(self) -> list[tuple[int, float]]:
            return list(enumerate(stepper.look(self.words).chances))

        def _apply_action(self, action: int) -> None:
            self.words = stepper.play(self.words, stepper.look(self.words).moves[action])

        def _apply_actions(self, actions: Any) -> None:
            seen = stepper.look(self.words)
            first, second = seen.moves[actions[0]], seen.others[actions[1]]
            self.words = stepper.play_both(self.words, first, second)

        def _action_to_string(self, player: int, action: int) -> str:
            moves = _moves(stepper.look(self.words), player)
            return rules.move_text(self.words, moves[action])

        def is_terminal(self) -> bool:
            return stepper.look(self.words).kind == TERMINAL

        def returns(self) -> list[float]:
            seen = stepper.look(self.words)
            return [seen.result, -seen.result] if seen.kind == TERMINAL else [0.0, 0.0]

        def information_state_string(self, player: int | None = None) -> str:
            return rules.text(self.words)

        def observation_string(self, player: int | None = None) -> str:
            return rules.text(self.words)

        def __str__(self) -> str:
            return rules.text(self.words)

    return Spiel()
