"""How fast Ur is played, searched and solved, and how strong its agents are.

    python benchmarks/ur.py [--seconds 2] [--repeats 5] [--solve 3,5] [--gpu] [--json FILE]
    python benchmarks/ur.py --beside 5 [--repeats 5] [--json FILE]
    python benchmarks/ur.py --strength [--games 10000] [--workers N] [--json FILE]

Ours and the peer take turns and are timed by the processor's clock; every figure is a median.
Solving is timed by the wall, on all processors. ``--beside`` solves with one thread, in turns with
two C++ programs that must find the same: a plain one, state after state (``peers/ur.cpp``), and our
own method written by hand (``peers/ur_blocks.cpp``). ``--strength`` needs the table of the whole
game (petteia solve ur) and plays every agent against perfect play.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from petteia import agents, games
from petteia.arena.match import Match
from petteia.core.processors import processors
from petteia.games.ur import Ur
from petteia.games.ur.solution.solver import SINGLE, TOLERANCE, solve_layers
from petteia.games.ur.solution.tables import Values
from petteia.games.ur.study.strength import choice_positions, regret
from petteia.search.expectimax import Expectimax
from petteia.search.playout import random_games
from petteia.solve import Control

POSITION = "4xx2/l2d2l1/1l2xx1l l 2 1 6 0"
SOLVE_AT_MOST = {3: 2.0, 5: 20.0, 7: 180.0}
GPU_AT_MOST = {32: 2.0, 64: 5.0}
CHEAP = (
    "random", "royalur_greedy", "massugu", "ashikazu(depth=1)", "ashikazu(depth=2)",
    "ashikazu(depth=3)", "ashikazu(depth=6)", "ashikazu(depth=15)", "greedy(eval=fitted)",
    "distilled", "perfect",
)  # fmt: skip
DEEP = tuple(
    f"expectimax(depth={depth}, eval={name})"
    for depth in (1, 2, 3, 4)
    for name in ("advancement", "utility", "fitted")
)


def rate(run: Callable[[], float], seconds: float) -> float:
    """Counts per second of the processor."""
    total, started = 0.0, time.process_time()
    while True:
        total += run()
        spent = time.process_time() - started
        if spent >= seconds:
            return total / spent


def _ours_random() -> float:
    game = games.make("ur")
    random_games(game, game.start(), 2000, seed=random.randrange(2**30))
    return 2000.0


def _royalur_random() -> Callable[[], float] | None:
    """One random game of the package royalur; None where it is not installed."""
    try:
        from royalur import Game
    except ImportError:
        return None

    def play() -> float:
        game = Game.create_finkel()
        while not game.is_finished():
            if game.is_waiting_for_roll():
                game.roll_dice()
            else:
                game.make_move(random.choice(game.find_available_moves()))
        return 1.0

    return play


def speed(seconds: float, repeats: int) -> dict[str, Any]:
    """Random games beside royalur's, and nodes a second of expectiminimax."""
    _ours_random()
    peer = _royalur_random()
    samples: dict[str, list[float]] = {"random_games": [], "royalur_random_games": []}
    for _ in range(repeats):
        samples["random_games"].append(rate(_ours_random, seconds))
        if peer is not None:
            samples["royalur_random_games"].append(rate(peer, seconds))
    game = games.make("ur")
    for name in ("advancement", "fitted"):
        evaluation = game.evaluations[name]
        tree = Expectimax(game, evaluation)
        p = game.parse(POSITION)

        def search(tree: Expectimax = tree, p: Any = p) -> float:
            tree.new_game()
            tree.value(p, 6, 0, tree.evaluation.array)
            return float(tree.nodes)

        search()
        samples[f"expectimax_{name}_nodes"] = [rate(search, seconds) for _ in range(repeats)]
    found: dict[str, Any] = {
        key: statistics.median(values) for key, values in samples.items() if values
    }
    if samples["royalur_random_games"]:
        found["ratio"] = found["random_games"] / found["royalur_random_games"]
    return {**found, "samples": samples}


