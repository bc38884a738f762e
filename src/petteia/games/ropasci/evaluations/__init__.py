"""Evaluations of RoPaSci 360: the report's, made precise, and ours."""

from __future__ import annotations

from petteia.core.evaluation import Evaluation
from petteia.games.ropasci.evaluations.hunt import HUNT
from petteia.games.ropasci.evaluations.learned import FITTED, LEARNED
from petteia.games.ropasci.evaluations.report import REPORT, REPORT_WEIGHTS

__all__ = ["EVALUATIONS", "REPORT_WEIGHTS"]

EVALUATIONS: dict[str, Evaluation] = {
    evaluation.name: evaluation for evaluation in (REPORT, HUNT, FITTED, LEARNED)
}
