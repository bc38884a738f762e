"""GNU Backgammon as a program that is given orders, where it is installed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from petteia.games.backgammon.programs import program

__all__ = ["gnubg_program", "run_gnubg"]


def gnubg_program() -> str:
    """Where it is; the test is skipped if it is not installed."""
    found = program()
    if found is None:
        pytest.skip("GNU Backgammon (gnubg) is not installed")
    return found


def run_gnubg(folder: Path, *options: str) -> str:
    """Runs it without a person and without settings of its own; gives what it printed."""
    done = subprocess.run(
        [gnubg_program(), "-t", "-q", "-r", *options], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=1800, check=False, cwd=folder,
        env={"HOME": str(folder)},
    )  # fmt: skip
    return done.stdout.decode(errors="replace")
