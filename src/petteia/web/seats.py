"""Who sits where: a seat belongs to the visitor who took it, and everybody else watches."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from petteia.core.errors import PetteiaError
from petteia.core.session import PERSON
from petteia.web.messages.tables import Seats
from petteia.web.table import Table

__all__ = [
    "NotYours", "change_players", "facts", "held_by", "may_change", "may_play", "may_redo",
    "may_sit", "may_undo", "needs", "seat", "taken_at_first",
]  # fmt: skip


class NotYours(PetteiaError):
    """Only another visitor may do this."""


def taken_at_first(players: tuple[str, str], visitor: str, seat: int | None) -> tuple[str, str]:
    """The seats of a new table: its visitor has the one that he names, or every person's."""
    if seat is not None and players[seat] != PERSON:
        raise PetteiaError(f"seat {seat} is an agent's; only a person's seat can be taken")
    mine = [who == PERSON and seat in (None, side) for side, who in enumerate(players)]
    return (visitor if mine[0] else "", visitor if mine[1] else "")


def held_by(table: Table, visitor: str) -> list[int]:
    """The sides that a visitor plays."""
    return [side for side in table.people if table.seats[side] == visitor]


def facts(table: Table, visitor: str) -> Seats:
    """What a visitor's page has to know; never who the others are."""
    return {
        "mine": held_by(table, visitor),
        "free": [side for side in table.people if not table.seats[side]],
        "own": table.owner == visitor,
        "may_undo": bool(table.taken_back_by()) and _is_allowed(may_undo, table, visitor),
        "may_redo": bool(table.played_again_by()) and _is_allowed(may_redo, table, visitor),
    }


def _is_allowed(may: Callable[[Table, str], None], table: Table, visitor: str) -> bool:
    try:
        may(table, visitor)
    except NotYours:
        return False
    return True


def needs(table: Table, visitor: str, sides: Iterable[int]) -> None:
    """Refuses unless the visitor plays all of these sides, and at least one."""
    held = held_by(table, visitor)
    if not held:
        raise NotYours("you are watching; only somebody with a seat at this table can do that")
    for side in sides:
        if side not in held:
            raise NotYours(f"only the person who plays {table.game.players[side]} can do that")


def may_play(table: Table, visitor: str) -> None:
    """Refuses a move of somebody else."""
    needs(table, visitor, [side for side in table.people if side == table.mover])


def may_undo(table: Table, visitor: str) -> None:
    """Refuses to take back what another person decided, and anything against a clock."""
    if table.clock is not None:
        raise NotYours("with a clock nothing is taken back")
    if table.people:
        needs(table, visitor, table.taken_back_by())
    else:
        may_change(table, visitor)


def may_redo(table: Table, visitor: str) -> None:
    """Refuses to play again what another person decided."""
    if table.people:
        needs(table, visitor, table.played_again_by())
    else:
        may_change(table, visitor)


def may_change(table: Table, visitor: str) -> None:
    """Refuses unless the visitor has a seat here, or began the game."""
    if table.owner != visitor:
        needs(table, visitor, [])


def change_players(table: Table, visitor: str, players: tuple[str, str]) -> None:
    """Seats other players; a person's seat that is new is the visitor's."""
    seats = list(table.seats)
    for side, who in enumerate(players):
        if who == table.players[side]:
            continue
        if seats[side] not in ("", visitor):
            raise NotYours(f"{table.game.players[side]} is played by somebody else")
        seats[side] = visitor if who == PERSON else ""
    table.players, table.seats = players, (seats[0], seats[1])
    table.serial += 1


def may_sit(table: Table, visitor: str, side: int) -> None:
    """Refuses a seat that is an agent's, or another visitor's."""
    if side not in table.people:
        raise PetteiaError("this seat is an agent's")
    if table.seats[side] not in ("", visitor):
        raise NotYours("this seat is taken")


def seat(table: Table, side: int, visitor: str) -> None:
    """Gives a seat to a visitor, or frees it for anyone who has the address."""
    first, second = table.seats
    table.seats = (visitor, second) if side == 0 else (first, visitor)
    table.serial += 1
