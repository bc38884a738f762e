"""What a visitor can choose from: games, variants, agents, and a ladder of strengths."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import cast

from petteia import agents, games
from petteia.core import files
from petteia.core import spec as specs
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.words import Words
from petteia.review.game import usual_judge
from petteia.review.marks import marks_of
from petteia.web import trust
from petteia.web.messages import answers
from petteia.web.table import picture

__all__ = ["analyst", "games_listed", "is_solved", "levels", "one_game", "reviewer"]

_TITLES = ("First game", "Beginner", "Casual", "Club", "Strong", "Strongest")

_REVIEW_NODES = 20_000_000
"""Nodes of a whole review, some seconds."""
_REVIEW_EACH = (400_000, 200_000, 100_000, 50_000, 20_000, 10_000)
"""Nodes for each of its positions; few different ones, for each is an agent of its own."""


def _try(spec: str, game: Game) -> None:
    """Raises if an agent cannot play, or is not a visitor's to name."""
    # A game that comes from a file brings agents that nobody has judged; it was allowed with them.
    trust.agent_text(spec, game, allow_code=files.is_file_name(game.spec.name))


def _can_play(spec: str, game: Game) -> bool:
    try:
        _try(spec, game)
    except PetteiaError:
        return False
    return True


def _merged(texts: Iterable[Mapping[str, str]]) -> dict[str, str]:
    return {spec: words for each in texts for spec, words in each.items()}


@lru_cache(maxsize=64)
def levels(game: Game) -> list[answers.Level]:
    """The strengths from which a visitor chooses, the weakest first."""
    first = _merged(kind.offered.beginners for kind in agents.AGENTS.values())
    usual = dict(game.opponents) or _merged(offer.levels for offer in agents.offers(game))
    known = {spec: words for spec, words in {**first, **usual}.items() if _can_play(spec, game)}
    own = agents.usual(game)
    if len(known) <= len(first) and own not in known and _can_play(own, game):
        kind = agents.available(game).get(specs.parse(own).name)
        known[own] = kind.about if kind else ""
    # Some have only a part of the game in their tables.
    if is_solved(game, game.start()):
        if len(known) == len(_TITLES):
            known.popitem()
        known["perfect"] = "never errs: it has the solved game before it"
    titles = (*_TITLES[: len(first)], *_TITLES[len(first) - len(known) :])
    return [
        {"title": title, "agent": spec, "meaning": words}
        for title, (spec, words) in zip(titles, known.items(), strict=False)
    ]


def is_solved(game: Game, p: Words) -> bool:
    """Whether exact tables on this machine know a position."""
    return _can_play("perfect", game) and agents.make("perfect", game).knows(p)


@lru_cache(maxsize=64)
def analyst(game: Game, seconds: float | None = None) -> str:
    """Who analyses a game where nobody is named, thinking so long."""
    for text in (usual_judge(game), *(offer.analyst for offer in agents.offers(game))):
        if text and _can_play(text, game):
            spec = specs.parse(text)
            given = dict(spec.arguments)
            if seconds is not None and "time" in given:
                given["time"] = seconds
            return str(specs.Spec(spec.name, tuple(given.items())))
    return "random"


def reviewer(game: Game, plies: int) -> str:
    """Who reviews a game of so many plies where nobody is named. It counts nodes where an analyst
    takes time, so that the verdicts do not depend on how busy the machine is."""
    spec = specs.parse(analyst(game))
    each = next((n for n in _REVIEW_EACH if n * plies <= _REVIEW_NODES), _REVIEW_EACH[-1])
    given = [("nodes", each) if key == "time" else (key, value) for key, value in spec.arguments]
    counting = str(specs.Spec(spec.name, tuple(given)))
    # Not every search counts nodes; then one that is offered as a judge counts what it can.
    able = (counting, *(offer.judge for offer in agents.offers(game)))
    return next((text for text in able if text and _can_play(text, game)), str(spec))


