"""QR codes for links: what a phone reads from a teacher's screen (ISO/IEC 18004).

Bytes only, with the middle level of correction: a seventh of a code may be unreadable.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from petteia.core.errors import PetteiaError

__all__ = ["modules", "svg"]

Grid = NDArray[np.bool_]

_CORRECTION = (10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26)
"""Codewords of correction in a block, by version (ISO/IEC 18004, table 9, level M)."""
_BLOCKS = (1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16)
"""Blocks, by version."""
_QUIET = 4
"""Light modules around a code."""


def svg(text: str) -> str:
    """The code as a picture, dark on light whatever the page is, since some readers need that."""
    dark = modules(text)
    size = len(dark) + 2 * _QUIET
    path = "".join(f"M{x + _QUIET} {y + _QUIET}h1v1h-1z" for y, x in np.argwhere(dark))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" '
        f'shape-rendering="crispEdges"><rect width="{size}" height="{size}" fill="#fff"/>'
        f'<path d="{path}"/></svg>\n'
    )


def modules(text: str) -> Grid:
    """The dark modules of the smallest code that holds a text."""
    data = text.encode()
    version = next((v for v in range(1, len(_BLOCKS) + 1) if len(data) <= _room(v)), 0)
    if not version:
        raise PetteiaError(f"{len(data)} bytes are too many for a QR code; at most {_room(20)}")
    grid, fixed = _patterns(version)
    _write(grid, fixed, _codewords(data, version))
    masked = [_finished(grid, fixed, mask) for mask in range(8)]
    return min(masked, key=_penalty)


# --- codewords -----------------------------------------------------------------------------------


def _size(version: int) -> int:
    return 17 + 4 * version


def _total(version: int) -> int:
    """Codewords of a version: what the patterns leave of its modules."""
    return int(np.count_nonzero(~_patterns(version)[1])) // 8


def _capacity(version: int) -> int:
    """Codewords for data."""
    return _total(version) - _CORRECTION[version - 1] * _BLOCKS[version - 1]


def _room(version: int) -> int:
    """Bytes of text: four bits tell the mode, then their number is told."""
    return _capacity(version) - (2 if version < 10 else 3)


def _codewords(data: bytes, version: int) -> list[int]:
    """Data and then correction, each with the first codewords of all blocks, then the second."""
    capacity, count = _capacity(version), 8 if version < 10 else 16
    bits = f"{4:04b}{len(data):0{count}b}" + "".join(f"{byte:08b}" for byte in data) + "0000"
    bits = bits[: 8 * capacity].ljust(-(-len(bits) // 8) * 8, "0")[: 8 * capacity]
    words = [int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)]
    words += [(0xEC, 0x11)[i % 2] for i in range(capacity - len(words))]
    blocks, number = [], _BLOCKS[version - 1]
    short, longer = capacity // number, capacity % number
    at = 0
    for index in range(number):
        length = short + (index >= number - longer)
        blocks.append(words[at : at + length])
        at += length
    corrections = [_correction(block, _CORRECTION[version - 1]) for block in blocks]
    return [*_in_turn(blocks), *_in_turn(corrections)]


def _in_turn(blocks: list[list[int]]) -> Iterable[int]:
    for at in range(max(map(len, blocks))):
        yield from (block[at] for block in blocks if at < len(block))


def _times(a: int, b: int) -> int:
    """The product in the field of 256 elements by x^8 + x^4 + x^3 + x^2 + 1."""
    product = 0
    for bit in range(7, -1, -1):
        product = (product << 1) ^ (0x11D if product & 0x80 else 0)
        product ^= a if b >> bit & 1 else 0
    return product


def _correction(block: list[int], degree: int) -> list[int]:
    """The remainder by Reed and Solomon's polynomial, whose roots are powers of two."""
    divisor, root = [0] * (degree - 1) + [1], 1
    for _ in range(degree):
        divisor = [
            _times(each, root) ^ (divisor[at + 1] if at + 1 < degree else 0)
            for at, each in enumerate(divisor)
        ]
        root = _times(root, 2)
    rest = [0] * degree
    for word in block:
        factor = word ^ rest[0]
        rest = [each ^ _times(by, factor) for each, by in zip([*rest[1:], 0], divisor, strict=True)]
    return rest


# --- modules -------------------------------------------------------------------------------------


