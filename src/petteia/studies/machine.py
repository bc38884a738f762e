"""What an experiment ran on: the machine and the versions that its figures belong to."""

from __future__ import annotations

import importlib.metadata
import platform
from pathlib import Path

from petteia import __version__
from petteia.core.processors import processors

__all__ = ["machine", "versions"]

_LIBRARIES = ("numpy", "numba", "llvmlite", "scipy")
"""Those that results can depend on."""


def versions() -> dict[str, str]:
    """The versions of Petteia, Python and the libraries that compute."""
    found = {"petteia": __version__, "python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def machine(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """The machine in one line, without its name: processor, how many of them, system."""
    count = processors()
    many = "1 processor" if count == 1 else f"{count} processors"
    return f"{_processor(cpuinfo)}, {many}, {platform.system()} {platform.machine()}"


def _processor(cpuinfo: Path) -> str:
    try:
        lines = cpuinfo.read_text(errors="replace").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or "an unknown processor"
