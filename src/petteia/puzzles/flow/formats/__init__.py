"""Text forms of puzzles: which form a text has is seen from the text itself.

| name    | form                                                                   |
|---------|------------------------------------------------------------------------|
| course  | rows of letters, ``_`` for no dot                                      |
| letters | rows of letters, ``.`` for no dot                                      |
| header  | a line ``width height``, then rows as in ``letters``                   |
| level   | a Flow Free level line, which holds the solution too                   |
| numlin  | a puzz.link address, or its part from ``numlin/`` on; files that it    |
|         | saves and janko's ``[problem]`` blocks are read too                    |
| json    | ``{"rows": [...], "walls": [["r1c1", "r1c2"]], "grid": "hex"}``: the   |
|         | only one of the forms in letters that can tell of walls and grids      |

In all forms made of rows ``#`` is a hole and ``+`` a bridge. What ``petteia flow generate --json``
prints is read too.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from petteia.core.errors import PetteiaError, one_of
from petteia.core.reading import naming, read_text
from petteia.puzzles.flow.formats import levels, numlin
from petteia.puzzles.flow.formats.rows import cells_only, lines_of
from petteia.puzzles.flow.formats.solutions import read_solution
from petteia.puzzles.flow.rules import LETTERS, Puzzle, Solution, number
from petteia.puzzles.flow.rules.grids import GRIDS

__all__ = ["FORMATS", "Text", "load", "read", "read_solution", "write"]

FORMATS = ("course", "letters", "header", "level", "numlin", "json")


@dataclass(frozen=True)
class Text:
    """What a text held."""

    puzzle: Puzzle
    format: str
    solution: Solution | None = None


def load(path: str | Path) -> Text:
    """Reads a file; a mistake in it is one line that names the file."""
    text = read_text(path)
    with naming(path):
        return read(text)


def read(text: str) -> Text:
    """Reads a puzzle in any of the forms."""
    text = _problem(text)
    body = text.strip("\r\n\t\ufeff ")
    if not body:
        raise PetteiaError("an empty puzzle; a puzzle is rows of letters, with _ for no dot")
    if body.startswith(("{", "[")):
        return _read_json(body)
    if numlin.is_file(body):
        return Text(numlin.read_file(body), "numlin")
    if "numlin/" in body:
        return Text(numlin.read(body), "numlin")
    if "://" in body:
        raise PetteiaError("an address, but none of a numlin puzzle; those have numlin/ in them")
    if levels.looks_like_one(body):
        puzzle, solution = levels.read(body)
        return Text(puzzle, "level", solution)
    lines = lines_of(text.lstrip("\ufeff"))
    while lines[0].startswith("#") and len(lines) > 1 and _size_of(lines[1:]) is not None:
        lines = lines[1:]  # a remark before the size
    size = _size_of(lines)
    if size is not None:
        return Text(_read_header(*size, lines[1:]), "header")
    rows = cells_only(lines)
    return Text(Puzzle.of_rows(rows), "course" if any("_" in row for row in rows) else "letters")


def _problem(text: str) -> str:
    """The rows of a block ``[problem]``, as janko's files have it among others; else the text."""
    parts = re.split(r"^[ \t]*\[(\w+)\][ \t]*$", text, flags=re.MULTILINE)
    blocks = dict(zip(parts[1::2], parts[2::2], strict=True))
    return blocks.get("problem", text)


def _size_of(lines: list[str]) -> tuple[int, int] | None:
    """Width and height, if the first line tells them: as ``5 5``, or as ``5x5`` where x cannot be
    a colour."""
    head = re.fullmatch(r"\s*([0-9]+)(\s+|\s*[xX\u00d7]\s*)([0-9]+)\s*", lines[0])
    if head is None:
        return None
    sign = head[2].strip()
    if sign and sum(line.count(sign) for line in lines) == 2:
        return None
    what = "the first line is width and height"
    return number(head[1], what), number(head[3], what)


def _read_header(width: int, height: int, lines: list[str]) -> Puzzle:
    rows = [line.strip() for line in lines]
    if {len(row) for row in rows} != {width}:
        rows = cells_only(lines)
    if len(rows) != height:
        raise PetteiaError(f"the first line says {height} rows, but {len(rows)} follow")
    for at, row in enumerate(rows, 1):
        if len(row) != width:
            raise PetteiaError(f"the first line says {width} columns, but row {at} has {len(row)}")
    return Puzzle.of_rows(_in_letters(rows))


