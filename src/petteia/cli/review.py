"""``petteia review``."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from petteia import agents, games
from petteia.cli import game_file, output
from petteia.cli.asked import asked
from petteia.cli.interrupt import interruptible
from petteia.cli.options import GameSpec, Json, Judge
from petteia.cli.replay import points_of, score_of
from petteia.core import fair
from petteia.core.agent import Agent
from petteia.core.collection import Collection
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.record import Record
from petteia.review.game import Review, agreement, review, usual_judge
from petteia.review.marks import marks_of
from petteia.review.rates import Rates, rates_of

__all__ = ["judge_for", "readable", "run"]

_NEAR = 8
"""Agents that are listed as likely players."""
_ROWS, _COLUMNS = 11, 72


def judge_for(game: Game, spec: str) -> Agent:
    """Who judges: whom the person named, else whom the game names, else perfect play where it is
    known, else the usual."""
    if spec:
        return asked(agents.make(spec, game), threads=False)
    if "perfect" in agents.able(game) and not game.default_judge:
        try:
            return agents.make("perfect", game)
        except PetteiaError as problem:
            output.note(f"{problem}; {usual_judge(game)} judges instead")
    return asked(agents.make(usual_judge(game), game), threads=False)


def readable(game: Game, path: Path, *, last: bool = True) -> Collection:
    """The games in a file, in our own format or another of the game. What cannot be read is told;
    with ``last`` the last one must be readable."""
    found = game_file.load(game, path)
    if last and found.entries[-1].record is None:
        raise PetteiaError(f"{path}: the last game cannot be read: {found.faults[-1]}")
    for fault in found.faults:
        output.note(f"not read: {fault}")
    for note in found.notes:
        output.note(note)
    return found


def _dice(game: Game, played: Record, found: Review) -> dict[str, Any] | None:
    """A chi-square test of the throws, and whether a promise about them was kept."""
    if not found.throws:
        return None
    from scipy.stats import chisquare

    expected: dict[str, float] = {}
    counted: dict[str, int] = {}
    for throw in found.throws:
        for outcome, chance in game.outcomes(throw.position):
            name = game.move_text(throw.position, outcome)
            expected[name] = expected.get(name, 0.0) + chance
        name = game.move_text(throw.position, throw.outcome)
        counted[name] = counted.get(name, 0) + 1
    names = sorted(expected)
    test = chisquare([counted.get(n, 0) for n in names], [expected[n] for n in names])
    promised, secret = played.header("Promise"), played.header("Secret")
    return {
        "throws": len(found.throws),
        "counts": {n: counted.get(n, 0) for n in names},
        "expected": {n: round(expected[n], 3) for n in names},
        "p_value": float(test.pvalue),
        "promise_kept": _is_kept(game, found, promised, secret) if promised and secret else None,
    }


def _is_kept(game: Game, found: Review, promised: str, secret: str) -> bool:
    """Whether the secret is the promised one and every throw follows from it."""
    if not fair.keeps(secret, promised):
        return False
    return all(
        fair.thrown(secret, throw.ply, game.outcomes(throw.position)) == throw.outcome
        for throw in found.throws
    )


def _rates(rates: Rates) -> dict[str, Any]:
    return {
        "error_rate": rates.error_rate, "snowie_rate": rates.snowie_rate,
        "luck_rate": rates.luck_rate,
    }  # fmt: skip


def _side(game: Game, played: Record, judge: Agent, found: Review, player: int) -> dict[str, Any]:
    """How well a player played, and how lucky."""
    marks, (moves, throws) = marks_of(game), found.of(player)
    errors = [marks.of_loss(m.lost_chance) for m in moves]
    rolls = [marks.of_luck(t.gained_chance) for t in throws]
    choices = sum(m.player == player and m.choices > 1 for m in found.moves)
    best = sum(m.loss == 0 for m in moves)
    return {
        "player": game.players[player],
        "name": played.players[player],
        "decisions": len(moves),
        "unjudged": choices - len(moves),
        "accuracy": best / len(moves) if moves else None,
        "mean_loss": sum(m.loss for m in moves) / max(1, len(moves)),
        "blunders": sum(mark in ("?", "??") for mark in errors),
        "errors": {each.sign: errors.count(each.sign) for each in reversed(marks.errors)},
        "rolls": {each.sign: rolls.count(each.sign) for each in (*marks.lucky, *marks.unlucky)},
        "luck": found.luck(player),
        "lost": found.lost(player),
        **_rates(rates_of(game, judge, found, player)),
    }


def _facts(
    game: Game, played: Record, judge: Agent, found: Review, others: list[Agent]
) -> dict[str, Any]:
    marks = marks_of(game)
    return {
        "game": str(game),
        "players": list(played.players),
        "result": played.result,
        "judge": str(judge),
        "in_points": judge.in_points,
        "sides": [_side(game, played, judge, found, player) for player in (0, 1)],
        "moves": [
            {
                "ply": m.ply + 1,
                "player": game.players[m.player],
                "position": game.text(m.position),
                "move": game.move_text(m.position, m.move),
                "best": game.move_text(m.position, m.best),
                "value": m.value,
                "loss": m.loss,
                "lost_chance": m.lost_chance,
                "mark": marks.of_loss(m.lost_chance),
            }
            for m in found.moves
        ],
        "rolls": [
            {
                "ply": t.ply + 1,
                "player": game.players[t.player],
                "roll": game.move_text(t.position, t.outcome),
                "luck": t.luck,
                "gained_chance": t.gained_chance,
                "mark": marks.of_luck(t.gained_chance),
            }
            for t in found.throws
        ],
        "course": list(found.course),
        "win_chance": list(found.chances),
        "agreement": {str(a): list(shares) for a, shares in agreement(found, others)},
        "dice": _dice(game, played, found),
    }


def _others(game: Game, named: list[str]) -> list[Agent]:
    """The agents whose choices are compared: those named, else the game's own."""
    if named:
        return [agents.make(spec, game) for spec in named]
    found = []
    for name in game.agents:
        try:
            found.append(agents.make(name, game))
        except PetteiaError:  # needs an argument or a table
            continue
    return found


