"""What all messages that come in have in common."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Message", "Seed"]

Seed = Annotated[int, Field(ge=0, lt=2**53)]


class Message(BaseModel):
    """A message that is checked when it comes in; what it does not know is refused."""

    model_config = ConfigDict(extra="forbid")
