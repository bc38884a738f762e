"""``petteia analyse`` where both players choose at the same time."""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.cli import output
from petteia.cli.interrupt import interruptible
from petteia.core.agent import Agent, Decision
from petteia.core.position import Position
from petteia.search.equilibrium import Equilibrium, equilibrium_of

__all__ = ["run"]

_ROWS, _COLUMNS = 12, 8


def _facts(position: Position, agent: Agent, choice: Decision) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "game": str(position.game),
        "position": str(position),
        "agent": str(agent),
        "best": position.game.move_text(position.words, choice.move),
        "value": choice.value,
        "exact": agent.knows(position.words),
        "within": agent.within(position.words) if agent.knows(position.words) else None,
        "depth": choice.depth,
        "interior": choice.interior,
        "leaves": choice.leaves,
        "seconds": choice.seconds,
        **(choice.notes or {}),
    }
    return facts


def run(position: Position, agent: Agent, seed: int, as_json: bool) -> None:
    """Both players' strategies, the value, and the part of the matrix that matters."""
    agent.prepare(position.words)
    choice = interruptible(agent, lambda: agent.choose(position.words, seed=seed))
    facts = _facts(position, agent, choice)
    output.show(facts, as_json, lambda: _show(position, facts, equilibrium_of(choice)))


def _show(position: Position, facts: dict[str, Any], found: Equilibrium | None) -> None:
    print(position.draw())
    first, second = position.game.players
    print(f"\n{facts['agent']}: {first} plays {facts['best']}", end="")
    print("" if facts["value"] is None else f", worth {_worth(facts)}")
    if found is not None:
        _show_matrix(first, second, found)


def _worth(facts: dict[str, Any]) -> str:
    """The value, and how well it is known."""
    value = f"{facts['value']:+.3f}"
    if not facts["exact"]:
        return value
    return f"{value}, within {facts['within']:.3f}" if facts["within"] else f"exactly {value}"


def _show_matrix(first: str, second: str, found: Equilibrium) -> None:
    (x, y), (rows_named, columns_named), matrix = found.shares, found.names, found.payoffs
    print(
        f"equilibrium: worth {found.value:+.4f} to {first}; what both could gain together by "
        f"best responses: {found.exploitability:.2g}; matrix of {len(x)} x {len(y)}"
    )
    for name, moves, strategy in ((first, rows_named, x), (second, columns_named, y)):
        order = [k for k in np.argsort(-strategy, kind="stable") if strategy[k] >= 0.0005]
        rows = [(moves[k], f"{100 * strategy[k]:.1f} %") for k in order]
        output.table("", [name, "plays it"], rows)
    rows_shown = np.argsort(-found.against[0] - x, kind="stable")[:_ROWS]
    columns_shown = np.argsort(-found.against[1] - y, kind="stable")[:_COLUMNS]
    output.table(
        f"\nThe best {len(rows_shown)} rows and {len(columns_shown)} columns, worth to {first}:",
        [first, *(columns_named[j] for j in columns_shown)],
        [[rows_named[i], *(f"{matrix[i, j]:+.2f}" for j in columns_shown)] for i in rows_shown],
    )
