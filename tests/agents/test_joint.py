"""Agents for games in which both choose at the same time."""

from __future__ import annotations

import pytest

from petteia import agents, games
from petteia.agents.respond import expected
from petteia.arena.match import Match
from petteia.core.errors import PetteiaError
from petteia.core.history import Line
from petteia.core.record import Ply
from petteia.games.ropasci import RoPaSci
from petteia.search.joint_search import JointAgent
from petteia.search.stepper import stepper_of
from tests.toys import OddEven

TOY = OddEven()
SPECS = [
    "nash(depth=2)", "paranoid(depth=2)", "optimistic", "mean", "quantal(softness=1.0)", "reader",
    "smmcts(simulations=200)", "respond(to=paranoid)", "random",
]  # fmt: skip


@pytest.mark.parametrize("spec", SPECS)
def test_every_agent_plays_whole_games(spec: str) -> None:
    match = Match(TOY, agents.make(spec, TOY), agents.make("random", TOY), seed=1)
    result = match.run(pairs=4)
    assert len(result.scores) == 8
    assert result.forfeits() == (0, 0)


def test_the_same_seed_gives_the_same_games() -> None:
    def played() -> list[float]:
        first = agents.make("nash(depth=2)", TOY)
        return Match(TOY, first, agents.make("mean", TOY), seed=3).run(pairs=6).scores

    assert played() == played()


def test_a_mixed_strategy_is_drawn_from_its_seed() -> None:
    agent = agents.make("nash(depth=3)", TOY)
    moves = {agent.choose(TOY.start(), seed=seed, player=1).move for seed in range(20)}
    assert moves == {1, 2}


def test_the_best_answer_beats_who_can_be_foreseen_and_not_who_mixes() -> None:
    fixed, mixed = "paranoid(depth=1)", "nash(depth=3)"
    scores = []
    for spec in (fixed, mixed):
        answer = agents.make(f"respond(to={spec})", TOY)
        match = Match(TOY, answer, agents.make(spec, TOY), seed=2)
        scores.append(match.run(pairs=40).score)
    assert scores[1] < 0.7
    assert scores[0] > scores[1] - 0.1


def test_what_must_be_expected_of_an_agent() -> None:
    p = TOY.start()
    mixed = expected(agents.make("nash(depth=3)", TOY), p, 1, seed=0)
    assert mixed.chances() == pytest.approx({1: 0.5, 2: 0.5})
    for spec in ("optimistic", "random", "smmcts(simulations=50)"):
        agent = agents.make(spec, TOY)
        found = expected(agent, p, 0, seed=0).chances()
        assert sum(found.values()) == pytest.approx(1)
        assert set(found) <= {1, 2, 3}


def test_notes_hold_the_matrix_where_nobody_is_named() -> None:
    agent = agents.make("nash", TOY)
    notes = agent.choose(TOY.start()).notes
    assert notes is not None
    assert notes["row_actions"] == ["1", "2", "3"]
    assert notes["column_actions"] == ["1", "2"]
    assert len(notes["matrix"]) == 3  # type: ignore[arg-type]
    assert notes["exploitability"] == pytest.approx(0)
    assert agent.choose(TOY.start(), player=0).notes is None


def test_agents_know_what_was_played() -> None:
    game = RoPaSci(throws=2)
    agent = agents.make("nash(guard=1)", game)
    assert isinstance(agent, JointAgent)
    line, p = Line(game), game.start()
    for texts in (("r(4,-2)", "s(-4,0)"), ("(4,-2)-(4,-1)", "(-4,0)-(-4,1)")):
        moves = [game.parse_move(p, text, player) for player, text in enumerate(texts)]
        p = stepper_of(game).play_both(p, moves[0], moves[1])
        line.add(Ply("both", texts), p)
    assert list(agent.earlier(p)) == []
    agent.follow(line)
    assert len(agent.earlier(p)) == 2
    agent.choose(p, player=0)
    assert agent.search.ws["seen"] == 3
    agent.new_game()
    assert list(agent.earlier(p)) == []


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("nash(depth=0)", "depth of 0"),
        ("nash(depth=7)", "depth of 7"),
        ("paranoid(time=0)", "above 0"),
        ("quantal(softness=-1)", "0 or more"),
        ("smmcts(simulations=0)", "above 0"),
        ("smmcts(selection=ucb)", "unknown selection"),
        ("respond", "needs to"),
        ("respond(to=nobody)", "unknown agent"),
    ],
)
def test_bad_arguments_say_what_is_wrong(spec: str, why: str) -> None:
    with pytest.raises(PetteiaError, match=why):
        agents.make(spec, TOY)


def test_games_of_turns_are_refused() -> None:
    with pytest.raises(
        PetteiaError, match="is for games with simultaneous moves; breakthrough has none"
    ):
        agents.make("nash", games.make("breakthrough"))
