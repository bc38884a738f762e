"""Pictures of puzzles: SVG, and letters on coloured ground in the terminal.

Colours are those of Okabe and Ito and of Paul Tol, distinct for every kind of colour vision as far
as so many can be; letters stand for them everywhere.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import cycle, pairwise
from string import ascii_uppercase

from petteia.core.view import Cell, Label, Piece, View
from petteia.puzzles.flow.rules import EMPTY, HOLE, Puzzle

__all__ = ["PALETTE", "ansi", "extent", "ink_on", "lines", "paint", "place", "svg", "view"]

PALETTE = (
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#F0E442", "#882255",
    "#332288", "#999933", "#44AA99", "#AA4499", "#661100", "#888888", "#DDCC77", "#117733",
    "#CC6677", "#6699CC", "#004488", "#BBCC33", "#EE8866", "#AAAA00", "#99DDFF", "#222222",
)  # fmt: skip

Path = Sequence[int]


_NAMED = {
    "B": "#0072B2", "G": "#009E73", "K": "#222222", "O": "#E69F00", "P": "#CC79A7", "R": "#D55E00",
    "Y": "#F0E442",
}  # fmt: skip
"""Colours of the palette by the first letter of their name, K for black."""
_SURE = 4
"""Red, green, blue, yellow and orange: so many among the letters, and letters mean colours."""


@lru_cache(maxsize=64)
def _paints(letters: tuple[str, ...]) -> tuple[str, ...]:
    """The colours of a puzzle; a letter that names a colour has that one."""
    if len({*letters} & {*"RGBYO"}) < _SURE or "".join(letters) in ascii_uppercase:
        return tuple(PALETTE[number % len(PALETTE)] for number in range(len(letters)))
    named = {letter: _NAMED[letter] for letter in letters if letter in _NAMED}
    others = cycle([colour for colour in PALETTE if colour not in named.values()])
    return tuple(named.get(letter) or next(others) for letter in letters)


def paint(puzzle: Puzzle, colour: int) -> str:
    """The colour in which a colour of the puzzle is drawn."""
    return _paints(tuple(puzzle.letters))[colour]


def ink_on(ground: str) -> str:
    """Black or white, whichever is easier to read on a ground."""
    red, green, blue = (int(ground[i : i + 2], 16) for i in (1, 3, 5))
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"


def _coloured(puzzle: Puzzle, paths: Iterable[tuple[int, Path]]) -> list[int]:
    found = list(puzzle.cells)
    for colour, path in paths:
        for cell in path:
            found[cell] = colour
    return found


def view(puzzle: Puzzle, paths: Iterable[tuple[int, Path]] = (), status: str = "") -> View:
    """The puzzle as a view: a piece on a cell is a dot or a part of a path, its owner the colour.

    ``paths`` are colours with their cells, whole or in parts.
    """
    width = puzzle.width
    colours = _coloured(puzzle, paths)
    shift = 0.5 if puzzle.grid == "hex" else 0
    cells = tuple(
        Cell(
            puzzle.name(cell), (cell % width + shift * (cell // width % 2), cell // width),
            "hex" if shift else "square", "bridge" if cell in puzzle.bridges else "",
        )
        for cell, value in enumerate(puzzle.cells[: puzzle.area])
        if value != HOLE
    )  # fmt: skip
    pieces = tuple(
        Piece(puzzle.name(cell), colour, puzzle.letters[colour],
              "dot" if puzzle.cells[cell] >= 0 else "path")
        for cell, colour in enumerate(colours[: puzzle.area])
        if colour >= 0
    )  # fmt: skip
    labels = [Label(str(column + 1), (column, puzzle.height)) for column in range(width)]
    labels += [Label(str(row + 1), (-1, row)) for row in range(puzzle.height)]
    return View("flow", (width, puzzle.height), cells, pieces, tuple(labels), status=status)


def ansi(puzzle: Puzzle, paths: Iterable[tuple[int, Path]] = ()) -> str:
    """The board for a terminal with colours: letters on their colours, dots in brackets."""
    rows, colours = [], _coloured(puzzle, paths)
    for row in range(puzzle.height):
        parts = ["  "] if puzzle.grid == "hex" and row % 2 else []
        for cell in range(row * puzzle.width, (row + 1) * puzzle.width):
            colour = colours[cell]
            if colour == HOLE:
                parts.append("   ")
            elif colour == EMPTY:
                sign = "+" if cell in puzzle.bridges else "."
                parts.append(f"\x1b[2m {sign} \x1b[0m")
            else:
                letter = puzzle.letters[colour]
                text = f"[{letter}]" if puzzle.cells[cell] >= 0 else f" {letter} "
                parts.append(f"{_escape(paint(puzzle, colour))}{text}\x1b[0m")
        rows.append("".join(parts))
    return "\n".join(rows)


def _escape(ground: str) -> str:
    def numbers(colour: str) -> str:
        return ";".join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))

    return f"\x1b[48;2;{numbers(ground)};38;2;{numbers(ink_on(ground))}m"


# --- SVG ------------------------------------------------------------------------------------------

_CELL = 40
_ROW = 35
"""From one row of hexagons to the next."""
_STYLE = (
    ".petteia-flow .surface{fill:#f8f6f1}.petteia-flow .cell{fill:#ebe6da}"
    ".petteia-flow .wall{stroke:#2f2c28;stroke-width:5;stroke-linecap:round}"
    ".petteia-flow .deck{fill:#ebe6da}.petteia-flow .rail{stroke:#8b8374;stroke-width:2}"
    ".petteia-flow .mark{fill:none;stroke:#000;stroke-width:3;stroke-dasharray:5 3}"
    ".petteia-flow .path{fill:none;stroke-width:14;stroke-linecap:round;stroke-linejoin:round}"
    ".petteia-flow text{font-family:system-ui,sans-serif;text-anchor:middle;font-weight:600}"
    ".petteia-flow .status{fill:#2f2c28;font-weight:500;text-anchor:start}"
    "@media (prefers-color-scheme:dark){.petteia-flow .surface{fill:#1b1d20}"
    ".petteia-flow .cell,.petteia-flow .deck{fill:#33373d}.petteia-flow .wall{stroke:#e8e6e1}"
    ".petteia-flow .deck{fill:#ebe6da}.petteia-flow .rail{stroke:#8b8374;stroke-width:2}"
    ".petteia-flow .mark{stroke:#fff}.petteia-flow .status{fill:#e8e6e1}}"
)


def svg(
    puzzle: Puzzle,
    paths: Iterable[tuple[int, Path]] = (),
    *,
    size: int = 480,
    status: str = "",
    marked: Iterable[int] = (),
    extra: str = "",
    style: str = "",
) -> str:
    """The board as a self-contained SVG document whose longer side is ``size`` pixels."""
    width, height = extent(puzzle)
    height += 28 if status else 0
    drawn = list(paths)
    scale = size / max(width, height)
    parts = [f'<rect class="surface" width="{width}" height="{height}" rx="8"/>']
    parts += [
        cell_element(puzzle, cell)
        for cell, value in enumerate(puzzle.cells[: puzzle.area])
        if value != HOLE
    ]
    parts += [path_element(puzzle, colour, path) for colour, path in drawn]
    parts += [bridge_element(puzzle, cell, drawn) for cell in sorted(puzzle.bridges)]
    parts.append(extra)
    parts += [wall_element(puzzle, a, b) for a, b in sorted(puzzle.walls)]
    parts += [
        dot_element(puzzle, cell, colour) for cell, colour in enumerate(puzzle.cells) if colour >= 0
    ]
    for cell in marked:
        x, y = place(puzzle, cell)
        parts.append(
            f'<rect class="mark" x="{x - 17}" y="{y - 17}" width="34" height="34" rx="4"/>'
        )
    if status:
        font = min(15.0, (width - 20) / (0.54 * len(status)))  # one line, however long
        parts.append(
            f'<text class="status" x="10" y="{height - 12}" font-size="{font:.1f}">'
            f"{html.escape(status)}</text>"
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="petteia-flow" role="img" '
        f'width="{width * scale:.0f}" height="{height * scale:.0f}" '
        f'viewBox="0 0 {width} {height}">\n'
        f"<title>{html.escape(status or f'Flow {puzzle.size}')}</title>\n"
        f"<style>{_STYLE}{style}</style>\n" + "\n".join(filter(None, parts)) + "\n</svg>\n"
    )


def extent(puzzle: Puzzle) -> tuple[int, int]:
    """Width and height of the drawing."""
    if puzzle.grid == "hex":
        shift = _CELL // 2 if puzzle.height > 1 else 0
        return _CELL * puzzle.width + shift + 16, _ROW * (puzzle.height - 1) + _CELL + 22
    return _CELL * puzzle.width + 16, _CELL * puzzle.height + 16


def place(puzzle: Puzzle, cell: int) -> tuple[int, int]:
    """The centre of a cell on the drawing."""
    row, column = divmod(puzzle.on_board(cell), puzzle.width)
    if puzzle.grid == "hex":
        shift = _CELL // 2 if row % 2 else 0
        return 8 + _CELL * column + shift + _CELL // 2, 11 + _ROW * row + _CELL // 2
    return (8 + _CELL * column + _CELL // 2, 8 + _CELL * row + _CELL // 2)


def cell_element(puzzle: Puzzle, cell: int) -> str:
    """The ground of a cell."""
    x, y = place(puzzle, cell)
    look = f'class="cell" data-cell="{puzzle.name(cell)}"'
    if puzzle.grid == "hex":
        corners = ((0, -22), (19, -11), (19, 11), (0, 22), (-19, 11), (-19, -11))
        points = " ".join(f"{x + dx},{y + dy}" for dx, dy in corners)
        return f'<polygon {look} points="{points}"/>'
    return f'<rect {look} x="{x - 19}" y="{y - 19}" width="38" height="38" rx="4"/>'


def wall_element(puzzle: Puzzle, a: int, b: int) -> str:
    """A wall between two cells; where they are neighbours past the border, at both of its ends."""
    drawn = lines(puzzle, (a, b))
    (ax, ay), (bx, by) = drawn[0]
    places = [((ax + bx) // 2, (ay + by) // 2)] if len(drawn) == 1 else [(bx, by), drawn[1][0]]
    reach = 11 if puzzle.grid == "hex" else 18
    length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
    dx, dy = round(reach * (by - ay) / length), round(reach * (bx - ax) / length)
    return "".join(
        f'<line class="wall" x1="{x - dx}" y1="{y + dy}" x2="{x + dx}" y2="{y - dy}"/>'
        for x, y in places
    )


Point = tuple[int, int]


def lines(puzzle: Puzzle, path: Path) -> list[list[Point]]:
    """The lines of a path on the drawing. One that leaves the board ends at its border, and the
    next begins at the opposite one; wherever that happens there are at least two lines, each from
    a cell to the border or from the border to a cell."""
    found = [[place(puzzle, path[0])]]
    for a, b in pairwise(path):
        (ax, ay), (bx, by) = place(puzzle, a), place(puzzle, b)
        if max(abs(ax - bx), abs(ay - by)) <= _CELL:
            found[-1].append((bx, by))
            continue
        dx, dy = (_sign(ax - bx) * _CELL // 2, _sign(ay - by) * _CELL // 2)
        found[-1].append((ax + dx, ay + dy))
        found.append([(bx - dx, by - dy), (bx, by)])
    return found


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def path_element(puzzle: Puzzle, colour: int, path: Path) -> str:
    """A path, or a part of one, as an element; one cell alone is a spot."""
    parts = []
    for points in lines(puzzle, path):
        steps = " ".join(f"{x},{y}" for x, y in (points if len(points) > 1 else points * 2))
        parts.append(f'<polyline class="path" stroke="{paint(puzzle, colour)}" points="{steps}"/>')
    return "".join(parts)


def bridge_element(puzzle: Puzzle, cell: int, paths: Iterable[tuple[int, Path]]) -> str:
    """A bridge: its deck lies over the path from north to south, the other path over the deck."""
    x, y = place(puzzle, cell)
    over = [colour for colour, path in paths if cell in path]
    deck = f'<rect class="deck" x="{x - 20}" y="{y - 11}" width="40" height="22"/>'
    rails = "".join(
        f'<line class="rail" x1="{x - 20}" y1="{y + dy}" x2="{x + 20}" y2="{y + dy}"/>'
        for dy in (-11, 11)
    )
    line = "".join(
        f'<line class="path" stroke="{paint(puzzle, colour)}" x1="{x - 20}" y1="{y}" x2="{x + 20}" '
        f'y2="{y}" stroke-linecap="butt"/>'
        for colour in over
    )
    return deck + rails + line


def dot_element(puzzle: Puzzle, cell: int, colour: int) -> str:
    """A dot with its letter."""
    x, y = place(puzzle, cell)
    letter, ground = html.escape(puzzle.letters[colour]), paint(puzzle, colour)
    return (
        f'<circle cx="{x}" cy="{y}" r="15" fill="{ground}"/>'
        f'<text x="{x}" y="{y + 6}" font-size="17" fill="{ink_on(ground)}">{letter}</text>'
    )
