"""What the defects of the report's search cost it, and what they have to do with its claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from petteia import agents, games
from petteia.arena.contest import Contest
from petteia.core.game import Game
from petteia.core.replay import replay
from petteia.core.words import Words
from petteia.search.values import is_decided
from petteia.studies.frame import Experiment, Outcome
from petteia.studies.parts import Shown, score_chart, score_text
from petteia.studies.report import Report

__all__ = ["claim_experiments", "tell_claims", "tell_defects", "tell_printed_nodes"]


@dataclass(frozen=True)
class _Kind:
    """A kind of search and an order of moves."""

    key: str
    search: str
    order: str
    switches: str

    def agent(self, evaluation: str) -> str:
        return f"alphabeta_as_printed(eval={evaluation}, {self.switches})"


_SEEING, _BLIND = "sees the end, strict >", "no test for the end, strict >"
_PRINTED = "no test for the end, root >="
_KINDS = (
    _Kind("a", _SEEING, "captures first",
          "lowers_beta=true, sees_ends=true, strict=true, order=captures"),
    _Kind("b", _SEEING, "top row first",
          "lowers_beta=true, sees_ends=true, strict=true, order=top"),
    _Kind("c", _BLIND, "captures first", "lowers_beta=true, strict=true, order=captures"),
    _Kind("d", _BLIND, "top row first", "lowers_beta=true, strict=true, order=top"),
    _Kind("e", _PRINTED, "captures first", "lowers_beta=true, order=captures"),
    _Kind("f", _PRINTED, "top row first", "lowers_beta=true, order=top"),
)  # fmt: skip
_CLAIMS = (
    ("D2 v O1", "defensive2", "offensive1", "100:0", 1.0),
    ("O2 v D1", "offensive2", "defensive1", "99:1", 0.99),
)


def _key(kind: _Kind, title: str) -> str:
    return f"{kind.key}-{title.replace(' ', '-')}"


def claim_experiments(quick: int, full: int) -> Iterator[Experiment]:
    """The two claims for every kind of search."""
    for kind in _KINDS:
        for title, first, second, claim, claimed in _CLAIMS:
            contest = Contest("breakthrough", kind.agent(first), kind.agent(second))
            yield Experiment(
                _key(kind, title), f"{title}: {kind.search}, {kind.order}", contest, quick, full,
                claim, claimed,
            )  # fmt: skip


def tell_claims(report: Report, outcomes: Mapping[str, Outcome]) -> list[dict[str, Any]]:
    """The claims by kind of search and order, with the scores from both seats."""
    rows, facts = [], []
    for kind in _KINDS:
        row = [kind.search, kind.order]
        for title, *_ in _CLAIMS:
            outcome = outcomes[_key(kind, title)]
            seats = " / ".join(f"{100 * score:.0f}" for score in outcome.by_seat)
            row += [score_text(outcome), seats]
            facts.append(
                {"claim": title, "search": kind.search, "order": kind.order,
                 "score": outcome.result.score, "interval": list(outcome.result.interval),
                 "by_seat": list(outcome.by_seat)}
            )  # fmt: skip
        rows.append(row)
    series = [outcomes[_key(kind, title)] for title, *_ in _CLAIMS for kind in _KINDS]
    score_chart(report, "The claims by kind of search", series)
    columns = ["search", "order"]
    for title, _, _, claim, _ in _CLAIMS:
        columns += [f"{title}, claimed {claim}", "as player 0 / 1, %"]
    report.table("The claims by kind of search and order of moves", columns, rows)
    return facts


def tell_printed_nodes(
    report: Report, published: Sequence[Any], shown: Mapping[str, Shown], every: int
) -> dict[str, list[float]]:
    """Expanded nodes a move: the report's, ours, and its own search on positions of our games."""
    rows, facts = [], {}
    for item in published:
        game, positions = shown[item.number].game, shown[item.number].positions[:-1]
        ours = shown[item.number].facts()["nodes_per_move"]
        printed = []
        for player in (0, 1):
            agent = agents.make(_as_printed(item.agents[player]), game)
            counts = [
                agent.choose(p, seed=place).interior
                for place, p in enumerate(positions)
                if game.mover(p) == player and place // 2 % every == 0
            ]
            printed.append(sum(counts) / max(1, len(counts)))
        theirs = item.per_move(item.nodes)
        facts[item.number] = printed
        rows.append(
            [item.number, *(f"{a:,.0f} / {b:,.0f}" for a, b in (theirs, printed, ours))],
        )
    columns = ["#", "the report printed", "its search as printed, here", "ours"]
    report.table("Expanded nodes a move, player 0 / player 1", columns, rows)
    return facts


