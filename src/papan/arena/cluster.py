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
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager, suppress
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
        yield client.get_executor()
    except CancelledError:
        log.setLevel(logging.CRITICAL)  # it would tell the same in many lines
        raise PapanError("cluster.lost", text=address) from None
    except KilledWorker:
        raise PapanError("cluster.broken", text=address) from None
    finally:
        with suppress(TimeoutError):
            client.close(timeout=CLOSING)
        log.setLevel(logging.NOTSET)


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
