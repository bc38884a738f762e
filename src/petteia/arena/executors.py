"""Where the work is done: here, in processes of this machine, or on a Dask cluster.

All three are ``concurrent.futures.Executor``; nothing else in the arena knows the difference.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from petteia.arena.processes import ProcessExecutor
from petteia.core.errors import PetteiaError
from petteia.core.processors import processors

__all__ = ["SerialExecutor", "Workers", "kept_open", "workers"]

P = ParamSpec("P")
T = TypeVar("T")


class SerialExecutor(Executor):
    """Does the work at once, in the caller's thread."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001  (given back by the future)
            future.set_exception(error)
        return future


@dataclass(frozen=True)
class Workers:
    """Executors of one kind, made afresh when one breaks."""

    count: int
    make: Callable[[], contextlib.AbstractContextManager[Executor]]


@contextlib.contextmanager
def _client(address: str) -> Iterator[Any]:
    """A client of the cluster at the address; ``local:3`` starts one of three processes here."""
    try:
        from dask.distributed import Client, LocalCluster
    except ImportError:
        raise PetteiaError(
            "a cluster needs the extra 'cluster': pip install 'petteia[cluster]'"
        ) from None
    with contextlib.ExitStack() as stack:
        if address.startswith("local:"):
            cluster = LocalCluster(
                n_workers=int(address[6:]),
                threads_per_worker=1,
                processes=True,
                dashboard_address=":0",
            )
            stack.enter_context(cluster)
            yield stack.enter_context(Client(cluster))
            return
        try:
            client = stack.enter_context(Client(address, timeout="10s"))
        except (OSError, ValueError, TimeoutError) as error:
            raise PetteiaError(f"no cluster answers at {address}: {error}") from error
        yield client


@contextlib.contextmanager
def _dask(address: str) -> Iterator[Executor]:
    with _client(address) as client:
        yield client.get_executor(pure=False, retries=3)


def _size(address: str) -> int:
    if address.startswith("local:"):
        return int(address[6:])
    with _client(address) as client:
        return max(1, len(client.scheduler_info(n_workers=-1)["workers"]))


def workers(given: str = "", cluster: str = "") -> Workers:
    """``serial``, a number of processes, or a cluster: ``tcp://host:port`` or ``local:3``.

    Without either, as many processes as there are processors.
    """
    if cluster:
        if given:
            raise PetteiaError("give --workers or --cluster, not both")
        if cluster.startswith("local:"):
            if not cluster[6:].isdecimal() or not 1 <= int(cluster[6:]) <= 256:
                raise PetteiaError(f"--cluster {cluster} is not possible; for instance local:3")
        elif "://" not in cluster:
            raise PetteiaError(
                f"--cluster {cluster} is not an address; try tcp://10.0.0.1:8786 or local:3"
            )
        return Workers(_size(cluster), lambda: _dask(cluster))
    if given == "serial":
        return Workers(1, SerialExecutor)
    if given and (not given.isdecimal() or not 1 <= int(given) <= 1024):
        raise PetteiaError(f"--workers {given} is not possible; serial, or a number from 1 to 1024")
    count = int(given) if given else processors()
    return Workers(count, lambda: ProcessExecutor(count))


@contextlib.contextmanager
def kept_open(workers: Workers) -> Iterator[Workers]:
    """The same workers with one executor for many series: processes start and load code once."""
    with contextlib.ExitStack() as stack:
        current: list[Executor] = []

        def working() -> contextlib.AbstractContextManager[Executor]:
            if current:
                try:
                    current[0].submit(int).result()
                except BrokenExecutor:
                    current.clear()
            if not current:
                stack.close()
                current.append(stack.enter_context(workers.make()))
            return contextlib.nullcontext(current[0])

        yield Workers(workers.count, working)
