"""Studies: experiments declared as data, played in the arena, and reported.

A game and a puzzle name their study as ``module:object``; ``petteia study NAME`` runs it.
"""

from __future__ import annotations

import contextlib
import json
import pkgutil
import shlex
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from petteia import __version__, games, puzzles
from petteia.arena.contest import Contest
from petteia.arena.executors import Workers
from petteia.arena.kept import KeptSeries, contest_of
from petteia.arena.match import MatchResult
from petteia.arena.store import Store
from petteia.core import files, spec
from petteia.core.errors import one_of
from petteia.core.seeds import derive
from petteia.core.writing import write_whole
from petteia.studies.machine import machine, versions
from petteia.studies.report import Report

__all__ = [
    "Experiment", "Measurement", "Outcome", "Running", "Step", "Study", "find", "names",
]  # fmt: skip


@dataclass(frozen=True)
class Experiment:
    """A contest, how long it is, and what was published about it."""

    key: str
    """A short name, unique in the study."""
    title: str
    contest: Contest
    """Its seed is set by the run."""
    quick: int
    """Pairs in the quick run; 0 leaves it out there."""
    full: int
    """Pairs in the full run."""
    claim: str = ""
    """What was published, in words."""
    claimed: float | None = None
    """The published score of the first agent, where there is one."""


@dataclass(frozen=True)
class Outcome:
    """An experiment that was played."""

    experiment: Experiment
    series: KeptSeries
    result: MatchResult

    @property
    def by_seat(self) -> tuple[float, float]:
        """The first agent's mean score as player 0 and as player 1."""
        pairs = [pair.scores for pair in self.result.pairs]
        count = max(1, len(pairs))
        return (sum(first for first, _ in pairs) / count, sum(other for _, other in pairs) / count)

    def facts(self) -> dict[str, Any]:
        """What was asked, what was published and what came out, as JSON-ready data."""
        asked = self.experiment
        return {
            "key": asked.key,
            "title": asked.title,
            "claim": asked.claim,
            "claimed": asked.claimed,
            **self.series.facts(self.result),
            "by_seat": list(self.by_seat),
        }


@dataclass(frozen=True)
class Measurement:
    """Something to be measured that is no match, such as solvers on puzzles."""

    key: str
    """A short name, unique in the study."""
    title: str
    take: Callable[[bool, int], Any]
    """Takes it, given whether the run is a quick one and the seed; the result is JSON-ready."""


Tell = Callable[[Report, Mapping[str, Any]], dict[str, Any]]
"""Writes a part of the report from the outcomes of the experiments and the results of the
measurements, by key; gives what it found as JSON-ready data."""


@dataclass(frozen=True)
class Study:
    """What is to be played, and how it is reported."""

    name: str
    title: str
    about: str
    """A sentence: what is studied, and whose report it was."""
    experiments: tuple[Experiment, ...]
    tell: tuple[Tell, ...]
    """The parts of the report, in order."""
    measurements: tuple[Measurement, ...] = ()
    headline: tuple[str, ...] = ()
    """Findings that also stand at the top of the JSON object."""
    visit: Callable[[Report, Callable[[str], None]], dict[str, Any]] | None = None
    """A stop on the tour for what is no game: writes to the report, tells the person, and gives
    JSON-ready facts, within seconds."""

    @property
    def stem(self) -> str:
        """The name of its files."""
        name = spec.parse(self.name).name
        return files.path_of(name).stem if files.is_file_name(name) else self.name

    def __post_init__(self) -> None:
        keys = [each.key for each in self.experiments] + [each.key for each in self.measurements]
        assert len(set(keys)) == len(keys), f"study {self.name}: a key stands for two experiments"


_TRIED = 2
"""Pairs of every experiment that are played before the time is foretold."""


@dataclass(frozen=True)
class Step:
    """A pair that was played or found."""

    title: str
    """Of its experiment."""
    seconds: float
    """What the pair was expected to take, in seconds of one worker; 0 if it was found."""


