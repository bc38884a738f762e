"""Writes the page's half of the messages as TypeScript, against which its scripts are checked.

    python -m petteia.web.messages.typescript

The types go into ``static/messages.d.ts``, which no browser loads.
"""

from __future__ import annotations

import json
import types
from pathlib import Path
from typing import Any, get_args, is_typeddict

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import models_json_schema

from petteia.core.writing import write_whole
from petteia.web.messages import answers, flow, requests, results

__all__ = ["FILE", "declarations"]

FILE = Path(__file__).parents[1] / "static" / "messages.d.ts"
_HEAD = (
    "// Written by python -m petteia.web.messages.typescript from the types of the server.\n"
    "// Scripts name them as import(\"./messages.js\").View, and so on.\n"
)
_NAMES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}


def declarations() -> str:
    """All types of the page's messages."""
    modules = (answers, results, flow, requests)
    kinds = [getattr(module, name) for module in modules for name in module.__all__]
    told = [kind for kind in kinds if is_typeddict(kind)]
    asked = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]
    _, of_told = TypeAdapter.json_schemas([(kind, "serialization", TypeAdapter(kind)) for kind in told])
    _, of_asked = models_json_schema([(kind, "validation") for kind in asked])
    schemas = {**of_told["$defs"], **of_asked["$defs"]}
    return "\n".join([_HEAD, *(_interface(name, schemas[name]) for name in sorted(schemas))])


def _interface(name: str, schema: dict[str, Any]) -> str:
    needed = schema.get("required", ())
    lines = [f"/** {line} */" for line in [" ".join(schema["description"].split())]]
    lines.append(f"export interface {name} {{")
    for key, value in schema["properties"].items():
        # What has a default may be left out.
        lines.append(f"\t{key}{'' if key in needed else '?'}: {_type(value)};")
    return "\n".join([*lines, "}", ""])
