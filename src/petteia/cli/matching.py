"""``petteia match``."""

from __future__ import annotations

from pathlib import Path

from petteia import agents, games
from petteia.arena.match import Match
from petteia.arena.play import Seat
from petteia.cli import output
from petteia.core import record

__all__ = ["run"]


def _seat_facts(name: str, seat: Seat) -> dict[str, float | str]:
    return {
        "agent": name, "moves": seat.moves, "interior": seat.interior, "leaves": seat.leaves,
        "seconds": seat.seconds,
    }  # fmt: skip


def run(
    game_spec: str,
    first: str,
    second: str,
    pairs: int,
    seed: int,
    opening_plies: int | None,
    records: Path | None,
    as_json: bool,
) -> None:
    """Plays a match."""
    game = games.make(game_spec)
    match = Match(
        game,
        agents.make(first, game),
        agents.make(second, game),
        seed=seed,
        opening_plies=opening_plies,
    )
    *_, result = output.tracked(match.play(pairs), pairs, "pairs")
    played = [each for pair in result.pairs for each in pair.games]
    if records is not None:
        record.save(records, [each.record for each in played])
    names = [str(agent) for agent in match.agents]
    low, high = result.interval
    facts = {
        "game": str(game),
        "agents": names,
        "pairs": pairs,
        "seed": seed,
        "opening_plies": match.opening_plies,
        **result.as_json(),
        "plies": sum(each.plies for each in played) / len(played),
        "costs": [_seat_facts(name, result.seat(i)) for i, name in enumerate(names)],
        "problems": [each.forfeit.reason for each in played if each.forfeit],
    }
    if as_json:
        output.json_object(facts)
        return
    print(f"{game}, {pairs} pairs, seed {seed}, {match.opening_plies} random plies to open with")
    rows = []
    for i, name in enumerate(names):
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
    print(
        f"score of {names[0]}: {100 * result.score:.1f} %, "
        f"95 % interval {100 * low:.1f} to {100 * high:.1f} %"
    )
    for reason in facts["problems"][:3]:
        print(f"forfeit: {reason}")
