"""What the backgammon study concludes from its tables."""

from __future__ import annotations

from petteia.games.backgammon.study import TABLES, exchanged, misfit

# Ours over 10,000 games each, course rules: against WeightingDistance and MoveFurthestBack.
OURS = {
    "strategy1": (0.6535, 0.9570), "strategy2": (0.5789, 0.9034), "strategy3": (0.5719, 0.8678),
    "strategy4": (0.5614, 0.8532), "strategy5": (0.5490, 0.8516), "strategy6": (0.6121, 0.9421),
    "strategy7": (0.6193, 0.9345), "strategy8": (0.5615, 0.9247), "strategy9": (0.6155, 0.9328),
    "strategy10": (0.5693, 0.8816),
}  # fmt: skip


def test_which_columns_of_the_report_changed_places() -> None:
    found = exchanged(OURS)
    assert [pair[:2] for pair in found] == [("strategy2", "strategy4"), ("strategy8", "strategy9")]
    for first, second, printed, turned in found:
        assert printed > 30
        assert turned < 10
        assert printed == misfit(OURS, {first: first, second: second})


def test_figures_that_are_the_reports_own_need_no_exchange() -> None:
    same = {name: (wins / 100, others / 100) for name, (wins, others) in TABLES.items()}
    assert misfit(same, {name: name for name in TABLES}) < 1e-9
    assert exchanged(same) == []
