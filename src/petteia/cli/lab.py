"""``petteia lab``."""

from __future__ import annotations

import os
from pathlib import Path

from petteia.arena.store import default_path
from petteia.core.errors import PetteiaError

__all__ = ["run"]


def run(
    host: str,
    port: int,
    token: str,
    allow_code: bool,
    workers: int,
    store: str,
    open_page: bool,
    as_json: bool,
) -> None:
    """Serves the laboratory until it is interrupted."""
    try:
        from petteia.web.serve import run as serve
        from petteia.web.settings import Settings
    except ImportError as error:
        if (error.name or "petteia").startswith("petteia"):
            raise
        raise PetteiaError(f"the laboratory needs {error.name}: pip install {error.name}") from None
    wish = store or os.environ.get("PETTEIA_STORE", "")
    where = None if wish == "off" else Path(wish) if wish else default_path()
    settings = Settings(host, port, token, allow_code, workers, where)
    serve(settings, as_json=as_json, open_page=open_page)
