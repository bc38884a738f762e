"""``petteia learn``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from petteia.arena.executors import workers as workers_for
from petteia.cli import output
from petteia.cli.options import Cluster, Device, Json, Seed, WorkersName
from petteia.core.errors import PetteiaError
from petteia.core.writing import write_whole
from petteia.tune import learning

__all__ = ["Options", "run"]


@dataclass(frozen=True)
class Options:
    """What is learned, how long it may take, and where the network is kept."""

    game: Annotated[str, typer.Argument(metavar="GAME", help="a game, a variant, or a file")] = ""
    minutes: Annotated[float, typer.Option(help="for everything together", min=0.01)] = 10.0
    rounds: Annotated[
        int,
        typer.Option(
            help="each begins with games of the best network so far; 0: 3, with dice or where both "
            "choose at once 6",
            min=0,
        ),
    ] = 0
    nodes: Annotated[int, typer.Option(help="of every search in self-play", min=1)] = 1000
    shape: Annotated[
        str, typer.Option(help="network, linear (a weight a bit) or patterns (tables of regions)")
    ] = "network"
    hidden: Annotated[int, typer.Option(help="hidden units, a multiple of 32")] = 64
    layers: Annotated[int, typer.Option(help="units of a second layer; 0: there is none")] = 0
    start: Annotated[str, typer.Option(help="the evaluation that plays first")] = ""
    seed: Seed = 0
    out: Annotated[Path | None, typer.Option(help="the file of the network; default: GAME.npz")] = (
        None
    )
    folder: Annotated[Path, typer.Option(help="where runs are kept")] = Path("petteia-learn")
    resume: Annotated[str, typer.Option(metavar="ID", help="go on with a run")] = ""
    listed: Annotated[bool, typer.Option("--list", help="the runs that there are")] = False
    again: Annotated[bool, typer.Option("--again", help="discard an earlier run")] = False
    device: Device = "cpu"
    workers: WorkersName = ""
    cluster: Cluster = ""
    as_json: Json = False


def run(options: Options) -> None:
    """Learns an evaluation of a game from games against itself."""
    if options.listed:
        _list(options)
        return
    if not options.game and not options.resume:
        raise PetteiaError("name a game to learn, or --resume ID, or --list")
    if options.resume:
        learned = learning.resumed(options.folder, options.resume)
    else:
        wanted = learning.Options(
            options.game, options.minutes, options.rounds, options.nodes, options.hidden,
            options.start, options.seed, options.device, shape=options.shape, layers=options.layers,
        )  # fmt: skip
        learned = learning.Learning(wanted, options.folder, options.again)
    if learned.rounds and not learned.is_done:
        output.note(f"going on with {learned.name} after round {len(learned.rounds)}")
    try:
        with output.progress("learning") as shown:
            for step in learned.steps(workers_for(options.workers, options.cluster)):
                shown(step.share, step.text)
    except KeyboardInterrupt:
        output.note(f"stopped; petteia learn --resume {learned.name} goes on")
        raise
    out = options.out or Path(f"{learned.name.rsplit('-', 1)[0]}.npz")
    write_whole(out, learned.result().read_bytes())
    facts = {**learned.facts(), "file": str(out)}
    output.show(facts, options.as_json, lambda: _show(facts))


def _show(facts: dict[str, Any]) -> None:
    tests = list(dict.fromkeys(gate["at"] for each in facts["rounds"] for gate in each["gates"]))
    rows = []
    for number, each in enumerate(facts["rounds"], 1):
        scores = {
            gate["at"]: f"{100 * gate['score']:.1f} % ({gate['pairs']} pairs)"
            for gate in each["gates"]
        }
        rows.append(
            (
                number, f"{each['positions']:,}", each["epochs"], f"{each['loss']:.4f}",
                f"{each['held_out_loss']:.4f}", *(scores.get(test, "") for test in tests),
                "yes" if each["accepted"] else "no",
            )
        )  # fmt: skip
    columns = ["round", "positions", "epochs", "loss", "held out", *(f"at {t}" for t in tests),
               "better"]  # fmt: skip
    output.table(f"{facts['game']}, {facts['id']}", columns, rows)
    if not facts["accepted"]:
        print("no network has beaten what was there before; this is the newest")
    print(f"{facts['file']}: use it as eval={facts['file']}")


def _list(options: Options) -> None:
    runs = learning.known(options.folder)
    rows = [
        (
            each["id"], each["game"], f"{each.get('rounds', 0)} of {each.get('of', '?')}",
            f"{each.get('positions', 0):,}", "yes" if each["done"] else "no",
        )
        for each in runs
    ]  # fmt: skip
    columns = ["run", "game", "rounds", "positions", "done"]
    output.show({"runs": runs}, options.as_json, lambda: output.table("", columns, rows))
