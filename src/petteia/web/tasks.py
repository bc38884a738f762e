"""What a searching process can be asked: a move, the values of all moves, a whole review."""

from __future__ import annotations

import contextlib
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable

from petteia import agents, games
from petteia.core import record
from petteia.core import spec as specs
from petteia.core.agent import Agent, MoveValue
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, TERMINAL, Game
from petteia.core.history import Line, start_text
from petteia.core.words import Words, words
from petteia.review.chances import curve_of
from petteia.review.game import ReviewedMove, Reviewer
from petteia.review.marks import marks_of
from petteia.review.outlook import outlook
from petteia.search.contract import NOTHING_FOUND
from petteia.web import judging
from petteia.web.messages import searches
from petteia.web.messages import workers as m

__all__ = ["SearchWorker"]

Ready = Callable[[], None]
Part = Callable[[searches.Analysis | searches.Reviewed], None]
Answer = searches.Chosen | searches.Analysis | searches.Ended

_MOST_AGENTS = 6
_DEEPER = 4
"""How many times the nodes a review spends on a move whose class is in doubt."""
_CLOSE = 0.3
"""Of the limit of a class of errors: so near to it a loss is in doubt."""
_OFTEN = 0.08
"""Seconds between two parts: more often nobody can read."""


class SearchWorker:
    """Serves searches: the games and agents that it has made, and the request it works on."""

    def __init__(self) -> None:
        self._games: dict[str, Game] = {}
        self._agents: OrderedDict[tuple[str, str], Agent] = OrderedDict()
        self._last_table: dict[int, str] = {}
        self._at_work: tuple[int, Agent] | None = None
        self._stopped: set[int] = set()

    def stop(self, n: int) -> None:
        """Ends a request soon; another thread than the one that serves calls it."""
        self._stopped.add(n)
        working = self._at_work
        if working is not None and working[0] == n:
            working[1].stop()

    def serve(self, task: m.SearchTask | m.PuzzleTask, ready: Ready, part: m.Tell) -> m.Facts:
        """The answer to a task; ``part`` gets what is known before."""
        try:
            if isinstance(task, m.PuzzleTask):
                ready()
                return task.answer(lambda: task.n in self._stopped, part)
            return self._search(task, ready, part)
        finally:
            self._at_work = None
            self._stopped.discard(task.n)

    def _search(self, task: m.SearchTask, ready: Ready, part: Part) -> Answer:
        game = self._game(task.game)
        agent = self._agent(game, task.agent)
        positions = [words(*(int(word, 16) for word in p)) for p in task.positions]
        # A review begins at the start, where tables of endgames know nothing yet.
        order = positions if isinstance(task, m.Review) else reversed(positions)
        decision = next((q for q in order if game.kind(q) != TERMINAL), positions[-1])
        agent.use_threads(task.threads)
        with contextlib.suppress(PetteiaError):  # a damaged table: petteia tables names it
            agent.use_tables()
        judge = self._judge(task, game, agent, decision)
        judge.prepare(decision)
        if not isinstance(task, m.Choose):
            curve_of(game, judge)
        if self._last_table.get(id(agent)) != task.table:
            agent.new_game()
            self._last_table[id(agent)] = task.table
        agent.follow(_line(game, positions, task.plies))
        self._at_work = (task.n, agent)
        ready()
        if task.n in self._stopped:
            agent.stop()
        match task:
            case m.Choose():
                return self._choose(task, game, agent, positions[-1])
            case m.Values():
                return self._values(task, game, agent, positions[-1], part)
            case m.Review():
                return self._review(task, game, agent, positions, part)

    def _game(self, spec: str) -> Game:
        if spec not in self._games:
            if len(self._games) > 32:
                self._games.clear()
            self._games[spec] = games.make(spec)
        return self._games[spec]

    def _agent(self, game: Game, spec: str) -> Agent:
        key = (str(game), spec)
        found = self._agents.get(key)
        if found is None:
            found = self._agents[key] = agents.make(spec, game)
            while len(self._agents) > _MOST_AGENTS:
                _, old = self._agents.popitem(last=False)
                old.close()
        self._agents.move_to_end(key)
        return found

    def _judge(self, task: m.SearchTask, game: Game, agent: Agent, p: Words) -> Agent:
        """The agent itself, or the solved table if there is one and the visitor named nobody."""
        if not task.exact or "perfect" not in agents.available(game):
            return agent
        try:
            expert = self._agent(game, "perfect")
        except PetteiaError:  # there is no table on this machine
            return agent
        return expert if expert.knows(p) else agent

    def _deeper(self, game: Game, agent: Agent) -> Agent | None:
        """The same agent with more nodes, for moves that are hard to tell apart."""
        spec = specs.parse(str(agent))
        nodes = dict(spec.arguments).get("nodes")
        if not isinstance(nodes, int):
            return None
        given = {**dict(spec.arguments), "nodes": nodes * _DEEPER}
        found = self._agent(game, str(specs.Spec(spec.name, tuple(given.items()))))
        found.new_game()
        return found

    # --- the tasks -------------------------------------------------------------------------------

    def _choose(self, task: m.Choose, game: Game, agent: Agent, p: Words) -> searches.Chosen:
        """A move."""
        player = task.player
        choice = agent.choose(p, seed=task.seed, player=player)
        if NOTHING_FOUND in (choice.notes or {}):
            raise PetteiaError(f"{agent} found no move in the time that this page allows")
        if choice.move not in game.legal_moves(p, player):
            raise PetteiaError(f"{agent} chose {choice.move!r}, which is not a legal move")
        return judging.chosen(game.move_text(p, choice.move), choice)

    def _values(
        self, task: m.Values, game: Game, agent: Agent, p: Words, part: Part
    ) -> searches.Analysis:
        """Every move with its value, its line and its chance to win; before the dice are thrown
        every throw; where both choose a matrix."""
        seed = task.seed
        if game.kind(p) == SIMULTANEOUS:
            return judging.matrix(game, agent, p, seed)
        if game.kind(p) == TERMINAL:
            raise PetteiaError(f"nothing to analyse: {game.status(p)}")
        started = last = time.perf_counter()
        reached: int | None = None
        if game.kind(p) == CHANCE:
            some = game.play(p, game.outcomes(p)[0][0])
            judge = self._judge(task, game, agent, some if game.kind(some) == DECISION else p)
            seen = outlook(judge, p, seed=seed)
            answer = judging.throws(game, judge, p, seen, time.perf_counter() - started)
        else:
            judge = self._judge(task, game, agent, p)

            def told(known: Iterable[MoveValue], depth: int) -> None:
                nonlocal last, reached
                reached = depth
                now = time.perf_counter()
                if now - last >= _OFTEN and task.n not in self._stopped:
                    last = now
                    part(judging.ranking(game, judge, p, known, depth, now - started))

            judge.on_depth = told
            try:
                found = judge.values(p, seed=seed)
            finally:
                judge.on_depth = None
            spent = time.perf_counter() - started
            answer = judging.ranking(game, judge, p, found, reached, spent)
        if task.shares:
            answer["evaluation"] = judging.shares(game, agent, p)
        return {**answer, "judge": str(judge)}

    def _review(
        self, task: m.Review, game: Game, agent: Agent, positions: list[Words], part: Part
    ) -> searches.Ended:
        """The values at every ply of a game, one part for each."""
        reviewer = Reviewer(game, lambda p: self._judge(task, game, agent, p))
        deeper = self._deeper(game, agent)
        for at, (p, texts) in enumerate(zip(positions, task.played, strict=False)):
            if task.n in self._stopped:
                break
            if game.kind(p) == CHANCE:
                throw = reviewer.throw(at, p, positions[at + 1])
                part({"at": at, "throw": judging.throw_reviewed(game, throw)})
                continue
            both = game.kind(p) == SIMULTANEOUS
            q = positions[at + 1]
            seen = reviewer.both(at, p, texts) if both else [reviewer.move(at, p, q)]
            if deeper is not None and not both and _is_close(game, seen[0]):
                self._at_work = (task.n, deeper)
                seen = [Reviewer(game, lambda _: deeper).move(at, p, q)]
                self._at_work = (task.n, agent)
            judged = [judging.move_reviewed(game, agent, move) for move in seen]
            part({"at": at, "judged": judged, "exact": seen[0].exact})
        return {}


def _is_close(game: Game, move: ReviewedMove) -> bool:
    """Whether a little more or less would put a move into another class of errors."""
    if move.exact:
        return False
    return any(
        abs(move.lost_chance - mark.from_) < _CLOSE * mark.from_ for mark in marks_of(game).errors
    )


def _line(game: Game, positions: list[Words], words: list[str] | None) -> Line:
    """What was played so far; its plies where the request tells them."""
    line = Line(game, start_text(game, positions[0]), positions[0])
    if words is None:
        for p in positions[1:]:
            line.stand(p)
    else:
        for word, p in zip(words, positions[1:], strict=True):
            line.add(record.parse_ply(word), p)
    return line
