"""Exact distances: in how many plies a player wins by force, proved.

An AND/OR search by plies: can the attacker win within n plies, whatever the other does? The
smallest n for which it can is the exact distance. A table keeps for every position the plies
within which no win exists and the plies within which one does, so that each deepening begins
where the last one ended. Where neither side can win at all and every line was followed to its
end, the game is a proved draw.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import kernel, signed
from petteia.core.errors import PetteiaError
from petteia.core.rules import DECISION, DRAWN, TERMINAL, Rules
from petteia.core.words import U, Words
from petteia.search.claims import (
    CLAIMED_DEPTH,
    claim_of,
    helped,
    made_claims,
    release,
    take,
    turn_to,
)
from petteia.search.clock import NEVER, clock, deadline_in
from petteia.search.stepper import stepper_of
from petteia.search.table import TABLE_FIELDS, Table, key_of, read, write
from petteia.search.tree import PLACE, count_node

__all__ = ["Proved", "Prover"]

DEEPEST = 200
"""The longest win that is looked for, in plies."""
NEVER_WINS = 20_000
"""Within this many plies and any more there is no win."""
_MOST_COUNTED = 100_000
_MOVES = 1 << 16
_CLOCK = 1024  # nodes between two looks at the clock
_FIRST = 1 << 40  # above every priority

WORKSPACE = np.dtype(
    [
        ("stop", np.int64),
        ("nodes", np.int64),
        ("node_limit", np.int64),
        ("deadline", np.int64),
        *TABLE_FIELDS,
        ("claims", np.int64),  # address of what the threads claim, or 0 where one searches alone
        ("exact", np.int64),  # address of the game's exact tables, or 0
        ("glances", np.int64),  # whether ends that are certain at a glance are believed
        ("attacker", np.int64),
        ("moves", np.int64, (_MOVES,)),
        ("order", np.int64, (_MOVES,)),
    ],
    align=True,
)


@dataclass(frozen=True)
class Proved:
    """What was proved about a position, for the player to move."""

    result: str
    """``win``, ``loss``, ``draw``, or ``unknown``."""
    plies: int | None
    """To the end of the game under best play, where it is won or lost."""
    best: int | None
    """An optimal move: the quickest win, or the longest defence."""
    optimal: tuple[int, ...]
    """All optimal moves."""
    line: tuple[int, ...]
    """Best play of both sides to the end."""
    searched: int
    """Neither side wins within this many plies, where the result is unknown."""
    nodes: int
    proof_size: int | None
    """Positions in the proof: one move for the winner, all for the loser. None if too many, or if
    nobody asked."""
    seconds: float


class Prover:
    """Proves distances in one game of decisions; what it learned serves the next question."""

    def __init__(
        self,
        game: Rules,
        *,
        table_bits: int = 20,
        exact: bool = False,
        threads: int = 1,
        rules_alone: bool = False,
    ) -> None:
        """``exact`` lets it look into the game's exact tables, where they are certain. What is
        proved does not depend on the number of threads, only the nodes do. A proof ends where the
        game calls the end certain (``forced``), with ``rules_alone`` not before it is over."""
        if game.has_chance or game.has_simultaneous:
            raise PetteiaError(
                f"{game.spec.name} cannot be proved: dice or simultaneous moves decide it"
            )
        self.game = game
        self._table = Table(table_bits)
        self._exact = game.exact_tables() if exact else None
        self._glances = not rules_alone
        self._claims = made_claims() if threads > 1 else None
        self._workspaces = [self._workspace() for _ in range(threads)]
        self.ws, *self._helpers = self._workspaces

    def _workspace(self) -> Any:
        ws: Any = np.zeros(1, WORKSPACE).view(np.recarray)[0]
        self._table.lend(ws)
        ws["node_limit"] = ws["deadline"] = NEVER
        ws["glances"] = self._glances
        for name, array in (("exact", self._exact), ("claims", self._claims)):
            if array is not None:
                ws[name] = array.__array_interface__["data"][0]
        return ws

    def stop(self) -> None:
        """Ends a running proof soon. Any thread may call it."""
        self.ws["stop"] = 1

    def prove(
        self,
        p: Words,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        plies: int = DEEPEST,
        sized: bool = False,
    ) -> Proved:
        """Looks for the shortest forced win of either side, up to so many plies; ``sized`` counts
        the positions of its proof, which mostly takes longer than to find it."""
        stepper = stepper_of(self.game)
        if stepper.look(p).kind != DECISION:
            raise PetteiaError("nothing to prove: the game is over")
        self.within(p, 0, 0)  # compiled before the clock starts
        ws, deadline = self.ws, deadline_in(seconds)
        limit = NEVER if nodes is None else max(1, nodes // len(self._workspaces))
        for each in self._workspaces:
            each["stop"], each["nodes"] = 0, 0
            each["node_limit"], each["deadline"] = limit, deadline
        mover = stepper.look(p).mover
        lengths = range(1, min(plies, DEEPEST) + 1)

        def help_out(ws: Any) -> None:
            for n in lengths:
                wins = [self.within(p, n, player, ws) >= 0 for player in (mover, 1 - mover)]
                if any(wins) or ws["stop"]:
                    break

        with clock(seconds, self.stop) as started:
            searched, result, distance = 0, "unknown", None
            with helped(help_out, self._helpers):
                for n in lengths:
                    answers = [self.within(p, n, player) for player in (mover, 1 - mover)]
                    if answers[0] >= 0 or answers[1] >= 0:
                        result, distance = ("win" if answers[0] >= 0 else "loss"), n
                        break
                    if ws["stop"]:
                        break
                    searched = n
                    if all(-answer - 1 >= NEVER_WINS for answer in answers):
                        result = "draw"
                        break
            ws["stop"], ws["node_limit"], ws["deadline"] = 0, NEVER, NEVER
            line: tuple[int, ...] = ()
            optimal: tuple[int, ...] = ()
            size = None
            counted = sum(int(each["nodes"]) for each in self._workspaces)
            if distance is not None:
                winner = mover if result == "win" else 1 - mover
                optimal = self.optimal_moves(p, distance, winner)
                line = self.optimal_line(p, distance, winner)
                size = self._size(p, distance, winner) if sized else None
            return Proved(
                result, distance, line[0] if line else None, optimal, line, searched, counted,
                size, time.perf_counter() - started,
            )  # fmt: skip

    def shortest_win(self, p: Words, plies: int) -> int | None:
        """In how many plies the player to move wins by force, if within so many; no more than that
        is worked out, and there is no limit of time."""
        ws = self.ws
        ws["stop"], ws["nodes"], ws["node_limit"], ws["deadline"] = 0, 0, NEVER, NEVER
        mover = stepper_of(self.game).look(p).mover
        answers = (self.within(p, n, mover) for n in range(1, plies + 1))
        return next((answer for answer in answers if answer >= 0), None)

    def within(self, p: Words, plies: int, attacker: int, ws: Any = None) -> int:
        """How soon the attacker wins, if within so many plies; else -1 less the plies within
        which it surely does not."""
        ws = self.ws if ws is None else ws
        # Each attacker has entries of its own.
        ws["salt"] = U(0x9E3779B97F4A7C15 * (attacker + 1) % 2**64)
        ws["attacker"] = attacker
        return int(root_within(self.game, p, plies, ws))

    def optimal_moves(self, p: Words, distance: int, winner: int) -> tuple[int, ...]:
        """The moves that keep an exact distance: all that win in time, or lose as late."""
        stepper = stepper_of(self.game)
        seen = stepper.look(p)
        found = []
        for move in seen.moves:
            after = stepper.play(p, move)
            if seen.mover == winner:
                good = self.within(after, distance - 1, winner) >= 0
            else:
                good = distance < 2 or self.within(after, distance - 2, winner) < 0
            if good:
                found.append(move)
        return tuple(found)

    def optimal_line(self, p: Words, distance: int, winner: int) -> tuple[int, ...]:
        """Best play of both sides from a position whose exact distance is known."""
        line = []
        stepper = stepper_of(self.game)
        while distance > 0:
            move = self.optimal_moves(p, distance, winner)[0]
            line.append(move)
            p = stepper.play(p, move)
            distance -= 1
        return tuple(line)

    def _size(self, p: Words, distance: int, winner: int) -> int | None:
        """How many different positions a proof needs."""
        stepper = stepper_of(self.game)
        seen: set[Words] = set()
        waiting = [(p, distance)]
        while waiting:
            q, left = waiting.pop()
            if q in seen:
                continue
            seen.add(q)
            if len(seen) > _MOST_COUNTED:
                return None
            look = stepper.look(q)
            if look.kind == TERMINAL:
                continue
            for move in look.moves:
                after = stepper.play(q, move)
                plies = self.within(after, left - 1, winner)
                if plies >= 0:
                    waiting.append((after, plies))
                    if look.mover == winner:
                        break
        return len(seen)


class Known(NamedTuple):
    """What the table keeps of a position."""

    no: int
    """Within so many plies the attacker does not win."""
    yes: int
    """Within so many it does."""
    place: int
    """Of the move that showed it, or -1."""


def recalled(key: np.uint64, ws: Any) -> Known:
    """Kernel: what is known of a position; at first that nothing is excluded."""
    data = read(ws, key)
    if data == U(0):
        data = U(NEVER_WINS) << U(16)
    return Known(
        signed(data & U(0xFFFF)),
        signed(data >> U(16) & U(0xFFFF)),
        signed(data >> U(32) & U(0xFFFF)) - 1,
    )


def keep(key: np.uint64, known: Known, ws: Any) -> None:
    """Kernel: writes what is known of a position over whatever stood in its slot."""
    write(ws, key, U(known.no) | U(known.yes) << U(16) | U(known.place + 1) << U(32))


def settled(game: Any, p: Words, plies: int, ws: Any) -> tuple[int, bool]:
    """Kernel: the answer where the game is over, its end is certain, or exact tables know it; and
    whether it is."""
    never = -NEVER_WINS - 1
    if game.kind(p) == TERMINAL:
        points = game.result(p) if ws.attacker == 0 else -game.result(p)
        return (0 if points > 0.0 else never), True
    known = game.forced(p) if ws.glances != 0 else 0
    if known == 0 and ws.exact != 0:
        known = game.certain(p, ws.exact)
        if known == DRAWN:
            return never, True
    if known == 0:
        return 0, False
    winner = game.mover(p) if known > 0 else 1 - game.mover(p)
    if winner != ws.attacker:
        return never, True
    return (abs(known) if abs(known) <= plies else -abs(known)), True


def order_moves(game: Any, p: Words, place: int, at: int, end: int, ws: Any) -> None:
    """Kernel: scores moves: the one that the table names, then by the game's priority."""
    for i in range(at, end):
        score = _FIRST if i - at == place else game.priority(p, ws.moves[i])
        ws.order[i] = (score << 16) | (PLACE - (i - at))


