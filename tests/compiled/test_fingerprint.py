"""The fingerprint of a kernel changes with everything that its code can depend on.

Every edit below changes the compiled code; most change what it returns.
"""

from __future__ import annotations

import importlib
import linecache
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import NamedTuple

import pytest

from petteia.compiled.fingerprint import fingerprint, source_fingerprint
from petteia.compiled.targets import WASM
from petteia.core.compile_time import CompileTime

HEAD = """
from collections import namedtuple
from enum import Enum, IntEnum
import math
import numba
import numpy as np
from petteia.compiled import kernel
from petteia.core.compile_time import CompileTime
"""


class Edit(NamedTuple):
    """A piece of a user's file before and after an edit."""

    source: str
    old: str
    new: str


EDITS = {
    "a constant in the code": Edit("def f(x): return x + 1", "1", "2"),
    "a whole number becomes a real one": Edit("def f(x): return x + 1", "1", "1.0"),
    "an imaginary constant": Edit("def f(x): return (x * 2j).imag", "2j", "3j"),
    "a global number": Edit("K = 1\ndef f(x): return x + K", "K = 1", "K = 2"),
    "a global truth value": Edit("K = 1\ndef f(x): return x + K", "K = 1", "K = True"),
    "a global complex number": Edit("K = 1j\ndef f(x): return x + K.imag", "1j", "2j"),
    "a global slice": Edit(
        "K = slice(0, 1)\ndef f(x): return x + (1, 2, 3)[K][0]", "(0, 1)", "(1, 2)"
    ),
    "a global tuple": Edit("K = (1, (2, 3))\ndef f(x): return K[1][0]", "(2, 3)", "(3, 2)"),
    "bytes": Edit("K = b'abc'\ndef f(x): return x + K[0]", "abc", "bbc"),
    "a global array": Edit(
        "K = np.arange(4)\ndef f(x): return K[x]", "arange(4)", "arange(4)[::-1]"
    ),
    "the type of an array": Edit(
        "K = np.zeros(2, np.int64)\ndef f(x): return K[x] - 0.5", "np.int64", "np.float64"
    ),
    "the fields of records": Edit(
        "K = np.array([(1, 2)], [('a', 'i8'), ('b', 'i8')])\ndef f(x): return K[0]['a']",
        "[('a', 'i8'), ('b', 'i8')]",
        "[('b', 'i8'), ('a', 'i8')]",
    ),
    "a global type": Edit("K = np.int64\ndef f(x): return K(x)", "np.int64", "np.int8"),
    "a member of an enumeration": Edit(
        "class K(IntEnum):\n    A = 1\n    B = 2\ndef f(x): return x + K.A", "A = 1", "A = 3"
    ),
    "a global member of an enumeration": Edit(
        "class K(Enum):\n    A = 1\n    B = 2\nL = K.A\ndef f(x): return 1 if L == K.A else 0",
        "L = K.A",
        "L = K.B",
    ),
    "the order of a named tuple": Edit(
        "T = namedtuple('T', 'a b')\nK = T(1, 2)\ndef f(x): return x + K.a", "'a b'", "'b a'"
    ),
    "the order of a named tuple made in the code": Edit(
        "T = namedtuple('T', 'a b')\ndef f(x): return T(x, 1).a", "'a b'", "'b a'"
    ),
    "a function it calls": Edit("def g(x): return x + 1\ndef f(x): return g(x)", "1", "2"),
    "a function that one calls": Edit(
        "def h(x): return x + 1\ndef g(x): return h(x)\ndef f(x): return g(x)", "1", "2"
    ),
    "a default": Edit("def g(x, k=1): return x + k\ndef f(x): return g(x)", "k=1", "k=2"),
    "parameters exchanged, given by name": Edit(
        "def g(a, b): return a - b\ndef f(x): return g(a=x, b=1)",
        "def g(a, b): return a - b",
        "def g(b, a): return b - a",
    ),
    "which of two functions a name means": Edit(
        "def a(x): return 1\ndef b(x): return 2\nc = a\ndef f(x): return a(x) + b(x) + c(x)",
        "c = a",
        "c = b",
    ),
    "a NumPy function under a name of its own": Edit(
        "from numpy import minimum as pick\ndef f(x): return pick(x, 3)", "minimum", "maximum"
    ),
    "a function of the standard library": Edit(
        "from math import sin as wave\ndef f(x): return wave(x)", "sin", "cos"
    ),
    "a number of the standard library": Edit("def f(x): return x + math.e", "math.e", "math.pi"),
    "which library a name means": Edit(
        "import math as m\ndef f(x): return m.floor(x)", "import math as m", "import numpy as m"
    ),
    "another kernel": Edit(
        "@kernel\ndef g(x): return x + 1\ndef f(x): return g(x)", "x + 1", "x + 2"
    ),
    "a function marked by Numba": Edit(
        "@numba.njit\ndef g(x): return x + 1\ndef f(x): return g(x)", "x + 1", "x + 2"
    ),
    "a closure": Edit(
        "def make(k):\n    def f(x): return x + k\n    return f\nf = make(1)", "make(1)", "make(2)"
    ),
    "a global in an inner function": Edit(
        "K = 1\ndef f(x):\n    def g(y): return y + K\n    return g(x)", "K = 1", "K = 2"
    ),
    "the type that a recursion returns": Edit(
        "def g(n) -> 'int':\n    return g(n - 1) if n > 0 else 1\ndef f(x): return g(x)",
        "'int'",
        "'float'",
    ),
    "a game in a global": Edit(
        "class T(CompileTime):\n    def m(self, x): return x + 1\nt = T()\ndef f(x): return t.m(x)",
        "x + 1",
        "x + 2",
    ),
    "a number of a game in a global": Edit(
        "class T(CompileTime):\n    def __init__(self): self.k = 1\nt = T()\ndef f(x): return t.k",
        "k = 1",
        "k = 2",
    ),
}

