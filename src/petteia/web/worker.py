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
from typing import Any

from petteia.compiled.notice import on_compiling
from petteia.core.errors import PetteiaError
from petteia.web.process import Output
from petteia.web.tasks import SearchWorker
from petteia.web.trust import in_words

__all__ = ["main"]


def _work(requests: queue.Queue[dict[str, Any]], worker: SearchWorker, output: Output) -> None:
    n = 0
    on_compiling(lambda begins: output.send({"n": n, "compiling": begins}))
    while True:
        request = requests.get()
        n = request["n"]

        def ready(n: int = n) -> None:
            output.send({"n": n, "ready": True})

        def part(known: dict[str, Any], n: int = n) -> None:
            output.send({"n": n, "part": known})

        try:
            output.send({"n": n, "done": worker.serve(request, ready, part)})
        except PetteiaError as error:
            output.send({"n": n, "error": in_words(error)})
        except Exception as error:  # noqa: BLE001  (an agent's own failure; told, and on record)
            traceback.print_exc()
            output.send({"n": n, "error": f"the search failed: {type(error).__name__}"})


def main() -> None:
    """Serves until standard input ends."""
    with contextlib.suppress(OSError):
        # Behind the server, which must answer others while all processors search.
        os.nice(5)
    output, worker = Output(), SearchWorker()
    requests: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=_work, args=(requests, worker, output), daemon=True).start()
    for line in sys.stdin:
        message = json.loads(line)
        if "stop" in message:
            worker.stop(message["stop"])
        else:
            requests.put(message)
    # Without waiting for a search that nobody will hear of.
    os._exit(0)


if __name__ == "__main__":
    main()
