"""Agents: a search, an evaluation and limits, made from a spec.

``make("alphabeta(depth=5, eval=offensive2)", game)``. A game's room may bring agents of its own;
``./mine.py:MyAgent`` is a user's, which plays in a separate process.
"""

from __future__ import annotations

from petteia.agents.outside import External, FileAgent
from petteia.agents.perfect import Perfect
from petteia.agents.random import RandomAgent
from petteia.agents.respond import Responder
from petteia.agents.rollout import RolloutAgent
from petteia.core import files, saved
from petteia.core import spec as specs
from petteia.core.agent import NOWHERE, Agent, EvaluatingAgent, Offer
from petteia.core.errors import PetteiaError, one_of
from petteia.core.game import Game
from petteia.core.words import Words
from petteia.search.alphabeta import AlphaBeta, Greedy, Minimax
from petteia.search.engine import EngineAgent
from petteia.search.evaluations import evaluation_for
from petteia.search.expectimax import ExpectimaxAgent
from petteia.search.joint_mcts import JointMctsAgent
from petteia.search.mcts import MctsAgent
from petteia.search.nash import NashAgent, QuantalAgent
from petteia.search.paranoid import MeanAgent, OptimisticAgent, ParanoidAgent
from petteia.search.reading import ReaderAgent

__all__ = [
    "AGENTS", "able", "available", "evaluation_for", "make", "offers", "solved", "usual",
    "written_out",
]  # fmt: skip

AGENTS: dict[str, type[Agent]] = {
    kind.name: kind
    for kind in (
        RandomAgent,
        Greedy,
        Minimax,
        AlphaBeta,
        EngineAgent,
        ExpectimaxAgent,
        RolloutAgent,
        MctsAgent,
        NashAgent,
        ParanoidAgent,
        OptimisticAgent,
        MeanAgent,
        QuantalAgent,
        ReaderAgent,
        JointMctsAgent,
        Responder,
        Perfect,
        External,
    )
}


def available(game: Game | type[Game]) -> dict[str, type[Agent]]:
    """The agents that can be asked to play a game, its own included."""
    return {**AGENTS, **game.agents}


def able(game: Game) -> list[str]:
    """The names of those that can play a game: whose searches handle all that happens in it."""
    return [name for name, kind in available(game).items() if not kind.unable(game)]


def offers(game: Game) -> list[Offer]:
    """What all these agents are offered for in a game, those for nothing left out."""
    found = (kind.offer(game) for kind in available(game).values())
    return [offer for offer in found if offer is not NOWHERE]


def usual(game: Game, named: str = "") -> str:
    """Who is asked where nobody is named: ``named`` or the game's usual agent, if it can play the
    game; else one that can, and that needs no evaluation where the game has none.

    A user's game is given the agents of a game of plain moves, whatever happens in it.
    """
    spec = named or game.default_agent
    kind = available(game).get(specs.parse(spec).name)
    if kind is None or not kind.unable(game):
        return spec
    able = [kind for kind in available(game).values() if kind.offer(game).stand_in]
    if not game.default_evaluation:
        able = [kind for kind in able if not issubclass(kind, EvaluatingAgent)] or able
    if not able:
        return spec
    offer = able[0].offer(game)
    return offer.stand_in if spec == game.default_agent else offer.quick or offer.stand_in


def solved(game: Game, p: Words) -> str:
    """Who plays a user's own game perfectly at a position, by a table on this machine; empty if
    there is none."""
    if available(game)[Perfect.name] is not Perfect or Perfect.unable(game):
        return ""
    return Perfect.name if Perfect(game).knows(p) else ""


def make(spec: str | specs.Spec | Agent, game: Game) -> Agent:
    """The agent that a spec names, ready to play the game."""
    if isinstance(spec, Agent):
        return spec
    spec = specs.parse(spec)
    if files.is_file_name(spec.name):
        return FileAgent(game, spec)
    known = available(game)
    if spec.name not in known:
        spec = saved.written_out(spec, game, tuple(known))
    if spec.name not in known:
        raise one_of(spec.name, [*known, *saved.names()], what="agent")
    why = known[spec.name].unable(game)
    if why:
        raise PetteiaError(f"{why}; these can play it: {', '.join(able(game))}")
    agent: Agent = specs.build(known[spec.name], spec, what="agent", game=game)
    agent.given = spec
    return agent


def written_out(spec: str, game: Game) -> str:
    """The same agent without saved names, as it can be repeated anywhere."""
    parsed = specs.parse(spec)
    if files.is_file_name(parsed.name):
        return spec
    full = saved.written_out(parsed, game, tuple(available(game)))
    return spec if full == parsed else str(full)
