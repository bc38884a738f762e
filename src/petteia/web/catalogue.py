"""What a visitor can choose from: games, variants, agents, and a ladder of strengths."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import cast

from petteia import agents, games
from petteia.arena.levels import Strength, measured
from petteia.core import files
from petteia.core import spec as specs
from petteia.core.errors import PetteiaError
from petteia.core.game import Game, Level, described
from petteia.core.words import Words
from petteia.review.game import usual_judge
from petteia.review.marks import marks_of
from petteia.web import trust
from petteia.web.messages import choices, pictures
from petteia.web.table import picture

__all__ = ["analyst", "games_listed", "is_solved", "levels", "one_game", "reviewer"]

_TITLES = ("Drifter", "Novice", "Casual", "Club player", "Expert", "Master")
"""Of the opponents in a game that does not name its own."""

_REVIEW_NODES = 20_000_000
"""Nodes of a whole review, some seconds."""
_REVIEW_EACH = (400_000, 200_000, 100_000, 50_000, 20_000, 10_000)
"""Nodes for each of its positions; few different ones, for each is an agent of its own."""


def _try(spec: str, game: Game) -> None:
    """Raises if an agent cannot play, or is not a visitor's to name."""
    # A game from a file that is not hosted can only be named where code is allowed.
    allowed = files.is_file_name(game.spec.name) and not trust.is_hosted(game)
    trust.agent_text(spec, game, allow_code=allowed)


def _can_play(spec: str, game: Game) -> bool:
    try:
        _try(spec, game)
    except PetteiaError:
        return False
    return True


def _merged(texts: Iterable[Mapping[str, str]]) -> dict[str, str]:
    return {spec: words for each in texts for spec, words in each.items()}


@lru_cache(maxsize=64)
def levels(game: Game) -> list[choices.Level]:
    """The opponents from which a visitor chooses, the weakest first."""
    known = [level for level in game.levels if _can_play(level.agent, game)]
    if not known:
        known = _usual_levels(game)
    # Some have only a part of the game in their tables.
    if is_solved(game, game.start()):
        known.append(Level("Oracle", "perfect", "Never errs: it has the solved game before it."))
    strengths = measured(str(game))
    return [
        {
            "title": level.name, "agent": level.agent, "meaning": level.about,
            "strength": _strength(strengths.get(level.agent)),
        }
        for level in known
    ]  # fmt: skip


def _strength(found: Strength | None) -> choices.Strength | None:
    if found is None:
        return None
    return {"elo": found.elo, "error": found.error, "games": found.games}


def _usual_levels(game: Game) -> list[Level]:
    """Opponents in a game that names none."""
    first = _merged(kind.offered.beginners for kind in agents.AGENTS.values())
    usual = _merged(offer.levels for offer in agents.offers(game))
    known = {spec: words for spec, words in {**first, **usual}.items() if _can_play(spec, game)}
    own = agents.usual(game)
    names = {specs.parse(spec).name for spec in known}
    is_new = own != game.default_agent and specs.parse(own).name not in names  # it stands in
    if (len(known) <= len(first) or is_new) and own not in known and _can_play(own, game):
        kind = agents.available(game).get(specs.parse(own).name)
        known[own] = kind.about if kind else ""
    titles = (*_TITLES[: len(first)], *_TITLES[len(first) - len(known) :])
    return [
        Level(title, spec, f"{words[:1].upper()}{words[1:]}.")
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


def _parameters(kind: type) -> list[choices.Parameter]:
    found: list[choices.Parameter] = []
    for parameter in inspect.signature(kind).parameters.values():
        default = None if parameter.default is parameter.empty else parameter.default
        if parameter.name == "game" or parameter.kind is parameter.VAR_KEYWORD:
            continue
        if default is None or isinstance(default, int | float | bool | str):
            found.append({"name": parameter.name, "default": default})
    return found


def _parameters_of(game: Game) -> list[choices.Parameter]:
    """The parameters of a game as it was made, in the words of people."""
    kind, found = type(game), _parameters(type(game))
    for each in found:
        name, default = each["name"], each["default"]
        each["value"] = getattr(game, name, default)
        each["label"] = kind.parameter_names.get(name, name.replace("_", " ").capitalize())
        if isinstance(default, str):
            named = (str(settings.get(name, default)) for settings in kind.variants.values())
            known = list(dict.fromkeys((default, *named)))
            if len(known) > 1:  # else nobody knows what it may be
                each["choices"] = known
    return found


@cache
def games_listed(own: tuple[str, ...] = ()) -> list[choices.Game]:
    """Every game with its variants and the picture of its start; ``own`` games first."""
    return [one_game(trust.game_of(name)) for name in (*own, *games.names())]


@lru_cache(maxsize=64)
def one_game(game: Game) -> choices.Game:
    """A game for the page that offers it."""
    kind = type(game)
    start = picture(game, game.start())
    return {
        "spec": str(game),
        "name": game.spec.name,
        "title": kind.title or _name(game).replace("_", " ").capitalize(),
        "about": kind.in_short or described(kind),
        "names": list(game.players),
        "chance": game.has_chance,
        "simultaneous": game.has_simultaneous,
        "parameters": _parameters_of(game),
        "variants": [
            {"name": name, "spec": str(specs.Spec(game.spec.name, tuple(settings.items())))}
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
        "marks": cast("choices.Marks", marks_of(game).as_json()),
        "levels": levels(game),
        "analyst": analyst(game),
        "tuned": agents.usual(game, game.tuned_agent),
        "player": _player(game),
        "editable": type(game).edited is not Game.edited,
        "brushes": _brushes(game, start),
        "stacks": game.stacks,
        "home": _home(start),
        "reminder": game.reminder,
        "turns_board": game.turns_board,
        "army": _army(start) if game.captures_for_good else None,
        "start": start,
    }


def _army(start: pictures.View) -> list[int]:
    return [sum(x["count"] for x in start["pieces"] if x["owner"] == side) for side in (0, 1)]


def _name(game: Game) -> str:
    name = game.spec.name
    return files.path_of(name).stem if files.is_file_name(name) else name


def _player(game: Game) -> str:
    """An agent that plays by an evaluation, whose name stands in place of the question mark."""
    named = [offer.by_evaluation for offer in agents.offers(game) if offer.by_evaluation]
    able = [each for each in named if _can_play(each.split("(", maxsplit=1)[0], game)]
    return able[-1] if able else ""  # the stronger ones stand later in the list of agents


def _brushes(game: Game, start: pictures.View) -> dict[str, str]:
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


def _home(start: pictures.View) -> int:
    """The player who sits at the bottom: whose pieces, or else whose first moves, lie lower."""
    rows = {cell["id"]: cell["at"][1] for cell in start["cells"]}
    lower = [[rows[x["cell"]] for x in start["pieces"] if x["owner"] == side] for side in (0, 1)]
    if not lower[0] or not lower[1]:
        choices: list[list[pictures.Action]] = start.get("choices") or [[], []]
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
