"""Access: who may use the server, how much at once, and what the page may load."""

from __future__ import annotations

import asyncio
import hmac
import html
import ipaddress
import json
import math
import secrets
import socket
from collections import Counter
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from petteia.web.settings import Settings
from petteia.web.tries import Tries, place_of

__all__ = ["POLICY", "Guard", "is_own_host"]

POLICY = (
    # WebAssembly, too, is only that of this server; no script may make any text its code.
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data: blob:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    # Together they isolate the page, so that its workers may share memory.
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-resource-policy": "same-origin",
    # Files change with a new version: the browser asks, and is told that nothing changed.
    "cache-control": "no-cache",
}
_VISITOR, _TOKEN = "petteia_visitor", "petteia_token"
_OPEN = ("/health",)
"""What answers without a secret."""
_ASK = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>Petteia</title>"
    "<meta name=viewport content='width=device-width'><main><h1>Petteia</h1>"
    # Without an action it goes to where it stands: the part after the "#" is the visitor's page.
    "<form method=get><p role=alert>{why}</p>{kept}<p><label>Its token: "
    "<input name=token type=password autofocus></label> <button>Enter</button></p></form></main>"
)


def is_own_host(host: str, named: str) -> bool:
    """Whether a Host header can mean this server: an address, localhost, or a name it was given.

    Another name could be an attacker's that points here: a page loaded under it would be let in.
    """
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    name = name.strip("[]").lower()
    if name in {"localhost", named.lower(), socket.gethostname().lower()}:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _headers(scope: Scope) -> dict[str, str]:
    return {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}


def _cookies(text: str) -> dict[str, str]:
    try:
        return {key: each.value for key, each in SimpleCookie(text).items()}
    except CookieError:
        return {}


class Guard:
    """Checks every request and every WebSocket before the application sees it."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self._sockets: Counter[str] = Counter()
        self._tries = Tries()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = _headers(scope)
        refusal = self._refusal(headers)
        if refusal:
            await _refuse(scope, receive, send, *refusal)
            return
        cookies = _cookies(headers.get("cookie", ""))
        visitor = cookies.get(_VISITOR, "")
        fresh = not (16 <= len(visitor) <= 64 and visitor.replace("-", "_").isidentifier())
        if fresh:
            visitor = "v" + secrets.token_hex(16)
        scope["visitor"], scope["address"] = visitor, place_of(scope.get("client"))
        if self.settings.token and scope["path"] not in _OPEN:
            query = parse_qs(scope["query_string"].decode("latin-1"))
            shown = query.get("token", [""])[0] if scope["type"] == "http" else ""
            bearer = headers.get("authorization", "").removeprefix("Bearer ")
            held = [bearer, cookies.get(_TOKEN, "")]
            came_before = "" if fresh else visitor
            if not await self._is_let_in(scope, receive, send, [shown, *held], came_before):
                return
            if not any(map(self._is_secret, held)):
                await _welcome(send, scope, query, self.settings.token)
                return
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send, visitor)
            return
        if int(headers.get("content-length") or 0) > self.settings.limits.body:
            await _refuse(scope, receive, send, 413, "that is too much at once")
            return
        answer = _Answer(_with_headers(send, visitor if fresh else ""))
        try:
            await self.app(scope, self._measured(receive), answer.send)
        except asyncio.CancelledError:
            # The server ends, and what was asked takes longer than it waits: that is no fault.
            if answer.has_begun:
                raise
            await _refuse(scope, receive, send, 503, "the laboratory is ending")

    def _refusal(self, headers: dict[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if not is_own_host(host, self.settings.host):
            return 421, "this server does not answer to that name"
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return 403, "requests from other pages are refused"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 12:
            return 400, "the length of the request is not a number"
        return None

    def _is_secret(self, text: str) -> bool:
        wanted = self.settings.token.encode()
        return bool(wanted) and hmac.compare_digest(text.encode("utf-8", "replace"), wanted)

    async def _is_let_in(
        self, scope: Scope, receive: Receive, send: Send, offered: list[str], visitor: str
    ) -> bool:
        """Whether one of the tokens is right; if not, it answers. Guessing is slowed down."""
        offered = [each for each in offered if each]
        place = scope["address"]
        wait = math.ceil(self._tries.wait(place, visitor)) if offered else 0
        if wait:
            # A right token is not looked at either: it would show who guesses that it is right.
            why = f"too many wrong tokens; try again in {wait} s"
            await _refuse(scope, receive, send, 429, why, ("retry-after", str(wait)))
        elif any(map(self._is_secret, offered)):
            if visitor:
                self._tries.right(visitor)
            return True
        else:
            if offered:
                self._tries.wrong(place, visitor, len(offered))
            forget = ("set-cookie", f"{_TOKEN}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict")
            why = "this laboratory asks for its token"
            if offered and b"token=" in scope.get("query_string", b""):
                why = "that is not the token of this laboratory"
            await _refuse(scope, receive, send, 401, why, forget)
        return False

    def _measured(self, receive: Receive) -> Receive:
        """Counts what comes in, where no length was stated."""
        total = 0

        async def counted() -> Message:
            nonlocal total
            message = await receive()
            total += len(message.get("body", b""))
            if total > self.settings.limits.body:
                return {"type": "http.disconnect"}
            return message

        return counted

    async def _socket(self, scope: Scope, receive: Receive, send: Send, visitor: str) -> None:
        limits = self.settings.limits
        if self._sockets[visitor] >= limits.sockets or self._sockets.total() >= limits.all_sockets:
            await _refuse(scope, receive, send, 429, "too many open pages")
            return
        self._sockets[visitor] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._sockets[visitor] -= 1
            if not self._sockets[visitor]:
                del self._sockets[visitor]


class _Answer:
    """Notes whether anything of an answer was sent."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.has_begun = False

    async def send(self, message: Message) -> None:
        self.has_begun = True
        await self._send(message)


