"""Flow (Numberlink with full coverage): join the dots of every colour, cover every cell."""

from petteia.puzzles.flow.rules import Puzzle, Rule, Solution, rule_named

__all__ = ["Puzzle", "Rule", "Solution", "rule_named"]
