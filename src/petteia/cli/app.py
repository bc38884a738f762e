"""The commands and their options. What they do is imported when it is asked for: ``--help``
answers at once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from petteia.cli.flow_commands import flow

__all__ = ["app", "main"]

app = typer.Typer(
    name="petteia",
    help="A laboratory for classical game AI.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(flow, name="flow")

GameSpec = Annotated[str, typer.Argument(metavar="GAME", help="a game, a variant, or a file")]
Json = Annotated[bool, typer.Option("--json", help="print one JSON object")]
Seed = Annotated[int, typer.Option(help="decides all chance", min=0)]


@app.command("games")
def list_games(
    game: Annotated[str, typer.Argument(metavar="GAME", help="all about one game")] = "",
    json: Json = False,
) -> None:
    """List the games and the agents, or a game's variants, evaluations and own agents."""
    from petteia.cli import games as listing

    listing.run(game, json)


@app.command()
def perft(
    game: GameSpec,
    depth: Annotated[int, typer.Option(help="plies", min=0, max=30)] = 4,
    position: Annotated[str, typer.Option(help="where to begin")] = "start",
    json: Json = False,
) -> None:
    """Count the lines of play to a depth."""
    from petteia.cli import perft as measuring

    measuring.perft(game, depth, position, json)


@app.command()
def bench(game: GameSpec, json: Json = False) -> None:
    """Measure the engine's speed and print the game's signature."""
    from petteia.cli import perft as measuring

    measuring.bench(game, json)


