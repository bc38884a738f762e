"""What the searches share where both players choose at the same time: their memory, the values of
pairs of moves, and the agent that plays by one of them."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from petteia.compiled import kernel
from petteia.core.agent import Decision, MoveValue
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import DECISION, SIMULTANEOUS, Game, Kind
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.search.clock import deadline_in
from petteia.search.contract import Answer, Limits, Question, Search, SearchAgent, ranked
from petteia.search.equilibrium import Equilibrium
from petteia.search.evaluations import EVEN
from petteia.search.joint_equilibrium import fill, root_equilibrium
from petteia.search.joint_node import HURRY, MAX_SEEN, joint_memory, largest
from petteia.search.matrix import MatrixSolver
from petteia.search.pvs import identity_key
from petteia.search.stepper import first_choice, stepper_of

__all__ = ["DEEPEST", "WIN", "JointAgent", "JointSearch", "Standing", "possible_depth"]

DEEPEST = 6
WIN = 1000.0
"""What a win is worth where strategies are mixed. Far above any evaluation, but not so far that a
risk of one in a thousand outweighs everything else."""


def possible_depth(depth: int, least: int = 1) -> int:
    """A depth in turns, if there is memory for it."""
    if not least <= depth <= DEEPEST:
        raise PetteiaError(f"a depth of {depth} turns is not possible; 1 to {DEEPEST}")
    return depth


@kernel
def key_of_position(game: Any, p: Words) -> Any:
    """The key by which kernels know a position again."""
    return identity_key(game, p)


@kernel
def is_known(game: Any, p: Words, tables: int) -> bool:
    """Whether exact tables have a position."""
    return not math.isnan(game.exact_value(p, tables))


class Standing:
    """How often positions stood in the line of a game, counted on as the line grows."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._line: list[Words] = []
        self._times: Counter[int] = Counter()

    def drawn_keys(self, p: Words, earlier: Sequence[Words], guard: int) -> list[int]:
        """The keys, sorted, of the positions that stood at least ``guard`` times: they come no
        more but as a draw."""
        if not (earlier and self._game.repetitions):
            return []
        line, known = [*earlier, p], self._line
        if line[: len(known)] != known:  # another line, or one that was taken back
            known = []
            self._times.clear()
        for q in line[len(known) :]:
            self._times[int(key_of_position(self._game, q))] += 1
        self._line = line
        return sorted(key for key, count in self._times.items() if count >= guard)[:MAX_SEEN]


