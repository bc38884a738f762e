"""Deduction as people do it: rules that settle single links, each with its reason.

A link is unknown, made or closed. The cheap rules are applied until they say nothing new, then the
dearer ones, then trials: a link is supposed, and if the cheap rules find a contradiction, it is the
other way round. Nothing is ever guessed, so everything deduced is true of every solution.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise

from petteia.puzzles.flow.hints.reasons import Contradiction, Deduction
from petteia.puzzles.flow.rules import HOLE, Puzzle, Rule

__all__ = ["Logic"]

UNKNOWN, MADE, CLOSED = 0, 1, -1


class Logic:
    """What is known of a puzzle, and what follows from it."""

    def __init__(self, puzzle: Puzzle, rule: Rule, end: float | None = None) -> None:
        """``end`` is a limit on the clock ``time.perf_counter``: past it the dearer rules, of which
        one may take seconds on a large board, raise TimeoutError."""
        self.puzzle, self.rule, self._end = puzzle, rule, end
        count = len(puzzle.cells)
        self.state = [UNKNOWN] * len(puzzle.edges)
        self.number = {link: i for i, link in enumerate(puzzle.edges)}
        self.at: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        """For each cell its edges, each with the cell at the other end."""
        for i, (a, b) in enumerate(puzzle.edges):
            self.at[a].append((i, b))
            self.at[b].append((i, a))
        self.need = [0 if v == HOLE else 1 if v >= 0 else 2 for v in puzzle.cells]
        self.piece = list(range(count))
        """The piece of path to which each cell belongs."""
        self.members = [[cell] for cell in range(count)]
        self.colour = [max(value, -1) for value in puzzle.cells]
        """Of each piece, -1 while it is not known."""
        self.log: list[Deduction] = []
        self._dirty = [cell for cell in range(count) if self.need[cell]]
        self._later: set[int] = set()
        """Cells of which only the easiest rules were asked since they changed."""
        self._shapes = set(self._dirty)
        """Cells whose shapes are to be looked at again."""
        self._blocks = list(self._find_blocks()) if rule.name != "touching" else []
        self._blocks_at: list[list[tuple[tuple[int, ...], tuple[int, ...]]]]
        self._blocks_at = [[] for _ in range(count)]
        self.inner: dict[tuple[int, int, int], int] = {}
        """The cell inside a bend, by the bend's cell and its two arms."""
        for block in self._blocks:
            cells = block[0]
            for k, cell in enumerate(cells):
                self._blocks_at[cell].append(block)
                if len(cells) == 4:
                    one, two = cells[k - 1], cells[(k + 1) % 4]
                    self.inner[cell, one, two] = self.inner[cell, two, one] = cells[k - 2]
        self._spikes = self._find_spikes()

    def _find_blocks(self) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """The cells around a point without walls, and the edges between them."""
        for cells in self.puzzle.blocks:
            links = [(min(p), max(p)) for p in pairwise((*cells, cells[0]))]
            if all(link in self.number for link in links):
                yield cells, tuple(self.number[link] for link in links)

    def _find_spikes(self) -> list[list[int]]:
        """For each cell those at which a spike that runs over it may begin."""
        found: list[set[int]] = [set() for _ in self.puzzle.cells]
        for cell, one, two in self.inner:
            at = (cell, one, two)
            while at in self.inner and cell not in found[self.inner[at]]:
                found[self.inner[at]].add(cell)
                at = self._next_bend(*at)
        return [sorted(cells) for cells in found]

    def _next_bend(self, cell: int, one: int, two: int) -> tuple[int, int, int]:
        """The same bend at the inner cell; -1 for an arm past the border."""
        inner = self.inner[cell, one, two]
        return inner, self._same_way(cell, one, inner), self._same_way(cell, two, inner)

    def _same_way(self, cell: int, arm: int, inner: int) -> int:
        ways = self.puzzle.ways
        way = next(way for way, other in ways[cell].items() if other == arm)
        return ways[inner].get(way, -1)

    def copy(self) -> Logic:
        """The same knowledge, to suppose something upon."""
        other = object.__new__(Logic)
        other.__dict__.update(self.__dict__)
        other.state, other.piece = self.state[:], self.piece[:]
        other.members = [each[:] for each in self.members]
        other.colour, other.log, other._dirty = self.colour[:], [], self._dirty[:]
        other._shapes, other._later = set(self._shapes), set(self._later)
        return other

    # --- facts ----------------------------------------------------------------------------------

    def draw(self, links: Iterable[tuple[int, int]]) -> None:
        """Takes links as made, because somebody drew them."""
        for a, b in links:
            edge = self.number[min(a, b), max(a, b)]
            if self.state[edge] == CLOSED:
                raise Contradiction("colours", (a, b))
            if self.state[edge] == UNKNOWN:
                self._make(edge, "given", (a, b))

    def _note(self, edge: int, made: bool, reason: str, cells: Iterable[int]) -> None:
        a, b = link = self.puzzle.edges[edge]
        self.state[edge] = MADE if made else CLOSED
        self.log.append(Deduction(link, made, reason, tuple(cells)))
        self._dirty += (a, b)
        for cell in (a, b):
            self._shapes.add(cell)
            self._shapes.update(self._spikes[cell])

    def _close(self, edge: int, reason: str, cells: Iterable[int]) -> None:
        if self.state[edge] == MADE:
            raise Contradiction(reason, cells)
        if self.state[edge] == UNKNOWN:
            self._note(edge, False, reason, cells)

    def _make(self, edge: int, reason: str, cells: Iterable[int]) -> None:
        if self.state[edge] == CLOSED:
            raise Contradiction(reason, cells)
        if self.state[edge] == MADE:
            return
        a, b = self.puzzle.edges[edge]
        one, two = self.piece[a], self.piece[b]
        why = self._obstacle(a, b, self.rule.is_strict)
        if why:
            raise Contradiction(why, (a, b))
        self._note(edge, True, reason, cells)
        if len(self.members[one]) < len(self.members[two]):
            one, two = two, one
        for cell in self.members[two]:
            self.piece[cell] = one
        self.members[one] += self.members[two]
        self.members[two] = []
        self.colour[one] = max(self.colour[one], self.colour[two])
        self._dirty += self.members[one]

    def _obstacle(self, a: int, b: int, strict: bool) -> str:
        """Why two cells cannot be linked, or nothing; ``strict`` looks for touching pieces too."""
        one, two = self.piece[a], self.piece[b]
        if one == two:
            return "ring"
        if min(self.colour[one], self.colour[two]) >= 0 and self.colour[one] != self.colour[two]:
            return "colours"
        if strict and self._meetings(one, two, 2) > 1:
            return "touch"
        return ""

    def _meetings(self, one: int, two: int, most: int) -> int:
        """How many pairs of neighbours two pieces have."""
        if len(self.members[one]) > len(self.members[two]):
            one, two = two, one
        count = 0
        for cell in self.members[one]:
            for _, other in self.at[cell]:
                if self.piece[other] == two:
                    count += 1
                    if count >= most:
                        return count
        return count

    # --- cheap rules ----------------------------------------------------------------------------

    def settle(self, highest: int = 2) -> None:
        """Applies the cheap rules until they say nothing new; those of level 1, or of 2 as well."""
        strict = self.rule.is_strict and highest > 1
        while self._dirty:
            cells = dict.fromkeys(self._dirty)
            self._dirty = []
            for cell in cells:
                self._degree(cell)
            for cell in cells:
                for edge, other in self.at[cell]:
                    if self.state[edge] == UNKNOWN:
                        why = self._obstacle(cell, other, strict)
                        if why:
                            self._close(edge, why, (cell, other))
                        elif strict and self._same_colour(cell, other):
                            # Neighbours of one colour that are not linked would touch.
                            self._make(edge, "touch", (cell, other))
            if highest > 1:
                self._look_at_corners(cells)
            else:
                self._later.update(cells)

    def _look_at_corners(self, cells: Iterable[int]) -> None:
        for cell in cells:
            for block in self._blocks_at[cell]:
                self._block(*block)
        while self._shapes and not self._dirty:
            cell = self._shapes.pop()
            if self.need[cell] == 2:
                self._shape(cell)

    def _same_colour(self, a: int, b: int) -> bool:
        colour = self.colour[self.piece[a]]
        return colour >= 0 and colour == self.colour[self.piece[b]]

    def _degree(self, cell: int) -> None:
        made = [e for e, _ in self.at[cell] if self.state[e] == MADE]
        unknown = [e for e, _ in self.at[cell] if self.state[e] == UNKNOWN]
        need = self.need[cell]
        if len(made) > need:
            raise Contradiction("full", [cell])
        if len(made) + len(unknown) < need:
            raise Contradiction("dead end", [cell])
        if len(made) == need:
            for edge in unknown:
                self._close(edge, "full", [cell])
        elif len(made) + len(unknown) == need:
            for edge in unknown:
                self._make(edge, "dead end", [cell])

    def _block(self, cells: tuple[int, ...], edges: tuple[int, ...]) -> None:
        """Around a point where k cells meet at most k - 2 links are made."""
        made = sum(1 for edge in edges if self.state[edge] == MADE)
        room = len(cells) - 2 - made
        if room < 0:
            raise Contradiction("corner", cells)
        if room == 0:
            for edge in edges:
                if self.state[edge] == UNKNOWN:
                    self._close(edge, "corner", cells)

    def _shape(self, cell: int) -> None:
        """Looks at all pairs of links that a cell may still have."""
        edges = [(e, other) for e, other in self.at[cell] if self.state[e] != CLOSED]
        if len(edges) < 3 or not self._blocks:
            return
        made = {e for e, _ in edges if self.state[e] == MADE}
        fitting = [
            {first, second}
            for (first, one), (second, two) in combinations(edges, 2)
            if made <= {first, second} and self._bend_possible(cell, one, two)
        ]
        if not fitting:
            raise Contradiction("corner", [cell])
        always, ever = set.intersection(*fitting), set.union(*fitting)
        for edge, other in edges:
            if self.state[edge] == UNKNOWN:
                if edge in always:
                    self._make(edge, "corner", (cell, other))
                elif edge not in ever:
                    self._close(edge, "corner", (cell, other))

    def _bend_possible(self, cell: int, one: int, two: int) -> bool:
        """Whether a spike of equal bends can begin here; straight lines always can."""
        begin = cell
        while (cell, one, two) in self.inner:
            inner = self.inner[cell, one, two]
            # The inner cell has no link towards the arms.
            for arm in (one, two):
                if self.state[self.number[min(arm, inner), max(arm, inner)]] == MADE:
                    return False
            cell, one, two = self._next_bend(cell, one, two)
            ways = [self._state_of(inner, arm) for arm in (one, two)]
            if self.need[inner] == 1:
                return max(ways) > CLOSED
            if min(ways) == CLOSED:
                return False
            if cell == begin:  # it came round the board
                return True
        return True

    def _state_of(self, a: int, b: int) -> int:
        edge = self.number.get((min(a, b), max(a, b)))
        return CLOSED if edge is None else self.state[edge]

    # --- dearer rules ---------------------------------------------------------------------------

    def _look_at_clock(self) -> None:
        if self._end is not None and time.perf_counter() > self._end:
            raise TimeoutError("the limit was reached")

    def reach(self) -> bool:
        """Colours that cannot reach a cell, and cells that a colour must pass; True if new."""
        before = len(self.log)
        puzzle = self.puzzle
        candidates: list[set[int]] = [set() for _ in puzzle.cells]
        for colour, (first, last) in enumerate(puzzle.dots):
            self._look_at_clock()
            if self.piece[first] == self.piece[last]:
                region = set(self.members[self.piece[first]])
            else:
                region = self._region(first, colour)
                if last not in region:
                    raise Contradiction("reach", (first, last))
            for cell in region:
                candidates[cell].add(colour)
        if self.rule.coverage:
            for cell, colours in enumerate(candidates):
                if not colours and self.need[cell]:
                    raise Contradiction("reach", [cell])
        must: dict[int, int] = {}
        for colour, (first, last) in enumerate(puzzle.dots):
            self._look_at_clock()
            if self.piece[first] != self.piece[last]:
                for cell in self._cuts(first, last, colour):
                    if must.setdefault(cell, colour) != colour:
                        raise Contradiction("bottleneck", [cell])
        for cell, colour in must.items():
            if colour not in candidates[cell]:
                raise Contradiction("bottleneck", [cell])
            candidates[cell] = {colour}
        for edge, (a, b) in enumerate(puzzle.edges):
            if self.state[edge] == UNKNOWN and not candidates[a] & candidates[b]:
                reason = "bottleneck" if a in must or b in must else "reach"
                self._close(edge, reason, (a, b))
        return len(self.log) > before

    def _open_to(self, cell: int, colour: int) -> bool:
        return self.colour[self.piece[cell]] in (-1, colour)

    def _region(self, start: int, colour: int, without: int = -1) -> set[int]:
        """The cells that a colour reaches from a dot."""
        seen, todo = {start}, [start]
        while todo:
            cell = todo.pop()
            for edge, other in self.at[cell]:
                open_way = self.state[edge] != CLOSED and other != without
                if open_way and other not in seen and self._open_to(other, colour):
                    seen.add(other)
                    todo.append(other)
        return seen

    def _cuts(self, first: int, last: int, colour: int) -> list[int]:
        """Cells without which a colour could not reach its other dot."""
        before, todo = {first: first}, [first]
        for cell in todo:
            for edge, other in self.at[cell]:
                open_way = self.state[edge] != CLOSED and self._open_to(other, colour)
                if open_way and other not in before:
                    before[other] = cell
                    todo.append(other)
        path, cell = [], before[last]
        while cell != first:
            path.append(cell)
            cell = before[cell]
        return [cell for cell in path if last not in self._region(first, colour, without=cell)]

    # --- trials ---------------------------------------------------------------------------------

    def trial(self) -> bool:
        """Supposes links one by one; True as soon as one supposition has failed."""
        for edge in self._worth_trying():
            self._look_at_clock()
            a, b = self.puzzle.edges[edge]
            for made in (True, False):
                other = self.copy()
                try:
                    if made:
                        other._make(edge, "trial", (a, b))
                    else:
                        other._close(edge, "trial", (a, b))
                    other.settle()
                except Contradiction:
                    if made:
                        self._close(edge, "trial", (a, b))
                    else:
                        self._make(edge, "trial", (a, b))
                    return True
        return False

    def _worth_trying(self) -> list[int]:
        """Unknown links, those beside what is known first: there contradictions are near."""

        def known(edge: int) -> int:
            a, b = self.puzzle.edges[edge]
            return sum(1 for cell in (a, b) for e, _ in self.at[cell] if self.state[e] != UNKNOWN)

        unknown = [edge for edge, state in enumerate(self.state) if state == UNKNOWN]
        return sorted(unknown, key=lambda edge: (-known(edge), edge))

    # --- all together ---------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """Whether every link is settled."""
        return UNKNOWN not in self.state

    def advance(self, highest: int = 4) -> bool:
        """Applies the easiest rule that says something new; False if none up to this level does."""
        before = len(self.log)
        self.settle(1)
        if len(self.log) > before or highest < 2:
            return len(self.log) > before
        self._dirty, self._later = sorted(self._later), set()
        self.settle()
        if len(self.log) > before:
            return True
        if highest >= 3 and self.reach():
            return True
        return highest >= 4 and self.trial()