def solving(pieces: list[int], *, gpu: bool) -> list[dict[str, Any]]:
    """Solves games of these sizes, on the processor and perhaps on a graphics processor."""
    rows = []
    for count in pieces:
        game = games.make(f"ur(pieces={count})")
        assert isinstance(game, Ur)
        bits = 64 if count < 5 else 32
        found = solve_layers(game, Control(), precision=bits, workers=processors(), again=True)
        rows.append(_row(count, "processor", bits, found, SOLVE_AT_MOST.get(count)))
        if gpu:
            from petteia.games.ur.solution.gpu import solve_in_pieces

            for precision in (32, 64):
                found = solve_in_pieces(game, Control(), precision=precision)
                rows.append(_row(count, "gpu", precision, found, GPU_AT_MOST[precision]))
    return rows


CPP = {"plain C++": "ur", "the same method in C++": "ur_blocks"}
CPP_AT_MOST = 1.3


def beside(pieces: int, repeats: int) -> dict[str, Any]:
    """Seconds of one processor to solve a game in single precision: ours and the C++ programs'."""
    game, tolerance = games.make(f"ur(pieces={pieces})"), TOLERANCE[SINGLE]
    assert isinstance(game, Ur)
    samples: dict[str, list[float]] = {name: [] for name in ("ours", *CPP)}
    updates: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        programs = {name: _built(file, Path(folder)) for name, file in CPP.items()}
        solve_layers(game, Control(), precision=SINGLE, workers=1, tolerance=1.0)  # compiled now
        for _ in range(repeats):
            started = time.process_time()
            found = solve_layers(game, Control(), precision=SINGLE, workers=1, again=True)
            samples["ours"].append(time.process_time() - started)
            updates["ours"] = found.updates
            for name, program in programs.items():
                command = [program, str(pieces), str(tolerance)]
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                theirs = json.loads(done.stdout)
                assert abs(theirs["first_player"] - float(found.values[0])) < 1e-5
                samples[name].append(theirs["seconds"])
                updates[name] = theirs["updates"]
    seconds = {name: statistics.median(each) for name, each in samples.items()}
    ratios = {name: seconds["ours"] / seconds[name] for name in CPP}
    return {
        "pieces": pieces, "seconds": seconds, "updates": updates, "ratios": ratios,
        "samples": samples,
    }  # fmt: skip


def _built(name: str, folder: Path) -> str:
    """A C++ program of ``peers``, made in a folder."""
    compiler = shutil.which("c++")
    if compiler is None:
        raise SystemExit("there is no C++ compiler (c++) here")
    source, program = Path(__file__).parent / "peers" / f"{name}.cpp", str(folder / name)
    options = ["-O3", "-march=native", "-std=c++17"]
    subprocess.run([compiler, *options, str(source), "-o", program], check=True)
    return program


def show_beside(row: dict[str, Any]) -> None:
    """The seconds, the updates, and how many times as long as theirs ours took."""
    print(f"{row['pieces']} pieces, seconds of one processor and updates:")
    for name, seconds in row["seconds"].items():
        ratio = row["ratios"].get(name)
        told = f"; ours takes {ratio:.2f} of it (at most {CPP_AT_MOST})" if ratio else ""
        print(f"{name}: {seconds:.2f} s, {row['updates'][name]:,}{told}")


