"""How strong the engine is at Breakthrough, against programs that others wrote.

    python benchmarks/strength_breakthrough.py openspiel [--simulations 5000]
    python benchmarks/strength_breakthrough.py fairy [--time 0.05 | --nodes 10000]
    python benchmarks/strength_breakthrough.py endings [--positions 1000] [--known FILE]
    python benchmarks/strength_breakthrough.py yardstick [--columns 5] [--rows 5] [--engine SPEC]

Games are played in pairs from four random plies, sides swapped; with ``--keep FILE`` a match can be
played in parts. OpenSpiel's MCTS needs
``pip install open_spiel``. ``--fairy`` names Fairy-Stockfish: the program of a native build, or the
folder of the npm package (``npm install fairy-stockfish-nnue.wasm@1.1.12``), which runs in node and
is about seven times slower. Its speed is measured first and stands in the result; a slow build is
named, since a score against it says little.
``endings`` counts in how many late positions with a forced win in at most seven plies, known by
exhaustive search, the engine sees it within its time (``--engine "engine(time=0.1)"``); ``--known``
names a file that keeps the positions, so that only the first run has to find them. ``yardstick``
takes positions of random games on a solved board that are won, but not by every move, and counts
how often an agent keeps the win.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from petteia import agents, games
from petteia.arena.statistics import pair_interval
from petteia.core.game import TERMINAL, Game
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.games.breakthrough import Breakthrough
from petteia.games.breakthrough.solution.table import Values
from petteia.games.breakthrough.solution.yardstick import wins_kept
from petteia.search.distance import Prover
from petteia.search.values import is_decided

MOST_PLIES = 7
NATIVE_SPEED = 870_000
"""Nodes a second of Fairy-Stockfish built natively, one thread, on a machine such as ours."""

Player = Callable[[Words, list[str], int], int]
"""The move at a position, from the moves so far and a seed."""


def ours(game: Game, spec: str) -> Player:
    """One of our agents."""
    agent = agents.make(spec, game)
    agent.prepare(game.start())

    def choose(p: Words, moves: list[str], seed: int) -> int:
        if len(moves) < 6:
            agent.new_game()
        return agent.choose(p, seed=seed).move

    return choose


def openspiel(game: Game, simulations: int) -> Player:
    """OpenSpiel's C++ MCTS with random rollouts; its boards stand upside down."""
    import pyspiel

    other = pyspiel.load_game("breakthrough")

    def upside_down(text: str) -> str:
        plain = text.replace("x", "").replace("*", "")
        return f"{plain[0]}{9 - int(plain[1])}{plain[2]}{9 - int(plain[3])}"

    def choose(p: Words, moves: list[str], seed: int) -> int:
        state = other.new_initial_state()
        for text in moves:
            named = {state.action_to_string(a).replace("*", ""): a for a in state.legal_actions()}
            state.apply_action(named[upside_down(text)])
        bot = pyspiel.MCTSBot(
            other, pyspiel.RandomRolloutEvaluator(1, seed % 2**31), 1.0, simulations, 1000, True,
            seed % 2**31, False,
        )  # fmt: skip
        wanted = upside_down(state.action_to_string(bot.step(state)))
        texts = {game.move_text(p, m).replace("x", ""): m for m in game.legal_moves(p)}
        return texts[wanted]

    return choose


