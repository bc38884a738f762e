"""How fast Breakthrough is, side by side with its peers, on one core.

    python benchmarks/breakthrough.py [--seconds 2] [--repeats 5] [--json FILE]

Ours and a peer take turns and are timed by the processor's clock, so that both meet the same
noise of the machine; every figure is a median. Where a peer runs the same algorithm, its counts
must be ours to the last node.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from petteia.compiled import popcount
from petteia.core.evaluation import Evaluation, of_function
from petteia.core.game import TERMINAL
from petteia.core.words import Words
from petteia.games.breakthrough import Breakthrough
from petteia.search.alphabeta import FixedDepthSearch
from petteia.search.contract import Answer, Limits, Question
from petteia.search.engine import Engine
from petteia.search.perft import perft

PERFT_DEPTH, ALPHABETA_DEPTH, ENGINE_DEPTH, TABLE_BITS = 6, 6, 9, 20
START_DEPTH = 12
OPENSPIEL_DEPTH = 7
REPORT_DEPTH, REPORT_POSITIONS = 5, 20
REPORT = ("offensive1", "defensive1", "offensive2", "defensive2")
PREPARED = ("offensive1", "offensive2", "lorentz")  # one evaluation for each of their kernels

# The start, and four positions of games between engines.
POSITIONS = (
    "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w",
    "pppppppp/1pp1pp1p/p1p5/5p2/1P6/1P3P2/2PPP1PP/PPPPPPPP w",
    "pppppppp/2p1p3/2p2pp1/1p3p2/1P1P1P2/1P1P1PP1/3PPP2/PPP2PPP b",
    "ppp2ppp/4pp2/1p1p4/1ppppP2/1P1P4/2PPPPp1/8/PPPPPPPP w",
    "pppppppp/2p2p2/2p5/2P1PP2/2P3p1/1P1p2P1/3P4/PP3PPP b",
)

Count = Callable[[], int]
Measure = Callable[[], float]


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    what: str
    unit: str
    ours: float
    peer: str = ""
    theirs: float | None = None
    at_least: float | None = None
    """What ours should reach, in the row's unit."""
    at_most: float | None = None
    """What ours should stay below."""
    ratio_at_least: float | None = None
    """What ours divided by the peer's should reach."""
    samples: dict[str, list[float]] = field(default_factory=dict)

    @property
    def ratio(self) -> float | None:
        return self.ours / self.theirs if self.theirs else None

    @property
    def goals(self) -> list[tuple[str, bool | None]]:
        """Every goal as text, and whether it was met; None where it could not be measured."""
        found: list[tuple[str, bool | None]] = []
        if self.at_least is not None:
            found.append((f"≥ {self.at_least:g} {self.unit}", self.ours >= self.at_least))
        if self.at_most is not None:
            found.append((f"≤ {self.at_most:g} {self.unit}", self.ours <= self.at_most))
        if self.ratio_at_least is not None:
            met = None if self.ratio is None else self.ratio >= self.ratio_at_least
            found.append((f"≥ {self.ratio_at_least:g}x {self.peer}", met))
        return found

    def cells(self) -> list[str]:
        theirs = "" if self.theirs is None else f"{self.peer}: {self.theirs:.3g} {self.unit}"
        said = {True: "yes", False: "no", None: "not measured"}
        return [
            self.what,
            f"{self.ours:.3g} {self.unit}",
            theirs,
            "" if self.ratio is None else f"{self.ratio:.3g}x",
            ", ".join(goal for goal, _ in self.goals),
            ", ".join(said[met] for _, met in self.goals),
        ]


def rate(run: Count, seconds: float) -> float:
    """Counts per second of the processor, of something that is repeated for a time."""
    total, started = 0, time.process_time()
    while True:
        total += run()
        spent = time.process_time() - started
        if spent >= seconds:
            return total / spent


def compared(
    what: str, ours: Measure, peer: str, theirs: Measure | None, repeats: int, **goals: float
) -> Row:
    """Medians of measurements that take turns, in millions a second."""
    samples: dict[str, list[float]] = {"ours": []}
    for _ in range(repeats):
        samples["ours"].append(ours() / 1e6)
        if theirs is not None:
            samples.setdefault(peer, []).append(theirs() / 1e6)
    return Row(
        what, "M/s", statistics.median(samples["ours"]), peer,
        statistics.median(samples[peer]) if theirs is not None else None,
        samples=samples, **goals,
    )  # fmt: skip


