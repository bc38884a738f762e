"""A new search is one file and one line that names it: everything else learns of it from the
class."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from petteia import agents, games
from petteia.cli.app import main
from petteia.core.agent import MoveValue, Offer, at_most
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import Game, Kind
from petteia.core.spec import Spec
from petteia.core.words import U, Words
from petteia.search.contract import Answer, Limits, Question, Search, SearchAgent, ranked
from petteia.search.evaluations import EVEN
from petteia.web import catalogue
from tests.toys import Heap, OddEven, Race

OWN = """
from tests.toys import Heap

class Own(Heap):
    pass
"""


class Last(Search):
    """Values moves by their place in the list."""

    def __init__(self, game: Game, evaluation: Evaluation) -> None:
        self.game, self.evaluation = game, evaluation

    def answer(self, question: Question) -> Answer:
        legal = self.game.legal_moves(question.position)
        moves = ranked(MoveValue(move, float(i), (move,)) for i, move in enumerate(legal))
        return Answer(moves, moves[0].value, depth=1, interior=1, leaves=len(moves))

    def stop(self) -> None:
        """It is never long."""


class LastAgent(SearchAgent):
    """Plays the last move in the list."""

    name = "last"
    about = "the last move in the list"
    for_visitors = at_most(width=9)
    handles = frozenset({Kind.DECISION})
    offered = Offer(levels={"last(width=2)": "takes the last move"}, analyst="last")

    def __init__(self, game: Game, width: int = 1, eval: Spec | None = None) -> None:
        super().__init__(game, eval)
        self._possible(1, 9, width=width)
        self.width = width
        self.limits = Limits()
        self.search = Last(game, self.evaluation)


@pytest.fixture(autouse=True)
def _named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(agents.AGENTS, LastAgent.name, LastAgent)  # the one line


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    with pytest.raises(SystemExit) as end:
        main([*arguments, "--json"])
    shown = capsys.readouterr()
    assert not end.value.code, shown.err
    found: dict[str, object] = json.loads(shown.out)
    return found


def test_a_new_search_plays_and_says_what_it_found() -> None:
    game = Heap()
    agent = agents.make("last(width=3)", game)
    p = game.start()
    decision = agent.choose(p)
    assert decision.move == game.legal_moves(p)[-1]
    assert [each.move for each in agent.values(p)] == game.legal_moves(p)[::-1]
    assert str(agent) == "last(width=3)"
    assert decision.value == len(game.legal_moves(p)) - 1


def test_a_new_search_is_offered_by_the_commands_and_the_lab(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "own.py"
    path.write_text(OWN)
    seen = told(capsys, "analyse", str(path), "--agent", "last")
    assert seen["agent"] == "last"
    played = told(
        capsys, "match", str(path), "last", "random",
        "--pairs", "1", "--workers", "serial", "--store", "off",
    )  # fmt: skip
    assert "last" in json.dumps(played)
    listed = catalogue.one_game(games.make(str(path)))
    (entry,) = [each for each in listed["agents"] if each["name"] == "last"]
    assert entry["about"] == LastAgent.about
    assert entry["parameters"][0] == {"name": "width", "default": 1}
    meanings = {each["agent"]: each["meaning"] for each in listed["levels"]}
    assert meanings["last(width=2)"] == "Takes the last move."


def test_a_new_search_is_offered_only_where_it_can_play() -> None:
    assert LastAgent.offered in agents.offers(Heap())
    for game in (Race(), OddEven()):
        assert LastAgent.offered not in agents.offers(game)
        with pytest.raises(PetteiaError, match="agent last cannot play"):
            agents.make("last", game)


def test_a_subclass_is_not_offered_for_what_its_parent_is() -> None:
    class Heir(LastAgent):
        """Takes no stand of its own."""

    assert Heir.offer(Heap()) == Offer()


@pytest.mark.parametrize("width", [0, 10])
def test_arguments_are_refused_in_one_way(width: int) -> None:
    with pytest.raises(PetteiaError, match=f"^agent last: width={width} is not possible; 1 to 9$"):
        agents.make(f"last(width={width})", Heap())


class Descending(OddEven):
    """Its first player's first move is none of the second's."""

    def moves_of(self, p: Words, player: int, out: np.ndarray, at: int) -> int:
        count = 3 - player
        for i in range(count):
            out[at + i] = count - i
        return at + count


class Silent(Last):
    """Is always stopped before it knows anything."""

    def answer(self, question: Question) -> Answer:
        return Answer(())


def test_a_search_that_found_nothing_names_a_legal_move_of_the_player_who_asked() -> None:
    for game in (Heap(), Descending()):
        search = Silent(game, EVEN)
        for player in (0, 1):
            answer = search.ask(Question(game.start(), player=player))
            assert answer.best.move in game.legal_moves(game.start(), player)
            assert answer.decision(0).value is None
    with pytest.raises(PetteiaError, match="nobody is to move"):
        Silent(Heap(), EVEN).ask(Question((U(0), U(0))))


def test_moves_are_ranked_by_value_then_in_their_order_and_unknown_ones_last() -> None:
    moves = [MoveValue(number, value) for number, value in enumerate((None, 1.0, 2.0, 1.0, None))]
    assert [each.move for each in ranked(moves)] == [2, 1, 3, 0, 4]
