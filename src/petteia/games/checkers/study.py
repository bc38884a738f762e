"""The checkers player of a course report of 2022: what each of its pieces buys.

The report describes its search, cache, heuristic and node ordering in words and gives no figures
of its own; so everything here is ours, on its player as written and with pieces changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from petteia import agents, games
from petteia.arena.contest import Contest
from petteia.core.drawing import svg, terminal
from petteia.core.game import DECISION, Game
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.search.distance import Prover
from petteia.search.stepper import stepper_of
from petteia.studies.frame import Experiment, Outcome, Study
from petteia.studies.parts import Shown, score_chart, score_table, score_text
from petteia.studies.report import Report

__all__ = ["PUZZLES", "STUDY"]

_COURSE = "course-checkers"
_PAIRS = 100
_REPEATS = 5
"""Of everything short that is timed; the quickest counts, since only others make it slower."""
_BARE = "report(safe=0, vulnerable=0, home_row=0, middle_rows=0, middle_columns=0)"

PUZZLES = {
    "checkers0": "W:WK26:B25,K29",
    "checkers1": "W:W31:B18",
    "checkers2": "W:WK12,20,26:B7,14,15,18,K31",
    "checkers3": "W:W7,11,15:B4,8,K14,16",
}
"""The course's puzzles; White is the course's red, and to move."""

WRONG_CACHE = (("W:WK12:BK14", 6), ("W:WK16:B10,26", 5))
"""The smallest positions, with their depth, at which the printed cache plays another move."""

_FLAT = "ordering without the centre's 21"

SETTINGS = {
    "as written": "",
    "no cache": "cache=none",
    "corrected cache": "cache=corrected",
    "no ordering": "ordering=false",
    _FLAT: "centre=0",
    "material alone": f"eval={_BARE}",
    "both sides' terms": "eval=report_difference",
}
"""The player with pieces switched off or changed."""


def _player(settings: str, depth: int = 8) -> str:
    return f"report(depth={depth}{', ' + settings if settings else ''})"


def _experiments() -> tuple[Experiment, ...]:
    def versus(
        key: str, title: str, first: str, second: str, full: int, claim: str = ""
    ) -> Experiment:
        contest = Contest("checkers", first, second, opening="ballots")
        return Experiment(key, title, contest, 1, full, claim)

    own = _player("")
    found = [
        versus("random", "report v random", own, "random", _PAIRS),
        versus("engine", "report v engine, 20,000 nodes", own, "engine(nodes=20000)", _PAIRS),
        versus("depth", "depth 8 v depth 4", own, _player("", 4), _PAIRS),
    ]
    for key, title, settings in (
        ("cache", "printed cache v corrected cache", "cache=corrected"),
        ("nocache", "printed cache v no cache", "cache=none"),
        ("ordering", "ordering v no ordering", "ordering=false"),
        ("safe", "all terms v without safe and vulnerable", "eval=report(safe=0, vulnerable=0)"),
        ("home", "all terms v without the home row", "eval=report(home_row=0)"),
        (
            "middle",
            "all terms v without the middle",
            "eval=report(middle_rows=0, middle_columns=0)",
        ),
        ("bare", "all terms v material alone", f"eval={_BARE}"),
        ("both", "red alone v both sides' terms", "eval=report_difference"),
    ):
        found.append(versus(key, title, own, _player(settings), _PAIRS))
    return tuple(found)


# --- positions ----------------------------------------------------------------------------------


def sample(game: Game, count: int, seed: int = 3) -> list[Words]:
    """Positions with White to move after 12 to 51 random plies, always the same."""
    stepper = stepper_of(game)
    found: list[Words] = []
    number = 0
    while len(found) < count:
        number += 1
        p, plies = game.start(), 12 + derive(seed, number, "plies") % 40
        for ply in range(plies):
            look = stepper.look(p)
            if look.kind != DECISION:
                break
            p = stepper.play(p, look.moves[derive(seed, number, ply) % len(look.moves)])
        look = stepper.look(p)
        if look.kind == DECISION and look.mover == 1:
            found.append(p)
    return found


@dataclass
class Cost:
    """What a player needed over many positions, and how often it chose otherwise."""

    nodes: int = 0
    hits: int = 0
    seconds: float = 0.0
    values: int = 0
    """Root values that differ from the first player's."""
    moves: int = 0
    """Moves that differ from the first player's."""


