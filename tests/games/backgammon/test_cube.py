"""Janowski's model of the cube."""

from __future__ import annotations

import numpy as np
import pytest

from petteia import agents
from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL
from petteia.games.backgammon import Backgammon
from petteia.games.backgammon.evaluations.cube import (
    EFFICIENCY,
    MINE,
    THEIRS,
    Ends,
    Match,
    cubeful,
    efficiency,
    live,
    match_live,
    match_value,
    stake,
)
from petteia.games.backgammon.evaluations.match_equity import LONGEST, TABLE, chance, made_tables
from petteia.games.backgammon.rules.state import CENTRED
from petteia.games.backgammon.solution.neural import NETWORK
from tests.games.backgammon.boards import board, game


def test_the_example_of_the_manual() -> None:
    """GNU Backgammon's manual: static chances to a cubeless, a live and a cubeful value."""
    chances = (0.454, 0.103, 0.001, 0.106, 0.003)
    assert cubeful(chances, CENTRED, 0.0) == pytest.approx(-0.097, abs=1e-3)
    played = live(0.454, 1.229, 1.196, CENTRED)
    assert played == pytest.approx(-0.157, abs=1e-3)
    assert 0.32 * -0.097 + EFFICIENCY * played == pytest.approx(-0.138, abs=1e-3)


def test_without_gammons_the_live_points_are_20_and_80_percent() -> None:
    for owner, low, high in ((CENTRED, -1.0, 1.0), (MINE, -0.5, 1.0), (THEIRS, -1.0, 0.5)):
        assert live(0.2, 1.0, 1.0, owner) == pytest.approx(low)
        assert live(0.8, 1.0, 1.0, owner) == pytest.approx(high)


def test_owning_the_cube_is_never_worse() -> None:
    for percent in range(5, 100, 5):
        win = percent / 100
        values = [cubeful((win, win / 10, 0, (1 - win) / 10, 0), o, 0.68) for o in (0, 2, 1)]
        assert values == sorted(values, reverse=True)


def test_efficiency_grows_with_the_length_of_a_race() -> None:
    of = game(cube=True)
    short = of.parse(board({6: 2}, {6: 2}))
    long = of.parse(board({12: 15}, {12: 15}))
    assert efficiency(short, 0) == pytest.approx(0.6)
    assert efficiency(long, 0) == pytest.approx(0.7)
    assert efficiency(of.start(), 0) == EFFICIENCY


def test_the_network_doubles_cashes_and_drops() -> None:
    of = game(cube=True)
    agent = agents.make("network", of)
    won = of.parse(board({5: 3, 6: 3}, {6: 10, 1: 2}))
    assert of.move_text(won, agent.choose(won).move) == "double"
    offered = of.parse(board({5: 3, 6: 3}, {6: 10, 1: 2}, dice="D"))
    assert of.move_text(offered, agent.choose(offered).move) == "drop"
    opening = of.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
    assert of.move_text(opening, agent.choose(opening).move) == "roll"
    gift = of.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10")
    assert of.move_text(gift, agent.choose(gift).move) == "take"


# --- matches -----------------------------------------------------------------------------------

# What N. Kazaross published in 2011 from long rollouts, to 9 points; ours is a model of one line.
PUBLISHED = {
    (1, 2): 0.67736, (1, 3): 0.75076, (1, 5): 0.84179, (2, 3): 0.59947, (2, 4): 0.66870,
    (2, 9): 0.90197, (3, 5): 0.64795, (4, 7): 0.69924, (5, 6): 0.56635, (7, 9): 0.60854,
}  # fmt: skip
AFTER_CRAWFORD = {2: 0.48803, 3: 0.32264, 4: 0.31002, 5: 0.19012, 7: 0.11559}
NO_GAMMONS = Ends(0.0, 0.0, 0.0, 0.0)


def test_the_table_is_what_the_model_makes() -> None:
    assert np.allclose(made_tables(LONGEST), TABLE, atol=1e-12)
    for page in TABLE:
        assert np.allclose(page[1:, 1:] + page[1:, 1:].T, 1.0)
        assert np.all(np.diff(page[1:, 1:], axis=1) > -1e-12), "more to go for the other is better"


@pytest.mark.parametrize(("score", "published"), PUBLISHED.items())
def test_the_table_is_near_the_published_one(score: tuple[int, int], published: float) -> None:
    assert chance(TABLE, True, False, *score) == pytest.approx(published, abs=0.004)


@pytest.mark.parametrize(("away", "published"), AFTER_CRAWFORD.items())
def test_after_the_crawford_game(away: int, published: float) -> None:
    assert chance(TABLE, True, True, away, 1) == pytest.approx(published, abs=0.004)


def test_take_points_at_two_all_and_at_a_long_match() -> None:
    """At 2-away 2-away a taken cube is dead and decides the match: the take point is the chance at
    1-away after the drop. Far from the end a live cube is taken from 20 % on, as for points."""
    _, take, cash = match_live(Match(TABLE, True, 2, 2), NO_GAMMONS, 0.5, CENTRED, 0)
    assert take == pytest.approx(1 - TABLE[1, 1, 2])
    assert cash == pytest.approx(TABLE[1, 1, 2])
    _, take, cash = match_live(Match(TABLE, True, 60, 60), NO_GAMMONS, 0.5, CENTRED, 0)
    assert take == pytest.approx(0.2, abs=0.01)
    assert cash == pytest.approx(0.8, abs=0.01)


