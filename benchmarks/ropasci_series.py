"""Series of RoPaSci 360 at the limits of the course's referee: 60 s of processor time, 100 MB.

    python benchmarks/ropasci_series.py play FILE FIRST SECOND [...] [--games 200] [--budget 47]
    python benchmarks/ropasci_series.py robin FILE AGENT AGENT [...] [--games 20] [--budget 47]
    python benchmarks/ropasci_series.py table FILE [FILE ...]

Every game is a process of its own, ``python -m referee -t 60 -s 100 UPPER LOWER``, and both sides
alternate. The referee starts with the empty board, so games differ by what the agents draw. An
agent is a spec, or ``ours``: the player that the referee is given. One with a ``time`` budgets the
referee's clock as ours does; ``--budget`` gives both fewer seconds of it, so that more games can be
played. Every game is a line of JSON in FILE as soon as it ends, as ``petteia replay ropasci FILE``
reads it; what is there is not played again, so a series that was stopped goes on. ``table`` counts
an error of the referee as a lost game of whoever made it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

import petteia
from petteia.arena.statistics import wilson
from petteia.games.ropasci import RoPaSci
from petteia.games.ropasci.evaluations.tokens import count_on, planes_of
from petteia.games.ropasci.face import notation

GAME = RoPaSci()
REFEREE = Path(__file__).parents[1] / "tests" / "games" / "ropasci" / "course" / "referee"
ENDS = {
    "both players have an invincible token": "both invincible",
    "same game state occurred for 3rd time": "repetition",
    "maximum number of turns reached": "turn 360",
}
NAMED = """
import os
import petteia.games.ropasci.course as ours
from petteia import agents

ours._SECONDS = float(os.environ["BUDGET"])
SPEC = os.environ[__name__.upper()]
if SPEC == "ours":
    AGENT = ours._AGENT
else:
    AGENT = agents.make(SPEC, ours.GAME)
    AGENT.prepare(ours.GAME.start())

class Player(ours.Player):
    def _searched(self):
        if getattr(AGENT, "time", None) is None:
            AGENT.follow(self.line)
            seed = ours.derive(self.seed, self.turn)
            return int(AGENT.choose(self.p, seed=seed, player=self.side).move)
        kept, ours._AGENT = ours._AGENT, AGENT
        try:
            return super()._searched()
        finally:
            ours._AGENT = kept
