"""Game pairs on several machines, through Dask: the extra `papan[cluster]`.

    dask scheduler --host 127.0.0.1
    dask worker tcp://127.0.0.1:8786 --nthreads 1 --nworkers 4

Workers may come and go: Dask gives the pairs of a lost one to others. A worker runs any
code that reaches the scheduler, and Dask does not authenticate by itself; so only addresses of
this machine and TLS with certificates are taken, unless `insecure` is asked for.
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

#: How long to wait for a scheduler's answer, and for the good-bye, in seconds.
CONNECTING = 10.0
CLOSING = 5.0

#: Workers that a scheduler is taken to have: they come and go, so their number is not known.
WORKERS = 64

_LOG = "distributed.client"


@contextmanager
def cluster(address: str, *, insecure: bool = False) -> Iterator[Executor]:
    """An executor whose tasks the workers of a Dask scheduler run, for as long as one is inside.

    Certificates for TLS are found where Dask's own configuration says.

    Args:
        address: of the scheduler: `tcp://host:port` or `tls://host:port`.
        insecure: also take an address of another machine without TLS.

    Raises:
        UsageError: the address is not allowed, the extra is missing, or there is no answer.
        PapanError: inside, when the scheduler is lost, or a pair has broken several workers.
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
        log.setLevel(logging.CRITICAL)  # it would tell the same in many lines
        raise PapanError("cluster.lost", text=address) from None
    except KilledWorker:
        raise PapanError("cluster.broken", text=address) from None
    finally:
        with suppress(TimeoutError):
            client.close(timeout=CLOSING)
        log.setLevel(logging.NOTSET)


class DaskExecutor(Executor):
    """The workers of a scheduler. A task whose result was lost with its worker is sent again.

    Dask's own executor does not do that: where a worker dies between the end of a task and the
    fetching of its result, the task's future fails with an error of Dask's, or never ends.

    Args:
        client: the connection to the scheduler, of `distributed.Client`.
    """

    def __init__(self, client: Any) -> None:
        # Imported here, since Dask is an extra.
        from distributed.comm import CommClosedError

        self._client = client
        # Raised where a result was being fetched when the scheduler went, before the client knew.
        self._lost: type[Exception] = CommClosedError

    @property
    def workers(self) -> int:
        """Number of threads that the workers have now."""
        return sum(self._client.nthreads().values())

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Has a worker call a function with these arguments."""
        done: Future[Any] = Future()
        self._send(partial(work, *args, **kwargs), done)
        return done

    def _send(self, call: Callable[[], Any], done: Future[Any]) -> None:
        # Not `pure`: a task of the same name as one that was lost would be taken for that one.
        task = self._client.submit(call, pure=False)
        done.add_done_callback(lambda done: task.cancel() if done.cancelled() else None)
        task.add_done_callback(lambda task: self._settle(call, done, task))

    def _settle(self, call: Callable[[], Any], done: Future[Any], task: Any) -> None:
        """Passes on what became of a task; called in a thread of Dask's."""
        if done.cancelled():
            return
        with suppress(InvalidStateError):  # cancelled meanwhile
            try:
                done.set_result(task.result())
            except CancelledError as error:
                # With the scheduler all tasks are lost, and there is nothing to send them to.
                if self._client.status == "running":
                    self._send(call, done)
                else:
                    done.set_exception(error)
            except self._lost:
                done.set_exception(CancelledError())
            except Exception as error:
                done.set_exception(error)


def check_address(address: str, *, insecure: bool = False) -> None:
    """Refuses what is no address of a scheduler, or not a safe one.

    Raises:
        UsageError: it is malformed; or it is plain TCP to another machine, and not `insecure`.
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
    """True if a host is this machine for certain: no name but `localhost` is trusted."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