def _as_printed(agent: str) -> str:
    """The report's own search in place of a sound one."""
    if agent.startswith("minimax("):
        return agent.replace("minimax(", "alphabeta_as_printed(prune=false, ")
    return agent.replace("alphabeta(", "alphabeta_as_printed(")


_SOUND = "lowers_beta=true, sees_ends=true, strict=true, order=captures"
_DEFECTS = (
    ("none", _SOUND),
    ("1. Min never lowers beta", _SOUND.replace("lowers_beta=true", "lowers_beta=false")),
    ("2. no test for the end", _SOUND.replace("sees_ends=true", "sees_ends=false")),
    ("3. root takes >=", _SOUND.replace("strict=true", "strict=false")),
    ("4. top row first", _SOUND.replace("order=captures", "order=top")),
    ("3 and 4", _SOUND.replace("strict=true", "strict=false").replace("captures", "top")),
    ("all four", ""),
)


def tell_defects(report: Report, series: Outcome, most: int) -> list[dict[str, Any]]:
    """Nodes and lost values of every defect on positions of a series."""
    game, positions = _sample(series, most)
    rows, facts = [], []
    for evaluation, letters in (("offensive2", "O2"), ("offensive1(seed=1)", "O1")):
        judge = agents.make(f"alphabeta(depth=5, eval={evaluation})", game)
        worth = [{each.move: each.value or 0.0 for each in judge.values(p)} for p in positions]
        sound = 0.0
        for name, switches in _DEFECTS:
            given = f", {switches}" if switches else ""
            agent = agents.make(f"alphabeta_as_printed(eval={evaluation}{given})", game)
            choices = [agent.choose(p) for p in positions]
            nodes = sum(choice.interior for choice in choices) / len(choices)
            sound = sound or nodes
            missed, lost = 0, []
            for choice, values in zip(choices, worth, strict=True):
                best, got = max(values.values()), values[choice.move]
                if is_decided(best) or is_decided(got):
                    missed += is_decided(best - got)
                elif best - got > 1e-6:
                    lost.append(best - got)
            fact: dict[str, Any] = {
                "evaluation": letters, "defects": name, "nodes_per_move": nodes,
                "times_sound": nodes / sound, "worse_moves": len(lost) / len(choices),
                "mean_loss": sum(lost) / max(1, len(lost)), "ends_missed": missed / len(choices),
            }  # fmt: skip
            facts.append(fact)
            rows.append(
                [letters, name, round(nodes), f"{nodes / sound:.1f}",
                 f"{100 * fact['worse_moves']:.0f} %", f"{fact['mean_loss']:.1f}",
                 f"{100 * fact['ends_missed']:.0f} %"]
            )  # fmt: skip
    columns = [
        "heuristic", "defects", "nodes a move", "times sound", "worse move", "mean loss",
        "win missed or loss allowed",
    ]  # fmt: skip
    report.table(f"What each defect costs, {len(positions)} positions, depth 5", columns, rows)
    return facts


def _sample(series: Outcome, most: int) -> tuple[Game, list[Words]]:
    """Positions from all over the games of a series."""
    game = games.make(series.series.contest.game)
    found: dict[Words, None] = {}
    for pair in series.result.pairs:
        for played in pair.games:
            for p in list(replay(played.record, game))[4:-1:5]:
                found[p] = None
    every = max(1, len(found) // most)
    return game, list(found)[::every][:most]