"""


def lead_of(turns: list[Any]) -> int:
    """Upper's tokens and throws less lower's at the end of these turns."""
    p, board = GAME.start(), np.uint64((1 << 61) - 1)
    for both in turns:
        first, second = (notation.move_of(json.dumps(action)) for action in both)
        assert first is not None
        assert second is not None
        p = GAME.play_both(p, first, second)
    upper, lower = (count_on(planes_of(p, side), board) - GAME.thrown(p, side) for side in (0, 1))
    return int(upper - lower)


def played(folder: Path, first: str, second: str, seat: int, budget: float) -> dict[str, Any]:
    """A game with ``first`` as upper (0) or lower (1)."""
    log = folder / "game.log"
    log.unlink(missing_ok=True)
    done = subprocess.run(
        [sys.executable, "-m", "referee", "-t", "60", "-s", "100", "-l", str(log),
         *(("first", "second") if seat == 0 else ("second", "first"))],
        cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "FIRST": first, "SECOND": second, "BUDGET": str(budget),
             "PYTHONPATH": str(Path(petteia.__file__).parents[1])},
    )  # fmt: skip
    said = dict(re.findall(r"^(time upper|time lower|space): (\S+)", done.stdout, re.M))
    if not log.exists() or len(said) < 3:
        raise SystemExit(f"the referee broke down: {done.stdout[-500:]}{done.stderr[-2000:]}")
    text = log.read_text()
    lines = re.findall(r"turn \d+: (?:upper|lower): (\w+) (?:symbol|from) (.+?) to (.+)", text)
    actions = [[kind, _part(one), _part(to)] for kind, one, to in lines]
    turns = [actions[k : k + 2] for k in range(0, len(actions) - 1, 2)]
    used = [float(said["time upper"]), float(said["time lower"])]
    found = {
        "first": first, "second": second, "budget": budget, "seat": seat,
        "seconds": used[:: 1 - 2 * seat],
        "megabytes": float(said["space"]), "lead": lead_of(turns) * (1 - 2 * seat),
        "turns": turns,
    }  # fmt: skip
    end = text.strip().splitlines()[-1]
    return {**found, "error" if end.startswith("error") else "result": end}


def _part(text: str) -> Any:
    return text if text in "rps" else [int(x) for x in re.findall(r"-?\d+", text)]


def series(file: Path, pairings: list[tuple[str, str]], games: int, budget: float) -> None:
    """Plays what is missing, one game of each pairing after another."""
    there = Counter((g["first"], g["second"], g["budget"]) for g in read(file))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(REFEREE, folder / "referee")
        for side in ("first", "second"):
            (folder / f"{side}.py").write_text(NAMED)
        for number in range(games):
            for first, second in pairings:
                if there[first, second, budget] > number:
                    continue
                game = played(folder, first, second, number % 2, budget)
                with file.open("a") as out:
                    out.write(json.dumps(game) + "\n")
                print(number + 1, first, second, outcome(game), game["seconds"], flush=True)


def read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def outcome(game: dict[str, Any]) -> str:
    """How the game ended for the first: won, lost, forfeit, their forfeit, or the kind of draw."""
    colour = ("upper", "lower")[game["seat"]]
    if "error" in game:
        return "forfeit" if f"error: {colour}" in game["error"] else "their forfeit"
    kind, _, what = game["result"].partition(": ")
    if kind == "winner":
        return "won" if what == colour else "lost"
    return ENDS.get(str(what), str(what))


def table(files: list[Path]) -> None:
    groups: dict[tuple[str, str, float], list[dict[str, Any]]] = {}
    for file in files:
        for game in read(file):
            groups.setdefault((game["first"], game["second"], game["budget"]), []).append(game)
    print("| first | second | budget | games | won, drawn, lost | score | turns | draws "
          "| ahead | behind | forfeits | seconds | megabytes |\n" + "|---" * 13 + "|")  # fmt: skip
    for (first, second, budget), games in groups.items():
        print(f"| `{first}` | `{second}` | {budget:g} | {row(games)} |")


def row(games: list[dict[str, Any]]) -> str:
    """``ahead`` and ``behind`` count draws at turn 360 with two tokens and throws more or less."""
    ends, count = Counter(outcome(game) for game in games), len(games)
    won, lost = ends["won"] + ends["their forfeit"], ends["lost"] + ends["forfeit"]
    drawn = count - won - lost
    score = (won + drawn / 2) / count
    low, high = wilson(score, count)
    draws = ", ".join(f"{n} {end}" for end, n in ends.items() if end in ENDS.values())
    late = [game["lead"] for game in games if outcome(game) == "turn 360"]
    seconds = [max(game["seconds"][side] for game in games) for side in (0, 1)]
    cells = [
        str(count), f"{won}, {drawn}, {lost}",
        f"{100 * score:.1f} % ({100 * low:.1f} to {100 * high:.1f})",
        f"{np.mean([len(game['turns']) for game in games]):.0f}", draws,
        str(sum(lead >= 2 for lead in late)), str(sum(lead <= -2 for lead in late)),
        f"{ends['forfeit']}, {ends['their forfeit']}", f"{seconds[0]:.1f}, {seconds[1]:.1f}",
        f"{max(game['megabytes'] for game in games):.1f}",
    ]  # fmt: skip
    return " | ".join(cells)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    kinds = options.add_subparsers(dest="kind", required=True)
    for name, games in (("play", 200), ("robin", 20)):
        kind = kinds.add_parser(name)
        kind.add_argument("file", type=Path)
        kind.add_argument("agents", nargs="+")
        kind.add_argument("--games", type=int, default=games)
        kind.add_argument("--budget", type=float, default=47.0)
    kind = kinds.add_parser("table")
    kind.add_argument("files", type=Path, nargs="+")
    asked = options.parse_args()
    if asked.kind == "table":
        table(asked.files)
    elif asked.kind == "play":
        pairings = [(asked.agents[0], other) for other in asked.agents[1:]]
        series(asked.file, pairings, asked.games, asked.budget)
    else:
        series(asked.file, list(combinations(asked.agents, 2)), asked.games, asked.budget)


if __name__ == "__main__":
    main()
