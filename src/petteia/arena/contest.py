"""What is to be played, as plain data: it can be stored, sent to another machine, and repeated."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from petteia import agents, games
from petteia.arena.match import Adjudication, Match, Pair

__all__ = ["Contest", "Job", "match_of", "run_job"]


@dataclass(frozen=True)
class Contest:
    """Two agents and the conditions under which they meet."""

    game: str
    first: str
    second: str
    seed: int = 0
    opening: str = "random"
    """``random``, ``random(plies=6)``, ``none``, or a list of openings of the game."""
    adjudication: Adjudication | None = None

    def checked(self) -> Contest:
        """The same contest with the game's and saved agents' names in full; raises where a spec
        is wrong."""
        match = match_of(self)
        first, second = (agents.written_out(each, match.game) for each in (self.first, self.second))
        return Contest(str(match.game), first, second, self.seed, match.opening, self.adjudication)


@dataclass(frozen=True)
class Job:
    """Some pairs of a contest: the unit of parallel work."""

    contest: Contest
    pairs: tuple[int, ...]


@lru_cache(maxsize=8)
def match_of(contest: Contest) -> Match:
    """The contest with its game and agents made; kept, because agents are costly to make."""
    game = games.make(contest.game)
    return Match(
        game,
        agents.make(contest.first, game),
        agents.make(contest.second, game),
        seed=contest.seed,
        opening=contest.opening,
        adjudication=contest.adjudication,
    )


def run_job(job: Job) -> list[Pair]:
    """Plays the pairs of a job, in whatever process it runs."""
    match = match_of(job.contest)
    return [match.pair(index) for index in job.pairs]
