"""A search as a moving picture: an SVG that moves by itself, or a GIF."""

from __future__ import annotations

import io
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from petteia.core.errors import PetteiaError
from petteia.core.writing import write_whole
from petteia.puzzles.flow.face.picture import extent, ink_on, lines, paint, place, svg
from petteia.puzzles.flow.rules import HOLE, Puzzle

__all__ = ["Frame", "frames_of", "gif", "moving_svg", "write"]

_MOST_FRAMES, _FEWEST_FRAMES = 400, 40
_MOST_CELLS = 240_000
"""Cells of all frames together: large boards have fewer frames."""
_MOST_EVENTS = 200_000
_REST = 12
"""How many frames long the last one is shown."""


@dataclass(frozen=True)
class Frame:
    """What is seen at one moment."""

    colours: tuple[int, ...]
    """Of each cell, -1 for none."""
    links: frozenset[tuple[int, int]]


def frames_of(
    puzzle: Puzzle, events: Iterable[dict[str, Any]], seconds: float | None = None
) -> list[Frame]:
    """The pictures of a search. A long one is shown in even steps, its last event always; at a
    limit of time what came until then."""
    end = None if seconds is None else time.perf_counter() + seconds
    most = max(_FEWEST_FRAMES, min(_MOST_FRAMES, _MOST_CELLS // puzzle.area))
    letters = {letter: colour for colour, letter in enumerate(puzzle.letters)}
    colours = list(puzzle.cells)
    frames: list[Frame] = []
    every = 1
    last = Frame(tuple(colours), frozenset())
    for number, event in enumerate(events):
        for name, letter in event["colours"].items():
            cell = puzzle.cell(name)
            colours[cell] = -1 if letter is None else letters[letter]
        if number % every == 0 or event["event"] == "solution":
            links = frozenset((puzzle.cell(a), puzzle.cell(b)) for a, b in event["links"] or ())
            last = Frame(tuple(colours), links)
            frames.append(last)
        if len(frames) >= 2 * most:
            frames, every = frames[::2], 2 * every
        if number >= _MOST_EVENTS or (end is not None and time.perf_counter() > end):
            break
    if not frames or frames[-1] != last:
        frames.append(last)
    return frames


def write(
    path: Path, puzzle: Puzzle, events: Iterable[dict[str, Any]], seconds: float | None = None
) -> int:
    """Writes the moving picture; its kind is the file's ending. Gives the number of frames."""
    makers = {".svg": moving_svg, ".gif": gif}
    if path.suffix.lower() not in makers:
        raise PetteiaError(f"{path}: a moving picture is an .svg or a .gif")
    frames = frames_of(puzzle, events, seconds)
    write_whole(path, makers[path.suffix.lower()](puzzle, frames))
    return len(frames)


def moving_svg(puzzle: Puzzle, frames: list[Frame]) -> bytes:
    """An SVG whose cells and links change their looks by themselves, again and again."""
    shown = frames + [frames[-1]] * _REST
    seconds = len(shown) * 0.06
    parts = []
    for cell, value in enumerate(puzzle.cells[: puzzle.area]):
        if value == -1:
            colours = [frame.colours[cell] for frame in shown]
            if any(colour >= 0 for colour in colours):
                x, y = place(puzzle, cell)
                fills = [paint(puzzle, colour) if colour >= 0 else "none" for colour in colours]
                parts.append(
                    f'<rect x="{x - 17}" y="{y - 17}" width="34" height="34" rx="4" '
                    f'opacity="0.55" fill="none">{_animated("fill", fills, seconds)}</rect>'
                )
    for a, b in sorted(frozenset().union(*(frame.links for frame in shown))):
        looks = [_link_look(puzzle, frame, a, b) for frame in shown]
        parts += [
            f'<line x1="{ax}" y1="{ay}" x2="{bx}" y2="{by}" stroke-width="12" '
            f'stroke-linecap="round" stroke="none">{_animated("stroke", looks, seconds)}</line>'
            for (ax, ay), (bx, by) in lines(puzzle, (a, b))
        ]
    return svg(puzzle, extra="\n".join(parts)).encode()


def _link_look(puzzle: Puzzle, frame: Frame, a: int, b: int) -> str:
    if (a, b) not in frame.links:
        return "none"
    return paint(puzzle, frame.colours[a]) if frame.colours[a] >= 0 else "#888888"


def _animated(attribute: str, looks: list[str], seconds: float) -> str:
    times, values = [0.0], [looks[0]]
    for at, look in enumerate(looks):
        if look != values[-1]:
            times.append(at / len(looks))
            values.append(look)
    return (
        f'<animate attributeName="{attribute}" calcMode="discrete" dur="{seconds:.2f}s" '
        f'repeatCount="indefinite" keyTimes="{";".join(f"{t:.5g}" for t in times)}" '
        f'values="{";".join(values)}"/>'
    )


def gif(puzzle: Puzzle, frames: list[Frame]) -> bytes:
    """The same as a GIF."""
    from PIL import Image, ImageDraw  # late: only this needs it

    width, height = extent(puzzle)
    scale = max(10, min(36, 640 // max(puzzle.width, puzzle.height))) / 40
    half = 18 * scale
    pictures = []
    for frame in frames:
        picture = Image.new("RGB", (round(width * scale), round(height * scale)), "#f8f6f1")
        pen = ImageDraw.Draw(picture)
        for cell, value in enumerate(puzzle.cells[: puzzle.area]):
            if value == HOLE:
                continue
            x, y = (scale * number for number in place(puzzle, cell))
            colour = frame.colours[cell]
            ground = paint(puzzle, colour) if colour >= 0 else "#ebe6da"
            pen.rectangle((x - half, y - half, x + half, y + half), fill=ground)
        for a, b in frame.links:
            for line in lines(puzzle, (a, b)):
                points = [(scale * x, scale * y) for x, y in line]
                pen.line(points, fill="#000000", width=max(2, round(5 * scale)))
        for cell, value in enumerate(puzzle.cells):
            if value >= 0:
                _draw_dot(pen, puzzle, cell, scale)
        pictures.append(picture.quantize(64))
    page = io.BytesIO()
    times = [60] * (len(pictures) - 1) + [2500]
    pictures[0].save(page, "GIF", save_all=True, append_images=pictures[1:], duration=times, loop=0)
    return page.getvalue()


def _draw_dot(pen: Any, puzzle: Puzzle, cell: int, scale: float) -> None:
    x, y = (scale * number for number in place(puzzle, cell))
    ground, half = paint(puzzle, puzzle.cells[cell]), 16 * scale
    box = (x - half, y - half, x + half, y + half)
    pen.ellipse(box, fill=ground, outline="#000000", width=2)
    letter = puzzle.letters[puzzle.cells[cell]].encode("ascii", "replace").decode()
    pen.text((x, y), letter, fill=ink_on(ground), anchor="mm")
