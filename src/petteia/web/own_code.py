"""A visitor's own Python, where the laboratory allows it: agents and evaluations, tried at once."""

from __future__ import annotations

import ast
import hashlib
import re
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from fastapi import HTTPException

from petteia import agents
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, SIMULTANEOUS, Game
from petteia.core.writing import write_whole
from petteia.web import catalogue, trust
from petteia.web.lab import Lab, TheLab
from petteia.web.messages import requests, results
from petteia.web.router import Router

__all__ = ["router"]

router = Router()


@cache
def _nowhere() -> Path:
    return Path(tempfile.mkdtemp(prefix="petteia-code-"))


def _folder(lab: Lab) -> Path:
    """Beside the store, so that games against a visitor's code go on after a restart."""
    store = lab.settings.store
    if store is None:
        return _nowhere()
    folder = store.with_name(store.name + ".code")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@router.post("/api/code", responses={403: {"description": "Code is not allowed."}})
def bring(asked: requests.BroughtCode, lab: TheLab) -> results.Things:
    """Takes a Python file with agents or evaluations, after each has been tried; only with
    ``--allow-code``."""
    if not lab.settings.allow_code:
        raise HTTPException(403, "start the laboratory with petteia lab --allow-code")
    game = lab.game(asked.game)
    found = list(_things(asked.text))
    if not found:
        raise PetteiaError(
            "the file defines neither an evaluation, a function (game, p, player), nor an agent, a "
            "function (position, legal_moves, seed) or a class of Agent"
        )
    # Every version has a name of its own: nobody goes on with an old one.
    version = hashlib.sha256(asked.text.encode()).hexdigest()[:8]
    stem = re.sub(r"\W", "_", asked.name.removesuffix(".py"))[:40] or "mine"
    path = _folder(lab) / f"{stem}-{version}.py"
    write_whole(path, asked.text)
    player = catalogue.one_game(game)["player"]
    things: list[results.Thing] = []
    for name, is_agent in found:
        spec = f"{path}:{name}"
        spec = spec if is_agent else player.replace("?", spec)
        try:
            _try(spec, game)
        except PetteiaError as error:
            raise PetteiaError(_in_the_text(str(error), path)) from None
        things.append({"name": name, "kind": "agent" if is_agent else "evaluation", "spec": spec})
    return {"things": things}


def _in_the_text(words: str, path: Path) -> str:
    """A fault as the visitor sees it: lines and names of the text, and no file."""
    named = re.compile(re.escape(str(path)) + r":(\w+)")
    return named.sub(lambda at: f"line {at[1]}" if at[1].isdigit() else at[1], words)


def _things(text: str) -> Iterator[tuple[str, bool]]:
    """The evaluations and agents that a file defines, each with whether it is an agent."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        raise PetteiaError(f"line {line}: {getattr(error, 'msg', 'no Python')}") from None
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            if any(ast.unparse(base).endswith("Agent") for base in node.bases):
                yield node.name, True
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            given = [argument.arg for argument in node.args.args]
            # As agents.child tells them apart.
            if len(given) in (3, 4):
                yield node.name, given[0] != "game"


def _try(spec: str, game: Game) -> None:
    """Asks for one move, so that a mistake is told before a game begins."""
    agent = agents.make(trust.agent_text(spec, game, allow_code=True), game)
    try:
        p = game.start()
        while game.kind(p) == CHANCE:
            p = game.play(p, game.outcomes(p)[0][0])
        player = 0 if game.kind(p) == SIMULTANEOUS else None
        choice = agent.choose(p, player=player)
        if choice.move not in game.legal_moves(p, player):
            raise PetteiaError(f"{spec} chose {choice.move!r}, which is not a legal move")
    finally:
        agent.close()