# --- the same algorithms in C++ -----------------------------------------------------------------


class Cpp:
    """The program in ``peers``, built for this machine."""

    def __init__(self, compiler: str, folder: Path) -> None:
        self.program = folder / "breakthrough"
        source = Path(__file__).parent / "peers" / "breakthrough.cpp"
        # Python and Numba never fuse a product and a sum; a rounding more would change counts.
        options = ["-O3", "-march=native", "-std=c++17", "-ffp-contract=off"]
        subprocess.run([compiler, *options, str(source), "-o", str(self.program)], check=True)

    def run(self, mode: str, depth: int, seconds: float, *more: str) -> dict[str, Any]:
        arguments = [str(self.program), mode, str(depth), str(seconds), *more]
        done = subprocess.run(arguments, check=True, capture_output=True, text=True)
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    def measure(
        self, mode: str, depth: int, seconds: float, *more: str, expected: list[Any]
    ) -> Measure:
        """A measurement, once the program has found what ours found."""
        found = self.run(mode, depth, 0.0, *more)["found"]
        if found != expected:
            raise SystemExit(f"{mode}: C++ found {found}, ours {expected}")
        return lambda: float(self.run(mode, depth, seconds, *more)["rate"])


def as_argument(p: Words) -> str:
    """A position as the C++ program reads it."""
    return ":".join(str(int(word)) for word in p)


def compare_perft(game: Breakthrough, cpp: Cpp | None, seconds: float, repeats: int) -> Row:
    start = game.start()
    expected = [perft(game, start, PERFT_DEPTH)]
    theirs = None
    if cpp:
        theirs = cpp.measure("perft", PERFT_DEPTH, seconds, as_argument(start), expected=expected)
    return compared(
        f"perft {PERFT_DEPTH}, leaves",
        lambda: rate(lambda: perft(game, start, PERFT_DEPTH), seconds),
        "C++", theirs, repeats, at_least=100, ratio_at_least=0.4,
    )  # fmt: skip


def compare_alphabeta(game: Breakthrough, cpp: Cpp | None, seconds: float, repeats: int) -> Row:
    evaluation = game.evaluations["advancement"]
    search = FixedDepthSearch(game, evaluation, prune=True)
    weights = evaluation.array
    positions = [game.parse(text) for text in POSITIONS]
    found: list[Any] = []

    def ours() -> int:
        found.clear()
        for p in positions:
            result = search.ask(Question(p, weights, Limits(ALPHABETA_DEPTH), int(p[2])))
            found.append([result.value, result.interior, result.leaves])
        return sum(interior + leaves for _, interior, leaves in found)

    ours()
    theirs = None
    if cpp:
        more = map(as_argument, positions)
        theirs = cpp.measure("alphabeta", ALPHABETA_DEPTH, seconds, *more, expected=found)
    return compared(
        f"alpha-beta depth {ALPHABETA_DEPTH}, `advancement`, nodes",
        lambda: rate(ours, seconds), "C++", theirs, repeats, at_least=20, ratio_at_least=0.4,
    )  # fmt: skip


def compare_engine(game: Breakthrough, cpp: Cpp | None, seconds: float, repeats: int) -> Row:
    evaluation = game.evaluations["lorentz"]
    engine = Engine(game, evaluation, table_bits=TABLE_BITS)
    positions = [game.parse(text) for text in POSITIONS]
    found: list[Any] = []
    salts = {0: 0, 1: 0}

    def note(at: Answer) -> None:
        found[-1].append([at.depth, at.value, at.nodes, at.leaves])

    def ours() -> int:
        nodes = 0
        found.clear()
        for p in positions:
            found.append([])
            engine.new_game()
            limits = Limits(depth=ENGINE_DEPTH)
            nodes += engine.ask(Question(p, evaluation.array, limits, on_depth=note)).nodes
            salts[int(p[2])] = int(engine.ws["salt"])
        return nodes

    ours()
    more = [str(TABLE_BITS), str(salts[0]), str(salts[1]), *map(as_argument, positions)]
    theirs = None
    if cpp:
        theirs = cpp.measure("engine", ENGINE_DEPTH, seconds, *more, expected=found)
    return compared(
        f"engine depth {ENGINE_DEPTH}, `lorentz`, nodes",
        lambda: rate(ours, seconds), "C++", theirs, repeats, at_least=5, ratio_at_least=0.4,
    )  # fmt: skip