def test_a_long_match_is_like_a_game_for_points() -> None:
    """Values in units of the stake: the same as for points, far from the end of a match."""
    of = game(match=64, cube=True)
    p = of.start()
    for win in (0.3, 0.5, 0.7):
        chances = (win, 0.25 * win, 0.0, 0.25 * (1 - win), 0.0)
        value = match_value(Match(TABLE, True, 64, 64), chances, CENTRED, 0.68, 0, True)
        assert (2 * value - 1) / stake(of, p) == pytest.approx(
            cubeful(chances, CENTRED, 0.68), abs=0.02
        )


def score(own: int, other: int, length: int, crawford: int = 0) -> str:
    return f"{own}:{other}:{crawford}:{length}:10"


def values_at(of: Backgammon, position: str) -> dict[str, float]:
    """What each way is worth to who decides, by the networks as plain Python."""
    p = of.parse(position)
    player, found = int(of.mover(p)), {}
    for move in of.legal_moves(p):
        q = of.play(p, move)
        over = of.kind(q) == TERMINAL
        value = float(of.result(q)) * (1 - 2 * player) if over else NETWORK.of(of, q, player)
        found[of.move_text(p, move)] = value
    return found


def cube_word(position: str, of: Backgammon | None = None) -> str:
    found = values_at(of or game(match=5, cube=True), position)
    return max(found, key=lambda word: found[word])


EVEN = ({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5})
"""The start: who is on roll is a little ahead."""
RACE = ({6: 4, 5: 4, 4: 4}, {6: 5, 5: 4, 4: 4})


def test_decisions_depend_on_the_score() -> None:
    # Who would lose the match with this game doubles at once after the Crawford game.
    assert cube_word(board(*EVEN, tail=score(2, 4, 5))) == "double"
    # At even scores the start is no double.
    assert cube_word(board(*EVEN, tail=score(0, 0, 5))) == "roll"
    # With two points to go on both sides a doubled game decides the match for both alike, so that
    # whoever is ahead at all doubles.
    assert cube_word(board(*EVEN, tail=score(3, 3, 5))) == "double"
    # A player who is a point away has no use for the cube.
    assert cube_word(board(*RACE, tail=score(4, 2, 5))) == "roll"


def test_a_free_drop() -> None:
    # White doubles at 3:4, a little ahead. A drop leaves 4:4, which is better for Black than that;
    # at 2:4 it would cost him something.
    assert cube_word(board(*EVEN, dice="D", tail=score(3, 4, 5))) == "drop"
    assert cube_word(board(*EVEN, dice="D", tail=score(2, 4, 5))) == "take"
    assert cube_word(board({1: 3, 2: 3}, {6: 10}, dice="D", tail=score(0, 0, 5))) == "drop"


def test_values_of_a_match_are_chances_of_the_match() -> None:
    of = game(match=5, cube=True)
    position = board(*RACE, tail=score(1, 2, 5))
    values = values_at(of, position)
    assert all(-1 < value < 1 for value in values.values())
    cube = agents.make("network", of).remarks(of.parse(position))["cube"]
    assert isinstance(cube, dict)
    assert values["roll"] == pytest.approx(cube["no_double"])
    assert values["double"] == pytest.approx(min(cube["double_take"], cube["double_drop"]))
    assert cube["match_chance"] == pytest.approx((1 + max(values.values())) / 2)
    between = of.parse("XGID=-b----E-C---eE---c-e----B-:0:0:0:00:3:1:0:5:10")
    chance_now = (1 + NETWORK.of(of, between, 0)) / 2
    assert chance_now == pytest.approx(TABLE[1, 2, 4])


def test_the_efficiency_can_be_chosen() -> None:
    """With a dead cube an edge that is small is already a double; a live one is kept."""
    near = board({6: 4, 5: 4, 4: 4}, {6: 4, 5: 4, 4: 4})
    of = game(cube=True)
    p = of.parse(near)
    words = [
        of.move_text(p, agents.make(f"network(efficiency={x})", of).choose(p).move)
        for x in (0.01, 1.0)
    ]
    assert words == ["double", "roll"]
    with pytest.raises(PetteiaError, match="efficiency=2"):
        agents.make("network(efficiency=2.0)", of)


def test_jacoby_lets_gammons_wait_for_the_cube() -> None:
    of = game(cube=True, jacoby=True)
    # Nearly certain to win a gammon: for points one would play on, by Jacoby's rule one cashes.
    sides = {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 3}, {25: 3, 24: 3, 23: 3, 6: 6}
    for rules, flags, word in ((of, 1, "double"), (game(cube=True), 0, "roll")):
        assert cube_word(board(*sides, tail=f"0:0:{flags}:0:10"), rules) == word
