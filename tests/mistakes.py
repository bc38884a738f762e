"""Deliberate mistakes in users' files, and what must be said of each.

A mistake is a sound file with some text replaced. The line marked ``# <-`` in the new text is the
one that must be named; the fragments must stand in the message.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["AGENT", "EVALUATION", "EVALUATIONS", "GAME", "GAMES", "Mistake"]

MARK = "  # <-"

GAME = '''import numpy as np

from petteia import DECISION, TERMINAL, Game, U, popcount

STEPS = (1, 2)


class Mine(Game):
    """Take one or two from a heap; who takes the last wins."""

    max_moves = 2

    def __init__(self, size: int = 5):
        self.size = size

    def start(self):
        return (U(self.size), U(0))

    def kind(self, p):
        return TERMINAL if p[0] == U(0) else DECISION

    def mover(self, p):
        return popcount(p[1])

    def moves(self, p, out, at):
        for step in STEPS:
            if U(step) <= p[0]:
                out[at] = step
                at += 1
        return at

    def play(self, p, move):
        return (p[0] - U(move), p[1] ^ U(1))

    def result(self, p):
        return 1.0 if self.mover(p) == 1 else -1.0
'''

EVALUATION = """import numpy as np

from petteia import popcount


def mine(game, p, player):
    return 1.0 * popcount(p[player])
"""

AGENT = """def mine(position, legal_moves, seed):
    return legal_moves[0]
