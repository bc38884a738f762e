"""The rules in half a minute."""

from __future__ import annotations

from petteia.core.lesson import Exercise, Lesson, Rule, safe, stands, takes

__all__ = ["LESSON"]

LESSON = Lesson(
    "Leave your opponent without a move: capture all pieces, or block them.",
    (
        Rule(
            "A man steps diagonally forward, always on the dark squares. Black begins.",
            "B:W32:B14", ("14-17", "14-18"),
        ),
        Rule(
            "It captures by jumping over an enemy onto the empty square behind it, and jumps on "
            "as long as it can. If you can capture, you must.",
            "B:W18,26:B14", ("14x30",),
        ),
        Rule(
            "A man that reaches the far row becomes a king, and its move ends there. A king also "
            "moves and captures backward.",
            "B:W32:BK18", ("18-14", "18-15", "18-22", "18-23"),
        ),
    ),
    (
        Exercise(
            "Capture two pieces, not only one.", "B:W17,18,26:B14", takes(2),
            "Two at once. You may choose which capture to make.",
        ),
        Exercise(
            "Make a king.", "B:W5:B26,10", stands("", kind="king"),
            "Crowned: now it goes backward too.",
        ),
        Exercise(
            "Move so that White cannot capture.", "B:W22:B13,10", safe,
            "Safe: there is no empty square behind you to jump to.",
        ),
    ),
)  # fmt: skip
