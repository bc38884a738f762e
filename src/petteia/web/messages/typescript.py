"""Writes the page's half of the messages as TypeScript, against which its scripts are checked.

    python -m petteia.web.messages.typescript

The types go into ``static/messages.d.ts``, which no browser loads.
"""

from __future__ import annotations

import inspect
import json
import re
import textwrap
from collections.abc import Iterator
from typing import Any

from fastapi import Response
from fastapi.routing import APIRoute
from pydantic import TypeAdapter

from petteia.core.writing import write_whole
from petteia.web.app import ROUTERS, STATIC
from petteia.web.messages import socket

__all__ = ["FILE", "declarations"]

FILE = STATIC / "messages.d.ts"
_HEAD = """\
// Written by python -m petteia.web.messages.typescript from the types of the server.

/** A message as a script sends it; whoever sends it gives it a number. */
export type Asked<Message> = Omit<Message, "id">;

/** What listens to the news of a message. */
export interface Ears<Part, Done> {
\tpart?: (part: Part) => void;
\tdone?: (done: Done) => void;
\terror?: (words: string) => void;
}
"""
_NAMES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}
_NAMES |= {"null": "null", "object": "object"}


class _Types:
    """The types that were named so far."""

    def __init__(self) -> None:
        self.known: dict[str, dict[str, Any]] = {}

    def name(self, kind: Any, *, is_answer: bool) -> str:
        """The name of a type, which is noted with all that it is made of."""
        if kind is str:
            return "string"
        schema = TypeAdapter(kind).json_schema(mode="serialization" if is_answer else "validation")
        for name, part in [*schema.pop("$defs", {}).items(), (schema["title"], schema)]:
            if self.known.setdefault(name, part) != part:
                raise ValueError(f"two messages are called {name}")
        return str(schema["title"])


def declarations() -> str:
    """All types of the page's messages."""
    types = _Types()
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    # The longest first: a shorter one may be its beginning.
    routes.sort(key=lambda route: (-route.path.count("/"), route.path))
    asks = [line for route in routes for line in _asks(route, types)]
    listens = [_listens(kind, types) for kind in socket.NEWS]
    parts = [_interface(name, schema) for name, schema in sorted(types.known.items())]
    parts.append(_block("Asks a route; the answer is of its type.", "Ask", asks))
    parts.append(_block("Begins something; its news are of its types.", "Listen", listens))
    return "\n".join([_HEAD, *parts])


def _block(about: str, name: str, lines: list[str]) -> str:
    comment = textwrap.fill(f"/** {about} */", 100, subsequent_indent=" * ")
    return "\n".join([comment, f"export interface {name} {{", *lines, "}", ""])


def _interface(name: str, schema: dict[str, Any]) -> str:
    needed = schema.get("required", ())
    lines = [
        # What has a default may be left out.
        f"\t{key}{'' if key in needed or 'const' in value else '?'}: {_type(value)};"
        for key, value in schema.get("properties", {}).items()
    ]
    return _block(" ".join(schema["description"].split()), name, lines)


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(_type, schema["anyOf"])))
    if "const" in schema or "enum" in schema:
        return " | ".join(map(json.dumps, schema.get("enum") or [schema["const"]]))
    if "prefixItems" in schema:
        return f"[{', '.join(map(_type, schema['prefixItems']))}]"
    if schema.get("type") == "array":
        inner = _type(schema["items"])
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"Record<string, {_type(schema['additionalProperties'])}>"
    return _NAMES.get(schema.get("type", ""), "any")


def _asks(route: APIRoute, types: _Types) -> Iterator[str]:
    """How a script asks a route: by its path, with what it sends, and perhaps by a method."""
    kind = inspect.signature(inspect.unwrap(route.endpoint), eval_str=True).return_annotation
    is_file = isinstance(kind, type) and issubclass(kind, Response)
    answer = "string" if is_file else types.name(kind, is_answer=True)
    path = re.sub(r"{\w+}", "${string}", route.path)
    given, methods = "", route.methods or ()
    if route.body_field is not None:
        given = f", asked: {types.name(route.body_field.field_info.annotation, is_answer=False)}"
    elif "POST" in methods:
        given = ", asked: {}"
    elif "DELETE" in methods:
        given = ', asked: undefined, method: "DELETE"'
    elif route.dependant.query_params:
        path += "?${string}"
    yield f"\t(path: `{path}`{given}): Promise<{answer}>;"


def _listens(kind: type[socket.SocketMessage], types: _Types) -> str:
    part, done = (types.name(each, is_answer=True) for each in socket.NEWS[kind])
    asked = f"Asked<{types.name(kind, is_answer=False)}>"
    return f"\t(message: {asked}, ears: Ears<{part}, {done}>, again?: boolean): () => void;"


if __name__ == "__main__":
    write_whole(FILE, declarations())
