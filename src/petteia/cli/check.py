"""``petteia check``: in a separate process, since a user's game may crash or never end.

The child leaves two files: what it tries next, written before it tries it, and the answer.
"""

from __future__ import annotations

import json
import mmap
import signal
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from petteia.cli import output
from petteia.cli.options import GameSpec, Json, Seed
from petteia.core.errors import CodeError, PetteiaError
from petteia.core.supervised import Supervised

__all__ = ["run"]

_NOTE = 4096  # bytes for what is tried next
_ANSWER, _NEXT = "answer.json", "next.json"


def run(
    game: GameSpec,
    games: Annotated[int, typer.Option(help="random games to play", min=1)] = 20,
    seconds: Annotated[float, typer.Option(help="how long it may take", min=0.1)] = 300.0,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Tests a game against the contract, within a time limit."""
    try:
        found = _asked(game, games, seed, seconds)
    except CodeError as fault:
        if not as_json:
            raise
        place = {"file": fault.file, "line": fault.line, "says": fault.says}
        output.json_object({"game": game, "ok": False, **place})
        raise typer.Exit(2) from None
    output.show({**found, "ok": True}, as_json, lambda: _show(found))


def _show(found: dict[str, Any]) -> None:
    print(
        f"{found['game']}: sound. {found['games']} random games, {found['positions']:,} "
        f"positions, the longest game {found['longest']} plies."
    )
    for note in found["notes"]:
        print(f"note: {note}.")


def _asked(spec: str, count: int, seed: int, seconds: float) -> dict[str, Any]:
    """What the child finds; a fault that it reports is raised here."""
    with tempfile.TemporaryDirectory(prefix="petteia-check-") as folder:
        place = Path(folder)
        (place / _NEXT).write_bytes(b" " * _NOTE)
        command = [sys.executable, "-m", __name__, spec, str(count), str(seed)]
        # Its standard output is for what a user's code prints, which is no answer of ours.
        child = Supervised([*command, folder], stdin=subprocess.DEVNULL, stdout=2)
        try:
            code: int | None = child.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            child.end()
        answer = place / _ANSWER
        if not answer.exists():
            raise _ended(code, json.loads((place / _NEXT).read_bytes() or b"{}"), seconds)
        found: dict[str, Any] = json.loads(answer.read_bytes())
    if "says" in found:
        raise CodeError(found["says"], found["file"], found["line"])
    return found


def _ended(code: int | None, tried: dict[str, Any], seconds: float) -> CodeError:
    """The fault of a child that gave no answer."""
    doing = tried.get("says", "loading the file")
    if code is None:
        says = (
            f"no end after {seconds:g} seconds in {doing}; is a loop endless? If not, give more "
            "--seconds or fewer --games"
        )
    elif code < 0:
        name = signal.Signals(-code).name
        says = f"the program crashed ({name}) in {doing}; does it use an index out of range?"
    else:
        says = f"the program ended with code {code} in {doing}"
    return CodeError(says, tried.get("file"), tried.get("line"))


# --- the child ------------------------------------------------------------------------------------


def _child(spec: str, count: int, seed: int, place: Path) -> None:
    with (place / _NEXT).open("r+b") as file:
        note = mmap.mmap(file.fileno(), _NOTE)

    def tell(tried: CodeError) -> None:
        facts = {"says": tried.says[:1000], "file": tried.file, "line": tried.line}
        note[:] = json.dumps(facts).encode()[:_NOTE].ljust(_NOTE)

    tell(CodeError("loading the game", spec.partition("(")[0]))
    answer = _answer(spec, count, seed, tell)
    part = place / f"{_ANSWER}.part"
    part.write_text(json.dumps(answer))
    part.replace(place / _ANSWER)


def _answer(spec: str, count: int, seed: int, tell: Any) -> dict[str, Any]:
    from petteia import games
    from petteia.check import check_game

    try:
        return asdict(check_game(games.make(spec), games=count, seed=seed, tell=tell))
    except CodeError as fault:
        return {"says": fault.says, "file": fault.file, "line": fault.line}
    except PetteiaError as error:
        return {"says": str(error), "file": None, "line": None}


if __name__ == "__main__":
    _, given, games_, seed_, folder_ = sys.argv
    _child(given, int(games_), int(seed_), Path(folder_))
