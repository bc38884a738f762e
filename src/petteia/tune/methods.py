"""The methods by name."""

from __future__ import annotations

from petteia.core import spec as specs
from petteia.core.errors import one_of
from petteia.tune.cmaes import CmaEs
from petteia.tune.hillclimb import HillClimb
from petteia.tune.regression import LeastSquares, Logistic
from petteia.tune.setting import Setting
from petteia.tune.spsa import Spsa
from petteia.tune.td import TemporalDifference
from petteia.tune.tuner import Plan, Tuner

__all__ = ["METHODS", "make"]

METHODS: dict[str, type[Tuner]] = {
    kind.name: kind for kind in (HillClimb, Spsa, CmaEs, Logistic, LeastSquares, TemporalDifference)
}


def make(spec: str | specs.Spec, setting: Setting, plan: Plan) -> Tuner:
    """The tuner that a spec such as ``hillclimb(annealing=0.05)`` names."""
    spec = specs.parse(spec)
    if spec.name not in METHODS:
        raise one_of(spec.name, METHODS, what="method")
    tuner: Tuner = specs.build(METHODS[spec.name], spec, what="method", setting=setting, plan=plan)
    return tuner
