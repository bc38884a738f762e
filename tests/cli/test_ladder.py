"""A class plays from the command line: whatever is handed in, the others play on."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from petteia.agents import sandbox
from petteia.cli import ladder as command
from petteia.cli import main
from tests.agents.test_sandbox import HOSTILE
from tests.mistakes import AGENT
from tests.started import processes_naming
from tests.submitted import FIRST, LAST, hand_in

ROOT = Path(__file__).parents[2]
SMALL = "breakthrough(columns=4, rows=5)"


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Any:
    def ask(folder: Path, *more: str) -> dict[str, Any]:
        words = ("--game", SMALL, "--pairs", "1", "--workers", "serial", "--time", "20")
        with pytest.raises(SystemExit) as caught:
            main(["ladder", str(folder), *words, *more, "--json"])
        out, err = capsys.readouterr()
        assert caught.value.code == 0, err
        found = json.loads(out)
        assert isinstance(found, dict)
        return found

    return ask


def _hand_in_python(folder: Path, name: str, source: str, thing: str) -> None:
    (folder / name).mkdir()
    (folder / name / "hostile.py").write_text(source)
    (folder / name / "petteia.toml").write_text(f'agent = "hostile.py:{thing}"\n')


@pytest.mark.slow
@pytest.mark.skipif(not sandbox._works("bubblewrap"), reason="files are not protected here")
def test_twelve_of_which_six_are_bad(ask: Any, tmp_path: Path) -> None:
    folder, victim = tmp_path / "class", tmp_path / "class" / "letter.txt"
    hand_in(folder, "first", FIRST)
    hand_in(folder, "last", LAST)
    hand_in(folder, "second", 'echo "bestmove ${2:-$1}"')
    hand_in(folder, "third", 'echo "bestmove ${3:-$1}"')
    hand_in(folder, "illegal", 'turn=x$turn; [ $turn = xxx ] && echo "bestmove a1a1"; ' + FIRST)
    hand_in(folder, "leaves", "turn=x$turn; [ $turn = xxx ] && exit 3; " + FIRST)
    (folder / "syntax.py").write_text(AGENT.replace("return", "retrun"))
    hand_in(folder, "unready", FIRST).joinpath("petteia.toml").write_text('comand = "sh play.sh"')
    hand_in(folder, "hangs", FIRST).joinpath("play.sh").write_text("sleep 600")
    _hand_in_python(folder, "greedy", HOSTILE, "greedy")
    hand_in(folder, "kills", "kill -TERM $PPID; kill -KILL $PPID; " + FIRST)
    hand_in(folder, "removes", f"rm -rf {tmp_path} . 2>&1 | head -1 >&2; " + FIRST)
    victim.write_text("dear class")
    before = {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}

    found = ask(folder, "--startup", "3", "--memory", "256", "--baseline", "none")

    rows = {row["name"]: row for row in found["ranking"]}
    assert set(rows) == {path.stem for path in folder.iterdir()} - {"_site", ".ladder", "letter"}
    says = {
        "syntax": r"syntax\.py:2: SyntaxError: invalid syntax",
        "unready": r"unknown key in petteia\.toml 'comand'; did you mean command\?",
        "hangs": r"took more than 3 seconds to answer 'petteia'",
        "greedy": r"MemoryError|took more than",
    }
    for name, row in rows.items():
        assert set(row) >= {"name", "rating", "interval", "games", "forfeits", "status"}
        assert row["status"] == ("quarantined" if name in says else "ranked"), row
        if name in says:
            assert re.search(says[name], row["message"]), row["message"]
            assert (row["rating"], row["games"]) == (None, 0)
        else:
            assert row["interval"][0] < row["rating"] < row["interval"][1]
            assert row["games"] == 14
    assert (found["played"], found["missing"]) == (28, 0)
    assert [row["rank"] for row in found["ranking"]] == [*range(1, 9), *[None] * 4]
    assert sum(row["points"] for row in rows.values()) == 56
    assert rows["leaves"]["forfeits"] > 0
    assert any("exited with code 3" in reason for reason in rows["leaves"]["reasons"])
    assert any("illegal move" in reason for reason in rows["illegal"]["reasons"])
    assert not rows["first"]["forfeits"] + rows["kills"]["forfeits"] + rows["removes"]["forfeits"]

    assert {path: path.read_bytes() for path in before} == before, "nothing harmed"
    assert processes_naming(str(folder)) == [], "nothing left running"
    assert str(tmp_path) not in (folder / "_site" / "ladder.json").read_text()


def test_the_site_has_every_game(ask: Any, tmp_path: Path) -> None:
    folder, site = tmp_path / "class", tmp_path / "site"
    hand_in(folder, "<b>", FIRST)
    hand_in(folder, "last", LAST)
    found = ask(folder, "--site", str(site))
    assert found["site"] == str(site / "index.html")
    told = (ROOT / "docs" / "cli.md").read_text().partition("## petteia ladder")[2]
    keys = re.search(r"JSON keys: ((?:`\w+`,?\s+)+)", told)
    assert keys is not None
    assert set(re.findall(r"`(\w+)`", keys[1])) == set(found)
    told = told.partition("\n## ")[0]
    assert all(f"`{key}`" in told for row in found["ranking"] for key in row)
    assert not (folder / "_site").exists()
    pages = {path.relative_to(site): path.read_text() for path in site.rglob("*.html")}
    assert len(pages) == 1 + 3 + 3
    for place, page in pages.items():
        assert "<b>" not in page
        for link in re.findall(r'(?:href|src)="([^"#]+)"', page):
            assert (site / place).parent.joinpath(link).exists(), link
    (page,) = (text for place, text in pages.items() if "last--" not in str(place) and
               str(place).endswith("--last.html"))  # fmt: skip
    data = re.search(r'id="games">(.*?)</script>', page)
    assert data is not None
    shown = json.loads(data[1])
    assert len(shown["games"]) == 2
    for game in shown["games"]:
        assert len(game["frames"][0]["pieces"]) == 16
        assert len(game["frames"][-1]["pieces"]) <= 16
        for frame in game["frames"]:
            assert {piece[0] for piece in frame["pieces"]} <= set(shown["symbols"])
    assert sum("Blunders in 2 games, as engine(nodes=" in page for page in pages.values()) == 2
    assert (folder / ".ladder" / "blunders.json").exists()
    kept = json.loads((site / "ladder.json").read_text())
    assert kept["ranking"] == found["ranking"]
    with (site / "points.csv").open() as file:
        points = list(csv.DictReader(file))
    assert [(row["name"], float(row["points"])) for row in points] == [
        (row["name"], row["points"]) for row in found["ranking"]
    ]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--watch", "--json"), "--watch has no end"),
        (("--search", "alphabet"), "unknown agent 'alphabet'"),
        (("--baseline", "random", "--baseline", "random"), "named twice"),
        ((), "holds no submissions"),
    ],
)
def test_mistakes_are_one_line(
    more: tuple[str, ...], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["ladder", str(tmp_path), "--game", SMALL, "--workers", "serial", *more])
    assert caught.value.code == 2
    assert says in capsys.readouterr().err.splitlines()[-1]


def test_a_watched_ladder_plays_what_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hand_in(tmp_path, "first", FIRST)
    looks = []

    def sleep(seconds: float) -> None:
        looks.append(seconds)
        if len(looks) == 3:
            hand_in(tmp_path, "last", LAST)
        elif len(looks) > 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(command, "_rest", sleep)
    words = ("--pairs", "1", "--workers", "serial", "--baseline", "none", "--every", "7")
    with pytest.raises(SystemExit) as caught:
        main(["ladder", str(tmp_path), "--game", SMALL, "--watch", *words])
    assert caught.value.code == 130
    assert looks == [7] * 4
    shown = capsys.readouterr().out
    assert "0 pairs played now" in shown
    assert "1 pairs played now" in shown
