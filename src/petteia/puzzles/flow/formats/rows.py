"""Rows of a board as people write them: cells side by side, or with something between them.

Between cells may stand blanks, or commas, semicolons or tabs as in a table; nothing between two of
the latter is no dot. A blank never is one: where it seems to be meant so, that is an error.
"""

from __future__ import annotations

import re
from collections import Counter

from petteia.core.errors import PetteiaError
from petteia.puzzles.flow.rules import LETTERS, number, shown

__all__ = ["cells_only", "lines_of"]

_NO_DOT = "_.-*"
_PLAIN = (*_NO_DOT, *"#+", "")
"""Cells that are no dots."""
_WRITE_IT = "write _ for a cell without a dot"


def lines_of(text: str) -> list[str]:
    """The lines that are not empty. Empty ones may follow the first line, or stand between any
    two; elsewhere another puzzle seems to begin."""
    groups: list[list[str]] = [[]]
    lines = text.splitlines()
    has_tabs = any("\t" in line.strip() for line in lines)
    for line in lines:
        if line.strip(" " if has_tabs else None):  # tabs alone are a row of a table
            groups[-1].append(line)
        elif groups[-1]:
            groups.append([])
    groups = [group for group in groups if group]
    heights = [len(group) for group in groups]
    if len(groups) > 1 and max(heights) > 1 and (len(groups) > 2 or heights[0] > 1):
        raise PetteiaError(
            f"an empty line after {shown(groups[0][-1].strip())}, and then more rows; a file holds "
            "one puzzle, and flow bench reads sets"
        )
    return [line for group in groups for line in group]


def cells_only(lines: list[str]) -> list[str]:
    """Rows of one sign a cell, without what stands between cells.

    Where something does, a cell may be a number of several digits. 0 is no dot where no other sign
    means that and it does not stand there twice.
    """
    rows = [line.strip() for line in lines]
    split, is_table = _fields(lines)
    if any(len(row) == 1 for row in split):
        _require_no_blanks(rows)
        split = [list(row) for row in rows]
    found = Counter(cell for row in split for cell in row)
    if found["0"] not in (0, 2) and not any(sign in found for sign in (*_NO_DOT, "")):
        found["_"] = found.pop("0")
        split = [["_" if cell == "0" else cell for cell in row] for row in split]
    longest = max(map(len, found), default=1)
    if longest > 1 and all(cell in _PLAIN or cell.isdecimal() for cell in found):
        numbers = {cell: number(cell, "a dot is one") for cell in found if cell not in _PLAIN}
        letters = dict(zip(sorted(set(numbers.values())), LETTERS, strict=False))
        split = [[letters[numbers[c]] if c in numbers else c for c in row] for row in split]
    elif longest > 1:
        return rows
    if (
        any(len(row.split()) > 1 for row in rows)
        and not is_table
        and found.keys().isdisjoint(_NO_DOT + "+")
    ):
        raise PetteiaError(f"a blank is no cell, and then none of them is empty; {_WRITE_IT}")
    return ["".join(cell or "_" for cell in row) for row in split]


def _fields(lines: list[str]) -> tuple[list[list[str]], bool]:
    """What stands in each row between separators, and whether these are those of a table."""
    for mark in "\t,;":
        if any(mark in line.strip() for line in lines):
            tidy = lines if mark == "\t" else [line.strip() for line in lines]
            table = [[cell.strip() for cell in line.split(mark)] for line in tidy]
            if not any(re.search(r"\s", cell) for row in table for cell in row):
                return table, True
    return [re.split(r"\s*[,;]\s*|\s+", line.strip()) for line in lines], False


def _require_no_blanks(rows: list[str]) -> None:
    for at, row in enumerate(rows, 1):
        blank = re.search(r"\s", row)
        if blank:
            raise PetteiaError(
                f"row {at}, column {blank.start() + 1}: a blank is no cell; {_WRITE_IT}"
            )
