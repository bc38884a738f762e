"""``python -m petteia.agents.child SPEC``: a user's own agent in a separate process."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

from petteia import agents
from petteia.agents.server import on_standard_streams
from petteia.core import files
from petteia.core import spec as specs
from petteia.core.agent import Agent, Decision
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.own_code import blamed
from petteia.core.position import Position
from petteia.core.words import Words

__all__ = ["FunctionAgent", "make"]

_CALL = "(position, legal_moves, seed)"
_FOR_SOME = ("time", "search")
"""Arguments that are of use to some agents, and that the others need not know."""
_SEARCH = "alphabeta(depth=2)"


class FunctionAgent(Agent):
    """Asks a function ``choose(position, legal_moves, seed)``; moves are texts."""

    name = "function"

    def __init__(self, game: Game, function: Callable[[Position, list[str], int], Any]) -> None:
        super().__init__(game)
        self.function = function

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        position = Position(self.game, p)
        text = self.function(position, position.moves(player), seed)
        if not isinstance(text, str):
            says = f"{_name(self.function)} gave {text!r}; expected the text of a move"
            raise blamed(self.function, says)
        return Decision(self.game.parse_move(p, text, player))


def _name(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", "the agent")


def _is_evaluation(kind: Callable[..., Any]) -> bool:
    """Evaluations take ``(game, p, player)``; what an agent's function takes first is no game."""
    return (
        not isinstance(kind, type) and next(iter(inspect.signature(kind).parameters), "") == "game"
    )


def _searching(kind: Callable[..., Any], spec: specs.Spec, game: Game) -> Agent:
    """An agent that searches with a user's evaluation: the one that ``search`` names."""
    given = dict(spec.arguments)
    search = given.get("search", specs.parse(agents.usual(game, _SEARCH)))
    if not isinstance(search, specs.Spec):
        raise PetteiaError(f"agent {spec.name}: search={search} is not an agent such as {_SEARCH}")
    evaluation = specs.Spec(f"{files.path_of(spec.name)}:{_name(kind)}")
    return agents.make(specs.Spec(search.name, (*search.arguments, ("eval", evaluation))), game)


def make(spec: specs.Spec, game: Game) -> Agent:
    """The agent that ``file.py:Class(...)`` or ``file.py:function`` names, in this process; for an
    evaluation, an agent that searches with it."""
    kind = files.function_or_subclass_in(spec.name, Agent, what="agent")
    if _is_evaluation(kind):
        agent = _searching(kind, spec, game)
        agent.given = spec
        return agent
    parameters = inspect.signature(kind).parameters
    own = tuple(
        each for each in spec.arguments if each[0] not in _FOR_SOME or each[0] in parameters
    )
    if isinstance(kind, type):
        agent = specs.build(kind, specs.Spec(spec.name, own), what="agent", game=game)
    else:
        try:
            inspect.signature(kind).bind(None, [], 0)
        except TypeError:
            taken = f"{_name(kind)} takes ({', '.join(parameters)})"
            raise blamed(kind, f"{taken}; it must take {_CALL}") from None
        if own:
            raise PetteiaError(f"agent {spec.name}: a function has no argument {own[0][0]}")
        agent = FunctionAgent(game, kind)
    agent.given = spec
    return agent


if __name__ == "__main__":
    on_standard_streams(specs.parse(sys.argv[1]), make)
