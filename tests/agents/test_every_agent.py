"""Every agent in every game: it plays legal moves at positions of every kind, or is refused in one
line; and where the exact value is known, it finds it. New agents and games are covered by being
listed in ``AGENTS``, in a game's ``agents`` or among the games."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from petteia import agents, games
from petteia.core.agent import Agent
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, Game, Kind
from petteia.core.words import Words
from petteia.review.outlook import outlook
from tests.positions import random_positions
from tests.search.test_joint_kinds import exact
from tests.toys import Market, OddEven, Race

EXAMPLES = Path(__file__).parents[2] / "examples"
TOYS: list[Game] = [Race(), OddEven(), Market()]
CONNECT_FOUR, GOOFSPIEL = (
    games.make(str(EXAMPLES / f"{name}.py")) for name in ("connect_four", "goofspiel")
)
GAMES = [*TOYS, CONNECT_FOUR, GOOFSPIEL, *(games.make(name) for name in games.names())]

QUICK = {
    "minimax": "minimax(depth=2)",
    "alphabeta": "alphabeta(depth=2)",
    "engine": "engine(nodes=300)",
    "expectimax": "expectimax(depth=1)",
    "mcts": "mcts(simulations=30)",
    "rollout": "rollout(by=greedy, trials=2, plies=0, luck=false)",
    "smmcts": "smmcts(simulations=50)",
    "respond": "respond(to=random)",
}
"""Settings that take little time, and what an agent cannot do without."""
NEEDS_TABLES = {"perfect"}


@cache
def somewhere(game: Game) -> dict[int, Words]:
    """A random position of every kind that comes."""
    return {int(game.kind(p)): p for p in random_positions(game, 16, seed=5)}


def pairs() -> list[tuple[Game, str]]:
    return [
        # Programs have tests of their own.
        (game, name)
        for game in GAMES
        for name, kind in agents.available(game).items()
        if not kind.starts_programs
    ]


@pytest.mark.parametrize(("game", "name"), pairs(), ids=lambda x: str(x).rsplit("/", 1)[-1])
def test_it_plays_legal_moves_or_says_why_not(
    game: Game, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path))
    spec = QUICK.get(name, name)
    kind = agents.available(game)[name]
    if kind.unable(game):
        with pytest.raises(PetteiaError) as refused:
            agents.make(spec, game)
        said = str(refused.value)
        assert said.endswith(f"; these can play it: {', '.join(agents.able(game))}")
        assert "\n" not in said
        return
    if name in NEEDS_TABLES:
        with pytest.raises(PetteiaError, match="petteia solve"):
            agents.make(spec, game)
        return
    agent = agents.make(spec, game)
    for there, p in somewhere(game).items():
        agent.new_game()
        agent.prepare(p)
        if there == SIMULTANEOUS:
            for player in (0, 1):
                choice = agent.choose(p, seed=3, player=player)
                assert choice.move in game.legal_moves(p, player)
        elif there == DECISION:
            assert agent.choose(p, seed=3).move in game.legal_moves(p)
            assert {each.move for each in agent.values(p, seed=3)} == set(game.legal_moves(p))


def test_every_kind_of_position_is_met_in_every_game() -> None:
    for game in GAMES:
        met = {Kind(kind) for kind in somewhere(game)}
        assert met <= game.kinds()
        # The fingers' game has kernels for moves that it never asks for.
        assert met == game.kinds() or isinstance(game, OddEven)


# --- exact values ---------------------------------------------------------------------------------

ENDS = {
    "minimax": "minimax(depth=9)",
    "alphabeta": "alphabeta(depth=9)",
    "engine": "engine(depth=9)",
    "expectimax": "expectimax(depth=12)",
    "mcts": "mcts(simulations=20000)",
    "nash": "nash(depth=6)",
    "smmcts": "smmcts(simulations=100000)",
}
"""Settings with which a search sees the end of a small game, or comes near."""
NEAR = {"mcts": 0.05, "smmcts": 0.25}
"""How far the value may be off, in points, of those that draw by lot."""


def points(agent: Agent, value: float) -> float:
    """A value in points: a quicker win is worth a little more, which is taken out."""
    return value if agent.in_points else round(value / 1e6, 4)


def nearly_over() -> list[Words]:
    """Positions of Connect Four with at most eight empty cells."""
    found = random_positions(CONNECT_FOUR, 4000, seed=2)
    return [p for p in found if 42 - sum(int(discs).bit_count() for discs in p) <= 8][:6]


def small() -> list[tuple[Game, list[Words]]]:
    """Games and positions that can be solved at once."""
    return [
        *((game, random_positions(game, 12, seed=1)) for game in TOYS),
        (CONNECT_FOUR, nearly_over()),
        (GOOFSPIEL, [p for p in random_positions(GOOFSPIEL, 60, seed=1) if p[2].bit_count() < 3]),
    ]


@pytest.mark.parametrize(
    ("game", "positions", "name"),
    [
        pytest.param(game, positions, name, id=f"{game.spec.name.rsplit('/', 1)[-1]}-{name}")
        for game, positions in small()
        for name in ENDS
        if not agents.AGENTS[name].unable(game)
    ],
)
def test_it_finds_the_exact_value(game: Game, positions: list[Words], name: str) -> None:
    agent = agents.make(ENDS[name], game)
    near = NEAR.get(name, 1e-4)
    assert len(positions) >= 4
    for p in positions:
        value = exact(game, p)
        if game.kind(p) == CHANCE:
            found = outlook(agent, p).value
            assert found is not None
            assert points(agent, found) == pytest.approx(value, abs=near)
            continue
        for player in (0, 1) if game.kind(p) == SIMULTANEOUS else (int(game.mover(p)),):
            said = agent.choose(p, player=player).value
            assert said is not None
            sign = 1.0 if player == 0 else -1.0
            assert points(agent, said) == pytest.approx(sign * value, abs=near)
