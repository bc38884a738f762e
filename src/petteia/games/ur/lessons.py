"""The rules in half a minute."""

from __future__ import annotations

from petteia.core.lesson import Exercise, Lesson, Rule, stands, takes

__all__ = ["LESSON"]

LESSON = Lesson(
    "Bring all your pieces along the track and off it before your opponent does.",
    (
        Rule(
            "Pieces enter from the hand beside the board, run along your own row to the corner, "
            "then along the middle row, and turn back to leave. Point at a piece to see its way.",
            "4xx2/8/4xx2 l 7 0 7 0 4", ("hand-a1",),
        ),
        Rule(
            "Four dice with two marked corners each give 0 to 4 steps. One piece moves that far, "
            "never onto a piece of your own.",
            "4xx2/2l5/4xx2 l 6 0 7 0 3", ("c2-f2",),
        ),
        Rule(
            "In the middle row you meet. Who lands on an enemy sends it back to the hand.",
            "4xx2/2l1d3/4xx2 l 6 0 6 0 2", ("c2-e2",),
        ),
        Rule(
            "A rosette gives another throw, and on the one in the middle nobody can be captured.",
            "4xx2/2l5/4xx2 l 6 0 7 0 1", ("c2-d2",),
        ),
        Rule(
            "A piece leaves the board only with the exact number of steps.",
            "4xx2/8/4xx1l l 1 5 7 0 2", ("h1-home",),
        ),
    ),
    (
        Exercise(
            "Reach the rosette in the middle.", "4xx2/2l5/4xx2 l 6 0 7 0 1", stands("d2"),
            "Safe there, and you throw again.",
        ),
        Exercise(
            "Send the dark piece back.", "4xx2/1l2d3/4xx2 l 6 0 6 0 3", takes(1),
            "It starts again from the hand.",
        ),
        Exercise(
            "Bring a piece home.", "4xx2/4l3/4xx1l l 0 5 7 0 2", stands("home-l", 6),
            "Exactly two steps: that one is home.",
        ),
    ),
)  # fmt: skip
