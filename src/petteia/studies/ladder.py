"""The site of a ladder: plain files for any web server, or for none."""

from __future__ import annotations

import csv
import hashlib
import html
import io
import json
from pathlib import Path
from typing import Any

from petteia import __version__, games
from petteia.arena.ladder import STATE, Ladder, Meeting, folder_name
from petteia.arena.store import GameRow
from petteia.core.drawing.scene import scene_json
from petteia.core.drawing.style import document_style
from petteia.core.game import Game
from petteia.core.replay import replay
from petteia.core.view import View
from petteia.core.writing import make_folder, write_whole
from petteia.studies.blunders import Blunders
from petteia.studies.report import Link, Report

__all__ = ["FACTS", "page_of", "write_facts", "write_site"]

FACTS = "ladder.json"
"""The file of a site that holds its standings as data."""
_SCRIPT = Path(__file__).with_name("replay.js")
_PLAYER = """
<p><label>Game <select id="game"></select></label></p><p id="about"></p>
<div class="row"><figure class="board"><svg id="board" class="{kind}" role="img"
 aria-labelledby="said" width="440"></svg><figcaption id="said" aria-live="polite"></figcaption>
<p><button id="first">First</button> <button id="back">Back</button> <button id="next">Next</button>
<button id="last">Last</button></p>
<input id="ply" type="range" min="0" value="0" aria-label="ply" style="width:100%"></figure>
<div id="plies" style="flex:1 1 15rem;align-content:start"></div></div>
<style>{style} #plies button[aria-current] {{ outline: 2px solid var(--accent) }}</style>
<script type="application/json" id="games">{data}</script><script src="../replay.js"></script>
"""
_LAST_WORDS = "its last lines:\n"
_SHOWN_CRASHES = 5


def write_site(ladder: Ladder, folder: Path, *, judged: int = 0) -> dict[str, Any]:
    """Writes the site; pages of games that are there already stay. Gives the facts of the ladder,
    which ``ladder.json`` holds too. In so many games of each submission, those that it did not win
    first, its blunders are looked for (``judged``)."""
    for part in ("submissions", "games"):
        make_folder(folder / part)
    facts = ladder.facts()
    site = _Site(ladder, folder, facts, judged)
    for meeting in ladder.meetings.values():
        if meeting.games:
            site.write_meeting(meeting)
    for row in (*facts["ranking"], *facts["baselines"]):
        write_whole(folder / "submissions" / site.page(row["number"]), site.submission(row))
    if site.blunders is not None:
        site.blunders.save()
    write_whole(folder / "replay.js", _SCRIPT.read_bytes())
    write_whole(folder / "points.csv", _points(facts))
    write_whole(folder / "index.html", site.index())
    write_whole(folder / FACTS, json.dumps(facts, indent=1))
    return facts | {"site": str(folder / "index.html")}


def write_facts(ladder: Ladder, folder: Path) -> None:
    """Writes the standings as data alone, which takes little time, for those who watch."""
    make_folder(folder)
    write_whole(folder / FACTS, json.dumps(ladder.facts(), indent=1))


def page_of(name: str, status: str) -> str:
    """The name of the page of a submission or a baseline."""
    return folder_name(f"{'baseline ' if status == 'baseline' else ''}{name}") + ".html"


def _points(facts: dict[str, Any]) -> str:
    """The points for a grade book."""
    out = io.StringIO()
    columns = [
        "name", "status", "rank", "points", "games", "percent", "rating", "low", "high", "forfeits",
    ]  # fmt: skip
    table = csv.writer(out, lineterminator="\n")
    table.writerow(columns)
    for row in facts["ranking"]:
        percent = round(100 * row["points"] / row["games"], 2) if row["games"] else ""
        rated = [] if row["rating"] is None else [row["rating"], *row["interval"]]
        # A spreadsheet takes a name that begins like this for a formula.
        name = f"'{row['name']}" if row["name"].startswith(("=", "+", "-", "@")) else row["name"]
        table.writerow(
            [name, row["status"], row["rank"] or "", row["points"], row["games"], percent,
             *([round(each, 1) for each in rated] or [""] * 3), row["forfeits"]]
        )  # fmt: skip
    return out.getvalue()