def compared(game: Game, specs: Mapping[str, str], where: Sequence[Words]) -> dict[str, Cost]:
    """Every player at every position; values and moves against the first one's."""
    costs: dict[str, Cost] = {}
    first: list[tuple[int, float | None]] = []
    for name, spec in specs.items():
        agent = agents.make(spec, game)
        agent.prepare(where[0])
        cost = costs[name] = Cost()
        for place, p in enumerate(where):
            found = agent.choose(p)
            cost.nodes += found.interior + found.leaves
            cost.hits += int((found.notes or {}).get("cache_hits", 0))  # type: ignore[call-overload]
            cost.seconds += found.seconds
            if len(costs) == 1:
                first.append((found.move, found.value))
            else:
                cost.moves += found.move != first[place][0]
                cost.values += found.value != first[place][1]
    return costs


# --- the report ---------------------------------------------------------------------------------


def _puzzles(report: Report, game: Game) -> list[dict[str, Any]]:
    rows, facts = [], []
    for name, fen in PUZZLES.items():
        p = game.parse(fen)
        prover = Prover(game)
        proved = prover.prove(p)
        provers = [Prover(game, table_bits=16) for _ in range(_REPEATS)]
        again = [each.prove(p) for each in provers]
        best = game.move_text(p, proved.optimal[0])
        spent = 1000 * min(each.seconds for each in again)
        rows.append([name, "proof", proved.plies, best, proved.nodes, round(spent, 2)])
        facts.append({"puzzle": name, "plies": proved.plies, "best": best, "nodes": proved.nodes})
        for title in ("as written", "no cache", "corrected cache", "no ordering"):
            agent = agents.make(_player(SETTINGS[title]), game)
            agent.prepare(p)
            found = min((agent.choose(p) for _ in range(_REPEATS)), key=lambda one: one.seconds)
            value = found.value or 0.0
            plies = round(10_000 - value) if value > 5000 else 0
            rows.append(
                [
                    name, title, plies, game.move_text(p, found.move),
                    found.interior + found.leaves, round(1000 * found.seconds, 2),
                ]
            )  # fmt: skip
    report.table(
        "The course's puzzles: plies to the win, first move, cost",
        ["puzzle", "player", "plies", "move", "nodes", "ms"],
        rows,
    )
    return facts


def _caches(report: Report, game: Game) -> dict[str, Any]:
    kinds = {
        "none": "cache=none",
        "printed": "cache=printed",
        "printed, or equal": "cache=inclusive",
        "window contained": "cache=window",
        "corrected": "cache=corrected",
    }
    facts: dict[str, Any] = {}
    for depth, count in ((6, 2000), (8, 500)):
        where = sample(game, count)
        specs = {
            name: _player(f"{settings}, equal_depth=true, flat_wins=true", depth)
            for name, settings in kinds.items()
        }
        costs = compared(game, specs, where)
        report.table(
            f"Caches at depth {depth}, {count:,} positions; saved values of the same depth only",
            ["cache", "wrong values", "other moves", "nodes", "hits", "seconds"],
            [
                [name, cost.values, cost.moves, cost.nodes, cost.hits, cost.seconds]
                for name, cost in costs.items()
            ],
        )
        printed = costs["printed"]
        report.text(
            "Against the search without a cache, the printed one gave another value in "
            f"{printed.values} of {count:,} positions and another move in {printed.moves}. It "
            f"saved {_saved(printed, costs['none'])} of the nodes, the corrected one "
            f"{_saved(costs['corrected'], costs['none'])}."
        )
        facts[f"depth {depth}"] = {
            name: {"wrong_values": cost.values, "other_moves": cost.moves, "nodes": cost.nodes}
            for name, cost in costs.items()
        }
    return facts


