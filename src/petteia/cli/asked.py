"""An agent that answers a person: it may use all that this machine has."""

from __future__ import annotations

from petteia.cli import output
from petteia.core.agent import Agent
from petteia.core.errors import PetteiaError
from petteia.core.processors import processors

__all__ = ["asked"]


def asked(agent: Agent, *, threads: bool = True) -> Agent:
    """The agent, with all processors and the exact tables of this machine where its spec does not
    say otherwise."""
    if threads:
        agent.use_threads(processors())
    try:
        agent.use_tables()
    except PetteiaError as problem:
        output.note(f"{problem}; {agent} plays without the tables. petteia tables repairs them")
    return agent
