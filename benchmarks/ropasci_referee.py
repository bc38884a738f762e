"""Whole games of our player under a referee as the course's, inside its limits.

    python benchmarks/ropasci_referee.py [--rival AGENT ...] [--pairs 1] [--workers 1]
                                         [--folder] [--memory MB]

Every game is a process of its own: ``python -m referee -t 60 -s 100 UPPER LOWER``, colours swapped
in the second game of a pair. ``--rival`` names who plays against our player; without it our player
meets itself. ``--folder`` copies the package beside the referee rather than using the installed
one; ``--memory`` forbids the process more virtual memory than so many MB.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import site
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import petteia

REFEREE = Path(__file__).parents[1] / "tests" / "games" / "ropasci" / "course" / "referee"
OURS = "petteia.referee_player"
RIVAL = """
import os
import petteia.games.ropasci.course as ours
from petteia import agents
from petteia.core.seeds import derive

AGENT = agents.make(os.environ["RIVAL"], ours.GAME)
AGENT.prepare(ours.GAME.start())

class Player(ours.Player):
    def _searched(self):
        AGENT.follow(self.line)
        seed = derive(self.seed, self.turn)
        return int(AGENT.choose(self.p, seed=seed, player=self.side).move)
"""


def game(folder: Path, rival: str, seat: int, megabytes: int | None) -> dict[str, str]:
    """A game with our player as upper (0) or lower (1): what the referee printed."""
    players = [OURS, "rival" if rival else OURS]
    outside = str(Path(petteia.__file__).parents[1])
    alone = (folder / "petteia").exists() or outside in site.getsitepackages()

    def limit() -> None:
        if megabytes:
            resource.setrlimit(resource.RLIMIT_AS, (megabytes * 2**20, megabytes * 2**20))

    done = subprocess.run(
        [sys.executable, "-m", "referee", "-t", "60", "-s", "100",
         *(players if seat == 0 else players[::-1])],
        cwd=folder, capture_output=True, text=True, check=False, preexec_fn=limit,
        env={**os.environ, "RIVAL": rival, "PYTHONPATH": "" if alone else outside},
    )  # fmt: skip
    found = dict(re.findall(r"^(time upper|time lower|space|turns): (\S+)", done.stdout, re.M))
    lines = done.stdout.strip().splitlines() or ["nothing was printed: " + done.stderr[-300:]]
    colour = ("upper", "lower")[seat]
    won = {"winner: upper": "lost", "winner: lower": "lost", f"winner: {colour}": "won"}
    return {
        "rival": rival or "itself", "colour": colour, "turns": found.get("turns", ""),
        "seconds": found.get(f"time {colour}", ""), "megabytes": found.get("space", ""),
        "end": won.get(lines[-1], lines[-1]) if rival else lines[-1],
    }  # fmt: skip


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rival", nargs="+", default=[""])
    options.add_argument("--pairs", type=int, default=1)
    options.add_argument("--workers", type=int, default=1)
    options.add_argument("--folder", action="store_true")
    options.add_argument("--memory", type=int)
    given = options.parse_args()
    where = "a folder beside the referee" if given.folder else str(Path(petteia.__file__).parent)
    print(f"petteia: {where}\n")
    print("| rival | colour | turns | seconds | megabytes | end |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(given.workers) as pool:
        folder = Path(name)
        shutil.copytree(REFEREE, folder / "referee")
        (folder / "rival.py").write_text(RIVAL)
        if given.folder:
            shutil.copytree(
                Path(petteia.__file__).parent, folder / "petteia",
                ignore=shutil.ignore_patterns("__pycache__"),
            )  # fmt: skip
        tasks = [(rival, seat) for rival in given.rival for _ in range(given.pairs)
                 for seat in (0, 1)]  # fmt: skip
        for found in pool.map(lambda task: game(folder, *task, given.memory), tasks):
            print("| " + " | ".join(found.values()) + " |", flush=True)


if __name__ == "__main__":
    main()
