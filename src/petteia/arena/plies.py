"""Every ply of a game as a plain row: the text of a move beside its number."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from petteia.core.game import DECISION, Game
from petteia.core.record import Record
from petteia.core.replay import replay

__all__ = ["COLUMNS", "Value", "plies_of"]

Value = int | float | str | None

COLUMNS: dict[str, type] = {
    "ply": int, "kind": str, "player": int, "side": str, "agent": str, "move": str, "number": int,
    "position": str,
}  # fmt: skip
"""The columns and what they hold."""


def plies_of(record: Record, game: Game) -> Iterator[dict[str, Value]]:
    """The plies in their order; where both choose there are two rows with the same ply.

    ``kind`` is ``move``, ``chance`` or ``both``; ``player``, ``side`` and ``agent`` are None at a
    throw of the dice; ``number`` is the move as the rules know it, ``position`` the text of the
    position before it.
    """
    for ply, ((p, _), played) in enumerate(
        zip(pairwise(replay(record, game)), record.plies, strict=True)
    ):
        first = int(game.mover(p)) if game.kind(p) == DECISION else 0
        for place, text in enumerate(played.texts):
            if played.kind == "chance":
                player, number = None, game.parse_outcome(p, text)
            else:
                player = first + place
                number = game.parse_move(p, text, player)
            yield {
                "ply": ply,
                "kind": played.kind,
                "player": player,
                "side": None if player is None else game.players[player],
                "agent": None if player is None else record.players[player],
                "move": text,
                "number": number,
                "position": game.text(p),
            }
