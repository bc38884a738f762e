"""What visitors may name, and what never leaves the server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from petteia import games
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.web import catalogue, trust
from petteia.web.guard import is_own_host
from petteia.web.settings import Settings, is_loopback

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = games.make("breakthrough(columns=4, rows=5)")


@pytest.mark.parametrize("text", ["./mine.py", "/etc/x.py:Game", 'x.py:a(b="c")'])
def test_files_are_no_games(text: str) -> None:
    with pytest.raises(PetteiaError, match="runs no code"):
        trust.game_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "./mine.py:choose",
        'external(command="id")',
        "alphabeta(depth=2, eval=./mine.py:my_eval)",
        "greedy(eval=mine.py)",
        "greedy(eval=/etc/hosts)",
        '"weights.json"',
    ],
)
def test_agents_run_no_code_of_visitors(text: str) -> None:
    with pytest.raises(PetteiaError, match="runs no code"):
        trust.agent_text(text, SMALL)


@pytest.mark.parametrize(
    "text",
    [
        "engine(time=3600)",
        "engine(table=4096)",
        "engine(threads=2)",
        "mcts(threads=2)",
        "mcts(simulations=100000000)",
    ],
)
def test_agents_take_no_more_than_a_visitor_may(text: str) -> None:
    with pytest.raises(PetteiaError, match="more than this page allows"):
        trust.agent_text(text, SMALL)


def test_errors_tell_no_places_of_files() -> None:
    words = trust.in_words(OSError("cannot open /home/somebody/.local/share/lab.db: no"))
    assert "/home" not in words
    assert "cannot open" in words
    assert trust.in_words(ValueError("legal are 8/4 6/4, bar/21")) == "legal are 8/4 6/4, bar/21"


def test_loopback() -> None:
    assert all(is_loopback(host) for host in ("127.0.0.1", "localhost", "::1", "127.8.8.8"))
    assert not any(is_loopback(host) for host in ("0.0.0.0", "10.0.0.1", "example.org", "::"))


def test_other_hosts_need_a_token_and_get_no_code() -> None:
    with pytest.raises(PetteiaError, match="--token"):
        Settings(host="0.0.0.0").checked()
    with pytest.raises(PetteiaError, match="too short"):
        Settings(host="0.0.0.0", token="x").checked()
    with pytest.raises(PetteiaError, match="--allow-code"):
        Settings(host="0.0.0.0", token="long enough", allow_code=True).checked()
    assert Settings(host="0.0.0.0", token="long enough").checked().token == "long enough"


def test_only_own_names_are_answered() -> None:
    for host in ("localhost:80", "127.0.0.1:1", "[::1]:8080", "192.168.0.7:80", "[::1]"):
        assert is_own_host(host, "0.0.0.0"), host
    for host in ("example.org", "localhost.example.org:80", "", "127.0.0.1.nip.io:80"):
        assert not is_own_host(host, "0.0.0.0"), host


def test_every_game_has_a_ladder_and_somebody_to_analyse() -> None:
    for listed in catalogue.games_listed():
        assert len(listed["levels"]) == 6, listed["name"]
        assert listed["levels"][0]["agent"] == "random"
        game = games.make(listed["spec"])
        for level in listed["levels"]:
            assert trust.agent_text(level["agent"], game) == level["agent"]
        assert trust.agent_text(catalogue.analyst(game, 1.5), game)


@pytest.fixture
def hosted() -> Iterator[Callable[[str], Game]]:
    """Offers a file's game to everybody while the test runs."""
    named: list[str] = []

    def host(spec: str) -> Game:
        trust.host_games([spec])
        named.append(spec)
        return games.make(spec)

    yield host
    trust._hosted.difference_update(named)
    catalogue.one_game.cache_clear()
    catalogue.levels.cache_clear()
    trust._agent.cache_clear()


@pytest.mark.parametrize("name", ["goofspiel", "pig", "kalah", "hex"])
def test_visitors_may_play_whoever_a_hosted_game_offers(
    hosted: Callable[[str], Game], name: str
) -> None:
    game = hosted(str(EXAMPLES / f"{name}.py"))
    listed = catalogue.one_game(game)
    assert len(listed["levels"]) >= 3
    assert listed["levels"][0]["title"] == "Drifter"
    offered = [level["agent"] for level in listed["levels"]]
    for agent in (*offered, listed["analyst"], catalogue.reviewer(game, 40)):
        assert trust.agent_text(agent, game)


def test_visitors_may_play_an_agent_that_came_with_a_hosted_game(
    hosted: Callable[[str], Game], tmp_path: Path
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from petteia.agents.random import RandomAgent\n"
        "from petteia.games.breakthrough import Breakthrough as Base\n"
        "class Own(RandomAgent):\n    name = 'own'\n"
        "class Runs(RandomAgent):\n    name = 'runs'\n    starts_programs = True\n"
        "class Mine(Base):\n    agents = {'own': Own, 'runs': Runs}\n    default_agent = 'own'\n"
    )
    game = hosted(str(file))
    assert trust.agent_text("own", game) == "own"
    assert catalogue.analyst(game) == "own"
    for wrong in ("runs", f"{file}:Own", 'external(command="id")'):
        with pytest.raises(PetteiaError, match="runs no code"):
            trust.agent_text(wrong, game)


def test_a_game_from_a_file_keeps_its_own_agents(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from petteia.agents.random import RandomAgent\n"
        "from petteia.games.breakthrough import Breakthrough as Base\n"
        "class Own(RandomAgent):\n    name = 'own'\n"
        "class Mine(Base):\n    agents = {'own': Own}\n    default_agent = 'own'\n"
    )
    game = games.make(f"{file}:Mine(columns=4, rows=5)")
    listed = [each["name"] for each in catalogue.one_game(game)["agents"]]
    assert "own" in listed
    assert "external" not in listed
    assert catalogue.analyst(game) == "own"
    with pytest.raises(PetteiaError, match="runs no code"):
        trust.agent_text("own", game)
