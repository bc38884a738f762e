"""Options that several commands have, declared once; and how a command gets its options."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

__all__ = [
    "AgentPart", "Cluster", "Device", "Folder", "GameFilter", "GameSpec", "Json", "Judge", "Limit",
    "Openings", "Pieces", "PositionText", "ProofSeconds", "Seed", "Side", "StoreName", "StorePath",
    "Svg", "WorkersName", "as_function",
]  # fmt: skip

GameSpec = Annotated[str, typer.Argument(metavar="GAME", help="a game, a variant, or a file")]
PositionText = Annotated[str, typer.Argument(help="a position, or start")]
Device = Annotated[str, typer.Option(help="cpu, or gpu (NVIDIA, needs CuPy)")]
Json = Annotated[bool, typer.Option("--json", help="print one JSON object")]
Seed = Annotated[int, typer.Option(help="seed of everything random", min=0)]
Svg = Annotated[Path | None, typer.Option(help="write the board as SVG here")]
Folder = Annotated[Path, typer.Option(help="folder for the report")]
Pieces = Annotated[str, typer.Option(help="the position by its pieces, with --side")]
Side = Annotated[str, typer.Option(help="the side to move, with --pieces")]
ProofSeconds = Annotated[float, typer.Option(help="how long to look for a proof", min=0.01)]
Judge = Annotated[
    str, typer.Option("--agent", help="the agent that judges; default: perfect play, if known")
]
Openings = Annotated[
    str, typer.Option(help="random, random(plies=6), none, or a list of the game's")
]
WorkersName = Annotated[str, typer.Option(help="serial, or a number of processes")]
Cluster = Annotated[str, typer.Option(help="a Dask cluster: tcp://host:port or local:3")]
StoreName = Annotated[str, typer.Option(help="a store other than the user's own; off for none")]
StorePath = Annotated[Path | None, typer.Option(help="another store")]
GameFilter = Annotated[str | None, typer.Option(help="only series or games of this game")]
AgentPart = Annotated[
    str | None, typer.Option(help="only where an agent's spec contains this text")
]
Limit = Annotated[int | None, typer.Option(help="how many", min=1)]


def as_function(run: Callable[..., None]) -> Callable[..., None]:
    """A command as Typer wants it: the fields of its ``options``, a dataclass, are parameters."""
    kind: Callable[..., Any] | None = get_type_hints(run).get("options")
    if kind is None:
        return run
    hints = get_type_hints(kind, include_extras=True)
    fields = inspect.signature(kind).parameters.values()

    def command(**given: Any) -> None:
        run(kind(**given))

    command.__name__, command.__doc__ = run.__name__, run.__doc__
    parameters = [each.replace(annotation=hints[each.name]) for each in fields]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return command
