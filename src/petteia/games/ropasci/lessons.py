"""The rules in half a minute."""

from __future__ import annotations

from petteia.core.lesson import Exercise, Lesson, Rule, keeps, takes

__all__ = ["LESSON"]

LESSON = Lesson(
    "Defeat all tokens of your opponent. Both choose in secret and move at the same time.",
    (
        Rule(
            "Rock beats scissors, scissors beat paper, paper beats rock. Tokens that meet on a hex "
            "fight, and those that are beaten are gone. Equal ones share the hex.",
            "5/6/7/8/4Rs3/8/7/6/2p2 1-2 2", ("(0,0)-(0,1)",),
        ),
        Rule(
            "You have nine throws. The first lands on your own edge, Upper's at the top, and each "
            "later one may land one row farther; also on an enemy.",
            "5/6/7/8/9/8/7/6/5 0-0 0", ("r(4,-4)", "p(4,-2)", "s(4,0)"),
        ),
        Rule(
            "Or move a token to a hex beside it. Beside a token of your own it may swing over that "
            "one to the hexes behind it.",
            "5/6/7/8/3RS4/8/7/6/2p2 2-1 2", ("(0,-1)~(0,1)", "(0,-1)~(1,0)", "(0,-1)~(-1,1)"),
        ),
    ),
    (
        Exercise(
            "You are Upper, with the rock. Defeat the scissors, which stay.",
            "5/6/7/8/4Rs3/8/7/6/2p2 1-2 2", takes(1), "Rock beats scissors.",
            answer="(-4,2)-(-3,2)",
        ),
        Exercise(
            "A rock has come to your edge. Throw what beats it onto it.",
            "2r2/6/7/8/9/8/7/6/2p2 0-2 2", takes(1), "Paper beats rock.", answer="(-4,2)-(-3,2)",
        ),
        Exercise(
            "The rock is coming for your scissors. Get them away.",
            "2P2/6/7/8/4Sr3/8/7/6/5 9-1 9", keeps, "Just in time.", answer="(0,1)-(0,0)",
        ),
    ),
)  # fmt: skip
