"""Petteia: a laboratory for classical game AI.

    from petteia import agents, games, Position
    game = games.make("breakthrough")
    agent = agents.make("engine(time=0.1)", game)

Names are imported when they are first used, so that the command line answers at once.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from petteia import agents, arena, games
    from petteia.arena.results import Series, match
    from petteia.check import check_game
    from petteia.compiled import (
        byte_swap,
        leading_zeros,
        mix,
        nth_bit,
        popcount,
        trailing_zeros,
        with_word,
    )
    from petteia.core.errors import PetteiaError
    from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, TERMINAL, Game
    from petteia.core.position import Position
    from petteia.core.words import U, Words

__version__ = "0.2.0"

__all__ = [
    "CHANCE", "DECISION", "SIMULTANEOUS", "TERMINAL", "Game", "PetteiaError", "Position", "Series",
    "U", "Words", "agents", "arena", "byte_swap", "check_game", "games", "leading_zeros", "match",
    "mix", "nth_bit", "popcount", "trailing_zeros", "with_word",
]  # fmt: skip

_WORD_TOOLS = (
    "byte_swap", "leading_zeros", "mix", "nth_bit", "popcount", "trailing_zeros", "with_word",
)  # fmt: skip
_HOMES = {
    "agents": "petteia.agents",
    "arena": "petteia.arena",
    "games": "petteia.games",
    "check_game": "petteia.check",
    **dict.fromkeys(("Series", "match"), "petteia.arena.results"),
    "PetteiaError": "petteia.core.errors",
    "Position": "petteia.core.position",
    **dict.fromkeys(("U", "Words"), "petteia.core.words"),
    **dict.fromkeys(
        ("CHANCE", "DECISION", "SIMULTANEOUS", "TERMINAL", "Game"), "petteia.core.game"
    ),
    **dict.fromkeys(_WORD_TOOLS, "petteia.compiled"),
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(home)
    return module if home == f"{__name__}.{name}" else getattr(module, name)


def __dir__() -> list[str]:
    return __all__
