"""A ladder: the submissions of a class play each other, again and again as they change."""

from petteia.arena.ladder.ladder import Conditions, Entry, Ladder
from petteia.arena.ladder.meeting import Meeting
from petteia.arena.ladder.submissions import (
    STATE,
    Submission,
    folder_name,
    one_at_a_time,
    read_folder,
    stamp,
)

__all__ = [
    "STATE", "Conditions", "Entry", "Ladder", "Meeting", "Submission", "folder_name",
    "one_at_a_time", "read_folder", "stamp",
]  # fmt: skip