class _Site:
    """The pages of a ladder."""

    def __init__(self, ladder: Ladder, folder: Path, facts: dict[str, Any], judged: int) -> None:
        self.ladder = ladder
        self.folder = folder
        self.facts = facts
        self.game = games.make(ladder.conditions.game)
        self.judged = judged
        kept = ladder.folder / STATE / "blunders.json"
        self.blunders = Blunders(self.game, kept) if judged else None

    def page(self, place: int) -> str:
        """The name of somebody's page."""
        entry = self.ladder.entries[place]
        return page_of(entry.name, entry.status)

    def meeting_page(self, first: int, second: int) -> str:
        """The name of the page of two."""
        one, other = (self.page(place).removesuffix(".html") for place in (first, second))
        return f"{one}--{other}.html"

    # --- the ranking ---------------------------------------------------------------------------

    def index(self) -> str:
        """The first page."""
        facts = self.facts
        report = Report(
            f"Ladder of {facts['game']}",
            f"Pairs of games a meeting: {facts['pairs']}. Seconds a move: {facts['time']:g}. "
            f"{_game_clock(facts)}"
            f"MiB of memory: {facts['memory']}. Opening: {facts['opening']}. "
            f"Seed: {facts['seed']}. Pairs still to be played: {facts['missing']}.",
        )
        rows = [*facts["ranking"], *facts["baselines"]]
        rated = sorted(
            (row for row in rows if row["rating"] is not None), key=lambda row: -row["rating"]
        )
        report.table(
            "Ranking: Bradley-Terry ratings, mean 0, with their 95 % intervals",
            ["", "name", "rating", "interval", "league", "points", "games", "forfeits", "late"],
            [
                [
                    row["rank"] or "baseline",
                    Link(row["name"], f"submissions/{self.page(row['number'])}"),
                    f"{round(row['rating']):+d}", _interval(row), row["league"],
                    f"{row['points']:g}", row["games"], row["forfeits"], row["late"],
                ]
                for row in rated
            ],
        )  # fmt: skip
        waiting = [row for row in rows if row["rating"] is None]
        if waiting:
            report.table(
                "Not ranked",
                ["name", "status", "why"],
                [
                    [Link(row["name"], f"submissions/{self.page(row['number'])}"), row["status"],
                     row["message"] or "has not played yet"]
                    for row in waiting
                ],
            )  # fmt: skip
        self._cross_table(report, rated)
        report.text("The same as data, and the points for a grade book:")
        report.links(Link("ladder.json", "ladder.json"), Link("points.csv", "points.csv"))
        return report.html()

    def _cross_table(self, report: Report, rated: list[dict[str, Any]]) -> None:
        places = [row["number"] for row in rated]
        rows = [
            [str(number), row["name"], *(self._score(row["number"], other) for other in places)]
            for number, row in enumerate(rated, 1)
        ]
        numbers = [str(number) for number in range(1, len(rated) + 1)]
        report.table(
            "Scores in %, row against column; a score leads to the games",
            ["", "name", *numbers],
            rows,
        )

    def _score(self, place: int, other: int) -> Link | str:
        found = self.between(place, other)
        if found is None or found.score is None:
            return ""
        score = found.score if place == found.first else 1 - found.score
        return Link(f"{100 * score:.0f}", f"games/{self.meeting_page(found.first, found.second)}")

    def between(self, place: int, other: int) -> Meeting | None:
        """The meeting of two."""
        return self.ladder.meetings.get((min(place, other), max(place, other)))

    # --- a submission --------------------------------------------------------------------------

    def submission(self, row: dict[str, Any]) -> str:
        """Somebody's page."""
        place = row["number"]
        of = f", version {row['version']} ({row['versions']} so far)" if row["version"] else ""
        report = Report(row["name"], f"{row['status']}{of}")
        if row["message"]:
            report.heading("In quarantine")
            report.code(row["message"])
        if row["rating"] is not None:
            report.table(
                "Standing",
                ["rank", "rating", "95 % interval", "wins", "draws", "losses", "forfeits",
                 "late moves", "ms a move"],
                [[
                    row["rank"] or "baseline", f"{round(row['rating']):+d}", _interval(row),
                    row["wins"], row["draws"], row["losses"], row["forfeits"], row["late"],
                    f"{1000 * row['seconds_a_move']:.1f}",
                ]],
            )  # fmt: skip
        self._opponents(report, place)
        self._forfeits(report, place, row)
        if self.blunders is not None and row["status"] == "ranked":
            self._blunders(report, place, self.blunders)
        report.links(Link("the ladder", "../index.html"))
        return report.html()

    def _opponents(self, report: Report, place: int) -> None:
        rows = {"baseline": [], "ranked": []}  # type: dict[str, list[list[Any]]]
        for other, entry in enumerate(self.ladder.entries):
            meeting = self.between(place, other) if other != place else None
            if meeting is None or not meeting.games:
                continue
            agent = int(place == meeting.second)
            scores = [1 - game.score if agent else game.score for game in meeting.games]
            seats = [game.costs[agent] for game in meeting.games]
            lost = sum(1 for game in meeting.games if game.forfeit_agent == agent)
            link = Link("games", f"../games/{self.meeting_page(meeting.first, meeting.second)}")
            rows[entry.status].append(
                [
                    Link(entry.name, self.page(other)), f"{100 * sum(scores) / len(scores):.0f} %",
                    scores.count(1.0), scores.count(0.5), scores.count(0.0), lost,
                    sum(seat.late for seat in seats), link,
                ]
            )  # fmt: skip
        heads = ["opponent", "score", "wins", "draws", "losses", "forfeits", "late", ""]
        if rows["baseline"]:
            report.table("Against the baselines", heads, rows["baseline"])
        if rows["ranked"]:
            report.table("Against the others", heads, rows["ranked"])

    def _forfeits(self, report: Report, place: int, row: dict[str, Any]) -> None:
        if not row["reasons"]:
            return
        report.table(
            "Forfeits by their reasons",
            ["times", "reason"],
            [[times, reason] for reason, times in row["reasons"].items()],
        )
        shown: set[str] = set()
        for meeting in self.ladder.meetings.values():
            if place not in (meeting.first, meeting.second):
                continue
            for game in meeting.games:
                if game.forfeit is None or game.forfeit_agent != int(place == meeting.second):
                    continue
                words = game.forfeit.trace.partition(_LAST_WORDS)[2].strip()
                reason = game.forfeit.reason
                if words and reason not in shown and len(shown) < _SHOWN_CRASHES:
                    shown.add(reason)
                    report.code(self.ladder.shortened(words))

    def _blunders(self, report: Report, place: int, blunders: Blunders) -> None:
        """The costly moves in some games."""
        played = [
            (score, meeting, game)
            for meeting in self.ladder.meetings.values()
            if place in (meeting.first, meeting.second)
            for game in meeting.games
            for score in [1 - game.score if place == meeting.second else game.score]
            if game.forfeit is None
        ]
        played.sort(key=lambda each: each[0])
        rows = []
        for _, meeting, game in played[: self.judged]:
            agent = int(place == meeting.second)
            other = self.ladder.entries[meeting.first if agent else meeting.second].name
            page = f"../games/{self.meeting_page(meeting.first, meeting.second)}"
            link = Link(f"pair {game.pair + 1} against {other}", page)
            rows += [
                [link, each.ply, each.move + each.mark, each.best, f"{100 * each.lost:.0f} %"]
                for each in blunders.of(game, agent ^ game.number)
            ]
        count = min(self.judged, len(played))
        caption = f"Blunders in {count} games, as {blunders.judge} judges them"
        if rows:
            report.table(caption, ["game", "ply", "played", "better", "chance lost"], rows)
        elif count:
            report.text(f"{caption}: none.")

    # --- games ---------------------------------------------------------------------------------

    def write_meeting(self, meeting: Meeting) -> None:
        """Writes the page of two with all their games, unless it is there."""
        path = self.folder / "games" / self.meeting_page(meeting.first, meeting.second)
        seen = hashlib.sha256(__version__.encode())
        for game in meeting.games:
            seen.update(f"{game.place} {game.text}".encode(errors="replace"))
        mark = f'<meta name="games" content="{seen.hexdigest()}">'
        if path.exists() and mark in path.read_text(encoding="utf-8"):
            return
        names = [self.ladder.entries[place].name for place in (meeting.first, meeting.second)]
        report = Report(f"{names[0]} against {names[1]}", self.facts["game"])
        kind, style = document_style(tuple(self.game.players))
        data = json.dumps(self._games(meeting, names), separators=(",", ":"))
        page = _PLAYER.format(
            kind=html.escape(kind), style=style, data=data.replace("<", "\\u003c")
        )
        report.element(page, f"{len(meeting.games)} games")
        both = (
            Link(self.ladder.entries[place].name, f"../submissions/{self.page(place)}")
            for place in (meeting.first, meeting.second)
        )
        report.links(Link("the ladder", "../index.html"), *both)
        write_whole(path, report.html().replace("</head>", f"{mark}</head>", 1))

    def _games(self, meeting: Meeting, names: list[str]) -> dict[str, Any]:
        drawn = _Drawn()
        found = []
        for row in meeting.games:
            players = [names[row.number], names[1 - row.number]]
            points = {1.0: f"{players[0]} won", -1.0: f"{players[1]} won"}
            ended = points.get((row.result > 0) * 1.0 - (row.result < 0), "a draw")
            why = f"; forfeit: {self.ladder.shortened(row.forfeit.reason)}" if row.forfeit else ""
            sides = zip(self.game.players, players, strict=True)
            found.append(
                {
                    "title": f"pair {row.pair + 1}, {players[0]} first: {ended}",
                    "about": ", ".join(f"{side}: {name}" for side, name in sides) + why,
                    "frames": _frames(self.game, row, drawn),
                }
            )
        return {"boards": drawn.boards, "symbols": drawn.symbols, "games": found}


