"""``petteia tune``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from petteia.arena.executors import workers as workers_for
from petteia.cli import output
from petteia.cli.match import sprt_of
from petteia.cli.options import Cluster, Device, Json, Openings, Seed, WorkersName
from petteia.core.errors import PetteiaError
from petteia.core.writing import write_whole
from petteia.studies.tuned import page, verdict
from petteia.tune.methods import METHODS
from petteia.tune.session import Session, setting_of
from petteia.tune.tuner import Plan

__all__ = ["Options", "run"]


@dataclass(frozen=True)
class Options:
    """What is tuned, by which method, and how the result is confirmed and kept."""

    game: Annotated[
        str, typer.Argument(metavar="GAME", help="a game; without it, list the methods")
    ] = ""
    agent: Annotated[str, typer.Option(help="the agent to tune, starting from its weights")] = ""
    against: Annotated[str, typer.Option(help="the opponent; default: the agent as it is")] = ""
    method: Annotated[str, typer.Option(help="a method, with its options")] = "hillclimb"
    restarts: Annotated[int | None, typer.Option(help="of hillclimb", min=1)] = None
    iterations: Annotated[int | None, typer.Option(help="steps of the method", min=1)] = None
    series: Annotated[int, typer.Option(help="games that judge a candidate", min=1)] = 269
    budget: Annotated[int | None, typer.Option(help="games in all", min=1)] = None
    seed: Seed = 0
    openings: Openings = "random"
    aim: Annotated[str, typer.Option(help="wins, or points")] = "wins"
    only: Annotated[str, typer.Option(metavar="A,B", help="tune only these weights")] = ""
    confirm: Annotated[int, typer.Option(help="pairs of fresh games", min=2)] = 1250
    sprt: Annotated[str, typer.Option(metavar="ELO0,ELO1", help="the test against the start")] = (
        "0,20"
    )
    save: Annotated[
        str, typer.Option(metavar="NAME", help="keep better weights under this name")
    ] = ""
    out: Annotated[Path, typer.Option(help="folder for log and report")] = Path("petteia-tune")
    again: Annotated[bool, typer.Option("--again", help="discard the log of an earlier run")] = (
        False
    )
    device: Device = "cpu"
    workers: WorkersName = ""
    cluster: Cluster = ""
    as_json: Json = False


def _session(options: Options) -> Session:
    only = tuple(name.strip() for name in options.only.split(",") if name.strip())
    setting = setting_of(
        options.game, options.agent, options.against, only=only, series=options.series,
        seed=options.seed, opening=options.openings, aim=options.aim,
    )  # fmt: skip
    sprt = sprt_of(options.sprt)
    if sprt is None:
        raise PetteiaError("--sprt needs two Elo differences; for instance 0,20")
    plan = Plan(options.restarts, options.iterations, options.budget)
    return Session(setting, options.method, plan, options.confirm, sprt, options.out, options.again)


def run(options: Options) -> None:
    """Searches, confirms, writes the files, reports the result."""
    if not options.game:
        _list(options.as_json)
        return
    session = _session(options)
    if session.log.found:
        output.note(f"continuing from {session.log.path}: {session.log.found} pieces are known")

    def steps() -> Iterator[tuple[float, str]]:
        for step in session.steps(workers_for(options.workers, options.cluster), options.device):
            yield step.games, step.text

    try:
        output.weighted(steps(), session.games)
    except KeyboardInterrupt:
        output.note(f"stopped; the same command continues from {session.log.path}")
        raise
    facts = session.facts()
    files = {kind: options.out / f"{session.name}.{kind}" for kind in ("html", "json")}
    facts["files"] = [str(file) for file in (*files.values(), session.log.path)]
    kept = session.save(options.save, facts) if options.save else None
    facts["saved"] = str(kept) if kept else None
    report = page(facts, session.tuner.marks, session.tuner.bench.names)
    write_whole(files["html"], report.html())
    text = json.dumps(facts, ensure_ascii=False, allow_nan=False, indent=1)
    write_whole(files["json"], text + "\n")
    output.show(facts, options.as_json, lambda: _show(facts, options.save))


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


def _list(as_json: bool) -> None:
    methods = [{"name": kind.name, "about": kind.about} for kind in METHODS.values()]
    rows = [(kind.name, kind.about) for kind in METHODS.values()]
    text = partial(output.table, "", ["method", "about"], rows)
    output.show({"methods": methods}, as_json, text)
