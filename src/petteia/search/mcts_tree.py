"""The tree of Monte Carlo search: kernels that grow it and tell what it knows. ``search.mcts``
drives them, and has the sources.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from petteia.compiled import kernel, nanoseconds, random_below, random_unit
from petteia.core.game import CHANCE, DECISION, TERMINAL, Game
from petteia.core.rules import drawn_outcome
from petteia.core.words import Words
from petteia.search.playout import playout
from petteia.search.portable import found_fields

__all__ = ["NODE", "look", "memory_layout", "simulate", "tell"]

NODE = np.dtype(
    [
        ("total", np.float64),  # points of player 0, summed over the visits; if proven, the value
        ("move", np.int64),  # that leads here, or the outcome of the dice
        ("first", np.int32),  # child; the others follow it
        ("count", np.int32),  # of children; 0 before they are made
        ("visits", np.int32),
        ("proven", np.int32),
    ],
    align=True,
)
_LONGEST = 60
"""So many moves of a line are told."""


def memory_layout(game: Game) -> np.dtype[Any]:
    """What one thread needs besides its tree."""
    return np.dtype(
        [
            ("stop", np.int64),  # set from outside, or when the time is up
            ("used", np.int64),  # nodes of the tree; 0 before it is planted
            ("made", np.int64),  # simulations
            ("simulations", np.int64),  # that are wanted
            ("may_grow", np.int64),  # whether a larger tree can be had
            ("deadline", np.int64),  # on the kernels' clock
            ("beyond", np.int64),  # whether a game ended with more than ``most``
            ("exploration", np.float64),  # the weight of the confidence bound
            ("stake", np.float64),  # by which rewards are measured
            ("most", np.float64),  # no game brings more points
            ("every", np.int64),  # whether every move is to have its line
            ("state", np.uint64, (1,)),  # of the random numbers
            *found_fields(game.max_moves, _LONGEST),
            ("visits", np.int64, (game.max_moves,)),  # of the moves that were found, best first
            ("nodes", np.int64, (game.max_plies + 1,)),  # of a simulation, from the root on
            ("movers", np.int64, (game.max_plies + 1,)),  # there; -1 where the dice decide
            ("out", np.int64, (2 * game.max_moves,)),
            ("prob", np.float64, (2 * game.max_moves,)),
        ],
        align=True,
    )


@kernel
def simulate(game: Any, root: Words, tree: Any, memory: Any) -> None:
    """Simulates until the number is reached, the flag is set, the root is proven, or, if it may
    grow, the tree is too small for one more node's children.

    Positions are not stored but played again from the root: measured as fast on Breakthrough, in
    half the memory.
    """
    out, prob, state = memory.out, memory.prob, memory.state
    if memory.used == 0:
        plant(tree, memory)
    while True:
        room = memory.used + game.max_moves <= len(tree)
        if not room and memory.may_grow != 0:
            return
        depth, node, p = 0, 0, root
        while True:
            kind = game.kind(p)
            mover = game.mover(p) if kind == DECISION else -1
            memory.nodes[depth], memory.movers[depth] = node, mover
            # A node gets its children at its second visit: most are never visited again.
            fresh = tree[node].count == 0 and tree[node].proven == 0
            if fresh and room and tree[node].visits > 0:
                expand(game, p, node, tree, memory)
            if tree[node].proven != 0:
                value = tree[node].total
                break
            if depth == game.max_plies:
                value = 0.0
                break
            if tree[node].count == 0:
                value = playout(game, p, state, out, prob)
                break
            if kind == CHANCE:
                end = game.chances(p, out, prob, 0)
                node = tree[node].first + drawn_outcome(prob, end, random_unit(state))
            else:
                node = chosen(tree, node, mover, memory)
            p = game.play(p, tree[node].move)
            depth += 1
        back_up(tree, depth, value, memory)
        memory.made += 1
        if memory.made & 15 == 0 and nanoseconds() > memory.deadline:
            memory.stop = 1
        if memory.made >= memory.simulations or memory.stop != 0 or tree[0].proven != 0:
            return


def plant(tree: Any, memory: Any) -> None:
    """Makes the root. It has a visit, so that it gets its children at once."""
    root = tree[0]
    root.total, root.move = 0.0, 0
    root.first, root.count = 0, 0
    root.visits, root.proven = 1, 0
    memory.used = 1


def expand(game: Any, p: Words, node: int, tree: Any, memory: Any) -> None:
    """Makes the children of a node: moves in random order, outcomes of dice in the game's."""
    out, most = memory.out, memory.most
    if game.kind(p) == CHANCE:
        end = game.chances(p, out, memory.prob, 0)
    else:
        end = game.moves(p, out, 0)
        for i in range(end - 1, 0, -1):
            j = random_below(memory.state, i + 1)
            out[i], out[j] = out[j], out[i]
    first = memory.used
    for i in range(end):
        after = game.play(p, out[i])
        is_over = game.kind(after) == TERMINAL
        child = tree[first + i]
        child.total = game.result(after) if is_over else 0.0
        child.move = out[i]
        child.first = 0
        child.count = 0
        child.visits = 0
        child.proven = 1 if is_over else 0
        if abs(child.total) > most:
            memory.beyond = 1
    tree[node].first = first
    tree[node].count = end
    memory.used = first + end
    if game.kind(p) == DECISION:
        prove(tree, node, game.mover(p), most)


