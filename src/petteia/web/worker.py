"""A process that searches: requests and answers are lines of JSON on standard input and output.

{"n": 1, "do": "choose", ...}     a request, see ``web.tasks``
{"stop": 1}                       end it soon, with what is known
{"n": 1, "ready": true}           prepared; from now on the clock of the request runs
{"n": 1, "compiling": true}       but not while something is compiled, which ends with false
{"n": 1, "part": {...}}           what is known so far
{"n": 1, "done": {...}}           the answer, or
{"n": 1, "error": "..."}          one line, for a visitor
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import sys
import threading
import traceback
from typing import Any, TextIO

from petteia.compiled.notice import on_compiling
from petteia.core.errors import PetteiaError
from petteia.web.tasks import Desk
from petteia.web.trust import in_words

__all__ = ["main"]


class _Mouth:
    """Standard output, kept for answers alone: whatever else prints goes to standard error."""

    def __init__(self) -> None:
        self._out: TextIO = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        self._lock = threading.Lock()

    def say(self, answer: dict[str, Any]) -> None:
        line = json.dumps(answer, allow_nan=False)
        with self._lock:
            self._out.write(line + "\n")
            self._out.flush()


def _work(requests: queue.Queue[dict[str, Any]], desk: Desk, mouth: _Mouth) -> None:
    n = 0
    on_compiling(lambda begins: mouth.say({"n": n, "compiling": begins}))
    while True:
        request = requests.get()
        n = request["n"]

        def ready(n: int = n) -> None:
            mouth.say({"n": n, "ready": True})

        def part(known: dict[str, Any], n: int = n) -> None:
            mouth.say({"n": n, "part": known})

        try:
            mouth.say({"n": n, "done": desk.serve(request, ready, part)})
        except PetteiaError as error:
            mouth.say({"n": n, "error": in_words(error)})
        except Exception as error:  # noqa: BLE001  (an agent's own failure; told, and on record)
            traceback.print_exc()
            mouth.say({"n": n, "error": f"the search failed: {type(error).__name__}"})


def main() -> None:
    """Serves until standard input ends."""
    with contextlib.suppress(OSError):
        # Behind the server, which must answer others while all processors search.
        os.nice(5)
    mouth, desk = _Mouth(), Desk()
    requests: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=_work, args=(requests, desk, mouth), daemon=True).start()
    for line in sys.stdin:
        message = json.loads(line)
        if "stop" in message:
            desk.stop(message["stop"])
        else:
            requests.put(message)
    # Without waiting for a search that nobody will hear of.
    os._exit(0)


if __name__ == "__main__":
    main()
