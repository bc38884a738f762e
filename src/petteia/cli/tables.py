"""``petteia tables``: the exact tables on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from petteia import games
from petteia.cli import output
from petteia.cli.interrupt import interruptible
from petteia.cli.options import Json, Seed
from petteia.core.errors import PetteiaError
from petteia.core.processors import processors
from petteia.solve import REPAIR, SAMPLE, Control, KeptTable, TableFile, folder, sample_text

__all__ = ["run"]


def run(
    verify: Annotated[
        bool,
        typer.Option(
            "--verify",
            help="read all of every table, hold random values against those of their successors, "
            "and build damaged tables again",
        ),
    ] = False,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Lists the exact tables; with ``verify`` tries and repairs them."""
    kept = games.tables()
    if verify:
        broken = _removed(kept)
        steps = output.tracked(kept, len(kept), "tables")
        tables = [_verified(each, broken.get(each.path), seed) for each in steps]
    else:
        tables = [_facts(each) for each in kept]
    facts = {
        "folder": str(folder()),
        "tables": tables,
        "unknown": sorted(_unknown(kept)),
    }
    output.show(facts, as_json, lambda: _show(facts))


def _facts(kept: KeptTable) -> dict[str, Any]:
    """What a table says of itself; why it is damaged, if it is."""
    table: TableFile | None = None
    why = None
    try:
        table = kept.open()
    except PetteiaError as error:
        why = str(error)
    return {
        "game": kept.game,
        "rules": kept.rules,
        "bytes": kept.path.stat().st_size,
        "checksum": table.crc32 if table else None,
        "verified": table.facts.get("verified") if table else None,
        "damaged": why,
        "rebuilt": False,
        "solver": kept.solver,
        "file": str(kept.path),
    }


def _removed(kept: list[KeptTable]) -> dict[Path, str]:
    """Reads all tables; removes those that are damaged, and says why. All at once: what builds one
    of them may need another."""
    why = {}
    for each in kept:
        try:
            each.open().check()
        except PetteiaError as error:
            why[each.path] = str(error)
            each.path.unlink()
    return why


def _verified(kept: KeptTable, why: str | None, seed: int) -> dict[str, Any]:
    """The same after a trial; a table that fails it, or was removed before it, is built again."""
    if why is None:
        try:
            count = kept.sample(kept.open(), SAMPLE, seed)
        except PetteiaError as error:
            why = str(error)
            kept.path.unlink()
        else:
            return _facts(kept) | {"verified": sample_text(count)}
    output.note(f"damaged: {why.removesuffix(f'; {REPAIR}')}; building {kept.solver} again")
    if not kept.path.exists():
        solver = games.solver(kept.solver)
        with output.progress(kept.solver) as tell:
            control = Control(tell)
            interruptible(control, lambda: solver.solve(control, workers=processors()))
    count = kept.sample(kept.open(), SAMPLE, seed)
    return _facts(kept) | {"verified": sample_text(count), "damaged": why, "rebuilt": True}


def _unknown(kept: list[KeptTable]) -> Iterator[str]:
    """Files in the place of tables that belong to no game."""
    known = {each.path for each in kept}
    if folder().is_dir():
        yield from (str(path) for path in folder().rglob("*.table") if path not in known)


def _show(facts: dict[str, Any]) -> None:
    tables = facts["tables"]
    if not tables:
        print(f"there are no tables in {facts['folder']}; petteia solve builds them")
    else:
        rows = [
            (
                each["game"],
                each["rules"],
                f"{each['bytes']:,}",
                each["checksum"] or "-",
                _state(each),
            )
            for each in tables
        ]
        output.table("", ["game", "rules", "bytes", "checksum", "verified"], rows)
        total = sum(each["bytes"] for each in tables)
        print(f"{len(tables)} tables, {total:,} bytes, in {facts['folder']}")
    for path in facts["unknown"]:
        print(f"not a table of any game: {path}")


def _state(each: dict[str, Any]) -> str:
    if each["damaged"]:
        return "damaged, built again" if each["rebuilt"] else f"DAMAGED: {each['damaged']}"
    return each["verified"] or "not yet; --verify does"
