"""Random boards for the tests: dots anywhere, or dots at the ends of paths that fill the board."""

from __future__ import annotations

import random

from petteia.puzzles.flow.rules import EMPTY, HOLE, LETTERS, Puzzle

__all__ = ["any_board", "filled_board"]


def any_board(chance: random.Random, longest: int = 6) -> Puzzle:
    """A small board with dots anywhere, at times with holes and walls; most have no solution."""
    width, height = chance.randint(1, longest), chance.randint(2, longest)
    size = width * height
    colours = chance.randint(1, max(1, size // 6))
    holes = chance.randint(0, 3) if chance.random() < 0.3 and size > 2 * colours + 3 else 0
    places = chance.sample(range(size), 2 * colours + holes)
    cells = [EMPTY] * size
    for colour in range(colours):
        cells[places[2 * colour]] = cells[places[2 * colour + 1]] = colour
    for place in places[2 * colours :]:
        cells[place] = HOLE
    plain = Puzzle(width, height, tuple(cells), tuple(LETTERS[:colours]))
    if chance.random() < 0.3 and len(plain.edges) > 3:
        walls = frozenset(chance.sample(plain.edges, chance.randint(1, 3)))
        return Puzzle(width, height, plain.cells, plain.letters, walls)
    return plain


def filled_board(chance: random.Random, width: int, height: int, touching: bool = False) -> Puzzle:
    """A board whose dots are the ends of paths that were laid at random, so that it has a solution
    and often several; none of the paths touches itself unless that is asked for. A cell left alone
    becomes a hole."""
    free = set(range(width * height))
    cells, colours = [HOLE] * (width * height), 0
    while free:
        path = [chance.choice(sorted(free))]
        free.discard(path[0])
        for _ in range(chance.randint(2, 12)):
            steps = [
                cell
                for cell in _beside(path[-1], width, height)
                if cell in free
                and (touching or len(set(_beside(cell, width, height)) & set(path)) == 1)
            ]
            if not steps:
                break
            path.append(chance.choice(steps))
            free.discard(path[-1])
        if len(path) > 1:
            for cell in path:
                cells[cell] = EMPTY
            cells[path[0]] = cells[path[-1]] = colours
            colours += 1
    if not colours:
        return filled_board(chance, width, height, touching)
    return Puzzle(width, height, tuple(cells), tuple(LETTERS[:colours]))


def _beside(cell: int, width: int, height: int) -> list[int]:
    row, column = divmod(cell, width)
    ways = (
        (-width, row > 0), (width, row < height - 1), (-1, column > 0), (1, column < width - 1),
    )  # fmt: skip
    return [cell + step for step, inside in ways if inside]
