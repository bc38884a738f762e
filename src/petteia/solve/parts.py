"""What an unfinished solution keeps on disk, so that the same command can go on from it."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from petteia.core.errors import PetteiaError
from petteia.solve.tablefile import TableFile

__all__ = ["Parts"]


class Parts:
    """A folder of arrays that belong together."""

    def __init__(self, folder: Path, of: str) -> None:
        """``of`` says whose they are: those of other rules are not taken."""
        self.folder, self.of = folder, of

    def save(self, facts: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        """Writes the arrays, each with the facts."""
        for name, array in arrays.items():
            TableFile.write(self._path(name), f"part-{name}", self.of, array, facts)

    def load(self, names: Iterable[str]) -> tuple[dict[str, Any], dict[str, np.ndarray]] | None:
        """The facts and the arrays; None if one is missing, damaged, or of another moment."""
        found, facts = dict[str, np.ndarray](), dict[str, Any]()
        for name in names:
            path = self._path(name)
            if not path.exists():
                return None
            try:
                part = TableFile.open(path, f"part-{name}", self.of)
                part.check()
            except PetteiaError:  # it is worked out again
                return None
            if found and dict(part.facts) != facts:
                return None
            facts, found[name] = dict(part.facts), part.data
        return facts, found

    def clear(self) -> None:
        """Forgets everything."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.part"
