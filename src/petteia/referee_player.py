"""Our player of RoPaSci 360, under the name that the course's referee is given.

python -m referee petteia.referee_player petteia.referee_player

If something that it needs is missing, it says so in one line, and the player in one file plays.
"""

import importlib.util
import sys
from pathlib import Path
from typing import Any

__all__ = ["Player"]

_PLAIN = Path(__file__).parent / "games" / "ropasci" / "course" / "plain_player.py"


def _why(missing: Exception) -> str:
    """What is missing, and what to do about it."""
    package = (getattr(missing, "name", None) or "").partition(".")[0]
    if package in ("", "petteia"):
        return f"the folder petteia is not whole ({missing}): copy all of it"
    return f"no {package}: pip install numpy numba llvmlite platformdirs"


def _plain_player() -> Any:
    spec = importlib.util.spec_from_file_location("plain_player", _PLAIN)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Player


try:
    from petteia.games.ropasci import course

    Player: Any = course.Player
except Exception as missing:  # noqa: BLE001  (whatever it is, a game is to be played)
    print(f"petteia.referee_player: plain_player plays; {_why(missing)}", file=sys.stderr)
    try:
        Player = _plain_player()
    except (ImportError, OSError) as also:
        raise ImportError(f"petteia.referee_player: no player: {_why(also)}") from None
