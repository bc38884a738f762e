"""The player for the course's referee: legal to the end, inside both limits, wherever it lies."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import petteia
from petteia.cli.replay import checked
from petteia.games.ropasci import RoPaSci

COURSE = Path(__file__).parent / "course"
PLAYER = "petteia.referee_player"

# Enough to see that it plays to the end; a game in full takes its share of 60 s.
QUICK = """
import petteia.games.ropasci.course as module
module._SECONDS, module._LITTLE = 4.0, 0.2
Player = module.Player
"""


def play(
    folder: Path, *players: str, limits: tuple[str, ...] = ("-t", "60", "-s", "100"),
    environment: dict[str, str] | None = None,
) -> tuple[str, str]:  # fmt: skip
    """A game under the referee in a folder: what it printed, and the log."""
    log = folder / "game.log"
    done = subprocess.run(
        [sys.executable, "-m", "referee", *limits, "-l", str(log), *players],
        cwd=folder, capture_output=True, text=True, timeout=600, check=False,
        env={**os.environ, **(environment or {})},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, log.read_text()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(COURSE / "referee", tmp_path / "referee")
    (tmp_path / "quick.py").write_text(QUICK)
    return tmp_path


@pytest.mark.slow
def test_a_whole_game_is_legal_and_inside_both_limits(folder: Path) -> None:
    printed, log = play(folder, "quick", "quick")
    assert re.search(r"^(winner|draw): ", printed, re.MULTILINE)
    for colour in ("upper", "lower"):
        used = re.search(rf"time {colour}: ([\d.]+)", printed)
        assert used is not None
        assert float(used[1]) < 60
    game = RoPaSci()
    found = game.foreign_games(log)
    assert found is not None
    (record,) = found.whole()
    assert checked(game, record, refereed=found.refereed).differences == []


@pytest.mark.slow
def test_it_works_from_a_folder_beside_the_referee(folder: Path) -> None:
    source = Path(petteia.__file__).parent
    shutil.copytree(source, folder / "petteia", ignore=shutil.ignore_patterns("__pycache__"))
    where = folder / "where.py"
    where.write_text(f"{QUICK}\nassert module.__file__.startswith({str(folder)!r})\n")
    printed, _ = play(folder, "where", "quick", environment={"PYTHONPATH": ""})
    assert re.search(r"^(winner|draw): ", printed, re.MULTILINE)


def test_without_a_compiler_it_still_plays(folder: Path) -> None:
    printed, _ = play(folder, PLAYER, PLAYER, environment={"PETTEIA_INTERPRET": "1"})
    assert re.search(r"^(winner|draw): ", printed, re.MULTILINE)


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of memory there")
def test_too_little_memory_to_compile_costs_no_game(folder: Path) -> None:
    # As under ``ulimit -v``, where another process is asked to compile and never comes back.
    (folder / "tight.py").write_text(
        "import resource, subprocess\n"
        "resource.getrlimit = lambda which: (2**28, 2**28)\n"
        "def never(*args, **named): raise subprocess.TimeoutExpired('compiling', 1)\n"
        "subprocess.run = never\n"
        "import petteia.games.ropasci.course as module\n"
        "assert module._AGENT is None\n"
        "Player = module.Player\n"
    )
    printed, _ = play(folder, "tight", "tight")
    assert re.search(r"^(winner|draw): ", printed, re.MULTILINE)


def test_a_search_that_fails_costs_no_game(folder: Path) -> None:
    (folder / "broken.py").write_text(
        "import petteia.games.ropasci.course as module\n"
        "class Broken:\n"
        "    time = 0.0\n"
        "    def follow(self, line): raise MemoryError('no memory')\n"
        "module._AGENT = Broken()\n"
        "Player = module.Player\n"
    )
    printed, _ = play(folder, "broken", "broken", environment={"PETTEIA_INTERPRET": "1"})
    assert re.search(r"^(winner|draw): ", printed, re.MULTILINE)
