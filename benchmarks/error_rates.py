"""Backgammon: what players lose a decision, as GNU Backgammon judges.

    petteia match backgammon network network --pairs 100 --seed 71 --records games.mat
    python benchmarks/error_rates.py games.mat [FILE ...] [--plies 2] [--every 2]

Files of games for money without the cube. Both games of a pair of one agent against itself are the
same game, so that every second one is judged. For each file: what a play loses that is no matter of
course, in thousandths of a point, with the standard error over games. With 2 plies a game takes
some seconds.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from petteia.games.backgammon.programs import program

SCRIPT = """
import gnubg, json
for order in {orders!r}:
    gnubg.command(order)
for name in {names!r}:
    gnubg.command("import mat " + name)
    gnubg.command("analyse match")
    (game,) = gnubg.match(1, 0, 1, 0)["games"]
    moves = [game["stats"][side]["moves"] for side in "XO"]
    with open("found.jsonl", "a") as file:
        row = [(each["unforced-moves"], each["error-skill"]) for each in moves]
        file.write(json.dumps(row) + chr(10))
"""


def single_games(path: Path, every: int) -> list[str]:
    """The text of each game that is to be judged, as a file of its own."""
    head, *games = re.split(r"(?m)^(?= Game \d+$)", path.read_text())
    return [head + re.sub(r"^ Game \d+", " Game 1", game) for game in games[::every]]


def judged(path: Path, plies: int, every: int) -> str:
    """One line of the table."""
    games = single_games(path, every)
    orders = ["set display off", "set automatic game off", "set threads 1",
              "set analysis cube off", "set analysis luck off",
              f"set analysis chequerplay evaluation plies {plies}",
              "set analysis chequerplay evaluation cubeful off"]  # fmt: skip
    with tempfile.TemporaryDirectory() as place:
        folder, names = Path(place), [f"{number}.mat" for number in range(len(games))]
        for name, game in zip(names, games, strict=True):
            (folder / name).write_text(game)
        (folder / "script.py").write_text(SCRIPT.format(orders=orders, names=names))
        found = folder / "found.jsonl"
        found.touch()
        with subprocess.Popen(
            [str(program()), "-t", "-q", "-r", "-p", "script.py"], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, cwd=folder, env={"HOME": place},
        ) as running:  # fmt: skip
            while running.poll() is None:
                time.sleep(1)
                done = found.read_text().count("\n")
                print(f"{path.name}: {done} of {len(games)} games", end="\r", flush=True)
        rows = [json.loads(line) for line in found.read_text().splitlines()]
    if len(rows) < len(games):
        raise SystemExit(f"{path}: GNU Backgammon ended after {len(rows)} of {len(games)} games")
    counts, losses = np.sum(rows, axis=1).T  # (games,) each
    rate = losses.sum() / counts.sum()
    error = np.std(losses - rate * counts, ddof=1) * len(rows) ** 0.5 / counts.sum()
    told = f"{1000 * rate:.2f} ± {1000 * error:.2f}"
    return f"| {path.name} | {len(rows)} | {counts.sum():.0f} | {told} |"


def main() -> None:
    """Measures from the command line."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("files", nargs="+", type=Path)
    options.add_argument("--plies", type=int, default=2)
    options.add_argument("--every", type=int, default=2, help="1 judges all games")
    asked = options.parse_args()
    if program() is None:
        raise SystemExit("GNU Backgammon (gnubg) is not installed")
    print("| file | games | decisions | thousandths a decision |\n|---|---|---|---|")
    for path in asked.files:
        print(judged(path, asked.plies, asked.every), flush=True)


if __name__ == "__main__":
    main()