class JointSearch(Search):
    """A search of one game with one evaluation, and its memory.

    A subclass says what it plays where both choose (``mixed``); where a player decides alone, it
    takes the best move. Depth 1 is the depth of a question that names none.
    """

    def __init__(
        self,
        game: Game,
        evaluation: Evaluation,
        *,
        win: float | None = None,
        bounded: bool = False,
        ordered: bool = True,
        guard: int = 0,
        contempt: float = 0.0,
    ) -> None:
        """What each is for, and why it is as it is:

        - ``win``: what a point at the end is worth; by default what the evaluation says, or ``WIN``
        - ``bounded``: cells are bounded by serial searches before they are solved. Off, because two
          serial searches can cost more than the exact answer
        - ``ordered``: the answer that refuted the last move is tried first. Off only to measure it
        - ``guard``: a position that stood so often counts as drawn when it comes again; 0 is as
          often as the rules say. With 1 a player who is ahead does not walk in circles
        - ``contempt``: such a draw is worth ``-contempt`` to the player who searches
        """
        self.game = game
        self.evaluation = evaluation
        self.guard = guard or max(1, game.repetitions - 1)
        self.contempt = contempt
        # The same layout for every depth, so that kernels are compiled once for all of them; the
        # system gives memory only to the levels that are used.
        layout = joint_memory(game.max_moves, DEEPEST + 1, evaluation.array)
        self._memory = np.zeros(1, layout).view(np.recarray)
        self.ws: Any = self._memory[0]
        self.win = win = win or evaluation.point or WIN
        self.ws["win"], self.ws["close"] = win, win / 1e9  # far below what any move gains
        self.ws["hurry"] = 0.0 if evaluation.point == 1.0 else HURRY
        self.ws["top"] = largest(game.most_points, win)
        self.ws["bounded"], self.ws["ordered"] = int(bounded), int(ordered)
        self.solver = MatrixSolver(game.max_moves)
        self._standing = Standing(game)
        self._exact: np.ndarray | None = None  # kept, so that its address stays

    # --- answers ---

    def ask(self, question: Question) -> Answer:
        """The answer, and the matrix in its notes where both choose and all is asked for."""
        found = super().ask(question)
        if question.every and not self.decides_alone(question.position):
            depth = found.depth or question.limits.depth
            asked = replace(question, limits=Limits(depth=depth), player=0)
            found = replace(found, notes=self.analysis(asked, found).notes())
        return found

    def answer(self, question: Question) -> Answer:
        if self.decides_alone(question.position):
            return self.alone(question)
        return self.mixed(question)

    @abstractmethod
    def mixed(self, question: Question) -> Answer:
        """What it plays where both choose."""

    def alone(self, question: Question) -> Answer:
        """The best move where a player decides alone, the first of equals."""
        p, player = question.position, question.player
        depth = self._begin(question)
        self.ws["interior"] = 1
        values = list[MoveValue]()
        for move in self.moves(p, player):
            value = float(self.value_after(stepper_of(self.game).play(p, move), depth - 1))
            if self.ws["stop"] and values:
                break
            values.append(MoveValue(move, value if player == 0 else -value, (move,)))
        return self._found(ranked(values), depth)

    def value_after(self, p: Words, depth: int) -> float:
        """What a search to a depth says of the position after the first move, for player 0."""
        return root_equilibrium(self.game, self.evaluation.tag, p, depth, 1, self.ws)

    def _found(
        self,
        moves: Sequence[MoveValue],
        depth: int,
        value: float | None = None,
        strategy: np.ndarray | None = None,
    ) -> Answer:
        """An answer with what it took; without a value that of the first move."""
        self.refuse_nonsense()
        return Answer(
            tuple(moves), moves[0].value if value is None else value, depth,
            int(self.ws["interior"]), int(self.ws["leaves"]),
            None if strategy is None else tuple(strategy.tolist()),
        )  # fmt: skip

    def prepare(self, p: Words, limits: Limits | None = None) -> None:
        """Compiles what a first answer needs, and what only the later turns of a game do."""
        p = first_choice(self.game, p)
        if self.game.repetitions:
            key_of_position(self.game, p)
        short = replace(limits or Limits(), nodes=1, seconds=1e-3)
        mover = stepper_of(self.game).look(p).mover
        self.answer(Question(p, self.evaluation.array, short, mover))

    def stop(self) -> None:
        self.ws["stop"] = 1

    def use_tables(self) -> None:
        self._exact = self.game.exact_tables()
        if self._exact is not None:
            self.ws["exact"] = self._exact.__array_interface__["data"][0]

    def knows(self, p: Words) -> bool:
        """Whether exact tables that it uses have a position."""
        return bool(self._exact is not None and is_known(self.game, p, int(self.ws["exact"])))

    def within(self, p: Words) -> float:
        """By how much the value of a position that it knows may be off."""
        return self.game.exact_error(p) * float(self.ws["win"])

    # --- positions ---

    def moves(self, p: Words, player: int) -> list[int]:
        """The moves of a player where both choose, or where it alone does."""
        seen = stepper_of(self.game).look(p)
        if seen.kind == DECISION and seen.mover == player:
            return seen.moves
        if seen.kind != SIMULTANEOUS:
            raise PetteiaError(f"nobody chooses at {self.game.text(p)!r}")
        return seen.others if player else seen.moves

    def decides_alone(self, p: Words) -> bool:
        """Whether one player moves here while the other waits."""
        return stepper_of(self.game).look(p).kind == DECISION

    def drawn_keys(self, question: Question) -> list[int]:
        """The keys of the positions that would be a draw."""
        return self._standing.drawn_keys(question.position, question.earlier, self.guard)

    def _begin(self, question: Question, least: int = 1) -> int:
        """Makes the memory ready; the depth that is asked for."""
        ws, searcher, weights = self.ws, question.player, question.weights
        ws["stop"] = ws["interior"] = ws["leaves"] = 0
        ws["thrown"] = ws["no_room"] = 0
        ws["beyond"] = 0.0
        ws["searcher"] = ws["first"] = searcher
        # Nothing is left of the last search: the same question has the same answer.
        ws["killer"], ws["guess"] = 0, -1
        ws["draw"] = -self.contempt if searcher == 0 else self.contempt
        ws["deadline"] = deadline_in(question.limits.seconds)
        ws["weights"][: len(weights)] = weights
        keys = self.drawn_keys(question)
        ws["keys"][: len(keys)] = keys
        ws["seen"] = len(keys)
        ws["root_counts"] = 0
        depth = question.limits.depth
        return 1 if depth is None else possible_depth(depth, least)

    def refuse_nonsense(self) -> None:
        """A search that met what cannot be says so, instead of giving a value."""
        game, top = self.game.spec.name, float(self.ws["top"])
        if self.ws["no_room"]:
            raise PetteiaError(f"{game}: throws of the dice follow one another without an end")
        if self.ws["beyond"]:
            value, win = float(self.ws["beyond"]), float(self.ws["win"])
            raise PetteiaError(
                f"{game}: a value of {value:g} was met, where none may be beyond {top:g}: a point "
                f"at the end is worth {win:g}, and most_points is {self.game.most_points:g}"
            )

    # --- values ---

    def value(self, question: Question) -> float:
        """What any position is worth to player 0 when both play an equilibrium for this many turns,
        for instance before the dice are thrown."""
        depth = self._begin(question, least=0)
        value = root_equilibrium(
            self.game, self.evaluation.tag, question.position, depth, 0, self.ws
        )
        self.refuse_nonsense()
        return float(value)

    def matrix(self, question: Question) -> tuple[list[int], list[int], np.ndarray]:
        """Player 0's moves, player 1's moves, and the value of each pair for player 0."""
        depth = self._begin(question)
        rows, columns = self.moves(question.position, 0), self.moves(question.position, 1)
        payoffs = self._payoffs(question.position, depth, rows, columns)
        self.refuse_nonsense()
        return rows, columns, payoffs

    def _payoffs(
        self, p: Words, depth: int, rows: Sequence[int], columns: Sequence[int]
    ) -> np.ndarray:
        """The values of pairs of these moves for player 0, after ``_begin``."""
        flat = np.zeros(len(rows) * len(columns))
        if depth == 1:
            first, second = np.array(rows, np.int64), np.array(columns, np.int64)
            fill(self.game, self.evaluation.tag, p, flat, first, second, self.ws)
        else:
            for place, (one, other) in enumerate(product(rows, columns)):
                after = self.game.play_both(p, one, other)
                flat[place] = root_equilibrium(
                    self.game, self.evaluation.tag, after, depth - 1, 1, self.ws
                )
        return flat.reshape(len(rows), len(columns))

    def exploited(self, question: Question, given: Answer) -> float:
        """How much less than the value of the position a player's answer is sure of: what the best
        response to it gains, for values of a search to this depth."""
        value, depth = self.value(question), question.limits.depth or 1
        p, player = question.position, question.player
        enemy = self.moves(p, 1 - player)
        sure = np.zeros(len(enemy))
        for move, chance in given.chances().items():
            if chance > 0:
                rows, columns = ([move], enemy) if player == 0 else (enemy, [move])
                sure += chance * self._payoffs(p, depth, rows, columns).reshape(-1)
        return value - float(sure.min()) if player == 0 else float(sure.max()) - value

    def analysis(self, question: Question, own: Answer | None = None) -> Equilibrium:
        """The matrix of a position with an equilibrium. ``own`` is player 0's answer: of several
        equilibria the one that it plays, if it plays one."""
        rows, columns, matrix = self.matrix(question)
        found = self.solver.solve(matrix)
        shares = found.row
        if own is not None and self.is_equilibrium:
            chances = own.chances()
            shares = np.array([chances.get(move, 0.0) for move in rows])
        names = [
            [self.game.move_text(question.position, move) for move in moves]
            for moves in (rows, columns)
        ]
        return Equilibrium(matrix, (names[0], names[1]), (shares, found.column), found.value)

    is_equilibrium = False
    """Whether its strategies are those of an equilibrium."""


