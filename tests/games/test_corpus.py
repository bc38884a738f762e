"""Every text form of every game in the large: written and read back, and damaged in any way.

A few games and mutations are tried in every run. ``PETTEIA_CORPUS=full`` tries 1,000 games or
positions and 10,000 mutations of each form, which takes some minutes.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import pytest

from petteia import games
from petteia.core import record
from petteia.core.collection import Collection, own_games
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, TERMINAL, Game
from petteia.core.record import Record
from petteia.core.replay import joined, record_of
from petteia.core.session import Session
from petteia.core.words import Words
from petteia.games.ropasci import RoPaSci
from petteia.games.ropasci.face import notation
from tests.mutations import mutated
from tests.positions import play_random, random_positions

FULL = os.environ.get("PETTEIA_CORPUS") == "full"
WRITTEN, MUTATED = (1000, 10_000) if FULL else (4, 30)
POSITIONS = 1000 if FULL else 20

NAMES = ("A. B", 'C "D" E')


@dataclass(frozen=True)
class Form:
    """A form in which whole games are written."""

    game: str
    name: str
    """``record``, ``json``, or the suffix of its files."""

    def __str__(self) -> str:
        return f"{self.game} {self.name}"

    @property
    def fewer(self) -> int:
        """Mutations, fewer where several games are read each time and one takes a hundredth of a
        second: in backgammon's files."""
        return MUTATED // 10 if self.name in (".mat", ".sgf") else MUTATED

    def write(self, kept: Record) -> str:
        made = games.make(self.game)
        if self.name == "record":
            return record.write(kept)
        if self.name == "json":
            return _json(made, kept)
        text = made.foreign_text([kept], self.name)
        assert text is not None
        return text


FORMS = [
    Form("breakthrough(columns=4, rows=5)", "record"),
    Form("checkers", "record"),
    Form("checkers", ".pdn"),
    Form("ropasci(throws=2)", "record"),
    Form("ropasci(throws=2)", ".log"),
    Form("ropasci(throws=2)", "json"),
    Form("ur(pieces=2)", "record"),
    Form("ur(pieces=2)", ".rgn"),
    Form("backgammon", "record"),
    Form("backgammon", ".mat"),
    Form("backgammon", ".sgf"),
    Form("backgammon(cube=true, jacoby=true, beaver=true)", ".sgf"),
    Form("backgammon(match=3, cube=true)", ".mat"),
    Form("backgammon(match=3, cube=true)", ".sgf"),
]
each_form = pytest.mark.parametrize("form", FORMS, ids=str)


def _json(game: Game, kept: Record) -> str:
    """A game as a line of the course's JSON; a result as its referee words it."""
    assert isinstance(game, RoPaSci)
    turns = [
        [notation.action_of(notation.move_of(text) or 0) for text in ply.texts]
        for ply in kept.plies
    ]
    end = {1.0: "winner: upper", -1.0: "winner: lower", 0.0: f"draw: {kept.header('Draw')}"}
    result = None if kept.result is None else end[kept.result]
    return json.dumps({"turns": turns, "result": result}) + "\n"


@cache
def random_records(spec: str, count: int) -> list[Record]:
    """Random games, some of which nobody has ended."""
    game = games.make(spec)
    found = []
    for seed in range(count):
        most = 10_000 if seed % 3 else 7 + seed % 40
        session = play_random(Session(game, NAMES, seed), seed, most)
        kept = record_of(session, NAMES, session.result)
        plies = list(kept.plies)
        # Others write a throw, and the decision to throw, with its move.
        while plies and (plies[-1].kind == "chance" or plies[-1].texts == ("roll",)):
            plies.pop()
        found.append(replace(kept, plies=tuple(plies)))
    return found


@cache
def written(form: Form) -> list[str]:
    """The same games in a form."""
    return [form.write(each) for each in random_records(form.game, WRITTEN)]


def read(form: Form, text: str) -> Collection:
    return games.make(form.game).foreign_games(text) or own_games(text)


def what_was_played(kept: Record) -> tuple[object, ...]:
    return kept.start, tuple(ply.texts for ply in kept.plies), kept.result


@each_form
def test_written_games_are_read_back_equal(form: Form) -> None:
    wanted = random_records(form.game, WRITTEN)
    text = "\n".join(written(form))
    found = read(form, text)
    assert not found.faults
    assert not any(entry.remarks for entry in found.entries)
    again = joined(games.make(form.game), found.records)
    assert [what_was_played(each) for each in again] == [what_was_played(each) for each in wanted]


# --- mutations ----------------------------------------------------------------------------------


@each_form
def test_damage_gives_no_error_but_our_own(form: Form) -> None:
    chance = random.Random(1)
    for number in range(MUTATED):
        text = mutated(written(form)[number % WRITTEN], chance)
        with contextlib.suppress(PetteiaError):
            found = read(form, text)
            assert all(fault.why and "\n" not in fault.why for fault in found.faults), text


