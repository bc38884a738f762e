"""``petteia targets``."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from petteia import games
from petteia.cli import output
from petteia.cli.options import Json
from petteia.compiled import targets
from petteia.core.errors import PetteiaError
from petteia.search.playout import RandomPlay

__all__ = ["run"]


def run(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="GAME...", help="games or files; default: all")
    ] = None,
    as_json: Json = False,
) -> None:
    """Compiles random play of every game for every kind of processor."""
    facts: dict[str, dict[str, Any]] = {}
    rows = []
    for name in names or games.names():
        made = games.make(name)
        found = facts[str(made)] = {}
        for target in targets.TARGETS.values():
            found[target.name] = _tried(RandomPlay(made), target)
            rows.append([str(made), target.name, *_shown(found[target.name])])
    columns = ["game", "target", "compiles", "bytes", "seconds"]
    text = "random play, compiled; kept code takes no time"
    output.show({"games": facts}, as_json, lambda: output.table(text, columns, rows))
    if not all(each["compiles"] for found in facts.values() for each in found.values()):
        raise typer.Exit(1)


def _tried(play: RandomPlay, target: targets.Target) -> dict[str, Any]:
    started = time.perf_counter()
    try:
        code = play.batch.code_for(target, *play.arguments(0, 1)).code
    except PetteiaError as error:
        return {"compiles": False, "why": str(error)}
    return {"compiles": True, "bytes": len(code), "seconds": time.perf_counter() - started}


def _shown(found: dict[str, Any]) -> tuple[Any, ...]:
    if not found["compiles"]:
        return ("no: " + found["why"], "", "")
    return ("yes", f"{found['bytes']:,}", f"{found['seconds']:.2f}")
