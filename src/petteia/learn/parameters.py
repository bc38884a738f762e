"""What training learns, as real numbers, and the file that keeps it."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import LANES
from petteia.core.errors import PetteiaError
from petteia.core.rules import Rules
from petteia.core.writing import writing_whole

__all__ = ["SHAPES", "Parameters", "is_file_name", "parameters", "save", "start_of"]

SHAPES = ("network", "linear", "patterns")
_KIND = "petteia network"
_NONE = np.zeros((0, 0), np.float32)


class Parameters(NamedTuple):
    """The numbers of a network; what a linear evaluation or patterns have instead stands below."""

    rows: np.ndarray
    """(sides x words x 64, hidden). Linear: (..., phases). Patterns: (..., regions), whole numbers:
    by how much a bit raises the place in the table of a region; not learned, but chosen."""
    bias: np.ndarray
    """(sides, hidden). Linear: (sides, phases). Patterns: (sides, regions), the place at which the
    part of a player begins."""
    out: np.ndarray
    """(phases, 2, hidden); with a second layer (phases, layers). Linear: (phases, 0). Patterns:
    (phases, regions, size), the tables."""
    rest: np.ndarray
    """(phases,)"""
    steps: np.ndarray
    """(phases - 1,): so many set bits begin the next phase; not learned, but chosen so that the
    phases have equally many positions."""
    inner: np.ndarray = _NONE
    """(2 x hidden, layers): the second layer, where there is one."""
    inner_bias: np.ndarray = _NONE
    """(phases, layers)"""
    shape: str = "network"


def start_of(game: Rules) -> list[str]:
    """The start as player 0 sees it: boards on which bits mean the same have the same."""
    return [f"{int(word):x}" for word in game.seen_by(game.start(), 0)]


def save(path: Path, game: Rules, learned: Parameters, facts: dict[str, Any]) -> None:
    """Writes what was learned to a file, with the game that it is for and how it was learned."""
    numbers = learned._asdict()
    about = {
        "kind": _KIND, "game": str(game), "start": start_of(game), "shape": numbers.pop("shape"),
        **facts,
    }  # fmt: skip
    with writing_whole(path) as file:
        text = np.array(json.dumps(about, ensure_ascii=False))
        np.savez_compressed(file, about=text, **numbers)


def is_file_name(name: str) -> bool:
    """Whether a name in a spec means a file of this kind."""
    return name.endswith(".npz")


def parameters(path: Path) -> tuple[Parameters, dict[str, Any]]:
    """What a file holds: the numbers, and how they were learned."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            facts = json.loads(str(found["about"]))
            if not isinstance(facts, dict) or not {"game", "start"} <= facts.keys():
                raise ValueError
            learned = _complete({field: found[field] for field in found.files if field != "about"})
        learned = learned._replace(shape=str(facts.get("shape", SHAPES[0])))
        if facts["kind"] != _KIND or not _is_sound(learned):
            raise ValueError
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        raise PetteiaError(
            f"{path} does not hold a network; petteia learn writes such files"
        ) from None
    return learned, facts


def _complete(found: dict[str, Any]) -> Parameters:
    """The parameters in a file; files of before there were phases have one."""
    if "steps" not in found:
        found |= {"out": found["out"][None], "steps": np.zeros(0, np.int64)}
    return Parameters(**found)


def _is_sound(learned: Parameters) -> bool:
    *numbers, shape = learned
    rows, bias, out, rest, steps, inner, inner_bias = numbers
    if rows.ndim != 2 or bias.ndim != 2 or rest.ndim != 1 or not len(rest) or not len(bias):
        return False
    width, phases, layers = rows.shape[1], len(rest), inner.shape[-1]
    fits = width > 0 and bias.shape[1] == width and len(rows) % len(bias) == 0
    fits = fits and steps.shape == (phases - 1,) and steps.dtype.kind == "i"
    fits = fits and all(np.isfinite(each).all() for each in numbers)
    fits = fits and all(each.dtype.kind == "f" for each in (out, rest, inner, inner_bias))
    kinds = rows.dtype.kind + bias.dtype.kind
    if shape == "patterns":
        return fits and kinds == "ii" and _are_tables(rows, bias, out, phases)
    fits = fits and kinds == "ff"
    if shape == "linear":
        return fits and width == phases <= LANES and not out.size
    fits = fits and shape == "network" and width % LANES == 0
    if not layers:
        return fits and out.shape == (phases, 2, width)
    return (
        fits and inner.shape == (2 * width, layers) and out.shape == inner_bias.shape
        and out.shape == (phases, layers)
    )  # fmt: skip


def _are_tables(rows: np.ndarray, bias: np.ndarray, out: np.ndarray, phases: int) -> bool:
    """Whether no position whatever leads beyond a table."""
    if out.shape[:2] != (phases, rows.shape[1]) or out.ndim != 3 or rows.shape[1] % LANES:
        return False
    highest = bias + rows.reshape(len(bias), -1, rows.shape[1]).sum(axis=1)
    return min(rows.min(), bias.min()) >= 0 and bool(highest.max() < min(out.shape[2], 2**15))
