"""Outside oracles: OpenSpiel and GNU Backgammon list the same plays as we do."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from petteia.arena.play import play_game
from petteia.core.errors import PetteiaError
from petteia.core.words import Words
from petteia.games.backgammon.face.positions import position_id, position_of
from petteia.games.backgammon.programs import GnubgAgent
from petteia.games.backgammon.reference import Side
from petteia.games.backgammon.report import MoveRandomPiece
from petteia.games.backgammon.rules.state import PLAY, parts_of
from petteia.search.perft import perft
from petteia.search.stepper import stepper_of
from tests.games.backgammon.boards import decisions, game, sides
from tests.games.backgammon.gnubg import gnubg_program, run_gnubg

OPEN_SPIEL_NODES = 400
GNUBG_NODES = 150
"""How many here; ten thousand of each were compared once, with no difference."""


def test_perft_of_two_turns() -> None:
    assert perft(game(), game().perft_start(), 2) == 202_782


def results(p: Words) -> set[tuple[Side, Side]]:
    """The positions after every play, the mover's side first."""
    of = game()
    return {sides(of.moved(p, move)) for move in stepper_of(of).look(p).moves}


# --- OpenSpiel ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def open_spiel() -> Any:
    return pytest.importorskip("pyspiel", reason="OpenSpiel (open_spiel) is not installed")


def spiel_side(state: Any, player: int) -> Side:
    """Player 0 (x) goes up their 24 points and player 1 down, so each counts from its own home."""
    points = [state.board(player, point) for point in range(24)]
    own = points if player == 1 else points[::-1]
    counts = (*own, state.board(player, 100))
    return (15 - sum(counts), *counts)


def agree_with_spiel(spiel: Any, count: int, seed: int) -> None:
    """Follows random games of theirs; a double is two half turns of one player there."""
    chance = random.Random(seed)
    other = spiel.load_game("backgammon(scoring_type=full_scoring)")
    state = other.new_initial_state()
    while count:
        if state.is_terminal():
            state = other.new_initial_state()
            continue
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, chances)[0])
            continue
        player = state.current_player()
        thrown = re.search(r"Dice: (\d)(\d)", str(state))
        assert thrown is not None
        dice = sorted(map(int, thrown.groups()), reverse=True)
        own, enemy = spiel_side(state, player), spiel_side(state, 1 - player)
        p = position_of([0, *own[1:]], [0, *enemy[1:]], phase=PLAY, first=dice[0], second=dice[1])
        ends = {}
        todo = [(state.clone(), 0)]
        seen = set()
        while todo:
            at, depth = todo.pop()
            for action in at.legal_actions():
                after = at.child(action)
                again = (
                    dice[0] == dice[1] and depth == 0 and not after.is_terminal()
                    and after.current_player() == player
                )  # fmt: skip
                board = (spiel_side(after, player), spiel_side(after, 1 - player))
                if again and board not in seen:
                    seen.add(board)
                    todo.append((after, 1))
                elif not again:
                    ends[board] = after
        assert results(p) == set(ends), (own, enemy, dice)
        count -= 1
        state = ends[chance.choice(sorted(ends))]


def test_open_spiel_agrees(open_spiel: Any) -> None:
    agree_with_spiel(open_spiel, OPEN_SPIEL_NODES, seed=9)


# --- GNU Backgammon ----------------------------------------------------------------------------


SCRIPT = """
import gnubg
for line in open({positions!r}):
    board, first, second = line.split()
    gnubg.command("set board " + board)
    gnubg.command("set dice " + first + " " + second)
    found = gnubg.hint(5000)
    with open({answers!r}, "a") as out:
        out.write("%d\\n" % len(found["hint"] if found else []))
"""


def gnubg_counts(positions: list[Words], folder: Path) -> list[int]:
    """How many plays GNU Backgammon finds at each position."""
    asked, answers, script = folder / "asked", folder / "answers", folder / "script.py"
    lines = []
    for p in positions:
        parts = parts_of(p[4])
        lines.append(f"{position_id(p)} {parts['first']} {parts['second']}\n")
    asked.write_text("".join(lines))
    script.write_text(SCRIPT.format(positions=str(asked), answers=str(answers)))
    orders = [
        "set player 0 human", "set player 1 human", "set automatic roll off",
        "set automatic move off", "set automatic game off", "set automatic bearoff off",
        "set display off", "set evaluation chequerplay evaluation plies 0",
        "set matchequitytable none", "new game", "set turn 0",
    ]  # fmt: skip
    setup = folder / "setup"
    setup.write_text("\n".join([*orders, f"load python {script}", "exit", "y", ""]))
    run_gnubg(folder, "-c", str(setup))
    return [int(line) for line in answers.read_text().split()]


def test_gnubg_finds_as_many_plays(tmp_path: Path) -> None:
    gnubg_program()
    of = game()
    positions = list(decisions(of, GNUBG_NODES, seed=21))
    ours = []
    for p in positions:
        moves = stepper_of(of).look(p).moves
        ours.append(0 if moves == [0] else len(moves))
    assert gnubg_counts(positions, tmp_path) == ours


def test_gnubg_as_an_opponent() -> None:
    gnubg_program()
    of = game()
    played = play_game(of, (GnubgAgent(of), MoveRandomPiece(of)), seeds=(1, 2), dice=3)
    assert played.forfeit is None, played.forfeit
    assert played.result > 0, "it beats random play"


def test_gnubg_is_asked_only_for_what_it_is_asked_here() -> None:
    gnubg_program()
    with pytest.raises(PetteiaError, match="official rules only"):
        GnubgAgent(game("course"))
    with pytest.raises(PetteiaError, match="plies=9"):
        GnubgAgent(game(), plies=9)


def test_a_missing_gnubg_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petteia.games.backgammon.programs.program", lambda: None)
    with pytest.raises(PetteiaError, match="not installed"):
        GnubgAgent(game())