def _patterns(version: int) -> tuple[Grid, Grid]:
    """The dark modules of the fixed patterns, and which modules these and the notes take."""
    size = _size(version)
    dark, fixed = np.zeros((size, size), bool), np.zeros((size, size), bool)
    dark[6, ::2] = dark[::2, 6] = True
    fixed[6, :] = fixed[:, 6] = True
    steps = np.abs(np.arange(-4, 5))
    rings = np.maximum(steps[:, None], steps[None, :])
    for y, x in ((3, 3), (3, size - 4), (size - 4, 3)):
        for dy in range(-4, 5):
            for dx in range(-4, 5):
                if 0 <= y + dy < size and 0 <= x + dx < size:
                    dark[y + dy, x + dx] = rings[dy + 4, dx + 4] in (0, 1, 3)
                    fixed[y + dy, x + dx] = True
    centres = _alignments(version)
    for y in centres:
        for x in centres:
            if (y, x) not in {(6, 6), (6, centres[-1]), (centres[-1], 6)}:
                dark[y - 2 : y + 3, x - 2 : x + 3] = rings[2:7, 2:7] != 1
                fixed[y - 2 : y + 3, x - 2 : x + 3] = True
    for y, x, _ in _notes(size, 0):
        fixed[y, x] = True
    dark[size - 8, 8] = fixed[size - 8, 8] = True
    if version >= 7:
        _write_version(dark, fixed, version)
    return dark, fixed


def _alignments(version: int) -> list[int]:
    """The middles of the small squares, in both directions."""
    if version == 1:
        return []
    number = version // 7 + 2
    step = -(-(4 * version + 4) // (2 * number - 2)) * 2
    return [6, *sorted(_size(version) - 7 - step * i for i in range(number - 1))]


def _write_version(dark: Grid, fixed: Grid, version: int) -> None:
    rest = version
    for _ in range(12):
        rest = rest << 1 ^ (rest >> 11) * 0x1F25
    bits = version << 12 | rest
    for i in range(18):
        a, b = len(dark) - 11 + i % 3, i // 3
        dark[a, b] = dark[b, a] = bool(bits >> i & 1)
        fixed[a, b] = fixed[b, a] = True


def _notes(size: int, mask: int) -> list[tuple[int, int, bool]]:
    """Where the level of correction and the mask are told, twice, and the bits there."""
    rest = mask  # the middle level is 00
    for _ in range(10):
        rest = rest << 1 ^ (rest >> 9) * 0x537
    bits = (mask << 10 | rest) ^ 0x5412
    first = [(i if i < 6 else i + 1, 8) for i in range(8)]
    first += [(8, 7), *((8, 14 - i) for i in range(9, 15))]
    second = [(8, size - 1 - i) for i in range(8)]
    second += [(size - 15 + i, 8) for i in range(8, 15)]
    places = [*enumerate(first), *enumerate(second)]
    return [(y, x, bool(bits >> i & 1)) for i, (y, x) in places]


def _write(grid: Grid, fixed: Grid, words: list[int]) -> None:
    """Writes codewords in columns of two modules, from the right, up and down in turn."""
    bits = iter([word >> bit & 1 for word in words for bit in range(7, -1, -1)])
    size = len(grid)
    columns = [x for x in range(size - 1, 0, -2) if x > 6] + [5, 3, 1]
    for turn, right in enumerate(columns):
        for y in range(size) if turn % 2 else range(size - 1, -1, -1):
            for x in (right, right - 1):
                if not fixed[y, x]:
                    grid[y, x] = next(bits, 0)


def _finished(grid: Grid, fixed: Grid, mask: int) -> Grid:
    y, x = np.indices(grid.shape)
    turned = (
        (x + y) % 2, y % 2, x % 3, (x + y) % 3, (x // 3 + y // 2) % 2,
        x * y % 2 + x * y % 3, (x * y % 2 + x * y % 3) % 2, ((x + y) % 2 + x * y % 3) % 2,
    )[mask] == 0  # fmt: skip
    done: Grid = grid ^ (turned & ~fixed)
    for row, column, bit in _notes(len(grid), mask):
        done[row, column] = bit
    return done


_FINDERS = ("10111010000", "00001011101")


def _penalty(grid: Grid) -> int:
    """How hard a code is to read: long runs, blocks, what looks like a corner, too much dark."""
    found = 0
    for rows in (grid, grid.T):
        for row in rows:
            edges = np.flatnonzero(np.diff(row.astype(np.int8), prepend=-1, append=-1))
            found += sum(int(run) - 2 for run in np.diff(edges) if run >= 5)
            text = "".join("01"[bit] for bit in row.astype(int))
            found += 40 * sum(
                text.startswith(each, at) for at in range(len(text)) for each in _FINDERS
            )
    same = (grid[1:, 1:] == grid[:-1, 1:]) & (grid[1:, :-1] == grid[:-1, :-1])
    found += 3 * int(np.count_nonzero(same & (grid[1:, 1:] == grid[1:, :-1])))
    share = 100 * np.count_nonzero(grid) / grid.size
    return found + 10 * int(abs(share - 50) // 5)
