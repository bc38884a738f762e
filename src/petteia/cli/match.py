"""``petteia match``."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from petteia.agents import evaluation_for, sandbox
from petteia.arena.contest import Contest, match_of
from petteia.arena.executors import workers as workers_for
from petteia.arena.kept import KeptSeries
from petteia.arena.luck import without_luck
from petteia.arena.match import Adjudication, MatchResult
from petteia.arena.statistics import Sample, Sprt, elo_estimate, pairs_to_detect
from petteia.arena.store import Store, default_path
from petteia.cli import game_file, output
from petteia.cli.options import Cluster, Json, Openings, Seed, StoreName, WorkersName
from petteia.core import files
from petteia.core import spec as specs
from petteia.core.errors import PetteiaError
from petteia.core.record import Record

__all__ = ["Options", "run", "sprt_of", "store_at", "tell_sandbox"]


@dataclass(frozen=True)
class Options:
    """Who plays whom, how the games are played, and where they are kept."""

    game: Annotated[str, typer.Argument(metavar="GAME", help="a game, a variant, or a file")] = ""
    first: Annotated[str, typer.Argument(metavar="A", help="an agent")] = ""
    second: Annotated[str, typer.Argument(metavar="B", help="an agent")] = ""
    pairs: Annotated[int, typer.Option(help="pairs of games, sides swapped", min=1)] = 10
    seed: Seed = 0
    openings: Openings = "random"
    adjudicate: Annotated[
        str, typer.Option(metavar="VALUE,PLIES", help="end games that both sides see as decided")
    ] = ""
    sprt: Annotated[
        str, typer.Option(metavar="ELO0,ELO1", help="stop when a sequential test has decided")
    ] = ""
    luck: Annotated[
        str, typer.Option(metavar="EVAL", help="also show the points corrected for luck")
    ] = ""
    resume: Annotated[int, typer.Option(metavar="ID", help="continue a stored series")] = 0
    workers: WorkersName = ""
    cluster: Cluster = ""
    store: StoreName = ""
    records: Annotated[Path | None, typer.Option(help="write all games here")] = None
    as_json: Json = False


def _adjudication(given: str) -> Adjudication | None:
    """Reads ``VALUE,PLIES``; nothing means that games are played to their end."""
    if not given:
        return None
    value, _, plies = given.partition(",")
    try:
        found = Adjudication(float(value), int(plies))
    except ValueError:
        found = Adjudication(0, 0)
    if not (found.value > 0 and found.plies > 0):
        raise PetteiaError(f"--adjudicate {given} is not possible; for instance 900000,4")
    return found


def sprt_of(given: str) -> Sprt | None:
    """Reads ``ELO0,ELO1`` with an optional model: ``0,30`` or ``0,30,normalised``."""
    if not given:
        return None
    parts = [part.strip() for part in given.split(",")]
    try:
        elo0, elo1, *model = parts
        return Sprt(float(elo0), float(elo1), model=model[0] if model else "logistic")  # type: ignore[arg-type]
    except ValueError:
        raise PetteiaError(
            f"--sprt {given} is not possible; for instance 0,30 or 0,30,normalised"
        ) from None


@contextlib.contextmanager
def store_at(name: str) -> Iterator[Store | None]:
    """The store of this name, or the user's own; None for ``off``."""
    if (name or str(default_path())).lower() == "off":
        yield None
        return
    with Store(Path(name) if name else None) as store:
        yield store


