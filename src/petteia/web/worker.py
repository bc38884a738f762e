"""A process that searches: it serves one task after the other, see ``messages.workers``."""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
import traceback

from petteia.compiled.notice import on_compiling
from petteia.core.errors import PetteiaError
from petteia.web.messages import workers as m
from petteia.web.process import Output
from petteia.web.tasks import SearchWorker
from petteia.web.trust import in_words

__all__ = ["main"]

_Tasks = queue.Queue[m.SearchTask | m.FlowTask]


def _work(tasks: _Tasks, worker: SearchWorker, output: Output) -> None:
    n = 0
    on_compiling(lambda begins: output.send(m.Compiling(n=n, begins=begins)))
    while True:
        task = tasks.get()
        n = task.n
        output.send(_answer(task, worker, output))


def _answer(
    task: m.SearchTask | m.FlowTask, worker: SearchWorker, output: Output
) -> m.Done | m.Failed:
    n = task.n
    try:
        found = worker.serve(
            task,
            ready=lambda: output.send(m.Ready(n=n)),
            part=lambda known: output.send(m.Part(n=n, part=dict(known))),
        )
    except PetteiaError as error:
        return m.Failed(n=n, error=in_words(error))
    except Exception as error:  # noqa: BLE001  (an agent's own failure; told, and on record)
        traceback.print_exc()
        return m.Failed(n=n, error=f"the search failed: {type(error).__name__}")
    return m.Done(n=n, done=dict(found))


def main() -> None:
    """Serves until standard input ends."""
    with contextlib.suppress(OSError):
        # Behind the server, which must answer others while all processors search.
        os.nice(5)
    output, worker = Output(), SearchWorker()
    tasks: _Tasks = queue.Queue()
    threading.Thread(target=_work, args=(tasks, worker, output), daemon=True).start()
    for line in sys.stdin:
        order = m.ORDER.validate_json(line)
        if isinstance(order, m.Stop):
            worker.stop(order.n)
        else:
            tasks.put(order)
    # Without waiting for a search that nobody will hear of.
    os._exit(0)


if __name__ == "__main__":
    main()
