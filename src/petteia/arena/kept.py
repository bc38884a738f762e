"""Series that are kept: every pair is in the store as soon as it is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from petteia.arena.contest import Contest
from petteia.arena.executors import Workers
from petteia.arena.match import Adjudication, MatchResult
from petteia.arena.series import run_series
from petteia.arena.statistics import Sprt, bias_note
from petteia.arena.store import SeriesRow, Store
from petteia.core.errors import PetteiaError

__all__ = ["KeptSeries", "Watch", "contest_of"]


@dataclass
class Watch:
    """A sequential test that looks on: it counts the pairs and says when to stop."""

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
        return {
            "llr": self.llr,
            "bounds": list(self.sprt.bounds),
            "decision": self.sprt.decision(self.llr),
            "hypotheses": [self.sprt.elo0, self.sprt.elo1],
            "model": self.sprt.model,
            "note": bias_note(self.sprt, self.counts),
        }


def contest_of(row: SeriesRow) -> Contest:
    """The contest of a stored series."""
    if row.kind == "import":
        raise PetteiaError(f"series {row.id} was imported; it cannot go on")
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
        """The stored series of this number, to be gone on with."""
        row = store.find(number)
        test = row.options.get("sprt")
        sprt = Sprt(**test) if test else None
        return cls(contest_of(row), row.pairs, sprt, store, number, row.kind)

    def __post_init__(self) -> None:
        self.watch = Watch(self.sprt) if self.sprt else None

    def play(self, workers: Workers) -> Iterator[MatchResult]:
        """Plays what is missing; gives the result so far after every pair."""
        store, contest = self.store, self.contest
        if store is None:
            yield from run_series(contest, self.pairs, workers, stop=self.watch)
            return
        if self.id is None:
            rule = contest.adjudication
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
        number = self.id
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
                stop=self.watch,
            )
            state = "finished"
        finally:
            store.finish(number, state)
