"""The commands. Each is a module of its name, or the ``commands`` of a game's or a puzzle's room,
imported when the command is asked for: ``--help`` answers at once."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
import typer.main
from typer.core import TyperGroup

from petteia.cli.options import as_function

__all__ = ["app", "command", "main"]

_HELP = {
    "games": "List the games and the agents, or a game's variants, evaluations and own agents.",
    "perft": "Count the lines of play to a depth.",
    "random": "Play random games, on all processors or a GPU: results, lengths, moves.",
    "bench": "Measure the engine's speed and print the game's signature.",
    "check": "Test a game, for instance your own, against the contract.",
    "analyse": "Show every legal move with its value, the best line and the cost of the search.",
    "solve": "Compute the exact values of a whole game and keep them as a table.",
    "tables": "List the exact tables on this machine, verify and repair them.",
    "review": "Review the last game in a file: what every move lost, and what the dice gave.",
    "explore": "Show the values of all moves for every throw of the dice.",
    "puzzle": "Find positions where the obvious move loses most.",
    "match": "Play two agents against each other in pairs of games with sides swapped.",
    "tournament": "Play every agent against every other; cross table, ratings, leagues.",
    "ladder": "Let the submissions in a folder play each other; a ranked site, and only new games.",
    "plan": "Say how many games are needed to show a difference in strength.",
    "series": "List the stored series.",
    "records": "List, replay, export and import stored games.",
    "replay": "Replay recorded games by the rules and report what differs.",
    "play": "Play in the terminal; type help there for the commands.",
    "engine": "Serve an agent to other programs over the line protocol.",
    "lab": "Serve the laboratory in the browser: play, study and measure on a local page.",
    "tune": "Tune the weights of an agent's evaluation; fresh games confirm the result.",
    "learn": "Learn an evaluation of a game from games against itself.",
    "study": "Rerun the experiments of a published report; its figures beside ours.",
    "targets": "Compile every game for every kind of processor: this one, GPUs, browsers.",
    "doctor": "Say what this machine can do: compiler, processors, GPU, sandbox, cache, store.",
    "demo": "Take a tour of at most two minutes; writes an HTML report with figures.",
}


def _of_rooms() -> Iterator[tuple[str, str, str]]:
    """The commands that rooms bring, each with its module and its help: the first line of a room's
    ``commands.py`` says both, so that no room is imported for ``--help``."""
    for kind in ("petteia.games", "petteia.puzzles"):
        found = importlib.util.find_spec(kind)
        homes = found.submodule_search_locations if found else None
        for file in sorted(
            file for home in homes or () for file in Path(home).glob("*/commands.py")
        ):
            with file.open(encoding="utf-8") as text:
                said = re.fullmatch(r'"""``petteia ([a-z-]+)``: (.+)"""\n', text.readline())
            if said is None:
                raise ImportError(f'{file} should begin with """``petteia NAME``: what it does."""')
            yield said[1], f"{kind}.{file.parent.name}.commands", said[2]


_MODULES = {name: f"petteia.cli.{name}" for name in _HELP}
for _name, _module, _text in _of_rooms():
    _MODULES[_name], _HELP[_name] = _module, _text


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


for _name, _text in _HELP.items():
    app.command(_name, help=_text)(lambda: None)


def command(name: str) -> Any:
    """A command with its options, or a group of commands: its module's ``run`` or ``commands``."""
    module = importlib.import_module(_MODULES[name])
    if hasattr(module, "commands"):
        return typer.main.get_command(module.commands)
    alone = _typer()
    alone.command(name, help=_HELP[name])(as_function(module.run))
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
        said = error.format_message() if hasattr(error, "format_message") else str(error)
        # A private class: no command was named, so the help is the answer.
        if type(error).__name__ == "NoArgsIsHelpError":
            print(said, file=sys.stderr)
            code = 2
        else:
            code = _complain(said)
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
