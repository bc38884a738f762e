"""Engines for visitors' browsers: searches as files.

    python -m petteia.web.engines               # writes those of the built-in games anew
    python -m petteia.web.engines GAME AGENT    # makes one of another game, kept on this machine

A file is a WebAssembly module and a line of facts beside it. Its name ends with a hash of
everything that its code follows from, so that a stale one is never found: for the files that ship,
a hash of the sources (``source_fingerprint``), since they are made elsewhere; for those that were
made here, the hash by which all compiled code is kept. What a page does with a file stands in
``engine_tasks``.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from petteia import agents, games
from petteia.compiled import Kernel, disk, targets, wasm
from petteia.compiled.fingerprint import fingerprint, source_fingerprint
from petteia.core import files
from petteia.core.agent import EvaluatingAgent
from petteia.core.compile_time import CompileTime
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import Game
from petteia.core.writing import write_whole
from petteia.review.chances import Curve, curve_of, know_curve
from petteia.search.contract import PlainSearchAgent
from petteia.search.engine import EngineAgent
from petteia.search.expectimax import ExpectimaxAgent
from petteia.search.mcts import MctsAgent

__all__ = [
    "EngineFile",
    "Making",
    "agent_of",
    "built_in",
    "evaluation_of",
    "file_named",
    "file_of",
    "is_fitted",
    "write_shipped",
]

SHIPPED = Path(__file__).parent / "static" / "engines"
_MOST_FILES = 400
_SHARED = "-shared"
"""Ends the names of modules that several workers can run."""


@dataclass(frozen=True)
class EngineFile:
    """A search of a game, with an evaluation if it needs one."""

    name: str
    symbol: str
    """The function in it."""
    curve: Curve
    """What its values mean as chances, with the evaluation's own weights."""
    shared: str
    """The name of the module that several workers can run in one memory, if others can help."""


@dataclass(frozen=True)
class _Search:
    """What a file follows from."""

    agent: str
    kernel: Kernel[..., None]
    game: Game
    evaluation: Evaluation | None
    """Without its weights, which are told when a search begins."""
    sorts: tuple[Any, ...] = field(compare=False)
    """Of the kernel's arguments. Not the arguments themselves: names are kept for long, and with
    them the memory of a search would be."""


def agent_of(game: Game, text: str) -> PlainSearchAgent | None:
    """An agent whose search a browser can do, if this is one."""
    agent = agents.make(text, game)
    if isinstance(agent, PlainSearchAgent) and agent.portable() is not None:
        return agent
    agent.close()
    return None


def evaluation_of(agent: PlainSearchAgent) -> Evaluation | None:
    """What it judges by, if it needs something."""
    return agent.evaluation if isinstance(agent, EvaluatingAgent) else None


def _search_of(agent: PlainSearchAgent) -> _Search:
    portable, evaluation = agent.portable(), evaluation_of(agent)
    assert portable is not None
    sorts = portable.kernel.sorts(portable.arguments(agent.game.start()))
    tag = None if evaluation is None else evaluation.tag
    return _Search(type(agent).name, portable.kernel, agent.game, tag, tuple(sorts))


@lru_cache(maxsize=64)
def _names(search: _Search) -> tuple[str, str]:
    """The names that the file must have: one that ships, and one that was made here."""
    function, sorts = search.kernel.function, [*search.sorts]
    tags: list[CompileTime] = [search.game]
    named = [search.game.spec.name]
    if search.evaluation is not None:
        tags.append(search.evaluation)
        named.append(search.evaluation.name)
    title = "-".join(
        re.sub(r"\W", "_", Path(each).stem, flags=re.ASCII)[:60]
        for each in (named[0], search.agent, *named[1:])
    )
    made = fingerprint(function, tags, sorts, targets.WASM)
    # Who brings a file may change it while this process lives: what counts is what was loaded.
    if any(map(files.is_file_name, named)):
        return "", f"{title}-{made[:32]}"
    source = source_fingerprint(function, tags, sorts, targets.WASM)
    return f"{title}-{source[:32]}", f"{title}-{made[:32]}"


def _made_here() -> Path | None:
    kept = disk.folder()
    return kept and kept.with_name("engines")


def file_named(name: str) -> Path | None:
    """The module of this name."""
    for folder in (SHIPPED, _made_here()):
        if folder is not None and (path := folder / f"{name}.wasm").is_file():
            return path
    return None


def file_of(agent: PlainSearchAgent) -> EngineFile | None:
    """The file of an agent's search, if there is one and it is whole."""
    for name in _names(_search_of(agent)):
        path = file_named(name) if name else None
        found = path and _read(path)
        if found:
            evaluation = evaluation_of(agent)
            if evaluation is not None and not agent.in_points:
                know_curve(agent.game, evaluation.tag, found.curve)
            return found
    return None


