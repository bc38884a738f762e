"""The exact solution: golden figures, the certificate, tables on disk, perfect play."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from petteia import agents, games
from petteia.compiled.targets import CUDA
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, TERMINAL
from petteia.games.ur import Ur
from petteia.games.ur.solution import rgu, solver
from petteia.games.ur.solution.gpu import SHARE, TOLERANCE, solve_in_pieces
from petteia.games.ur.solution.layout import layout_of
from petteia.games.ur.solution.solver import UrSolver, solve_layers
from petteia.games.ur.solution.sweep import index_of, layer_of
from petteia.games.ur.solution.tables import SCALE, Values, table_path
from petteia.games.ur.study.strength import choice_positions, regret
from petteia.solve import Control, Stopped
from tests.positions import random_positions


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> object:
    patch = pytest.MonkeyPatch()
    patch.setenv("PETTEIA_TABLES", str(tmp_path_factory.mktemp("tables")))
    yield None
    patch.undo()


def make(spec: str) -> Ur:
    game = games.make(spec)
    assert isinstance(game, Ur)
    return game


@pytest.mark.parametrize(
    ("spec", "states"),
    [
        ("ur(pieces=1)", 217), ("ur(pieces=2)", 12_869), ("ur(pieces=3)", 263_121),
        ("ur(pieces=4)", 2_602_822), ("ur(pieces=5)", 14_669_769), ("ur", 137_870_097),
        # RoyalUr counts the positions in which the mover has won as well.
        ("blitz", 41_254_034 - 10_253), ("masters(pieces=5)", 41_254_034 - 10_253),
    ],
)  # fmt: skip
def test_the_number_of_positions(spec: str, states: int) -> None:
    assert layout_of(make(spec)).states == states


FIRST = {1: 0.530049839525, 2: 0.518572907496, 3: 0.516201102238}
ROLLS = {
    1: (46.995016, 50.538695, 52.694419, 53.695792, 67.980267),
    2: (48.142709, 50.488581, 52.062705, 52.321411, 57.957743),
    3: (48.379890, 50.615506, 51.837842, 51.942047, 56.284609),
}


@pytest.mark.parametrize("pieces", [1, 2, 3])
def test_golden_figures(pieces: int) -> None:
    facts = UrSolver(pieces).solve(Control(), workers=2)
    assert facts["first_player"] == pytest.approx(FIRST[pieces], abs=1e-11)
    assert float(str(facts["residual"])) < 1e-12
    rolls = facts["first_rolls"]
    assert isinstance(rolls, dict)
    assert [100 * value for value in rolls.values()] == pytest.approx(ROLLS[pieces], abs=1e-6)


@pytest.mark.parametrize(
    ("mover", "other", "value"), [(14, 14, 4 / 7), (13, 14, 116 / 161), (14, 13, 74 / 161)]
)
def test_the_last_pieces(mover: int, other: int, value: float) -> None:
    game = make("ur(pieces=1)")
    solved = solver.solve_layers(game, Control(), precision=64, workers=1)
    rows = {13: "1{}", 14: "{}1"}
    p = game.parse(f"4xx{rows[other].format('d')}/8/4xx{rows[mover].format('l')} l 0 0 0 0")
    t = layout_of(game)
    place = index_of(game, p, t)
    assert solved.values[place] == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("spec", ["ur(pieces=2)", "blitz(pieces=2)"])
def test_every_place_of_the_table_is_one_position(spec: str) -> None:
    game = make(spec)
    t = layout_of(game)
    found: dict[int, object] = {}
    for p in random_positions(game, 3000, 4):
        if game.kind(p) == CHANCE:
            place = index_of(game, p, t)
            assert 0 <= place < t.states
            # Colours exchanged it is the same state, and so the same place.
            ((turned, _),) = game.symmetries(p, 0)
            again = index_of(game, turned, t)
            assert again == place
            seen = min(int(p[0]), int(turned[0]))
            assert found.setdefault(place, seen) == seen
    assert index_of(game, game.start(), t) == 0


@pytest.mark.parametrize("spec", ["ur(pieces=2)", "blitz(pieces=2)"])
def test_values_are_what_the_rules_say(spec: str) -> None:
    """The table satisfies the equation of the rules themselves, not only that of the sweep."""
    game = make(spec)
    UrSolver(2, game.rules).solve(Control(), workers=1)
    known = Values(game)
    for p in random_positions(game, 400, 5):
        if game.kind(p) != CHANCE:
            continue
        mean = 0.0
        for roll, chance in game.outcomes(p):
            q = game.play(p, roll)
            mean += chance * max(_after(game, known, game.play(q, m), int(game.mover(q)))
                                 for m in game.legal_moves(q))  # fmt: skip
        assert known.chance(p) == pytest.approx(mean, abs=2 / SCALE)


def _after(game: Ur, known: Values, p: tuple[np.uint64, ...], mover: int) -> float:
    if game.kind(p) == TERMINAL:
        return 1.0
    return known.chance(p) if game.mover(p) == mover else 1 - known.chance(p)


def test_perfect_play_has_the_values_of_the_table() -> None:
    game = make("ur(pieces=2)")
    UrSolver(2).solve(Control(), workers=1)
    agent = agents.make("perfect", game)
    p = game.play(game.start(), 4)
    choice = agent.choose(p)
    assert choice.value == pytest.approx(2 * 0.57957743 - 1, abs=4 / SCALE)
    assert choice.notes == {"win_chance": pytest.approx(0.57957743, abs=2 / SCALE)}
    assert agent.values(p)[0].value == choice.value


def test_perfect_play_beats_random_play() -> None:
    from petteia.arena.match import Match

    game = make("ur(pieces=2)")
    UrSolver(2).solve(Control(), workers=1)
    match = Match(game, agents.make("perfect", game), agents.make("random", game), seed=2)
    assert match.run(pairs=40).score > 0.6


def test_without_a_table_it_says_how_to_make_one() -> None:
    with pytest.raises(PetteiaError, match="petteia solve"):
        agents.make("perfect", games.make("ur(pieces=6)"))


def test_a_foreign_or_damaged_table_is_refused() -> None:
    game = make("ur(pieces=1)")
    UrSolver(1).solve(Control(), workers=1, again=True)
    path = table_path(game)
    whole = path.read_bytes()
    for bad in (whole[:-10], b"something else", whole[:-1] + bytes([whole[-1] ^ 1])):
        path.write_bytes(bad)
        with pytest.raises(PetteiaError):
            Values(game)
    path.write_bytes(whole)
    Values(game)


def test_an_interrupted_solve_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path))
    monkeypatch.setattr(solver, "KEPT_FROM", 0)
    control = Control()
    reports = [0]

    def stop_in_the_last_layer(share: float, what: str) -> None:
        reports[0] += 1
        if what.startswith("0 and 1"):
            control.stop()

    control._show = stop_in_the_last_layer
    with pytest.raises(Stopped):
        UrSolver(2).solve(control, workers=1)
    facts = UrSolver(2).solve(Control(), workers=1)
    assert facts["resumed_layers"] == 1
    assert facts["first_player"] == pytest.approx(FIRST[2], abs=1e-11)
    assert not list(tmp_path.glob("*.parts"))


def test_a_solved_game_is_not_solved_again() -> None:
    first = UrSolver(2).solve(Control(), workers=1, again=True)
    assert UrSolver(2).solve(Control(), workers=1)["seconds"] == first["seconds"]


@pytest.mark.parametrize("workers", [1, 2])
def test_threads_do_not_change_the_values(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "_STATES_A_THREAD", 1)
    game = make("ur(pieces=2)")
    solved = solver.solve_layers(game, Control(), precision=64, workers=workers)
    assert solved.values[0] == pytest.approx(FIRST[2], abs=1e-12)


def test_impossible_precision_is_refused() -> None:
    with pytest.raises(PetteiaError, match="32 or 64"):
        games.solver("ur(precision=16)")


def test_tables_of_royalur_are_round_trips(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path))
    file = tmp_path / "finkel2p.rgu"
    facts = UrSolver(2, save=str(file)).solve(Control(), workers=1)
    game = make("ur(pieces=2)")
    # RoyalUr's own file has as many entries, and this key and value for the start.
    assert facts["rgu_entries"] == 12_990
    assert file.stat().st_size > 12_990 * 6
    keys = rgu.keys_of(game)
    assert len(np.unique(keys)) == 12_869
    assert keys[0] == 75_497_472
    table = rgu.read(game, file)
    assert table[0] == 33_985
    assert (table == Values(game).table.data).all()
    taken = UrSolver(2, load=str(file)).solve(Control(), workers=1)
    assert taken["first_player"] == pytest.approx(FIRST[2], abs=1 / SCALE)
    agents.make("perfect", game)


def test_a_table_of_other_rules_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path))
    four, three = tmp_path / "four.rgu", tmp_path / "three.rgu"
    UrSolver(2, save=str(four)).solve(Control(), workers=1)
    UrSolver(2, dice=3, save=str(three)).solve(Control(), workers=1)
    assert b'"dice": "ThreeBinary0Max"' in three.read_bytes()
    with pytest.raises(PetteiaError, match="dice is 'FourBinary', not 'ThreeBinary0Max'"):
        UrSolver(2, dice=3, load=str(four)).solve(Control(), workers=1)
    lie = b'"dice": "FourBinary"     '
    four.write_bytes(three.read_bytes().replace(b'"dice": "ThreeBinary0Max"', lie))
    with pytest.raises(PetteiaError, match=r"are not those of .*dice=4"):
        UrSolver(2, load=str(four)).solve(Control(), workers=1)
    taken = UrSolver(2, dice=3, load=str(three)).solve(Control(), workers=1)
    assert str(taken["verified"]).startswith("every position against its successors")
    raw = bytearray(three.read_bytes())
    raw[-1] ^= 0x10  # the last value, wrong by some per cent: hardly a sample finds it
    three.write_bytes(raw)
    with pytest.raises(PetteiaError, match="the positions after it"):
        UrSolver(2, dice=3, load=str(three)).solve(Control(), workers=1)


@pytest.mark.parametrize("damage", ["short", "foreign", "other"])
def test_a_damaged_rgu_is_refused(damage: str, tmp_path: Path) -> None:
    file = tmp_path / "x.rgu"
    UrSolver(1, save=str(file)).solve(Control(), workers=1)
    raw = file.read_bytes()
    bad = {"short": raw[:-3], "foreign": b"hello", "other": raw}[damage]
    file.write_bytes(bad)
    with pytest.raises(
        PetteiaError, match="start_pieces is 1" if damage == "other" else "no table"
    ):
        rgu.read(make("ur(pieces=2)" if damage == "other" else "ur(pieces=1)"), file)


def test_without_a_graphics_processor_gpu_is_refused_in_one_line() -> None:
    try:
        import cupy

        cupy.cuda.runtime.getDeviceCount()
    except Exception:  # noqa: BLE001  (not installed, or no device: both are what is tested)
        with pytest.raises(PetteiaError, match=r"CuPy|no CUDA"):
            UrSolver(1, gpu=True).solve(Control(), workers=1, again=True)
    else:
        gpu = UrSolver(2, gpu=True, precision=64).solve(Control(), workers=1, again=True)
        assert gpu["first_player"] == pytest.approx(FIRST[2], abs=1e-10)


@pytest.mark.parametrize("bits", [32, 64])
def test_in_pieces_the_solution_is_the_same(bits: int) -> None:
    """As a GPU does it, here on the processors."""
    pieces = solve_in_pieces(Ur(2), Control(), precision=bits, device="cpu")
    layers = solve_layers(Ur(2), Control(), precision=bits, workers=1)
    assert pieces.values[0] == pytest.approx(FIRST[2], abs=1e-6 if bits == 32 else 1e-10)
    assert np.abs(pieces.values - layers.values[: len(pieces.values)]).max() < 40 * pieces.residual
    assert pieces.residual <= TOLERANCE[bits]


def test_the_pieces_are_written_for_a_gpu_too() -> None:
    game = Ur(1)
    layer = layer_of(0, 0, layout_of(game), np.zeros(8), np.array([*game.chance, 1.0]))
    assert b".entry" in SHARE.code_for(CUDA, game, layer, np.zeros(8, np.float32), 1).code


def test_regret_is_zero_for_perfect_play_alone() -> None:
    game = make("ur(pieces=2)")
    UrSolver(2).solve(Control(), workers=1)
    known = Values(game)
    where = choice_positions(known, 300)
    assert len(set(where)) > 150
    assert regret(agents.make("perfect", game), where, known).max() == 0
    assert regret(agents.make("random", game), where, known).mean() > 0.01
