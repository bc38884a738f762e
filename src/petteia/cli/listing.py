"""``petteia games``."""

from __future__ import annotations

import inspect
from typing import Any

from petteia import agents, games
from petteia.cli import output
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
    listed = []
    for name, kind in games.classes().items():
        listed.append(
            {
                "name": name,
                "about": (inspect.getdoc(kind) or "").split("\n")[0],
                "parameters": _parameters(kind),
                "variants": {
                    key: str(Spec(name, tuple(settings.items())))
                    for key, settings in kind.variants.items()
                },
                "evaluations": {key: each.about for key, each in kind.evaluations.items()},
                "default_evaluation": kind.default_evaluation,
                "agents": sorted(agents.available(kind)),
            }
        )
    return {
        "games": listed,
        "agents": [
            {"name": name, "about": kind.about, "parameters": _parameters(kind)}
            for name, kind in agents.AGENTS.items()
        ],
    }


def run(as_json: bool) -> None:
    """Prints what exists."""
    known = facts()
    if as_json:
        output.json_object(known)
        return
    for game in known["games"]:
        settings = ", ".join(f"{key}={value}" for key, value in game["parameters"].items())
        print(f"{game['name']}: {game['about']}\n  parameters: {settings}")
        output.table("", ["variant", "means"], game["variants"].items())
        output.table("", ["evaluation", ""], game["evaluations"].items())
        print()
    rows = [
        (each["name"], ", ".join(f"{k}={v}" for k, v in each["parameters"].items()), each["about"])
        for each in known["agents"]
    ]
    output.table("", ["agent", "parameters", ""], rows)