def _saved(cost: Cost, of: Cost) -> str:
    return f"{100 * (1 - cost.nodes / max(1, of.nodes)):.0f} %"


def two_pieces(game: Game) -> list[Words]:
    """All positions with one piece each and White to move."""
    found = []
    for black, white in product(range(1, 33), repeat=2):
        for kings in product(("", "K"), repeat=2):
            fen = f"W:W{kings[0]}{white}:B{kings[1]}{black}"
            standing = (kings[0] or white > 4) and (kings[1] or black < 29)
            if black != white and standing and game.kind(game.parse(fen)) == DECISION:
                found.append(game.parse(fen))
    return found


def _changed(game: Game, where: Sequence[Words], depth: int) -> int:
    """How often the printed cache plays another move than none."""
    settings = "equal_depth=true, flat_wins=true"
    specs = {name: _player(f"cache={name}, {settings}", depth) for name in ("none", "printed")}
    return compared(game, specs, where)["printed"].moves


def _smallest(report: Report, game: Game) -> list[dict[str, Any]]:
    rows, facts = [], []
    where = two_pieces(game)
    depth = next(depth for depth in range(1, 9) if _changed(game, where, depth))
    report.text(
        "So the printed rule does change decisions, rarely. How small can an example be? There "
        f"are {len(where):,} positions with two pieces and White to move. At depths below {depth} "
        f"it changes no move in any of them, at depth {depth} it does in "
        f"{_changed(game, where, depth)}, of which one stands first here; the second example has a "
        "piece more and needs a ply less."
    )
    for fen, depth in WRONG_CACHE:
        p = game.parse(fen)
        found = {}
        for cache in ("none", "printed"):
            settings = f"cache={cache}, equal_depth=true, flat_wins=true"
            found[cache] = agents.make(_player(settings, depth), game).choose(p)
        texts = {cache: game.move_text(p, each.move) for cache, each in found.items()}
        right, wrong = found["none"], found["printed"]
        rows.append([fen, depth, texts["none"], right.value, texts["printed"], wrong.value])
        facts.append(
            {
                "position": fen, "depth": depth, "move": texts["none"], "value": right.value,
                "printed_move": texts["printed"], "printed_value": wrong.value,
            }
        )  # fmt: skip
    report.table(
        "Where the printed cache plays another move",
        ["position", "depth", "right", "value", "printed", "its value"],
        rows,
    )
    view = game.view(game.parse(WRONG_CACHE[0][0]))
    caption = f"White to move: right is {rows[0][2]}, with the printed cache {rows[0][4]}"
    report.pictures((svg.board(view, size=260), caption, terminal.board(view)))
    return facts


def _ablation(report: Report, game: Game) -> dict[str, Any]:
    where = sample(game, 200)
    specs = {name: _player(settings) for name, settings in SETTINGS.items()}
    for picking in ("sort", "best"):
        specs[f"moves by {picking} instead of a heap"] = _player(f"picking={picking}")
    specs["quiet moves generated for nothing"] = _player("jumps_first=false")
    costs = compared(game, specs, where)
    base = costs["as written"]
    report.table(
        f"Depth 8 over {len(where)} positions: what each piece buys",
        ["player", "nodes", "times", "seconds", "other moves"],
        [
            [name, cost.nodes, cost.nodes / max(1, base.nodes), cost.seconds, cost.moves]
            for name, cost in costs.items()
        ],
    )
    report.text(
        "Nodes are positions whose moves were generated and positions that were evaluated. "
        f"Ordering saves {_saved(base, costs['no ordering'])} of them, the points for the centre "
        f"alone {_saved(base, costs[_FLAT])}; the cache as printed "
        f"{_saved(base, costs['no cache'])}, the corrected one "
        f"{_saved(costs['corrected cache'], costs['no cache'])}. A heap, a sorted list and a scan "
        "for the best give the same order, and differ in time only. The terms beyond material "
        f"decide {costs['material alone'].moves} of {len(where)} moves."
    )
    return {
        name: {"nodes": cost.nodes, "seconds": cost.seconds, "other_moves": cost.moves}
        for name, cost in costs.items()
    }


