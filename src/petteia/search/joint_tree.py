"""Monte Carlo tree search where both players choose at the same time: kernels and their memory.

Every node keeps statistics for each player's moves apart (*decoupled*), and a child for every pair
that was tried. Outcomes of dice are drawn by their probabilities; where one player decides alone,
the other has one choice, and the confidence bound selects, in RM and EXP3 with a share of random
moves. A new position is not played out but
valued by the evaluation: random games of a hundred turns say little. They are played only where
there is no evaluation. Three ways to select where both choose:

- ``DUCT``: each player takes the move with the highest upper confidence bound of its own (decoupled
  UCT); the strategy is the share of visits at the root. Quick, but the players may fall into step
  with each other and then never come to an equilibrium (Shafiei, Sturtevant and Schaeffer 2009)
- ``RM``: each draws from regret matching, regrets estimated from what was drawn
- ``EXP3``: each draws from exponential weights (Auer et al. 2002)

For the last two the strategy is the mean of those drawn from, exploration taken out, and with many
simulations the value comes near the exact one. See Lanctot, Lisy and Winands 2014 and Tak, Lanctot
and Winands 2014.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from petteia.compiled import kernel, nanoseconds, random_below, random_unit, signed
from petteia.core.game import CHANCE, DECISION, TERMINAL
from petteia.core.rules import drawn_outcome
from petteia.core.words import U, Words
from petteia.search.joint_node import MAX_SEEN, is_seen
from petteia.search.playout import playout
from petteia.search.pvs import identity_key

__all__ = [
    "IN_POINTS", "MOVE", "NODE", "PLAYED_OUT", "SELECTIONS", "SLOT", "SQUASHED", "simulate",
    "tree_memory",
]  # fmt: skip

DUCT, RM, EXP3, DICE = 0, 1, 2, 3
SELECTIONS = {"duct": DUCT, "rm": RM, "exp3": EXP3}

_MOST_TURNS = 64
_ALONE = 0.5
"""The weight of the confidence bound where one decides alone and the others' moves are drawn."""

SQUASHED, IN_POINTS, PLAYED_OUT = 0, 1, 2
"""How a new position is valued: by an evaluation of any size, by one in points, by random play."""

NODE = np.dtype(
    [
        ("first", np.int64),
        ("rows", np.int64),
        ("columns", np.int64),
        ("visits", np.int64),
        ("rule", np.int64),
        ("total", np.float64),
    ],
    align=True,
)
"""Where the node's moves begin, how many each player has, how often it was visited, how moves are
selected there (``DICE``: they are not), and the sum of its rewards."""
MOVE = np.dtype(
    [("move", np.int64), ("visits", np.float64), ("total", np.float64), ("mean", np.float64)],
    align=True,
)
"""A move: visits and sum of rewards (DUCT), or regret or gain as ``total`` and the sum of the
strategies as ``mean``."""
SLOT = np.dtype([("key", np.uint64), ("child", np.int64)])
"""Which node a pair of moves leads to; a key of 0 is an empty place."""


def tree_memory(most: int, weights: np.ndarray) -> np.dtype[Any]:
    """The layout of the memory for positions of at most ``most`` moves a side, with a copy of
    weights like these."""
    return np.dtype(
        [
            ("stop", np.int64),  # set from outside, or when the time is up
            ("done", np.int64),  # simulations
            ("simulations", np.int64),  # that are wanted
            ("nodes", np.int64),  # in the tree
            ("used", np.int64),  # moves in the tree
            ("deadline", np.int64),  # on the kernels' clock
            ("seen", np.int64),  # how many keys of positions stand in ``keys``
            ("searcher", np.int64),  # for whom the evaluation speaks
            ("selection", np.int64),
            ("leaves", np.int64),  # how a new position is valued
            ("exploration", np.float64),
            ("scale", np.float64),  # an evaluation that counts half a win
            ("most_points", np.float64),  # that a game can bring
            ("best", np.float64),  # the same in the units of the evaluation
            ("state", np.uint64, (1,)),  # of the random numbers
            ("path", np.int64, (_MOST_TURNS,)),  # the nodes of a simulation
            ("row", np.int64, (_MOST_TURNS,)),  # the choice of player 0 there
            ("column", np.int64, (_MOST_TURNS,)),  # and of player 1
            ("row_chance", np.float64, (_MOST_TURNS,)),  # with which it was drawn
            ("column_chance", np.float64, (_MOST_TURNS,)),
            ("keys", np.uint64, (MAX_SEEN,)),  # sorted: positions that would be a draw
            ("weights", weights.dtype, (max(len(weights), 1),)),
            ("out", np.int64, (2 * most,)),
            ("prob", np.float64, (2 * most,)),
        ],
        align=True,
    )


