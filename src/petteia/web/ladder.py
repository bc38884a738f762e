"""The routes of a ladder: its standings while it is played, and the pages of its site.

The ladder itself is played by ``petteia ladder``, in another process; the laboratory only reads the
site that it writes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fastapi import HTTPException
from fastapi.responses import FileResponse

from petteia.core.errors import PetteiaError
from petteia.studies.ladder import FACTS, page_of
from petteia.web.lab import TheLab
from petteia.web.messages.ladder import LadderRow, LadderShown
from petteia.web.router import Router

__all__ = ["router", "site_of"]

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_SERVED = (".csv", ".html", ".json")
_SCRIPT = "replay.js"

router = Router()


def site_of(folder: Path) -> Path:
    """The folder of the site: the folder itself, or the one in a folder of submissions."""
    if not folder.is_dir():
        raise PetteiaError(f"there is no folder {str(folder)!r}")
    return (folder if (folder / FACTS).exists() else folder / "_site").resolve()


def _site(lab: TheLab) -> Path:
    if lab.settings.ladder is None:
        raise HTTPException(404, "this laboratory shows no ladder")
    return lab.settings.ladder


@router.get("/api/ladder")
def ladder(lab: TheLab) -> LadderShown:
    """The standings as they are now."""
    try:
        facts = json.loads((_site(lab) / FACTS).read_text("utf-8"))
        return _shown(facts)
    except FileNotFoundError:
        raise HTTPException(404, "the ladder has not begun: run petteia ladder") from None
    except (OSError, ValueError, KeyError, TypeError):
        raise HTTPException(404, f"{FACTS} of the ladder cannot be read") from None


def _shown(facts: dict[str, Any]) -> LadderShown:
    rows = [*facts["ranking"], *facts["baselines"]]
    rows.sort(key=lambda row: (row["rating"] is None, -(row["rating"] or 0.0)))
    return {
        "game": facts["game"],
        "pairs": facts["pairs"],
        "missing": facts["missing"],
        "rows": [_row(row) for row in rows],
    }


def _row(row: dict[str, Any]) -> LadderRow:
    return {
        "name": row["name"],
        "page": f"/ladder/submissions/{page_of(row['name'], row['status'])}",
        "status": row["status"],
        "message": row["message"],
        "rank": row["rank"],
        "rating": row["rating"],
        "interval": row["interval"],
        "points": row["points"],
        "games": row["games"],
        "forfeits": row["forfeits"],
        "late": row["late"],
    }


@router.get("/ladder/{path:path}", include_in_schema=False)
def page(path: str, lab: TheLab) -> FileResponse:
    """A page or a file of the site."""
    site = _site(lab)
    found = (site / (path or "index.html")).resolve()
    served = found.suffix in _SERVED or found == site / _SCRIPT
    if not (served and found.is_relative_to(site) and found.is_file()):
        raise HTTPException(404, "there is no such page")
    return FileResponse(found, headers={"content-security-policy": _POLICY})