class _Drawn:
    """Boards and symbols that many frames share."""

    def __init__(self) -> None:
        self.boards: list[dict[str, Any]] = []
        self.symbols: dict[str, Any] = {}

    def frame(self, view: View) -> dict[str, Any]:
        """Where the pieces of a view stand, and on which board."""
        drawn = scene_json(view)
        side = drawn["sides"][0]
        board = {
            "box": side["box"], "ground": side["board"], "cells": side["cells"],
            "labels": side["labels"],
        }  # fmt: skip
        self.symbols |= {
            name: {key: symbol[key] for key in ("kind", "parts", "ring") if key in symbol}
            for name, symbol in drawn["symbols"].items()
        }
        if board not in self.boards:
            self.boards.append(board)
        pieces = [(name, x, y, scale, count) for name, x, y, _, scale, count in side["pieces"]]
        return {"board": self.boards.index(board), "pieces": pieces}


def _frames(game: Game, row: GameRow, drawn: _Drawn) -> list[dict[str, Any]]:
    record = row.record
    views = [game.view(p) for p in replay(record, game)]
    frames = []
    for number, view in enumerate(views):
        ply = record.plies[number - 1] if number else None
        text = " | ".join(ply.texts) if ply else "start"
        last = views[number - 1].path(*ply.texts) if ply and ply.kind != "chance" else ()
        dice = f", dice {' '.join(map(str, view.dice))}" if view.dice else ""
        said = f"{number}. {text}: {view.status}{dice}" if ply else f"{view.status}{dice}"
        frames.append(drawn.frame(view) | {"last": last, "ply": text, "text": said})
    return frames


def _game_clock(facts: dict[str, Any]) -> str:
    return f"Seconds a game: {facts['game_time']:g}. " if facts["game_time"] else ""


def _interval(row: dict[str, Any]) -> str:
    low, high = row["interval"]
    return f"{round(low):+d} to {round(high):+d}"
