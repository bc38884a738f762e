"""The report's player, its features and switches, and the greedy one."""

from __future__ import annotations

import math

import pytest

from petteia import agents
from petteia.arena.match import Match
from petteia.core.errors import PetteiaError
from petteia.core.words import Words
from petteia.games.ropasci import RoPaSci
from petteia.games.ropasci.evaluations import REPORT_WEIGHTS
from petteia.games.ropasci.face import notation
from petteia.games.ropasci.report import ReportAgent
from petteia.games.ropasci.rules.hexes import HEXES, distance
from tests.positions import random_positions

GAME = RoPaSci()
REPORT = GAME.evaluations["report"]
PREY = {"r": "s", "p": "r", "s": "p"}


def tokens(p: Words, player: int) -> list[tuple[str, tuple[int, int]]]:
    """Every token of a player: its symbol and its hex."""
    return [
        (notation.symbol_on(p, number), HEXES[number])
        for number in range(61)
        for _ in range(notation.counts_at(p, number)[player])
    ]


def plain_utility(p: Words, player: int, w: dict[str, float]) -> float:
    """The report's utility as its words say it."""
    own, enemy = tokens(p, player), tokens(p, 1 - player)
    left, their_left = 9 - GAME.thrown(p, player), 9 - GAME.thrown(p, 1 - player)

    def near(hunters_of: dict[str, str] | None) -> float:
        sums = [0.0]
        for symbol, place in own:
            wanted = PREY[symbol] if hunters_of is None else hunters_of[symbol]
            each = [1 / distance(place, other) for kind, other in enemy if kind == wanted]
            sums.append(sum(each) if w["group"] else max(each, default=0.0))
        return max(sums)

    hunter = {prey: symbol for symbol, prey in PREY.items()}
    throws = sum(1 / k for k in range(1, left + 1)) if w["harmonic"] else left
    value = w["throws"] * throws + w["tokens"] * (len(own) + left)
    value += w["attack"] * near(None) - w["danger"] * near(hunter)
    kinds = {kind for kind, _ in enemy}
    if not w["by_rules"] or their_left == 0:
        value += w["invincible"] * sum(hunter[symbol] not in kinds for symbol, _ in own)
    everything = their_left + len(enemy)
    if everything:
        weight = {
            t: (sum(kind == PREY[t] for kind, _ in enemy) + their_left / 3) / everything
            for t in "rps"
        }
        value += w["heavy"] * sum(weight[symbol] for symbol, _ in own)
        if own and sum(weight.values()):
            value -= w["ratio"] * sum(
                abs(
                    sum(symbol == t for symbol, _ in own) / len(own)
                    - weight[t] / sum(weight.values())
                )
                for t in "rps"
            )
    return value


@pytest.mark.parametrize(
    "changed", [{}, {"weaken": 0.5, "group": 0.0}, {"harmonic": 0.0, "by_rules": 1.0}]
)
def test_the_report_evaluation_is_what_its_words_say(changed: dict[str, float]) -> None:
    evaluation = REPORT.with_weights(changed)
    w = evaluation.weights
    for p in random_positions(GAME, 60, seed=9):
        for player in (0, 1):
            value = plain_utility(p, player, w) - w["weaken"] * plain_utility(p, 1 - player, w)
            assert evaluation.of(GAME, p, player) == pytest.approx(value)


def test_our_evaluation_is_even_handed() -> None:
    ours = GAME.evaluations["hunt"]
    for p in random_positions(GAME, 30, seed=4):
        assert ours.of(GAME, p, 0) == pytest.approx(-ours.of(GAME, p, 1))
        for q, _, _ in GAME.symmetries_of_both(p, 61 * 64, 61 * 64)[:5]:
            assert math.isclose(abs(ours.of(GAME, q, 0)), abs(ours.of(GAME, p, 0)), abs_tol=1e-9)
    shares = ours.shares(GAME, p, 0)
    assert sum(shares.values()) == pytest.approx(ours.of(GAME, p, 0))


def report(spec: str) -> ReportAgent:
    agent = agents.make(spec, GAME)
    assert isinstance(agent, ReportAgent)
    return agent


def test_strategies_are_switches() -> None:
    weights = report("report").evaluation.weights
    assert weights == {**REPORT_WEIGHTS, "weaken": 0.9}
    assert report("report(strategy1=false)").evaluation.weights["ratio"] == 0
    assert report("report(strategy2=false)").evaluation.weights["heavy"] == 0
    assert report("report(strategy3=false)").evaluation.weights["attack"] == 0
    assert report("report(strategy4=false)").evaluation.weights["group"] == 0
    off = report("report(strategy5=false)").evaluation.weights
    assert off["danger"] == off["attack"]
    assert report("report(strategy6=false)").evaluation.weights["harmonic"] == 0
    assert report("report(eval=report(attack=7))").evaluation.weights["attack"] == 7


def test_deepening_looks_further_the_fewer_moves_there_are() -> None:
    agent = report("report(deepening=true, nodes=1000000)")
    assert agent.depth_at(100, 100) == 1
    assert agent.depth_at(30, 30) == 2
    assert agent.depth_at(10, 10) == 3
    assert agent.depth_at(1, 1) == 6
    p = GAME.parse("5/6/7/8/4RP3/8/7/6/sr3 9-9 30")
    assert agent.choose(p, player=0).depth >= 2


def test_weakening_changes_what_it_dares() -> None:
    plain, bold = report("report(weaken=1.0)"), report("report(weaken=0.3)")
    places = random_positions(GAME, 30, seed=2)
    moves = [(plain.choose(p, player=0).move, bold.choose(p, player=0).move) for p in places]
    assert any(first != second for first, second in moves)


def test_report_and_greedy_beat_random() -> None:
    for spec in ("report()", "greedy"):
        match = Match(GAME, agents.make(spec, GAME), agents.make("random", GAME), seed=1)
        result = match.run(pairs=4)
        assert result.score > 0.8
        assert result.forfeits() == (0, 0)


def test_greedy_takes_a_token_that_stands_still() -> None:
    p = GAME.parse("5/6/7/8/4S4/4p3/7/6/5 8-8 9")
    choice = agents.make("greedy", GAME).choose(p, player=0)
    assert notation.move_text(choice.move) == "(0,0)-(-1,1)"
    assert choice.value is not None


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("report(weaken=1.5)", "0 to 1"),
        ("report(nodes=0)", "at least 1"),
        ("report(depth=9)", "depth of 9"),
        ("greedy(eval=nothing)", "unknown evaluation"),
    ],
)
def test_bad_arguments_say_what_is_wrong(spec: str, why: str) -> None:
    with pytest.raises(PetteiaError, match=why):
        agents.make(spec, GAME)
