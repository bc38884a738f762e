"""Expectiminimax: the tree search for games with dice.

The depth counts moves; throws of the dice are averaged over and do not count. Star1 and Star2
(Ballard 1983, Hauk, Buro and Schaeffer 2004) leave out what cannot matter: at a chance node the
values of the outcomes that are still unknown lie between the worst and the best end of the game,
which bounds the mean; Star2 first asks every outcome for one good move, which bounds it better.

Values speak for the searching player. They are rounded to single precision at every node, as the
table keeps them, so that a search gives the same value with any table. The form to read is
``search.reference.expectimax``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import kernel
from petteia.core.agent import ANY, NOWHERE, SEQUENTIAL, MoveValue, Offer, at_most
from petteia.core.errors import PetteiaError, one_of
from petteia.core.evaluation import Evaluation
from petteia.core.game import CHANCE, TERMINAL, Game, Kind
from petteia.core.seeds import derive
from petteia.core.spec import Spec
from petteia.core.words import U, Words
from petteia.search.contract import Answer, Limits, Question, Search, SearchAgent, ranked
from petteia.search.portable import Portable, found_fields
from petteia.search.table import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    TABLE_FIELDS,
    Entry,
    Table,
    bits_in,
    decides,
    key_of,
    probe,
    remember,
)
from petteia.search.tree import INFINITY, PLACE, Window, pick, workspace_of
from petteia.search.values import WIN

__all__ = ["DEEPEST", "PRUNINGS", "Expectimax", "ExpectimaxAgent"]

PRUNINGS = ("none", "star1", "star2")
_STAR2 = PRUNINGS.index("star2")
DEEPEST = 30
_MOVES = 1 << 16
_ROWS = _MOVES // 4  # moves of the root: even with a depth of 1 there is room for four plies

_FIELDS: list[Any] = [
    ("stop", np.int64),  # set from outside
    ("interior", np.int64),
    ("leaves", np.int64),
    ("searcher", np.int64),
    ("only_first", np.int64),  # tells the next decision to look at one move alone
    ("star", np.int64),  # the place of the pruning in PRUNINGS
    *TABLE_FIELDS,
    ("point", np.float64),  # what a point at the end is worth, or 0: more than everything
    ("bound", np.float64),  # no value is further from 0
    ("limit", np.float64),  # the same, with room for rounding
    ("beyond", np.float64),  # a value that was met beyond it, or 0
    ("no_room", np.int64),  # whether so many throws followed one another that none was left
    ("depth", np.int64),  # of the root
    ("every", np.int64),  # whether every root move is to have its own value
    *found_fields(_ROWS, 1),
    ("moves", np.int64, (_MOVES,)),
    ("order", np.int64, (_MOVES,)),
    ("chance", np.float64, (_MOVES,)),
    ("low", np.float64, (_MOVES,)),  # each outcome's value is at least this,
    ("high", np.float64, (_MOVES,)),  # and at most this
]


class Expectimax(Search):
    """A search of one game with one evaluation, and its memory."""

    def __init__(
        self,
        game: Game,
        evaluation: Evaluation,
        *,
        prune: str = "star2",
        table_bits: int | None = 18,
    ) -> None:
        if prune not in PRUNINGS:
            raise one_of(prune, PRUNINGS, what="pruning")
        self.game = game
        self.evaluation = evaluation
        self.table = None if table_bits is None else Table(table_bits)
        self.ws: Any = np.zeros(1, workspace_of(_FIELDS, evaluation.array)).view(np.recarray)[0]
        self.ws["star"] = PRUNINGS.index(prune)
        point = evaluation.point or 0.0
        self.ws["point"] = point
        self.ws["bound"] = game.most_points * (point or WIN)
        # A millionth for the rounding of evaluations that add probabilities up.
        self.ws["limit"] = self.ws["bound"] * (1 + 1e-6)

    @property
    def nodes(self) -> int:
        """All nodes of the last search."""
        return int(self.ws["interior"] + self.ws["leaves"])

    def new_game(self) -> None:
        if self.table is not None:
            self.table.new_generation()

    def stop(self) -> None:
        self.ws["stop"] = 1

    def portable(self) -> Portable | None:
        """Only with a table: whoever runs it elsewhere gives it one."""
        if self.table is None:
            return None
        game, tag, ws = self.game, self.evaluation.tag, self.ws
        return Portable(
            look_ahead, lambda p: (game, tag, p, ws), ws, self.table.words, self.fill,
            pointer="table",
        )  # fmt: skip

    def fill(self, question: Question) -> None:
        """Writes what kernels need to know; compiles nothing."""
        self._begin(question.limits.depth or 1, question.player, question.weights)
        self.ws["every"] = question.every

    def _begin(self, depth: int, searcher: int, weights: np.ndarray) -> None:
        if (2 * depth + 2) * self.game.max_moves > _MOVES:
            most = _MOVES // (2 * self.game.max_moves) - 1
            raise PetteiaError(f"depth={depth} is too deep for {self.game}; at most {most}")
        ws = self.ws
        ws["stop"], ws["interior"], ws["leaves"] = 0, 0, 0
        ws["beyond"], ws["no_room"] = 0.0, 0
        ws["searcher"], ws["depth"] = searcher, depth
        ws["weights"][: len(weights)] = weights
        if self.table is not None:
            self.table.lend(ws)
            # Values belong to one searcher, root depth and set of weights.
            ws["salt"] = np.uint64(derive(searcher, depth, weights.tobytes().hex()))

    def answer(self, question: Question) -> Answer:
        """The first of equal moves is the best."""
        self.fill(question)
        ws = self.ws
        look_ahead(self.game, self.evaluation.tag, question.position, ws)
        self._refuse_nonsense()
        moves = ranked(map(self._row, range(ws["found"])))
        value = moves[0].value if moves else None
        depth, leaves = int(ws["found_depth"]), int(ws["found_leaves"])
        return Answer(moves, value, depth, int(ws["found_nodes"]) - leaves, leaves)

    def _row(self, number: int) -> MoveValue:
        move = int(self.ws["lines"][number, 0])
        return MoveValue(move, float(self.ws["values"][number]), (move,))

    def value(self, p: Words, depth: int, searcher: int, weights: np.ndarray) -> float:
        """The value of any position, for instance before the dice are thrown."""
        self._begin(depth, searcher, weights)
        value = root_value(self.game, self.evaluation.tag, p, depth, self.ws)
        self._refuse_nonsense()
        return value

    def _refuse_nonsense(self) -> None:
        """A search that met what cannot be says so, instead of giving a value."""
        game, point = self.game.spec.name, self.evaluation.point or WIN
        if self.ws["no_room"]:
            raise PetteiaError(f"{game}: throws of the dice follow one another without an end")
        if self.ws["beyond"] and self.ws["star"]:
            raise PetteiaError(
                f"{game}: a value of {float(self.ws['beyond']) / point:g} points was met, but "
                f"most_points is {self.game.most_points:g} (evaluation {self.evaluation.name})"
            )


def single(value: float) -> float:
    """Kernel: a value rounded to single precision."""
    return np.float64(np.float32(value))


def end_value(game: Any, p: Words, depth: int, ws: Any) -> float:
    """Kernel: the value of a finished game; without a scale a quicker win is worth more."""
    points = game.result(p)
    value = points * ws.point
    if ws.point == 0.0:
        value = points * (WIN - np.float64(ws.depth - depth))
    return value if ws.searcher == 0 else -value


def noted(value: float, ws: Any) -> float:
    """Kernel: the value of a leaf as it is used; one that cannot be is reported."""
    ws.leaves += 1
    if abs(value) > ws.limit:
        ws.beyond = value
    return single(value)


def order_moves(game: Any, p: Words, at: int, end: int, ws: Any) -> None:
    """Kernel: scores moves by the game's priority, equal ones in the order of the rules."""
    for i in range(at, end):
        ws.order[i] = (game.priority(p, ws.moves[i]) << 16) | (PLACE - (i - at))


