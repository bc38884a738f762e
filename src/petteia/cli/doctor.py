"""``petteia doctor``: what this machine can do."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass

import typer

from petteia.agents import sandbox
from petteia.arena.store import Store, default_path
from petteia.arena.store.schema import MIGRATIONS
from petteia.cli import output
from petteia.cli.options import Json
from petteia.compiled import disk, is_interpreted
from petteia.core.errors import PetteiaError
from petteia.core.gpu import cupy_for
from petteia.core.processors import processors, quota

__all__ = ["Finding", "run"]

_NEEDED = ("compiler", "processors", "cache", "store")
_TIME_TO_COMPILE = 120.0
_GIB = 1 << 30

# In a process of its own, because a compiler that does not fit this machine may crash.
_TINY = """
from petteia.compiled import kernel

@kernel
def squares(x: int) -> int:
    total = 0
    for i in range(x):
        total += i * i
    return total

assert squares(1000) == 332833500
import llvmlite, numba
print(f"Numba {numba.__version__} with llvmlite {llvmlite.__version__}")
"""


@dataclass(frozen=True)
class Finding:
    """Whether one thing works."""

    ok: bool
    """Whether it works."""
    says: str
    """One sentence: what there is, and what to do if it does not work."""


def _compiler() -> Finding:
    if is_interpreted():
        return Finding(True, "switched off: PETTEIA_INTERPRET or NUMBA_DISABLE_JIT is set")
    try:
        done = subprocess.run(
            [sys.executable, "-c", _TINY], capture_output=True, text=True,
            timeout=_TIME_TO_COMPILE, env={**os.environ, "PETTEIA_CACHE": "off"},
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding(False, f"a small kernel could not be compiled: {error}")
    if done.returncode == 0:
        return Finding(True, f"{done.stdout.strip()} compiles, and what it compiled runs")
    lines = done.stderr.strip().splitlines()
    why = lines[-1] if lines else f"it ended with code {done.returncode}"
    advice = "install numba and llvmlite again, or set PETTEIA_INTERPRET=1, which is slow"
    return Finding(False, f"a small kernel could not be compiled: {why}; {advice}")


def _processors() -> Finding:
    here, usable, share = os.cpu_count() or 1, processors(), quota()
    limit = f"; a limit of this container or service gives {share:g}" if share < math.inf else ""
    return Finding(True, f"{usable} of {here} can be used{limit}")


def _gpu() -> Finding:
    what, instead = "solving and training", "nothing else needs one"
    try:
        cupy = cupy_for(what, instead)
        name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
        if int(cupy.arange(1000).sum()) != 499500:
            return Finding(False, f"{name} computes wrongly; {instead}")
    except PetteiaError as error:
        return Finding(False, str(error))
    except Exception as error:  # noqa: BLE001  (a driver may fail in any way; told)
        return Finding(False, f"the GPU fails: {type(error).__name__}; {instead}")
    return Finding(True, f"{name} can be used by {what}; {instead}")


def _sandbox() -> Finding:
    protection = sandbox.protection()
    return Finding(not protection.missing, str(protection))


def _cache() -> Finding:
    if os.environ.get("PETTEIA_CACHE", "").lower() == "off":
        return Finding(True, "switched off: PETTEIA_CACHE=off compiles everything at every start")
    folder = disk.folder()
    if folder is None:
        return Finding(
            False,
            "no folder can be written, so everything is compiled at every start; "
            "PETTEIA_CACHE names one",
        )
    sizes = [file.stat().st_size for file in folder.glob("*.kernel")]
    return Finding(True, f"{folder} keeps {len(sizes)} kernels in {sum(sizes) / 2**20:.1f} MiB")


def _store() -> Finding:
    path = default_path()
    if str(path).lower() == "off":
        return Finding(True, "switched off: PETTEIA_STORE=off keeps no games")
    there = next(place for place in (path, *path.absolute().parents) if place.exists())
    free = f"{shutil.disk_usage(there).free / _GIB:.1f} GiB are free"
    if there != path:
        can = os.access(there, os.W_OK | os.X_OK)
        advice = f"cannot be made, since {there} cannot be written; PETTEIA_STORE names another"
        return Finding(
            can, f"{path} {'will be made by the first match' if can else advice}; {free}"
        )
    with Store(path) as store:
        count = len(store.series())
    return Finding(True, f"{path} holds {count} series, version {len(MIGRATIONS)}; {free}")


_PARTS: dict[str, Callable[[], Finding]] = {
    "compiler": _compiler, "processors": _processors, "gpu": _gpu, "sandbox": _sandbox,
    "cache": _cache, "store": _store,
}  # fmt: skip


def _found(look: Callable[[], Finding]) -> Finding:
    try:
        return look()
    except PetteiaError as error:
        return Finding(False, str(error))
    except OSError as error:
        return Finding(False, f"{error.filename or 'file'}: {error.strerror or error}")


def run(as_json: Json = False) -> None:
    """Looks at everything; exit code 1 if something that is needed does not work."""
    found = {name: _found(look) for name, look in _PARTS.items()}
    rows = [(name, output.plain(each.ok), each.says) for name, each in found.items()]
    facts = {name: asdict(each) for name, each in found.items()}
    output.show(facts, as_json, lambda: output.table("", ["", "works", ""], rows))
    if not all(found[name].ok for name in _NEEDED):
        raise typer.Exit(1)
