"""Reports: texts, tables and figures, as one self-contained HTML file and as Markdown."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

__all__ = ["Link", "Report", "new_figure"]

# Okabe and Ito's colours: distinct for every kind of colour vision.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")

# What Markdown could take for a sign: anywhere, or only at the beginning of a line.
_SPECIAL = re.compile(r"[\\`*<>\[\]|&~]|(?<!\w)_|_(?!\w)")
_SPECIAL_AT_FIRST = re.compile(r"^[#+-]|(?<=^\d)[.)](?=\s|$)")

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2126; --paper: #fdfcf9; --line: #d9d5cc;
        --quiet: #6a6f76; --accent: #0072B2; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e6e1; --paper: #17191c; --line: #3a3e44; --quiet: #a0a5ac;
          --accent: #56B4E9; }
  /* Colours keep their hue; the ground becomes that of the page. */
  figure.chart svg { background: #e3e5e8 !important; filter: invert(1) hue-rotate(180deg); } }
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper);
       max-width: 56rem; margin: 2.5rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.9rem; line-height: 1.2; } h2 { margin-top: 2.6rem; }
a { color: var(--accent); }
h1, h2, h3 { text-wrap: balance; } p.lead { color: var(--quiet); font-size: 1.1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .9rem .35rem 0; text-align: left; border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; } p.caption { font-weight: 600; margin: 1.6rem 0 0; }
nav ul { columns: 2 14rem; padding-left: 1.2rem; }
.scroll { overflow-x: auto; } figure { margin: 1.5rem 0; } figcaption { color: var(--quiet); }
figure svg { max-width: 100%; height: auto; } figure.chart svg { background: #fff;
       border-radius: 8px; } .row { display: flex; flex-wrap: wrap; gap: 1.5rem; }
p, h2, figcaption { overflow-wrap: anywhere; }
.row figure { flex: 1 1 15rem; min-width: 0; margin: .5rem 0; }
pre, code { font: .9rem ui-monospace, monospace; }
pre { padding: .9rem; border: 1px solid var(--line); border-radius: 8px; overflow-x: auto;
      white-space: pre-wrap; }
"""


_FEWEST_LISTED = 3
"""Sections of a page that has a list of contents."""


