"""What a class has handed in: a folder of Python files, folders and programs.

Nothing of it is run or imported here. Each submission is known by its name and by a hash of its
content; every version is copied to a folder of its own, which is all that its sandbox shows: no
submission sees another, and one that is edited during a game plays it to the end as it was.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import shutil
import stat
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from petteia.core.errors import PetteiaError, one_line, one_of
from petteia.core.writing import make_folder

__all__ = [
    "SETTINGS", "STATE", "Submission", "folder_name", "identity", "one_at_a_time", "read_folder",
    "shortened", "stamp",
]  # fmt: skip

SETTINGS = "petteia.toml"
STATE = ".ladder"
"""The folder for what a ladder keeps: games and versions."""
_KEYS = ("agent", "command")
_MOST_FILES = 1000
_MOST_BYTES = 64 << 20
_HASH = 16
_PLACE = re.compile(rf'[^"=]*{re.escape(STATE)}/versions/')
_STARTUP = re.compile(r", startup=[^,()]*")
_KEPT_AT = re.compile(rf"[^\s'\"()]*{re.escape(STATE)}/versions/[^/\s]+/[0-9a-f]{{{_HASH}}}/")


@dataclass(frozen=True)
class Submission:
    """One version of what somebody has handed in."""

    name: str
    version: str = ""
    """The hash of its content; empty if it could not be read."""
    home: Path | None = None
    """The folder of this version."""
    agent: str = ""
    """``file.py`` or ``file.py:thing`` in that folder, or"""
    command: str = ""
    """the command that starts a program there."""
    problem: str = ""
    """Why it cannot play, in one line."""


def _taken(folder: Path) -> list[Path]:
    """What is handed in: names that begin with ``.`` or ``_`` are not."""
    try:
        found = sorted(folder.iterdir())
    except OSError as error:
        raise PetteiaError(f"cannot read the folder {folder}: {error.strerror}") from None
    return [
        path for path in found
        if not path.name.startswith((".", "_")) and (path.suffix == ".py" or path.is_dir())
    ]  # fmt: skip


def stamp(folder: Path) -> list[tuple[str, int, int]]:
    """Changes when something in the folder does: every file with its time and size."""
    found = []
    for path in _taken(folder):
        for place in (path, *(path.rglob("*") if path.is_dir() else ())):
            with contextlib.suppress(OSError):
                facts = place.lstat()
                found.append((str(place), facts.st_mtime_ns, facts.st_size))
    return found


@contextlib.contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Refuses a second ladder on the same folder, where the system can tell."""
    make_folder(folder / STATE)
    with (folder / STATE / "lock").open("w") as file:
        if sys.platform != "win32":
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise PetteiaError(f"another ladder is playing in {folder}") from None
        yield


def read_folder(folder: Path) -> list[Submission]:
    """The submissions in a folder, by name."""
    taken = _taken(folder)
    names = [_name(path) for path in taken]
    read = []
    for path, name in zip(taken, names, strict=True):
        if names.count(name) > 1:
            why = f"there are a file {name}.py and a folder {name}; hand in one of them"
            read.append(Submission(f"{name}{'.py' if path.is_file() else ''}", problem=why))
        else:
            read.append(_read(path, name, folder.absolute() / STATE / "versions"))
    return read


def _name(path: Path) -> str:
    name = path.name if path.is_dir() else path.stem
    # A name may hold bytes that no text has, or signs that would change a page or a terminal.
    return one_line(os.fsencode(name).decode(errors="replace"))


def folder_name(name: str) -> str:
    """A name as that of a folder or a page: no two names have the same."""
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", name)
    mark = hashlib.sha256(name.encode()).hexdigest()[:8]
    return name if plain == name and len(name) < 60 else f"{plain[:50]}.{mark}"


def shortened(text: str, folder: Path) -> str:
    """A message about a submission without the place where the ladder keeps its versions."""
    text = text.replace(f"{folder.absolute() / STATE}/", f"{STATE}/")
    return _KEPT_AT.sub("", text)


def identity(spec: str) -> str:
    """What an agent is, from its spec: the same wherever the ladder's folder lies, and however long
    it may take to start."""
    return _STARTUP.sub("", _PLACE.sub("", spec))


