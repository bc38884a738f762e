"""The rules in half a minute."""

from __future__ import annotations

from petteia.core.lesson import Exercise, Lesson, Rule, stands, takes

__all__ = ["LESSON"]

_START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
_BLOT = "XGID=-a---aE-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
_HOME = "XGID=--B-B---------------b-b---:0:0:1:42:0:0:0:0:10"

LESSON = Lesson(
    "Bring all fifteen checkers into your home and bear them off first.",
    (
        Rule(
            "White goes from 24 down to 1, Black the other way. Each die moves a checker by its "
            "number; a double moves four times.",
            _START, ("24/23 13/10",),
        ),
        Rule(
            "Two or more checkers hold a point: the enemy cannot land there.",
            _START, ("8/5 6/5",),
        ),
        Rule(
            "A checker alone is a blot. If it is hit it goes to the bar, and must enter in the "
            "enemy's home before anything else moves.",
            _BLOT, ("8/5*/4",),
        ),
        Rule(
            "When all your checkers are in your home, the last six points, you bear them off.",
            _HOME, ("4/off 2/off",),
        ),
        Rule(
            "If you play with the cube you may double before your throw. Your opponent takes and "
            "owns the cube, or drops and loses what it was worth.",
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
        ),
    ),
    (
        Exercise(
            "Make your five-point with 3 and 1.", _START, stands("5", 2),
            "The best opening of all.",
        ),
        Exercise("Hit the blot on your five-point.", _BLOT, takes(1), "It waits on the bar now."),
        Exercise(
            "Bear off two checkers.", _HOME, stands("off-w", 13), "Two fewer to bring home.",
        ),
    ),
)  # fmt: skip
