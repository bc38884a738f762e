"""What MkDocs needs to make a site of pages that also read well in the repository.

Pages outside ``docs/`` become pages of the site, examples become files of it, and links between
all of them are turned to where they lie there. Notebooks become pages.
"""

from __future__ import annotations

import json
import posixpath
import re
from pathlib import Path
from typing import Any

__all__ = ["notebook_page", "on_files", "on_page_markdown", "site_place", "turned"]

ROOT = Path(__file__).resolve().parents[1]
_LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)]*)?\))")
_OUTSIDE = ("*.md", "benchmarks/*.md", "examples/*.py", "examples/*.js", "benchmarks/peers/*.*")


def site_place(path: str) -> str:
    """Where a file of the repository lies in the site's sources."""
    if path == "README.md":
        return "index.md"
    inside = path.removeprefix("docs/")
    return inside.removesuffix(".ipynb") + ".md" if inside.endswith(".ipynb") else inside


def repository_place(place: str) -> str:
    """The file of the repository from which a page of the site is made."""
    if place == "index.md":
        return "README.md"
    notebook = f"docs/{place.removesuffix('.md')}.ipynb"
    if (ROOT / notebook).exists():
        return notebook
    return f"docs/{place}" if (ROOT / "docs" / place).exists() else place


def turned(markdown: str, place: str) -> str:
    """The text of a page with its links as they are in the site."""
    folder = posixpath.dirname(repository_place(place))

    def turn(link: re.Match[str]) -> str:
        begin, target, rest = link.groups()
        if "://" in target or target.startswith("mailto:"):
            return link[0]
        meant = site_place(posixpath.normpath(posixpath.join(folder, target)))
        return begin + posixpath.relpath(meant, posixpath.dirname(place) or ".") + rest

    return _LINK.sub(turn, markdown)


def notebook_page(path: Path) -> str:
    """A notebook as Markdown: its texts, and its code in fences."""
    parts = []
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        text = "".join(cell["source"])
        parts.append(f"```python\n{text}\n```" if cell["cell_type"] == "code" else text)
    return "\n\n".join(parts) + "\n"


def on_files(files: Any, config: Any) -> Any:
    """Adds the pages and files that do not lie in ``docs/``."""
    from mkdocs.structure.files import File

    for pattern in _OUTSIDE:
        for path in sorted(ROOT.glob(pattern)):
            place = site_place(path.relative_to(ROOT).as_posix())
            files.append(File.generated(config, place, content=path.read_text("utf-8")))
    for path in sorted(ROOT.glob("docs/notebooks/*.ipynb")):
        place = site_place(path.relative_to(ROOT).as_posix())
        files.append(File.generated(config, place, content=notebook_page(path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turns the links of a page."""
    return turned(markdown, page.file.src_uri)
