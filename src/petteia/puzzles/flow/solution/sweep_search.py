"""The diagonal sweep, compiled or as plain Python. (The idea is Thomas Ahle's, see numberlink.)

The spots are decided in a fixed order, by diagonals. A dot needs one link and another spot two, so
that there are seldom more than two ways to go on. Every decision is followed to its end before the
next one is made: a spot that has one set of links left has them, a way that is in none of its sets
is shut, and so is every further way of a block that can take no more links. Most boards have
nothing left to try after that.

*Mates.* ``mate[x]`` is the other end of the piece of path that ends in x. A link that would join a
piece to itself closes a ring, one that joins dots of two colours is wrong; both are seen at once.
Where no path may touch itself, a piece whose ends are neighbours is hopeless, and neighbouring ends
of one colour must be linked. Entries of spots inside a piece go stale and are never read.

Decisions are taken back by a trail. The search can be stopped after any number of choices and goes
on from there.
"""

from __future__ import annotations

from typing import Any

from petteia.compiled import kernel, trailing_zeros
from petteia.puzzles.flow.solution.sweep_board import (
    BLOCKS,
    COLOURS,
    COVER,
    DEPTH,
    GRID,
    LAYOUT,
    MOST,
    NO_BLOCK,
    NODES,
    RULE,
    SHORTEST,
    STATE,
    STRICT,
    TOUCHING,
    TRAIL,
    VISITS,
    WAITING,
    WAYS,
    prepare,
    ways_of,
)

__all__ = ["END", "LAYOUT", "LIMIT", "SOLUTION", "sweep"]

SOLUTION, END, LIMIT = range(3)
NEW, GOING, BACK = range(3)


def lowest(bits: Any) -> int:
    """The number of the lowest bit that is set."""
    return trailing_zeros(bits)


def are_neighbours(m: Any, a: int, b: int, ways: int) -> bool:
    """Whether a way leads from one spot to the other."""
    found = False
    for way in range(ways):
        if m.near[WAYS * a + way] == b:
            found = True
    return found


def look_at(m: Any, p: int) -> None:
    """Puts a spot among those to look at."""
    if m.waiting[p] == 0:
        m.waiting[p] = 1
        m.queue[m.control[WAITING]] = p
        m.control[WAITING] += 1


def note(m: Any, p: int, way: int, back: int, made: int, a: int) -> bool:
    """Notes a decided way at both of its ends; False if that leaves an end without hope."""
    q = m.near[WAYS * p + way]
    at = m.control[TRAIL]
    m.trail[3 * at], m.trail[3 * at + 1], m.trail[3 * at + 2] = WAYS * p + way, a, m.mate[q]
    m.before[2 * at], m.before[2 * at + 1] = m.sets[p], m.sets[q]
    m.control[TRAIL] = at + 1
    m.open[p] &= ~(1 << way)
    m.open[q] &= ~(1 << back)
    m.sets[p] &= m.select[2 * way + made]
    m.sets[q] &= m.select[2 * back + made]
    look_at(m, p)
    look_at(m, q)
    return m.sets[p] != 0 and m.sets[q] != 0


