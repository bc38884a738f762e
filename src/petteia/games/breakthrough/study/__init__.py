"""The Breakthrough part of a course report of 2017: its match-ups, its claims, and ours.

The published figures are those that the report's program printed; where the report's tables
differ from them, the tables are wrong (see ``SLIPS``). Player 0 is named first and starts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from petteia import games
from petteia.arena.contest import Contest
from petteia.games.breakthrough.study.search import (
    claim_experiments,
    tell_claims,
    tell_defects,
    tell_printed_nodes,
)
from petteia.studies.frame import Experiment, Outcome, Study
from petteia.studies.parts import (
    Shown,
    nodes_by_depth,
    score_chart,
    score_table,
    score_text,
)
from petteia.studies.report import Report

__all__ = ["PUBLISHED", "STUDY", "Published"]

Both = tuple[int, int]
Reals = tuple[float, float]


@dataclass(frozen=True)
class Published:
    """One game of the report; what belongs to a player is a pair, player 0 first."""

    number: str
    title: str
    game: str
    agents: tuple[str, str]
    moves: Both
    nodes: Both
    """Expanded nodes: those whose moves were generated."""
    seconds: Reals
    captures: Both
    winner: int
    why: str
    """Why ours may differ."""
    claim: str = ""
    claimed: float | None = None

    def per_move(self, values: Both | Reals) -> Reals:
        """The values divided by the moves of each player."""
        return (values[0] / self.moves[0], values[1] / self.moves[1])


def _ab(evaluation: str, depth: int = 5) -> str:
    return f"alphabeta(depth={depth}, eval={evaluation})"


_ENDS = "Ours sees the end of the game (a)."
_NEAR = "One game shows no rate: the weaker side wins often enough, and ties decide games (b)."
_NO_COUNT = "The report gives no count of games, so that its margin is not known."
_OWN_O2 = "The report prints no O2 for the variant; ours is O2 with the variant's terms."
_REASONS = (
    "(a) The report's search has a depth limit but no test for the end of the game. Ours has one, "
    "so that even O1 and D1, which count workers alone, take a worker that is about to arrive, "
    "and make the last step themselves.",
    "(b) The report's root takes the last move whose value is at least the best so far; under "
    "pruning that value may be a mere bound, and the move a worse one. Ours takes the first of "
    "the truly best. Between equal moves the order decides, and with it games.",
)
_FEW_PAIRS = 20

PUBLISHED = (
    Published(
        "1", "minimax(O1) v alpha-beta(O1)", "breakthrough",
        ("minimax(depth=3, eval=offensive1)", _ab("offensive1")),
        (41, 41), (17_528, 1_175_079), (0.691847, 49.220264), (8, 16), 1,
        _ENDS,
    ),
    Published(
        "2", "alpha-beta(O2) v alpha-beta(D1)", "breakthrough",
        (_ab("offensive2"), _ab("defensive1")),
        (35, 34), (9_905_956, 1_496_428), (665.630188, 74.869698), (1, 3), 0,
        _ENDS, "99:1 over 100 rounds", 0.99,
    ),
    Published(
        "3", "alpha-beta(D2) v alpha-beta(O1)", "breakthrough",
        (_ab("defensive2"), _ab("offensive1")),
        (25, 24), (5_068_330, 1_548_187), (507.656952, 105.042999), (10, 5), 0,
        _ENDS, "100:0 over 100 rounds", 1.0,
    ),
    Published(
        "4", "alpha-beta(O2) v alpha-beta(O1)", "breakthrough",
        (_ab("offensive2"), _ab("offensive1")),
        (31, 30), (4_660_557, 1_423_513), (300.437012, 56.290474), (12, 6), 0,
        _ENDS,
    ),
    Published(
        "5", "alpha-beta(D2) v alpha-beta(D1)", "breakthrough",
        (_ab("defensive2"), _ab("defensive1")),
        (27, 26), (5_576_449, 949_124), (389.367798, 46.442280), (1, 3), 0,
        _ENDS,
    ),
    Published(
        "6", "alpha-beta(O2) v alpha-beta(D2)", "breakthrough",
        (_ab("offensive2"), _ab("defensive2")),
        (46, 45), (6_757_433, 1_569_482), (459.433685, 82.655785), (13, 10), 0,
        _NEAR,
    ),
    Published(
        "V1", "3 Workers: alpha-beta(O2) v alpha-beta(D1)", "three-workers",
        (_ab("three_workers_offensive"), _ab("defensive1")),
        (62, 61), (11_134_483, 1_543_915), (681.629028, 69.700302), (6, 10), 0,
        f"{_OWN_O2} {_ENDS}",
    ),
    Published(
        "V2", "3 Workers: alpha-beta(D2) v alpha-beta(O1), depth 4", "three-workers",
        (_ab("three_workers", 4), _ab("offensive1", 4)),
        (32, 31), (322_252, 134_687), (12.012218, 3.147466), (14, 4), 0,
        "The report's formula has a slip of a sign, which rewards the enemy's advance; ours is as "
        f"meant. {_ENDS}",
    ),
    Published(
        "V3", "long board: alpha-beta(O2) v alpha-beta(D1), depth 4", "long-board",
        (_ab("long_board_offensive", 4), _ab("defensive1", 4)),
        (17, 16), (139_902, 68_062), (6.812611, 1.490077), (4, 4), 0,
        "The report's final board has three workers home: it was played by the rules of 3 Workers. "
        f"{_OWN_O2}",
    ),
    Published(
        "V4", "long board: alpha-beta(D2) v alpha-beta(O1), depth 4", "long-board",
        (_ab("long_board", 4), _ab("offensive1", 4)),
        (26, 25), (170_713, 146_661), (5.978534, 2.716280), (18, 12), 0,
        _ENDS,
    ),
)  # fmt: skip

SLIPS = (
    ("3", "times 5.98 / 2.71, which are those of V4", "507.66 / 105.04"),
    ("4", "466,057 nodes for player 0; 30 + 29 = 59 moves", "4,660,557; 31 / 30"),
    ("V1", "times 459.43 / 82.65, which are those of 6", "681.63 / 69.70"),
    ("V2", "62 / 61 moves, which are those of V1", "32 / 31"),
    ("V2", "player 1 captured 12", "12 workers of player 0 are left, so it captured 4"),
    ("V3", "times 12.01 / 3.14, which are those of V2", "6.81 / 1.49"),
    ("V3", "one worker wins", "three workers of player 0 are home on the final board"),
    ("V4", "26 + 25 = 511 moves", "51"),
)

_GREEDY = "greedy(eval=offensive1)"
_FULL_PAIRS, _QUICK_PAIRS = 50, 3


def _game_key(number: str) -> str:
    return f"{number}-game"


def _experiments() -> tuple[Experiment, ...]:
    found = []
    for item in PUBLISHED:
        contest = Contest(item.game, *item.agents)
        alone = Contest(item.game, *item.agents, opening="none")
        found.append(
            Experiment(_game_key(item.number), f"{item.number} from the start", alone, 1, 1)
        )
        won = f"player {item.winner} won the game that was printed"
        found.append(
            Experiment(
                item.number, f"{item.number}. {item.title}", contest, _QUICK_PAIRS, _FULL_PAIRS,
                item.claim or won, item.claimed,
            )
        )  # fmt: skip
    for key, other, title, claim in (
        ("G1", "minimax(depth=3, eval=offensive1)", "minimax(O1)", "the greedy bot wins"),
        ("G2", _ab("offensive1"), "alpha-beta(O1)", "alpha-beta wins again"),
    ):
        contest = Contest("breakthrough", _GREEDY, other)
        title = f"{key}. greedy(O1) v {title}"
        found.append(Experiment(key, title, contest, _QUICK_PAIRS, _FULL_PAIRS, claim))
    return (*found, *claim_experiments(1, _FULL_PAIRS))


def _verdict(outcome: Outcome, why: str, *, first_wins: bool) -> str:
    """What the interval says about the published result, and why where it says otherwise."""
    low, high = outcome.result.interval
    claimed = outcome.experiment.claimed
    if low <= 0.5 <= high:
        few = len(outcome.result.pairs) < _FEW_PAIRS
        return "Too few games to tell." if few else f"Nobody is clearly better. {why}"
    if (low > 0.5) != first_wins:
        return f"The other side is better. {why}"
    if claimed is not None and not low <= claimed <= high:
        return f"The same side is better, but by less. {why}"
    return "Agrees."


def _differences(report: Report, outcomes: Mapping[str, Outcome]) -> list[dict[str, str]]:
    rows = []
    for item in PUBLISHED:
        outcome = outcomes[item.number]
        said = item.claim or f"player {item.winner} won after {sum(item.moves)} moves"
        why = _verdict(outcome, item.why, first_wins=item.winner == 0)
        rows.append((outcome.experiment.title, said, score_text(outcome), why))
    for key, first_wins in (("G1", True), ("G2", False)):
        outcome = outcomes[key]
        why = _verdict(outcome, _NO_COUNT, first_wins=first_wins)
        rows.append((outcome.experiment.title, outcome.experiment.claim, score_text(outcome), why))
    columns = ["match-up", "report", "ours, 95 % interval", "why they differ"]
    report.table("What the report says, and what we see", columns, rows)
    for reason in _REASONS:
        report.text(reason)
    return [dict(zip(("match_up", "report", "ours", "why"), row, strict=True)) for row in rows]


def _costs(report: Report, shown: Mapping[str, Shown]) -> None:
    """Moves, captures, winners, nodes and times of the single games beside the report's."""
    course, nodes, paces = [], [], []
    for item in PUBLISHED:
        ours = shown[item.number].facts()
        names = [f"player {item.winner}", f"player {ours['winner']}"]
        course.append(
            [item.number, _slash(item.moves), _slash(ours["moves"]), _slash(item.captures),
             _slash(ours["captures"]), *names]
        )  # fmt: skip
        nodes.append(
            [item.number, item.nodes[0], ours["nodes"][0], item.nodes[1], ours["nodes"][1]]
        )
        theirs = [*item.per_move(item.nodes), *item.per_move(item.seconds)]
        mine = [*ours["nodes_per_move"], *(1000 * s for s in ours["seconds_per_move"])]
        paces.append(
            [item.number, f"{theirs[0]:,.0f} / {theirs[1]:,.0f}",
             f"{mine[0]:,.0f} / {mine[1]:,.0f}", f"{theirs[2]:.3f} / {theirs[3]:.3f} s",
             f"{mine[2]:.2f} / {mine[3]:.2f} ms"]
        )  # fmt: skip
    report.table(
        "Course: player 0 / player 1",
        ["#", "moves, report", "ours", "captures, report", "ours", "winner, report", "ours"],
        course,
    )
    report.table(
        "Nodes expanded in the game",
        ["#", "player 0, report", "player 0, ours", "player 1, report", "player 1, ours"],
        nodes,
    )
    report.table(
        "A move: player 0 / player 1",
        ["#", "nodes, report", "nodes, ours", "time, report", "time, ours"],
        paces,
    )


