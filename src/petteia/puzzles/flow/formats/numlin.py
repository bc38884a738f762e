"""puzz.link and pzpr: addresses ``numlin/<columns>/<rows>/<body>``, and the files they save.

In the body a hexadecimal digit is a number, ``-xx`` a number of two and ``+xxx`` of three such
digits; a letter from g to z is a run of 1 to 20 empty cells. A file has ``pzprv3``, ``numlin``, the
rows, the columns and the cells of each row in lines, then what is drawn.
"""

from __future__ import annotations

import re

from petteia.core.errors import PetteiaError
from petteia.puzzles.flow.rules import EMPTY, HOLE, LETTERS, Puzzle, number, require_size, shown

__all__ = ["is_file", "read", "read_file", "write"]

_TOKEN = re.compile(r"-([0-9a-f]{2})|\+([0-9a-f]{3})|([0-9a-f])|([g-z])")


_MOST = 0xFFF
"""The highest number of an address."""


def read(text: str) -> Puzzle:
    """The puzzle of an address; number 1 is A, number 2 is B, and so on."""
    found = re.search(r"numlin/(?:v:/)?([0-9]{1,4})/([0-9]{1,4})/(\S*)", text)
    if found is None:
        raise PetteiaError("not a numlin address; expected numlin/<columns>/<rows>/<body>")
    width, height, body = int(found[1]), int(found[2]), found[3].rstrip("/")
    require_size(width, height)
    numbers: list[int] = []
    at = 0
    while at < len(body):
        token = _TOKEN.match(body, at)
        if token is None:
            raise PetteiaError(f"{body[at]!r} at place {at + 1} of the address is neither a number "
                               "nor a run of empty cells")  # fmt: skip
        at = token.end()
        if token[4]:
            numbers += [0] * (ord(token[4]) - ord("f"))
        else:
            number = int(token[1] or token[2] or token[3], 16)
            if number == 0:
                raise PetteiaError("the number 0 in the address; numbers begin with 1")
            numbers.append(number)
    if len(numbers) != width * height:
        raise PetteiaError(f"the address fills {len(numbers)} cells of a board of {width * height}")
    return _puzzle(width, height, numbers, "address")


def is_file(text: str) -> bool:
    """Whether a text is a file that pzpr saved, of any kind of puzzle."""
    return text.startswith("pzprv3")


def read_file(text: str) -> Puzzle:
    """The puzzle of a saved file, without what was drawn."""
    lines = [line.strip() for line in re.split(r"[\n/]", text)]
    if len(lines) < 4 or lines[1] != "numlin":
        raise PetteiaError(
            f"a file of puzz.link with {shown(lines[1] if len(lines) > 1 else '')}; only numlin is "
            "read, and then come rows, columns and cells"
        )
    height = number(lines[2], "the third line is the number of rows")
    width = number(lines[3], "the fourth line is the number of columns")
    require_size(width, height)
    numbers: list[int] = []
    for at in range(height):
        cells = lines[4 + at].split() if 4 + at < len(lines) else []
        if len(cells) != width:
            raise PetteiaError(f"row {at + 1} of the file has {len(cells)} cells, not {width}")
        numbers += [0 if cell == "." else number(cell, "a dot is one") for cell in cells]
    return _puzzle(width, height, numbers, "file")


def _puzzle(width: int, height: int, numbers: list[int], where: str) -> Puzzle:
    known = sorted(set(numbers) - {0})
    cells = tuple(known.index(number) if number else EMPTY for number in numbers)
    if known and known[-1] > len(LETTERS):
        raise PetteiaError(f"the number {known[-1]} in the {where}; {len(LETTERS)} is the highest")
    return Puzzle(width, height, cells, tuple(LETTERS[number - 1] for number in known))


def write(puzzle: Puzzle) -> str:
    """The address of a puzzle; colours are numbered in the order of their first dots."""
    for kind, has_it in (("holes", HOLE in puzzle.cells), ("bridges", puzzle.bridges)):
        if has_it:
            raise PetteiaError(f"numlin addresses have no {kind}; course, letters and json have")
    if puzzle.colours > _MOST:
        raise PetteiaError(
            f"numlin addresses have at most {_MOST:,} colours, not {puzzle.colours:,}"
        )
    body, empty = [], 0
    order: list[int] = []
    for value in puzzle.cells:
        if value == EMPTY:
            empty += 1
            continue
        body += _run(empty)
        empty = 0
        if value not in order:
            order.append(value)
        number = order.index(value) + 1
        body.append(
            f"{number:x}" if number < 16 else f"-{number:02x}" if number < 256 else f"+{number:03x}"
        )
    body += _run(empty)
    return f"numlin/{puzzle.width}/{puzzle.height}/{''.join(body)}"


def _run(empty: int) -> list[str]:
    whole, rest = divmod(empty, 20)
    return ["z"] * whole + ([chr(ord("f") + rest)] if rest else [])
