"""What a visitor's text may name: no file, no program, nothing huge, unless code is allowed.

An agent's class says what it may be asked for (``Agent.for_visitors``). The class counts, not
the name: saved names are written out first, and agents inside an agent are looked at too.
"""

from __future__ import annotations

import inspect
import math
import re
import typing
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from petteia import agents, games
from petteia.core import files, saved
from petteia.core import spec as specs
from petteia.core.agent import Agent
from petteia.core.errors import PetteiaError
from petteia.core.game import Game

__all__ = ["agent_text", "game_of", "host_games", "in_words", "is_hosted"]

_LONGEST = 600
_DEEPEST = 2
"""Agents inside each other."""
_MOST = {"time": 10.0, "table": 64, "simulations": 2_000_000, "startup": 60.0}
"""The most of some arguments where code is allowed: longer searches are ended anyway."""
_FILE = re.compile(r"[/\\~]|\.(?:json|npy|npz|csv|txt|db|gz|py)$", re.IGNORECASE)
"""What could be the place of a file."""


_hosted: set[str] = set()
"""The files of games that who started the laboratory offers to everybody."""


def host_games(specs_of_games: Iterable[str]) -> None:
    """Visitors may name these files of games from now on."""
    _hosted.update(specs.parse(text).name for text in specs_of_games)


def is_hosted(game: Game) -> bool:
    """Whether a game comes from a file that the laboratory offers to everybody."""
    return game.spec.name in _hosted


def game_of(text: str, *, allow_code: bool = False) -> Game:
    """The game that a visitor names."""
    return _game(_plain(text), allow_code)


@lru_cache(maxsize=64)
def _game(text: str, allow_code: bool) -> Game:
    spec = specs.parse(text)
    if not allow_code:
        _refuse_files(specs.Spec("", spec.arguments) if spec.name in _hosted else spec)
    return games.make(spec)


def agent_text(text: str, game: Game, *, allow_code: bool = False) -> str:
    """The agent's spec that a visitor names, after it has been made once to see that it can be."""
    return _agent(_plain(text), game, allow_code)


@lru_cache(maxsize=256)
def _agent(text: str, game: Game, allow_code: bool) -> str:
    spec = specs.parse(text)
    if allow_code:
        _refuse_giants(spec)
    else:
        _refuse_agent(spec, game)
    agent: Agent = agents.make(spec, game)
    agent.close()
    if not allow_code and not all(_is_open(type(each), game) for each in _all_of(agent)):
        raise _no_code()
    return str(spec)


def _plain(text: str) -> str:
    if len(text) > _LONGEST:
        raise PetteiaError(f"a spec of {len(text)} characters is too long; at most {_LONGEST}")
    return text.strip()


def _no_code() -> PetteiaError:
    return PetteiaError(
        "this laboratory runs no code of visitors; start it with petteia lab --allow-code"
    )


def _refuse_giants(spec: specs.Spec) -> None:
    for key, value in spec.arguments:
        if isinstance(value, specs.Spec):
            _refuse_giants(value)
        elif isinstance(value, int | float):
            _refuse_more(key, value, _MOST.get(key, math.inf))


def _refuse_more(key: str, value: float, most: float) -> None:
    if abs(value) > most:
        raise PetteiaError(f"{key}={value} is more than this page allows; at most {most}")


def _refuse_files(spec: specs.Spec) -> None:
    """Whatever could be the place of a file, wherever it stands."""
    if files.is_file_name(spec.name) or _FILE.search(spec.name):
        raise _no_code()
    for key, value in spec.arguments:
        if isinstance(value, specs.Spec):
            _refuse_files(value)
        elif isinstance(value, str) and _FILE.search(value):
            raise PetteiaError(f"{key}={value!r} names a file, which visitors may not")


def _is_open(kind: type[Agent], game: Game) -> bool:
    """Whether an agent's own class, not one that it inherits from, lets visitors name it; or it
    stands in the file of a hosted game, which was offered with it."""
    is_offered = is_hosted(game) and kind.__module__ == type(game).__module__
    says_so = vars(kind).get("for_visitors") is not None
    return not kind.starts_programs and (says_so or is_offered)


def _all_of(agent: Agent) -> Iterator[Agent]:
    """An agent and those that it asks."""
    yield agent
    for inner in vars(agent).values():
        if isinstance(inner, Agent):
            yield from _all_of(inner)


def _refuse_agent(spec: specs.Spec, game: Game, inside: int = 0) -> None:
    """Goes by the classes that a spec means, after saved names were written out."""
    if inside > _DEEPEST:  # each may ask the next one many times
        raise PetteiaError(f"agents are nested too deeply; this page allows {_DEEPEST} levels")
    known = agents.available(game)
    _refuse_files(spec)
    spec = saved.written_out(spec, game, tuple(known))
    _refuse_files(spec)
    kind = known.get(spec.name)
    if kind is None:
        return  # making it says which ones exist
    if not _is_open(kind, game):
        raise _no_code()
    parameters = inspect.signature(kind, eval_str=True).parameters
    for key, value in spec.arguments:
        if key in parameters:
            _refuse_argument(kind, game, key, value, parameters[key].annotation, inside)


def _refuse_argument(
    kind: type[Agent], game: Game, key: str, value: specs.Value, annotation: Any, inside: int
) -> None:
    if specs.Spec in (typing.get_args(annotation) or (annotation,)):
        inner = specs.Spec(value) if isinstance(value, str) else value
        if isinstance(inner, specs.Spec) and key == "eval":
            _refuse_evaluation(inner, game)
        elif isinstance(inner, specs.Spec):
            _refuse_agent(inner, game, inside + 1)
    elif not isinstance(value, bool):
        allowed = kind.for_visitors or {}
        if key not in allowed:
            raise PetteiaError(f"agent {kind.name}: {key} is not for visitors of this page to set")
        if isinstance(value, int | float):
            _refuse_more(key, value, allowed[key])


def _refuse_evaluation(spec: specs.Spec, game: Game) -> None:
    _refuse_files(spec)
    if spec.name not in game.evaluations:
        kept = saved.find(spec.name, game)
        if kept is not None:
            _refuse_evaluation(specs.parse(kept.evaluation), game)


_PATH = re.compile(r"(?<![\w)])(?:[A-Za-z]:)?(?:[/\\][\w.+@ -]+){2,}[/\\]?")
"""The place of a file, but no move of backgammon such as 8/4 6/4."""


def in_words(error: BaseException) -> str:
    """An error as one line for a visitor, without the places of files."""
    words = _PATH.sub("(a file)", " ".join(str(error).split())).removesuffix(" in (a file)")
    return words[:500] or type(error).__name__