"""


class Mistake(NamedTuple):
    """A mistake by its name."""

    name: str
    old: str
    new: str
    says: tuple[str, ...]

    def of(self, source: str) -> str:
        """The file with the mistake in it."""
        assert self.old in source, self.name
        return source.replace(self.old, self.new, 1)

    def line(self, source: str) -> int | None:
        """The line that must be named."""
        lines = self.of(source).splitlines()
        marked = [number for number, text in enumerate(lines, 1) if text.endswith(MARK)]
        return marked[0] if marked else None


_MOVES = "        for step in STEPS:\n"
_PLAY = "        return (p[0] - U(move), p[1] ^ U(1))\n"
_MOVER = "        return popcount(p[1])\n"
_KIND = "        return TERMINAL if p[0] == U(0) else DECISION\n"
_RESULT = "        return 1.0 if self.mover(p) == 1 else -1.0\n"
_START = "        return (U(self.size), U(0))\n"
_END = "                at += 1\n        return at\n"


def _moves(name: str, line: str, *says: str) -> Mistake:
    """One more line at the head of ``moves``."""
    return Mistake(name, _MOVES, f"        {line}{MARK}\n{_MOVES}", says)


def _play(name: str, value: str, *says: str) -> Mistake:
    return Mistake(name, _PLAY, f"        return {value}{MARK}\n", says)


GAMES: list[Mistake] = [
    # names
    Mistake("misspelt name", _MOVER, f"        return popcout(p[1]){MARK}\n",
            ("in mover", "'popcout' is not defined", "did you mean popcount")),
    Mistake("misspelt name on a way that is seldom gone", _MOVER,
            f"        if p[0] > U(99):\n            return popcout(p[1]){MARK}\n{_MOVER}",
            ("in mover", "'popcout' is not defined", "did you mean popcount")),
    Mistake("misspelt attribute", _START, f"        return (U(self.sise), U(0)){MARK}\n",
            ("in start", "no 'sise'", "did you mean size")),
    Mistake("misspelt attribute on a way that is seldom gone", _MOVER,
            f"        if p[0] > U(99):\n            return self.sise{MARK}\n{_MOVER}",
            ("in mover", "no 'sise'", "did you mean size")),
    Mistake("misspelt method", _RESULT, f"        return 1.0 if self.mvoer(p) else -1.0{MARK}\n",
            ("in result", "no 'mvoer'", "did you mean mover")),
    Mistake("missing import", "from petteia import DECISION, TERMINAL, Game, U, popcount",
            "from petteia import DECISION, TERMINAL, Game, U", ("from petteia import popcount",)),
    Mistake("misspelt import", "from petteia import DECISION, TERMINAL, Game, U, popcount",
            f"from petteia import DECISION, TERMINAL, Game, U, popcout{MARK}",
            ("popcout", "did you mean popcount")),
    Mistake("misspelt kernel", "    def moves(", "    def movez(",
            ("does not define moves",)),
    Mistake("misspelt hook", "    def play(",
            f"    def prioritty(self, p, move):{MARK}\n        return 1\n\n    def play(",
            ("prioritty is never asked for", "did you mean priority")),
    Mistake("misspelt function of numpy", _MOVER,
            f"        if p[0] > U(99):\n            return np.in64(3){MARK}\n{_MOVER}",
            ("module np has no 'in64'", "did you mean int64")),
    # what kernels cannot do
    _moves("list", "at = [at, 1][0]", "in moves", "a list is made", "write a tuple"),
    _moves("list comprehension", "n = len([s for s in STEPS])", "a list is made"),
    _moves("dict", "d = {1: at}", "a dict is made", "use a tuple"),
    _moves("set", "d = {1, at}", "a set is made"),
    _moves("f-string", "d = f'{at}'", "a text is made"),
    _moves("str", "d = str(at)", "str makes a text"),
    _moves("np.zeros", "d = np.zeros(3)", "np.zeros makes an array", "allocate nothing"),
    _moves("print", "print(at)", "print is not for kernels", "PETTEIA_INTERPRET"),
    _moves("with", "with np.errstate(): at += 0", "no with"),
    _moves("generator", "at += sum(x for x in (0, 0))", "a generator is made"),
    _moves("sorted", "d = sorted(STEPS)", "sorted makes a list"),
    _moves("import in a kernel", "import math; at += 0 * int(math.sqrt(4))", "import at the top"),
    _moves("attribute set", "self.last = at", "never changes after __init__"),
    Mistake("super", _MOVER, f"        return popcount(p[1]) + super().mover(p){MARK}\n",
            ("super is not for kernels",)),
    Mistake("global list", "STEPS = (1, 2)", "STEPS = [1, 2]", ("in moves", "STEPS is a list")),
    Mistake("global dict", "STEPS = (1, 2)", "STEPS = {1: 0, 2: 0}", ("STEPS is a dict",)),
    _moves("dict of the class", "at += len(self.variants)", "self.variants is a dict"),
    _moves("raise", "raise ValueError('not yet')", "in moves", "ValueError: not yet"),
    _moves("assertion", "assert at > 5", "in moves", "assertion failed"),
    Mistake("circle", _MOVER,
            "        return self.other(p)\n\n    def other(self, p):\n"
            f"        return self.mover(p) if p[0] > U(99) else popcount(p[1]){MARK}\n",
            ("in other", "calls mover", "circle")),
    Mistake("recursion without end", _MOVER, f"        return self.mover(p){MARK}\n",
            ("in mover", "without end")),
    _moves("endless loop", "while at == at: pass", "in moves", "no end after"),
    # words
    _play("int among words", "(p[0] - U(move), 1)", "in play", "word 1 is 1", "plain int", "U("),
    _play("word | int", "(p[0] - U(move), p[1] ^ 1)", "in play", "a word meets", "U(...)"),
    _play("word - int", "(p[0] - move, p[1] ^ U(1))", "in play", "a word meets", "U(...)"),
    _play("shifted int", "(p[0] - U(move), (p[1] ^ U(1)) & (1 << 1) - 1)", "a word meets"),
    _play("power", "(p[0] - U(move), U(1) - p[1] ** 1)", "a word meets", "U(...)"),
    _play("divided word", "(p[0] - U(move), (p[1] ^ U(1)) / U(1))", "word 1", "float", "U("),
    _play("one word too few", "(p[0] - U(move),)", "returns 1 words", "start() has 2"),
    _play("list of words", "[p[0] - U(move), p[1] ^ U(1)]", "returns a list", "tuple of U(...)"),
    Mistake("play returns nothing", _PLAY, f"        (p[0] - U(move), p[1] ^ U(1)){MARK}\n",
            ("in play", "returns nothing", "tuple of U(...)")),
    _play("index out of range", "(p[0] - U(move), p[2])", "in play", "tuple index out of range"),
    Mistake("start of plain ints", _START, f"        return (self.size, 0){MARK}\n",
            ("in start", "word 0 is 5", "U(")),
    Mistake("two lengths on two ways", _PLAY,
            f"        if move > 99:\n            return (p[0], p[1], p[1])\n{_PLAY}",
            ("in play", "returns", "words", "every return must give the same")),
    # moves
    Mistake("no return", _END, "                at += 1\n", ("in moves", "return at")),
    Mistake("at is not advanced", _END, f"                pass\n        return at{MARK}\n",
            ("in moves", "returns 0, but wrote 1", "add 1 to at")),
    Mistake("moves as a list", _END, f"                at += 1\n        return [1, 2]{MARK}\n",
            ("in moves", "returns a list", "return at")),
    Mistake("too many moves", "STEPS = (1, 2)", "STEPS = (1, 2, 1, 2)",
            ("in moves", "more moves than max_moves = 2")),
    Mistake("far too many moves", _MOVES + "            if U(step) <= p[0]:\n",
            "        for step in range(100000):\n            if U(0) <= p[0]:\n",
            ("in moves", "more moves than max_moves = 2")),
    Mistake("before the buffer", "                out[at] = step\n",
            f"                out[at - 50000] = step{MARK}\n", ("in moves", "before the first")),
    Mistake("far beyond the buffer", "                out[at] = step\n",
            f"                out[at + 10**9] = step{MARK}\n", ("in moves", "max_moves = 2")),
    _moves("read before the buffer", "at += 0 * out[at - 1]", "in moves", "reads place -1"),
    Mistake("half a move", "                out[at] = step\n",
            f"                out[at] = step / 2{MARK}\n", ("in moves", "0.5, a float", "//")),
    Mistake("move listed twice", "STEPS = (1, 2)", "STEPS = (1, 1)", ("listed twice",)),
    # the other rules
    Mistake("third player", _MOVER, f"        return 2{MARK}\n",
            ("in mover", "returns 2", "two players, 0 and 1")),
    Mistake("kind 7", _KIND, f"        return 7{MARK}\n", ("in kind", "returns 7", "DECISION")),
    Mistake("kind returns nothing", _KIND,
            f"        if p[0] == U(0):{MARK}\n            return TERMINAL\n",
            ("in kind", "returns nothing", "DECISION")),
    Mistake("result is nan", _RESULT, f"        return np.nan{MARK}\n",
            ("in result", "nan", "finite")),
    Mistake("result returns nothing", _RESULT, f"        self.mover(p){MARK}\n",
            ("in result", "returns nothing")),
    Mistake("result is a tuple", _RESULT, f"        return (1.0, -1.0){MARK}\n",
            ("in result", "a tuple", "return a number")),
    Mistake("never over", _KIND, "        return DECISION\n", ("in moves", "say TERMINAL")),
    Mistake("division by zero", _RESULT, f"        return 1 / self.mover(p) - 1 / 0{MARK}\n",
            ("in result", "division by zero")),
    Mistake("start needs an argument", "    def start(self):", f"    def start(self, size):{MARK}",
            ("start takes (self, size)", "should take (self)")),
    Mistake("moves without at", "    def moves(self, p, out, at):\n",
            f"    def moves(self, p, out):{MARK}\n        at = 0\n",
            ("moves takes (self, p, out)", "should take (self, p, out, at)")),
    # the file and the class
    Mistake("missing method", f"    def play(self, p, move):\n{_PLAY}", "",
            ("does not define play",)),
    Mistake("no Game", "class Mine(Game):", f"class Mine:{MARK}",
            ("class Mine is no game", "class Mine(Game)")),
    Mistake("two games", _RESULT, f"{_RESULT}\n\nclass Other(Mine):\n    pass\n",
            ("holds 2 classes of kind game", "name one")),
    Mistake("syntax", "class Mine(Game):", f"class Mine(Game:{MARK}", ("SyntaxError",)),
    Mistake("exception at import", "STEPS = (1, 2)", f"STEPS = (1, 2)[5]{MARK}",
            ("IndexError",)),
    Mistake("ends Python", "STEPS = (1, 2)", "STEPS = (1, 2)\nraise SystemExit(3)",
            ("ends Python",)),
    Mistake("module not there", "import numpy as np", f"import nunpy as np{MARK}",
            ("No module named 'nunpy'",)),
    Mistake("parameter not kept",
            "    def __init__(self, size: int = 5):\n        self.size = size",
            f"    def __init__(self, size: int = 5):{MARK}\n        self.heap = size",
            ("size is not kept", "self.size = size")),
    Mistake("parameter kept otherwise", "    def __init__(self, size: int = 5):\n",
            f"    def __init__(self, size: int = 5):{MARK}\n        size = 2 * size\n",
            ("size=6 is kept as 12", "as it is given")),
    Mistake("parameter without a default", "size: int = 5", "size", ("needs size",)),
    Mistake("exception in __init__", "        self.size = size",
            f"        self.size = size + heap{MARK}", ("in __init__", "'heap' is not defined")),
    Mistake("attribute hides a method", "        self.size = size",
            "        self.size = size\n        self.kind = 3", ("self.kind hides the method",)),
    # the face
    Mistake("text is no round trip", _PLAY, f"{_PLAY}\n    def text(self, p):{MARK}\n"
            "        return '5:0'\n", ("another position",)),
    Mistake("moves of one text", _PLAY, f"{_PLAY}\n    def move_text(self, p, move):{MARK}\n"
            "        return 'take'\n", ("same text",)),
    Mistake("exception in text", _PLAY, f"{_PLAY}\n    def text(self, p):\n"
            f"        return p.words{MARK}\n", ("in text", "has no 'words'")),
]  # fmt: skip


EVALUATIONS: list[Mistake] = [
    Mistake("one parameter too few", "def mine(game, p, player):", f"def mine(game, p):{MARK}",
            ("takes 2 parameters", "(game, p, player)")),
    Mistake("misspelt name", "popcount(p[", "popcout(p[", ("in mine", "did you mean popcount")),
    Mistake("misspelt attribute of the game", "1.0 *", "1.0 * game.colums *",
            ("in mine", "no 'colums'", "did you mean columns")),
    Mistake("returns a tuple", "1.0 * popcount(p[player])", "(1.0, 2.0)",
            ("in mine", "returns a tuple", "weights")),
    Mistake("returns nothing", "return 1.0", "x = 1.0", ("in mine", "returns nothing")),
    Mistake("returns a text", "1.0 * popcount(p[player])", "'good'", ("in mine", "a text")),
    Mistake("returns nan", "1.0 * popcount(p[player])", "np.nan", ("in mine", "nan", "finite")),
    Mistake("returns infinity", "1.0 * popcount(p[player])", "np.inf", ("inf", "finite")),
    Mistake("returns a truth value", "1.0 * popcount(p[player])", "popcount(p[player]) > 3",
            ("in mine", "return a number")),
    Mistake("division by zero", "1.0 *", "1.0 / (popcount(p[0]) - popcount(p[1])) *",
            ("in mine", "division by zero")),
    Mistake("word out of range", "p[player]", "p[9]", ("in mine", "tuple index out of range")),
    Mistake("list", "1.0 * popcount(p[player])", "1.0 * len([popcount(p[0]), player])",
            ("in mine", "a list is made")),
    Mistake("np.array", "1.0 *", "np.array((1.0, 2.0))[0] *", ("in mine", "makes an array")),
    Mistake("print", "    return", "    print(player)\n    return", ("print is not for kernels",)),
    Mistake("weights that are no numbers", "p[player])\n",
            'p[player])\nmine.weights = {"a": "b"}\n',
            ("weight 'a' is 'b'", "numbers by name")),
    Mistake("wrong count of features", "1.0 * popcount(p[player])\n",
            '(1.0, 2.0)\n\n\nmine.weights = {"a": 1.0}\n', ("2 features", "1 weights")),
    Mistake("features of two kinds", "1.0 * popcount(p[player])\n",
            '(1, 2.0)\n\n\nmine.weights = {"a": 1.0, "b": 2.0}\n', ("float", "float(...)")),
    Mistake("syntax", "return 1.0", "retrun 1.0", ("SyntaxError",)),
    Mistake("endless loop", "    return", "    while player < 5: pass\n    return",
            ("in mine", "no end after")),
]  # fmt: skip
