"""Weights with a name: what a tuner found, used wherever an agent or an evaluation is named.

A saved file is only a name for a spec. ``greedy(eval=mine)`` means ``greedy(eval=strides(own=0.9,
...))``, and ``mine`` alone means the agent that was tuned; series keep the spec in full, so that
they can be repeated where the file is not.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import platformdirs

from petteia.core import spec as specs
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.writing import make_folder, write_whole

__all__ = ["Saved", "find", "folder", "names", "save", "written_out"]

_NAME = re.compile(r"[A-Za-z_][\w-]*")
_KIND = "petteia weights"


@dataclass(frozen=True)
class Saved:
    """A tuned agent and where it came from."""

    game: str
    agent: str
    """The spec of the agent with its weights."""
    evaluation: str
    """The spec of its evaluation alone."""
    facts: dict[str, Any] = field(default_factory=dict)
    """How it was found, for people."""


def folder() -> Path:
    """Where weights are kept: the user's data folder, or what ``PETTEIA_WEIGHTS`` names."""
    named = os.environ.get("PETTEIA_WEIGHTS")
    return Path(named) if named else Path(platformdirs.user_data_dir("petteia")) / "weights"


def _is_path(name: str) -> bool:
    return name.endswith(".json")


def _path(name: str) -> Path:
    return Path(name).expanduser() if _is_path(name) else folder() / f"{name}.json"


def names() -> list[str]:
    """The names that are kept."""
    return sorted(file.stem for file in folder().glob("*.json"))


def save(name: str, saved: Saved) -> Path:
    """Keeps weights under a name, or in the file that a name ending in ``.json`` means."""
    if not _is_path(name) and not _NAME.fullmatch(name):
        raise PetteiaError(
            f"{name!r} is not a name for weights; letters, digits, _ and -, or a file such as "
            "./mine.json"
        )
    path = _path(name)
    make_folder(path.parent)
    text = json.dumps({"kind": _KIND, **asdict(saved)}, ensure_ascii=False, indent=1)
    write_whole(path, text + "\n")
    return path


def find(name: str, game: Game | None = None) -> Saved | None:
    """The weights of this name; None where there are none. A file that is named must be there."""
    if not _is_path(name) and not _NAME.fullmatch(name):
        return None
    path = _path(name)
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        if _is_path(name):
            raise PetteiaError(f"there is no file {name!r}") from None
        return None
    except OSError as error:
        raise PetteiaError(f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        content = None
    if not isinstance(content, dict) or content.get("kind") != _KIND:
        raise PetteiaError(f"{path} does not hold weights; petteia tune --save writes such files")
    try:
        saved = Saved(**{key: value for key, value in content.items() if key != "kind"})
        wanted = specs.parse(saved.game).name
    except TypeError:
        raise PetteiaError(
            f"{path} does not hold weights; petteia tune --save writes such files"
        ) from None
    if game is not None and wanted != game.spec.name:
        raise PetteiaError(f"the weights {name} are for {wanted}, not for {game.spec.name}")
    return saved


def _with(spec: specs.Spec, arguments: tuple[tuple[str, specs.Value], ...]) -> specs.Spec:
    return specs.Spec(spec.name, tuple({**dict(spec.arguments), **dict(arguments)}.items()))


def written_out(spec: specs.Spec, game: Game, known: tuple[str, ...] = ()) -> specs.Spec:
    """The agent's spec with saved names replaced by what they stand for.

    ``known`` are the agents that go by their own names.
    """
    if spec.name not in known:
        saved = find(spec.name, game)
        if saved is not None:
            spec = _with(specs.parse(saved.agent), spec.arguments)
    arguments = dict(spec.arguments)
    evaluation = arguments.get("eval")
    if isinstance(evaluation, str):
        evaluation = specs.Spec(evaluation)
    if isinstance(evaluation, specs.Spec) and evaluation.name not in game.evaluations:
        saved = find(evaluation.name, game)
        if saved is not None:
            arguments["eval"] = _with(specs.parse(saved.evaluation), evaluation.arguments)
            return specs.Spec(spec.name, tuple(arguments.items()))
    return spec
