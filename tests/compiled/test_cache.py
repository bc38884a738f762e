"""Compiled kernels on disk: found again when nothing changed, and never stale.

Each run is a process of its own, as it is for a user who edits a file and starts again.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import petteia
from petteia.compiled import disk
from petteia.compiled.disk import folder

SOURCES = Path(petteia.__file__).parent

GAME = '''
"""A game of adding up to nine."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import helper
from petteia.core.game import DECISION, TERMINAL, Game
from petteia.core.words import U, Words

BONUS = 300
TABLE = np.array([int(n) for n in (Path(__file__).parent / "table.txt").read_text().split()])


class Adding(Game):
    def start(self) -> Words:
        return (U(8), U(0))

    def kind(self, p: Words) -> int:
        return TERMINAL if p[0] >= U(9) else DECISION

    def mover(self, p: Words) -> int:
        return np.int64(p[1])

    def moves(self, p: Words, out: np.ndarray, at: int) -> int:
        out[at] = 1
        return at + 1

    def play(self, p: Words, move: int) -> Words:
        return (p[0] + U(move), U(1) - p[1])

    def result(self, p: Words) -> float:
        return 1.0

    def rule(self, p: Words) -> int:
        return 100  # a rule

    def help(self, p: Words) -> int:
        return helper.helped(p)

    def constant(self, p: Words) -> int:
        return BONUS

    def table(self, p: Words) -> int:
        return TABLE[p[1]]


def my_eval(game, p, player):
    return 500.0
