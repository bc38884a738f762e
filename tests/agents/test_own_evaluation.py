"""A user's evaluation serves every agent that has ``eval=``, the games' own included."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from petteia import agents, games
from petteia.compiled import is_interpreted
from petteia.core import saved
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, SIMULTANEOUS, Game
from petteia.core.spec import parse
from petteia.core.words import Words

compiled_only = pytest.mark.skipif(is_interpreted(), reason="nothing is compiled")

FILE = '''
from petteia import popcount

def first_word(game, p, player):
    """More bits of the first word are better for the first player."""
    bits = 1.0 * popcount(p[0])
    return bits if player == 0 else -bits
'''

SPECS = {
    "breakthrough": "breakthrough(columns=4, rows=5)",
    "backgammon": "backgammon",
    "checkers": "checkers",
    "ropasci": "ropasci",
    "ur": "ur",
}
NEEDS = {"respond": "to=random"}
SMALL = {"depth": 1, "simulations": 8}


def _with_eval() -> list[tuple[str, str]]:
    """Every game with every agent that has ``eval`` and can play it."""
    found = []
    for name, kind in games.classes().items():
        for agent, made in agents.available(kind).items():
            if "eval" in inspect.signature(made).parameters:
                found.append((name, agent))
    return found


def _moment(game: Game) -> tuple[Words, int | None]:
    """A position in which somebody decides, and who."""
    p = game.start()
    while game.kind(p) == CHANCE:
        p = game.play(p, game.outcomes(p)[-1][0])
    return p, 0 if game.kind(p) == SIMULTANEOUS else None


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    return path


def test_there_is_a_spec_for_every_game() -> None:
    assert set(SPECS) == set(games.names())
    own = {(game, agent) for game, agent in _with_eval() if agent not in agents.AGENTS}
    expected = {
        ("backgammon", "compare"),
        ("breakthrough", "alphabeta_as_printed"),
        ("checkers", "report"),
        ("ropasci", "report"),
    }
    assert expected <= own


def _plays(spec: str, game: Game) -> bool:
    try:
        agents.make(spec, game)
    except PetteiaError:
        return False
    return True


@pytest.mark.filterwarnings("ignore:overflow encountered")  # hashes; words wrap around
@pytest.mark.parametrize(("game", "agent"), _with_eval())
def test_every_agent_takes_it(
    game: str, agent: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PETTEIA_INTERPRET", "1")
    made = games.make(SPECS[game])
    parameters = inspect.signature(agents.available(made)[agent]).parameters
    given = [NEEDS[agent]] if agent in NEEDS else []
    given += [f"{key}={value}" for key, value in SMALL.items() if key in parameters]
    wanted = agents.evaluation_for(made, parse(f"{file}:first_word"))
    spec = f"{agent}({', '.join([*given, f'eval={file}:first_word'])})"
    if not _plays(f"{agent}({', '.join(given)})", made):  # by the kind of the game
        assert not _plays(spec, made)
        return
    playing = agents.make(spec, made)
    assert playing.evaluation.function is wanted.function  # type: ignore[attr-defined]
    p, player = _moment(made)
    assert playing.choose(p, seed=1, player=player).move in made.legal_moves(p, player)


@compiled_only
@pytest.mark.parametrize(
    ("game", "agent"),
    [
        ("breakthrough(columns=4, rows=5)", "alphabeta_as_printed(depth=2, EVAL)"),
        ("checkers", "report(depth=2, EVAL)"),
    ],
)
def test_games_own_agents_take_it_compiled(game: str, agent: str, file: Path) -> None:
    made = games.make(game)
    p, player = _moment(made)
    playing = agents.make(agent.replace("EVAL", f"eval={file}:first_word"), made)
    assert playing.choose(p, seed=1, player=player).move in made.legal_moves(p, player)


def test_a_saved_evaluation_serves_them_too(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PETTEIA_WEIGHTS", str(tmp_path / "weights"))
    game = games.make("breakthrough(columns=4, rows=5)")
    kept = saved.Saved("breakthrough", "greedy", f"{file}:first_word")
    saved.save("mine", kept)
    playing = agents.make("alphabeta_as_printed(depth=1, eval=mine)", game)
    assert playing.evaluation.about.startswith("More bits")  # type: ignore[attr-defined]
