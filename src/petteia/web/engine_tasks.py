"""Searches that a page does itself: what it is told to fill, to call and to read."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from petteia.compiled import wasm
from petteia.core.game import DECISION, Game
from petteia.core.words import Words
from petteia.search.contract import Answer, Limits, PlainSearchAgent
from petteia.search.portable import Portable
from petteia.web.engines import EngineFile, built_in, evaluation_of, file_of
from petteia.web.messages.searches import EngineTask, HelpingTask

__all__ = ["prepare", "task", "weights_named"]

_ADDRESS = "/engines/{}.wasm"
_WEIGHTS = "/engines/{}.weights"
_MOST_SENT = 64
_OWN = ("deadline",)
"""What whoever searches knows alone: its clock."""


def task(
    agent: PlainSearchAgent,
    positions: list[Words],
    *,
    most: float,
    seed: int = 0,
    every: bool = False,
) -> EngineTask | None:
    """The search of the last of these positions, of ``most`` seconds at most; None where there is
    no file, or nothing to search."""
    game, p = agent.game, positions[-1]
    portable, file = agent.portable(), file_of(agent)
    if portable is None or file is None or game.kind(p) != DECISION:
        return None
    question = agent.question(p, seed, int(game.mover(p)))
    question.earlier = positions[:-1] if game.repetitions else ()
    question.every, question.on_depth = every, _heard
    portable.fill(question)
    memory, apart = portable.memory, _apart(agent)
    layout = wasm.layout_of(memory.dtype)
    untold = (*apart, *_OWN, portable.pointer)
    return {
        "module": _ADDRESS.format(file.name),
        "entry": file.symbol,
        "arguments": list(wasm.flattened(portable.arguments(p))),
        "size": memory.dtype.itemsize,
        "layout": layout,
        "kept": list(portable.kept),
        "fill": _filled(memory, [name for name in layout if name not in untold]),
        "weights": _WEIGHTS.format(_kept(question.weights)) if apart else None,
        "bytes": portable.array.nbytes,
        "pointer": portable.pointer or None,
        "seconds": min(agent.limits.seconds or most, most),
        "helping": _helping(agent, portable, file) if every else None,
    }


def _helping(agent: PlainSearchAgent, portable: Portable, file: EngineFile) -> HelpingTask | None:
    """How a second worker helps: with a time alone, for others want the same answer every time."""
    helping, limits = portable.helping, agent.limits
    fits = 2 * portable.array.nbytes <= wasm.MOST_SHARED
    if helping is None or not file.shared or not fits or limits != Limits(seconds=limits.seconds):
        return None
    return {
        "module": _ADDRESS.format(file.shared),
        "memory": wasm.MOST_SHARED,
        "stack": wasm.STACK,
        "pointer": helping.pointer,
        "bytes": helping.bytes,
        "fill": dict(helping.fill),
    }


def _heard(_: Answer) -> None:
    """The page wants to hear of every depth."""


def prepare(made: Callable[[str], Game]) -> None:
    """Looks for the files and weights that ship, so that the first visitor need not wait. They are
    found by the games that ``made`` gives."""
    for agent in built_in(made):
        evaluation = evaluation_of(agent)
        if file_of(agent) is not None and evaluation is not None and _apart(agent):
            _kept(evaluation.array)


def _apart(agent: PlainSearchAgent) -> tuple[str, ...]:
    """What is sent by itself, once: the many numbers of a network."""
    evaluation = evaluation_of(agent)
    return ("weights",) if evaluation is not None and evaluation.remembers else ()


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
        numbers = np.ravel(record[name])
        (places,) = np.nonzero(numbers)
        if len(places):
            found[name] = [repr(number) for number in numbers[: places[-1] + 1].tolist()]
    return found
