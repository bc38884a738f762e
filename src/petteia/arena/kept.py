"""Series that are kept: every pair is in the store as soon as it is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from petteia.arena.contest import Contest
from petteia.arena.executors import Workers
from petteia.arena.match import Adjudication, MatchResult
from petteia.arena.series import run_series
from petteia.arena.statistics import (
    Sample,
    Sprt,
    bias_note,
    elo_estimate,
    los,
    normalised_elo,
    pentanomial,
    stopped_estimate,
)
from petteia.arena.store import SeriesRow, Store
from petteia.core.errors import PetteiaError

__all__ = ["KeptSeries", "RunningSprt", "contest_of"]


@dataclass
class RunningSprt:
    """A sequential test during a series: it counts the pairs and says when to stop."""

    sprt: Sprt
    counts: list[int] = field(default_factory=lambda: [0] * 5)
    """Pairs by agent A's half points: LL, LD, DD or WL, WD, WW."""
    llr: float = 0.0

    def __call__(self, result: MatchResult) -> bool:
        """Takes in the last pair; whether the test has decided."""
        self.counts[round(2 * sum(result.pairs[-1].scores))] += 1
        self.llr = self.sprt.llr(self.counts)
        return self.sprt.decision(self.llr) != "continue"

    def as_json(self) -> dict[str, Any]:
        """What the test says."""
        corrected = stopped_estimate(self.sprt, self.counts)
        return {
            "llr": self.llr,
            "bounds": list(self.sprt.bounds),
            "decision": self.sprt.decision(self.llr),
            "hypotheses": [self.sprt.elo0, self.sprt.elo1],
            "model": self.sprt.model,
            "corrected": corrected.elo.as_json() if corrected else None,
            "note": bias_note(self.sprt, self.counts),
        }


def contest_of(row: SeriesRow) -> Contest:
    """The contest of a stored series."""
    if row.kind == "import":
        raise PetteiaError(f"series {row.id} was imported; it cannot be continued")
    rule = row.options.get("adjudication")
    return Contest(
        row.game,
        row.agents[0],
        row.agents[1],
        row.seed,
        row.options.get("opening", "random"),
        Adjudication(**rule) if rule else None,
    )


@dataclass
class KeptSeries:
    """A series of a contest, new or resumed; without a store it is only played."""

    contest: Contest
    pairs: int
    sprt: Sprt | None = None
    store: Store | None = None
    id: int | None = None
    """Its number in the store."""
    kind: str = "match"

    @classmethod
    def resumed(cls, store: Store, number: int) -> KeptSeries:
        """The stored series of this number, to be continued."""
        row = store.find(number)
        test = row.options.get("sprt")
        sprt = Sprt(**test) if test else None
        return cls(contest_of(row), row.pairs, sprt, store, number, row.kind)

    def __post_init__(self) -> None:
        self.test = RunningSprt(self.sprt) if self.sprt else None

    def number(self, store: Store) -> int:
        """Its number in the store; a new series gets one."""
        if self.id is None:
            contest, rule = self.contest, self.contest.adjudication
            options = {
                "opening": contest.opening,
                "adjudication": asdict(rule) if rule else None,
                "sprt": asdict(self.sprt) if self.sprt else None,
            }
            self.id = store.new_series(
                game=contest.game,
                agents=(contest.first, contest.second),
                seed=contest.seed,
                pairs=self.pairs,
                kind=self.kind,
                options=options,
            )
        return self.id

    def play(self, workers: Workers) -> Iterator[MatchResult]:
        """Plays what is missing; gives the result so far after every pair."""
        store, contest = self.store, self.contest
        if store is None:
            yield from run_series(contest, self.pairs, workers, stop=self.test)
            return
        number = self.number(store)
        known = store.pairs(number)
        store.finish(number, "running")
        state = "stopped"
        try:
            yield from run_series(
                contest,
                self.pairs,
                workers,
                known=known,
                keep=lambda pairs: store.add_pairs(number, pairs),
                stop=self.test,
            )
            state = "finished"
        finally:
            store.finish(number, state)

    def facts(self, result: MatchResult) -> dict[str, Any]:
        """What was played and what came out, as JSON-ready data."""
        contest = self.contest
        names = [contest.first, contest.second]
        played = [each for pair in result.pairs for each in pair.games]
        counts = pentanomial(pair.scores for pair in result.pairs)
        sample = Sample.of_counts(counts)
        return {
            "game": contest.game,
            "agents": names,
            "pairs": self.pairs,
            "seed": contest.seed,
            "opening": contest.opening,
            "adjudication": str(contest.adjudication) if contest.adjudication else None,
            "series": self.id,
            **result.as_json(),
            "pentanomial": list(counts),
            "elo": elo_estimate(sample).as_json(),
            "normalised_elo": normalised_elo(sample).as_json(),
            "los": los(sample),
            "plies": sum(each.plies for each in played) / max(1, len(played)),
            "costs": [{"agent": name, **vars(result.seat(i))} for i, name in enumerate(names)],
            "problems": [each.forfeit.reason for each in played if each.forfeit],
            **(self.test.as_json() if self.test else {}),
        }
