"""What stands in the pages: blocks of code, and the command lines in them."""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["PAGES", "ROOT", "blocks", "command_lines"]

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md")])


def blocks(page: Path, *languages: str) -> list[str]:
    """The blocks of code of a page that are in one of these languages; "" has no name."""
    # A block ends with the same fence as it began, so none can be taken for the gap between two.
    found = re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE)
    return [text for language, text in found if language in languages]


def command_lines(page: Path) -> list[str]:
    """The command lines of petteia in a page; one that goes over two lines is one."""
    lines = [
        line.strip()
        for block in blocks(page, "", "sh")
        for line in block.replace("\\\n", " ").splitlines()
    ]
    return [line for line in lines if line.startswith("petteia ")]