def _row(count: int, where: str, bits: int, found: Any, at_most: float | None) -> dict[str, Any]:
    return {
        "pieces": count,
        "where": where,
        "precision": bits,
        "seconds": found.seconds,
        "at_most": at_most,
        "updates_per_second": found.updates / found.seconds,
        "residual": found.residual,
        "first_player": float(found.values[0]),
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _pairs(job: tuple[str, int, int]) -> tuple[float, int, int]:
    """Points, games and rolls of some pairs of an agent against perfect play."""
    spec, first, count = job
    game = games.make("ur")
    match = Match(game, agents.make(spec, game), agents.make("perfect", game), seed=1)
    points, rolls = 0.0, 0
    for index in range(first, first + count):
        pair = match.pair(index)
        points += sum(pair.scores)
        for played in pair.games:
            rolls += sum(ply.kind == "chance" for ply in played.record.plies)
    return points, 2 * count, rolls


def _regret(spec: str) -> tuple[float, float]:
    """Mean regret a decision and the part of decisions that are not best."""
    game = games.make("ur")
    assert isinstance(game, Ur)
    known = Values(game)
    lost = regret(agents.make(spec, game), choice_positions(known, 20_000), known)
    return float(lost.mean()), float((lost > 1e-9).mean())


def strength(total: int, workers: int) -> list[dict[str, Any]]:
    """Every agent's win rate against perfect play, and its exact regret."""
    rows, step = [], 50
    with ProcessPoolExecutor(workers) as pool:
        for spec in (*CHEAP, *DEEP):
            pairs = total // 2 if spec in CHEAP else total // 5
            jobs = [(spec, at, min(step, pairs - at)) for at in range(0, pairs, step)]
            lost = pool.submit(_regret, spec)
            done = list(pool.map(_pairs, jobs))
            points, played, rolls = (sum(column) for column in zip(*done, strict=True))
            score = points / played
            rows.append(
                {
                    "agent": spec,
                    "games": played,
                    "score": score,
                    "error": 1.96 * (max(score * (1 - score), 1e-9) / played) ** 0.5,
                    "rolls": rolls / played,
                    "regret": lost.result()[0],
                    "mistakes": lost.result()[1],
                }
            )
            print(
                f"| `{spec}` | {100 * score:.2f} ± {100 * rows[-1]['error']:.2f} | "
                f"{rolls / played:.1f} | {100 * rows[-1]['regret']:.3f} | "
                f"{100 * rows[-1]['mistakes']:.1f} |",
                flush=True,
            )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--solve", default="3,5", help="numbers of pieces, or none")
    parser.add_argument("--beside", type=int, metavar="PIECES", help="solve beside C++")
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--strength", action="store_true")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=processors())
    parser.add_argument("--json", type=Path)
    wish = parser.parse_args()
    found: dict[str, Any]
    if wish.strength:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        print("| agent | wins v perfect, % | rolls a game | regret, % | not best, % |")
        print("|---|---|---|---|---|")
        found = {"strength": strength(wish.games, wish.workers)}
    elif wish.beside:
        found = {"beside": beside(wish.beside, wish.repeats)}
        show_beside(found["beside"])
    else:
        found = {"speed": speed(wish.seconds, wish.repeats)}
        fast = found["speed"]
        print(f"random games: {fast['random_games']:,.0f}/s", end="")
        if "ratio" in fast:
            peer = fast["royalur_random_games"]
            print(f", royalur {peer:,.0f}/s, {fast['ratio']:.0f}x (at least 100x)", end="")
        for name in ("advancement", "fitted"):
            nodes = fast[f"expectimax_{name}_nodes"] / 1e6
            print(f"\nexpectimax, {name}: {nodes:.1f} M nodes/s (at least 5)", end="")
        print()
        sizes = [int(part) for part in wish.solve.split(",") if part.strip().isdecimal()]
        found["solving"] = solving(sizes, gpu=wish.gpu)
        for row in found["solving"]:
            goal = "" if row["at_most"] is None else f" (at most {row['at_most']:g})"
            print(
                f"{row['pieces']} pieces, {row['where']}, {row['precision']} bits: "
                f"{row['seconds']:.2f} s{goal}, {row['updates_per_second'] / 1e6:.0f} M updates/s, "
                f"residual {row['residual']:.1e}, first player {row['first_player']:.10f}"
            )
    if wish.json:
        wish.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
