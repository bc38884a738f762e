"""A PDN text in words, and cut into its games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from petteia.games.checkers.face.notation import BETWEEN, DASHES

__all__ = ["Part", "goes_on", "said_by", "split", "word_at"]

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\\n]|\\.)*)"\s*\]')
_LOOSE_TAG = re.compile(r'\[\s*(\w+)\s+"(.*)"\s*\][ \t]*$', re.MULTILINE)
"""With quotes inside that nobody escaped."""
_BROKEN_TAG = re.compile(r'^\[\s*\w+\s+".*$', re.MULTILINE)
_NEEDED = {"Black", "FEN", "GameType", "Result", "SetUp", "White"}
"""Tags that cannot say two things of one game."""
_TOKEN = re.compile(
    r"""\s+
      | \{(?P<braces>(?:[^}\n]|\n(?!\s*\[\s*\w+\s+"))*)\}  # not closed: must not take the next game
      | (?:;|^%)(?P<line>[^\n]*)
      | \((?P<aside>(?![^()]*(?:\d\s?[BETWEEN]\s?\d|\d{4}))  # words or a time, and no moves
          [^(){}\n]*[a-z0-9][^(){}\n]*)\)
      | \[(?P<brackets>[^\[\]"\n]*)\]
      | (?P<open>\((?![!?]+\))) | (?P<close>\))
      | (?P<result>1/2DASH1/2|1/2|0\.5DASH0\.5|½DASH½|1DASH0|0DASH1|2DASH0|0DASH2|1DASH1|0DASH0
          |\*)(?![\w/-])
      | (?P<number>(?!0+\.)\d+\s*\.[.\s]*(?<=\.))
      | (?P<bare>[1-9]\d{0,2})(?=\s+\d{1,2}\s?[BETWEEN]\s?\d)  # a number without a dot
      | (?P<move>\d{1,2}(?:\s?[BETWEEN]\s?\d{1,2})+|\d{4})(?P<mark>[!?*]*)
        (?P<glued>[a-wyz.,][a-z.,'"!?]*)?(?=[\s(){};$\[]|\Z)
      | (?P<sign>[!?]+|\([!?]+\)|\$\d+)
      | (?P<other>[{}]|[^\s(){};]+)""".replace("DASH", f"[{DASHES}]").replace("BETWEEN", BETWEEN),
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)


def word_at(text: str, at: int) -> re.Match[str]:
    """The word or the white space at a place. Its kinds are the groups' names."""
    found = _TOKEN.match(text, at)
    assert found is not None, text[at : at + 20]
    return found


def said_by(word: re.Match[str]) -> str | None:
    """The words of a comment; None if it is none."""
    for kind in ("braces", "line", "aside", "brackets"):
        if word[kind] is not None:
            return " ".join(word[kind].split())
    return None


@dataclass
class Part:
    """The text of one game."""

    begin: int = -1
    """The place of its first sign."""
    tags: dict[str, str] = field(default_factory=dict)
    wrong: tuple[int, str] | None = None
    """A place among the tags, and what is wrong there."""
    twice: list[str] = field(default_factory=list)
    """What tags say that were given before: not needed to play the game."""
    before: str = ""
    """Comments before and between the tags."""
    moves: str = ""
    moves_at: int = 0
    """The place of the movetext."""

    @property
    def body(self) -> str:
        """All but the tags."""
        return self.before + self.moves

    def place(self, at: int) -> int:
        """The place in the text of a place in the body."""
        inside = at - len(self.before)
        return self.begin if inside < 0 else self.moves_at + inside


def split(text: str) -> Iterator[Part]:
    """The parts of a text. A game ends with its result, or where the next tags begin."""
    part, at, begin, depth = Part(), 0, 0, 0
    while at < len(text):
        if part.begin < 0 and not text[at].isspace():
            part.begin = at
        at_tag = text[at] == "[" and (
            _TAG.match(text, at) or _LOOSE_TAG.match(text, at) or _BROKEN_TAG.match(text, at)
        )
        if at_tag:
            between = text[begin:at]
            key = at_tag[1] if at_tag.re is not _BROKEN_TAG else ""
            is_apart = between.count("\n") > 1
            if not _is_talk(between) or (is_apart and (key in part.tags or part.wrong)):
                part.moves, part.moves_at = between, begin
                yield part
                part = Part(begin=at)
            elif between.strip():
                part.before += between
            if not key:
                part.wrong = part.wrong or (at, f"{at_tag[0]!r} is not a whole tag")
            else:
                _take_tag(part, at, key, re.sub(r"\\(.)", r"\1", at_tag[2]))
            at = begin = at_tag.end()
            depth = 0
            continue
        word = word_at(text, at)
        at = word.end()
        depth += bool(word["open"]) - (bool(word["close"]) and depth > 0)
        can_go_on = depth > 0 or word["result"] == "*"
        if word["result"] and not (can_go_on and goes_on(text, at)):
            at = _end_of_talk(text, _end_of_results(text, at))
            part.moves, part.moves_at = text[begin:at], begin
            yield part
            part, begin, depth = Part(), at, 0
    if part.tags or part.wrong or not _is_talk(text[begin:]):
        part.moves, part.moves_at = text[begin:], begin
        yield part


def _take_tag(part: Part, at: int, key: str, value: str) -> None:
    first = part.tags.setdefault(key, value)
    if first == value:
        return
    if key in _NEEDED:
        part.wrong = part.wrong or (at, f"the tag {key} is given twice")
    else:
        part.twice.append(f"the tag {key} is given twice; {value!r} is left out")


def goes_on(text: str, at: int) -> bool:
    """Whether moves follow: then a star was a mark of a forced move, or a result stood in a
    variation."""
    while at < len(text) and not _TAG.match(text, at):
        word = word_at(text, at)
        if word["move"] or word["close"]:
            return True
        if number := word["number"] or word["bare"]:
            return not re.match(r"1\b", number)
        if word["result"]:
            return False
        at = word.end()
    return False


def _is_talk(text: str) -> bool:
    """Whether there is nothing but comments and white space."""
    at = 0
    while at < len(text):
        word = word_at(text, at)
        if not word[0].isspace() and said_by(word) is None:
            return False
        at = word.end()
    return True


def _end_of_results(text: str, at: int) -> int:
    """Where a result ends that is written more than once, on its line or below it."""
    end = at
    while at < len(text):
        word = word_at(text, at)
        if not word["result"] and not word[0].isspace():
            break
        at = word.end()
        end = at if word["result"] else end
    return end


def _end_of_talk(text: str, at: int) -> int:
    """Where the comments end that follow a result: those in its line, and all if no moves follow
    before the next tags."""
    in_line = at
    is_same_line = True
    while at < len(text) and not _TAG.match(text, at):
        word = word_at(text, at)
        if said_by(word) is None and not word[0].isspace():
            return in_line
        at = word.end()
        is_same_line = is_same_line and (said_by(word) is not None or "\n" not in word[0])
        if is_same_line:
            in_line = at
    return at
