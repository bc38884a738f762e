"""``petteia tune``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from petteia.arena.executors import workers as workers_for
from petteia.cli import output
from petteia.cli.match import sprt_of
from petteia.core.errors import PetteiaError
from petteia.core.writing import write_whole
from petteia.studies.tuned import page, verdict
from petteia.tune.methods import METHODS
from petteia.tune.session import Session, setting_of
from petteia.tune.tuner import Plan

__all__ = ["Wish", "listing", "run"]


@dataclass(frozen=True)
class Wish:
    """What the command was asked for."""

    game: str
    agent: str
    against: str
    method: str
    plan: Plan
    series: int
    seed: int
    openings: str
    aim: str
    only: str
    confirm: int
    sprt: str
    save: str
    out: Path
    again: bool
    workers: str
    cluster: str


def _session(wish: Wish) -> Session:
    only = tuple(name.strip() for name in wish.only.split(",") if name.strip())
    setting = setting_of(
        wish.game, wish.agent, wish.against, only=only, series=wish.series, seed=wish.seed,
        opening=wish.openings, aim=wish.aim,
    )  # fmt: skip
    sprt = sprt_of(wish.sprt)
    if sprt is None:
        raise PetteiaError("--sprt needs two Elo differences; for instance 0,20")
    return Session(setting, wish.method, wish.plan, wish.confirm, sprt, wish.out, wish.again)


def run(wish: Wish, as_json: bool) -> None:
    """Searches, confirms, writes the files, tells what came out."""
    session = _session(wish)
    if session.log.found:
        output.note(f"going on from {session.log.path}: {session.log.found} pieces are known")

    def steps() -> Iterator[tuple[float, str]]:
        for step in session.steps(workers_for(wish.workers, wish.cluster)):
            yield step.games, step.text

    try:
        output.weighted(steps(), session.games)
    except KeyboardInterrupt:
        output.note(f"stopped; the same command goes on from {session.log.path}")
        raise
    facts = session.facts()
    files = {kind: wish.out / f"{session.name}.{kind}" for kind in ("html", "json")}
    facts["files"] = [str(file) for file in (*files.values(), session.log.path)]
    kept = session.save(wish.save, facts) if wish.save else None
    facts["saved"] = str(kept) if kept else None
    report = page(facts, session.tuner.marks, session.tuner.bench.names)
    write_whole(files["html"], report.html())
    text = json.dumps(facts, ensure_ascii=False, allow_nan=False, indent=1)
    write_whole(files["json"], text + "\n")
    if as_json:
        output.json_object(facts)
        return
    _show(facts, wish.save)


def _show(facts: dict[str, Any], name: str) -> None:
    print(f"{facts['method']} on {facts['game']} against {facts['against']}, ", end="")
    print(f"{facts['games']:,} games in {facts['seconds']:.1f} s")
    rows = [(key, facts["start"][key], value) for key, value in facts["weights"].items()]
    output.table("", ["weight", "start", "tuned"], rows)
    for key, value in facts["notes"].items():
        print(f"{key.replace('_', ' ')}: {output.plain(value)}")
    low, high = facts["interval"]
    shown = (facts["confirmed_score"], low, high, facts["start_score"])
    if facts["aim"] == "points":
        texts = [f"{each:+.3f}" for each in shown]
    else:
        texts = [f"{100 * each:.1f} %" for each in shown]
    print(
        f"on fresh dice: {texts[0]}, 95 % interval {texts[1]} to {texts[2]} "
        f"({facts['confirmed_games']:,} games); the start: {texts[3]}"
    )
    print(verdict(facts))
    print(f"agent: {facts['agent']}")
    if facts["saved"]:
        print(f"saved as {facts['saved']}")
    elif name:
        print(f"not saved as {name}: fresh games have not shown that it is better")
    for file in facts["files"]:
        print(f"  {file}")


def listing(as_json: bool) -> None:
    """The methods."""
    if as_json:
        rows = [{"name": kind.name, "about": kind.about} for kind in METHODS.values()]
        output.json_object({"methods": rows})
        return
    output.table("", ["method", "about"], [(kind.name, kind.about) for kind in METHODS.values()])
