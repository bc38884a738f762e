"""A match: two agents, pairs of games with sides swapped, an honest interval."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from petteia.arena.play import Adjudication, Played, Seat, opening, play_game
from petteia.arena.statistics import pair_interval
from petteia.core import spec as specs
from petteia.core.agent import Agent
from petteia.core.errors import PetteiaError, one_of
from petteia.core.game import DECISION, SIMULTANEOUS, Game
from petteia.core.seeds import derive
from petteia.search.stepper import first_choice, stepper_of

__all__ = ["Adjudication", "Match", "MatchResult", "Opening", "Pair"]


@dataclass(frozen=True)
class Pair:
    """Two games with the same opening and dice; agent A is player 0 in the first."""

    index: int
    games: tuple[Played, Played]

    @property
    def scores(self) -> tuple[float, float]:
        """Agent A's score in each game: 1 for a win, half for a draw."""
        return (_score(self.games[0].result), _score(-self.games[1].result))


def _score(points: float) -> float:
    return 1.0 if points > 0 else 0.0 if points < 0 else 0.5


@dataclass(repr=False)
class MatchResult:
    """The sum of a match so far, from agent A's side."""

    pairs: list[Pair] = field(default_factory=list)

    @property
    def scores(self) -> list[float]:
        """Agent A's score in every game, in the order of play."""
        return [score for pair in self.pairs for score in pair.scores]

    @property
    def score(self) -> float:
        """Agent A's mean score; one half before the first game."""
        return sum(self.scores) / len(self.scores) if self.pairs else 0.5

    @property
    def points(self) -> float:
        """Agent A's mean points a game, for games with more than one point at stake."""
        both = [(pair.games[0].result, -pair.games[1].result) for pair in self.pairs]
        return sum(a + b for a, b in both) / max(1, 2 * len(both))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score."""
        return pair_interval([sum(pair.scores) / 2 for pair in self.pairs])

    @property
    def in_words(self) -> str:
        """The score with its interval in a line."""
        low, high = (f"{100 * bound:.1f}" for bound in self.interval)
        games = len(self.scores)
        return f"{games} games, score {100 * self.score:.1f} %, 95 % interval {low} to {high} %"

    def __repr__(self) -> str:
        return f"<match of {self.in_words}>"

    def count(self, score: float) -> int:
        """How many games ended with this score."""
        return sum(1 for each in self.scores if each == score)

    def seat(self, agent: int) -> Seat:
        """What agent A (0) or B (1) took in all games together."""
        total = Seat()
        for pair in self.pairs:
            for number, game in enumerate(pair.games):
                total += game.seats[agent ^ number]
        return total

    def forfeits(self) -> tuple[int, int]:
        """How many games each agent forfeited."""
        counts = [0, 0]
        for pair in self.pairs:
            for number, game in enumerate(pair.games):
                if game.forfeit:
                    counts[game.forfeit.player ^ number] += 1
        return (counts[0], counts[1])

    def late(self) -> tuple[int, int]:
        """How many answers of each agent came after its time, inside the grace."""
        return (self.seat(0).late, self.seat(1).late)

    def as_json(self) -> dict[str, Any]:
        """The facts that every match reports."""
        return {
            "games": len(self.scores),
            "wins": self.count(1.0),
            "draws": self.count(0.5),
            "losses": self.count(0.0),
            "score": self.score,
            "interval": list(self.interval),
            "points": self.points,
            "forfeits": sum(self.forfeits()),
            "forfeits_by_agent": list(self.forfeits()),
            "late": sum(self.late()),
            "late_by_agent": list(self.late()),
        }


@dataclass(frozen=True)
class Opening:
    """How the games of a pair begin."""

    kind: str
    """``random``, ``none``, or the name of a list of openings of the game."""
    plies: int = 0

    @classmethod
    def parse(cls, game: Game, text: str) -> Opening:
        """Reads ``random``, ``random(plies=6)``, ``none`` or the name of a list."""
        spec = specs.parse(text)
        known = ("random", "none", *game.openings)
        if spec.name not in known:
            raise one_of(spec.name, known, what=f"opening of {game.spec.name}")
        given = dict(spec.arguments)
        plies = given.pop("plies", game.opening_plies if spec.name == "random" else 0)
        if given or not isinstance(plies, int) or not 0 <= plies <= 1000:
            raise PetteiaError(f"bad opening {text!r}; for instance random(plies=4), or none")
        return cls("none", 0) if spec.name == "random" and plies == 0 else cls(spec.name, plies)

    def __str__(self) -> str:
        return f"random(plies={self.plies})" if self.kind == "random" else self.kind

    def moves(self, game: Game, index: int, seed: int) -> list[int]:
        """The opening moves of a pair; the lines of a list are taken in turn."""
        if self.kind == "none":
            return []
        if self.kind == "random":
            return opening(game, self.plies, seed)
        lines = game.openings[self.kind]
        p, moves = game.start(), []
        for text in lines[index % len(lines)].split():
            moves.append(game.parse_move(p, text))
            p = stepper_of(game).play(p, moves[-1])
        return moves


class Match:
    """A match to be played pair by pair."""

    def __init__(
        self,
        game: Game,
        first: Agent,
        second: Agent,
        *,
        seed: int = 0,
        opening: str = "random",
        adjudication: Adjudication | None = None,
    ) -> None:
        self.game = game
        self.agents = (first, second)
        self.seed = seed
        self.adjudication = adjudication
        self._opening = Opening.parse(game, opening)
        somewhere = first_choice(game, game.start())
        if stepper_of(game).look(somewhere).kind in (DECISION, SIMULTANEOUS):
            for agent in self.agents:
                agent.prepare(somewhere)

    @property
    def opening(self) -> str:
        """How games begin, in full."""
        return str(self._opening)

    def pair(self, index: int) -> Pair:
        """The pair of this number: its seeds come from the number, not from what was played."""
        seed = derive(self.seed, "pair", index)
        start = self._opening.moves(self.game, index, seed)
        a, b = self.agents
        games = []
        for number, agents in enumerate(((a, b), (b, a))):
            games.append(
                play_game(
                    self.game,
                    agents,
                    seeds=(derive(seed, "game", number, 0), derive(seed, "game", number, 1)),
                    dice=seed,
                    start=start,
                    adjudication=self.adjudication,
                )
            )
        return Pair(index, (games[0], games[1]))

    def run(self, pairs: int) -> MatchResult:
        """Plays the pairs and gives the result."""
        try:
            *_, result = self.play(pairs)
        finally:
            self.close()
        return result

    def close(self) -> None:
        """Ends the programs of both agents."""
        for agent in self.agents:
            agent.close()

    def play(self, pairs: int) -> Iterator[MatchResult]:
        """Plays the pairs; gives the result so far after each."""
        result = MatchResult()
        for index in range(pairs):
            result.pairs.append(self.pair(index))
            yield result