def _in_letters(rows: list[str]) -> list[str]:
    """Rows in which every dot is a letter or a digit.

    Some collections go on with punctuation after Z. Where a full stop is no dot, every other sign
    that stands on the board twice is one; ``#`` and ``+`` only beside others, else they are a hole
    and a bridge.
    """
    signs = Counter("".join(rows))
    marks = [sign for sign, count in signs.items() if count == 2 and not sign.isalnum()]
    marks = [sign for sign in marks if sign != "." and sign.isprintable()]
    if "." not in signs or set(marks) <= set("#+"):
        return rows
    spare = (letter for letter in LETTERS if letter not in signs)
    letters = str.maketrans(dict(zip(marks, spare, strict=False)))
    return [row.translate(letters) for row in rows]


def _read_json(text: str) -> Text:
    """A puzzle as JSON, or what ``petteia flow generate --json`` printed."""
    wanted = '{"rows": ["A_A", "B_B"], "walls": [["r1c1", "r2c1"]], "grid": "square"}'
    try:
        facts = json.loads(text)
    except ValueError as error:
        raise PetteiaError(f"not JSON: {error}; expected {wanted}") from None
    except RecursionError:
        raise PetteiaError(f"JSON that is nested too deeply; expected {wanted}") from None
    if not isinstance(facts, dict):
        raise PetteiaError(f"JSON that is no puzzle; expected {wanted}")
    if "puzzle" in facts and isinstance(facts.get("text"), str):
        return read(facts["text"])
    for key in facts.keys() - {"rows", "walls", "grid"}:
        raise one_of(key[:40], ("rows", "walls", "grid"), what="key")
    rows, walls, grid = facts.get("rows"), facts.get("walls", []), facts.get("grid", "square")
    if grid not in GRIDS:
        raise one_of(str(grid)[:40], GRIDS, what="grid")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise PetteiaError(f"no list of rows; expected {wanted}")
    if not isinstance(walls, list) or not all(
        isinstance(wall, list) and len(wall) == 2 and all(isinstance(end, str) for end in wall)
        for wall in walls
    ):
        raise PetteiaError(f"walls are pairs of cells; expected {wanted}")
    plain = Puzzle.of_rows(rows, grid=grid)
    pairs = [(plain.cell(a), plain.cell(b)) for a, b in walls]
    return Text(Puzzle.of_rows(rows, pairs, grid=grid), "json")


def write(puzzle: Puzzle, form: str, solution: Solution | None = None) -> str:
    """The puzzle in one of the forms; a level line needs a solution."""
    if form not in _WRITERS:
        raise one_of(form, FORMATS, what="format")
    if form not in ("level", "json"):
        for kind, has_it in (("walls", puzzle.walls), (puzzle.grid, puzzle.grid != "square")):
            if has_it:
                raise PetteiaError(f"the format {form} has no {kind}; level and json have")
    return _WRITERS[form](puzzle, solution)


def _write_level(puzzle: Puzzle, solution: Solution | None) -> str:
    if solution is None:
        raise PetteiaError("a level line holds the solution, and none is known")
    return levels.write(puzzle, solution)


def _write_json(puzzle: Puzzle, _: Solution | None) -> str:
    walls = [[puzzle.name(a), puzzle.name(b)] for a, b in sorted(puzzle.walls)]
    facts: dict[str, object] = {"rows": puzzle.rows(), "walls": walls}
    if puzzle.grid != "square":
        facts["grid"] = puzzle.grid
    return json.dumps(facts, ensure_ascii=False)


_WRITERS: dict[str, Callable[[Puzzle, Solution | None], str]] = {
    "course": lambda puzzle, _: "\n".join(puzzle.rows()),
    "letters": lambda puzzle, _: "\n".join(puzzle.rows(".")),
    "header": lambda puzzle, _: "\n".join(
        [f"{puzzle.width} {puzzle.height}", *puzzle.rows(".")]
    ),
    "level": _write_level,
    "numlin": lambda puzzle, _: numlin.write(puzzle),
    "json": _write_json,
}  # fmt: skip