def _show(facts: dict[str, Any], result: MatchResult) -> None:
    print(f"{facts['game']}, {len(result.pairs)} pairs, seed {facts['seed']}, ", end="")
    print(f"opening {facts['opening']}", end="")
    print(f", {facts['adjudication']}" if facts["adjudication"] else "")
    rows = []
    for i, name in enumerate(facts["agents"]):
        games_won = [result.count(1.0), result.count(0.5), result.count(0.0)]
        score = result.score if i == 0 else 1 - result.score
        seat = result.seat(i)
        moves = max(seat.moves, 1)
        rows.append(
            (
                name,
                *(games_won if i == 0 else reversed(games_won)),
                f"{100 * score:.1f} %",
                result.forfeits()[i],
                result.late()[i],
                f"{(seat.interior + seat.leaves) / moves:,.0f}",
                f"{1000 * seat.seconds / moves:.2f}",
            )
        )
    heads = ["agent", "wins", "draws", "losses", "score", "forfeits", "late", "nodes/move"]
    output.table("", [*heads, "ms/move"], rows)
    low, high = result.interval
    elo = elo_estimate(Sample.of_counts(facts["pentanomial"]))
    print(
        f"score of {facts['agents'][0]}: {100 * result.score:.1f} %, "
        f"95 % interval {100 * low:.1f} to {100 * high:.1f} %"
    )
    print(
        f"Elo {elo.elo:+.0f} ({elo.low:+.0f} to {elo.high:+.0f}), "
        f"better with {100 * facts['los']:.1f} %; pairs LL LD DD+WL WD WW: "
        + " ".join(str(count) for count in facts["pentanomial"])
    )
    print(_plan(facts, result))
    if "llr" in facts:
        low, high = facts["bounds"]
        print(f"SPRT: LLR {facts['llr']:.2f} in {low:.2f} .. {high:.2f}: {facts['decision']}")
        print(facts["note"])
    if "luck" in facts:
        luck = facts["luck"]
        low, high = luck["interval"]
        print(
            f"points a game without the dice's luck ({luck['evaluation']}): {luck['points']:+.3f}, "
            f"95 % interval {low:+.3f} to {high:+.3f}, "
            f"{100 * luck['width_ratio']:.0f} % as wide as with it"
        )
    for reason in facts["problems"][:3]:
        print(f"forfeit: {reason}")
    if facts["series"] is not None:
        print(f"kept as series {facts['series']}")


def _plan(facts: dict[str, Any], result: MatchResult) -> str:
    """How many games would be needed to be sure of the observed difference."""
    sample = Sample.of_counts(facts["pentanomial"])
    difference = abs(result.score - 0.5)
    if difference < 0.005 or sample.deviation == 0:
        return "games needed to be sure of this difference: cannot be said from these games"
    pairs = pairs_to_detect(difference, variance=sample.deviation**2)
    return f"games needed to see such a difference with 95 % power: {2 * pairs:,}"


def tell_sandbox(agents: Sequence[str]) -> str | None:
    """Says what agents from files cannot reach; None if there are none among these."""
    if not any(files.is_file_name(specs.parse(agent).name) for agent in agents):
        return None
    text = str(sandbox.protection())
    output.note(text)
    return text


def _luck(series: KeptSeries, result: MatchResult, evaluation: str) -> dict[str, Any]:
    game = match_of(series.contest).game
    found = without_luck(game, result.pairs, evaluation_for(game, specs.parse(evaluation)))
    return {
        "evaluation": evaluation,
        "points": found.mean,
        "interval": list(found.interval),
        "plain_interval": list(found.plain_interval),
        "width_ratio": found.width_ratio,
        "coefficient": found.coefficient,
    }


def _series(options: Options, store: Store | None) -> KeptSeries:
    """The series to play: a new one, or a stored one to continue."""
    if not options.resume:
        contest = Contest(
            options.game, options.first, options.second, options.seed, options.openings,
            _adjudication(options.adjudicate),
        )  # fmt: skip
        sprt = sprt_of(options.sprt)
        return KeptSeries(contest.checked(), options.pairs, sprt, store)
    if store is None:
        raise PetteiaError("--resume needs a store, but it is off")
    return KeptSeries.resumed(store, options.resume)


def _refuse_records(contest: Contest, path: Path) -> None:
    """Raises before anything is played if the games of a pair cannot be written to a file."""
    first, second = contest.first, contest.second
    pair = [Record(contest.game, players) for players in ((first, second), (second, first))]
    game_file.written(match_of(contest).game, path, pair)


def run(options: Options) -> None:
    """Plays a new series, or continues a stored one."""
    if options.resume and options.game:
        raise PetteiaError("--resume takes the game and the agents from the store")
    if not options.resume and not options.second:
        raise PetteiaError("a match needs GAME A B, or --resume ID")
    with store_at(options.store) as store:
        series = _series(options, store)
        if options.luck and not match_of(series.contest).game.has_chance:
            raise PetteiaError(f"--luck: {series.contest.game} has no dice")
        if options.records is not None:
            _refuse_records(series.contest, options.records)
        protected = tell_sandbox((series.contest.first, series.contest.second))
        steps = series.play(workers_for(options.workers, options.cluster))
        *_, result = output.tracked(steps, series.pairs, "pairs")
    if options.records is not None:
        games = [each.record for pair in result.pairs for each in pair.games]
        game_file.save(match_of(series.contest).game, options.records, games)
    facts = series.facts(result)
    if protected is not None:
        facts["sandbox"] = protected
    if options.luck:
        facts["luck"] = _luck(series, result, options.luck)
    output.show(facts, options.as_json, lambda: _show(facts, result))