def new_figure(width: float = 7.5, height: float = 4.0) -> tuple[Any, Any]:
    """A matplotlib figure in the report's style; the caller draws on its axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.set_prop_cycle(color=COLOURS)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(visible=True, axis="y", color="#e4e0d8", linewidth=0.8)
    axes.set_axisbelow(True)
    return figure, axes


def _svg_of(figure: Any) -> str:
    from matplotlib import rc_context

    page = io.StringIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "petteia"}):
        figure.savefig(
            page, format="svg", transparent=True, metadata={"Date": None, "Creator": None}
        )
    return page.getvalue()[page.getvalue().index("<svg") :]


class Link(NamedTuple):
    """A cell of a table that leads to another page."""

    text: str
    to: str
    """A relative address; its signs are escaped here."""


class Report:
    """A page that grows from top to bottom; every part has both forms."""

    def __init__(self, title: str, lead: str = "") -> None:
        self.title = title
        self._html = [f"<h1>{html.escape(title)}</h1>"]
        self._markdown = [f"# {_begun(title)}"]
        if lead:
            self._add(f'<p class="lead">{html.escape(lead)}</p>', _begun(lead))
        self._first = len(self._html)
        """Where the list of contents stands: after the title and the lead."""
        self._pictures = 0
        self._headings: list[str] = []

    def _add(self, page: str, markdown: str) -> None:
        self._html.append(page)
        self._markdown.append(markdown)

    def heading(self, text: str) -> None:
        """Begins a section; a page of several has a list of contents."""
        self._headings.append(text)
        number = len(self._headings)
        self._add(f'<h2 id="section-{number}">{html.escape(text)}</h2>', f"## {_begun(text)}")

    def text(self, text: str) -> None:
        """A paragraph."""
        self._add(f"<p>{html.escape(text)}</p>", _begun(text))

    def code(self, text: str) -> None:
        """Something to type or to read as it stands."""
        self._add(f"<pre>{html.escape(text)}</pre>", _fenced(text))

    def table(self, caption: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """A table; columns of numbers stand to the right."""
        numeric = [
            bool(rows) and all(isinstance(row[i], int | float) for row in rows)
            for i in range(len(columns))
        ]

        def cells(tag: str, values: Sequence[Any]) -> str:
            return "".join(
                f"<{tag}{' class=n' if right else ''}>{_cell(value)}</{tag}>"
                for value, right in zip(values, numeric, strict=True)
            )

        def line(values: Iterable[str]) -> str:
            return f"| {' | '.join(values)} |"

        body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
        marked = [
            line(_marked(column) for column in columns),
            line("---:" if right else "---" for right in numeric),
            *(line(_marked_cell(value) for value in row) for row in rows),
        ]
        self._add(
            f'<p class="caption">{html.escape(caption)}</p>'
            f'<div class="scroll" tabindex="0" role="region" aria-label="{html.escape(caption)}">'
            "<table>"
            f"<thead><tr>{cells('th', columns)}</tr></thead><tbody>{body}</tbody></table></div>",
            "\n".join([f"**{_marked(caption)}**", "", *marked]),
        )

    def links(self, *links: Link) -> None:
        """Other pages, in one line."""
        self._add(f"<p>{' · '.join(map(_cell, links))}</p>", " · ".join(map(_marked_cell, links)))

    def element(self, page: str, markdown: str) -> None:
        """Something that only a page can show, as HTML, and what Markdown says instead."""
        self._add(page, _begun(markdown))

    def chart(self, figure: Any, caption: str) -> None:
        """A matplotlib figure; Markdown has its caption alone."""
        self._add(self._figure("chart", _svg_of(figure), caption), _named(caption))

    def pictures(self, *boards: tuple[str, str] | tuple[str, str, str]) -> None:
        """Pictures side by side: each an SVG document, its caption, and how it reads as text."""
        row, marked = [], []
        for svg, caption, *plain in boards:
            row.append(self._figure("board", svg, caption))
            marked.append(_named(caption))
            marked += [_fenced(text) for text in plain]
        self._add(f'<div class="row">{"".join(row)}</div>', "\n\n".join(marked))

    def _figure(self, kind: str, svg: str, caption: str) -> str:
        svg = re.sub(r"^<\?xml[^>]*\?>\s*", "", svg)
        # Ids are unique in one document: pictures that were documents of their own get a prefix.
        self._pictures += 1
        prefix = f"p{self._pictures}-"
        svg = re.sub(r'\bid="', f'id="{prefix}', svg)
        svg = re.sub(r'((?:xlink:)?href="#|url\(#)', rf"\g<1>{prefix}", svg)
        return (
            f'<figure class="{kind}">{svg}<figcaption>{html.escape(caption)}</figcaption></figure>'
        )

    def html(self) -> str:
        """The whole page."""
        first, rest = self._html[: self._first], self._html[self._first :]
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{html.escape(self.title)}</title><style>{_STYLE}</style></head>"
            f"<body>{''.join([*first, self._contents(), *rest])}</body></html>\n"
        )

    def _contents(self) -> str:
        """The sections as links, where there are some."""
        if len(self._headings) < _FEWEST_LISTED:
            return ""
        links = "".join(
            f'<li><a href="#section-{number}">{html.escape(text)}</a></li>'
            for number, text in enumerate(self._headings, 1)
        )
        return f'<nav aria-label="Contents"><ul>{links}</ul></nav>'

    def markdown(self) -> str:
        """The same as Markdown, with the captions of the figures."""
        return "\n\n".join(self._markdown) + "\n"


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.3f}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _cell(value: Any) -> str:
    if isinstance(value, Link):
        return f'<a href="{html.escape(quote(value.to))}">{html.escape(value.text)}</a>'
    return html.escape(_shown(value))


def _marked_cell(value: Any) -> str:
    if isinstance(value, Link):
        return f"[{_marked(value.text)}]({quote(value.to)})"
    return _marked(_shown(value))


def _marked(text: str) -> str:
    """Text that Markdown shows as it stands; an underline within a word needs no sign."""
    return _SPECIAL.sub(r"\\\g<0>", " ".join(text.split()))


def _begun(text: str) -> str:
    """The same for text that begins a line, where it might be taken for a list."""
    return _SPECIAL_AT_FIRST.sub(r"\\\g<0>", _marked(text))


def _fenced(text: str) -> str:
    """Text as it stands, in a fence longer than any in it."""
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text + "`")))
    return f"{fence}text\n{text}\n{fence}"


def _named(caption: str) -> str:
    return f"*Figure: {_marked(caption)}*"
