"""``petteia engine``: an agent for other arenas, over the protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from petteia import agents, games
from petteia.agents import child
from petteia.agents.server import on_standard_streams
from petteia.cli.options import GameSpec
from petteia.core import files
from petteia.core import spec as specs

__all__ = ["run"]


def run(
    game: GameSpec,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="an agent")] = "engine(time=1)",
) -> None:
    """Serves an agent on standard input and output; the host may name another game."""
    spec = specs.parse(agent)
    # A user's file needs no process of its own here: this is one.
    make = child.make if files.is_file_name(spec.name) else agents.make
    on_standard_streams(spec, make, games.make(game))