def _read(path: Path, name: str, versions: Path) -> Submission:
    try:
        contents = _contents(path)
        version = _hash(contents)
        agent, command = _settings(contents) if path.is_dir() else (path.name, "")
        home = _kept(contents, versions / folder_name(name) / version)
    except PetteiaError as error:
        return Submission(name, problem=one_line(str(error)))
    except (OSError, ValueError) as error:
        return Submission(name, problem=one_line(f"cannot be read: {error}"))
    return Submission(name, version, home, agent, command)


@dataclass(frozen=True)
class _File:
    name: str
    """Its path within the submission, with ``/``."""
    content: bytes
    is_program: bool


def _contents(path: Path) -> list[_File]:
    """The files of a submission in the order of their names."""
    places = [(path.name, path)] if path.is_file() else _within(path)
    found: list[_File] = []
    total = 0
    for name, place in places:
        facts = place.stat()
        total += facts.st_size
        if total > _MOST_BYTES:
            raise PetteiaError(f"it has more than {_MOST_BYTES >> 20} MiB")
        is_program = bool(facts.st_mode & stat.S_IXUSR)
        found.append(_File(name, place.read_bytes(), is_program))
    return sorted(found, key=lambda file: file.name)


def _within(folder: Path) -> list[tuple[str, Path]]:
    found: list[tuple[str, Path]] = []
    for above, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if not each.startswith((".", "__pycache__"))]
        for name in (*names, *folders):
            place = Path(above, name)
            # A link would show its target, a file of the teacher perhaps, in the sandbox.
            if place.is_symlink():
                raise PetteiaError(f"{name} is a link; hand in the file itself")
            if name in folders or name.startswith("."):
                continue
            if not place.is_file():
                raise PetteiaError(f"{name} is no plain file")
            found.append((place.relative_to(folder).as_posix(), place))
            if len(found) > _MOST_FILES:
                raise PetteiaError(f"it has more than {_MOST_FILES:,} files")
    return found


def _hash(contents: Iterable[_File]) -> str:
    seen = hashlib.sha256()
    for file in contents:
        seen.update(repr((file.name, file.content, file.is_program)).encode())
    return seen.hexdigest()[:_HASH]


def _kept(contents: Iterable[_File], home: Path) -> Path:
    """The version's own folder, filled if it is new: whole or not at all."""
    if home.is_dir():
        return home
    fresh = home.parent / f".{secrets.token_hex(8)}.part"
    try:
        for file in contents:
            place = fresh / file.name
            make_folder(place.parent)
            place.write_bytes(file.content)
            place.chmod(0o755 if file.is_program else 0o644)
        fresh.replace(home)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return home


def _settings(contents: list[_File]) -> tuple[str, str]:
    """The agent or the command of a folder: as its settings say, else its only Python file, or the
    one called ``agent.py``."""
    files = {file.name: file.content for file in contents}
    if SETTINGS in files:
        return _of_toml(files[SETTINGS], files)
    top = [name for name in files if name.endswith(".py") and "/" not in name]
    if "agent.py" in top:
        return "agent.py", ""
    if len(top) != 1:
        raise PetteiaError(
            f"the folder holds {len(top)} Python files; call one agent.py, or write {SETTINGS} "
            'with agent = "file.py" or command = "program"'
        )
    return top[0], ""


def _of_toml(content: bytes, files: dict[str, bytes]) -> tuple[str, str]:
    try:
        given = tomllib.loads(content.decode())
    except ValueError as error:
        raise PetteiaError(f"{SETTINGS}: {error}") from None
    for key, value in given.items():
        if key not in _KEYS:
            raise one_of(key, _KEYS, what=f"key in {SETTINGS}")
        if not isinstance(value, str) or not value.strip():
            raise PetteiaError(f"{SETTINGS}: {key} is {value!r}; expected a text")
    if len(given) != 1:
        raise PetteiaError(f'{SETTINGS}: write one of agent = "file.py" and command = "program"')
    agent, command = given.get("agent", ""), given.get("command", "")
    if agent:
        name, _, thing = agent.partition(":")
        name = str(PurePosixPath(name))
        if name not in files or not name.endswith(".py"):
            raise PetteiaError(f"{SETTINGS}: there is no Python file {name!r} in the folder")
        agent = f"{name}:{thing}" if thing else name
    return agent, command
