"""The routes of Flow: new puzzles, hints, solvers. The rules stay in its own room.

Flow itself is imported at its first use: most visitors play.
"""

from __future__ import annotations

import contextlib
from typing import cast

from petteia.core.errors import PetteiaError
from petteia.web.lab import TheLab, Visitor
from petteia.web.messages import flow as a
from petteia.web.messages import workers as m
from petteia.web.router import Router

__all__ = ["router"]

router = Router()


@router.get("/api/flow")
def choices() -> a.FlowChoices:
    """Rules, engines and boards that can be asked for."""
    from petteia.puzzles.flow import face

    return cast("a.FlowChoices", face.choices())


@router.post("/api/flow/read")
def read(asked: a.FlowText) -> a.FlowPuzzle:
    """The puzzle of a text in any format, or of a board by its name."""
    from petteia.puzzles.flow import face

    return cast("a.FlowPuzzle", face.board(face.read_puzzle(asked.text)))


@router.post("/api/flow/texts")
def texts(asked: a.FlowText) -> a.FlowTexts:
    """The puzzle in every format that can tell it without its solution."""
    from petteia.puzzles.flow import face, formats

    puzzle, found = face.read_puzzle(asked.text), {}
    for name in formats.FORMATS:
        with contextlib.suppress(PetteiaError):
            found[name] = formats.write(puzzle, name)
    return {"texts": found}


@router.post("/api/flow/check")
def check(asked: a.Drawn) -> a.FlowChecked:
    """Whether what is drawn keeps the rules, and whether it is a solution."""
    from petteia.puzzles.flow import face

    puzzle = face.read_puzzle(asked.text)
    return cast("a.FlowChecked", face.check_drawing(puzzle, asked.paths, asked.rule))


@router.post("/api/flow/new")
async def new(asked: a.NewPuzzle, lab: TheLab, visitor: Visitor) -> a.FlowPuzzle:
    """A puzzle with exactly one solution."""
    return await lab.pool.run(m.FlowNew(**asked.model_dump()), a.FlowPuzzle, visitor=visitor)


@router.post("/api/flow/hint")
async def hint(asked: a.Drawn, lab: TheLab, visitor: Visitor) -> a.FlowHint:
    """The next sure step with its reason, or what cannot stay."""
    return await lab.pool.run(m.FlowHint(**asked.model_dump()), a.FlowHint, visitor=visitor)


@router.post("/api/flow/solve")
async def solve(asked: a.SolvedBy, lab: TheLab, visitor: Visitor) -> a.FlowSolved:
    """The answer of an engine."""
    return await lab.pool.run(m.FlowSolve(**asked.model_dump()), a.FlowSolved, visitor=visitor)
