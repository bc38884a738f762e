"""The site: every page is in its menu, links are turned to where they lie there, notebooks run."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted(ROOT.glob("docs/notebooks/*.ipynb"))


def _hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("site_hook", ROOT / "docs" / "site_hook.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_page_is_in_the_menu_and_every_entry_is_a_page() -> None:
    menu = (ROOT / "mkdocs.yml").read_text().partition("\nnav:")[2]
    entries = set(re.findall(r": (\S+\.md)$", menu, re.MULTILINE))
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *NOTEBOOKS]
    pages += ROOT.glob("benchmarks/*.md")
    assert entries == {_hook().site_place(path.relative_to(ROOT).as_posix()) for path in pages}


def test_links_are_turned() -> None:
    turned = _hook().turned
    assert turned("[a](docs/cli.md#x) [b](examples/hex.py)", "index.md") == (
        "[a](cli.md#x) [b](examples/hex.py)"
    )
    assert turned("[a](../CONTRIBUTING.md) [b](#x) [c](https://x.y)", "your-own.md") == (
        "[a](CONTRIBUTING.md) [b](#x) [c](https://x.y)"
    )
    assert turned("[a](../csp.md) [b](flow.md)", "puzzles/flow.md") == "[a](../csp.md) [b](flow.md)"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path: Path) -> None:
    cells = json.loads(path.read_text())["cells"]
    space: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in cells:
            if cell["cell_type"] == "code":
                assert cell["outputs"] == [], "notebooks are kept without their outputs"
                exec("".join(cell["source"]), space)
    assert space["start"]


def test_the_citation_has_the_version() -> None:
    version = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert version is not None
    assert f"\nversion: {version[1]}\n" in (ROOT / "CITATION.cff").read_text()


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="needs the extra docs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(tmp_path)]
    hushed = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=hushed)
    assert (done.returncode, done.stderr) == (0, "")
    assert "petteia.match" in (tmp_path / "search" / "search_index.json").read_text()
    assert (tmp_path / "examples" / "hex.py").exists()