def shut(m: Any, p: int, way: int, ways: int) -> bool:
    """Decides that there is no link in a way."""
    return note(m, p, way, (way + ways // 2) % ways, 0, -1)


def fill_block(m: Any, block: int, ways: int) -> bool:
    """A block has taken a link; where it can take no other, its other ways are shut."""
    m.room[block] -= 1
    if m.room[block] != 0:
        return True
    size = 4 if m.corners[4 * block + 3] >= 0 else 3
    way = m.first_way[block]
    for k in range(size):
        p = m.corners[4 * block + k]
        if m.open[p] >> way & 1 and not shut(m, p, way, ways):
            return False
        way = (way + ways // size) % ways
    return True


def join(m: Any, p: int, way: int, ways: int, strict: bool) -> bool:
    """Decides that there is a link in a way; False if that is wrong."""
    edge, back = WAYS * p + way, (way + ways // 2) % ways
    q = m.near[edge]
    ink, mate = m.ink, m.mate
    a, b = mate[p], mate[q]
    if a == q or (ink[a] > 0 and ink[b] > 0 and ink[a] != ink[b]):
        return False
    if strict and (a != p or b != q) and are_neighbours(m, a, b, ways):
        return False
    hopeful = note(m, p, way, back, 1, a)
    m.links[p] |= 1 << way
    m.links[q] |= 1 << back
    mate[a], mate[b] = b, a
    look_at(m, a)
    look_at(m, b)
    one, two = m.side[2 * edge], m.side[2 * edge + 1]
    hopeful = fill_block(m, one, ways) and hopeful
    return fill_block(m, two, ways) and hopeful


def take_back(m: Any, mark: int, ways: int) -> None:
    """Undoes what was decided since the trail was as long as the mark."""
    at = m.control[TRAIL]
    while at > mark:
        at -= 1
        edge, a, b = m.trail[3 * at], m.trail[3 * at + 1], m.trail[3 * at + 2]
        p, way = edge // WAYS, edge % WAYS
        q, back = m.near[edge], (way + ways // 2) % ways
        m.sets[p], m.sets[q] = m.before[2 * at], m.before[2 * at + 1]
        m.open[p] |= 1 << way
        m.open[q] |= 1 << back
        if a >= 0:
            m.mate[a], m.mate[b] = p, q
            m.links[p] &= ~(1 << way)
            m.links[q] &= ~(1 << back)
            m.room[m.side[2 * edge]] += 1
            m.room[m.side[2 * edge + 1]] += 1
    m.control[TRAIL] = mark


def consider(m: Any, p: int, way: int, ways: int, strict: bool) -> bool:
    """Decides a way if only one decision is possible; False if none is."""
    sets = m.sets[p]
    with_it = sets & m.select[2 * way + 1]
    if with_it == 0:
        return shut(m, p, way, ways)
    q = m.near[WAYS * p + way]
    if m.sets[q] & m.select[2 * ((way + ways // 2) % ways) + 1] == 0:
        return shut(m, p, way, ways)
    if with_it == sets:
        return join(m, p, way, ways, strict)
    a, b = m.mate[p], m.mate[q]
    if a == q:
        return not strict and shut(m, p, way, ways)
    if m.ink[a] > 0 and m.ink[b] > 0:
        if m.ink[a] != m.ink[b]:
            return shut(m, p, way, ways)
        if strict:
            return join(m, p, way, ways, strict)
    return True


def settle(m: Any, ways: int, strict: bool, hopeful: bool) -> bool:
    """Looks at all waiting spots, until nothing follows any more; False if something is wrong.

    Where there is no hope left, it only empties the queue.
    """
    control = m.control
    while control[WAITING] > 0:
        control[WAITING] -= 1
        p = m.queue[control[WAITING]]
        m.waiting[p] = 0
        left = m.open[p] if hopeful else 0
        while left != 0 and hopeful:
            way = lowest(left)
            left &= left - 1
            if m.open[p] >> way & 1:
                hopeful = consider(m, p, way, ways, strict)
    return hopeful


def take(m: Any, p: int, wanted: int, ways: int, strict: bool) -> bool:
    """Gives a spot a set of links, with all that follows."""
    left = m.open[p]
    hopeful = True
    while left != 0 and hopeful:
        way = lowest(left)
        left &= left - 1
        if m.open[p] >> way & 1 == 0:
            continue
        made = wanted >> way & 1
        hopeful = join(m, p, way, ways, strict) if made else shut(m, p, way, ways)
    return settle(m, ways, strict, hopeful)


def paint(m: Any) -> None:
    """Follows each path from its first dot; writes the spots' colours and the paths."""
    ways = ways_of(m.control[GRID])
    for p in range(m.control[VISITS]):
        m.colour[p] = -1 - p  # no spot has the colour of another that is empty
    end = 0
    for colour in range(m.control[COLOURS]):
        p, came = m.place[m.first[colour]], 0
        while True:
            m.colour[p] = colour
            m.path[end] = m.back[p]
            end += 1
            onward = m.links[p] & ~came
            if onward == 0:
                break
            way = lowest(onward)
            p, came = m.near[WAYS * p + way], 1 << (way + ways // 2) % ways
        m.stop[colour] = end


def touches(m: Any) -> bool:
    """Whether two neighbours on a finished board have one colour and no link."""
    ways = ways_of(m.control[GRID])
    for p in range(m.control[VISITS]):
        for way in range(ways):
            q = m.near[WAYS * p + way]
            if q > p and m.colour[q] == m.colour[p] and m.links[p] >> way & 1 == 0:
                return True
    return False


def has_block(m: Any) -> bool:
    """Whether a block on a finished board has one colour."""
    for block in range(1, m.control[BLOCKS] + 1):
        at = 4 * block
        own = m.colour[m.corners[at]]
        same = m.colour[m.corners[at + 1]] == own and m.colour[m.corners[at + 2]] == own
        last = m.corners[at + 3]
        if same and (last < 0 or m.colour[last] == own):
            return True
    return False


def has_detour(m: Any) -> bool:
    """Whether a path on a finished board could be shorter while the others stay."""
    ways = ways_of(m.control[GRID])
    begin = 0
    for colour in range(m.control[COLOURS]):
        # The queue and what marks its spots are free while nothing is to be decided.
        start, goal = m.place[m.path[begin]], m.place[m.path[m.stop[colour] - 1]]
        length = m.stop[colour] - begin
        begin = m.stop[colour]
        m.queue[0], m.waiting[start] = start, 1
        at, end = 0, 1
        while at < end:
            p = m.queue[at]
            at += 1
            for way in range(ways):
                q = m.near[WAYS * p + way]
                is_free = q >= 0 and (m.colour[q] < 0 or m.colour[q] == colour)
                if is_free and m.waiting[q] == 0:
                    m.queue[end], m.waiting[q] = q, m.waiting[p] + 1
                    end += 1
        short = m.waiting[goal] < length
        for k in range(end):
            m.waiting[m.queue[k]] = 0
        if short:
            return True
    return False


def rule_holds(m: Any) -> bool:
    """The test of a finished board, for what was not seen on the way."""
    rule = m.control[RULE]
    if rule == TOUCHING:
        return True
    if rule == NO_BLOCK:
        return not has_block(m)
    return not touches(m) and (rule == STRICT or m.control[COVER] != 0 or not has_detour(m))


def begin(m: Any, ways: int, strict: bool) -> bool:
    """Prepares the board and draws the first conclusions; False if there is no solution."""
    prepare(m)
    for p in range(m.control[VISITS] - 1, -1, -1):
        if m.sets[p] == 0:
            return False
        look_at(m, p)
    return settle(m, ways, strict, True)


@kernel
def sweep(m: Any) -> int:
    """Begins at its first call, then goes on until a solution, the end, or MOST choices."""
    control = m.control
    ways, strict = ways_of(control[GRID]), control[RULE] in (STRICT, SHORTEST)
    hopeful = control[STATE] == GOING
    if control[STATE] == NEW:
        hopeful = begin(m, ways, strict)
        control[NODES] = 1
    visits, depth, nodes = control[VISITS], control[DEPTH], control[NODES]
    x = 0 if depth == 0 else m.choice[depth - 1]
    control[STATE] = GOING
    while True:
        if hopeful:
            while x < visits and m.open[x] == 0:
                x += 1
            if x == visits:
                paint(m)
                hopeful = False
                if rule_holds(m):
                    control[STATE] = BACK
                    found = SOLUTION
                    break
                continue
            if nodes >= control[MOST]:
                found = LIMIT
                break
            m.choice[depth], m.mark[depth], m.untried[depth] = x, control[TRAIL], m.sets[x]
            depth += 1
        else:
            if depth == 0:
                control[STATE] = BACK
                found = END
                break
            take_back(m, m.mark[depth - 1], ways)
            x = m.choice[depth - 1]
        sets = m.untried[depth - 1]
        if sets == 0:
            depth -= 1
            hopeful = False
            continue
        m.untried[depth - 1] = sets & (sets - 1)
        nodes += 1
        hopeful = take(m, x, lowest(sets), ways, strict)
    control[DEPTH], control[NODES] = depth, nodes
    return found
