"""Engines for visitors' browsers: their files, and the searches that a page can do itself.

    python -m petteia.web.engines               # writes those of the built-in games anew
    python -m petteia.web.engines GAME AGENT    # makes one of another game, kept on this machine

A file is a WebAssembly module and a line of facts beside it. Its name ends with a hash of
everything that its code follows from, so that a stale one is never found: for the files that ship,
a hash of the sources (``source_fingerprint``), since they are made elsewhere; for those that were
made here, the hash by which all compiled code is kept.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import re
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from petteia import agents, games
from petteia.compiled import disk, targets, wasm
from petteia.compiled.fingerprint import fingerprint, source_fingerprint
from petteia.core import files
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import DECISION, Game
from petteia.core.words import Words
from petteia.core.writing import write_whole
from petteia.review.chances import Curve, curve_of, know_curve
from petteia.search.contract import Answer
from petteia.search.deepening import deepen
from petteia.search.engine import Engine, EngineAgent
from petteia.search.pvs import workspace_for
from petteia.web.messages.answers import EngineTask

__all__ = [
    "EngineFile",
    "Making",
    "engine_of",
    "file_named",
    "file_of",
    "look_around",
    "task",
    "weights_named",
    "write_shipped",
]

SHIPPED = Path(__file__).parent / "static" / "engines"
_ADDRESS = "/engines/{}.wasm"
_WEIGHTS = "/engines/{}.weights"
_MOST_FILES = 400
_MOST_SENT = 64
_KEPT = ("killers", "history")
_OWN = ("table", "mask", "generation", "deadline")
"""What whoever searches knows alone: the place of its table, and its clock."""


@dataclass(frozen=True)
class EngineFile:
    """An engine of a game with an evaluation."""

    name: str
    symbol: str
    """The function in it."""
    curve: Curve
    """What its values mean as chances, with the evaluation's own weights."""


# --- files ---------------------------------------------------------------------------------------


def _arguments(game: Game, evaluation: Evaluation) -> tuple[Any, ...]:
    memory = np.zeros(1, workspace_for(evaluation.array)).view(np.recarray)[0]
    return game, evaluation.tag, game.start(), memory


@lru_cache(maxsize=64)
def _names(game: Game, evaluation: Evaluation) -> tuple[str, str]:
    """The names that the file must have: one that ships, and one that was made here."""
    tag = evaluation.tag
    function, sorts = deepen.function, deepen.sorts(_arguments(game, evaluation))
    title = "-".join(
        re.sub(r"\W", "_", Path(each).stem, flags=re.ASCII)[:60]
        for each in (game.spec.name, tag.name)
    )
    made = fingerprint(function, [game, tag], sorts, targets.WASM)
    # Who brings a file may change it while this process lives: what counts is what was loaded.
    if files.is_file_name(game.spec.name) or files.is_file_name(tag.name):
        return "", f"{title}-{made[:32]}"
    source = source_fingerprint(function, [game, tag], sorts, targets.WASM)
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


def file_of(game: Game, evaluation: Evaluation) -> EngineFile | None:
    """The engine's file, if there is one and it is whole."""
    for name in _names(game, evaluation):
        path = file_named(name) if name else None
        found = path and _read(path)
        if found:
            know_curve(game, evaluation.tag, found.curve)
            return found
    return None


