"""The colours of boards can be told apart: contrasts as WCAG 2.1 counts them, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import petteia.web
from petteia.core.drawing.style import SHEET, Rule, resolved, rules_of
from petteia.web import puzzles

_SHEETS = [
    SHEET,
    Path(petteia.web.__file__).parent / "static" / "bench.css",
    puzzles.static("flow") / "page.css",
]
_TEXT, _SHAPE = 4.5, 3.0
_PLAYERS = (("first", "second"), ("white", "black"), ("black", "white"), ("light", "dark"))

_CELLS = (".face", ".dark .face", ".up .face", ".up.dark .face", ".tall .face", ".start .face")
_BEHIND = {
    ".face": [".felt"],
    ".up .face": [".felt.tall"],
    ".up.dark .face": [".felt.tall"],
}
"""What must be told from the ground that it lies on. The dark cells of a board need not: they are
told from the light ones, which surround them."""


def _light(colour: str) -> float:
    """The relative luminance of ``#rrggbb``."""
    assert len(colour) == 7, colour
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """From 1 for the same colour to 21 for black on white."""
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)


class Sheet:
    """What the rules of boards say in one theme, for players of these names."""

    def __init__(self, theme: str, players: tuple[str, str]) -> None:
        rules: list[Rule] = [rule for each in _SHEETS for rule in rules_of(each.read_text())]
        drawn = [(s, d) for s, d in rules if d.keys() & {"fill", "stroke"}]
        drawn += [(name, {"fill": f"var({name})"}) for name in ("--ground", "--surface")]
        self.values: dict[str, dict[str, str]] = {}
        for selector, declared in resolved(drawn, theme, players):
            self.values.setdefault(selector, {}).update(declared)

    def fill(self, selector: str) -> str:
        return self.values[selector]["fill"]

    def stroke(self, selector: str) -> str:
        return self.values[selector]["stroke"]


def _pairs(sheet: Sheet) -> Iterator[tuple[str, float, float]]:
    """What is compared, its contrast, and the least that it must have."""
    grounds = {name: sheet.fill(name) for name in _CELLS}
    mark, chosen = sheet.fill(".cell.last .face"), sheet.fill(".cell.chosen .face")

    yield "light and dark cells", contrast(*(sheet.fill(c) for c in _CELLS[:2])), _SHAPE
    for cell, behind in _BEHIND.items():
        for ground in behind:
            yield f"{cell} on {ground}", contrast(sheet.fill(cell), sheet.fill(ground)), _SHAPE
    tall, start = sheet.stroke(".tall .face"), sheet.stroke(".start .face")
    yield "bar on bed", contrast(tall, sheet.fill(".felt.tall")), _SHAPE
    yield "line of a hand", contrast(start, sheet.fill(".start .face")), _SHAPE
    for name, ground in (("a cell", sheet.fill(".face")), ("the last move", mark)):
        yield f"rosette on {name}", contrast(sheet.fill(".rosette"), ground), _SHAPE
    yield "last move", contrast(sheet.stroke(".last .ring"), mark), _SHAPE
    yield "chosen", contrast(sheet.stroke(".chosen .ring"), chosen), _SHAPE
    yield "focus", contrast(sheet.stroke(".cell:focus-visible .ring"), mark), _SHAPE
    full = sheet.stroke(".target.full:not(.tall) .dot")
    for name, ground in {**grounds, "felt": sheet.fill(".felt.tall")}.items():
        yield f"target on {name}", contrast(sheet.fill(".target .dot"), ground), _SHAPE
        yield f"capture on {name}", contrast(full, ground), _SHAPE
        yield f"drop on {name}", contrast(sheet.fill(".drop .dot"), ground), _SHAPE
        yield f"arrow on {name}", contrast(sheet.stroke(".arrow .shaft"), ground), _SHAPE
        for heat in (".heat.more", ".heat.less"):
            yield f"{heat} on {name}", contrast(sheet.stroke(heat), ground), _SHAPE
    yield "flow cells", contrast(*sheet.values[".flow-cell .face"].values()), _SHAPE

    grounds |= {"last move": mark, "chosen": chosen}
    for whose in ("", ".p0 ", ".p1 "):
        body = sheet.values[f"{whose}.body"]
        for name, ground in grounds.items():
            seen = max(contrast(body["fill"], ground), contrast(body["stroke"], ground))
            yield f"{whose}piece on {name}", seen, _SHAPE
        yield f"{whose}edge", contrast(body["fill"], body["stroke"]), _SHAPE
        yield f"{whose}letter", contrast(sheet.fill(f"{whose}.letter"), body["fill"]), _TEXT
        yield f"{whose}crown", contrast(sheet.fill(f"{whose}.crown"), body["fill"]), _SHAPE
    first, second = (sheet.fill(f".p{owner} .body") for owner in (0, 1))
    yield "players", contrast(first, second), 1.5  # round and square tell them apart too

    yield "number of a heap", contrast(sheet.fill(".number"), sheet.fill(".count")), _TEXT
    yield "pips", contrast(sheet.fill(".pip"), sheet.fill(".die-face")), _TEXT
    yield "edge of a die", contrast(sheet.stroke(".die-face"), sheet.fill(".paper")), _SHAPE
    yield "status", contrast(sheet.fill(".below .status"), sheet.fill(".paper")), _TEXT
    for ground in ("--ground", "--surface"):
        yield f"label on {ground}", contrast(sheet.fill(".label"), sheet.fill(ground)), _TEXT
    names = {
        ".dark .face": ".name",
        ".cell.last .face": ".name",
        ".cell.chosen .face": ".chosen .name",
    }
    for under, text in names.items():
        yield f"name on {under}", contrast(sheet.fill(text), sheet.fill(under)), _TEXT
    yield "domain", contrast(sheet.fill(".domain"), sheet.fill(".flow-cell .face")), _TEXT


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)  # WCAG's example
    assert contrast("#e69f00", "#e69f00") == 1


@pytest.mark.parametrize("players", _PLAYERS, ids="-".join)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_carries_meaning_stands_out(theme: str, players: tuple[str, str]) -> None:
    found = list(_pairs(Sheet(theme, players)))
    poor = {name: round(value, 2) for name, value, least in found if value < least}
    assert poor == {}