@dataclass
class Running:
    """A study under way: first two pairs of every experiment, then the rest.

    Every pair is in the store as soon as it is known, and a pair that is there is not played
    again: an interrupted study goes on where it was, and a full one begins where the quick one
    of the same seed and version ended.
    """

    study: Study
    store: Store
    quick: bool = False
    seed: int = 0
    experiments: list[Experiment] = field(default_factory=list)
    """Those of the study that this run plays."""
    series: list[KeptSeries] = field(default_factory=list)
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    measured: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.experiments = [e for e in self.study.experiments if e.quick or not self.quick]
        for experiment in self.experiments:
            seed = derive(self.seed, self.study.name, experiment.key) % 2**31
            contest = replace(experiment.contest, seed=seed).checked()
            pairs = experiment.quick if self.quick else experiment.full
            self.series.append(self._series(contest, pairs))

    def _series(self, contest: Contest, pairs: int) -> KeptSeries:
        """The series of the contest that the store has, else a new one."""
        found = KeptSeries(contest, pairs, store=self.store, kind="study")
        for row in self.store.series(game=contest.game):
            same = row.kind == "study" and row.version == __version__
            if same and not row.options.get("sprt") and contest_of(row) == contest:
                found.id = row.id
                break
        self.store.want(found.number(self.store), pairs)
        return found

    @property
    def pairs(self) -> int:
        """All pairs of the study."""
        return sum(series.pairs for series in self.series)

    @property
    def missing(self) -> int:
        """The pairs that are still to be played."""
        return sum(len(self._missing(series)) for series in self.series)

    def _missing(self, series: KeptSeries) -> list[int]:
        missing = self.store.missing(series.number(self.store))
        return [index for index in missing if index < series.pairs]

    def first_pairs(self, workers: Workers) -> Iterator[Step]:
        """Plays the first two pairs of every experiment, from which the time can be estimated: the
        very first may have waited for the compiler."""
        for experiment, series in zip(self.experiments, self.series, strict=True):
            if self._untried(series):
                for _ in self._played(series, min(_TRIED, series.pairs), workers):
                    yield Step(experiment.title, 0.0)

    @property
    def tried(self) -> int:
        """How many pairs ``first_pairs`` tells of."""
        return sum(min(_TRIED, series.pairs) for series in self.series if self._untried(series))

    def _untried(self, series: KeptSeries) -> bool:
        return any(index < _TRIED for index in self._missing(series))

    def expected(self, workers: Workers) -> float:
        """The seconds that the rest will take, if pairs take as long as those that are known."""
        left = [(len(self._missing(series)), series) for series in self.series]
        return sum(count * self._pace(series) for count, series in left if count) / workers.count

    def _pace(self, series: KeptSeries) -> float:
        """Seconds a pair takes one worker: the median of what is known, and of two the less."""
        known = defaultdict[int, float](float)
        for row in self.store.games(series=series.number(self.store)):
            known[row.pair] += sum(seat.seconds for seat in row.seats)
        return statistics.median_low(known.values()) if known else 0.0

    def rest(self, workers: Workers) -> Iterator[Step]:
        """Plays what is missing, experiment by experiment."""
        for experiment, series in zip(self.experiments, self.series, strict=True):
            fresh = set(self._missing(series))
            pace = self._pace(series) if fresh else 0.0
            for result in self._played(series, series.pairs, workers):
                self.outcomes[experiment.key] = Outcome(experiment, series, result)
                last = result.pairs[-1].index
                yield Step(experiment.title, pace if last in fresh else 0.0)

    def _played(self, series: KeptSeries, pairs: int, workers: Workers) -> Iterator[MatchResult]:
        part = replace(series, pairs=pairs)
        try:
            yield from part.play(workers)
        finally:
            number = series.number(self.store)
            whole = not self.store.missing(number)
            self.store.finish(number, "finished" if whole else "stopped")

    def measure(self, kept: Path) -> Iterator[str]:
        """Takes the measurements one by one and tells the title of each.

        Each result is written to the file as soon as it is known, and one that stands there from a
        run of the same kind is not taken again.
        """
        run = [self.study.name, __version__, self.quick, self.seed]
        known = {}
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            found = json.loads(kept.read_text("utf-8"))
            known = dict(found["results"]) if found["run"] == run else {}
        for part in self.study.measurements:
            if part.key not in known:
                known[part.key] = part.take(self.quick, self.seed)
                write_whole(kept, json.dumps({"run": run, "results": known}))
            self.measured[part.key] = known[part.key]
            yield part.title

    def report(self) -> tuple[Report, dict[str, Any]]:
        """The report and the facts behind it, once everything is played."""
        length = "quick run" if self.quick else "full run"
        games = f" of {2 * self.pairs:,} games" if self.study.experiments else ""
        lead = f"{self.study.about} A {length}{games}, seed {self.seed}."
        report = Report(self.study.title, lead)
        told, findings = {**self.outcomes, **self.measured}, dict[str, Any]()
        for tell in self.study.tell:
            findings |= tell(report, told)
        report.heading("How to repeat this")
        quick = " --quick" if self.quick else ""
        report.code(f"petteia study {shlex.quote(self.study.name)}{quick} --seed {self.seed}")
        games = (
            " Every game is in the store under the number of its series: petteia records "
            "--series ID --replay SERIES/PAIR/NUMBER shows it board by board."
        )
        used = ", ".join(f"{name} {number}" for name, number in versions().items())
        report.text(f"Made with {used} on {machine()}.{games if self.study.experiments else ''}")
        facts = {
            "study": self.study.name,
            "title": self.study.title,
            "version": __version__,
            "versions": versions(),
            "machine": machine(),
            "quick": self.quick,
            "seed": self.seed,
            "experiments": [outcome.facts() for outcome in self.outcomes.values()],
            "findings": findings,
            **{key: findings[key] for key in self.study.headline},
        }
        return report, facts


def _studies() -> dict[str, Study]:
    found: list[Study] = [
        pkgutil.resolve_name(home)
        for home in (*games.studies(), *(each.study for each in puzzles.profiles() if each.study))
    ]
    return {study.name: study for study in found}


def names() -> list[str]:
    """The studies there are."""
    return sorted(_studies())


def find(name: str) -> Study:
    """The study of this name, or that of a user's own game."""
    if files.is_file_name(spec.parse(name).name):
        own: Study = pkgutil.resolve_name("petteia.studies.own:study_of")(name)
        return own
    known = _studies()
    if name not in known:
        raise one_of(name, known, what="study")
    return known[name]