@lru_cache(maxsize=64)
def _read(path: Path) -> EngineFile | None:
    try:
        facts = json.loads(path.with_suffix(".json").read_text())
        if facts["sha256"] != hashlib.sha256(path.read_bytes()).hexdigest():
            return None
        return EngineFile(path.stem, facts["symbol"], Curve(*facts["curve"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(folder: Path, name: str, agent: EngineAgent) -> None:
    """Makes a file; the facts come first, so that a module is never without them."""
    game, evaluation = agent.game, agent.evaluation
    entry = deepen.code_for(targets.WASM, *_arguments(game, evaluation))
    module = wasm.linked([entry])
    curve = curve_of(game, agent)
    facts = {
        "symbol": entry.symbol,
        "sha256": hashlib.sha256(module).hexdigest(),
        "curve": [curve.steepness, curve.middle],
    }
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / f"{name}.json", json.dumps(facts) + "\n")
    write_whole(folder / f"{name}.wasm", module)


def look_around(made: Callable[[str], Game]) -> None:
    """Looks for the files that ship, so that the first visitor need not wait for the hashes. They
    are found by the games that ``made`` gives."""
    for agent in _built_in(made):
        file_of(agent.game, agent.evaluation)
        if _apart(agent):
            _kept(agent.evaluation.array)


def _built_in(made: Callable[[str], Game]) -> Iterator[EngineAgent]:
    """The engine of every game of ours that it can play."""
    for game in map(made, games.names()):
        if not EngineAgent.unable(game):
            yield EngineAgent(game)


def write_shipped(folder: Path = SHIPPED) -> list[str]:
    """Writes the engines of all built-in games that one can play, and deletes what is stale."""
    wanted = []
    for agent in _built_in(games.make):
        name = _names(agent.game, agent.evaluation)[0]
        wanted.append(name)
        if not (folder / f"{name}.wasm").exists():
            _write(folder, name, agent)
    for file in folder.iterdir():
        if file.stem not in wanted:
            file.unlink()
    return wanted


# --- searches ------------------------------------------------------------------------------------


def engine_of(game: Game, text: str) -> EngineAgent | None:
    """An agent whose search a browser can do, if this is one."""
    agent = agents.make(text, game)
    if isinstance(agent, EngineAgent) and not agent.proof:
        search = _engine(agent)
        if not search.uses_tables and search.threads == 1:
            return agent
    agent.close()
    return None


def _engine(agent: EngineAgent) -> Engine:
    assert isinstance(agent.search, Engine)
    return agent.search


def task(
    agent: EngineAgent,
    positions: list[Words],
    *,
    most: float,
    seed: int = 0,
    every: bool = False,
) -> EngineTask | None:
    """The search of the last of these positions, of ``most`` seconds at most; None where there is
    no file, or nothing to search."""
    game, p = agent.game, positions[-1]
    file = file_of(game, agent.evaluation)
    if file is None or game.kind(p) != DECISION:
        return None
    question = agent.question(p, seed, int(game.mover(p)))
    question.earlier = positions[:-1] if game.repetitions else ()
    question.every, question.on_depth = every, _heard
    engine = _engine(agent)
    engine.fill(question)
    layout = wasm.layout_of(engine.ws.dtype)
    return {
        "module": _ADDRESS.format(file.name),
        "entry": file.symbol,
        "size": engine.ws.dtype.itemsize,
        "layout": layout,
        "kept": list(_KEPT),
        "fill": _filled(engine.ws, [name for name in layout if name not in _apart(agent)]),
        "weights": _WEIGHTS.format(_kept(question.weights)) if _apart(agent) else None,
        "words": [str(word) for word in p],
        "slots": engine.table.mask + 1,
        "seconds": min(agent.limits.seconds or most, most),
    }


def _heard(_: Answer) -> None:
    """The page wants to hear of every depth."""


def _apart(agent: EngineAgent) -> tuple[str, ...]:
    """What is sent by itself, once: the many numbers of a network."""
    return ("weights",) if agent.evaluation.remembers else ()


_sent: OrderedDict[str, bytes] = OrderedDict()
"""Weights of networks by their hash."""


def _kept(weights: np.ndarray) -> str:
    content = weights.tobytes()
    name = hashlib.sha256(content).hexdigest()[:32]
    _sent[name] = content
    _sent.move_to_end(name)
    while len(_sent) > _MOST_SENT:
        _sent.popitem(last=False)
    return name


def weights_named(name: str) -> bytes | None:
    """The weights of a network that a page was told of."""
    return _sent.get(name)


def _filled(record: Any, names: Iterable[str]) -> dict[str, list[str]]:
    """The fields of a record that are not all zeros, each up to its last number that is none."""
    found = {}
    for name in names:
        numbers = np.trim_zeros(np.ravel(record[name]), "b")
        if len(numbers) and name not in _OWN:
            found[name] = [repr(number) for number in numbers.tolist()]
    return found


class Making:
    """Makes the files of other games than those that ship, one at a time, where there is a linker.
    Until one is ready the server searches."""

    def __init__(self) -> None:
        self._tried: set[str] = set()
        self._work: asyncio.Task[None] | None = None

    def begin(self, agent: EngineAgent) -> None:
        """Makes a file in a process of its own, if nobody has tried before. Who comes while another
        is made asks again later: nobody can order many."""
        name = _names(agent.game, agent.evaluation)[1]
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
    agent, folder = engine_of(games.make(given[0]), given[1]), _made_here()
    if agent is not None and folder is not None:
        _write(folder, _names(agent.game, agent.evaluation)[1], agent)
        disk.prune(folder, "*", _MOST_FILES)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except PetteiaError as error:
        sys.exit(f"petteia: {error}")