def _with_headers(send: Send, fresh_visitor: str) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            # A page that states its own policy, such as a report, is not served with ours.
            own = {key for key, _ in message.get("headers", ())}
            raw = [(key.encode(), value.encode()) for key, value in _HEADERS.items()]
            extra = [(key, value) for key, value in raw if key not in own]
            if fresh_visitor:
                cookie = f"{_VISITOR}={fresh_visitor}; Path=/; HttpOnly; SameSite=Strict"
                extra.append((b"set-cookie", f"{cookie}; Max-Age=31536000".encode()))
            message = {**message, "headers": [*message.get("headers", ()), *extra]}
        await send(message)

    return sending


async def _answer(send: Send, status: int, body: bytes, headers: Iterable[tuple[str, str]]) -> None:
    every = [*headers, *_HEADERS.items(), ("content-length", str(len(body)))]
    raw = [(key.encode(), value.encode()) for key, value in every]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})


async def _refuse(
    scope: Scope, receive: Receive, send: Send, status: int, why: str, *headers: tuple[str, str]
) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": why})
        return
    wants: dict[str, Any] = _headers(scope)
    if headers and "text/html" in wants.get("accept", ""):
        kept = "".join(
            f'<input type=hidden name="{html.escape(key)}" value="{html.escape(value)}">'
            for key, value in parse_qsl(scope["query_string"].decode("latin-1"))
            if key != "token"
        )
        page = _ASK.format(why=why.capitalize(), kept=kept).encode()
        await _answer(send, status, page, [("content-type", "text/html"), *headers])
        return
    body = json.dumps({"detail": why}).encode()
    await _answer(send, status, body, [("content-type", "application/json"), *headers])


async def _welcome(send: Send, scope: Scope, query: dict[str, list[str]], token: str) -> None:
    """Keeps the secret in a cookie that scripts cannot read, and takes it out of the address."""
    rest = urlencode({key: value for key, value in query.items() if key != "token"}, doseq=True)
    cookie = SimpleCookie()
    cookie[_TOKEN] = token
    value = cookie[_TOKEN].OutputString() + "; Path=/; HttpOnly; SameSite=Strict"
    where = scope["path"] if scope["path"].startswith("/") else "/"
    headers = [
        ("location", "/" + where.lstrip("/") + (f"?{rest}" if rest else "")),
        ("set-cookie", value),
    ]
    await _answer(send, 303, b"", headers)
