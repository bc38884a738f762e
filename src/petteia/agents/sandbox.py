"""What keeps a user's agent from doing harm, as strong as this system can do it.

There are three rungs, and the strongest that works is taken: *bubblewrap* (``bwrap``), *namespaces*
(``unshare`` of util-linux) and *limits* alone. ``PETTEIA_SANDBOX`` names another. All of them run
the agent under a supervisor (``core/supervisor.py``) with limits; ``protection`` says in words what
is on and what is missing.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from petteia.compiled import disk
from petteia.core import files, saved
from petteia.core.errors import one_of
from petteia.core.spec import Spec
from petteia.solve import tablefile

__all__ = [
    "DEFAULT_MEMORY", "RUNGS", "Protection", "environment", "files_of", "hide", "limits",
    "own_cache", "protection", "wrapped",
]  # fmt: skip

DEFAULT_MEMORY = 1024
"""MiB of memory for an agent and all that it starts."""
_PROCESSES = 64
_OPEN_FILES = 256
_LARGEST_FILE = 64 << 20
_SCRATCH = 256 << 20
"""Bytes of the private temporary folder, which lies in memory."""
_OWN_CACHE = 64 << 20
_MOST_CACHES = 200
_HIDDEN = "PETTEIA_HIDDEN"
_MOST_HIDDEN = 20
_TIME_TO_PROBE = 20.0

_ALWAYS = (
    "limits of memory, processes and files; stopped between their moves; ended with all that they "
    "have started"
)
_NAMESPACES = "no other processes and no network in sight"
_FILES = "only their own folder and Python to read, only a folder of their own to write"


@dataclass(frozen=True)
class Protection:
    """What an agent from a file is kept from on this machine."""

    rung: str
    on: tuple[str, ...]
    missing: tuple[str, ...]
    """What a stronger rung would add, and how to get it."""

    def __str__(self) -> str:
        text = f"agents from files run under {self.rung}: " + "; ".join(self.on)
        return f"{text}. Missing: {'; '.join(self.missing)}" if self.missing else text


_GET = "install bubblewrap (on Debian: apt install bubblewrap) or allow user namespaces"
_PROTECTIONS = {
    "bubblewrap": Protection("bubblewrap", (_ALWAYS, _NAMESPACES, _FILES), ()),
    "namespaces": Protection(
        "namespaces", (_ALWAYS, _NAMESPACES),
        ("they can read and write what you can, the store included", _GET),
    ),
    "limits": Protection(
        "limits alone", (_ALWAYS,),
        (
            "they can end your other processes, use the network, and read and write what you can, "
            "the store included", _GET,
        ),
    ),
}  # fmt: skip
RUNGS = tuple(_PROTECTIONS)
"""The strongest first."""


# --- what is visible ---------------------------------------------------------------------------


def hide(path: Path) -> None:
    """No agent may see this file, or those whose names begin with its: a store and its log.

    Kept in the environment, so that worker processes know it too.
    """
    known = os.environ.get(_HIDDEN, "").split("\n")
    full = str(path.absolute())
    if full not in known:
        os.environ[_HIDDEN] = "\n".join([*filter(None, known), full][-_MOST_HIDDEN:])


def files_of(spec: Spec) -> list[Path]:
    """The Python files that a spec names, also in its arguments."""
    found = [files.path_of(spec.name)] if files.is_file_name(spec.name) else []
    for _, value in spec.arguments:
        if isinstance(value, Spec):
            found += files_of(value)
    return found


def _hidden() -> list[Path]:
    named = [*os.environ.get(_HIDDEN, "").split("\n"), os.environ.get("PETTEIA_STORE", "")]
    return [place for name in named if name for place in {Path(name).absolute(), _real(Path(name))}]


def _real(path: Path) -> Path:
    return path.absolute().resolve()


def _shown(folder: Path, hidden: Sequence[Path]) -> list[Path]:
    """The folder, or what may be seen of it."""
    within = [path for path in hidden if path.is_relative_to(folder)]
    home = Path.home()
    if home.is_relative_to(folder):
        # A home is full of secrets: of it only what can be imported is shown.
        return [
            each for each in _entries(folder)
            if each.suffix == ".py" or (each / "__init__.py").is_file()
        ]  # fmt: skip
    if not within:
        return [folder]
    shown = []
    for each in _entries(folder):
        # Beside a store lie its log and its index.
        if not any(str(each).startswith(str(path)) for path in within):
            shown += _shown(each, within) if each.is_dir() else [each]
    return shown


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _python() -> list[Path]:
    """Where the interpreter, its libraries and this package are."""
    found = [Path(sys.prefix), Path(sys.base_prefix), _real(Path(sys.executable)).parent]
    found += [Path(place) for place in sysconfig.get_paths().values()]
    found += [Path(place).absolute() for place in _python_path() if place]
    found.append(Path(__file__).parents[1])
    user = sysconfig.get_path("purelib", f"{os.name}_user")
    return [*found, Path(user)]


def _python_path() -> list[str]:
    return os.environ.get("PYTHONPATH", "").split(os.pathsep)


def _visible(wanted: Iterable[Path]) -> list[Path]:
    """Everything that the agent may read, without what lies in something else of it."""
    places = {*_python(), tablefile.folder().absolute(), saved.folder().absolute()}
    for file in wanted:
        # A path may lead through a link, and so to two places.
        places |= {Path(os.path.abspath(file)).parent, _real(file).parent}  # noqa: PTH100 (..)
    if (kernels := disk.folder()) is not None:
        places.add(kernels)
    hidden = _hidden()
    shown = {part for place in places for part in _shown(place, hidden)}
    kept: list[Path] = []
    for path in sorted(shown, key=lambda path: len(path.parts)):
        if path.exists() and not any(path.is_relative_to(other) for other in kept):
            kept.append(path)
    return kept


def own_cache(file: Path) -> Path | None:
    """Where the agent of a file keeps what it compiles: machine code of an agent must never run in
    another process, so each has a folder of its own, and a new one when something is edited."""
    kernels = disk.folder()
    if kernels is None:
        return None
    seen = hashlib.sha256(str(_real(file)).encode())
    for each in sorted(_real(file).parent.glob("*.py")):
        with contextlib.suppress(OSError):
            seen.update(repr((each.name, each.read_bytes())).encode())
    place = kernels.parent / "agents" / seen.hexdigest()[:40]
    try:
        held = list(place.rglob("*"))
        if 2 * sum(each.lstat().st_size for each in held) > _OWN_CACHE:
            shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        place.touch()
        others = sorted(place.parent.iterdir(), key=lambda other: other.stat().st_mtime)
    except OSError:
        return None
    for other in others[:-_MOST_CACHES]:
        shutil.rmtree(other, ignore_errors=True)
    return place


# --- the rungs ---------------------------------------------------------------------------------

_SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives",
    "/etc/localtime",
)  # fmt: skip


def _bubblewrap(visible: Sequence[Path], cache: Path | None) -> list[str]:
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    for name in _SYSTEM:
        path = Path(name)
        if path.is_symlink() and name.count("/") == 1:
            words += ["--symlink", str(path.readlink()), name]
        elif path.exists():
            words += ["--ro-bind", name, name]
    words += ["--proc", "/proc", "--dev", "/dev", "--size", str(_SCRATCH), "--tmpfs", "/dev/shm"]
    words += ["--remount-ro", "/dev", "--size", str(_SCRATCH), "--tmpfs", "/tmp"]
    for path in visible:
        if not any(path.is_relative_to(name) for name in _SYSTEM):
            words += ["--ro-bind", str(path), str(path)]
    if cache is not None:
        words += ["--bind", str(cache), str(cache)]
    here = str(Path.cwd())
    return [*words, "--dir", here, "--remount-ro", "/", "--chdir", here, "--"]


def _namespaces(_visible: Sequence[Path], _cache: Path | None) -> list[str]:
    return [
        "unshare", "--user", "--map-current-user", "--pid", "--fork", "--kill-child",
        "--mount-proc", "--net", "--ipc", "--uts", "--",
    ]  # fmt: skip


_WRAPPERS: dict[str, Callable[[Sequence[Path], Path | None], list[str]]] = {
    "bubblewrap": _bubblewrap, "namespaces": _namespaces, "limits": lambda *_: [],
}  # fmt: skip


def _works(rung: str) -> bool:
    """Whether this Python starts there."""
    words = _WRAPPERS[rung](_visible(()), None)
    if words and shutil.which(words[0]) is None:
        return False
    try:
        done = subprocess.run(
            [*words, sys.executable, "-I", "-S", "-c", ""],
            capture_output=True, timeout=_TIME_TO_PROBE, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


@lru_cache(maxsize=8)
def _strongest(named: str) -> str:
    if named and named not in RUNGS:
        raise one_of(named, RUNGS, what="PETTEIA_SANDBOX")
    return named or next(rung for rung in RUNGS if _works(rung))


def _rung() -> str:
    return _strongest(os.environ.get("PETTEIA_SANDBOX", ""))


def protection() -> Protection:
    """What is on here."""
    if os.name != "posix":
        return Protection("no protection", (), ("all of it: this system has no means for it",))
    found = _PROTECTIONS[_rung()]
    if not Path("/proc/self").exists():
        each = "limits of memory and processes of all together: they hold for each process alone"
        found = replace(found, missing=(*found.missing, each))
    return found


def wrapped(command: Sequence[str], wanted: Iterable[Path], cache: Path | None) -> list[str]:
    """The command as it runs in the sandbox; the folders of the wanted files are visible there, and
    the cache can be written."""
    return [*_WRAPPERS[_rung()](_visible(wanted), cache), *command]


def limits(memory: int) -> dict[str, int]:
    """The limits for the supervisor; memory in MiB."""
    found = {
        "memory": memory << 20, "processes": _PROCESSES, "files": _OPEN_FILES,
        "file_size": _LARGEST_FILE, "cache": _OWN_CACHE,
    }  # fmt: skip
    return found | ({"signals": 1} if _rung() == "bubblewrap" else {"folder": 1})


_KEPT = ("PATH", "PYTHONPATH", "LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH", "PETTEIA_INTERPRET")
_KEPT_BEGINNINGS = ("LC_", "NUMBA_")


def environment(cache: Path | None) -> dict[str, str]:
    """The environment of an agent: nothing of the user's but what Python needs."""
    kept = {
        key: value for key, value in os.environ.items()
        if key in _KEPT or key.startswith(_KEPT_BEGINNINGS)
    }  # fmt: skip
    kernels = disk.folder()
    return kept | {
        "HOME": "/tmp", "TMPDIR": "/tmp", "USER": "agent", "LOGNAME": "agent",
        "PETTEIA_STORE": "off",
        "PETTEIA_TABLES": str(tablefile.folder().absolute()),
        "PETTEIA_WEIGHTS": str(saved.folder().absolute()),
        "PETTEIA_CACHE": str(cache or "off"),
        "PETTEIA_CACHE_READ": str(kernels or ""),
        # One processor is an agent's share.
        **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
        "NUMBA_NUM_THREADS": "1",
    }  # fmt: skip