class JointAgent(SearchAgent):
    """An agent with a mixed strategy where both choose, and a best move where one decides alone."""

    is_for = Kind.SIMULTANEOUS
    seeded = True
    """Whether the strategy depends on the seed, and not only the move drawn from it."""
    search: JointSearch  # pyright: ignore[reportIncompatibleVariableOverride]

    def __init__(self, game: Game, eval: Spec | None, time: float | None = None) -> None:
        super().__init__(game, eval)
        if time is not None and not time > 0:
            raise PetteiaError(f"agent {self.name}: time={time} is not possible; above 0")
        self.time = time
        self.in_points = self.evaluation is EVEN or self.evaluation.point == 1.0

    @property
    def win(self) -> float | None:
        """Without an evaluation only the end counts, and values are points."""
        return 1.0 if self.evaluation is EVEN else None

    def strategy(self, p: Words, player: int, seed: int = 0) -> Answer:
        """How it plays here as this player; the seed breaks ties."""
        return self.search.ask(self.question(p, seed, player))

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        """Without a player both sides are looked at where both choose: player 0's move, and the
        matrix in notes."""
        asked = self.question(p, seed, player)
        return self.search.ask(replace(asked, every=player is None)).decision(seed)

    def knows(self, p: Words) -> bool:
        return self.search.knows(p)

    def within(self, p: Words) -> float:
        return self.search.within(p)

    def prepare(self, p: Words) -> None:
        self.search.prepare(p, self.limits)