@each_form
def test_no_move_is_left_out_without_a_fault(form: Form) -> None:
    """A sign too many among the moves, of those that begin no comment."""
    chance, records = random.Random(5), random_records(form.game, WRITTEN)
    for number in range(form.fewer):
        kept, text = records[number % WRITTEN], written(form)[number % WRITTEN]
        begin = max(text.rfind("]\n"), text.find("Game 1"), 0)
        at = chance.randrange(begin, len(text))
        signs = "9x-:.,!?'" + ("" if form.name == ".sgf" else "Z")  # there Z names a property
        text = text[:at] + chance.choice(signs) + text[at:]
        try:
            found = read(form, text)
        except PetteiaError:
            continue
        is_told = found.faults or any(entry.remarks for entry in found.entries)
        if not is_told:
            assert sum(len(each.plies) for each in found.records) >= len(kept.plies), text


@each_form
def test_a_damaged_game_costs_no_other(form: Form) -> None:
    chance, records = random.Random(2), random_records(form.game, WRITTEN)
    for number in range(form.fewer // 2):
        first, hurt, last = ((number + place) % WRITTEN for place in range(3))
        # Without numbers nobody can tell where the unfinished game before it ends.
        text = mutated(written(form)[hurt], chance, numbers=False)
        whole = "\n".join([written(form)[first], f"{text}\n", written(form)[last]])
        found = read(form, whole)
        played = [what_was_played(each) for each in joined(games.make(form.game), found.records)]
        assert played[:1] == [what_was_played(records[first])], whole
        assert played[-1:] == [what_was_played(records[last])], whole
        if text.strip():
            assert len(found.entries) >= 3 or not _begins(form, text), whole
        for fault in found.faults:
            assert fault.why
            assert 1 <= fault.line <= whole.count("\n") + 1


def _begins(form: Form, text: str) -> bool:
    """Whether the beginning of a game is still there."""
    marks = {
        "record": "[Game ", ".pdn": "[Event ", ".rgn": "[Light ", ".log": "turn 1: upper",
        ".sgf": "(;FF[4]GM[6]", ".mat": " 0 point match\n\n Game 1\n",
    }  # fmt: skip
    return text.startswith(marks.get(form.name, "{"))


# --- positions and moves ------------------------------------------------------------------------

SPECS = [
    "breakthrough", "breakthrough(columns=4, rows=5, workers=3)", "checkers", "course-checkers",
    "ropasci", "ur", "blitz", "masters", "aseb", "project-ur", "ur(pieces=3, dice=3)", "backgammon",
    "course-backgammon", "backgammon(match=5, cube=true)",
    "backgammon(cube=true, jacoby=true, beaver=true)",
]  # fmt: skip


def texts_of(game: Game, count: int) -> Iterator[tuple[Words, str]]:
    for p in random_positions(game, count, 3):
        yield p, game.text(p)


@pytest.mark.parametrize("spec", SPECS)
def test_positions_are_read_back_and_damaged_ones_named(spec: str) -> None:
    game, chance = games.make(spec), random.Random(3)
    known = list(texts_of(game, POSITIONS))
    forms = []
    for p, text in known:
        assert game.parse(text) == p, text
        others = game.other_texts(p)
        for name, other in others.items():
            assert game.parse(other), name
        forms += [text, *others.values()]
    for number in range(MUTATED):
        text = mutated(forms[number % len(forms)], chance)
        try:
            q = game.parse(text)
        except PetteiaError:
            continue
        assert game.parse(game.text(q)) == q, text


@pytest.mark.parametrize("spec", SPECS)
def test_moves_are_read_back_and_damaged_ones_named(spec: str) -> None:
    game, chance = games.make(spec), random.Random(4)
    known = []
    for p in random_positions(game, POSITIONS, 4):
        kind = game.kind(p)
        for player in (0, 1) if kind == SIMULTANEOUS else (None,):
            if kind in (DECISION, SIMULTANEOUS):
                moves = game.legal_moves(p, player)
                known += [(p, player, m, game.move_text(p, m)) for m in moves[:20]]
        if kind == CHANCE:
            for outcome, _ in game.outcomes(p):
                assert game.parse_outcome(p, game.move_text(p, outcome)) == outcome
        assert kind != TERMINAL
    for p, player, move, text in known:
        assert game.parse_move(p, text, player) == move, (game.text(p), text)
    for number in range(MUTATED):
        p, player, _, text = known[number % len(known)]
        try:
            found = game.parse_move(p, mutated(text, chance), player)
        except PetteiaError:
            continue
        assert found in game.legal_moves(p, player)
