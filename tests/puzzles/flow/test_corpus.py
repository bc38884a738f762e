"""Every text form of Flow in the large: written and read back, and damaged in any way.

A few puzzles and mutations are tried in every run. ``PETTEIA_CORPUS=full`` tries 1,000 puzzles and
10,000 mutations of each form.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from functools import cache

import pytest

from petteia.core.errors import PetteiaError
from petteia.puzzles.flow import Puzzle, formats
from petteia.puzzles.flow.generator import KINDS, Made, generate
from tests.mutations import mutated

FULL = os.environ.get("PETTEIA_CORPUS") == "full"
WRITTEN, MUTATED = (1000, 10_000) if FULL else (20, 200)


@cache
def made(kind: str, number: int) -> Made:
    """A new puzzle."""
    return generate(4 + number % 5, 4 + number // 5 % 4, seed=number, kind=kind)


def puzzles(form: str, count: int) -> Iterator[tuple[Made, str]]:
    """Puzzles of all kinds that the form can tell, with their texts."""
    for number in range(count):
        each = made(KINDS[number % len(KINDS)], number)
        try:
            text = formats.write(each.puzzle, form, each.solution)
        except PetteiaError:
            each = made("square", number)
            text = formats.write(each.puzzle, form, each.solution)
        yield each, text


def what_it_is(puzzle: Puzzle) -> tuple[object, ...]:
    """A puzzle without the names of its colours, which numlin numbers anew."""
    return puzzle.size, puzzle.kind, set(puzzle.dots), puzzle.walls, puzzle.bridges


@pytest.mark.parametrize("form", formats.FORMATS)
def test_written_puzzles_are_read_back_equal(form: str) -> None:
    for each, text in puzzles(form, WRITTEN):
        found = formats.read(text)
        assert found.format == form
        assert what_it_is(found.puzzle) == what_it_is(each.puzzle), text
        assert found.solution == (each.solution if form == "level" else None)


@pytest.mark.parametrize("form", formats.FORMATS)
def test_damage_gives_one_line_or_a_puzzle_with_all_its_dots(form: str) -> None:
    """What can still be read is told whole: no dot of the text is missing on the board."""
    chance, texts = random.Random(f"damage {form}"), list(puzzles(form, WRITTEN))
    said: list[str] = []
    for number in range(MUTATED):
        text = mutated(texts[number % len(texts)][1], chance)
        try:
            found = formats.read(text)
        except PetteiaError as error:
            said.append(str(error))
            continue
        if found.format in ("course", "letters"):
            told = sum(sign.isalpha() for sign in text)
            assert told == 2 * sum(letter.isalpha() for letter in found.puzzle.letters), text
        again = formats.read(formats.write(found.puzzle, found.format, found.solution))
        assert what_it_is(again.puzzle) == what_it_is(found.puzzle), text
        assert again.solution == found.solution, text
    assert len(said) > MUTATED // 5
    assert all("\n" not in line and len(line) < 400 for line in said)