def search_within(game: Any, p: Words, plies: int, at: int, ws: Any) -> int:
    """Kernel: see ``Prover.within``."""
    count_node(ws, _CLOCK)
    if ws.stop != 0:
        return -1
    found, is_settled = settled(game, p, plies, ws)
    if is_settled:
        return found
    if plies <= 0 or at + game.max_moves > _MOVES:
        return -1
    key = key_of(p, ws.salt)
    known = recalled(key, ws)
    if known.yes <= plies:
        return known.yes
    if known.no >= plies:
        return -known.no - 1
    end = game.moves(p, ws.moves, at)
    order_moves(game, p, known.place, at, end, ws)
    attacks = game.mover(p) == ws.attacker
    safe, longest, best = NEVER_WINS, 0, -1
    again = end - at if ws.claims != 0 and plies >= CLAIMED_DEPTH else 0
    for turn in range(at, end + again):
        k = turn_to(ws, turn, end, again)
        if k < 0:
            continue
        place = PLACE - (ws.order[k] & PLACE)
        held = U(0)
        if again > 0 and at < k == turn:
            held = take(ws, k, claim_of(key, ws.moves[at + place], plies))
            if held == U(0):
                continue
        after = game.play(p, ws.moves[at + place])
        answer = search_within(game, after, plies - 1, end, ws)
        if held != U(0):
            release(ws, held)
        if ws.stop != 0:
            return -1
        if answer >= 0:
            longest = max(longest, answer + 1)
        else:
            safe = min(safe, -answer)  # one ply more than the move's own
        if attacks == (answer >= 0):  # a win for the attacker, a way out for the defender
            best = place
            break
    wins = attacks == (best >= 0)
    if wins:
        keep(key, Known(known.no, longest, best), ws)
        return longest
    keep(key, Known(max(known.no, safe), known.yes, best), ws)
    return -safe - 1


@kernel
def root_within(game: Any, p: Words, plies: int, ws: Any) -> int:
    """Whether the attacker wins within so many plies; see ``Prover.within``."""
    return search_within(game, p, plies, 0, ws)