def run(
    game: GameSpec,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a file with a game")],
    judge: Judge = "",
    compare: Annotated[
        list[str] | None, typer.Option(help="an agent to compare with; may be repeated")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="every game in the file: rates of error and of luck")
    ] = False,
    as_json: Json = False,
) -> None:
    """Reviews the last game in a file, or all of them in short."""
    made = games.make(game)
    held = readable(made, file, last=not every)
    counts = {"read": len(held.records), "faults": [asdict(fault) for fault in held.faults]}
    expert = judge_for(made, judge)
    expert.prepare(made.start())
    if every:
        summary = {**_summary(made, held, expert), **counts}
        output.show(summary, as_json, lambda: _show_summary(made, expert, summary))
        return
    played = held.records[-1]
    found = interruptible(expert, lambda: review(made, played, expert))
    facts = {**_facts(made, played, expert, found, _others(made, compare or [])), **counts}
    output.show(facts, as_json, lambda: _show(made, expert, found, facts))


def _summary(game: Game, held: Collection, judge: Agent) -> dict[str, Any]:
    """All games in short, and what they come to for each player, who may change seats."""
    records = [(number, each.record) for number, each in enumerate(held.entries, 1) if each.record]
    names = records[0][1].players
    totals = {name: Rates() for name in names}
    rows = []
    for number, played in output.tracked(records, len(records), "games"):
        found = interruptible(judge, partial(review, game, played, judge))
        sides = []
        for player, name in enumerate(played.players):
            rates = rates_of(game, judge, found, player)
            totals[name] = totals.get(name, Rates()) + rates
            sides.append({"name": name, "decisions": rates.decisions, **_rates(rates)})
        rows.append(
            {
                "game": number, "score": score_of(played), "points": points_of(played),
                "sides": sides,
            }
        )  # fmt: skip
    return {
        "game": str(game), "judge": str(judge), "in_points": judge.in_points, "games": rows,
        "players": [
            {"name": name, "decisions": rates.decisions, **_rates(rates)}
            for name, rates in totals.items()
        ],
    }  # fmt: skip


