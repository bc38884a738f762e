"""The commands and their options. What they do is imported when it is asked for: ``--help``
answers at once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

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

GameSpec = Annotated[str, typer.Argument(metavar="GAME", help="a game, a variant, or a file")]
Json = Annotated[bool, typer.Option("--json", help="print one JSON object")]
Seed = Annotated[int, typer.Option(help="decides all chance", min=0)]
DEFAULT_AGENT = "engine(time=0.5)"


@app.command("games")
def list_games(json: Json = False) -> None:
    """List the games, their variants, evaluations and agents."""
    from petteia.cli import listing

    listing.run(json)


@app.command()
def perft(
    game: GameSpec,
    depth: Annotated[int, typer.Option(help="plies", min=0, max=30)] = 4,
    position: Annotated[str, typer.Option(help="where to begin")] = "start",
    json: Json = False,
) -> None:
    """Count the lines of play to a depth."""
    from petteia.cli import measuring

    measuring.perft(game, depth, position, json)


@app.command()
def bench(game: GameSpec, json: Json = False) -> None:
    """Measure the engine's speed and print the game's signature."""
    from petteia.cli import measuring

    measuring.bench(game, json)


@app.command()
def check(
    game: GameSpec,
    games: Annotated[int, typer.Option(help="random games to play", min=1)] = 20,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Hold a game, for instance your own, against the contract."""
    from petteia.cli import measuring

    measuring.check(game, games, seed, json)


@app.command()
def analyse(
    game: GameSpec,
    position: Annotated[str, typer.Argument(help="a position, or start")] = "start",
    agent: Annotated[str, typer.Option(help="who analyses")] = DEFAULT_AGENT,
    moves: Annotated[str, typer.Option(help="moves to play first")] = "",
    svg: Annotated[Path | None, typer.Option(help="write the board as SVG here")] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Show every legal move with its value, the best line and what it took."""
    from petteia.cli import analysis

    analysis.run(game, position, agent, moves, svg, seed, json)


@app.command("match")
def play_match(
    game: GameSpec,
    first: Annotated[str, typer.Argument(metavar="A", help="an agent")],
    second: Annotated[str, typer.Argument(metavar="B", help="an agent")],
    pairs: Annotated[int, typer.Option(help="pairs of games, sides swapped", min=1)] = 10,
    seed: Seed = 0,
    openings: Annotated[
        str, typer.Option(help="random, random(plies=6), none, or a list of the game's")
    ] = "random",
    adjudicate: Annotated[
        str, typer.Option(metavar="VALUE,PLIES", help="end games that both sides see as decided")
    ] = "",
    workers: Annotated[str, typer.Option(help="serial, or a number of processes")] = "",
    cluster: Annotated[str, typer.Option(help="a Dask cluster: tcp://host:port or local:3")] = "",
    records: Annotated[Path | None, typer.Option(help="write all games here")] = None,
    json: Json = False,
) -> None:
    """Play two agents against each other in pairs of games with sides swapped."""
    from petteia.arena.contest import Contest
    from petteia.cli import matching

    rule = matching.adjudication(adjudicate)
    contest = Contest(game, first, second, seed, openings, rule)
    matching.run(contest, pairs, workers, cluster, records, json)


@app.command()
def play(
    game: GameSpec,
    agent: Annotated[str, typer.Option(help="the opponent")] = "engine(time=0.5)",
    side: Annotated[str, typer.Option(help="your side: first, second, both or none")] = "first",
    position: Annotated[str, typer.Option(help="where to begin")] = "start",
    load: Annotated[Path | None, typer.Option(help="go on with a saved game")] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Play in the terminal; type help there for the commands."""
    from petteia.cli import playing

    playing.run(game, agent, side, position, load, seed, json)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="folder for the report")] = Path("petteia-demo"),
    json: Json = False,
) -> None:
    """Take a tour of at most two minutes; writes an HTML report with figures."""
    from petteia.cli import touring

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
