"""The tour: plays, analyses and measures every game in a minute or two."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from petteia import agents, games
from petteia.arena.match import Match
from petteia.arena.play import opening, play_game
from petteia.core import record
from petteia.core.drawing import svg, terminal
from petteia.core.game import Game
from petteia.core.position import Position
from petteia.core.replay import replay
from petteia.search.perft import perft
from petteia.search.stepper import stepper_of
from petteia.search.values import is_decided, plies_to_end
from petteia.studies import frame
from petteia.studies.report import Report, new_figure

__all__ = ["Tour", "next_steps", "take"]

_CHAMPION = "engine(nodes=4000)"
_CHALLENGERS = ("random", "greedy", "mcts(simulations=300)", "alphabeta(depth=3)")
_FEW_PAIRS = 5
_PAIRS = 10

Tell = Callable[[str], None]
ShowTable = Callable[[str, Sequence[str], Sequence[Sequence[Any]]], None]


@dataclass
class Tour:
    """What the tour saw."""

    report: Report
    facts: dict[str, Any] = field(default_factory=dict)


def take(tell: Tell, show: ShowTable) -> Tour:
    """Visits every game; ``tell`` and ``show`` report to the person on the way."""
    tour = Tour(
        Report(
            "A tour of Petteia",
            "Rules written once in plain Python, searched at native speed, measured honestly.",
        )
    )
    for name, kind in games.classes().items():
        game = games.make(name)
        tell(f"\n== {name}: {(kind.__doc__ or '').splitlines()[0]}")
        tour.report.heading(kind.title or name.capitalize())
        if game.has_chance or game.has_simultaneous:
            tour.facts[name] = _look_in(game, tour.report, tell)
            continue
        tour.facts[name] = {
            **_play(game, tour.report, tell),
            **_analyse(game, tour.report, tell, show),
            **_measure(game, tour.report, tell, show),
            **_match(game, tour.report, tell, show),
        }
    for study in map(frame.find, frame.names()):
        if study.visit is not None:
            tell(f"\n== {study.name}: {study.about}")
            tour.report.heading(study.name.capitalize())
            tour.facts[study.name] = study.visit(tour.report, tell)
    tour.report.heading("How to go on")
    tour.report.code(next_steps())
    return tour


def next_steps() -> str:
    """Commands to try after the tour, as the person would type them here."""
    program = os.environ.get("PETTEIA_COMMAND", "petteia")
    return "\n".join(
        f"{program} {words:36} {about}"
        for words, about in (
            ("lab", "all games in the browser: play, study and measure"),
            ("play breakthrough", "play against the engine"),
            ("analyse breakthrough start", "every move with its value"),
            ("play examples/connect_four.py", "a game of your own in one file"),
            ("games", "all games, evaluations and agents"),
            ("flow generate --difficulty medium", "a puzzle to solve"),
            ('match breakthrough "engine(time=0.05)" "alphabeta(depth=5, eval=offensive2)"', ""),
        )
    )


def _play(game: Game, report: Report, tell: Tell) -> dict[str, Any]:
    """One game between two agents, with its course."""
    specs = ("engine(time=0.02)", "alphabeta(depth=4)")
    pair = (agents.make(specs[0], game), agents.make(specs[1], game))
    for agent in pair:
        agent.prepare(game.start())
    played = play_game(game, pair, seeds=(1, 2), start=opening(game, 2, 1))
    positions = replay(played.record, game)
    judge = agents.make("engine(nodes=20000)", game)
    values = []
    for p in positions[:-1]:
        value = judge.choose(p).value or 0.0
        values.append(value if game.mover(p) == 0 else -value)
    figure, axes = new_figure(height=3.2)
    plain = [abs(value) for value in values if not is_decided(value)]
    limit = 1.15 * max(plain, default=1.0)
    shown = [max(-limit, min(limit, value)) for value in values]
    axes.fill_between(range(len(shown)), shown, alpha=0.25)
    axes.plot(shown, linewidth=1.8)
    axes.axhline(0, color="#555", linewidth=0.8)
    axes.set_xlabel("ply")
    axes.set_ylabel(f"value for {game.players[0]}")
    winner = game.status(positions[-1])
    tell(f"A game, {specs[0]} ({game.players[0]}) against {specs[1]} ({game.players[1]}):\n")
    tell(terminal.board(game.view(positions[-1])))
    report.text(
        f"{specs[0]} ({game.players[0]}) played {specs[1]} ({game.players[1]}): {winner} after "
        f"{played.plies} plies."
    )
    report.pictures(
        (svg.board(game.view(positions[0])), "The start"),
        (svg.board(game.view(positions[-1])), f"The end: {winner}"),
    )
    report.chart(
        figure, "The course of the game, judged by the engine; cut off where it is decided"
    )
    report.code(record.write(played.record))
    return {"game": {"result": played.result, "plies": played.plies, "agents": list(specs)}}


def _look_in(game: Game, report: Report, tell: Tell) -> dict[str, Any]:
    """A game with dice or simultaneous moves: its own player against a random one."""
    specs = (agents.usual(game), "random")
    match = Match(game, agents.make(specs[0], game), agents.make(specs[1], game), seed=1)
    result = match.run(_FEW_PAIRS)
    played = result.pairs[0].games[0]
    last = Position.along(game, replay(played.record, game))[-1]
    low, high = result.interval
    line = (
        f"{specs[0]} against {specs[1]}, {_FEW_PAIRS} pairs: {100 * result.score:.0f} % "
        f"({100 * low:.0f} to {100 * high:.0f}); the first game: {last.status} after "
        f"{played.plies} plies"
    )
    tell(terminal.board(last.view()))
    tell(line)
    report.text(line)
    report.pictures(
        (svg.board(game.view(game.start())), "The start"), (last.svg(), f"The end: {last.status}")
    )
    return {"matches": {specs[1]: result.as_json()}}


def _analyse(game: Game, report: Report, tell: Tell, show: ShowTable) -> dict[str, Any]:
    """The best moves of an opening position."""
    p = game.start()
    for move in opening(game, 8, 4):
        p = stepper_of(game).play(p, move)
    agent = agents.make("engine(time=0.5)", game)
    agent.prepare(p)
    choice = agent.choose(p)
    position = Position(game, p)
    rows = []
    for each in agent.values(p)[:5]:
        value = each.value or 0.0
        plies = plies_to_end(value)
        shown = f"{value:+.2f}" if plies is None else f"{'win' if value > 0 else 'loss'} in {plies}"
        walk, texts = position, []
        for step in each.line[:6]:
            texts.append(game.move_text(walk.words, step))
            walk = walk.play(step)
        rows.append((texts[0], shown, " ".join(texts)))
    nodes = choice.interior + choice.leaves
    caption = (
        f"Best moves for {game.players[game.mover(p)]} at {position} "
        f"(depth {choice.depth}, {nodes / 1e6:.1f} M nodes in {choice.seconds:.2f} s)"
    )
    tell("")
    show(caption, ["move", "value", "line"], rows)
    report.pictures((svg.board(game.view(p)), str(position)))
    report.table(caption, ["move", "value", "line"], rows)
    return {"analysis": {"best": rows[0][0], "depth": choice.depth, "nodes": nodes}}


def _measure(game: Game, report: Report, tell: Tell, show: ShowTable) -> dict[str, Any]:
    """Perft, and how many nodes each search needs for each depth."""
    p = game.start()
    perft(game, p, 1)
    depth, leaves, seconds = 1, 1, 0.0
    while seconds < 0.15 and depth < 12:
        depth += 1
        started = time.perf_counter()
        leaves = perft(game, p, depth)
        seconds = time.perf_counter() - started
    rate = leaves / max(seconds, 1e-9)
    line = f"perft({depth}) = {leaves:,} lines of play in {seconds:.2f} s: {rate / 1e6:.0f} M/s"
    tell(f"\n{line}")
    report.text(line)
    rows: list[list[Any]] = []
    figure, axes = new_figure()
    for name, deepest in (("minimax", 5), ("alphabeta", 8), ("engine", 10)):
        counts = []
        for plies in range(1, deepest + 1):
            agent = agents.make(f"{name}(depth={plies})", game)
            agent.prepare(p)
            choice = agent.choose(p)
            nodes = choice.interior + choice.leaves
            counts.append(nodes)
            if plies == deepest:
                speed = nodes / max(choice.seconds, 1e-9) / 1e6
                rows.append([name, plies, nodes, round(choice.seconds, 4), round(speed, 1)])
        axes.semilogy(range(1, deepest + 1), counts, marker="o", label=name)
    axes.set_xlabel("depth")
    axes.set_ylabel("nodes")
    axes.legend(frameon=False)
    columns = ["search", "depth", "nodes", "seconds", "M nodes/s"]
    show("From the start", columns, rows)
    report.table("From the start", columns, rows)
    report.chart(figure, "Nodes by depth, default evaluation")
    return {"perft": {"depth": depth, "leaves": leaves, "leaves_per_second": rate}}


def _match(game: Game, report: Report, tell: Tell, show: ShowTable) -> dict[str, Any]:
    """The engine against each challenger, in pairs with swapped sides."""
    rows: list[list[Any]] = []
    facts = {}
    for challenger in _CHALLENGERS:
        match = Match(game, agents.make(_CHAMPION, game), agents.make(challenger, game), seed=1)
        result = match.run(_PAIRS)
        low, high = result.interval
        facts[challenger] = result.as_json()
        counts = [result.count(score) for score in (1.0, 0.5, 0.0)]
        rows.append([challenger, *counts, result.score, low, high])
    shown = [
        [*row[:4], f"{100 * row[4]:.0f} %", f"{100 * row[5]:.0f} to {100 * row[6]:.0f} %"]
        for row in rows
    ]
    columns = ["against", "wins", "draws", "losses", "score", "95 % interval"]
    caption = f"{_CHAMPION}, {_PAIRS} pairs each, same opening, sides swapped"
    tell("")
    show(caption, columns, shown)
    report.table(caption, columns, shown)
    figure, axes = new_figure(height=2.6)
    for place, row in enumerate(reversed(rows)):
        axes.plot([row[5], row[6]], [place, place], linewidth=3, color="#0072B2", alpha=0.5)
        axes.plot(row[4], place, marker="o", color="#0072B2")
    axes.set_yticks(range(len(rows)), [row[0] for row in reversed(rows)])
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.axvline(0.5, color="#555", linewidth=0.8)
    axes.set_xlabel("score of the engine with its 95 % interval")
    report.chart(figure, "Who beats whom")
    return {"matches": facts}
