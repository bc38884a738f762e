"""What a visitor's text may name: no file, no program and no giant, unless code is allowed."""

from __future__ import annotations

import re
from functools import lru_cache

from petteia import agents, games
from petteia.core import files
from petteia.core import spec as specs
from petteia.core.agent import Agent
from petteia.core.errors import PetteiaError
from petteia.core.game import Game

__all__ = ["PERSON", "agent_text", "game_of", "in_words"]

PERSON = "person"
"""Stands for a human where an agent's spec could stand."""
_LONGEST = 600
_MOST = {"time": 10.0, "table": 64, "simulations": 2_000_000, "startup": 60.0}
"""Arguments that cost time or memory, and the most that a visitor may ask for."""
_RUNS_PROGRAMS = ("external",)
_FILE = re.compile(r"[/\\~]|\.(?:json|npy|npz|csv|txt|db|gz|py)$", re.IGNORECASE)
"""What could be the place of a file."""


def game_of(text: str, *, allow_code: bool = False) -> Game:
    """The game that a visitor names."""
    return _game(_plain(text), allow_code)


@lru_cache(maxsize=64)
def _game(text: str, allow_code: bool) -> Game:
    spec = specs.parse(text)
    _refuse(spec, allow_code)
    return games.make(spec)


def agent_text(text: str, game: Game, *, allow_code: bool = False) -> str:
    """The agent's spec that a visitor names, after it has been made once to see that it can be."""
    return _agent(_plain(text), game, allow_code)


@lru_cache(maxsize=256)
def _agent(text: str, game: Game, allow_code: bool) -> str:
    spec = specs.parse(text)
    _refuse(spec, allow_code)
    agent: Agent = agents.make(spec, game)
    close = getattr(agent, "close", None)
    if close is not None:
        close()
    return str(spec)


def _plain(text: str) -> str:
    if len(text) > _LONGEST:
        raise PetteiaError(f"a spec of {len(text)} characters is too long; at most {_LONGEST}")
    return text.strip()


def _refuse(spec: specs.Spec, allow_code: bool) -> None:
    named = files.is_file_name(spec.name) or _FILE.search(spec.name)
    if not allow_code and (named or spec.name in _RUNS_PROGRAMS):
        raise PetteiaError(
            "this laboratory runs no code of visitors; start it with petteia lab --allow-code"
        )
    for key, value in spec.arguments:
        if isinstance(value, specs.Spec):
            _refuse(value, allow_code)
        elif isinstance(value, str) and not allow_code and _FILE.search(value):
            raise PetteiaError(f"{key}={value!r} names a file, which visitors may not")
        elif key in _MOST and isinstance(value, int | float) and value > _MOST[key]:
            raise PetteiaError(f"{key}={value} is more than this page allows; at most {_MOST[key]}")


_PATH = re.compile(r"(?<![\w)])(?:[A-Za-z]:)?(?:[/\\][\w.+@ -]+){2,}[/\\]?")
"""The place of a file, but no move of backgammon such as 8/4 6/4."""


def in_words(error: BaseException) -> str:
    """An error as one line for a visitor, without the places of files."""
    words = _PATH.sub("(a file)", " ".join(str(error).split())).removesuffix(" in (a file)")
    return words[:500] or type(error).__name__