def _parameters(kind: type) -> list[answers.Parameter]:
    found: list[answers.Parameter] = []
    for parameter in inspect.signature(kind).parameters.values():
        default = None if parameter.default is parameter.empty else parameter.default
        if parameter.name == "game" or parameter.kind is parameter.VAR_KEYWORD:
            continue
        if default is None or isinstance(default, int | float | bool | str):
            found.append({"name": parameter.name, "default": default})
    return found


@cache
def games_listed() -> list[answers.Game]:
    """Every game with its variants and the picture of its start."""
    return [one_game(game) for game in (games.make(name) for name in games.names())]


@lru_cache(maxsize=64)
def one_game(game: Game) -> answers.Game:
    """A game for the page that offers it."""
    kind = type(game)
    start = picture(game, game.start())
    return {
        "spec": str(game),
        "name": game.spec.name,
        "title": kind.title or game.spec.name.capitalize(),
        "about": kind.in_short or (inspect.getdoc(kind) or "").split("\n")[0],
        "names": list(game.players),
        "chance": game.has_chance,
        "simultaneous": game.has_simultaneous,
        "parameters": _parameters(kind),
        "variants": [
            {"name": name, "spec": str(specs.Spec(game.name, tuple(settings.items())))}
            for name, settings in kind.variants.items()
        ],
        "evaluations": [
            {
                "name": name,
                "about": each.about,
                "weights": {k: v for k, v in each.weights.items() if k != "seed"},
            }
            for name, each in game.evaluations.items()
        ],
        "default_evaluation": game.default_evaluation,
        "openings": ["random", "none", *game.openings],
        "agents": [
            {"name": name, "about": each.about, "parameters": _parameters(each)}
            for name, each in agents.available(game).items()
            if not each.starts_programs and _may_play(name, game)
        ],
        "marks": cast("answers.Marks", marks_of(game).as_json()),
        "levels": levels(game),
        "analyst": analyst(game),
        "tuned": agents.usual(game, game.tuned_agent),
        "player": _player(game),
        "editable": type(game).edited is not Game.edited,
        "brushes": _brushes(game, start),
        "stacks": game.stacks,
        "home": _home(start),
        "start": start,
    }


def _player(game: Game) -> str:
    """An agent that plays by an evaluation, whose name stands in place of the question mark."""
    named = [offer.by_evaluation for offer in agents.offers(game) if offer.by_evaluation]
    able = [each for each in named if _can_play(each.split("(", maxsplit=1)[0], game)]
    return able[-1] if able else ""  # the stronger ones stand later in the list of agents


def _brushes(game: Game, start: answers.View) -> dict[str, str]:
    """The letters that an editor puts on cells, and the pieces that they mean."""
    if type(game).edited is Game.edited:
        return {}
    found = dict[str, str]()
    for letter in game.brushes or game.letters:
        for cell in start["cells"]:
            with contextlib.suppress(PetteiaError):
                there = game.view(game.edited(game.start(), {cell["id"]: letter})).pieces
                piece = next(each for each in there if each.cell == cell["id"])
                found[letter] = f"{game.players[piece.owner]} {piece.kind}"
                break
    return found


def _home(start: answers.View) -> int:
    """The player who sits at the bottom: whose pieces, or else whose first moves, lie lower."""
    rows = {cell["id"]: cell["at"][1] for cell in start["cells"]}
    lower = [[rows[x["cell"]] for x in start["pieces"] if x["owner"] == side] for side in (0, 1)]
    if not lower[0] or not lower[1]:
        choices: list[list[answers.Action]] = start.get("choices") or [[], []]
        lower = [[rows[x["path"][-1]] for x in each if x["path"]] for each in choices]
    if not lower[0] or not lower[1]:
        return 0
    means = [sum(each) / len(each) for each in lower]
    return 1 if means[1] > means[0] else 0


def _may_play(name: str, game: Game) -> bool:
    """Whether an agent with its usual arguments, or ones that it must be given, can play."""
    try:
        _try(name, game)
    except PetteiaError as error:
        return " needs " in str(error)
    return True
