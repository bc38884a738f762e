"""Exact solutions: what a solver is, and the files that keep what it found."""

from __future__ import annotations

from petteia.solve.control import Control, Stopped
from petteia.solve.solver import Solver
from petteia.solve.tablefile import TableFile, folder

__all__ = ["Control", "Solver", "Stopped", "TableFile", "folder"]
