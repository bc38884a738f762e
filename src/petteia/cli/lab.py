"""``petteia lab``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from petteia import games
from petteia.arena.store import default_path
from petteia.cli.options import Json, StoreName
from petteia.core.errors import PetteiaError

__all__ = ["Options", "run"]


@dataclass(frozen=True)
class Options:
    """How the laboratory is served."""

    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="games in files of your own, offered first"),
    ] = None
    port: Annotated[int, typer.Option(help="0 for any free port", min=0, max=65535)] = 8080
    host: Annotated[str, typer.Option(help="where to listen")] = "127.0.0.1"
    token: Annotated[str, typer.Option(help="a secret that visitors must give")] = ""
    allow_code: Annotated[
        bool, typer.Option("--allow-code", help="run agents and evaluations that visitors upload")
    ] = False
    workers: Annotated[int, typer.Option(help="searches at a time", min=0, max=256)] = 0
    store: StoreName = ""
    ladder: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="show the ladder of this folder while it is played"),
    ] = None
    open_page: Annotated[bool, typer.Option("--open", help="open the page in the browser")] = False
    as_json: Json = False


def run(options: Options) -> None:
    """Serves the laboratory until it is interrupted."""
    try:
        from petteia.web.ladder import site_of
        from petteia.web.serve import run as serve
        from petteia.web.settings import Settings
    except ImportError as error:
        if (error.name or "petteia").startswith("petteia"):
            raise
        raise PetteiaError(f"the laboratory needs {error.name}: pip install {error.name}") from None
    named = options.store or os.environ.get("PETTEIA_STORE", "")
    store = None if named == "off" else Path(named) if named else default_path()
    own = tuple(str(games.make(spec)) for spec in options.games or ())
    settings = Settings(
        options.host, options.port, options.token, options.allow_code, options.workers, store,
        games=own, ladder=options.ladder and site_of(options.ladder),
    )  # fmt: skip
    serve(settings, as_json=options.as_json, open_page=options.open_page)