def worthwhile(window: Window, low: float, high: float, i: int, ws: Any) -> Window:
    """Kernel: the window of an outcome, if the mean lies between low and high: a value outside
    decides that the mean lies outside its own window, whatever the other outcomes bring."""
    chance = ws.chance[i]
    least = (window[0] - (high - chance * ws.high[i])) / chance
    most = (window[1] - (low - chance * ws.low[i])) / chance
    return least, most


def expect(
    game: Any, evaluation: Any, p: Words, window: Window, depth: int, at: int, ws: Any
) -> float:
    """Kernel: the value of a position for the searcher, if it lies inside the window; otherwise a
    bound on the same side. Its moves are written from ``at`` on.

    Decisions and dice stand in one function because only one that calls itself can be compiled.
    """
    only_first = ws.only_first
    ws.only_first = 0
    kind = game.kind(p)
    if kind == TERMINAL:
        return noted(end_value(game, p, depth, ws), ws)
    if depth == 0:
        return noted(evaluation.value(game, p, np.int64(ws.searcher), ws.weights), ws)
    if ws.stop != 0:
        return 0.0
    ws.interior += 1
    alpha, beta = window

    if kind != CHANCE:
        end = game.moves(p, ws.moves, at)
        ordered = ws.star != 0 and depth > 1
        if ordered:
            order_moves(game, p, at, end, ws)
        maximise = game.mover(p) == ws.searcher
        best = -INFINITY if maximise else INFINITY
        for k in range(at, end):
            place = k
            if ordered:
                pick(ws, k, end)
                place = at + PLACE - (ws.order[k] & PLACE)
            after = game.play(p, ws.moves[place])
            value = expect(game, evaluation, after, (alpha, beta), depth - 1, end, ws)
            if maximise:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if (ws.star != 0 and alpha >= beta) or only_first != 0:
                break
        return best

    key = U(0)
    if ws.table != 0:
        key = key_of(p, ws.salt)
        entry = probe(ws, key)
        is_enough = entry.bound == EXACT or decides(entry, entry.value, alpha, beta)
        if entry.depth == depth and is_enough:
            return entry.value
    if at + game.max_moves > _MOVES:
        ws.no_room = ws.stop = 1
        return 0.0
    end = game.chances(p, ws.moves, ws.chance, at)
    for i in range(at, end):
        ws.low[i], ws.high[i] = -ws.bound, ws.bound
    low, high = -ws.bound, ws.bound  # of the mean, as far as it is known
    value, bound = 0.0, EXACT

    if ws.star == _STAR2 and depth > 1:
        for i in range(at, end):
            child = game.play(p, ws.moves[i])
            if game.kind(child) == TERMINAL or game.kind(child) == CHANCE:
                continue
            least, most = worthwhile(window, low, high, i, ws)
            ws.only_first = 1
            if game.mover(child) == ws.searcher:
                found = expect(game, evaluation, child, (-INFINITY, most), depth, end, ws)
                low += ws.chance[i] * (found - ws.low[i])
                ws.low[i] = found
            else:
                found = expect(game, evaluation, child, (least, INFINITY), depth, end, ws)
                high += ws.chance[i] * (found - ws.high[i])
                ws.high[i] = found
            if low >= beta:
                value, bound = low, AT_LEAST
                break
            if high <= alpha:
                value, bound = high, AT_MOST
                break

    for i in range(at, end if bound == EXACT else at):
        least, most = -INFINITY, INFINITY
        if ws.star != 0:
            least, most = worthwhile(window, low, high, i, ws)
        child = game.play(p, ws.moves[i])
        found = expect(game, evaluation, child, (least, most), depth, end, ws)
        low += ws.chance[i] * (found - ws.low[i])
        high += ws.chance[i] * (found - ws.high[i])
        if found >= most:
            value, bound = low, AT_LEAST
            break
        if found <= least:
            value, bound = high, AT_MOST
            break
        value += ws.chance[i] * found
    value = single(value)
    if ws.table != 0 and ws.stop == 0:
        remember(ws, key, Entry(value, depth, bound, -1))
    return value


