"""The commands. Each is a module of its name, imported when the command is asked for:
``--help`` answers at once."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
import typer.main
from typer.core import TyperGroup

from petteia.cli.options import GameSpec, Json, Seed, as_function

__all__ = ["app", "command", "main"]

_HELP = {
    "games": "List the games and the agents, or a game's variants, evaluations and own agents.",
    "perft": "Count the lines of play to a depth.",
    "bench": "Measure the engine's speed and print the game's signature.",
    "check": "Test a game, for instance your own, against the contract.",
    "analyse": "Show every legal move with its value, the best line and the cost of the search.",
    "solve": "Compute the exact values of a whole game and keep them as a table.",
    "review": "Review the last game in a file: what every move lost, and what the dice gave.",
    "explore": "Show the values of all moves for every throw of the dice.",
    "puzzle": "Find positions where the obvious move loses most.",
    "match": "Play two agents against each other in pairs of games with sides swapped.",
    "tournament": "Play every agent against every other; cross table, ratings, leagues.",
    "plan": "Say how many games are needed to show a difference in strength.",
    "series": "List the stored series.",
    "records": "List, replay, export and import stored games.",
    "replay": "Replay recorded games by the rules and report what differs.",
    "play": "Play in the terminal; type help there for the commands.",
    "engine": "Serve an agent to other programs over the line protocol.",
    "lab": "Serve the laboratory in the browser: play, study and measure on a local page.",
    "tune": "Tune the weights of an agent's evaluation; fresh games confirm the result.",
    "study": "Rerun the experiments of a published report; its figures beside ours.",
    "doctor": "Say what this machine can do: compiler, processors, GPU, sandbox, cache, store.",
    "checkers-solve": "Solve a checkers puzzle of the course, in either of its two command lines.",
    "demo": "Take a tour of at most two minutes; writes an HTML report with figures.",
    "flow": "Flow: solve, count, check, explain, make and show puzzles.",
}


class _Commands(TyperGroup):
    """Knows the commands' names and help; a command's own options come with its module."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is asked for, whole."""
        name, known, rest = super().resolve_command(ctx, args)
        return name, known and command(known.name or ""), rest


def _typer(**settings: Any) -> typer.Typer:
    return typer.Typer(
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        **settings,
    )


app = _typer(name="petteia", help="A laboratory for classical game AI.", cls=_Commands)


def review(
    game: GameSpec,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a file with a game")],
    agent: Annotated[
        str, typer.Option(help="the agent that judges; default: perfect play, if known")
    ] = "",
    compare: Annotated[
        list[str] | None, typer.Option(help="an agent to compare with; may be repeated")
    ] = None,
    json: Json = False,
) -> None:
    """Review the last game in a file: what every move lost, and what the dice gave."""
    from petteia.cli import review as reviews

    reviews.review_file(game, file, agent, compare or [], json)


def explore(
    game: GameSpec,
    position: Annotated[str, typer.Argument(help="a position, or start")] = "start",
    agent: Annotated[
        str, typer.Option(help="the agent that judges; default: perfect play, if known")
    ] = "",
    roll: Annotated[str, typer.Option(help="what the dice show; default: every throw")] = "",
    pieces: Annotated[str, typer.Option(help="the position by its pieces, with --side")] = "",
    side: Annotated[str, typer.Option(help="the side to move, with --pieces")] = "",
    json: Json = False,
) -> None:
    """Show the values of all moves for every throw of the dice."""
    from petteia.cli import review as reviews

    reviews.explore(game, position, (pieces, side, roll), agent, json)


def puzzle(
    game: GameSpec,
    agent: Annotated[
        str, typer.Option(help="the agent that judges; default: perfect play, if known")
    ] = "",
    obvious: Annotated[str, typer.Option(help="the agent that makes the obvious move")] = "",
    count: Annotated[int, typer.Option(help="how many puzzles", min=1)] = 3,
    positions: Annotated[int, typer.Option(help="decisions to examine", min=1)] = 2000,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Find positions where the obvious move loses most."""
    from petteia.cli import review as reviews

    reviews.puzzle(game, agent, obvious, count, positions, seed, json)


def play(
    game: GameSpec,
    agent: Annotated[str, typer.Option(help="the opponent; default: the game's own choice")] = "",
    side: Annotated[str, typer.Option(help="your side: first, second, both or none")] = "first",
    position: Annotated[str, typer.Option(help="where to begin")] = "start",
    load: Annotated[Path | None, typer.Option(help="continue a saved game")] = None,
    seed: Seed = 0,
    fair: Annotated[
        bool, typer.Option("--fair", help="promise the dice by a hash, prove them after")
    ] = False,
    json: Json = False,
) -> None:
    """Play in the terminal; type help there for the commands."""
    from petteia.cli import play

    play.run(game, agent, side, position, load, seed, fair, json)


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


_HERE: dict[str, Callable[..., None]] = {
    "review": review, "explore": explore, "puzzle": puzzle, "play": play,
    "checkers-solve": checkers_solve,
}  # fmt: skip

for _name, _text in _HELP.items():
    app.command(_name, help=_text)(lambda: None)


def command(name: str) -> Any:
    """A command with its options, or a group of commands: its module's ``run`` or ``commands``."""
    if name in _HERE:
        return _made(name, _HERE[name])
    module = importlib.import_module(f"petteia.cli.{name.replace('-', '_')}")
    if hasattr(module, "commands"):
        return typer.main.get_command(module.commands)
    return _made(name, module.run)


def _made(name: str, run: Callable[..., None]) -> Any:
    alone = _typer()
    alone.command(name, help=_HELP[name])(as_function(run))
    return typer.main.get_command(alone)


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
