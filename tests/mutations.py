"""Texts with something wrong in them, as typing, copying and broken transfers make them."""

from __future__ import annotations

import random
import re

__all__ = ["mutated"]

SIGNS = '{}()[]"\\;:*#|/-x.,!?%$_ \n\t0123456789abcKWé\x00\ufeff'

NUMBERS = ("9" * 5000, "1" * 40, "\u00b2", "\u0663", "0", "-1", "1e999")
"""What nobody expects for a number: too long, a square, an Arabic three."""


def mutated(text: str, chance: random.Random, *, numbers: bool = True) -> str:
    """The text with one thing wrong; perhaps its first numbers."""
    at = chance.randrange(len(text))
    lines, words = text.split("\n"), re.split(r"(\s+)", text)
    line, word = chance.randrange(len(lines)), chance.randrange(len(words))
    sign = chance.choice(SIGNS)
    match chance.randrange(10 if numbers else 9):
        case 0:
            return text[:at] + text[at + 1 :]
        case 1:
            return text[:at] + sign + text[at:]
        case 2:
            return text[:at] + sign + text[at + 1 :]
        case 3:
            return text[:at]
        case 4:
            return "\n".join(lines[:line] + lines[line + 1 :])
        case 5:
            return "\n".join([*lines[: line + 1], *lines[line:]])
        case 6:
            return "".join(words[:word] + words[word + 1 :])
        case 7:
            return "".join([*words[: word + 1], " ", *words[word:]])
        case 8:
            other = chance.randrange(len(words))
            words[word], words[other] = words[other], words[word]
            return "".join(words)
        case _:
            return re.sub(r"\d+", lambda found: chance.choice(NUMBERS), text, count=1 + at % 9)