def time_engine(game: Breakthrough, repeats: int) -> list[Row]:
    """The engine as it plays, with everything that it knows."""
    evaluation = game.evaluations["tuned"]
    engine = Engine(game, evaluation, table_bits=TABLE_BITS)
    positions = [game.parse(text) for text in POSITIONS]
    engine.prepare(positions[0])

    def search(p: Words, depth: int) -> tuple[int, float]:
        engine.new_game()
        started = time.process_time()
        nodes = engine.ask(Question(p, evaluation.array, Limits(depth))).nodes
        return nodes, time.process_time() - started

    rates, times = [], []
    for _ in range(repeats):
        found = [search(p, ENGINE_DEPTH + 1) for p in positions]
        rates.append(sum(nodes for nodes, _ in found) / sum(spent for _, spent in found) / 1e6)
        times.append(search(positions[0], START_DEPTH)[1])
    return [
        Row(f"engine depth {ENGINE_DEPTH + 1}, `tuned`, nodes", "M/s", statistics.median(rates),
            at_least=5, samples={"ours": rates}),
        Row(f"engine depth {START_DEPTH} from the start, `tuned`", "s", statistics.median(times),
            at_most=5, samples={"ours": times}),
    ]  # fmt: skip


# --- OpenSpiel's alpha-beta in Python -----------------------------------------------------------


def material(_: Breakthrough, p: Words, player: int) -> float:
    """Own workers less the enemy's."""
    balance = popcount(p[0]) - popcount(p[1])
    return float(balance if player == 0 else -balance)


def compare_openspiel(game: Breakthrough, seconds: float, repeats: int) -> Row:
    evaluation = of_function("material", material)
    search = FixedDepthSearch(game, evaluation, prune=True)
    start, weights = game.start(), evaluation.array

    def ours() -> int:
        return search.ask(Question(start, weights, Limits(OPENSPIEL_DEPTH))).nodes

    ours()
    peer = openspiel()
    return compared(
        f"alpha-beta depth {OPENSPIEL_DEPTH}, material, nodes",
        lambda: rate(ours, seconds), "OpenSpiel",
        peer and (lambda: rate(peer, seconds)), repeats, ratio_at_least=300,
    )  # fmt: skip


def openspiel() -> Count | None:
    """Runs its search once and gives the nodes; None where it is not installed."""
    try:
        import pyspiel
        from open_spiel.python.algorithms import minimax
    except ImportError:
        return None
    game = pyspiel.load_game("breakthrough")
    plain, visited = minimax._alpha_beta, 0

    def value(state: Any) -> float:
        text = str(state)  # the quickest way to the workers; a column is named b
        return float(text.count("b") - 1 - text.count("w"))

    def search() -> None:
        minimax.alpha_beta_search(game, value_function=value, maximum_depth=OPENSPIEL_DEPTH)

    def counting(*args: Any, **named: Any) -> Any:
        nonlocal visited
        visited += 1
        return plain(*args, **named)

    # The search is the same every time: counted once, then timed without the counter.
    minimax._alpha_beta = counting
    try:
        search()
    finally:
        minimax._alpha_beta = plain

    def run() -> int:
        search()
        return visited

    return run


# --- the report's agents ------------------------------------------------------------------------


def game_positions(game: Breakthrough) -> list[Words]:
    """Positions at even distances of a game of Offensive 2 against Defensive 2."""
    sides = [game.evaluations["offensive2"], game.evaluations["defensive2"]]
    searches = [FixedDepthSearch(game, side, prune=True) for side in sides]
    line, p = [], game.start()
    while game.kind(p) != TERMINAL:
        line.append(p)
        mover = int(p[2])
        question = Question(p, sides[mover].array, Limits(REPORT_DEPTH), mover)
        p = game.play(p, searches[mover].ask(question).best.move)
    places = np.linspace(0, len(line) - 1, min(REPORT_POSITIONS, len(line))).astype(int)
    return [line[place] for place in places]


