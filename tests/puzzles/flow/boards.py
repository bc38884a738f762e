"""Random boards for the tests: dots anywhere, or dots at the ends of paths that fill the board."""

from __future__ import annotations

import random

from petteia.puzzles.flow.rules import EMPTY, HOLE, LETTERS, Puzzle

__all__ = ["KINDS", "any_board", "board_of_kind", "filled_board"]

KINDS = ("hex", "warps", "bridges", "holes", "walls")


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


def board_of_kind(chance: random.Random, kind: str, longest: int = 5) -> Puzzle:
    """A small board of a kind. Its dots are the ends of paths laid at random that fill the board,
    as far as that succeeds; then it has a solution. A cell left alone becomes a hole."""
    low = 3 if kind in ("warps", "bridges") else 2
    width, height = chance.randint(low, longest), chance.randint(low, longest)
    size = width * height
    cells = [EMPTY] * size
    bridges: frozenset[int] = frozenset()
    if kind == "holes":
        for cell in chance.sample(range(size), chance.randint(1, max(1, size // 6))):
            cells[cell] = HOLE
    if kind == "bridges":
        inner = [r * width + c for r in range(1, height - 1) for c in range(1, width - 1)]
        bridges = frozenset(chance.sample(inner, chance.randint(1, max(1, len(inner) // 3))))
    grid = kind if kind in ("hex", "warps") else "square"
    dots = [cell for cell in range(size) if cells[cell] == EMPTY and cell not in bridges]
    ends = chance.sample(dots, 2)
    blank = list(cells)
    for cell in ends:
        blank[cell] = 0
    bare = Puzzle(width, height, tuple(blank), ("A",), frozenset(), grid, bridges)
    walls: frozenset[tuple[int, int]] = frozenset()
    if kind == "walls" or (kind == "warps" and chance.random() < 0.5):
        pairs = sorted({_on_board(bare, link) for link in bare.edges})
        walls = frozenset(chance.sample(pairs, min(len(pairs), chance.randint(1, 3))))
        bare = Puzzle(width, height, tuple(blank), ("A",), walls, grid, bridges)
    if chance.random() < 0.2:
        return bare
    colours, touching = 0, chance.random() < 0.4
    free = set(range(len(bare.cells))) - {c for c in range(size) if cells[c] == HOLE}
    while free & set(dots):
        path = [chance.choice(sorted(free & set(dots)))]
        free.discard(path[0])
        for _ in range(chance.randint(2, 12)):
            steps = [
                cell
                for cell in bare.neighbours[path[-1]]
                if cell in free and (touching or len(set(bare.neighbours[cell]) & set(path)) == 1)
            ]
            if path[-1] not in dots:  # over a bridge straight ahead
                steps = [cell for cell in steps if cell != path[-2]]
            if not steps:
                break
            path.append(chance.choice(steps))
            free.discard(path[-1])
        while path[-1] not in dots:
            free.add(path.pop())
        if len(path) > 1:
            cells[path[0]] = cells[path[-1]] = colours
            colours += 1
        elif path[0] not in {c for b in bridges for c in bare.neighbours[b]} | {
            c for b in bridges for c in bare.neighbours[bare.strands[b]]
        }:
            cells[path[0]] = HOLE
    if not colours:
        return bare
    walls = frozenset(pair for pair in walls if all(cells[end] != HOLE for end in pair))
    return Puzzle(width, height, tuple(cells), tuple(LETTERS[:colours]), walls, grid, bridges)


def _on_board(puzzle: Puzzle, link: tuple[int, int]) -> tuple[int, int]:
    a, b = sorted(puzzle.on_board(cell) for cell in link)
    return a, b


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
