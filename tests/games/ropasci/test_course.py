"""The player for the course's referee: legal to the end, inside both limits, wherever it lies."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import petteia
from petteia.cli.replay import checked
from petteia.games.ropasci import RoPaSci
from petteia.games.ropasci.course import plain_player
from petteia.games.ropasci.face import notation
from tests.positions import random_positions

COURSE = Path(__file__).parent / "course"

# Enough to see that it plays to the end; a game in full takes its share of 60 s.
QUICK = """
import petteia.games.ropasci.course as module
module._SECONDS, module._LITTLE = 4.0, 0.2
Player = module.Player
"""

# A player that has used up its time plays any action: the game soon ends.
BRIEF = """
import petteia.games.ropasci.course as module
module.plain_player.SECONDS = 0.2
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
    (tmp_path / "brief.py").write_text(BRIEF)
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
    printed, _ = play(folder, "brief", "brief", environment={"PETTEIA_INTERPRET": "1"})
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
        "module.plain_player.SECONDS = 0.2\n"
        "Player = module.Player\n"
    )
    printed, _ = play(folder, "tight", "tight")
    assert re.search(r"^(winner|draw): ", printed, re.MULTILINE)


def test_a_search_that_fails_costs_no_game(folder: Path) -> None:
    (folder / "broken.py").write_text(
        "import petteia.games.ropasci.course as module\n"
        "from petteia.search.contract import Limits\n"
        "class Broken:\n"
        "    limits = Limits()\n"
        "    def follow(self, line): raise MemoryError('no memory')\n"
        "module._AGENT = Broken()\n"
        "module.plain_player.SECONDS = 0.2\n"
        "Player = module.Player\n"
    )
    printed, _ = play(folder, "broken", "broken", environment={"PETTEIA_INTERPRET": "1"})
    assert re.search(r"^(winner|draw): ", printed, re.MULTILINE)


def test_on_a_busy_machine_a_search_gets_its_processor_time(folder: Path) -> None:
    (folder / "waits.py").write_text(
        "import time\n"
        "import petteia.games.ropasci.course as module\n"
        "from petteia.search.contract import Limits\n"
        "class Waits:\n"
        "    limits, asked = Limits(), []\n"
        "    def follow(self, line): pass\n"
        "    def choose(self, p, seed, player):\n"
        "        self.asked.append(self.limits.seconds)\n"
        "        time.sleep(0.2)  # as where others have the processor\n"
        "        return type('Chosen', (), {'move': module.GAME.legal_moves(p, player)[0]})\n"
        "module._AGENT = Waits()\n"
        "player = module.Player('upper')\n"
        "player.action(), player.action()\n"
        "first, second = Waits.asked\n"
        "print(second / first)\n"
    )
    done = subprocess.run(
        [sys.executable, "waits.py"], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "PETTEIA_INTERPRET": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) == pytest.approx(4.0, rel=0.01)


PLAIN = Path(petteia.__file__).parent / "games" / "ropasci" / "course" / "plain_player.py"


def test_the_player_in_one_file_is_python_of_2017_and_needs_only_numpy() -> None:
    tree = ast.parse(PLAIN.read_text(), feature_version=(3, 6))
    names = [
        each.name for node in ast.walk(tree) if isinstance(node, ast.Import) for each in node.names
    ]
    froms = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert {*names, *froms} == {"random", "time", "typing", "numpy"}


def test_the_player_in_one_file_knows_the_rules() -> None:
    game = RoPaSci()
    rng = np.random.default_rng(3)
    for p in random_positions(game, 40, seed=5):
        board = plain_player.Board(
            np.array(
                [
                    [
                        [
                            notation.counts_at(p, n)[player] * (notation.symbol_on(p, n) == symbol)
                            for n in range(61)
                        ]
                        for symbol in "rps"
                    ]
                    for player in (0, 1)
                ]
            ),
            (9 - game.thrown(p, 0), 9 - game.thrown(p, 1)),
        )
        chosen = []
        for player in (0, 1):
            legal = game.legal_moves(p, player)
            told = {plain_player.told(action): action for action in board.actions(player)}
            assert {notation.action_of(move) for move in legal} == set(told)
            chosen.append(int(rng.choice(legal)))
        acted = [
            plain_player.understood(board, player, notation.action_of(move))
            for player, move in enumerate(chosen)
        ]
        after, q = board.after(*acted), game.play_both(p, *chosen)
        for n in range(61):
            counts = notation.counts_at(q, n)
            assert [int(after.tokens[player, :, n].sum()) for player in (0, 1)] == list(counts[:2])


def test_the_player_in_one_file_plays_an_equilibrium() -> None:
    payoffs = np.array([[0.0, -1.0, 2.0], [1.0, 0.0, -1.0], [-2.0, 1.0, 0.0]])
    mixed = plain_player.equilibrium(payoffs, rounds=3000)
    assert mixed == pytest.approx([0.25, 0.5, 0.25], abs=0.02)


def started_from_a_copy(folder: Path, before: str, missing: str = "") -> tuple[str, str]:
    """Who plays from a copy of the package without a file, and what is said on standard error."""
    source = Path(petteia.__file__).parent
    shutil.copytree(source, folder / "petteia", ignore=shutil.ignore_patterns("__pycache__"))
    if missing:
        (folder / "petteia" / missing).unlink()
    (folder / "without.py").write_text(
        f"import sys\n{before}\n"
        "from petteia.referee_player import Player\n"
        "Player('upper').action()\n"
        "print(Player.__module__)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", "import without"], cwd=folder, capture_output=True, text=True,
        check=False, env={**os.environ, "PYTHONPATH": ""},
    )  # fmt: skip
    return done.stdout.strip(), done.stderr


def test_a_missing_package_is_named_and_a_game_played(folder: Path) -> None:
    # As where it is not installed.
    who, said = started_from_a_copy(folder, "sys.modules['platformdirs'] = None")
    assert who == "plain_player"
    (line,) = said.splitlines()
    assert "plain_player plays; no platformdirs: pip install" in line


def test_a_missing_file_is_named_and_a_game_played(folder: Path) -> None:
    weights = "games/ropasci/evaluations/learned.json"
    who, said = started_from_a_copy(folder, "", missing=weights)
    assert who == "plain_player"
    (line,) = said.splitlines()
    assert "learned.json" in line
    assert "copy all of it" in line


def test_without_numpy_nobody_plays_and_a_line_says_why(folder: Path) -> None:
    who, said = started_from_a_copy(folder, "sys.modules['numpy'] = None")
    assert who == ""
    assert said.splitlines()[-1].startswith(
        "ImportError: petteia.referee_player: no player: no numpy: pip install"
    )