def time_report(game: Breakthrough, repeats: int) -> list[Row]:
    positions = game_positions(game)
    rows = []
    for name in REPORT:
        evaluation = game.evaluations[name]
        times = [time_of(game, evaluation, p, repeats) * 1e3 for p in positions]
        what = f"alpha-beta depth {REPORT_DEPTH}, `{name}`"
        samples = {"ours": times}
        rows.append(Row(f"{what}, median move", "ms", statistics.median(times), samples=samples))
        rows.append(Row(f"{what}, slowest move", "ms", max(times), at_most=50))
    return rows


def time_of(game: Breakthrough, evaluation: Evaluation, p: Words, repeats: int) -> float:
    """The median time in seconds of a search by the mover."""
    search = FixedDepthSearch(game, evaluation, prune=True)
    times = []
    for _ in range(repeats):
        started = time.process_time()
        search.ask(Question(p, evaluation.array, Limits(REPORT_DEPTH), int(p[2])))
        times.append(time.process_time() - started)
    return statistics.median(times)


# --- compiling ----------------------------------------------------------------------------------


def prepare() -> None:
    """Calls everything that Breakthrough needs once, so that it is compiled or loaded."""
    game = Breakthrough()
    start = game.start()
    perft(game, start, 2)
    for name in PREPARED:
        evaluation = game.evaluations[name]
        question = Question(start, evaluation.array, Limits(depth=2))
        for prune in (False, True):
            FixedDepthSearch(game, evaluation, prune=prune).ask(question)
        Engine(game, evaluation).ask(question)


def time_compilation(repeats: int) -> list[Row]:
    command = [sys.executable, str(Path(__file__)), "--prepare"]

    def start_in(folder: str) -> float:
        environment = {**os.environ, "PETTEIA_CACHE": folder}
        started = time.perf_counter()
        subprocess.run(command, check=True, env=environment, stderr=subprocess.DEVNULL)
        return time.perf_counter() - started

    with tempfile.TemporaryDirectory() as folder:
        first = start_in(folder)
        later = [start_in(folder) for _ in range(repeats)]
    return [
        Row("first start, everything compiled", "s", first, at_most=40),
        Row(
            "later start, everything loaded", "s", statistics.median(later),
            samples={"ours": later},
        ),
    ]  # fmt: skip


# --- the table ----------------------------------------------------------------------------------


def table(rows: Sequence[Row]) -> str:
    head = ["what", "ours", "peer", "ratio", "goal", "met"]
    lines = [head, ["---"] * len(head), *(row.cells() for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def measure(seconds: float, repeats: int) -> list[Row]:
    game = Breakthrough()
    compiler = shutil.which("c++")
    if compiler is None:
        print("No C++ compiler (c++) is here: its columns are left out.", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        cpp = Cpp(compiler, Path(folder)) if compiler else None
        rows = [
            compare_perft(game, cpp, seconds, repeats),
            compare_alphabeta(game, cpp, seconds, repeats),
            compare_engine(game, cpp, seconds, repeats),
        ]
    rows += time_engine(game, repeats)
    rows.append(compare_openspiel(game, seconds, repeats))
    if rows[-1].theirs is None:
        print("OpenSpiel (open_spiel) is not installed: its column is left out.", file=sys.stderr)
    return [*rows, *time_report(game, repeats), *time_compilation(repeats)]


def show(rows: Sequence[Row], options: argparse.Namespace) -> None:
    """Prints the table, and writes all samples where that was asked for."""
    print(table(rows))
    if options.json:
        facts = {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "seconds": options.seconds,
            "repeats": options.repeats,
            "rows": [{**asdict(row), "ratio": row.ratio, "goals": row.goals} for row in rows],
        }
        options.json.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="for every measurement")
    parser.add_argument("--repeats", type=int, default=5, help="of every measurement")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all samples here")
    parser.add_argument("--prepare", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.prepare:
        prepare()
        return
    rows = measure(options.seconds, options.repeats)
    show(rows, options)


if __name__ == "__main__":
    main()