GAME = """
class Base(CompileTime):
    def inherited(self, x): return x + 10
    level = 11
class Part(CompileTime):
    def __init__(self): self.depth = 12
    def inner(self, x): return x + 13 + self.depth
class Thing(Base):
    def __init__(self):
        self.width = 14
        self.planes = (np.uint64(15), np.uint64(16))
        self.table = np.array([17, 18])
        self.part = Part()
        self.chosen = lambda x: x + 19
    @property
    def area(self): return self.width * 20
    def method(self, x): return x + 21
    def unused(self, x): return x + 22
def f(thing, x):
    y = thing.inherited(x) + thing.level + thing.part.inner(x) + thing.width + thing.area
    return y + thing.table[0] + thing.method(x) + thing.chosen(x) + x * (thing.planes[0] > 3)
"""


class User:
    """A user's folder with modules that can be edited."""

    def __init__(self, folder: Path, hashed: Callable[..., str]) -> None:
        self.folder = folder
        self.hashed = hashed
        self.names: list[str] = []

    def module(self, name: str, source: str) -> ModuleType:
        """Writes a module and imports it."""
        place = self.folder / Path(*name.split(".")).with_suffix(".py")
        place.parent.mkdir(exist_ok=True)
        place.write_text(source)
        for known in [name, name.partition(".")[0]]:
            sys.modules.pop(known, None)
        importlib.invalidate_caches()
        self.names += [name, name.partition(".")[0]]
        return importlib.import_module(name)

    def of(self, source: str) -> str:
        """The fingerprint of the function f, and of a game made by Thing if there is one."""
        module = self.module("mine", HEAD + source)
        function: FunctionType = module.f
        things: list[CompileTime] = [module.Thing()] if hasattr(module, "Thing") else []
        linecache.clearcache()  # an edit within the same second is not seen
        return self.hashed(function, things, ["i"])


def by_source(function: FunctionType, tags: list[CompileTime], sorts: list[str]) -> str:
    return source_fingerprint(function, tags, sorts, WASM)


