"""The games, found by name: ``make("breakthrough(columns=10, rows=5)")``.

Every room of this package is a game; its class is the only subclass of ``Game`` that the room
exports. Variants are names for parameter settings of a game.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from petteia.core import files
from petteia.core import spec as specs
from petteia.core.errors import PetteiaError, one_of
from petteia.core.game import Game
from petteia.core.own_code import explained
from petteia.core.trial import try_game
from petteia.solve import KeptTable, Solver
from petteia.solve.general import GeneralSolver, kept_tables

__all__ = ["classes", "make", "names", "solver", "solvers", "studies", "tables", "variants"]


def names() -> list[str]:
    """The games that ship with Petteia."""
    return sorted(room.name for room in pkgutil.iter_modules(__path__) if room.ispkg)


@cache
def _class_in(room: str) -> type[Game]:
    module = importlib.import_module(f"{__name__}.{room}")
    (found,) = (
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Game)
    )
    return found


def classes() -> dict[str, type[Game]]:
    """Every game by its name."""
    return {room: _class_in(room) for room in names()}


def variants() -> dict[str, specs.Spec]:
    """Every named variant and the spec that it stands for."""
    return {
        variant: specs.Spec(name, tuple(settings.items()))
        for name, kind in classes().items()
        for variant, settings in kind.variants.items()
    }


def make(spec: str | specs.Spec | Game) -> Game:
    """The game that a spec names: a game, a variant, or a user's own file.

    Arguments after a variant's name change its settings further:
    ``three-workers(columns=6)``.
    """
    if isinstance(spec, Game):
        return spec
    spec = specs.parse(spec)
    if files.is_file_name(spec.name):
        kind = files.subclass_in(spec.name, Game, what="game")
        try:
            game: Game = specs.build(kind, spec, what="game")
        except PetteiaError:
            raise
        except Exception as error:
            raise explained(error, kind) from error
        game.spec_name = spec.name
        try_game(game, dict(spec.arguments))
        return game
    if spec.name in names():
        return specs.build(_class_in(spec.name), spec, what="game")
    meant = variants().get(spec.name)
    if meant is None:
        raise one_of(spec.name, [*names(), *variants()], what="game")
    merged = specs.Spec(meant.name, tuple((dict(meant.arguments) | dict(spec.arguments)).items()))
    return make(merged)


def solver(spec: str | specs.Spec) -> Solver:
    """The solver that a spec names: a game or a variant, with the solver's own arguments, or a
    user's own game."""
    spec = specs.parse(spec)
    if files.is_file_name(spec.name):
        return GeneralSolver(make(spec))
    meant = variants().get(spec.name)
    if meant is not None:
        merged = dict(meant.arguments) | dict(spec.arguments)
        spec = specs.Spec(meant.name, tuple(merged.items()))
    known = solvers()
    if spec.name not in known:
        raise one_of(spec.name, known, what="game that can be solved")
    return specs.build(known[spec.name], spec, what="the solver of")


def solvers() -> dict[str, type[Solver]]:
    """The solvers by the names of their games."""
    return {
        room: pkgutil.resolve_name(str(_class_in(room).solver))
        for room in names()
        if _class_in(room).solver
    }


def tables() -> list[KeptTable]:
    """The exact tables on this machine, those of users' games last."""
    return [each for kind in solvers().values() for each in kind.kept()] + kept_tables(make)


def studies() -> list[str]:
    """The studies of the games, each as ``module:object``."""
    return [kind.study for kind in classes().values() if kind.study]
