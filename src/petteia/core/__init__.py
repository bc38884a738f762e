"""The contract: games, positions, moves, evaluations, agents and their text forms."""
