"""The independent verifier: it knows the rules and nothing of how answers are found."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from petteia.core.errors import PetteiaError
from petteia.puzzles.flow.rules import EMPTY, HOLE, Puzzle, Rule, Solution

__all__ = ["faults", "paths_of_rows", "require", "shortcut"]


def faults(puzzle: Puzzle, solution: Solution, rule: Rule) -> list[str]:
    """Everything that is wrong with a solution, each in a sentence; empty if it is right."""
    found = []
    if len(solution.paths) != puzzle.colours:
        return [f"{len(solution.paths)} paths for {puzzle.colours} colours"]
    owner: dict[int, int] = {}
    for colour, path in enumerate(solution.paths):
        letter = puzzle.letters[colour]
        if sorted((path[0], path[-1])) != list(puzzle.dots[colour]) or len(path) < 2:
            found.append(f"the path of {letter} does not lead from one dot to the other")
        for a, b in itertools.pairwise(path):
            if b not in puzzle.neighbours[a]:
                found.append(f"the path of {letter} steps from {puzzle.name(a)} to no neighbour")
        for cell in path:
            if puzzle.cells[cell] == HOLE:
                found.append(f"the path of {letter} runs through the hole {puzzle.name(cell)}")
            elif puzzle.cells[cell] not in (EMPTY, colour):
                found.append(f"the path of {letter} runs over a dot at {puzzle.name(cell)}")
            if cell in owner:
                found.append(f"two paths meet at {puzzle.name(cell)}")
            owner[cell] = colour
    if rule.coverage:
        found += [
            f"{puzzle.name(cell)} is not covered"
            for cell, value in enumerate(puzzle.cells)
            if value != HOLE and cell not in owner
        ]
    if rule.is_strict:
        found += _self_touches(puzzle, solution, owner)
    elif rule.name == "no-2x2":
        found += _blocks(puzzle, owner)
    if rule.name == "shortest" and not found:
        found += [
            f"the path of {puzzle.letters[colour]} could be shorter"
            for colour in range(puzzle.colours)
            if shortcut(puzzle, solution, colour) is not None
        ]
    return found


def _self_touches(puzzle: Puzzle, solution: Solution, owner: dict[int, int]) -> list[str]:
    links = solution.links()
    return [
        f"{puzzle.letters[owner[a]]} touches itself at {puzzle.name(a)} and {puzzle.name(b)}"
        for a in sorted(owner)
        for b in puzzle.neighbours[a]
        if a < b and owner.get(b) == owner[a] and (a, b) not in links
    ]


def _blocks(puzzle: Puzzle, owner: dict[int, int]) -> list[str]:
    return [
        f"a block of one colour begins at {puzzle.name(block[0])}"
        for block in puzzle.blocks
        if all(each in owner and owner[each] == owner.get(block[0]) for each in block)
    ]


def shortcut(puzzle: Puzzle, solution: Solution, colour: int) -> list[int] | None:
    """A shorter path of a colour that leaves all others as they are, if there is one."""
    path = solution.paths[colour]
    taken = {
        cell for other, cells in enumerate(solution.paths) if other != colour for cell in cells
    }
    before, todo = {path[0]: path[0]}, [path[0]]
    for cell in todo:
        for other in puzzle.neighbours[cell]:
            if other not in before and other not in taken:
                before[other] = cell
                todo.append(other)
    found = [path[-1]]
    while found[-1] != path[0]:
        found.append(before[found[-1]])
    return found if len(found) < len(path) else None


def require(puzzle: Puzzle, solution: Solution, rule: Rule) -> None:
    """Raises if an answer is wrong: no engine's word is taken for it."""
    found = faults(puzzle, solution, rule)
    if found:
        raise AssertionError(f"not a solution under the rule {rule.text}: {'; '.join(found)}")


def paths_of_rows(puzzle: Puzzle, rows: Sequence[str]) -> Solution:
    """The paths of a filled board in which no path touches itself.

    A path that does can be read in several ways: such solutions are given by their paths.
    """
    if puzzle.bridges:
        raise PetteiaError("a filled board does not tell what crosses bridges; a level line does")
    if len(rows) != puzzle.height or any(len(row) != puzzle.width for row in rows):
        raise PetteiaError(f"the solution must have {puzzle.height} rows of {puzzle.width} letters")
    signs = "".join(rows)
    paths = []
    for colour, (first, last) in enumerate(puzzle.dots):
        letter = puzzle.letters[colour]
        path, seen = [first], {first}
        while path[-1] != last:
            here = path[-1]
            onward = [
                cell
                for cell in puzzle.neighbours[here]
                if signs[cell] == letter and cell not in seen
            ]
            if len(onward) != 1:
                what = "stops" if not onward else "forks or touches itself"
                raise PetteiaError(f"the path of {letter} {what} at {puzzle.name(here)}")
            path.append(onward[0])
            seen.add(onward[0])
        if signs.count(letter) != len(path):
            raise PetteiaError(f"{letter} has {signs.count(letter)} cells, its path {len(path)}")
        paths.append(tuple(path))
    for cell, sign in enumerate(signs):
        expected = puzzle.cells[cell]
        if expected >= 0 and sign != puzzle.letters[expected]:
            raise PetteiaError(
                f"{puzzle.name(cell)} is a dot of {puzzle.letters[expected]}, not {sign}"
            )
    return Solution(tuple(paths))
