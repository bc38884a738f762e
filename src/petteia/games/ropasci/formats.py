"""Games in the course's own forms: the log of its referee, and games as lines of JSON.

A log holds a game, one line a player and turn, then the result:

    turn 1: upper: THROW symbol s to (4, -2)
    turn 1: lower: THROW symbol r to (-4, 0)
    winner: upper

A line of JSON holds a game as ``{"turns": [[upper, lower], ...], "result": "winner: upper"}``, an
action being the course's tuple as a list.
"""

from __future__ import annotations

import json
import re
from typing import Any

from petteia.core.errors import PetteiaError
from petteia.core.history import repetition_text
from petteia.core.record import Ply, Record
from petteia.games.ropasci.face import notation
from petteia.games.ropasci.rules import RoPaSciRules

__all__ = ["log_text", "records_in"]

_TURN = re.compile(r"turn\s+(\d+):\s*(upper|lower):\s*(.+)", re.IGNORECASE)
_REPEATED = "same game state occurred for 3rd time"
_ENDS = {"winner: upper": 1.0, "winner: lower": -1.0}


def records_in(game: RoPaSciRules, text: str) -> list[Record] | None:
    """The games of a text in one of these forms; None if it is in neither."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line]
    if not lines:
        return None
    if lines[0][1].startswith("{"):
        return [_of_json(game, line, number) for number, line in lines]
    if any(_TURN.search(line) for _, line in lines[:200]):
        return _of_log(game, lines)
    return None


def _result(game: RoPaSciRules, text: str, number: int) -> tuple[float, str]:
    """The points of upper, and why a draw is one."""
    if text in _ENDS:
        return _ENDS[text], ""
    kind, _, why = text.partition(": ")
    if kind != "draw":
        raise PetteiaError(
            f"line {number}: expected a result such as 'winner: upper' or 'draw: ...', "
            f"found {text[:60]!r}"
        )
    return 0.0, repetition_text(game).removeprefix("draw: ") if why == _REPEATED else why


def _record(game: RoPaSciRules, plies: list[Ply], result: float | None, why: str) -> Record:
    headers = (("Draw", why),) if why else ()
    return Record(str(game), ("?", "?"), plies=tuple(plies), result=result, headers=headers)


def _text_of(action: Any, number: int) -> str:
    text = action if isinstance(action, str) else json.dumps(action)
    move = notation.move_of(text)
    if move is None:
        raise PetteiaError(
            f"line {number}: {text[:60]} is not an action; expected for instance "
            '["SLIDE", [4, -2], [3, -2]]'
        )
    return notation.move_text(move)


def _of_json(game: RoPaSciRules, line: str, number: int) -> Record:
    try:
        found = json.loads(line)
        turns, end = found["turns"], found.get("result")
        pairs = [(first, second) for first, second in turns]
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise PetteiaError(
            f'line {number}: expected a game as {{"turns": [[upper, lower], ...], "result": ...}} '
            f"({error})"
        ) from None
    plies = [
        Ply("both", (_text_of(first, number), _text_of(second, number))) for first, second in pairs
    ]
    result, why = _result(game, str(end), number) if end is not None else (None, "")
    return _record(game, plies, result, why)


def _of_log(game: RoPaSciRules, lines: list[tuple[int, str]]) -> list[Record]:
    """The games of one or more logs that follow each other."""
    found: list[Record] = []
    plies: list[Ply] = []
    upper = ""
    for number, line in lines:
        turn = _TURN.search(line)
        if turn is None:
            end = re.search(r"(winner: \w+|draw: .+|error: .+)$", line)
            if end is not None and (plies or upper):
                result, why = (None, "")
                if not end[1].startswith("error"):
                    result, why = _result(game, end[1].strip(), number)
                found.append(_record(game, plies, result, why))
                plies, upper = [], ""
            continue
        if turn[2].lower() == "upper":
            if int(turn[1]) == 1 and plies:  # a log that breaks off, and the next one
                found.append(_record(game, plies, None, ""))
                plies = []
            upper = _text_of(turn[3], number)
        elif not upper or int(turn[1]) != len(plies) + 1:
            raise PetteiaError(f"line {number}: expected turn {len(plies) + 1} of upper first")
        else:
            plies.append(Ply("both", (upper, _text_of(turn[3], number))))
            upper = ""
    if plies:
        found.append(_record(game, plies, None, ""))
    return found


def log_text(game: RoPaSciRules, record: Record) -> str:
    """A game as the course's referee would log it."""
    lines = []
    for number, ply in enumerate(record.plies, 1):
        for name, text in zip(game.players, ply.texts, strict=True):
            move = notation.move_of(text)
            assert move is not None
            kind, *rest = notation.action_of(move)
            words = ("symbol", "to") if kind == "THROW" else ("from", "to")
            lines.append(f"turn {number}: {name}: {kind} {words[0]} {rest[0]} {words[1]} {rest[1]}")
    if record.result is not None:
        why = record.header("Draw")
        if f"draw: {why}" == repetition_text(game):
            why = _REPEATED
        won = {1.0: "winner: upper", -1.0: "winner: lower"}.get(record.result)
        lines.append(won or f"draw: {why}")
    return "\n".join(lines) + "\n"