@pytest.fixture(params=[fingerprint, by_source])
def user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[User]:
    monkeypatch.syspath_prepend(str(tmp_path))
    # Python takes a module that was edited within the same second for the old one.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    user = User(tmp_path, request.param)
    yield user
    for name in user.names:
        sys.modules.pop(name, None)


@pytest.mark.parametrize("what", EDITS)
def test_an_edit_changes_the_fingerprint(user: User, what: str) -> None:
    edit = EDITS[what]
    assert edit.old in edit.source
    before = user.of(edit.source)
    assert before == user.of(edit.source)
    assert before != user.of(edit.source.replace(edit.old, edit.new))


@pytest.mark.parametrize("number", [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21])
def test_an_edit_of_a_game_changes_the_fingerprint(user: User, number: int) -> None:
    before = user.of(GAME)
    assert before == user.of(GAME)
    assert before != user.of(GAME.replace(str(number), "99"))


def test_a_method_that_is_not_used_does_not_count(user: User) -> None:
    assert user.of(GAME) == user.of(GAME.replace("22", "99"))


@pytest.mark.parametrize("user", [by_source], indirect=True)
def test_what_is_said_of_a_function_does_not_count_in_sources(user: User) -> None:
    said = 'def f(x):\n    """Adds."""\n\n    # a comment\n    return x + 1  # another'
    assert user.of(said) == user.of('def f(x):\n    """Adds one."""\n    return x + 1')


@pytest.mark.parametrize("user", [fingerprint], indirect=True)
@pytest.mark.parametrize(
    "same",
    [
        "# a comment\ndef f(x):\n\n    y = x + K  # another\n    return y\nK = 1",
        "K = 1\nL = 2\ndef f(x):\n    z = x + K\n    return z",
    ],
)
def test_comments_places_and_names_of_variables_do_not_count(user: User, same: str) -> None:
    assert user.of(same) == user.of("K = 1\ndef f(x):\n    y = x + K\n    return y")


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("helper", "import helper\ndef f(x): return helper.g(x)"),
        ("helper", "from helper import g\ndef f(x): return g(x)"),
        ("helper", "import helper\ndef f(x): return (lambda y: helper.g(y))(x)"),
        ("folder.helper", "import folder.helper\ndef f(x): return folder.helper.g(x)"),
        ("folder.helper", "from folder import helper\ndef f(x): return helper.g(x)"),
        # Names that the standard library has too.
        ("statistics", "import statistics\ndef f(x): return statistics.g(x)"),
        ("site-packages.helper", "import helper\ndef f(x): return helper.g(x)"),
    ],
)
def test_an_edit_of_a_module_that_is_used_changes_the_fingerprint(
    user: User, monkeypatch: pytest.MonkeyPatch, name: str, use: str
) -> None:
    folder, _, last = name.rpartition(".")
    if folder == "site-packages":
        monkeypatch.syspath_prepend(str(user.folder / folder))
        user, name = User(user.folder / folder, user.hashed), last
        user.folder.mkdir()
    kept = sys.modules.get(name)
    try:
        user.module(name, "K = 1\ndef g(x): return x + K")
        before = user.of(use)
        user.module(name, "K = 2\ndef g(x): return x + K")
        assert before != user.of(use)
    finally:
        for made in user.names:
            sys.modules.pop(made, None)
        if kept is not None:
            sys.modules[name] = kept


def test_two_games_of_the_same_name_are_told_apart(user: User) -> None:
    module = user.module("mine", HEAD + GAME)
    first, second = module.Thing(), module.Thing()
    second.width = 15
    pairs = [(first, first), (first, second), (second, first), (second, second)]
    found = {fingerprint(module.f, pair, ["t", "t", "i"]) for pair in pairs}
    assert len(found) == 4
    assert fingerprint(module.f, [first], ["i"]) == fingerprint(module.f, [module.Thing()], ["i"])


def test_the_sorts_of_arguments_count(user: User) -> None:
    module = user.module("mine", HEAD + "def f(x): return x")
    assert fingerprint(module.f, [], ["i"]) != fingerprint(module.f, [], ["f"])
