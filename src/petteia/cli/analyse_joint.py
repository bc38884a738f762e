"""``petteia analyse`` where both players choose at the same time."""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.cli import output
from petteia.cli.interrupt import interruptible
from petteia.core.agent import Agent, Decision
from petteia.core.position import Position

__all__ = ["run"]

_ROWS, _COLUMNS = 12, 8


def _facts(position: Position, agent: Agent, choice: Decision) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "game": str(position.game),
        "position": str(position),
        "agent": str(agent),
        "best": position.game.move_text(position.words, choice.move),
        "value": choice.value,
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
    output.show(facts, as_json, lambda: _show(position, facts))


def _show(position: Position, facts: dict[str, Any]) -> None:
    print(position.draw())
    first, second = position.game.players
    print(f"\n{facts['agent']}: {first} plays {facts['best']}", end="")
    print("" if facts["value"] is None else f", worth {facts['value']:+.3f}")
    if "matrix" in facts:
        _show_matrix(first, second, facts)


def _show_matrix(first: str, second: str, facts: dict[str, Any]) -> None:
    x, y = np.array(facts["row_strategy"]), np.array(facts["column_strategy"])
    matrix = np.array(facts["matrix"])
    print(
        f"equilibrium: worth {facts['value']:+.4f} to {first}; what both could gain together by "
        f"best responses: {facts['exploitability']:.2g}; matrix of {len(x)} x {len(y)}"
    )
    for name, moves, strategy in (
        (first, facts["row_actions"], x), (second, facts["column_actions"], y),
    ):  # fmt: skip
        order = [k for k in np.argsort(-strategy, kind="stable") if strategy[k] >= 0.0005]
        rows = [(moves[k], f"{100 * strategy[k]:.1f} %") for k in order]
        output.table("", [name, "plays it"], rows)
    rows_shown = np.argsort(-(matrix @ y) - x, kind="stable")[:_ROWS]
    columns_shown = np.argsort((x @ matrix) - y, kind="stable")[:_COLUMNS]
    output.table(
        f"\nThe best {len(rows_shown)} rows and {len(columns_shown)} columns, worth to {first}:",
        [first, *(facts["column_actions"][j] for j in columns_shown)],
        [
            [facts["row_actions"][i], *(f"{matrix[i, j]:+.2f}" for j in columns_shown)]
            for i in rows_shown
        ],
    )
