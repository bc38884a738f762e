"""Specs: the text form in which games, agents and evaluations are named."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from petteia.core.errors import PetteiaError
from petteia.core.spec import Spec, Value, arguments, build, parse

keys = st.from_regex(re.compile(r"[a-z_][a-z0-9_]{0,5}", re.ASCII), fullmatch=True)
names = st.from_regex(r"[A-Za-z_./~][A-Za-z0-9_./~:+-]{0,8}", fullmatch=True) | st.text(min_size=1)
plain: st.SearchStrategy[Value] = (
    st.booleans()
    | st.integers(-(10**18), 10**18)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)


def specs_of(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Spec]:
    pairs = st.dictionaries(keys, values, max_size=3)
    return st.builds(Spec, names, pairs.map(lambda found: tuple(found.items())))


specs = st.recursive(specs_of(plain), lambda inner: specs_of(plain | inner), max_leaves=8)


def kinds(value: Value) -> Any:
    """A value with its types: 1, 1.0 and true are equal in Python but not in a spec."""
    if isinstance(value, Spec):
        return value.name, [(key, kinds(inner)) for key, inner in value.arguments]
    return type(value), repr(value)


# --- the grammar --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("random", Spec("random")),
        ("random()", Spec("random")),
        ("  random  ", Spec("random")),
        ("alphabeta(depth=4)", Spec("alphabeta", (("depth", 4),))),
        (
            " alphabeta ( depth = 4 , time = 0.5 ) ",
            Spec("alphabeta", (("depth", 4), ("time", 0.5))),
        ),
        ("./mine.py", Spec("./mine.py")),
        ("~/games/mine.py:my_eval", Spec("~/games/mine.py:my_eval")),
        ("../a-b/c+d.py", Spec("../a-b/c+d.py")),
        ("c:\\games\\mine.py:f", Spec("c:\\games\\mine.py:f")),
        ('"two words.py:f"', Spec("two words.py:f")),
        ('a(x="text")', Spec("a", (("x", "text"),))),
        ('a(x="")', Spec("a", (("x", ""),))),
        (r'a(x="say \"hm\" \\ \n")', Spec("a", (("x", 'say "hm" \\ \n'),))),
        ("a(x=true, y=false)", Spec("a", (("x", True), ("y", False)))),
        ('a(x="true")', Spec("a", (("x", "true"),))),
        ("a(x=-3)", Spec("a", (("x", -3),))),
        ("a(x=+3)", Spec("a", (("x", 3),))),
        ("a(x=1e3)", Spec("a", (("x", 1000.0),))),
        ("a(x=.5)", Spec("a", (("x", 0.5),))),
        ("a(x=-2.5E-1)", Spec("a", (("x", -0.25),))),
        ("a(x=b)", Spec("a", (("x", Spec("b")),))),
        ("a(x=b(y=1), z=2)", Spec("a", (("x", Spec("b", (("y", 1),))), ("z", 2)))),
        ('a(x="b c"(y=1))', Spec("a", (("x", Spec("b c", (("y", 1),))),))),
        ('a(x="b c"())', Spec("a", (("x", Spec("b c")),))),
        ('a(x="true"())', Spec("a", (("x", Spec("true")),))),
        ("a(x=true(y=1))", Spec("a", (("x", Spec("true", (("y", 1),))),))),
    ],
)
def test_what_a_text_means(text: str, spec: Spec) -> None:
    assert kinds(parse(text)) == kinds(spec)
    assert kinds(parse(str(spec))) == kinds(spec)


def test_a_spec_is_its_own_meaning() -> None:
    spec = Spec("a", (("x", 1),))
    assert parse(spec) is spec


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (
            Spec("alphabeta", (("depth", 4), ("eval", Spec("mine")))),
            "alphabeta(depth=4, eval=mine)",
        ),
        (Spec("a", (("x", True), ("y", 0.1))), "a(x=true, y=0.1)"),
        (Spec("a", (("x", "b"),)), 'a(x="b")'),
        (Spec("a b"), '"a b"'),
        (Spec("a", (("x", Spec("b c")),)), 'a(x="b c"())'),
        (Spec("a", (("x", Spec(".5")),)), 'a(x=".5"())'),
    ],
)
def test_how_a_spec_is_written(spec: Spec, text: str) -> None:
    assert str(spec) == text


@given(specs)
@example(
    Spec(
        "true",
        (("x", Spec("false")), ("y", Spec("1"))),
    )
)
@example(Spec("a", (("x", Spec("./1e5")), ("y", Spec(".5")), ("z", Spec("n\n")))))
def test_a_spec_survives_its_text(spec: Spec) -> None:
    text = str(spec)
    assert kinds(parse(text)) == kinds(spec)
    assert parse(text) == spec
    assert str(parse(text)) == text
    assert "\n" not in text
    assert hash(parse(text)) == hash(spec)


# --- errors -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "bad spec '': expected a name at character 1, found the end"),
        ("5", "expected a name at character 1, found '5'"),
        ("a b", "expected the end at character 3, found 'b'"),
        ("a(", "expected an argument such as depth=4 at character 3, found the end"),
        ("a(4)", "expected an argument such as depth=4 at character 3, found '4)'"),
        ("a(x)", "expected an argument such as depth=4 at character 4, found ')'"),
        ("a(x=)", "expected a name at character 5, found ')'"),
        ("a(x=1", "expected ',' or ')' at character 6, found the end"),
        ("a(x=1 y=2)", "expected"),
        ("a(x=1,)", "expected an argument such as depth=4 at character 7, found ')'"),
        ("a(x=1))", "expected the end at character 7, found ')'"),
        ("a(x=1, x=2)", "x is given twice"),
        ('a(x="b)', 'expected a closing " at character 8, found the end'),
        ('a(x="b\\', 'expected a closing "'),
        ('""', "expected a name between the quotes"),
        ('a(x=""(y=1))', "expected a name between the quotes"),
        ("a(x=1e999)", "the number 1e999 is too large"),
        ("a(x=" + "9" * 21 + ")", "is too large"),
        ("a(x=" + "9" * 5000 + ")", "is too large"),
        ("a(x=1_000)", "at character 5"),
    ],
)
def test_a_bad_spec_is_one_line_that_names_the_place(text: str, complaint: str) -> None:
    with pytest.raises(PetteiaError, match=re.escape(complaint)) as caught:
        parse(text)
    assert str(caught.value).startswith("bad spec")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("opening", ["b(x=", '"b"(x=', "b (x =", '"b" (x='])
def test_specs_do_not_nest_without_end(opening: str) -> None:
    with pytest.raises(PetteiaError, match="more than 20 specs inside each other"):
        parse(opening * 5000)
    assert parse(opening * 20 + "1" + ")" * 20).name == "b"


spec_like = st.text(alphabet='abx=(),". \\\n12-+e._/:', max_size=40)


@given(st.text() | spec_like)
@example("\x00")
@example("a(\u0665=1)")
@example("a(x=\u0665)")
@example("a(x=\u00b2)")
def test_any_text_is_a_spec_or_a_clear_error(text: str) -> None:
    complaint = ""
    try:
        spec = parse(text)
    except PetteiaError as error:
        complaint = str(error)
    else:
        assert kinds(parse(str(spec))) == kinds(spec)
    assert "\n" not in complaint


# --- building -----------------------------------------------------------------------------------


class Player:
    """Something with parameters of every sort."""

    def __init__(
        self,
        game: str,
        depth: int,
        time: float = 1.0,
        loud: bool = False,
        name: str = "",
        inner: Spec | None = None,
        limit: int | None = None,
    ) -> None:
        self.game, self.depth, self.time, self.loud = game, depth, time, loud
        self.name, self.inner, self.limit = name, inner, limit


def made(text: str) -> Player:
    player = build(Player, parse(text), what="agent", game="chess")
    assert isinstance(player, Player)
    return player


def test_arguments_reach_the_parameters_in_their_types() -> None:
    player = made('p(depth=3, time=2, loud=true, name="ann", inner=e(w=1), limit=7)')
    assert (player.game, player.depth, player.limit) == ("chess", 3, 7)
    assert type(player.time) is float
    assert player.time == 2.0
    assert player.loud is True
    assert player.name == "ann"
    assert player.inner == Spec("e", (("w", 1),))


def test_names_and_texts_stand_for_each_other() -> None:
    assert made("p(depth=3, name=ann)").name == "ann"
    assert made('p(depth=3, inner="e")').inner == Spec("e")


def test_defaults_are_kept() -> None:
    player = made("p(depth=3)")
    assert (player.time, player.loud, player.inner, player.limit) == (1.0, False, None, None)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("p", "agent p needs depth, for instance p(depth=3)"),
        ("p(depth=3.5)", "agent p: depth=3.5 is not a whole number"),
        ("p(depth=3.0)", "agent p: depth=3.0 is not a whole number"),
        ("p(depth=true)", "agent p: depth=true is not a whole number"),
        ('p(depth="3")', 'agent p: depth="3" is not a whole number'),
        ("p(depth=three)", "agent p: depth=three is not a whole number"),
        ("p(depth=3, time=true)", "agent p: time=true is not a number"),
        ("p(depth=3, loud=1)", "agent p: loud=1 is not true or false"),
        ("p(depth=3, name=1)", "agent p: name=1 is not a text"),
        ("p(depth=3, name=e(w=1))", "agent p: name=e(w=1) is not a text"),
        ("p(depth=3, inner=1)", "agent p: inner=1 is not a name"),
        ("p(depth=3, limit=a)", "agent p: limit=a is not a whole number"),
        ("p(deph=3)", "unknown argument of agent p 'deph'; did you mean depth?"),
        ("p(zzzzzz=3)", "unknown argument of agent p 'zzzzzz'; there is: depth, inner, limit"),
        ("p(depth=3, game=go)", "unknown argument of agent p 'game'"),
        ("p(depth=3, self=1)", "unknown argument of agent p 'self'"),
        (r'p(depth="a\nb")', r'agent p: depth="a\nb" is not a whole number'),
    ],
)
def test_a_bad_argument_is_one_line_that_names_it(text: str, complaint: str) -> None:
    with pytest.raises(PetteiaError, match=re.escape(complaint)) as caught:
        made(text)
    assert "\n" not in str(caught.value)


def test_arguments_are_those_that_differ_from_the_default() -> None:
    player = made("p(depth=3, loud=true)")
    assert arguments(player) == (("game", "chess"), ("depth", 3), ("loud", True))


@given(st.integers(1, 99), st.floats(0, 10), st.booleans(), st.text())
def test_arguments_make_the_same_object_again(
    depth: int, time: float, loud: bool, name: str
) -> None:
    player = Player("chess", depth, time, loud, name)
    spec = Spec("p", tuple((key, value) for key, value in arguments(player) if key != "game"))
    again = made(str(spec))
    assert vars(again) == vars(player)