@kernel
def root_value(game: Any, evaluation: Any, p: Words, depth: int, ws: Any) -> float:
    """The exact value of a position for the searcher."""
    return expect(game, evaluation, p, (-INFINITY, INFINITY), depth, 0, ws)


@kernel
def look_ahead(game: Any, evaluation: Any, p: Words, ws: Any) -> None:
    """Writes the best of the root's moves with its value, or if ``ws.every`` all of them in the
    order of the rules; if it is stopped, those that were searched to the end."""
    end = game.moves(p, ws.moves, 0)
    ws.interior += 1
    best, ws.found = -INFINITY, 0
    for i in range(end):
        after = game.play(p, ws.moves[i])
        alpha = best if ws.every == 0 and ws.star != 0 else -INFINITY
        value = expect(game, evaluation, after, (alpha, INFINITY), ws.depth - 1, end, ws)
        if ws.stop != 0:
            break
        if ws.every != 0:
            tell(ws, i, ws.moves[i], value)
        elif i == 0 or value > best:  # of the others there are only bounds
            tell(ws, 0, ws.moves[i], value)
        best = max(best, value)
    ws.found_depth, ws.found_leaves = ws.depth, ws.leaves
    ws.found_nodes = ws.interior + ws.leaves
    ws.refused = 1 if ws.no_room != 0 or (ws.beyond != 0.0 and ws.star != 0) else 0
    ws.done = 1


