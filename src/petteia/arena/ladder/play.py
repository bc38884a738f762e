"""What a worker does for a ladder: tries a submission, plays some pairs of a meeting."""

from __future__ import annotations

from petteia import agents, games
from petteia.arena.contest import Job
from petteia.arena.match import Match, Pair
from petteia.core import spec as specs
from petteia.core.agent import Agent, Decision
from petteia.core.errors import PetteiaError, one_line
from petteia.core.game import DECISION, Game
from petteia.core.program import ProgramFailed
from petteia.core.words import Words
from petteia.search.stepper import first_choice, stepper_of

__all__ = ["play_meeting", "try_out"]


def try_out(game_spec: str, spec: str) -> str:
    """Starts an agent and asks for its first move; gives what went wrong in one line, or nothing.

    Its code runs in a process of its own; here only its clock does.
    """
    game = games.make(game_spec)
    p = first_choice(game, game.start())
    seen = stepper_of(game).look(p)
    agent: Agent | None = None
    try:
        agent = agents.make(spec, game)
        move = agent.choose(p, player=seen.mover if seen.kind == DECISION else 0).move
    except ProgramFailed as error:
        return error.why
    except PetteiaError as error:
        return one_line(str(error))
    finally:
        if agent is not None:
            agent.close()
    return "" if move in seen.moves else f"illegal move {move!r} at {game.text(p)}"


class _Absent(Agent):
    """Stands for an agent that did not start: it forfeits its games, and the others play on."""

    name = "absent"

    def __init__(self, game: Game, spec: str, why: PetteiaError) -> None:
        super().__init__(game)
        self.given = specs.parse(spec)
        self.why = why

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        raise self.why


def _made(spec: str, game: Game) -> Agent:
    try:
        return agents.make(spec, game)
    except PetteiaError as error:
        return _Absent(game, spec, error)


def play_meeting(job: Job) -> list[Pair]:
    """Plays the pairs of a job. Nothing of the agents runs on afterwards.

    A series (`arena.contest.run_job`) keeps its agents for the next job and refuses to begin
    without one of them; a ladder has many agents, each of which may fail at any start.
    """
    contest = job.contest
    game = games.make(contest.game)
    first, second = _made(contest.first, game), _made(contest.second, game)
    try:
        match = Match(game, first, second, seed=contest.seed, opening=contest.opening)
        return [match.pair(index) for index in job.pairs]
    finally:
        first.close()
        second.close()
