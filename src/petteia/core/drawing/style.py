"""The style of boards, read from ``board.css``, for documents that stand alone.

Many programs that show or convert SVG know neither custom properties nor media queries. So the
colours are put into the rules, and the dark ones are repeated in a media query of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

__all__ = ["SHEET", "Rule", "document_style", "resolved", "rules_of"]

SHEET = Path(__file__).with_name("board.css")
Rule = tuple[str, dict[str, str]]
"""One selector with its declarations."""

_ROOT = {"light": ":root", "dark": ':root[data-theme="dark"]'}
_OWN = re.compile(r'(?:\[data-c\d="(?P<name>\w+)"\] )?\.p(?P<owner>\d)')
"""The selectors that give a player's pieces their colours, by his number or by his name."""
_VARIABLE = re.compile(r"var\((--[\w-]+)\)")


def rules_of(text: str) -> Iterator[Rule]:
    """The rules of a style sheet, one by one; what stands in media queries comes without them."""
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", re.sub(r"(?s)/\*.*?\*/", "", text)):
        pairs = (line.split(":", 1) for line in body.split(";") if ":" in line)
        declared = {name.strip(): " ".join(value.split()) for name, value in pairs}
        for selector in selectors.split(","):
            yield (" ".join(selector.split()), declared)


@cache
def _sheet() -> tuple[Rule, ...]:
    return tuple(rules_of(SHEET.read_text(encoding="utf-8")))


def resolved(
    rules: Sequence[Rule], theme: str = "light", players: Sequence[str] = ()
) -> Iterator[Rule]:
    """The rules with the theme's colours in them.

    A rule that uses a player's colours comes for each player, and for pieces that are nobody's.
    """
    root: dict[str, str] = {}
    own: dict[str, dict[str, str]] = {"0": {}, "1": {}}
    for selector, declared in _sheet():
        if selector in (_ROOT["light"], _ROOT[theme]):
            root |= declared
        found = _OWN.fullmatch(selector)
        if found and (not found["name"] or found["name"] in players[int(found["owner"]) :][:1]):
            own[found["owner"]] |= declared
    for selector, declared in rules:
        if any(name.startswith("--") for name in declared):
            continue
        names = set(_VARIABLE.findall(" ".join(declared.values())))
        yield (selector, _filled(declared, root))
        if names & own["0"].keys():
            for owner, colours in own.items():
                yield (f".p{owner} {selector}", _filled(declared, root | colours))


def _filled(declared: dict[str, str], values: dict[str, str]) -> dict[str, str]:
    return {
        name: _VARIABLE.sub(lambda found: values[found[1]], value)
        for name, value in declared.items()
    }


@cache
def document_style(players: tuple[str, ...] = ()) -> tuple[str, str]:
    """The classes of a document's root, and its style.

    A notebook puts the style of a picture into its whole page. So every rule is for pictures only,
    and the colours of players for those whose players have these.
    """
    named = {(found["owner"], found["name"]) for s, _ in _sheet() if (found := _OWN.fullmatch(s))}
    colours = [
        f"c{owner}-{name if (str(owner), name) in named else 'own'}"
        for owner, name in enumerate((*players, "", "")[:2])
    ]

    def scoped(selector: str) -> str:
        owner = next((n for n in (0, 1) if selector.startswith(f".p{n} ")), None)
        scope = ".petteia-board" + ("" if owner is None else f".{colours[owner]}")
        return f"{scope} {selector.removeprefix('.board ')}"

    def written(rules: Sequence[Rule]) -> str:
        return "".join(
            f"{scoped(selector)}{{{';'.join(f'{name}:{value}' for name, value in given.items())}}}"
            for selector, given in rules
        )

    light, dark = (list(resolved(_sheet(), theme, players)) for theme in ("light", "dark"))
    changed = [rule for rule, before in zip(dark, light, strict=True) if rule != before]
    style = f"{written(light)}@media (prefers-color-scheme:dark){{{written(changed)}}}"
    return (" ".join(["petteia-board", *colours]), style)
