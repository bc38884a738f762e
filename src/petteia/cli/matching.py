"""``petteia match``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from petteia.arena.contest import Contest
from petteia.arena.executors import workers
from petteia.arena.match import Adjudication, MatchResult
from petteia.arena.play import Seat
from petteia.arena.series import run_series
from petteia.cli import output
from petteia.core import record
from petteia.core.errors import PetteiaError

__all__ = ["adjudication", "result_facts", "run", "show_result"]


def adjudication(wish: str) -> Adjudication | None:
    """Reads ``VALUE,PLIES``; nothing means that games are played to their end."""
    if not wish:
        return None
    value, _, plies = wish.partition(",")
    try:
        found = Adjudication(float(value), int(plies))
    except ValueError:
        found = Adjudication(0, 0)
    if not (found.value > 0 and found.plies > 0):
        raise PetteiaError(f"--adjudicate {wish} is not possible; for instance 900000,4")
    return found


def _seat_facts(name: str, seat: Seat) -> dict[str, float | str]:
    return {"agent": name, **vars(seat)}


def result_facts(contest: Contest, pairs: int, result: MatchResult) -> dict[str, Any]:
    """What a match reports, as data."""
    names = [contest.first, contest.second]
    played = [each for pair in result.pairs for each in pair.games]
    return {
        "game": contest.game,
        "agents": names,
        "pairs": pairs,
        "seed": contest.seed,
        "opening": contest.opening,
        "adjudication": str(contest.adjudication) if contest.adjudication else None,
        **result.as_json(),
        "plies": sum(each.plies for each in played) / max(1, len(played)),
        "costs": [_seat_facts(name, result.seat(i)) for i, name in enumerate(names)],
        "problems": [each.forfeit.reason for each in played if each.forfeit],
    }


def show_result(facts: dict[str, Any], result: MatchResult) -> None:
    """Prints a match for people."""
    print(f"{facts['game']}, {facts['pairs']} pairs, seed {facts['seed']}, ", end="")
    print(f"opening {facts['opening']}", end="")
    print(f", {facts['adjudication']}" if facts["adjudication"] else "")
    rows = []
    for i, name in enumerate(facts["agents"]):
        games_won = [result.count(1.0), result.count(0.5), result.count(0.0)]
        score = result.score if i == 0 else 1 - result.score
        seat = result.seat(i)
        moves = max(seat.moves, 1)
        rows.append(
            (
                name,
                *(games_won if i == 0 else reversed(games_won)),
                f"{100 * score:.1f} %",
                result.forfeits()[i],
                f"{(seat.interior + seat.leaves) / moves:,.0f}",
                f"{1000 * seat.seconds / moves:.2f}",
            )
        )
    output.table(
        "", ["agent", "wins", "draws", "losses", "score", "forfeits", "nodes/move", "ms/move"], rows
    )
    low, high = result.interval
    print(
        f"score of {facts['agents'][0]}: {100 * result.score:.1f} %, "
        f"95 % interval {100 * low:.1f} to {100 * high:.1f} %"
    )
    for reason in facts["problems"][:3]:
        print(f"forfeit: {reason}")


def run(
    contest: Contest, pairs: int, wish: str, cluster: str, records: Path | None, as_json: bool
) -> None:
    """Plays a match."""
    contest = contest.checked()
    steps = run_series(contest, pairs, workers(wish, cluster))
    *_, result = output.tracked(steps, pairs, "pairs")
    if records is not None:
        record.save(records, [each.record for pair in result.pairs for each in pair.games])
    facts = result_facts(contest, pairs, result)
    if as_json:
        output.json_object(facts)
    else:
        show_result(facts, result)