def _verdict(series: Sequence[Outcome]) -> str:
    """Which series show a difference: those whose interval leaves out one half."""
    better, worse, open_ = list[str](), list[str](), list[str]()
    for outcome in series:
        low, high = outcome.result.interval
        group = better if low > 0.5 else worse if high < 0.5 else open_
        group.append(outcome.experiment.title)
    said = [
        f"{what}: {'; '.join(titles)}."
        for what, titles in (
            ("The first player is better", better),
            ("The second is better", worse),
            ("These games show no difference", open_),
        )
        if titles
    ]
    return " ".join(said)


def _tell(report: Report, outcomes: Mapping[str, Outcome]) -> dict[str, Any]:
    game = games.make(_COURSE)
    report.text(
        "The report's red is White here, Max, and moves up; its values are for red alone. The "
        "report leaves choices open, which our reading settles: a win is worth 10,000 less its "
        "plies, safe pieces less vulnerable ones weigh 1, the centre is the squares 14, 15, 18 and "
        "19, equal moves come in the order of squares. It publishes no measurements, so that "
        "nothing here stands beside a figure of its own."
    )
    report.heading("The course's puzzles")
    puzzles = _puzzles(report, game)
    report.text(
        "Depth 8 is enough for these: the longest wins in 7 plies. Beyond 8 plies the report's "
        "player proves nothing; the proof search has no such limit."
    )
    report.heading("The cache")
    report.text(
        "The report uses a saved value at a Max node whenever the present beta is below the saved "
        "one, and at a Min node whenever the present alpha is above the saved one. That is right "
        "after a cut-off and for exact values, and wrong where the saved search failed low: then "
        "an upper bound is taken for the value, because the other end of the window is not looked "
        "at. It also throws good values away. Keeping the kind of bound mends both."
    )
    caches = _caches(report, game)
    smallest = _smallest(report, game)
    report.heading("What each piece buys")
    ablation = _ablation(report, game)
    report.heading("In games")
    report.text(
        "Pairs over the three-move ballots, each ballot with both colours, by the federation's "
        "draw rules. The engine is ours, with its own evaluation."
    )
    series = list(outcomes.values())
    score_chart(report, "Scores of the players named first", series)
    score_table(report, "All series", series)
    report.text(_verdict(series))
    as_black, as_white = (100 * score for score in outcomes["random"].by_seat)
    report.text(
        "Player 0 is Black. The report wrote its heuristic for red, which is White, and looks at "
        "red's pieces alone: as Black its player only wants red's few and badly placed, and takes "
        f"no care of its own. Against random it scores {as_white:.0f} % as White and "
        f"{as_black:.0f} % as Black; against the player that counts both sides' terms, "
        f"{100 * outcomes['both'].result.score:.0f} %."
    )
    last = Shown.of(outcomes["engine"])
    status = last.game.status(last.positions[-1])
    report.pictures(last.picture(f"report v engine, the first game: {status}"))
    return {
        "puzzles": puzzles,
        "caches": caches,
        "smallest": smallest,
        "ablation": ablation,
        "scores": {key: score_text(outcome) for key, outcome in outcomes.items()},
    }


STUDY = Study(
    name="checkers",
    title="Checkers: a course report's player taken apart",
    about="The alpha-beta player of a course report of 2022, with each of its pieces switched off.",
    experiments=_experiments(),
    tell=(_tell,),
)