@lru_cache(maxsize=64)
def _read(path: Path) -> EngineFile | None:
    try:
        facts = json.loads(path.with_suffix(".json").read_text())
        shared = f"{path.stem}{_SHARED}" if facts["shared"] else ""
        named = ((path.stem, facts["sha256"]), (shared, facts["shared"]))
        if any(name and _hash_of(path.with_name(f"{name}.wasm")) != told for name, told in named):
            return None
        return EngineFile(path.stem, facts["symbol"], Curve(*facts["curve"]), shared)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _hash_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _weights_of(agent: PlainSearchAgent) -> str:
    evaluation = evaluation_of(agent)
    return "" if evaluation is None else hashlib.sha256(evaluation.array.tobytes()).hexdigest()


def is_fitted(path: Path, agent: PlainSearchAgent) -> bool:
    """Whether the curve of a module was fitted with the weights as they are: its name follows from
    the code alone."""
    try:
        facts = json.loads(path.with_suffix(".json").read_text())
    except (OSError, ValueError):
        return False
    return bool(facts.get("weights") == _weights_of(agent))


def _write(folder: Path, name: str, agent: PlainSearchAgent) -> None:
    """Makes a file, and its shared module if others can help; the facts come first, so that a
    module is never without them."""
    portable = agent.portable()
    assert portable is not None
    entry = portable.kernel.code_for(targets.WASM, *portable.arguments(agent.game.start()))
    module = wasm.linked([entry])
    shared = wasm.linked([entry], shared=True) if portable.helping else b""
    curve = curve_of(agent.game, agent)
    facts = {
        "symbol": entry.symbol,
        "sha256": hashlib.sha256(module).hexdigest(),
        "shared": hashlib.sha256(shared).hexdigest() if shared else "",
        "curve": [curve.steepness, curve.middle],
        "weights": _weights_of(agent),
    }
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / f"{name}.json", json.dumps(facts) + "\n")
    if shared:
        write_whole(folder / f"{name}{_SHARED}.wasm", shared)
    write_whole(folder / f"{name}.wasm", module)


def built_in(made: Callable[[str], Game]) -> Iterator[PlainSearchAgent]:
    """The searches that are asked for most, of every game of ours that they can play."""
    for game in map(made, games.names()):
        if not EngineAgent.unable(game):
            yield EngineAgent(game)
        if game.has_chance and not ExpectimaxAgent.unable(game):
            yield ExpectimaxAgent(game)
        if not MctsAgent.unable(game):
            yield MctsAgent(game)


def write_shipped(folder: Path = SHIPPED) -> list[str]:
    """Writes the searches of all built-in games, and deletes what is stale."""
    wanted = []
    for agent in built_in(games.make):
        name = _names(_search_of(agent))[0]
        wanted.append(name)
        if not ((path := folder / f"{name}.wasm").exists() and is_fitted(path, agent)):
            _write(folder, name, agent)
    for file in folder.iterdir():
        if file.stem.removesuffix(_SHARED) not in wanted:
            file.unlink()
    return wanted


class Making:
    """Makes the files of other games than those that ship, one at a time, where there is a linker.
    Until one is ready the server searches."""

    def __init__(self) -> None:
        self._tried: set[str] = set()
        self._work: asyncio.Task[None] | None = None

    def begin(self, agent: PlainSearchAgent) -> None:
        """Makes a file in a process of its own, if nobody has tried before. Who comes while another
        is made asks again later: nobody can order many."""
        name = _names(_search_of(agent))[1]
        is_busy = self._work is not None and not self._work.done()
        if is_busy or name in self._tried or not wasm.can_link() or _made_here() is None:
            return
        self._tried.add(name)
        self._work = asyncio.create_task(self._make(str(agent.game), str(agent)))

    async def _make(self, game: str, agent: str) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "petteia.web.engines", game, agent,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    async def close(self) -> None:
        """Ends what is being made."""
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)


def main(given: list[str]) -> None:
    """Writes the files that ship, or makes one here."""
    if not given:
        print(*write_shipped(), sep="\n")
        return
    with contextlib.suppress(OSError):
        os.nice(5)
    agent, folder = agent_of(games.make(given[0]), given[1]), _made_here()
    if agent is not None and folder is not None:
        _write(folder, _names(_search_of(agent))[1], agent)
        disk.prune(folder, "*", _MOST_FILES)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except PetteiaError as error:
        sys.exit(f"petteia: {error}")
