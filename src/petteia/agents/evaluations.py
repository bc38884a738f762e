"""Which evaluation a spec means; it stands in core, for the games' own agents too."""

from petteia.core.named_evaluation import evaluation_for, weights_for_move

__all__ = ["evaluation_for", "weights_for_move"]