def chosen(tree: Any, node: int, mover: int, memory: Any) -> int:
    """The child with the highest upper confidence bound for the mover; one not visited yet first.

    UCB1 as in UCT (Kocsis and Szepesvari 2006, section 2.2): the mean reward in [0, 1] plus
    exploration x sqrt(ln visits of the node / visits of the child). Children that are proven
    losses are left out (Winands et al. 2008, section 3.2); not all are, or the node were proven.
    """
    exploration, stake, most = memory.exploration, memory.stake, memory.most
    sign = 1.0 if mover == 0 else -1.0
    log_visits = math.log(tree[node].visits)
    best, best_bound = -1, -math.inf
    first = tree[node].first
    for i in range(first, first + tree[node].count):
        child = tree[i]
        if child.proven != 0 and sign * child.total <= -most:
            continue
        if child.visits == 0:
            return i
        mean = child.total if child.proven != 0 else child.total / child.visits
        reward = 0.5 + 0.5 * sign * mean / stake
        bound = reward + exploration * math.sqrt(log_visits / child.visits)
        if bound > best_bound:
            best, best_bound = i, bound
    return best


def prove(tree: Any, node: int, mover: int, most: float) -> None:
    """Proves a decision if a move is a proven win, or if all its moves are proven.

    The backup of proven values of Winands et al. 2008, section 3.1, for points as well: the value
    is then that of the best move.
    """
    sign = 1.0 if mover == 0 else -1.0
    best, is_open = -math.inf, False
    first = tree[node].first
    for i in range(first, first + tree[node].count):
        if tree[i].proven == 0:
            is_open = True
        else:
            best = max(best, sign * tree[i].total)
    if best >= most or not is_open:
        tree[node].proven = 1
        tree[node].total = sign * best


def back_up(tree: Any, depth: int, value: float, memory: Any) -> None:
    """Adds the value to every node of the path, the last first, and proves what it settles."""
    for d in range(depth, -1, -1):
        node, mover = memory.nodes[d], memory.movers[d]
        tree[node].visits += 1
        below = tree[memory.nodes[min(d + 1, depth)]]
        if tree[node].proven == 0 and d < depth and mover >= 0 and below.proven != 0:
            prove(tree, node, mover, memory.most)
        if tree[node].proven != 0:
            value = tree[node].total
        else:
            tree[node].total += value


def standing(tree: Any, node: int, child: int, sign: float, most: float) -> Any:
    """What makes a child the better choice: certainty, then visits, then value."""
    known = tree[child]
    visits = np.float64(known.visits)
    value = sign * (known.total if known.proven != 0 else known.total / max(visits, 1.0))
    certain = 0.0
    if tree[node].proven != 0:
        certain = value if known.proven != 0 else -math.inf
    elif known.proven != 0 and value <= -most:
        certain = -1.0
    return certain, visits, value


def best_child(tree: Any, node: int, sign: float, most: float) -> int:
    """The best of a node's children; of equal ones the first."""
    first = best = tree[node].first
    for i in range(first + 1, first + tree[node].count):
        if standing(tree, node, i, sign, most) > standing(tree, node, best, sign, most):
            best = i
    return best


@kernel
def tell(game: Any, p: Words, tree: Any, memory: Any) -> None:
    """Writes what is known of the root's moves, the best first: values for the mover, visits, and
    the best line that begins with each, or only with the best."""
    sign = 1.0 if game.mover(p) == 0 else -1.0
    first, count = tree[0].first, tree[0].count
    order = memory.out
    for row in range(count):
        child, place = first + row, row
        mine = standing(tree, 0, child, sign, memory.most)
        while place > 0 and mine > standing(tree, 0, order[place - 1], sign, memory.most):
            order[place] = order[place - 1]
            place -= 1
        order[place] = child
    for row in range(count):
        known = tree[order[row]]
        is_known = known.proven != 0 or known.visits > 0
        memory.values[row] = standing(tree, 0, order[row], sign, memory.most)[2]
        if not is_known:
            memory.values[row] = math.nan
        memory.visits[row] = known.visits
        length = follow(game, p, order[row], tree, row, memory) if row == 0 or memory.every else 1
        memory.lines[row, 0] = known.move
        memory.lines[row, length] = -1
        if row == 0:
            memory.found_depth = length
    memory.found = count
    memory.found_leaves, memory.found_nodes = memory.made, memory.used + memory.made
    memory.refused = memory.beyond


def follow(game: Any, p: Words, node: int, tree: Any, row: int, memory: Any) -> int:
    """Writes the best line that begins with a node's move; it ends where dice are thrown, or where
    nothing is known. Returns its length."""
    length = 0
    while True:
        memory.lines[row, length] = tree[node].move
        p = game.play(p, tree[node].move)
        length += 1
        if length == _LONGEST or tree[node].count == 0 or game.kind(p) != DECISION:
            return length
        sign = 1.0 if game.mover(p) == 0 else -1.0
        node = best_child(tree, node, sign, memory.most)
        if tree[node].proven == 0 and tree[node].visits == 0:
            return length


@kernel
def look(game: Any, p: Words, tree: Any, memory: Any) -> None:
    """A whole search where nobody can give the tree more memory."""
    simulate(game, p, tree, memory)
    tell(game, p, tree, memory)
    memory.done = 1