@kernel
def simulate(
    game: Any, evaluation: Any, root: Words, nodes: Any, moves: Any, slots: Any, memory: Any
) -> None:
    """Simulates until the number is reached or the flag is set. When memory is full the tree stops
    growing, and positions below it are valued again and again."""
    expand(game, root, nodes, moves, memory)
    while True:
        depth, node, p = 0, 0, root
        while True:
            memory.path[depth] = node
            p = descend(game, p, depth, nodes, moves, memory)
            i, j = memory.row[depth], memory.column[depth]
            depth += 1
            if game.kind(p) == TERMINAL:
                reward = 0.5 + 0.5 * game.result(p) / memory.most_points
                break
            if memory.seen > 0 and is_seen(memory, identity_key(game, p)):
                reward = 0.5
                break
            key = (U(node) << U(24)) | (U(i) << U(12)) | U(j) | (U(1) << U(63))
            slot = slot_of(slots, key)
            is_new = slots[slot].key == U(0)
            if is_new or depth == _MOST_TURNS:
                reward = leaf_reward(game, evaluation, p, memory)
                is_room = memory.nodes < len(nodes)
                is_room &= memory.used + 2 * game.max_moves <= len(moves)
                if depth < _MOST_TURNS and is_room:
                    slots[slot].key = key
                    slots[slot].child = expand(game, p, nodes, moves, memory)
                break
            node = slots[slot].child
        for d in range(depth):
            back_up(nodes, moves, d, reward, memory)
        memory.done += 1
        if memory.done & 15 == 0 and nanoseconds() > memory.deadline:
            memory.stop = 1
        if memory.done >= memory.simulations or memory.stop != 0:
            return


def descend(game: Any, p: Words, depth: int, nodes: Any, moves: Any, memory: Any) -> Words:
    """Chooses at a node of the path for both players, or throws the dice; the next position."""
    node = nodes[memory.path[depth]]
    first, rows, columns, rule = node.first, node.rows, node.columns, node.rule
    exploration, state = memory.exploration, memory.state
    if game.has_chance and rule == DICE:
        end = game.chances(p, memory.out, memory.prob, 0)
        i = drawn_outcome(memory.prob, end, random_unit(state))
        memory.row[depth], memory.column[depth] = i, 0
        return game.play(p, memory.out[i])
    among_drawn = game.has_decisions and rule == DUCT and memory.selection != DUCT
    if among_drawn and random_unit(state) < exploration:
        # What is seldom tried would never learn to play on from there.
        i, j = random_below(state, rows), random_below(state, columns)
    else:
        weight = _ALONE if among_drawn else exploration
        i = select(moves, first, rows, node.visits, rule, weight, state)
        j = select(moves, first + rows, columns, node.visits, rule, weight, state)
    if rule != DUCT:
        second = first + rows
        memory.row_chance[depth] = chance_of(moves, first, rows, i, rule, exploration)
        memory.column_chance[depth] = chance_of(moves, second, columns, j, rule, exploration)
    memory.row[depth], memory.column[depth] = i, j
    if game.has_decisions and game.kind(p) == DECISION:
        place = i if game.mover(p) == 0 else rows + j
        return game.play(p, moves[first + place].move)
    return game.play_both(p, moves[first + i].move, moves[first + rows + j].move)


def leaf_reward(game: Any, evaluation: Any, p: Words, memory: Any) -> float:
    """What a new position is worth as a reward of player 0 in [0, 1]."""
    if memory.leaves == PLAYED_OUT:
        points = playout(game, p, memory.state, memory.out, memory.prob)
        return 0.5 + 0.5 * points / memory.best
    value = evaluation.value(game, p, np.int64(memory.searcher), memory.weights)
    if memory.searcher != 0:
        value = -value
    if memory.leaves == IN_POINTS:
        return 0.5 + 0.5 * min(max(value / memory.best, -1.0), 1.0)
    return 0.5 + 0.5 * value / (abs(value) + memory.scale)


def slot_of(slots: Any, key: np.uint64) -> int:
    """Where a key stands in the table, or would."""
    mask = U(len(slots) - 1)
    h = key * U(0x9E3779B97F4A7C15)
    slot = signed((h ^ (h >> U(29))) & mask)
    while slots[slot].key != U(0) and slots[slot].key != key:
        slot = (slot + 1) & (len(slots) - 1)
    return slot


