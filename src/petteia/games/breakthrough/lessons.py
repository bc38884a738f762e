"""The rules in half a minute."""

from __future__ import annotations

from petteia.core.lesson import Exercise, Lesson, Rule, safe, takes, wins

__all__ = ["LESSON"]

_SMALL = "breakthrough(columns=4, rows=5)"

LESSON = Lesson(
    "Bring one worker to the far row before your opponent does.",
    (
        Rule(
            "A worker steps one square ahead, straight or diagonally.",
            "1pp1/4/4/1P2/4 w", ("b2a3", "b2b3", "b2c3"), _SMALL,
        ),
        Rule(
            "It captures diagonally and never straight ahead. You may capture, but need not.",
            "4/4/ppp1/1P2/4 w", ("b2xa3", "b2xc3"), _SMALL,
        ),
        Rule(
            "Who steps onto the far row wins at once. Who has no worker left loses.",
            "3p/P3/4/4/4 w", ("a4a5", "a4b5"), _SMALL,
        ),
    ),
    (
        Exercise(
            "Straight ahead is blocked. Win anyway.", "1p2/1P2/4/3P/4 w", wins,
            "Diagonally, and the game is over.", game=_SMALL,
        ),
        Exercise(
            "Black is one step from winning. Capture that worker.", "4/1p2/4/2p1/1P1P w",
            takes(1), "Caught in time.", game=_SMALL,
        ),
        Exercise(
            "Step ahead so that Black cannot capture.", "4/1p2/4/P2P/4 w", safe,
            "Right: it captures diagonally only.", game=_SMALL,
        ),
    ),
)  # fmt: skip
