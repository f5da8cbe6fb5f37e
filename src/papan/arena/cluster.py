"""Game pairs on several machines, through Dask: the extra `papan[cluster]`.

    dask scheduler --host 127.0.0.1
    dask worker tcp://127.0.0.1:8786 --nthreads 1 --nworkers 4

Workers may join and leave: Dask sends the pairs of a lost worker to other workers.

A worker runs any code that reaches the scheduler, and Dask has no authentication of its own.
Therefore only addresses of this machine and TLS with certificates are allowed, unless `insecure` is
set.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, InvalidStateError
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from papan.errors import PapanError, UsageError

#: Timeouts for connecting to a scheduler and for closing the connection, in seconds.
CONNECTING = 10.0
CLOSING = 5.0

#: Assumed number of workers: they join and leave, so the real number is unknown.
WORKERS = 64

_LOG = "distributed.client"


@contextmanager
def cluster(address: str, *, insecure: bool = False) -> Iterator[Executor]:
    """Opens an executor whose tasks run on the workers of a Dask scheduler.

    The TLS certificates come from Dask's own configuration.

    Args:
        address: address of the scheduler: `tcp://host:port` or `tls://host:port`.
        insecure: True also allows another machine without TLS.

    Raises:
        UsageError: the address is not allowed, the extra is not installed, or the scheduler does
            not respond.
        PapanError: the scheduler is lost inside the `with` block, or a pair broke several workers.
    """
    check_address(address, insecure=insecure)
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise UsageError("cluster.missing", text="papan[cluster]") from None
    try:
        client = Client(address, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise UsageError("cluster.unreachable", text=address, reason=reason) from None
    log = logging.getLogger(_LOG)
    try:
        yield DaskExecutor(client)
    except CancelledError:
        log.setLevel(logging.CRITICAL)  # Dask would log the same error in many lines
        raise PapanError("cluster.lost", text=address) from None
    except KilledWorker:
        raise PapanError("cluster.broken", text=address) from None
    finally:
        with suppress(TimeoutError):
            client.close(timeout=CLOSING)
        log.setLevel(logging.NOTSET)


class DaskExecutor(Executor):
    """The workers of a scheduler. If a worker and its result are lost, the task is sent again.

    Dask's own executor does not resend. If a worker dies after the end of a task and before its
    result is fetched, the task's future fails with an internal error of Dask or never finishes.

    Args:
        client: the `distributed.Client`.
    """

    def __init__(self, client: Any) -> None:
        # Imported here, since Dask is an extra.
        from distributed.comm import CommClosedError

        self._client = client
        # Raised if the scheduler dies during the fetch of a result, before the client notices.
        self._lost: type[Exception] = CommClosedError

    @property
    def workers(self) -> int:
        """Current number of threads of all workers."""
        return sum(self._client.nthreads().values())

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Runs a function with these arguments on a worker."""
        done: Future[Any] = Future()
        self._send(partial(work, *args, **kwargs), done)
        return done

    def _send(self, call: Callable[[], Any], done: Future[Any]) -> None:
        # Not `pure`: Dask would take the task for the lost one, since both have the same key.
        task = self._client.submit(call, pure=False)
        done.add_done_callback(lambda done: task.cancel() if done.cancelled() else None)
        task.add_done_callback(lambda task: self._settle(call, done, task))

    def _settle(self, call: Callable[[], Any], done: Future[Any], task: Any) -> None:
        """Copies the result or error of a task into `done`; runs in a thread of Dask."""
        if done.cancelled():
            return
        with suppress(InvalidStateError):  # cancelled in the meantime
            try:
                done.set_result(task.result())
            except CancelledError as error:
                # Without a scheduler all tasks are lost, and a resend is impossible.
                if self._client.status == "running":
                    self._send(call, done)
                else:
                    done.set_exception(error)
            except self._lost:
                done.set_exception(CancelledError())
            except Exception as error:
                done.set_exception(error)


def check_address(address: str, *, insecure: bool = False) -> None:
    """Raises an error unless an address is a valid and safe scheduler address.

    Raises:
        UsageError: the address is malformed, or it is plain TCP to another machine without
            `insecure`.
    """
    try:
        parts = urlsplit(address)
        complete = parts.scheme in ("tcp", "tls") and parts.hostname and parts.port
    except ValueError:
        complete = None
    if not complete:
        raise UsageError("cluster.address", text=address)
    if parts.scheme == "tcp" and not insecure and not _is_loopback(parts.hostname or ""):
        raise UsageError("cluster.insecure", text=address, option="--insecure-cluster")


def _is_loopback(host: str) -> bool:
    """Returns True if a host is certainly this machine; `localhost` is the only trusted name."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
