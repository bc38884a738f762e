"""Exact solutions: what a solver is, and the files that keep what it found."""

from __future__ import annotations

from petteia.solve.control import Control, Stopped
from petteia.solve.kept import SAMPLE, KeptTable, sample_text
from petteia.solve.solver import Solver
from petteia.solve.sweeps import Sweeps
from petteia.solve.tablefile import REPAIR, TableFile, folder

__all__ = [
    "REPAIR", "SAMPLE", "Control", "KeptTable", "Solver", "Stopped", "Sweeps", "TableFile",
    "folder", "sample_text",
]  # fmt: skip
