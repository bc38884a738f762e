"""How strong the agents of RoPaSci 360 are, how their games end, and how well values foretell.

    python benchmarks/ropasci_strength.py match FIRST SECOND [...] [--pairs 10] [--opening 4]
    python benchmarks/ropasci_strength.py leads FIRST SECOND [SECOND ...] [--positions 50]
    python benchmarks/ropasci_strength.py hunts FIRST SECOND [...] [--positions 50] [--left 300]
    python benchmarks/ropasci_strength.py foretell FILE [--evaluations hunt fitted learned]
    python benchmarks/ropasci_strength.py habits FILE [--games N]

``match`` plays pairs from random openings of so many turns, sides swapped; draws are listed by how
they came about and by who was ahead. ``leads`` plays on from positions of self-play with a lead of
two or more tokens and throws, which FIRST has. ``hunts`` plays on from random endings of four
tokens of every kind, with so many turns left, in which FIRST hunts, and tells how often it should
win by the tables, where they are. ``foretell`` reads tournament games (lines of JSON, or logs) and
tells the log-loss of decided games, by the values as chances, or for evaluations that are none with
the one scale that suits these games best; for the thirds of the games and all. Then, for each lead
in tokens and throws, the mean chance of who leads, and what it scored in all games, draws counted
half.
``habits`` tells how well ``reader`` foretells the next action of either player of such games.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from pathlib import Path

import numpy as np

from petteia import agents
from petteia.core.agent import Agent
from petteia.core.history import Line
from petteia.core.seeds import derive
from petteia.core.words import U, Words
from petteia.games.ropasci import RoPaSci
from petteia.games.ropasci.evaluations.tokens import count_on, planes_of
from petteia.games.ropasci.face import notation
from petteia.games.ropasci.rules import BOTH_EMPTY, BOTH_INVINCIBLE, TURN_LIMIT
from petteia.games.ropasci.solution.hunts import HUNTS, position_with
from petteia.search.reading import ReaderAgent, ReadingSearch

GAME = RoPaSci()
BOARD = U((1 << 61) - 1)
ENDS = {0: "repetition", BOTH_EMPTY: "both empty", BOTH_INVINCIBLE: "both invincible",
        TURN_LIMIT: "turn 360"}  # fmt: skip


def lead_of(p: Words) -> int:
    """Upper's tokens and throws less lower's."""
    upper, lower = (
        count_on(planes_of(p, side), BOARD) + GAME.throws - GAME.thrown(p, side) for side in (0, 1)
    )
    return int(upper - lower)


def random_turns(p: Words, count: int, rng: np.random.Generator) -> Words:
    for _ in range(count):
        if GAME.end_of(p) != 0:
            break
        first, second = (int(rng.choice(GAME.legal_moves(p, side))) for side in (0, 1))
        p = GAME.play_both(p, first, second)
    return p


def played(players: tuple[Agent, Agent], p: Words, seed: int) -> tuple[Line, list[float]]:
    """A game from a position, and the processor time of both."""
    line, used = Line(GAME, GAME.text(p), p), [0.0, 0.0]
    for agent in players:
        agent.new_game()
    while GAME.end_of(line.p) == 0 and not line.is_drawn:
        moves = []
        for side, agent in enumerate(players):
            started = time.process_time()
            agent.follow(line)
            drawn = derive(seed, len(line.positions), side)
            moves.append(int(agent.choose(line.p, seed=drawn, player=side).move))
            used[side] += time.process_time() - started
        line.stand(GAME.play_both(line.p, moves[0], moves[1]))
    return line, used


class Tally:
    """Results for the first agent."""

    def __init__(self) -> None:
        self.points = list[float]()
        self.draws = Counter[str]()
        self.with_lead = self.turns = 0
        self.seconds = [0.0, 0.0]

    def add(self, line: Line, used: list[float], seat: int) -> None:
        sign = 1 if seat == 0 else -1
        result, lead = sign * GAME.result(line.p), sign * lead_of(line.p)
        self.points.append(0.5 + result / 2)
        self.turns += len(line.positions) - 1
        for side in (0, 1):
            self.seconds[side] = max(self.seconds[side], used[side ^ seat])
        if result == 0:
            end = GAME.end_of(line.p)
            self.draws[ENDS[end]] += 1
            self.with_lead += end == TURN_LIMIT and lead >= 2

    def show(self, first: str, second: str) -> None:
        values, count = np.array(self.points), len(self.points)
        half = 1.96 * float(values.std()) / math.sqrt(count)
        won, lost = int((values == 1).sum()), int((values == 0).sum())
        print(
            f"{first} v {second}: {won} won, {count - won - lost} drawn, {lost} lost of {count}; "
            f"{100 * values.mean():.1f} % ± {100 * half:.1f}; {self.turns / count:.0f} turns; "
            f"draws {dict(self.draws)}, {self.with_lead} at turn 360 two or more ahead; "
            f"most processor time {self.seconds[0]:.1f} and {self.seconds[1]:.1f} s",
            flush=True,
        )


def match(asked: argparse.Namespace) -> None:
    first = agents.make(asked.first, GAME)
    for spec in asked.second:
        second, tally = agents.make(spec, GAME), Tally()
        for agent in (first, second):
            agent.prepare(GAME.start())
        for pair in range(asked.pairs):
            rng = np.random.default_rng([asked.seed, pair])
            p = random_turns(GAME.start(), asked.opening, rng)
            for seat in (0, 1):
                players = (first, second) if seat == 0 else (second, first)
                tally.add(*played(players, p, derive(asked.seed, pair)), seat)
        tally.show(asked.first, spec)


def positions_with_lead(count: int, seed: int) -> list[tuple[Words, int]]:
    """Positions of self-play with two or more tokens ahead, and who is."""
    agent, found = agents.make("nash(guard=1, contempt=1.0)", GAME), list[tuple[Words, int]]()
    for number in range(100 * count):
        rng = np.random.default_rng([seed, number])
        p = random_turns(GAME.start(), 14, rng)
        if GAME.end_of(p) != 0:
            continue
        line, _ = played((agent, agent), p, derive(seed, number))
        leads = [q for q in line.positions[:-1] if abs(lead_of(q)) >= 2]
        if leads:
            q = leads[int(rng.integers(len(leads)))]
            found.append((q, 0 if lead_of(q) > 0 else 1))
        if len(found) == count:
            break
    return found


def leads(asked: argparse.Namespace) -> None:
    first, where = agents.make(asked.first, GAME), positions_with_lead(asked.positions, asked.seed)
    for spec in asked.second:
        second, tally = agents.make(spec, GAME), Tally()
        for number, (p, seat) in enumerate(where):
            players = (first, second) if seat == 0 else (second, first)
            tally.add(*played(players, p, derive(asked.seed, "lead", number)), seat)
        tally.show(f"two ahead, {asked.first}", spec)


def hunts(asked: argparse.Namespace) -> None:
    tables = GAME.exact_tables()
    address = None if tables is None else tables.__array_interface__["data"][0]
    first = agents.make(asked.first, GAME)
    for spec in asked.second:
        second = agents.make(spec, GAME)
        for hunt in HUNTS[1:]:
            rng, tally, said = np.random.default_rng(asked.seed), Tally(), list[float]()
            for number in range(asked.positions):
                a, b, c, d = (int(place) for place in rng.choice(61, 4, replace=False))
                p = position_with(hunt, (a, b, c, d))
                p = (*p[:-1], p[-1] | U((GAME.turns - asked.left) << 8))
                said.append(math.nan if address is None else GAME.exact_value(p, address))
                tally.add(*played((first, second), p, derive(asked.seed, "hunt", number)), 0)
            tally.show(f"{hunt.name}, should win {100 * np.mean(said):.1f} %: {asked.first}", spec)


def foretell(asked: argparse.Namespace) -> None:
    found = GAME.foreign_games(asked.file.read_text())
    if found is None:
        raise SystemExit(f"{asked.file} holds no games of RoPaSci 360")
    rows = list[tuple[Words, float, int]]()
    for record in found.whole():
        p, count = GAME.start(), len(record.plies)
        for turn, ply in enumerate(record.plies):
            if record.result is not None:
                rows.append((p, 0.5 + record.result / 2, 3 * turn // count))
            first, second = (notation.move_of(text) for text in ply.texts)
            p = GAME.play_both(p, first or 0, second or 0)
    y, third = np.array([row[1] for row in rows]), np.array([row[2] for row in rows])
    decided = y != 0.5
    lead = np.clip([lead_of(row[0]) for row in rows], -5, 5)
    for name in asked.evaluations:
        evaluation = GAME.evaluations[name]
        values = np.array([evaluation.of(GAME, p, 0) for p, _, _ in rows])
        if evaluation.point:
            chances, how = 0.5 + values / (2 * evaluation.point), "as they are"
        else:
            scales = np.geomspace(1e-3, 10, 400)
            best = min(scales, key=lambda k, v=values[decided]: loss(chance(k * v), y[decided]))  # type: ignore[misc]
            chances, how = chance(best * values), f"scaled by {best:.3g}"
        parts = [loss(chances[w], y[w]) for w in (decided & (third == k) for k in range(3))]
        told = " ".join(f"{part:.3f}" for part in parts)
        whole = f"log-loss {loss(chances[decided], y[decided]):.4f} (thirds {told})"
        print(f"{name}, {how}: {whole}, {decided.sum()} positions")
        for ahead in range(1, 6):
            which, sign = abs(lead) == ahead, np.sign(lead[abs(lead) == ahead])
            shown, scored = (0.5 + sign * (each[which] - 0.5) for each in (chances, y))
            print(
                f"  {ahead}{' or more' if ahead == 5 else ''} ahead: {100 * shown.mean():.0f} %, "
                f"scored {100 * scored.mean():.0f} % of {which.sum()}"
            )


def habits(asked: argparse.Namespace) -> None:
    found = GAME.foreign_games(asked.file.read_text())
    if found is None:
        raise SystemExit(f"{asked.file} holds no games of RoPaSci 360")
    reader = agents.make("reader", GAME)
    assert isinstance(reader, ReaderAgent)
    assert isinstance(reader.search, ReadingSearch)
    rows = list[tuple[float, float, bool, int]]()
    for record in found.whole()[: asked.games]:
        line = Line(GAME)
        reader.new_game()
        for ply in record.plies:
            both = [notation.move_of(text) or 0 for text in ply.texts]
            reader.follow(line)
            for player in range(2):
                expected = reader.search.expected(reader.question(line.p, 0, player))
                actual, likeliest = both[1 - player], max(expected, key=expected.__getitem__)
                any_move = -math.log(len(expected))
                hit = actual == likeliest
                rows.append((math.log(expected[actual]), any_move, hit, len(line.positions)))
            line.stand(GAME.play_both(line.p, both[0], both[1]))
    turns = np.array([row[3] for row in rows])
    for name, which in (("turns 1 to 10", turns <= 10), ("later turns", turns > 10)):
        told, even, hits = (np.array([row[k] for row in rows])[which].mean() for k in range(3))
        print(
            f"{name}: log-likelihood of an action {told:.3f} (any action {even:.3f}), "
            f"the likeliest was played {100 * hits:.1f} % of {which.sum()}"
        )


def chance(odds: np.ndarray) -> np.ndarray:
    return np.asarray(0.5 * (1 + np.tanh(0.5 * odds)))


def loss(chances: np.ndarray, y: np.ndarray) -> float:
    p = np.clip(chances, 1e-9, 1 - 1e-9)
    return float(-np.mean(y * np.log(p) + (1 - y) * np.log(1 - p)))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    kinds = options.add_subparsers(required=True)
    for name, function in (("match", match), ("leads", leads), ("hunts", hunts)):
        kind = kinds.add_parser(name)
        kind.add_argument("first")
        kind.add_argument("second", nargs="+")
        kind.add_argument("--pairs", type=int, default=10)
        kind.add_argument("--positions", type=int, default=50)
        kind.add_argument("--opening", type=int, default=4)
        kind.add_argument("--left", type=int, default=300)
        kind.add_argument("--seed", type=int, default=1)
        kind.set_defaults(run=function)
    kind = kinds.add_parser("foretell")
    kind.add_argument("file", type=Path)
    kind.add_argument("--evaluations", nargs="+", default=["hunt", "fitted", "learned"])
    kind.set_defaults(run=foretell)
    kind = kinds.add_parser("habits")
    kind.add_argument("file", type=Path)
    kind.add_argument("--games", type=int)
    kind.set_defaults(run=habits)
    asked = options.parse_args()
    asked.run(asked)


if __name__ == "__main__":
    main()