class Fairy:
    """Fairy-Stockfish over UCI: a native program, or the folder of the npm package."""

    def __init__(self, game: Game, place: Path) -> None:
        self.game = game
        is_wasm = place.is_dir()
        command = ["node", "--no-experimental-fetch", "uci.js"] if is_wasm else [str(place)]
        self.program = subprocess.Popen(
            command, cwd=place if is_wasm else None, text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.say("uci")
        names = [line[8:].strip() for line in self.until("uciok") if line.startswith("id name ")]
        self.build = f"{names[0] if names else '?'}, {'wasm in node' if is_wasm else 'native'}"
        self.say("setoption name UCI_Variant value breakthrough")

    def say(self, line: str) -> None:
        """A line to the program."""
        assert self.program.stdin is not None
        self.program.stdin.write(f"{line}\n")
        self.program.stdin.flush()

    def until(self, word: str) -> list[str]:
        """The program's lines up to one that begins with a word."""
        assert self.program.stdout is not None
        heard = []
        for line in self.program.stdout:
            heard.append(line)
            if line.startswith(word):
                return heard
        raise SystemExit("Fairy-Stockfish ended")

    def search(self, p: Words, limit: str) -> list[str]:
        """What it says of a position; the last line names its move."""
        self.say(f"position fen {self.game.text(p)} - - 0 1")
        self.say(f"go {limit}")
        return self.until("bestmove")

    def speed(self, seconds: float = 2.0) -> float:
        """Nodes a second, from the start."""
        for line in reversed(self.search(self.game.start(), f"movetime {round(1000 * seconds)}")):
            words = line.split()
            if "nps" in words:
                return float(words[words.index("nps") + 1])
        raise SystemExit("Fairy-Stockfish does not say how fast it is")

    def player(self, limit: str) -> Player:
        """Its moves under a limit."""

        def choose(p: Words, moves: list[str], seed: int) -> int:
            text = self.search(p, limit)[-1].split()[1]
            legal = self.game.legal_moves(p)
            return {self.game.move_text(p, m).replace("x", ""): m for m in legal}[text]

        return choose


def measured(peer: Fairy) -> dict[str, Any]:
    """The build that is met and its speed; a warning if it is slow."""
    speed = peer.speed()
    print(f"Fairy-Stockfish: {peer.build}, {speed / 1e6:.2f} M nodes/s", flush=True)
    if speed < NATIVE_SPEED / 2:
        print(
            f"warning: a native build does about {NATIVE_SPEED / 1e6:.2f} M nodes/s, "
            f"{NATIVE_SPEED / speed:.1f} times as many; a score against this one says little",
            flush=True,
        )
    return {"build": peer.build, "nodes_per_second": speed}


def play(game: Game, players: tuple[Player, Player], opening: list[int], seed: int) -> float:
    """The points of player 0."""
    moves: list[str] = []
    p = game.start()
    for ply in range(game.max_plies):
        if game.kind(p) == TERMINAL:
            break
        if ply < len(opening):
            move = opening[ply]
        else:
            move = players[ply % 2](p, moves, derive(seed, ply) % 2**31)
        moves.append(game.move_text(p, move))
        p = game.play(p, move)
    return float(game.result(p))


def opening_of(game: Game, number: int, plies: int = 4) -> list[int]:
    """Random plies."""
    p, found = game.start(), []
    for ply in range(plies):
        legal = game.legal_moves(p)
        found.append(legal[derive(number, "opening", ply) % len(legal)])
        p = game.play(p, found[-1])
    return found


def match(
    game: Game, us: Player, them: Player, pairs: int, keep: Path | None, minutes: float
) -> dict[str, Any]:
    """Our score with its interval; pairs that the file keeps are not played again."""
    means: list[float] = json.loads(keep.read_text()) if keep is not None and keep.exists() else []
    started = time.perf_counter()
    for number in range(len(means), pairs):
        if time.perf_counter() - started > 60 * minutes:
            break
        opening = opening_of(game, number)
        first = play(game, (us, them), opening, derive(number, 0))
        second = play(game, (them, us), opening, derive(number, 1))
        means.append(((first > 0) + (second < 0)) / 2)
        if keep is not None:
            keep.write_text(json.dumps(means))
        low, high = pair_interval(means)
        print(
            f"{number + 1} pairs: {100 * sum(means) / len(means):.1f} % "
            f"({100 * low:.0f} to {100 * high:.0f})",
            flush=True,
        )
    score, interval = sum(means) / max(1, len(means)), pair_interval(means)
    return {"pairs": len(means), "score": score, "interval": interval}


def known_wins(game: Game, count: int) -> list[tuple[str, int]]:
    """Late positions of random games with a forced win, and in how many plies: by exhaustive
    search, which knows the rules and nothing else."""
    prover = Prover(game, table_bits=20, rules_alone=True)
    found: dict[str, int] = {}
    number = looked_at = 0
    while len(found) < count:
        p, line = game.start(), []
        number += 1
        while game.kind(p) != TERMINAL:
            line.append(p)
            legal = game.legal_moves(p)
            p = game.play(p, legal[derive(number, "ending", len(line)) % len(legal)])
        for p in line[-14:-1:3]:
            looked_at += 1
            plies = prover.shortest_win(p, MOST_PLIES)
            if plies is not None:
                found.setdefault(game.text(p), plies)
        if number % 20 == 0:
            print(f"{len(found)} wins in {looked_at} positions", flush=True)
    return list(found.items())[:count]


def endings(game: Game, spec: str, known: list[tuple[str, int]]) -> dict[str, Any]:
    """By plies to the forced win: how many there are, and how many the agent sees."""
    agent = agents.make(spec, game)
    agent.prepare(game.start())
    counts: dict[int, list[int]] = {}
    slowest = 0.0
    for text, plies in known:
        agent.new_game()
        started = time.perf_counter()
        choice = agent.choose(game.parse(text))
        slowest = max(slowest, time.perf_counter() - started)
        seen = is_decided(choice.value or 0.0) and (choice.value or 0.0) > 0
        each = counts.setdefault(plies, [0, 0])
        each[0] += 1
        each[1] += seen
        if not seen:
            print(f"not seen: {text}, {plies} plies", flush=True)
    return {
        "positions": len(known),
        "seen": sum(each[1] for each in counts.values()),
        "by_plies": {plies: counts[plies] for plies in sorted(counts)},
        "slowest": slowest,
    }


def kept_wins(game: Game, count: int, file: Path | None) -> list[tuple[str, int]]:
    """The known wins, from the file where they stand already."""
    if file is not None and file.exists():
        return [(text, plies) for text, plies in json.loads(file.read_text())][:count]
    known = known_wins(game, count)
    if file is not None:
        file.write_text(json.dumps(known))
    return known


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("against", choices=("openspiel", "fairy", "endings", "yardstick"))
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--keep", type=Path, help="file of the pairs that were played; goes on")
    parser.add_argument("--minutes", type=float, default=1e9, help="no new pair after so long")
    parser.add_argument("--engine", default="engine(time=0.05)")
    parser.add_argument("--simulations", type=int, default=5000)
    parser.add_argument("--time", type=float, default=0.05, help="Fairy-Stockfish's seconds")
    parser.add_argument("--nodes", type=int, help="Fairy-Stockfish's nodes, instead of time")
    parser.add_argument("--fairy", type=Path, default=Path("fairy-stockfish-nnue.wasm"))
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--known", type=Path, help="file of the forced wins of endings")
    parser.add_argument("--columns", type=int, default=5)
    parser.add_argument("--rows", type=int, default=5)
    wish = parser.parse_args()
    game = games.make("breakthrough")
    speed: dict[str, Any] = {}
    if wish.against == "endings":
        facts = endings(game, wish.engine, kept_wins(game, wish.positions, wish.known))
    elif wish.against == "yardstick":
        solution = Values.load(Breakthrough(wish.columns, wish.rows))
        kept = wins_kept(solution, agents.make(wish.engine, solution.game), wish.positions)
        facts = {"positions": kept.positions, "kept": kept.kept, "share": kept.share}
    elif wish.against == "openspiel":
        them = openspiel(game, wish.simulations)
    else:
        limit = f"nodes {wish.nodes}" if wish.nodes else f"movetime {round(1000 * wish.time)}"
        peer = Fairy(game, wish.fairy)
        speed = measured(peer)
        them = peer.player(limit)
    if wish.against in ("openspiel", "fairy"):
        us = ours(game, wish.engine)
        facts = speed | match(game, us, them, wish.pairs, wish.keep, wish.minutes)
    print(json.dumps({"against": wish.against, "engine": wish.engine, **facts}))


if __name__ == "__main__":
    main()
