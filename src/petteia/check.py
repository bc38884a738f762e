"""One test that every game must pass, a user's own included."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from petteia.core.errors import CodeError
from petteia.core.evaluation import Evaluation
from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, TERMINAL, Game, Kind
from petteia.core.history import Line
from petteia.core.own_code import explained, is_own, place_of
from petteia.core.rules import SLACK, drawn_outcome
from petteia.core.seeds import derive
from petteia.core.trial import KERNELS, Trial, is_own_game
from petteia.core.words import Words
from petteia.search.alphabeta import leaf
from petteia.search.playout import by_number
from petteia.search.stepper import Look, Stepper
from petteia.search.values import DECIDED, settled_value

__all__ = ["CheckFailed", "Checked", "check_game"]


_NTH = {DECISION: "nth_move", SIMULTANEOUS: "nth_move_of", CHANCE: "chance_at"}


class CheckFailed(CodeError, AssertionError):
    """A game that breaks its contract; the message names the rule, the position and the fault."""


@dataclass(frozen=True)
class Checked:
    """What was looked at."""

    game: str
    games: int
    positions: int
    longest: int
    """Plies of the longest game met."""
    notes: tuple[str, ...] = ()
    """What is no fault, but may be none of what was meant."""


def check_game(
    game: Game,
    *,
    games: int = 20,
    seed: int = 0,
    tell: Callable[[CodeError], None] | None = None,
) -> Checked:
    """Plays random games and holds every position against the contract.

    Compiled and interpreted rules agree, texts are round trips, moves are distinct and legal,
    finished games have no moves and bring no more than ``most_points``, probabilities add up to 1,
    what the game says of itself is so, hooks and symmetries hold, evaluations are finite and within
    the bounds that searches rely on, pictures are sound. Raises ``CheckFailed`` at the first fault.
    ``tell`` hears what is tried next, and where it stands: the last words before a crash.
    """
    check = _Check(game, seed, tell or (lambda next_one: None))
    try:
        return check.run(games)
    except CheckFailed:
        raise
    except Exception as error:
        raise check.as_fault(error) from error


class _Check:
    def __init__(self, game: Game, seed: int, tell: Callable[[CodeError], None]) -> None:
        self.game = game
        self.seed = seed
        self.tell = tell
        self.p: Words = ()
        self.rule = "start"
        """What is looked at: a method of the game, or an evaluation's name."""
        self.trial: Trial | None = None
        self.kinds: set[int] = set()
        """The kinds of positions that were met."""
        self.same: dict[Words, tuple[int, int, list[int]]] = {}
        """What was met by the identities of positions, where the rules look back."""

    def as_fault(self, error: Exception) -> CheckFailed:
        """Whatever was raised, as the fault of the game that it is."""
        found = explained(error, self.blamed())
        if isinstance(found, CodeError):
            return CheckFailed(found.says, found.file, found.line)
        return CheckFailed(str(found))

    def doing(self, what: str) -> None:
        self.tell(CodeError(f"{what} {self.place()}", *place_of(self.blamed())))

    def place(self) -> str:
        return f"(position {':'.join(f'{int(word):x}' for word in self.p)})"

    def looks_at(self, rule: str) -> None:
        self.rule = rule
        self.doing(rule)

    def blamed(self) -> object:
        """What the fault is in: the method or the evaluation, else the whole class."""
        evaluation = self.game.evaluations.get(self.rule)
        found = evaluation.function if evaluation else getattr(type(self.game), self.rule, None)
        file, _ = place_of(found)
        return found if file is not None and is_own(file) else type(self.game)

    def fail(self, what: str) -> CheckFailed:
        first = what.replace("(", " ").split()[0]
        self.rule = first if first in KERNELS else self.rule
        file, line = place_of(self.blamed()) if self.trial else (None, None)
        return CheckFailed(f"{self.game}: {what} {self.place()}", file, line)

    def hold(self, holds: bool, what: str) -> None:
        if not holds:
            raise self.fail(what)

    def run(self, games: int) -> Checked:
        if is_own_game(self.game):
            self.trial = Trial(self.game, lambda what, _: self.doing(what))
            self.trial.misspelt()
        self.p = self.start = self.game.start()
        self.hold(
            type(self.start) is tuple and {type(word) for word in self.start} == {np.uint64},
            "start() must give a tuple of U(...) words",
        )
        self.hold(self.game.start() == self.start, "start() is not the same twice")
        self.hold(self.game.kind(self.start) != TERMINAL, "the game is over at its start")
        self.what_is_said()
        self.stepper = Stepper(self.game)
        positions = longest = 0
        seen_positions: set[Words] = set()
        for number in range(games):
            p, ply = self.start, 0
            line, stood = Line(self.game), dict[Words, int]()
            while True:
                self.p = p
                self.rule = "kind"
                self.hold(ply <= self.game.max_plies, f"no end after {ply} plies; see max_plies")
                look = self.look(p)
                if p not in seen_positions:
                    seen_positions.add(p)
                    positions += 1
                    self.position(p, look)
                self.looking_back(p, look, stood, ply)
                if look.kind == TERMINAL or line.is_drawn:
                    break
                p = self.after(p, look, derive(self.seed, number, ply))
                line.stand(p)
                ply += 1
            longest = max(longest, ply)
        return Checked(str(self.game), games, positions, longest, tuple(self.not_met()))

    def what_is_said(self) -> None:
        """The numbers and names that a game gives, as far as one can see without playing."""
        game = self.game
        self.hold(game.max_moves >= 1, f"max_moves is {game.max_moves}; at least 1")
        self.hold(game.max_plies >= 1, f"max_plies is {game.max_plies}; at least 1")
        points = float(game.most_points)
        self.hold(0 < points < math.inf, f"most_points is {points:g}; it must be above 0")
        self.hold(game.opening_plies >= 0, f"opening_plies is {game.opening_plies}; 0 or more")
        self.hold(
            game.repetitions == 0 or game.repetitions > 1,
            f"repetitions is {game.repetitions}; 0 for none, or at least 2",
        )
        late: tuple[int, ...] = game.late_moves
        self.hold(len(late) == 3 and min(late) >= 1, f"late_moves is {late}; three numbers above 0")
        self.hold(len(game.players) == 2, f"players is {game.players}; two names")
        named = game.default_evaluation
        known = ", ".join(game.evaluations) or "none"
        self.hold(
            named is None or named in game.evaluations,
            f"default_evaluation is {named!r}; the game's evaluations are: {known}",
        )

    def promised(self, look: Look) -> None:
        """A position is of a kind for which the game has the kernels, and brings what it may."""
        self.kinds.add(look.kind)
        if look.kind != TERMINAL:
            self.hold(look.kind in self.game.kinds(), self.game.lacks(Kind(look.kind)))
            return
        most = float(self.game.most_points)
        self.hold(
            abs(look.result) <= most,
            f"the result is {look.result:g}, but most_points is {most:g}: say the most that a game "
            "can bring",
        )

    def not_met(self) -> list[str]:
        """Kinds of positions for which there are kernels, but which no game came to."""
        absent = self.game.kinds() - self.kinds if self.game.has_simultaneous else set[Kind]()
        if self.game.has_chance and CHANCE not in self.kinds:
            absent = {*absent, Kind.CHANCE}
        return [
            f"no position of kind {kind.name} was met, though the game has kernels for it"
            for kind in sorted(absent)
        ]

    def looking_back(self, p: Words, look: Look, stood: dict[Words, int], ply: int) -> None:
        """Positions that the rule of repetition takes for the same are the same to play on from,
        and ``lookback`` reaches as far as the last of them."""
        game = self.game
        if not game.repetitions:
            return
        identity = game.identity(p)
        if look.kind != TERMINAL:
            here = (look.kind, look.mover, look.moves)
            self.hold(
                self.same.setdefault(identity, here) == here,
                "identity is that of another position with other moves",
            )
        far = int(game.lookback(p))
        since = ply - stood.get(identity, ply)
        self.hold(since <= far, f"lookback is {far}, but the position stood {since} plies ago")
        stood[identity] = ply

    def look(self, p: Words) -> Look:
        """What the compiled rules say, once the interpreter has found nothing wrong."""
        if self.trial:
            for moves in self.trial.position(p)[:3]:
                self.trial.play(p, moves)
        self.doing("the compiled kind, mover, moves or result")
        return self.stepper.look(p)

    def after(self, p: Words, look: Look, seed: int) -> Words:
        first = look.moves[derive(seed, "first") % len(look.moves)]
        if look.kind == SIMULTANEOUS:
            second = look.others[derive(seed, "second") % len(look.others)]
            return self.stepper.play_both(p, first, second)
        return self.stepper.play(p, first)

    def position(self, p: Words, look: Look) -> None:
        self.agreement(p, look)
        self.promised(look)
        self.moves(look)
        self.numbered(p, look)
        self.texts(p, look)
        self.picture(p)
        if look.kind == DECISION:
            self.hooks(p, look)
            self.symmetries(p, look)
        if look.kind == SIMULTANEOUS:
            self.symmetries_of_both(p, look)
        # Searches ask before a throw too; a quarter is enough, as those positions are many.
        if look.kind != CHANCE or derive(*map(int, p)) % 4 == 0:
            self.evaluations(p)

    def agreement(self, p: Words, look: Look) -> None:
        """The interpreter and the compiler read the rules alike."""
        self.looks_at("kind")
        game = self.game
        kind = int(game.kind(p))
        self.hold(kind == look.kind, f"kind is {kind} interpreted and {look.kind} compiled")
        if kind == TERMINAL:
            self.hold(float(game.result(p)) == look.result, "result differs when compiled")
            self.hold(math.isfinite(look.result), "result is not a finite number")
        elif kind == CHANCE:
            outcomes = [outcome for outcome, _ in game.outcomes(p)]
            self.hold(outcomes == look.moves, "chances differ when compiled")
        elif kind == SIMULTANEOUS:
            self.hold(game.legal_moves(p, 0) == look.moves, "moves_of 0 differs when compiled")
            self.hold(game.legal_moves(p, 1) == look.others, "moves_of 1 differs when compiled")
        else:
            self.hold(kind == DECISION, f"kind {kind} is not one of the four")
            self.hold(int(game.mover(p)) == look.mover, "mover differs when compiled")
            self.hold(look.mover in (0, 1), f"mover is {look.mover}, not 0 or 1")
            self.hold(game.legal_moves(p) == look.moves, "moves differ when compiled")
        self.looks_at("play_both" if kind == SIMULTANEOUS else "play")
        for move in look.moves[:3]:
            if kind == SIMULTANEOUS:
                second = look.others[0]
                compiled = self.stepper.play_both(p, move, second)
                plain = game.play_both(p, move, second)
            else:
                compiled, plain = self.stepper.play(p, move), game.play(p, move)
            self.hold(compiled == plain, f"play({move}) differs when compiled")
            self.hold(len(plain) == len(self.start), f"play({move}) changes the number of words")
            self.hold(
                all(type(word) is np.uint64 for word in plain),
                f"play({move}) gives words that are not U(...)",
            )

    def moves(self, look: Look) -> None:
        self.looks_at("moves")
        lists = [look.moves, look.others] if look.kind == SIMULTANEOUS else [look.moves]
        for moves in lists:
            self.hold(bool(moves) == (look.kind != TERMINAL), "no move, but the game is not over")
            self.hold(len(set(moves)) == len(moves), "a move is listed twice")
            self.hold(len(moves) <= self.game.max_moves, "more moves than max_moves")
            self.hold(all(move >= 0 for move in moves), "a move is negative")
        if look.kind == CHANCE:
            self.hold(all(chance > 0 for chance in look.chances), "a probability is not positive")
            self.hold(abs(sum(look.chances) - 1) < 1e-9, "probabilities do not add up to 1")

    def numbered(self, p: Words, look: Look) -> None:
        """What spares random play the lists says what stands in them, interpreted and compiled."""
        rule = _NTH.get(look.kind)
        if rule is None or getattr(type(self.game), rule) is getattr(Game, rule):
            return
        self.looks_at(rule)
        size = self.game.max_moves + SLACK
        out, found = np.zeros(size, np.int64), np.zeros(2 * size, np.int64)
        unit, prob = derive(*map(int, p)) / 2.0**63, np.zeros(size)
        wanted = [*look.moves, *look.others]
        if look.kind == CHANCE:
            fell = drawn_outcome(np.array(look.chances), len(wanted), unit)
            wanted = [len(wanted), wanted[fell]]
        for asked in (by_number.function, by_number):
            end = asked(self.game, p, unit, out, prob, found)
            self.hold(found[:end].tolist() == wanted, f"{rule} says something else than the list")

    def texts(self, p: Words, look: Look) -> None:
        self.looks_at("text")
        game = self.game
        text = game.text(p)
        self.hold("\n" not in text, "text has more than one line")
        self.hold(game.parse(text) == p, f"parse(text) is another position: {text!r}")
        if look.kind in (DECISION, SIMULTANEOUS):
            for player in (0, 1) if look.kind == SIMULTANEOUS else (None,):
                moves = look.others if player == 1 else look.moves
                self.looks_at("move_text")
                names = [game.move_text(p, move) for move in moves]
                self.hold(len(set(names)) == len(names), "two moves have the same text")
                for name, move in [*zip(names, moves, strict=True)][-2:]:
                    back = game.parse_move(p, name, player)
                    self.hold(back == move, f"the text {name!r} means another move")

    def picture(self, p: Words) -> None:
        self.looks_at("view")
        view = self.game.view(p)
        json.dumps(view.as_json())
        cells = {cell.id for cell in view.cells}
        self.hold(len(cells) == len(view.cells), "two cells of the view have the same name")
        self.hold(all(piece.cell in cells for piece in view.pieces), "a piece stands on no cell")
        paths = [cell for action in view.actions for cell in (*action.path, *action.captures)]
        self.hold(all(cell in cells for cell in paths), "an action passes an unknown cell")

    def hooks(self, p: Words, look: Look) -> None:
        self.looks_at("forced")
        noisy = self.game.legal_moves(p, only_noisy=True)
        self.rule = "noisy_moves"
        self.hold(set(noisy) <= set(look.moves), "noisy_moves are not all legal")
        self.rule = "forced"
        forced = int(self.game.forced(p))
        if forced == 1:
            wins = [m for m in look.moves if self.wins(self.stepper.play(p, m), look.mover)]
            self.hold(bool(wins), "forced says a win in 1, but no move wins")
        elif forced == -2:
            for move in look.moves:
                after = self.stepper.play(p, move)
                reply = self.stepper.look(after)
                lost = self.wins(after, 1 - look.mover) or (
                    reply.kind == DECISION
                    and any(
                        self.wins(self.stepper.play(after, answer), 1 - look.mover)
                        for answer in reply.moves
                    )
                )
                self.hold(lost, f"forced says a loss in 2, but move {move} does not lose")

    def wins(self, p: Words, player: int) -> bool:
        look = self.stepper.look(p)
        return look.kind == TERMINAL and (look.result > 0 if player == 0 else look.result < 0)

    def symmetries(self, p: Words, look: Look) -> None:
        self.looks_at("symmetries")
        for move in look.moves[:3]:
            after = self.stepper.play(p, move)
            turned_after = self.game.symmetries(after, move)
            for (q, same), (q_after, _) in zip(
                self.game.symmetries(p, move), turned_after, strict=True
            ):
                there = self.stepper.look(q)
                self.hold(len(there.moves) == len(look.moves), "a symmetry changes the moves")
                self.hold(same in there.moves, "a symmetry gives an illegal move")
                self.hold(
                    self.stepper.play(q, same) == q_after, "a symmetry does not commute with play"
                )

    def symmetries_of_both(self, p: Words, look: Look) -> None:
        self.looks_at("symmetries_of_both")
        first, second = look.moves[-1], look.others[len(look.others) // 2]
        after = self.stepper.play_both(p, first, second)
        there = self.game.symmetries_of_both(after, first, second)
        here = self.game.symmetries_of_both(p, first, second)
        for (q, one, other), (q_after, _, _) in zip(here, there, strict=True):
            lists = self.stepper.look(q)
            sizes = sorted((len(lists.moves), len(lists.others)))
            same = sizes == sorted((len(look.moves), len(look.others)))
            self.hold(same, "a symmetry changes the moves")
            legal = one in lists.moves and other in lists.others
            self.hold(legal, "a symmetry gives an illegal move")
            played = self.stepper.play_both(q, one, other)
            self.hold(played == q_after, "a symmetry does not commute with play_both")

    def evaluations(self, p: Words) -> None:
        for name, evaluation in self.game.evaluations.items():
            self.looks_at(name)
            for player in (0, 1):
                if self.trial:
                    self.trial.value(evaluation, p, player)
                plain = evaluation.of(self.game, p, player)
                self.hold(math.isfinite(plain), f"evaluation {name} is not finite")
                if self.game.kind(p) != TERMINAL:
                    self.bounded(name, evaluation, plain)
                if self.game.kind(p) != TERMINAL:
                    tag, weights = evaluation.tag, evaluation.array
                    slow = settled_value(self.game, tag, p, player, 0, weights.copy())
                    fast = leaf(self.game, tag, p, player, 0, weights.copy())
                    near = math.isclose(fast, slow, rel_tol=1e-12, abs_tol=1e-12)
                    self.hold(near, f"evaluation {name} differs when compiled")

    def bounded(self, name: str, evaluation: Evaluation, value: float) -> None:
        """Searches take what is beyond for a game that is won, or leave out what they must not."""
        most = float(self.game.most_points) * evaluation.point if evaluation.point else DECIDED
        self.hold(
            abs(value) <= most * (1 + 1e-6),
            f"evaluation {name} is {value:g}, but must stay within {most:g}",
        )