def tell(ws: Any, row: int, move: int, value: float) -> None:
    """Kernel: writes what was found of a move."""
    ws.values[row] = value
    ws.lines[row, 0], ws.lines[row, 1] = move, -1
    ws.found = row + 1


def _throws_for_ever(game: Game) -> bool:
    """Whether throws from the start can lead back to a throw before them, as in Pig, where a 1
    passes the die on."""
    p, seen = game.start(), set[Words]()
    while game.kind(p) == CHANCE:
        if p in seen:
            return True
        seen.add(p)
        after = [game.play(p, outcome) for outcome, _ in game.outcomes(p)]
        p = next((each for each in after if game.kind(each) == CHANCE), after[0])
    return False


class ExpectimaxAgent(SearchAgent):
    """Looks a number of moves ahead and averages over the dice."""

    name = "expectimax"
    about = "the best mean over the dice, a fixed number of moves ahead"
    for_visitors = at_most(depth=6, prune=ANY, table=64)
    offered = Offer(
        levels={"expectimax(depth=2)": "looks two moves and their dice ahead"},
        analyst="expectimax(depth=2)",
        stand_in="expectimax(depth=2)",
        by_evaluation="expectimax(depth=1, eval=?)",
        only_with=Kind.CHANCE,
    )
    handles = SEQUENTIAL

    @classmethod
    def offer(cls, game: Game) -> Offer:
        """Beyond one move it is of no use where throws can follow one another for ever."""
        found = super().offer(game)
        if found is NOWHERE or not _throws_for_ever(game):
            return found
        return Offer(by_evaluation=found.by_evaluation)

    def __init__(
        self,
        game: Game,
        *,
        depth: int = 2,
        eval: Spec | None = None,
        prune: str = "star2",
        table: int = 4,
    ) -> None:
        """``prune`` is none, star1 or star2; ``table`` is in megabytes, 0 for none."""
        super().__init__(game, eval)
        self._possible(1, DEEPEST, depth=depth)
        self._possible(0, 4096, unit=" megabytes", table=table)
        self.depth, self.prune, self.table = depth, prune, table
        self.limits = Limits(depth)
        self.in_points = self.evaluation.point == 1.0
        bits = bits_in(table) if table else None
        self.search = Expectimax(game, self.evaluation, prune=prune, table_bits=bits)
