"""The client for asyncio: the synchronous client on its own threads.

Requests share a small pool. Each call that lasts (waiting, following) has its own thread, so followers never keep a
request from being sent. Cancelling a task ends its exchange with the server at once.
"""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, AsyncIterator, Callable, Iterable, Iterator, List, Optional, TypeVar, Union, cast

from ._http import Cancel, Interrupted
from ._submission import Spec
from ._transport import JobRef
from .client import Client
from .models import Caller, Event, Explanation, JobInfo, NodeInfo, QueueInfo

T = TypeVar("T")
_REQUEST_THREADS = 8
_AHEAD = 256  # most items that a stream reads ahead


class _Over:
    """Marks the end of a stream."""


class AsyncClient:
    """`Client` for asyncio, with the same arguments, methods, errors and guarantees.

    `list`, `logs` and `events` are asynchronous iterators. Close it, or use it in `async with`.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        token: Optional[str] = None,
        *,
        timeout: float = 30.0,
        retries: int = 4,
        patience: float = 300.0,
    ) -> None:
        self._client = Client(url, token, timeout=timeout, retries=retries, patience=patience)
        self._pool = ThreadPoolExecutor(_REQUEST_THREADS, thread_name_prefix="yardmaster")

    def __repr__(self) -> str:
        return f"Async{self._client!r}"

    async def aclose(self) -> None:
        self._pool.shutdown(wait=False)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def submit(
        self,
        spec: Spec,
        *,
        idempotency_key: Optional[str] = None,
        workdir: Optional[Union[str, "os.PathLike[str]"]] = None,
    ) -> JobInfo:
        return await self._call(self._client.submit, spec, idempotency_key=idempotency_key, workdir=workdir)

    async def submit_all(
        self,
        spec: Spec,
        *,
        idempotency_key: Optional[str] = None,
        workdir: Optional[Union[str, "os.PathLike[str]"]] = None,
    ) -> List[JobInfo]:
        return await self._call(self._client.submit_all, spec, idempotency_key=idempotency_key, workdir=workdir)

    async def get(self, job: JobRef) -> JobInfo:
        return await self._call(self._client.get, job)

    def list(
        self,
        *,
        owner: Optional[str] = None,
        queue: Optional[str] = None,
        name: Optional[str] = None,
        project: Optional[str] = None,
        group: Optional[str] = None,
        state: Union[str, Iterable[str], None] = None,
        page_size: int = 100,
    ) -> AsyncIterator[JobInfo]:
        jobs = self._client.list(
            owner=owner, queue=queue, name=name, project=project, group=group, state=state, page_size=page_size
        )
        return self._stream(lambda cancel: jobs)

    async def why(self, job: JobRef) -> Explanation:
        return await self._call(self._client.why, job)

    async def queues(self) -> List[QueueInfo]:
        return await self._call(self._client.queues)

    async def nodes(self) -> List[NodeInfo]:
        return await self._call(self._client.nodes)

    async def whoami(self) -> Caller:
        return await self._call(self._client.whoami)

    async def cancel(self, job: JobRef) -> JobInfo:
        return await self._call(self._client.cancel, job)

    async def hold(self, job: JobRef) -> JobInfo:
        return await self._call(self._client.hold, job)

    async def release(self, job: JobRef) -> JobInfo:
        return await self._call(self._client.release, job)

    async def retry(self, job: JobRef) -> JobInfo:
        return await self._call(self._client.retry, job)

    async def wait(self, job: JobRef, *, timeout: Optional[float] = None, raise_on_failure: bool = False) -> JobInfo:
        return await _lasting(lambda cancel: self._client._events.wait(job, timeout, raise_on_failure, cancel))

    async def wait_all(
        self, jobs: Iterable[JobRef], *, timeout: Optional[float] = None, raise_on_failure: bool = False
    ) -> List[JobInfo]:
        waiting = [*jobs]
        return await _lasting(lambda cancel: self._client._events.wait_all(waiting, timeout, raise_on_failure, cancel))

    def logs(
        self,
        job: JobRef,
        *,
        follow: bool = False,
        rank: int = 0,
        attempt: Optional[int] = None,
        tail: Optional[int] = None,
    ) -> AsyncIterator[str]:
        if follow:
            return self._stream(lambda cancel: self._client._logs.follow(job, rank, attempt, tail, cancel))
        return self._stream(lambda cancel: self._client._logs.read(job, rank, attempt, tail, cancel))

    def events(
        self, job: Optional[JobRef] = None, *, after: Optional[int] = None, follow: bool = False
    ) -> AsyncIterator[Event]:
        if follow:
            return self._stream(lambda cancel: self._client._events.follow(job, after, cancel))
        return self._stream(lambda cancel: self._client._events.stored(job, after))

    async def _call(self, function: Callable[..., T], *arguments: Any, **options: Any) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, partial(function, *arguments, **options))

    async def _stream(self, begin: Callable[[Cancel], Iterator[T]]) -> AsyncIterator[T]:
        loop = asyncio.get_running_loop()
        cancel = Cancel()
        room = threading.Semaphore(_AHEAD)
        queue: asyncio.Queue[Union[T, BaseException, _Over]] = asyncio.Queue()

        def put(item: Union[T, BaseException, _Over]) -> None:
            try:
                loop.call_soon_threadsafe(queue.put_nowait, item)
            except RuntimeError:  # the loop is closed: no task reads any more
                cancel.cancel()

        def pump() -> None:
            try:
                for item in begin(cancel):
                    room.acquire()
                    if cancel.cancelled:
                        return
                    put(item)
                put(_Over())
            except Interrupted:
                pass
            except BaseException as error:  # raised where it is awaited
                put(error)

        threading.Thread(target=pump, name="yardmaster-stream", daemon=True).start()
        try:
            while True:
                item = await queue.get()
                if isinstance(item, _Over):
                    return
                if isinstance(item, BaseException):
                    raise item
                room.release()
                yield item
        finally:
            cancel.cancel()
            room.release()


async def _lasting(function: Callable[[Cancel], T]) -> T:
    """Runs a function in its own thread. Cancelling the await ends the function."""
    loop = asyncio.get_running_loop()
    cancel = Cancel()
    done: asyncio.Future[T] = loop.create_future()

    def settle(result: Optional[T], error: Optional[BaseException]) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(cast(T, result))

    def run() -> None:
        result: Optional[T] = None
        failure: Optional[BaseException] = None
        try:
            result = function(cancel)
        except BaseException as error:  # raised where it is awaited
            failure = error
        try:
            loop.call_soon_threadsafe(settle, result, failure)
        except RuntimeError:
            pass  # the loop is closed: no task waits any more

    threading.Thread(target=run, name="yardmaster-wait", daemon=True).start()
    try:
        return await done
    finally:
        cancel.cancel()
