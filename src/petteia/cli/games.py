"""``petteia games``."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from petteia import agents, games
from petteia.cli import output
from petteia.cli.options import Json
from petteia.core import files
from petteia.core.agent import Agent
from petteia.core.errors import one_of
from petteia.core.game import Game, described
from petteia.core.spec import Spec

__all__ = ["run"]


def _parameters(kind: type) -> dict[str, Any]:
    found = inspect.signature(kind).parameters.values()
    return {
        parameter.name: None if parameter.default is parameter.empty else parameter.default
        for parameter in found
        if parameter.name != "game"
    }


def facts() -> dict[str, Any]:
    """What exists, as data."""
    listed = [_facts(name, kind) for name, kind in games.classes().items()]
    return {"games": listed, "agents": _described(agents.AGENTS)}


def _facts(name: str, kind: type[Game]) -> dict[str, Any]:
    return {
        "name": name,
        "about": described(kind),
        "parameters": _parameters(kind),
        "variants": {
            key: str(Spec(name, tuple(settings.items()))) for key, settings in kind.variants.items()
        },
        "evaluations": {key: each.about for key, each in kind.evaluations.items()},
        "default_evaluation": kind.default_evaluation,
        "agents": sorted(agents.available(kind)),
        "own_agents": _described(kind.agents),
    }


def _described(kinds: Mapping[str, type[Agent]]) -> list[dict[str, Any]]:
    return [
        {"name": name, "about": kind.about, "parameters": _parameters(kind)}
        for name, kind in kinds.items()
    ]


def run(
    game: Annotated[str, typer.Argument(metavar="GAME", help="all about one game")] = "",
    as_json: Json = False,
) -> None:
    """Prints what exists, or all about one game."""
    known = facts()
    if files.is_file_name(game):
        own = games.make(game)
        able = {"agents": sorted(agents.able(own))}
        known["games"] = [_facts(own.spec.name, type(own)) | able]
    elif game:
        names = [each["name"] for each in known["games"]]
        if game not in names:
            raise one_of(game, names, what="game")
        known["games"] = [known["games"][names.index(game)]]
    output.show(known, as_json, lambda: _one(known["games"][0]) if game else _all(known))


def _all(known: dict[str, Any]) -> None:
    output.table("", ["game", ""], [(game["name"], game["about"]) for game in known["games"]])
    print("\npetteia games GAME lists its variants, evaluations and own agents\n")
    _agents("agents for every game that they can play", known["agents"])


def _one(game: dict[str, Any]) -> None:
    settings = ", ".join(f"{key}={value}" for key, value in game["parameters"].items())
    print(f"{game['name']}: {game['about']}\n  parameters: {settings or 'none'}\n")
    if game["variants"]:
        output.table("", ["variant", "means"], game["variants"].items())
        print()
    if game["evaluations"]:
        output.table("", ["evaluation", ""], game["evaluations"].items())
    if game["own_agents"]:
        _agents("\nits own agents", game["own_agents"])


def _agents(title: str, described: list[dict[str, Any]]) -> None:
    rows = [
        (each["name"], ", ".join(f"{k}={v}" for k, v in each["parameters"].items()), each["about"])
        for each in described
    ]
    output.table(title, ["agent", "parameters", ""], rows)
