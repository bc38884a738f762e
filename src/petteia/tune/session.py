"""A tuning run from its beginning to a result that fresh games have confirmed."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from petteia import __version__, agents, games
from petteia.arena.executors import Workers, kept_open
from petteia.arena.statistics import Sprt
from petteia.core import saved
from petteia.core import spec as specs
from petteia.core.errors import PetteiaError
from petteia.tune import methods
from petteia.tune.confirm import Confirmation
from petteia.tune.log import Log
from petteia.tune.run import drive
from petteia.tune.setting import Setting, bench_of
from petteia.tune.tuner import Candidate, Plan, Tuner

__all__ = ["Session", "Step", "setting_of"]


def setting_of(
    game: str, agent: str = "", against: str = "", *, only: tuple[str, ...] = (), **given: Any
) -> Setting:
    """A setting with all names in full: the game's own choice of agent where none is named, and
    its start as the opponent where there is no other."""
    made = games.make(game)
    who = agents.written_out(agent or agents.usual(made, made.tuned_agent), made)
    other = agents.written_out(against or who, made)
    return Setting(str(made), who, other, only=only, **given)


@dataclass(frozen=True)
class Step:
    """A piece of work that is done."""

    games: int
    text: str
    """Where the search stands, for people."""


@dataclass
class Session:
    """A method on a setting, with its log and its confirmation."""

    setting: Setting
    method: str = "hillclimb"
    plan: Plan = field(default_factory=Plan)
    confirm: int = 1250
    """Pairs of fresh games."""
    sprt: Sprt = field(default_factory=lambda: Sprt(0, 20))
    folder: Path | None = None
    """Where the log is kept; without one an interrupted run begins anew."""
    again: bool = False
    """Whether to forget the log of an earlier run."""
    seconds: float = 0.0
    """Of this run, on the clock."""

    def __post_init__(self) -> None:
        if self.setting.series < 1 or self.confirm < 2:
            raise PetteiaError("a series needs 1 game or more, a confirmation 2 pairs or more")
        self.tuner: Tuner = methods.make(self.method, self.setting, self.plan)
        self.confirmation: Confirmation | None = None
        self.log = Log(self._file(), self._header())
        self.search_seconds = 0.0
        self._searched = 0

    def _header(self) -> dict[str, Any]:
        spec = specs.parse(self.method)
        labels = dict(spec.arguments).get("labels")
        content = Path(str(labels)).read_bytes() if labels else b""
        return {
            "petteia": __version__,
            "setting": asdict(self.setting),
            "method": str(spec),
            "plan": asdict(self.plan),
            "labels": hashlib.sha256(content).hexdigest() if labels else None,
        }

    @property
    def name(self) -> str:
        """What the files of this run are called: the same for the same options."""
        text = json.dumps(self._header(), sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        game = re.sub(r"\W+", "-", Path(specs.parse(self.setting.game).name).name).strip("-")
        return f"{game}-{self.tuner.name}-{digest}"

    def _file(self) -> Path | None:
        if self.folder is None:
            return None
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            file = self.folder / f"{self.name}.log"
            if self.again:
                file.unlink(missing_ok=True)
        except OSError as error:
            raise PetteiaError(f"cannot use the folder {self.folder}: {error.strerror}") from error
        return file

    @property
    def games(self) -> int:
        """The most games that it may take."""
        return self.tuner.games + 6 * self.confirm

    def steps(self, workers: Workers, device: str = "cpu") -> Iterator[Step]:
        """Searches, then confirms."""
        with kept_open(workers) as where:
            yield from self._steps(where, device)

    def _steps(self, workers: Workers, device: str) -> Iterator[Step]:
        started = time.perf_counter()
        for count in drive(self.tuner, self.setting, workers, self.log, device):
            self._searched += count
            yield Step(count, self._standing())
        self.search_seconds = self.log.seconds
        best = self.tuner.best
        self.confirmation = Confirmation(
            self.setting, self.tuner.start, best.weights, self.confirm, self.sprt
        )
        for count in drive(self.confirmation, self.setting, workers, self.log, device):
            yield Step(count, "fresh dice")
        self.seconds = time.perf_counter() - started

    def _standing(self) -> str:
        score = self.tuner.best.score
        if score is None:
            return self.tuner.name
        shown = f"{score:+.3f} points" if self.setting.aim == "points" else f"{100 * score:.1f} %"
        return f"{self.tuner.name}, best {shown}"

    def _candidate(self, candidate: Candidate) -> dict[str, Any]:
        bench = bench_of(self.setting)
        return {
            "restart": candidate.restart,
            "series_score": candidate.score,
            "weights": bench.full(candidate.weights),
        }

    def facts(self) -> dict[str, Any]:
        """What was asked, what was found and what it is worth, as JSON-ready data."""
        assert self.confirmation is not None, "a session tells its facts after its steps"
        setting, bench, best = self.setting, bench_of(self.setting), self.tuner.best
        assert best.score is not None
        return {
            "game": setting.game,
            "method": str(specs.parse(self.method)),
            "against": setting.against,
            "series": setting.series,
            "seed": setting.seed,
            "opening": setting.opening,
            "aim": setting.aim,
            "start": bench.full(self.tuner.start),
            "weights": bench.full(best.weights),
            "agent": str(bench.agent_spec(best.weights)),
            "evaluation": str(bench.evaluation_spec(best.weights)),
            **self.confirmation.facts(best.score),
            "pool": [self._candidate(each) for each in self.tuner.pool],
            "notes": self.tuner.notes,
            "games": self._searched,
            "search_seconds": self.search_seconds,
            "seconds": self.seconds,
        }

    def save(self, name: str, facts: dict[str, Any]) -> Path | None:
        """Keeps the weights under a name, if fresh games have shown that they are better."""
        bench = bench_of(self.setting)
        known = (*agents.available(bench.game), *bench.game.evaluations)
        if name in known:
            raise PetteiaError(f"--save {name}: the game has something of this name already")
        if not facts["better"]:
            return None
        kept = ("method", "against", "seed", "confirmed_score", "interval", "start_score")
        found = {key: facts[key] for key in kept}
        return saved.save(
            name, saved.Saved(facts["game"], facts["agent"], facts["evaluation"], found)
        )
