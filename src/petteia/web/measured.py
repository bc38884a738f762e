"""The routes of measuring: begin, watch and stop matches, tournaments, tunings and studies."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Annotated, Any, TypeVar

from fastapi import Depends, HTTPException, Request
from fastapi import Path as InPath
from fastapi.responses import HTMLResponse

from petteia.arena.match import Opening
from petteia.core import spec as specs
from petteia.core.errors import PetteiaError, one_of
from petteia.studies import frame
from petteia.web.lab import Lab, TheLab, Visitor
from petteia.web.measuring import Job
from petteia.web.messages import requests, results
from petteia.web.messages import workers as m
from petteia.web.router import Router

__all__ = ["Begin", "router"]

A = TypeVar("A")
_REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
_NOT_GIVEN = ("setting", "plan")
_LARGEST = 1000
"""Of the numbers that set a method of tuning."""

router = Router()


@dataclass(frozen=True)
class Beginning:
    """Puts jobs into the queue for a visitor."""

    lab: Lab
    visitor: str
    address: str

    def begin(self, job: m.Job) -> results.Job:
        """The job as it stands in the queue."""
        return self.lab.measuring.begin(job, self.visitor, self.address).seen_by(self.visitor)

    def go_on(self, job: Job) -> results.Job:
        """The same job, in the queue again."""
        self.lab.measuring.go_on(job, self.address)
        return job.seen_by(self.visitor)

    async def made(self, make: Callable[[Lab, A], m.Job], asked: A) -> results.Job:
        """A job that takes time to be looked at: whatever it names is made once."""
        return self.begin(await asyncio.to_thread(make, self.lab, asked))


async def _beginning(request: Request, lab: TheLab, visitor: Visitor) -> Beginning:
    return Beginning(lab, visitor, request.scope["address"])


Begin = Annotated[Beginning, Depends(_beginning)]


async def _found(number: Annotated[str, InPath(pattern=r"^[\w-]{1,40}$")], lab: TheLab) -> Job:
    try:
        return lab.measuring.find(number)
    except KeyError:
        raise HTTPException(404, "there is no such job") from None


Found = Annotated[Job, Depends(_found)]


async def _own(job: Found, lab: TheLab, visitor: Visitor) -> Job:
    return lab.measuring.own(job.id, visitor)


Own = Annotated[Job, Depends(_own)]

# --- jobs ----------------------------------------------------------------------------------------


@router.get("/api/jobs")
async def jobs(lab: TheLab, visitor: Visitor) -> results.Jobs:
    """What the visitor measures, measured, or has in the queue."""
    return {"jobs": [job.seen_by(visitor) for job in lab.measuring.of(visitor)]}


@router.get("/api/jobs/{number}")
async def job(job: Found, visitor: Visitor) -> results.Job:
    """The state of a job; anyone who has its address may look."""
    return job.seen_by(visitor)


@router.post("/api/jobs/{number}/stop")
async def stop(job: Own, lab: TheLab) -> results.Job:
    """Stops a job of the visitor's own; what was played stays in the store."""
    lab.measuring.stop(job)
    return job.seen_by(job.owner)


@router.post("/api/jobs/{number}/resume")
async def go_on(old: Own, begin: Begin) -> results.Job:
    """Continues the visitor's own job, stopped or failed, from what is in the store."""
    return begin.go_on(old)


@router.get("/api/jobs/{number}/report", response_class=HTMLResponse)
async def report(job: Found) -> HTMLResponse:
    """The report of a study that has ended."""
    if not job.html:
        raise HTTPException(404, "there is no report yet")
    return HTMLResponse(job.html, headers={"content-security-policy": _REPORT_POLICY})


# --- beginning -----------------------------------------------------------------------------------


@router.post("/api/matches")
async def match(asked: requests.NewMatch, begin: Begin) -> results.Job:
    """Begins a match of two agents."""
    return await begin.made(_match, asked)


def _match(lab: Lab, asked: requests.NewMatch) -> m.Job:
    return m.MatchJob(**_entered(lab, asked), sprt=asked.sprt)


def _entered(lab: Lab, asked: requests.NewMatch | requests.NewTournament) -> dict[str, Any]:
    game = lab.game(asked.game)
    agents = [lab.agent(text, game) for text in asked.agents]
    opening = str(Opening.parse(game, asked.opening))
    return {
        "game": str(game), "agents": agents, "pairs": asked.pairs, "seed": asked.seed,
        "opening": opening,
    }  # fmt: skip


@router.post("/api/tournaments")
async def tournament(asked: requests.NewTournament, begin: Begin) -> results.Job:
    """Begins a tournament."""
    return await begin.made(_tournament, asked)


def _tournament(lab: Lab, asked: requests.NewTournament) -> m.Job:
    job = m.TournamentJob(**_entered(lab, asked), gauntlet=asked.gauntlet)
    if len(set(job.agents)) != len(job.agents):
        raise PetteiaError("a tournament needs agents that differ; one is named twice")
    return job


@router.post("/api/tunings")
async def tuning(asked: requests.NewTuning, begin: Begin) -> results.Job:
    """Tunes the weights of an agent's evaluation; the same options continue it."""
    return await begin.made(_tuning, asked)


def _tuning(lab: Lab, asked: requests.NewTuning) -> m.Job:
    game = lab.game(asked.game)
    return m.TuneJob(
        game=str(game), agents=[lab.agent(text, game) for text in (asked.agent, asked.against)],
        pairs=asked.budget // 2, seed=asked.seed, method=_method(asked.method),
        series_games=asked.series, budget=asked.budget, confirm=asked.confirm,
    )  # fmt: skip


def _method(text: str) -> str:
    """The method of tuning that a visitor names."""
    from petteia.tune.methods import METHODS

    spec = specs.parse(text)
    if spec.name not in METHODS:
        raise one_of(spec.name, METHODS, what="method")
    known = [key for key in signature(METHODS[spec.name]).parameters if key not in _NOT_GIVEN]
    for key, value in spec.arguments:
        if key not in known:
            raise one_of(key, known, what=f"argument of method {spec.name}")
        if not isinstance(value, int | float) or abs(value) > _LARGEST:
            wanted = f"can only be a number up to {_LARGEST} on this page"
            raise PetteiaError(f"method {spec.name}: {key} {wanted}")
    return str(spec)


@router.get("/api/studies")
def studies() -> results.Studies:
    """The studies that there are."""
    known = [frame.find(name) for name in frame.names()]
    return {"studies": [{"name": s.name, "title": s.title, "about": s.about} for s in known]}


@router.post("/api/studies")
async def study(asked: requests.NewStudy, begin: Begin) -> results.Job:
    """Begins or continues a study."""
    return await begin.made(_study, asked)


def _study(_: Lab, asked: requests.NewStudy) -> m.Job:
    if asked.name not in frame.names():  # those in files would run what stands there
        raise one_of(asked.name, frame.names(), what="study")
    return m.StudyJob(name=asked.name, quick=asked.quick, seed=asked.seed)
