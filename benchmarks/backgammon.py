"""Backgammon measured: ours and the peers in turns, in one run.

    python benchmarks/backgammon.py [--quick]

All rates count seconds of the processor: plays generated a second (OpenSpiel's state driven from
Python as the peer), whole games between strategies, evaluations of the networks, the bear-off
table, one restart of the report's tuning.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

try:
    import pyspiel
except ImportError:  # the rows of the peer are left out
    pyspiel = None

from petteia import agents, games
from petteia.arena.match import Match
from petteia.compiled import kernel, load, random_below, random_unit
from petteia.core.game import CHANCE, TERMINAL
from petteia.core.rules import drawn_outcome
from petteia.core.words import U
from petteia.games.backgammon.evaluations.network import OUT, estimate
from petteia.games.backgammon.solution import bearoff
from petteia.games.backgammon.solution.neural import shipped_weights, with_scratch
from petteia.search.lines import LineSeries
from petteia.search.rollout import Rollout
from petteia.search.stepper import stepper_of

GAME = games.make("backgammon")
COURSE = games.make("backgammon(rules=course)")


@kernel
def turns_of(game: Any, turns: int, state: np.ndarray, out: np.ndarray, prob: np.ndarray) -> int:
    """Random games for so many turns: all plays are generated, one is made."""
    plays = 0
    p = game.start()
    while turns > 0:
        kind = game.kind(p)
        if kind == TERMINAL:
            p = game.start()
        elif kind == CHANCE:
            end = game.chances(p, out, prob, 0)
            p = game.play(p, out[drawn_outcome(prob, end, random_unit(state))])
        else:
            end = game.moves(p, out, 0)
            plays += end
            turns -= 1
            p = game.play(p, out[random_below(state, end)])
    return plays


@kernel
def plays_of(game: Any, turns: int, state: np.ndarray, out: np.ndarray, prob: np.ndarray) -> int:
    """The same, but every play is made as well; gives their number."""
    plays, mixed = 0, U(0)
    p = game.start()
    while turns > 0:
        kind = game.kind(p)
        if kind == TERMINAL:
            p = game.start()
        elif kind == CHANCE:
            end = game.chances(p, out, prob, 0)
            p = game.play(p, out[drawn_outcome(prob, end, random_unit(state))])
        else:
            end = game.moves(p, out, 0)
            for i in range(end):
                mixed ^= game.play(p, out[i])[0]
            plays += end
            turns -= 1
            p = game.play(p, out[random_below(state, end)])
    return plays + (1 if mixed == U(1) else 0)


@kernel
def evaluations_of(game: Any, boards: np.ndarray, w: np.ndarray, count: int) -> float:
    """The networks on many positions."""
    total = 0.0
    for i in range(count):
        estimate(load(boards, i % len(boards), game.start()), 0, w)
        total += w[OUT]
    return total


def our_turns(count: int) -> float:
    """Turns a second of random play with all distinct plays listed."""
    state = np.array([count], np.uint64)
    out, prob = np.zeros(GAME.max_moves, np.int64), np.zeros(64)
    started = time.process_time()
    turns_of(GAME, count, state, out, prob)
    return count / (time.process_time() - started)


def our_plays(turns: int) -> float:
    """Distinct plays a second, each made."""
    state = np.array([turns], np.uint64)
    out, prob = np.zeros(GAME.max_moves, np.int64), np.zeros(64)
    started = time.process_time()
    plays = plays_of(GAME, turns, state, out, prob)
    return plays / (time.process_time() - started)


def their_plays(turns: int) -> float | None:
    """The same with OpenSpiel: every action is made, and results that differ are counted."""
    if pyspiel is None:
        return None
    other, chance = pyspiel.load_game("backgammon"), random.Random(turns)
    state, plays = other.new_initial_state(), 0
    started = time.process_time()
    while turns > 0:
        if state.is_terminal():
            state = other.new_initial_state()
        elif state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, chances)[0])
        else:
            turns -= 1
            found = {}
            for action in state.legal_actions():
                after = state.child(action)
                found[str(after)] = after
            plays += len(found)
            state = found[chance.choice(sorted(found))]
    return plays / (time.process_time() - started)


def their_turns(count: int) -> float | None:
    """The same with OpenSpiel: its legal actions at every decision, one applied."""
    if pyspiel is None:
        return None
    other, chance = pyspiel.load_game("backgammon"), random.Random(count)
    state, turns = other.new_initial_state(), 0
    started = time.process_time()
    while turns < count:
        if state.is_terminal():
            state = other.new_initial_state()
        elif state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, chances)[0])
        else:
            actions = state.legal_actions()
            turns += 1
            state.apply_action(actions[chance.randrange(len(actions))])
    return count / (time.process_time() - started)


def games_a_second(first: str, second: str, count: int, *, records: bool) -> float:
    """Whole games by course rules, in the arena with records or as bare results."""
    a, b = agents.make(first, COURSE), agents.make(second, COURSE)
    if records:
        match = Match(COURSE, a, b, seed=1)
        match.pair(0)
        started = time.process_time()
        match.run(count // 2)
        return count / (time.process_time() - started)
    series = LineSeries(COURSE, a, b)  # type: ignore[arg-type]
    series.result(COURSE.start(), (0, 0), 0)
    started = time.process_time()
    for number in range(count):
        series.result(COURSE.start(), (0, 0), number)
    return count / (time.process_time() - started)


def evaluations(count: int) -> float:
    """Evaluations of the networks a second, on positions of random games."""
    chance, stepper = random.Random(1), stepper_of(GAME)
    boards, p = [], GAME.start()
    while len(boards) < 1000:
        look = stepper.look(p)
        if look.kind == TERMINAL:
            p = GAME.start()
            continue
        if look.kind == CHANCE:
            boards.append(p)
        p = stepper.play(p, chance.choice(look.moves))
    words, w = np.array(boards, np.uint64), with_scratch(shipped_weights())
    evaluations_of(GAME, words, w, 10)
    started = time.process_time()
    evaluations_of(GAME, words, w, count)
    return count / (time.process_time() - started)


def bear_off() -> float:
    """Seconds for the one-sided table."""
    started = time.process_time()
    bearoff.one_sided()
    return time.process_time() - started


def both_sides() -> float:
    """Seconds for the exact table of both sides, six checkers each."""
    started = time.process_time()
    bearoff.two_sided(6)
    return time.process_time() - started


def rolled_out(trials: int) -> tuple[float, float]:
    """Seconds of a rollout of the start to the end, and how many times fewer trials do."""
    rollout = Rollout(GAME, agents.make("network", GAME).playable())  # type: ignore[arg-type]
    p = GAME.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
    rollout.run([p], 0, 2, 0)
    started = time.process_time()
    (found,) = rollout.run([p], 0, trials, 1)
    return time.process_time() - started, found.ratio


def median(measure: Callable[[], float], times: int) -> float:
    """The middle of several measurements."""
    return statistics.median(measure() for _ in range(times))


def beside(
    text: str, ours: Callable[[int], float], our_count: int,
    theirs: Callable[[int], float | None], their_count: int,
) -> None:  # fmt: skip
    """Both in turns, so that they see the same machine; medians and their ratio."""
    ours(100)
    mine, other = [], []
    for _ in range(5):
        mine.append(ours(our_count))
        found = theirs(their_count)
        other += [] if found is None else [found]
    print(f"{text}: {statistics.median(mine):,.0f}")
    if other:
        peer = statistics.median(other)
        print(f"  OpenSpiel from Python: {peer:,.0f}, ratio {statistics.median(mine) / peer:,.0f}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="less of everything")
    part = 10 if parser.parse_args().quick else 1
    beside(
        "random play, all plays listed, turns/s",
        our_turns,
        400_000 // part,
        their_turns,
        4_000 // part,
    )
    beside(
        "distinct plays, each made, plays/s", our_plays, 200_000 // part, their_plays, 2_000 // part
    )
    pair = ("weighting_distance", "end_game2")
    for records, text in ((True, "with records in the arena"), (False, "results alone")):
        speed = median(lambda r=records: games_a_second(*pair, 600 // part, records=r), 3)
        print(f"weighting_distance v end_game2, {text}: {speed:,.0f} games/s")
        if not records:
            print(f"  50 x 269 games: {50 * 269 / speed:.1f} s")
    print(f"networks: {median(lambda: evaluations(400_000 // part), 3):,.0f} evaluations/s")
    bear_off()
    print(f"one-sided bear-off table: {median(bear_off, 3):.2f} s")
    both_sides()
    print(f"two-sided bear-off table, 853,776 positions: {median(both_sides, 3):.2f} s")
    seconds, ratio = rolled_out(max(36, 360 // part))
    print(f"rollout of the start, {max(36, 360 // part)} whole games: {seconds:.1f} s, "
          f"variance {ratio:.1f} times less")  # fmt: skip


if __name__ == "__main__":
    main()