def expand(game: Any, p: Words, nodes: Any, moves: Any, memory: Any) -> int:
    """A new node with both players' moves in random order; who has nothing to choose where the
    other decides alone has one move that is never made."""
    node, first = memory.nodes, memory.used
    out, state = memory.out, memory.state
    rows = end = 0
    rule = memory.selection
    if game.has_chance and game.kind(p) == CHANCE:
        rule = DICE
    elif game.has_decisions and game.kind(p) == DECISION:
        rule = DUCT
        if game.mover(p) == 0:
            rows = game.moves(p, out, 0)
            out[rows] = -1
            end = rows + 1
        else:
            out[0] = -1
            rows = 1
            end = game.moves(p, out, 1)
    else:
        rows = game.moves_of(p, 0, out, 0)
        end = game.moves_of(p, 1, out, rows)
    for i in range(rows - 1, 0, -1):
        k = random_below(state, i + 1)
        out[i], out[k] = out[k], out[i]
    for i in range(end - 1, rows, -1):
        k = rows + random_below(state, i + 1 - rows)
        out[i], out[k] = out[k], out[i]
    for k in range(end):
        entry = moves[first + k]
        entry.move = out[k]
        entry.visits = 0.0
        entry.total = 0.0
        entry.mean = 0.0
    nodes[node].first = first
    nodes[node].rows = rows
    nodes[node].columns = end - rows
    nodes[node].visits = 0
    nodes[node].rule = rule
    nodes[node].total = 0.0
    memory.nodes = node + 1
    memory.used = first + end
    return node


def select(
    moves: Any, first: int, count: int, visits: int, selection: int, exploration: float,
    state: np.ndarray,
) -> int:  # fmt: skip
    """The move that a player tries, counted from its first."""
    if selection == DUCT:
        best, best_bound = 0, -1.0
        if visits < count:
            return visits  # all moves once; they stand in random order
        log_visits = math.log(visits)
        for i in range(count):
            entry = moves[first + i]
            if entry.visits == 0.0:
                return i
            bound = entry.total / entry.visits + exploration * math.sqrt(log_visits / entry.visits)
            if bound > best_bound:
                best, best_bound = i, bound
        return best
    point = random_unit(state)
    if point < exploration:
        return random_below(state, count)
    point = (point - exploration) / (1.0 - exploration)
    total = weight_sum(moves, first, count, selection, exploration)
    for i in range(count):
        point -= weight_of(moves[first + i].total, count, selection, exploration, total)
        if point < 0.0:
            return i
    return count - 1


def weight_sum(moves: Any, first: int, count: int, selection: int, exploration: float) -> float:
    """What the weights of all moves add up to; for Exp3 the highest gain is taken out first, and
    stands in the moves' totals no more."""
    if selection == EXP3:
        highest = moves[first].total
        for i in range(count):
            highest = max(highest, moves[first + i].total)
        total = 0.0
        for i in range(count):
            moves[first + i].total -= highest
            total += math.exp(exploration * moves[first + i].total / count)
        return total
    total = 0.0
    for i in range(count):
        total += max(moves[first + i].total, 0.0)
    return total


def weight_of(total: float, count: int, selection: int, exploration: float, every: float) -> float:
    """The share of a move in the strategy, before exploration."""
    if selection == EXP3:
        return math.exp(exploration * total / count) / every
    return max(total, 0.0) / every if every > 0.0 else 1.0 / count


def chance_of(
    moves: Any, first: int, count: int, chosen: int, selection: int, exploration: float
) -> float:
    """With which probability a move was drawn; adds the strategy to the means."""
    every = weight_sum(moves, first, count, selection, exploration)
    found = 0.0
    for i in range(count):
        share = weight_of(moves[first + i].total, count, selection, exploration, every)
        share = (1.0 - exploration) * share + exploration / count
        moves[first + i].mean += share
        if i == chosen:
            found = share
    return found


def back_up(nodes: Any, moves: Any, d: int, reward: float, memory: Any) -> None:
    """Adds a reward of player 0 to the moves that led to it."""
    node = memory.path[d]
    first, rows = nodes[node].first, nodes[node].rows
    columns, rule = nodes[node].columns, nodes[node].rule
    nodes[node].visits += 1
    nodes[node].total += reward
    if rule == DICE:
        return
    row, column = moves[first + memory.row[d]], moves[first + rows + memory.column[d]]
    row.visits += 1.0
    column.visits += 1.0
    if rule == RM:
        # What was not drawn is estimated by 0, what was by the reward over its probability.
        for i in range(rows):
            moves[first + i].total -= reward
        for j in range(columns):
            moves[first + rows + j].total -= 1.0 - reward
    if rule == DUCT:
        row.total += reward
        column.total += 1.0 - reward
    else:
        row.total += reward / memory.row_chance[d]
        column.total += (1.0 - reward) / memory.column_chance[d]