'''

HELPER = """
def helped(p):
    return 200
"""

PROGRAM = """
import json, sys
from pathlib import Path

from petteia.compiled import kernel
from petteia.core import files
from petteia.core.evaluation import of_function
from petteia.games import make

@kernel
def rule(game, p): return game.rule(p)

@kernel
def help(game, p): return game.help(p)

@kernel
def constant(game, p): return game.constant(p)

@kernel
def table(game, p): return game.table(p)

@kernel
def value(game, evaluation, p, w): return evaluation.value(game, p, 0, w)

found = []
for name in sys.argv[1:]:
    game = make(name)
    mine = of_function("mine", files.function_in(name + ":my_eval", what="evaluation"))
    p = game.start()
    found += [k(game, p) for k in (rule, help, constant, table)]
    found.append(value(game, mine, p, mine.array))
print(json.dumps({"found": found, "numba": "numba" in sys.modules}))
"""

SEARCH = """
import json, sys
from petteia.core.evaluation import of_function
from petteia.games import make
from petteia.search.alphabeta import FixedDepthSearch

def flat(game, p, player): return 0.0

game = make(sys.argv[1])
search = FixedDepthSearch(game, of_function("flat", flat), prune=True)
value = search.value(game.start(), 1, 0, search.evaluation.array)
print(json.dumps({"found": [value], "numba": "numba" in sys.modules}))
"""

FIRST = [100, 200, 300, 400, 500.0]


class Run:
    """What a process printed, and whether it compiled anything."""

    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        assert done.returncode == 0, done.stderr
        told: dict[str, Any] = json.loads(done.stdout)
        self.found: list[float] = told["found"]
        self.compiled = "compiling" in done.stderr
        assert self.compiled == told["numba"], "Numba is imported to compile, and for nothing else"


class User:
    """A user's folder with a game, and a cache of kernels."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        self.package = SOURCES.parent
        self.environment: dict[str, str] = {}
        self.texts = {
            "mine.py": GAME, "helper.py": HELPER, "table.txt": "400 401",
            "program.py": PROGRAM, "search.py": SEARCH,
        }  # fmt: skip
        self.restore()

    def restore(self) -> None:
        for name, text in self.texts.items():
            (self.folder / name).write_text(text)

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.folder / name
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))

    def run(self, *arguments: str) -> Run:
        kept = {
            key: value
            for key, value in os.environ.items()
            if key not in ("PETTEIA_INTERPRET", "NUMBA_DISABLE_JIT")
        }
        added = {
            "PYTHONPATH": str(self.package),
            "PETTEIA_CACHE": str(self.cache),
            # Python takes a module that was edited within the same second for the old one.
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        arguments = arguments or ("program.py", "mine.py")
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env={**kept, **added, **self.environment},
            capture_output=True,
            text=True,
            check=False,
        )
        return Run(done)

    def kernels(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.cache.glob("kernels/*.kernel")}


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> User:
    """A user whose game has been compiled once."""
    user = User(tmp_path_factory.mktemp("user"))
    first = user.run()
    assert first.compiled
    assert first.found == FIRST
    assert len(user.kernels()) == 5
    return user


@pytest.fixture
def user(started: User) -> Iterator[User]:
    yield started
    started.restore()
    started.environment = {}


def test_the_second_run_compiles_nothing_and_does_without_numba(user: User) -> None:
    before = user.kernels()
    again = user.run()
    assert not again.compiled
    assert again.found == FIRST
    assert user.kernels() == before


@pytest.mark.parametrize(
    ("name", "old", "new", "place"),
    [
        ("mine.py", "return 100", "return 111", 0),
        ("helper.py", "return 200", "return 222", 1),
        ("mine.py", "BONUS = 300", "BONUS = 333", 2),
        ("table.txt", "400", "444", 3),
        ("mine.py", "500.0", "555.0", 4),
    ],
    ids=["rule", "helper", "constant", "data file", "evaluation"],
)
def test_an_edit_acts_at_once(user: User, name: str, old: str, new: str, place: int) -> None:
    before = user.kernels()
    user.edit(name, old, new)
    edited = user.run()
    wanted = FIRST.copy()
    wanted[place] += 11 * (place + 1)
    assert edited.found == wanted
    assert edited.compiled
    assert len(user.kernels()) == len(before) + 1, "the other kernels were found"
    user.restore()
    back = user.run()
    assert back.found == FIRST
    assert not back.compiled


def test_an_edited_comment_compiles_nothing(user: User) -> None:
    user.edit("mine.py", "# a rule", "# a rule, said better\n")
    user.edit("helper.py", "def helped", "# what helps\n\n\ndef helped")
    assert not user.run().compiled


def test_an_edit_of_what_a_search_calls_acts_at_once(user: User) -> None:
    user.package = user.folder / "package"
    shutil.copytree(SOURCES, user.package / "petteia", ignore=shutil.ignore_patterns("__pycache__"))
    try:
        assert user.run("search.py", "mine.py").found == [999_999.0]
        values = "package/petteia/search/values.py"
        user.edit(values, "(WIN - ply)", "(WIN - 2 * ply)")
        edited = user.run("search.py", "mine.py")
        assert edited.compiled
        assert edited.found == [999_998.0]
        user.edit(values, "(WIN - 2 * ply)", "(WIN - ply)")
        assert not user.run("search.py", "mine.py").compiled
        user.edit(values, "WIN = 1_000_000.0", "WIN = 2_000_000.0")
        assert user.run("search.py", "mine.py").found == [1_999_999.0]
    finally:
        user.package = SOURCES.parent


def test_games_of_one_class_in_two_files_do_not_mix(user: User) -> None:
    other = GAME.replace("return 100", "return 111").replace("500.0", "555.0")
    (user.folder / "other.py").write_text(other)
    wanted = [111, 200, 300, 400, 555.0]
    assert user.run("program.py", "mine.py", "other.py").found == FIRST + wanted
    swapped = user.run("program.py", "other.py", "mine.py")
    assert swapped.found == wanted + FIRST
    assert not swapped.compiled


def test_damaged_files_are_ignored_and_made_again(user: User) -> None:
    whole = user.kernels()
    for number, (name, content) in enumerate(sorted(whole.items())):
        head, _, code = content.partition(b"\n")
        damaged = [
            b"",
            content[: len(content) // 2],
            head,
            head + b"\n" + code[:-1] + bytes([code[-1] ^ 1]),
            b'{"key": 3}\n' + code,
            b"[]\n" + code,
            os.urandom(2000),
            head.replace(b'"result"', b'"else"') + b"\n" + code,
        ]
        (user.cache / "kernels" / name).write_bytes(damaged[number % len(damaged)])
    run = user.run("program.py", "mine.py")
    assert run.found == FIRST
    assert run.compiled
    assert not user.run().compiled


def test_a_kernel_under_the_name_of_another_is_ignored(user: User) -> None:
    rule, table = (next(user.cache.glob(f"kernels/{name}-*.kernel")) for name in ("rule", "table"))
    kept = rule.read_bytes()
    rule.write_bytes(table.read_bytes())
    assert user.run().found == FIRST
    rule.write_bytes(kept)


def test_the_cache_can_be_switched_off(user: User) -> None:
    before = user.kernels()
    user.environment = {"PETTEIA_CACHE": "off", "TMPDIR": str(user.folder)}
    run = user.run()
    assert run.found == FIRST
    assert run.compiled
    assert user.kernels() == before
    assert not list(user.folder.glob("petteia-*"))


def test_a_folder_that_cannot_be_written_gives_way_to_a_temporary_one(user: User) -> None:
    locked = user.folder / "locked"
    if not hasattr(os, "getuid") or os.getuid() == 0:
        # Root may write everywhere, but not below a file.
        locked.write_text("")
    else:
        locked.mkdir(exist_ok=True)
        locked.chmod(stat.S_IRUSR | stat.S_IXUSR)
    temporary = user.folder / "temporary"
    temporary.mkdir()
    user.environment = {"PETTEIA_CACHE": str(locked), "TMPDIR": str(temporary)}
    assert user.run().found == FIRST
    again = user.run()
    assert again.found == FIRST
    assert not again.compiled
    assert len(list(temporary.glob("petteia-*/kernels/*.kernel"))) == 5


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no owners here")
def test_a_folder_that_others_can_write_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PETTEIA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder.cache_clear()
    try:
        assert folder() == tmp_path / "cache" / "kernels"
        (tmp_path / "cache" / "kernels").chmod(0o777)
        folder.cache_clear()
        assert folder() == tmp_path / f"petteia-{os.getuid()}" / "kernels"
    finally:
        folder.cache_clear()


def test_a_second_folder_is_read_and_never_written(user: User) -> None:
    shared, own = user.folder / "shared", user.folder / "own"
    user.environment = {"PETTEIA_CACHE": str(shared)}
    assert user.run().compiled
    before = {path: path.read_bytes() for path in (shared / "kernels").iterdir()}
    user.environment = {"PETTEIA_CACHE": str(own), "PETTEIA_CACHE_READ": str(shared / "kernels")}
    again = user.run()
    assert again.found == FIRST
    assert not again.compiled
    for path in before:
        path.unlink()
    assert user.run().compiled
    assert list((shared / "kernels").iterdir()) == []
    assert len(list((own / "kernels").iterdir())) == len(before)


def test_without_any_folder_kernels_are_compiled_each_time(user: User) -> None:
    file = user.folder / "file"
    file.write_text("")
    # Python falls back to other temporary folders unless it is told which one to use.
    program = f"import tempfile; tempfile.tempdir = {str(file)!r}\n{PROGRAM}"
    (user.folder / "nowhere.py").write_text(program)
    user.environment = {"PETTEIA_CACHE": str(file)}
    run = user.run("nowhere.py", "mine.py")
    assert run.found == FIRST
    assert run.compiled


def test_two_processes_may_compile_the_same_kernels_at_once(user: User) -> None:
    user.environment = {"PETTEIA_CACHE": str(user.folder / "shared")}
    with ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(lambda _: user.run(), range(2)))
    assert [run.found for run in runs] == [FIRST, FIRST]
    assert not user.run().compiled
    left = [path.suffix for path in (user.folder / "shared" / "kernels").iterdir()]
    assert left == [".kernel"] * 5


def test_those_go_first_that_were_not_used_for_longest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "_path", lambda name, key: tmp_path / f"{name}-{key}.kernel")
    for number in range(3):
        disk.write("k", str(number), disk.Entry("symbol", "n", False, b"code"))
        os.utime(tmp_path / f"k-{number}.kernel", (number, number))
    assert disk.read("k", "0") is not None
    disk.prune(tmp_path, most=2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["k-0.kernel", "k-2.kernel"]