def _slash(values: Both | list[int]) -> str:
    return f"{values[0]} / {values[1]}"


def _shown(outcomes: Mapping[str, Outcome]) -> dict[str, Shown]:
    return {item.number: Shown.of(outcomes[_game_key(item.number)]) for item in PUBLISHED}


def _tell_series(report: Report, outcomes: Mapping[str, Outcome]) -> dict[str, Any]:
    series = [outcomes[key] for key in (*(item.number for item in PUBLISHED), "G1", "G2")]
    report.heading("Report and ours")
    report.text(
        "O1, D1, O2 and D2 are the report's heuristics; on the variants O2 and D2 stand for the "
        "variant's own. Minimax looks 3 plies ahead, alpha-beta 5 unless said. Player 0, "
        "white, is named first and starts. The report shows one game a match-up; a series here is "
        "of pairs, each with the same random opening and sides swapped, so that its score speaks "
        "for the agents and not for a seat. The report's own search, with its defects, plays "
        "further below."
    )
    differences = _differences(report, outcomes)
    score_chart(report, "Scores of the agents named first", series)
    score_table(report, "All series", series)
    return {"differences": differences}


def _tell_games(report: Report, outcomes: Mapping[str, Outcome]) -> dict[str, Any]:
    shown = _shown(outcomes)
    report.heading("One game each from the start")
    report.text(
        "The items that the course asked for, beside those that the report's program printed. "
        "O1 and D1 break ties by noise: another seed gives another game."
    )
    _costs(report, shown)
    _why_nodes(report)
    for row in (PUBLISHED[:3], PUBLISHED[3:6], PUBLISHED[6:8], PUBLISHED[8:]):
        report.pictures(*(_final(item, shown[item.number]) for item in row))
    return {"games": {number: each.facts() for number, each in shown.items()}}


