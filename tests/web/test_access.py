"""The pages are for everybody: axe-core finds nothing; and the scripts are sound."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import petteia.web
from petteia.core.drawing.style import SHEET
from petteia.web import puzzles
from tests.web.conftest import Served

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text()
STATIC = Path(petteia.web.__file__).parent / "static"
FOLDERS = [STATIC, *map(puzzles.static, puzzles.names())]
SMALL = "breakthrough(columns=4, rows=5)"

pytestmark = pytest.mark.slow


def _is_for_everybody(page: Any) -> None:
    """No finding, neither in the light nor in the dark."""
    assert _findings(page) == []
    page.emulate_media(color_scheme="dark")
    page.locator('html[data-theme="dark"]').wait_for()
    assert _findings(page) == []


def _findings(page: Any) -> list[str]:
    """What axe finds wrong."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found["violations"]]


@pytest.mark.parametrize(
    ("path", "wait"),
    [
        ("", ".card"),
        ("#/new?game=" + SMALL, "form fieldset"),
        ("#/analyse?game=" + SMALL, ".ranked"),
        ("#/analyse?game=ropasci", ".matrix"),
        ("#/rules?game=" + SMALL, ".exercise .source"),
        ("#/measure", "form.card"),
        ("#/measure/compare?game=" + SMALL, "h1"),
        ("#/studies", ".card"),
        ("#/flow?puzzle=A_A%0AB_B%0AC_C", ".dot-of"),
    ],
    ids=["home", "new", "analyse", "both", "rules", "measure", "compare", "studies", "flow"],
)
def test_pages_are_accessible(visit: Callable[..., Any], path: str, wait: str) -> None:
    page = visit(path, color_scheme="light")
    page.locator(wait).first.wait_for()
    _is_for_everybody(page)


@pytest.mark.parametrize("width", [390, 1280])
def test_a_table_is_accessible(visit: Callable[..., Any], lab: Served, width: int) -> None:
    wish = {"game": SMALL, "players": ["person", "greedy"], "moves": ["a2a3", "b4b3"]}
    table = lab.post("/api/tables", wish)
    page = visit(f"#/table/{table['id']}", width=width)
    page.locator(".bench .source").first.click()
    page.locator(".target").first.wait_for()
    assert _findings(page) == []
    page.get_by_role("button", name="More").click()
    page.locator("dialog[open]").wait_for()
    assert _findings(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Rules").click()
    page.locator(".exercise .source").first.wait_for()
    assert _findings(page) == []
    ended = ["a2a3", "a4b3", "d2d3", "b3a2", "c2c3", "a2b1"]
    table = lab.post("/api/tables", {"game": SMALL, "moves": ended})
    page.goto(f"{lab.address}#/table/{table['id']}")
    page.get_by_role("button", name="Review").click()
    page.get_by_text("Key moment 1 of").wait_for()
    assert _findings(page) == []


def test_jobs_and_series_are_accessible(visit: Callable[..., Any], lab: Served) -> None:
    wish = {"game": SMALL, "agents": ["greedy", "random"], "pairs": 2, "sprt": [0, 30]}
    job = lab.post("/api/matches", wish)
    page = visit(f"#/measure/job/{job['id']}", color_scheme="light")
    page.get_by_text("Finished").wait_for()
    page.locator(".sample .board").wait_for()
    _is_for_everybody(page)
    page.emulate_media(color_scheme="light")
    page.get_by_role("link", name="series").first.click()
    page.locator(".store tbody tr").nth(3).wait_for()
    _is_for_everybody(page)


_OPTIONS = {
    "checkJs": True, "allowJs": True, "noEmit": True, "strict": True, "noImplicitAny": False,
    "target": "es2022", "module": "es2022", "moduleResolution": "bundler",
    "lib": ["es2023", "dom", "dom.iterable"], "types": [],
}  # fmt: skip


def _npx() -> list[str]:
    """npx as a command; Node's wheel has it only as the script beside npm."""
    node, found = shutil.which("node"), shutil.which("npx")
    if node is not None:
        script = Path(node).resolve().parents[1] / "lib/node_modules/npm/bin/npx-cli.js"
        if script.exists():
            return [node, str(script)]
    return [found] if found else []


def _from_npm(package: str, program: str) -> list[str]:
    """A program of npm's as a command, fetched if it is not here."""
    here = shutil.which(program)
    if here:
        return [here]
    if not _npx():
        pytest.skip(f"neither {program} nor npx is here; npx comes with Node")
    command = [*_npx(), "--yes", "--package", package, program]
    ready = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=120)
    if ready.returncode != 0:
        pytest.skip(f"npx cannot fetch {package} here")
    return command


def test_typescript_finds_nothing_wrong_with_the_scripts(tmp_path: Path) -> None:
    # As the browser finds them: a puzzle's scripts import those of the laboratory by their address.
    options = {**_OPTIONS, "paths": {"/static/*": [str(STATIC / "*")]}}
    settings = {"compilerOptions": options, "include": [str(each / "*.js") for each in FOLDERS]}
    project = tmp_path / "tsconfig.json"
    project.write_text(json.dumps(settings))
    command = [*_from_npm("typescript@5.9.3", "tsc"), "-p", str(project)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180)
    assert done.stdout == ""
    assert done.returncode == 0


def test_scripts_and_styles_are_formatted() -> None:
    kinds = [(folder, kind) for folder in FOLDERS for kind in ("*.js", "*.css")]
    files = [str(file) for folder, kind in kinds for file in sorted(folder.glob(kind))]
    files.append(str(SHEET))
    command = [*_from_npm("prettier@3.9.10", "prettier"), "--list-different", *files]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.stdout == ""
    assert done.returncode == 0