@app.command()
def check(
    game: GameSpec,
    games: Annotated[int, typer.Option(help="random games to play", min=1)] = 20,
    seconds: Annotated[float, typer.Option(help="how long it may take", min=0.1)] = 300.0,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Hold a game, for instance your own, against the contract."""
    from petteia.cli import check as checking

    checking.run(game, games, seed, seconds, json)


@app.command()
def analyse(
    game: GameSpec,
    position: Annotated[str, typer.Argument(help="a position, or start")] = "start",
    agent: Annotated[str, typer.Option(help="who analyses; else the game's own choice")] = "",
    moves: Annotated[str, typer.Option(help="moves to play first")] = "",
    roll: Annotated[str, typer.Option(help="what the dice show")] = "",
    pieces: Annotated[str, typer.Option(help="the position by its pieces, with --side")] = "",
    side: Annotated[str, typer.Option(help="the side to move, with --pieces")] = "",
    svg: Annotated[Path | None, typer.Option(help="write the board as SVG here")] = None,
    prove: Annotated[
        bool, typer.Option("--prove", help="prove the exact distance to the end instead")
    ] = False,
    seconds: Annotated[float, typer.Option(help="how long to look for a proof", min=0.01)] = 60.0,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Show every legal move with its value, the best line and what it took."""
    from petteia.cli import analyse as analysis

    where = (pieces, side, roll)
    analysis.run(game, position, agent, moves, where, svg, seed, json, prove, seconds)


@app.command()
def solve(
    game: Annotated[str, typer.Argument(metavar="SPEC", help="what to solve, as a game's spec")],
    pieces: Annotated[int | None, typer.Option(help="the same as pieces=N in the spec")] = None,
    workers: Annotated[int, typer.Option(help="processors to use; 0 for all", min=0)] = 0,
    again: Annotated[bool, typer.Option("--again", help="forget what was solved before")] = False,
    json: Json = False,
) -> None:
    """Work out exact values of a whole game and keep them as a table."""
    from petteia.cli import solve as solving

    solving.run(game, pieces, workers, again, json)


@app.command()
def review(
    game: GameSpec,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a file with a game")],
    agent: Annotated[str, typer.Option(help="who judges; else perfect play, if known")] = "",
    compare: Annotated[
        list[str] | None, typer.Option(help="an agent to compare with; may be repeated")
    ] = None,
    json: Json = False,
) -> None:
    """Look at a played game again: what every move lost, and what the dice gave."""
    from petteia.cli import reviewing

    reviewing.review_file(game, file, agent, compare or [], json)


@app.command()
def explore(
    game: GameSpec,
    position: Annotated[str, typer.Argument(help="a position, or start")] = "start",
    agent: Annotated[str, typer.Option(help="who judges; else perfect play, if known")] = "",
    roll: Annotated[str, typer.Option(help="what the dice show; all throws without it")] = "",
    pieces: Annotated[str, typer.Option(help="the position by its pieces, with --side")] = "",
    side: Annotated[str, typer.Option(help="the side to move, with --pieces")] = "",
    json: Json = False,
) -> None:
    """Show the values of all moves for all throws of the dice."""
    from petteia.cli import reviewing

    reviewing.explore(game, position, (pieces, side, roll), agent, json)


@app.command()
def puzzle(
    game: GameSpec,
    agent: Annotated[str, typer.Option(help="who judges; else perfect play, if known")] = "",
    obvious: Annotated[str, typer.Option(help="who makes the obvious move")] = "",
    count: Annotated[int, typer.Option(help="how many puzzles", min=1)] = 3,
    positions: Annotated[int, typer.Option(help="decisions to look at", min=1)] = 2000,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Find positions in which the obvious move loses most."""
    from petteia.cli import reviewing

    reviewing.puzzle(game, agent, obvious, count, positions, seed, json)


Openings = Annotated[
    str, typer.Option(help="random, random(plies=6), none, or a list of the game's")
]
WorkersWish = Annotated[str, typer.Option(help="serial, or a number of processes")]
Cluster = Annotated[str, typer.Option(help="a Dask cluster: tcp://host:port or local:3")]
StoreWish = Annotated[str, typer.Option(help="another store than the user's own; off for none")]


@app.command("match")
def play_match(
    game: Annotated[str, typer.Argument(metavar="GAME", help="a game, a variant, or a file")] = "",
    first: Annotated[str, typer.Argument(metavar="A", help="an agent")] = "",
    second: Annotated[str, typer.Argument(metavar="B", help="an agent")] = "",
    pairs: Annotated[int, typer.Option(help="pairs of games, sides swapped", min=1)] = 10,
    seed: Seed = 0,
    openings: Openings = "random",
    adjudicate: Annotated[
        str, typer.Option(metavar="VALUE,PLIES", help="end games that both sides see as decided")
    ] = "",
    sprt: Annotated[
        str, typer.Option(metavar="ELO0,ELO1", help="stop when a sequential test has decided")
    ] = "",
    luck: Annotated[
        str, typer.Option(metavar="EVAL", help="also show the points without the dice's luck")
    ] = "",
    resume: Annotated[int, typer.Option(metavar="ID", help="go on with a stored series")] = 0,
    workers: WorkersWish = "",
    cluster: Cluster = "",
    store: StoreWish = "",
    records: Annotated[Path | None, typer.Option(help="write all games here")] = None,
    json: Json = False,
) -> None:
    """Play two agents against each other in pairs of games with sides swapped."""
    if resume and game:
        raise typer.BadParameter("--resume takes the game and the agents from the store")
    if not resume and not second:
        raise typer.BadParameter("a match needs GAME A B, or --resume ID")
    from petteia.arena.contest import Contest
    from petteia.arena.kept import KeptSeries
    from petteia.cli import match as matching

    wishes = matching.Wishes(workers, cluster, store, records, json, luck)
    if resume:
        matching.run(resume, wishes)
        return
    contest = Contest(game, first, second, seed, openings, matching.adjudication(adjudicate))
    matching.run(KeptSeries(contest, pairs, matching.sprt_of(sprt)), wishes)


@app.command()
def tournament(
    game: GameSpec,
    agents: Annotated[list[str], typer.Argument(metavar="A B C ...", help="agents")],
    pairs: Annotated[int, typer.Option(help="pairs of games a meeting", min=1)] = 10,
    seed: Seed = 0,
    openings: Openings = "random",
    gauntlet: Annotated[bool, typer.Option("--gauntlet", help="the first against all")] = False,
    workers: WorkersWish = "",
    cluster: Cluster = "",
    store: StoreWish = "",
    plot: Annotated[Path | None, typer.Option(help="write a page with figures here")] = None,
    json: Json = False,
) -> None:
    """Let every agent meet every other; cross table, ratings, leagues."""
    from petteia.arena.tournament import Tournament
    from petteia.cli import match as matching, tournament as tournaments

    wishes = matching.Wishes(workers, cluster, store, None, json)
    entered = Tournament(game, tuple(agents), pairs, seed, openings, gauntlet)
    tournaments.run(entered, plot, wishes)


@app.command()
def plan(
    score: Annotated[float, typer.Option(help="the stronger player's score")] = 0.55,
    favoured: Annotated[
        float, typer.Option(help="how often the side that the opening favours wins")
    ] = 0.5,
    json: Json = False,
) -> None:
    """Say how many games a difference in strength needs to be seen."""
    from petteia.cli import plan as planning

    planning.run(score, favoured, json)


@app.command()
def series(
    game: Annotated[str | None, typer.Option(help="only of this game")] = None,
    agent: Annotated[str | None, typer.Option(help="only with an agent that has this text")] = None,
    state: Annotated[str | None, typer.Option(help="running, finished or stopped")] = None,
    limit: Annotated[int | None, typer.Option(help="how many", min=1)] = None,
    show: Annotated[int | None, typer.Option(metavar="ID", help="one series in full")] = None,
    delete: Annotated[int | None, typer.Option(metavar="ID", help="delete a series")] = None,
    store: Annotated[Path | None, typer.Option(help="another store")] = None,
    json: Json = False,
) -> None:
    """List the stored series."""
    from petteia.cli import series as stored

    stored.series(game, agent, state, limit, show, delete, store, json)


@app.command()
def records(
    series: Annotated[int | None, typer.Option(metavar="ID", help="only of this series")] = None,
    game: Annotated[str | None, typer.Option(help="only of this game")] = None,
    agent: Annotated[str | None, typer.Option(help="only with an agent that has this text")] = None,
    limit: Annotated[int | None, typer.Option(help="how many", min=1)] = None,
    replay: Annotated[
        str | None, typer.Option(metavar="SERIES/PAIR/NUMBER", help="show a game board by board")
    ] = None,
    export: Annotated[
        Path | None, typer.Option(help="write the games: .txt, .csv or .parquet")
    ] = None,
    import_: Annotated[
        Path | None, typer.Option("--import", help="take in the games of a file")
    ] = None,
    store: Annotated[Path | None, typer.Option(help="another store")] = None,
    json: Json = False,
) -> None:
    """List, replay, export and import stored games."""
    from petteia.cli import series as stored

    stored.records(series, game, agent, limit, replay, export, import_, store, json)


@app.command()
def replay(
    game: GameSpec,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="games in any form it knows")],
    json: Json = False,
) -> None:
    """Play recorded games again by the rules and say what differs."""
    from petteia.cli import replay as replaying

    replaying.run(game, file, json)


@app.command()
def play(
    game: GameSpec,
    agent: Annotated[str, typer.Option(help="the opponent; else the game's own choice")] = "",
    side: Annotated[str, typer.Option(help="your side: first, second, both or none")] = "first",
    position: Annotated[str, typer.Option(help="where to begin")] = "start",
    load: Annotated[Path | None, typer.Option(help="go on with a saved game")] = None,
    seed: Seed = 0,
    fair: Annotated[
        bool, typer.Option("--fair", help="promise the dice by a hash, prove them after")
    ] = False,
    json: Json = False,
) -> None:
    """Play in the terminal; type help there for the commands."""
    from petteia.cli import playing

    playing.run(game, agent, side, position, load, seed, fair, json)


@app.command()
def engine(
    game: GameSpec,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="an agent")] = "engine(time=1)",
) -> None:
    """Serve an agent to other programs over the line protocol."""
    from petteia.cli import engine as serving

    serving.run(game, agent)


@app.command()
def lab(
    port: Annotated[int, typer.Option(help="0 takes any that is free", min=0, max=65535)] = 8080,
    host: Annotated[str, typer.Option(help="where to listen")] = "127.0.0.1",
    token: Annotated[str, typer.Option(help="a secret that visitors must bring")] = "",
    allow_code: Annotated[
        bool, typer.Option("--allow-code", help="run agents and evaluations that visitors bring")
    ] = False,
    workers: Annotated[int, typer.Option(help="searches at a time", min=0, max=256)] = 0,
    store: StoreWish = "",
    open_page: Annotated[bool, typer.Option("--open", help="open the page in the browser")] = False,
    json: Json = False,
) -> None:
    """Serve the laboratory in the browser: play, study and measure on a local page."""
    from petteia.cli import lab as laboratory

    laboratory.run(host, port, token, allow_code, workers, store, open_page, json)


@app.command()
def tune(
    game: Annotated[str, typer.Argument(metavar="GAME", help="none lists the methods")] = "",
    agent: Annotated[str, typer.Option(help="who is tuned, from its weights on")] = "",
    against: Annotated[str, typer.Option(help="the opponent; the start itself by default")] = "",
    method: Annotated[str, typer.Option(help="a method, with its options")] = "hillclimb",
    restarts: Annotated[int | None, typer.Option(help="of hillclimb", min=1)] = None,
    iterations: Annotated[int | None, typer.Option(help="steps of the method", min=1)] = None,
    series: Annotated[int, typer.Option(help="games that judge a candidate", min=1)] = 269,
    budget: Annotated[int | None, typer.Option(help="games in all", min=1)] = None,
    seed: Seed = 0,
    openings: Openings = "random",
    aim: Annotated[str, typer.Option(help="wins, or points")] = "wins",
    only: Annotated[str, typer.Option(metavar="A,B", help="tune only these weights")] = "",
    confirm: Annotated[int, typer.Option(help="pairs of fresh games", min=2)] = 1250,
    sprt: Annotated[
        str, typer.Option(metavar="ELO0,ELO1", help="the test against the start")
    ] = "0,20",
    save: Annotated[str, typer.Option(metavar="NAME", help="keep better weights as this")] = "",
    out: Annotated[Path, typer.Option(help="folder for log and report")] = Path("petteia-tune"),
    again: Annotated[bool, typer.Option("--again", help="forget an earlier run's log")] = False,
    workers: WorkersWish = "",
    cluster: Cluster = "",
    json: Json = False,
) -> None:
    """Tune the weights of an agent's evaluation; fresh games confirm the result."""
    from petteia.cli import tune as tuning
    from petteia.tune.tuner import Plan

    if not game:
        tuning.listing(json)
        return
    wish = tuning.Wish(
        game, agent, against, method, Plan(restarts, iterations, budget), series, seed, openings,
        aim, only, confirm, sprt, save, out, again, workers, cluster,
    )  # fmt: skip
    tuning.run(wish, json)


@app.command()
def study(
    name: Annotated[str, typer.Argument(metavar="NAME", help="a study; none lists them")] = "",
    quick: Annotated[bool, typer.Option("--quick", help="a minute, with few games")] = False,
    out: Annotated[Path, typer.Option(help="folder for the report")] = Path("petteia-study"),
    workers: WorkersWish = "",
    cluster: Cluster = "",
    store: StoreWish = "",
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Run the experiments of a published report again; its figures beside ours."""
    from petteia.cli import study as studying

    studying.run(name, quick, out, workers, cluster, store, seed, json)


@app.command()
def doctor(json: Json = False) -> None:
    """Say what this machine can do: compiler, processors, graphics, sandbox, cache, store."""
    from petteia.cli import doctor as looking

    looking.run(json)


@app.command("checkers-solve")
def checkers_solve(
    source: Annotated[Path | None, typer.Argument(metavar="IN", help="a puzzle")] = None,
    target: Annotated[Path | None, typer.Argument(metavar="OUT", help="its solution")] = None,
    inputfile: Annotated[Path | None, typer.Option(help="a puzzle")] = None,
    outputfile: Annotated[Path | None, typer.Option(help="its solution, the whole game")] = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="with IN OUT, write the whole game too")
    ] = False,
    seconds: Annotated[float, typer.Option(help="how long to look for a proof", min=0.01)] = 60.0,
    json: Json = False,
) -> None:
    """Solve a checkers puzzle of the course, in either of its two command lines."""
    files = (source, target) if inputfile is None and outputfile is None else None
    if files is None and source is None:
        files = (inputfile, outputfile)
        whole = True
    if files is None or files[0] is None or files[1] is None:
        raise typer.BadParameter("expected IN OUT, or --inputfile IN --outputfile OUT")
    from petteia.cli import course

    course.run(files[0], files[1], whole, seconds, json)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="folder for the report")] = Path("petteia-demo"),
    json: Json = False,
) -> None:
    """Take a tour of at most two minutes; writes an HTML report with figures."""
    from petteia.cli import demo as touring

    touring.run(out, json)


def _version(value: bool) -> None:
    if value:
        from petteia import __version__

        typer.echo(f"petteia {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version")
    ] = False,
) -> None:
    pass


def main(arguments: list[str] | None = None) -> None:
    """Runs the program: a user's mistake is one line on standard error and exit code 2."""
    try:
        code = app(args=arguments, standalone_mode=False)
    except typer.TyperException as error:
        code = _complain(error.format_message() if hasattr(error, "format_message") else str(error))
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except BrokenPipeError:
        code = 141
    except ValueError as error:
        from petteia.core.errors import PetteiaError

        if not isinstance(error, PetteiaError):
            raise
        code = _complain(str(error))
    except OSError as error:
        code = _complain(f"{error.filename or 'file'}: {error.strerror or error}")
    if code == 130:
        print("petteia: interrupted", file=sys.stderr)
    sys.exit(code if isinstance(code, int) else 0)


def _complain(message: str) -> int:
    line = " ".join(message.split())
    print(f"petteia: {line}", file=sys.stderr)
    return 2