def _show_summary(game: Game, judge: Agent, facts: dict[str, Any]) -> None:
    def shown(value: float | None) -> str:
        return "-" if value is None else f"{value:.1f}"

    def cells(side: dict[str, Any]) -> list[Any]:
        rates = (side["error_rate"], side["snowie_rate"], side["luck_rate"])
        return [side["name"], side["decisions"], *map(shown, rates)]

    print(f"{game}, judged by {judge}; rates are thousandths of the stake\n")
    rows: list[list[Any]] = []
    for each in facts["games"]:
        points = each["points"]
        head = [each["game"], ":".join(map(str, each["score"])) or "-",
                "*" if points is None else f"{points:+g}"]  # fmt: skip
        for side in each["sides"]:
            rows.append([*head, *cells(side)])
            head = ["", "", ""]
    rows += [["all", "", "", *cells(each)] for each in facts["players"]]
    columns = ["game", "score", "points", "player", "decisions", "error rate", "Snowie's", "luck"]
    output.table("", columns, rows)


def _graph(course: list[float]) -> list[str]:
    """The course of the game for player 0 as rows of text, from +1 at the top to -1."""
    columns = min(_COLUMNS, len(course))
    height = max(1e-9, *(abs(value) for value in course))
    rows = [[" "] * columns for _ in range(_ROWS)]
    for x in range(columns):
        value = course[x * (len(course) - 1) // max(1, columns - 1)]
        y = round((1 - value / height) * (_ROWS - 1) / 2)
        rows[y][x] = "*"
    middle = _ROWS // 2
    rows[middle] = [sign if sign != " " else "-" for sign in rows[middle]]
    return ["".join(row).rstrip() for row in rows]


def _show(game: Game, judge: Agent, found: Review, facts: dict[str, Any]) -> None:
    in_chances = game.most_points == 1 or not judge.in_points

    def worth(value: float) -> str:
        return f"{50 * value:+.1f} %" if in_chances else f"{value:+.3f}"

    print(f"{game}: {facts['players'][0]} v {facts['players'][1]}, judged by {judge}\n")
    print(f"how {game.players[0]} stood")
    print("\n".join(_graph(list(found.course))))
    rows = [
        (
            side["player"], side["name"], side["decisions"],
            "-" if side["accuracy"] is None else f"{100 * side['accuracy']:.0f} %",
            worth(-side["mean_loss"]), *side["errors"].values(),
            " ".join(f"{count}{mark}" for mark, count in side["rolls"].items() if count) or "-",
            worth(side["luck"]), worth(-side["lost"]),
        )
        for side in facts["sides"]
    ]  # fmt: skip
    classes = list(facts["sides"][0]["errors"])
    columns = ["side", "player", "choices", "best moves", "a move", *classes, "rolls"]
    output.table("", [*columns, "own luck", "own errors"], rows)
    rates = [side["error_rate"] for side in facts["sides"]]
    if judge.in_points and None not in rates:
        told = ", ".join(f"{side['player']} {side['error_rate']:.1f}" for side in facts["sides"])
        print(f"lost by a decision, in thousandths of the stake: {told}")
    unjudged = sum(side["unjudged"] for side in facts["sides"])
    if unjudged:
        print(
            f"{unjudged} moves are not judged: {judge} has no evaluation and saw no end from there"
        )
    lost = sorted((m for m in facts["moves"] if m["mark"]), key=lambda m: -m["loss"])[:12]
    if lost:
        print("\ncostly moves")
        table = [
            (m["ply"], m["player"], m["move"] + m["mark"], m["best"], worth(-m["loss"]))
            for m in lost
        ]
        output.table("", ["ply", "side", "played", "best", "lost"], table)
    if facts["agreement"]:
        print("\nwho would have played so")
        nearest = sorted(facts["agreement"].items(), key=lambda pair: -max(pair[1]))
        table2 = [
            (name, *(f"{100 * share:.0f} %" for share in shares))
            for name, shares in nearest[:_NEAR]
        ]
        output.table("", ["agent", *game.players], table2)
        if len(nearest) > _NEAR:
            print(f"({len(nearest) - _NEAR} others agree less; --json has them all)")
    dice = facts["dice"]
    if dice:
        print(
            f"\n{dice['throws']} throws; chance of dice as uneven as these: {dice['p_value']:.2f}"
        )
        if dice["promise_kept"] is not None:
            print("the dice are those that were promised" if dice["promise_kept"] else
                  "the dice are NOT those that were promised")  # fmt: skip
