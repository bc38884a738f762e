"""Submissions for ladders: programs of a few lines, which start at once."""

from __future__ import annotations

from pathlib import Path

__all__ = ["FIRST", "LAST", "hand_in"]

# A whole player for a shell; ``go`` is what it does when it is asked.
_PLAYER = """
while read -r word rest; do
  case $word in
    petteia) echo "petteia 1"; echo ready;;
    game|newgame) echo ready;;
    legal) set -- $rest;;
    go) {go};;
    quit) exit;;
  esac
done
"""
FIRST = 'echo "bestmove $1"'
LAST = 'for last; do :; done; echo "bestmove $last"'


def hand_in(folder: Path, name: str, go: str) -> Path:
    """A folder with a program that does ``go`` when it is asked for a move."""
    home = folder / name
    home.mkdir(parents=True, exist_ok=True)
    (home / "play.sh").write_text(_PLAYER.format(go=go))
    (home / "petteia.toml").write_text('command = "sh play.sh"\n')
    return home