def _tell_searches(report: Report, outcomes: Mapping[str, Outcome]) -> dict[str, Any]:
    report.heading("The report's own search")
    report.text(
        "The agent alphabeta_as_printed is the search of the report's listing. Its four defects: "
        "(1) Min nodes never lower beta, so that Max nodes never cut; (2) there is no test for the "
        "end of the game; (3) the root takes the last move whose value, perhaps a mere bound, is "
        "at least the best so far; (4) moves come in the order of a scan of the board."
    )
    quick = len(outcomes["6"].result.pairs) < _FULL_PAIRS
    printed = tell_printed_nodes(report, PUBLISHED, _shown(outcomes), 10 if quick else 2)
    defects = tell_defects(report, outcomes["6"], 16 if quick else 200)
    report.text(
        "A worse move is one whose exact value to depth 5 lies below the best; the mean loss is "
        "over those moves, in points of the heuristic. Forced wins that were missed and forced "
        "losses that were walked into stand apart."
    )
    claims = tell_claims(report, outcomes)
    report.text(
        "Both agents of a series use the same search; defect 1 is corrected in all of them, as it "
        "changes no value. So a claim may hold for the search with which it was made and not for "
        "a sound one: it belongs to heuristic, search and order together."
    )

    report.heading("What pruning saves")
    searches = {"minimax": "minimax(depth={depth}, eval=offensive1)"}
    for name in ("offensive1", "defensive1", "offensive2", "defensive2"):
        letters = f"{name[0].upper()}{name[-1]}"
        searches[f"alpha-beta({letters})"] = f"alphabeta(depth={{depth}}, eval={name})"
    counts = nodes_by_depth(
        report, "Nodes by depth from the start of 8x8", games.make("breakthrough"), searches, 5
    )
    report.text("The noise of O1 and D1 leaves hardly two leaves equal, which costs cut-offs.")
    return {
        "nodes_by_depth": counts,
        "nodes_as_printed": printed,
        "defects": defects,
        "claims_by_search": claims,
    }


def _tell_slips(report: Report, _: Mapping[str, Outcome]) -> dict[str, Any]:
    report.heading("Slips in the report's tables")
    report.text("Its program's own output, printed beside them, is what we compare with.")
    report.table("Corrected", ["#", "table or text", "output or board"], SLIPS)
    return {}


def _final(item: Published, end: Shown) -> tuple[str, str, str]:
    status = end.game.status(end.positions[-1])
    return end.picture(f"{item.number}. {item.title}: {status} after {end.played.plies} plies")


def _why_nodes(report: Report) -> None:
    report.text(
        "Why the nodes differ: in the report's search the Min side never lowers beta, so that Max "
        "nodes never cut, and its counts suit a scan of the board from the top row without any "
        "ordering, which helps one side's pruning and hurts the other's. Ours takes moves to "
        "the left, ahead and to the right in turn, each from the bottom row up. Why the times "
        "differ: compiled code, another machine, other nodes."
    )


STUDY = Study(
    name="breakthrough",
    title="Breakthrough: a course report played again",
    about="The ten match-ups and the claims of a course report of 2017 on minimax and alpha-beta.",
    experiments=_experiments(),
    tell=(_tell_series, _tell_games, _tell_searches, _tell_slips),
)
