"""Constraint satisfaction: variables, domains, constraints, and the searches of the textbooks.

>>> from petteia.csp import Problem, Solver
>>> problem = Problem()
>>> for region in ("WA", "NT", "SA"):
...     _ = problem.variable(region, ["red", "green", "blue"])
>>> for pair in (("WA", "NT"), ("WA", "SA"), ("NT", "SA")):
...     problem.different(*pair)
>>> Solver(problem, order="mrv", inference="mac").first()
{'WA': 'red', 'NT': 'green', 'SA': 'blue'}

"""

from petteia.csp.problem import Binary, Constraint, Problem, Test, Watcher
from petteia.csp.search import Counts, Limits, Solver, Step

__all__ = [
    "Binary", "Constraint", "Counts", "Limits", "Problem", "Solver", "Step", "Test", "Watcher",
]  # fmt: skip
