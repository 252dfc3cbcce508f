"""The client over REST."""

from __future__ import annotations

import os
import uuid
from typing import Iterable, Iterator, List, Optional, Union

from ._events import Events
from ._http import Cancel, Url
from ._logs import Logs
from ._submission import Spec, submission_of
from ._transport import JobRef, Transport, job_path, object_of
from .errors import SeveralJobs, Unavailable
from .models import Caller, Event, Explanation, JobInfo, NodeInfo, QueueInfo


class Client:
    """Talks to a Yardmaster server.

    Without `url` and `token` it finds them as the command line does: YM_URL, YM_TOKEN, YM_TOKEN_FILE, else the local
    server of the default state directory (which is looked up again for each request, so a restarted server is found).

    A job is named by its id, by its name (the caller's newest unfinished job of that name), or by a JobInfo.

    Every call raises an ApiError if the server refuses, and Unavailable if it cannot be reached. What can safely be
    sent again is: reads, submits (each has an Idempotency-Key, so a repeated submit makes one job), and whatever
    certainly did not arrive. `timeout`: seconds for each wait for an answer; `retries`: how often one request is sent
    again; `patience`: how many seconds `wait` and the follow modes of `logs` and `events` bear a server that is away.

    A client may be used from several threads.
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
        if timeout <= 0 or retries < 0 or patience < 0:
            raise ValueError("timeout must be above zero, retries and patience not below it")
        if url is not None:
            Url(url)  # a wrong address is told at once
        self._url = url
        self._transport = Transport(url, token, timeout, retries)
        self._events, self._logs = Events(self._transport, patience), Logs(self._transport, patience)

    def __repr__(self) -> str:
        return f"Client(url={self._url!r})"

    # --- submitting
    def submit(
        self,
        spec: Spec,
        *,
        idempotency_key: Optional[str] = None,
        workdir: Optional[Union[str, "os.PathLike[str]"]] = None,
    ) -> JobInfo:
        """Submits one job: a Job, a mapping with the keys of `ym.yaml`, a JobFile, the path of a job file or its text.

        A string is a path unless it has a line break, a ": " or begins with "{". `workdir`: what a relative or missing
        `workdir` in the spec refers to; the present folder by default (in a container a missing one is that of the
        image). The same `idempotency_key` with the same content
        gives the same job, also much later.

        Several documents or an array are refused with ValueError before anything is sent; use `submit_all`.
        """
        submission = submission_of(spec)
        if submission.may_be_several:
            raise ValueError("this may make several jobs (an array, or several documents); use submit_all()")
        jobs = self.submit_all(spec, idempotency_key=idempotency_key, workdir=workdir)
        if len(jobs) != 1:
            raise SeveralJobs(jobs)
        return jobs[0]

    def submit_all(
        self,
        spec: Spec,
        *,
        idempotency_key: Optional[str] = None,
        workdir: Optional[Union[str, "os.PathLike[str]"]] = None,
    ) -> List[JobInfo]:
        """As `submit`, for several documents and arrays too: all jobs or none."""
        submission = submission_of(spec)
        key = idempotency_key or uuid.uuid4().hex
        where = os.path.abspath(os.getcwd() if workdir is None else os.fspath(workdir))
        try:
            reply = self._transport.call(
                "POST",
                "/api/v1/jobs",
                query={"workdir": where},
                body=submission.body,
                headers={"Content-Type": submission.content_type, "Idempotency-Key": key},
                repeatable=True,
            )
        except Unavailable as error:
            error.idempotency_key = key
            raise
        answer = object_of(reply)
        items = answer.get("items")
        return [JobInfo.from_dict(item) for item in (items if isinstance(items, list) else [answer])]

    # --- looking
    def get(self, job: JobRef) -> JobInfo:
        return self._transport.job(job)

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
    ) -> Iterator[JobInfo]:
        """Jobs, the newest first, finished ones too; pages are fetched as they are needed.

        `state`: one state, or several.
        """
        states = state if isinstance(state, str) or state is None else ",".join(state)
        query = {"owner": owner, "queue": queue, "name": name, "project": project, "group": group, "state": states}
        return map(JobInfo.from_dict, self._transport.items("/api/v1/jobs", query, page_size))

    def why(self, job: JobRef) -> Explanation:
        """Why it waits, who is ahead, when it may start."""
        return Explanation.from_dict(self._transport.get(job_path(job, "why")))

    def queues(self) -> List[QueueInfo]:
        return [QueueInfo.from_dict(item) for item in self._transport.items("/api/v1/queues", {})]

    def nodes(self) -> List[NodeInfo]:
        return [NodeInfo.from_dict(item) for item in self._transport.items("/api/v1/nodes", {})]

    def whoami(self) -> Caller:
        answer = self._transport.get("/api/v1/whoami")
        return Caller(str(answer.get("user", "")), str(answer.get("role", "")))

    # --- acting
    def cancel(self, job: JobRef) -> JobInfo:
        """Stops it, or takes it from the queue. A job that runs has its grace: `wait` for the end."""
        return self._act(job, "cancel")

    def hold(self, job: JobRef) -> JobInfo:
        """Keeps a queued job from starting."""
        return self._act(job, "hold")

    def release(self, job: JobRef) -> JobInfo:
        """Lets a held job go on."""
        return self._act(job, "release")

    def retry(self, job: JobRef) -> JobInfo:
        """Submits an ended job again; the new job. As with `submit`, a request that is sent again makes one job."""
        return self._act(job, "retry", key=uuid.uuid4().hex)

    # --- following
    def wait(self, job: JobRef, *, timeout: Optional[float] = None, raise_on_failure: bool = False) -> JobInfo:
        """Returns the job when it has ended. It bears restarts of the server.

        Raises WaitTimeout after `timeout` seconds (the job goes on), and with `raise_on_failure` JobFailed for a job
        that did not succeed.
        """
        return self._events.wait(job, timeout, raise_on_failure, Cancel())

    def wait_all(
        self, jobs: Iterable[JobRef], *, timeout: Optional[float] = None, raise_on_failure: bool = False
    ) -> List[JobInfo]:
        """As `wait` for each, with one `timeout` for all; with `raise_on_failure` raises once all have ended."""
        return self._events.wait_all([*jobs], timeout, raise_on_failure, Cancel())

    def logs(
        self,
        job: JobRef,
        *,
        follow: bool = False,
        rank: int = 0,
        attempt: Optional[int] = None,
        tail: Optional[int] = None,
    ) -> Iterator[str]:
        """The lines that task `rank` wrote, without line ends.

        `attempt`: the newest by default. With `follow` it waits for what comes and ends with the attempt, if one was
        named, else with the job: the output of further attempts follows. A lost connection is taken up where it broke.
        `tail`: only the last lines of what there is.
        """
        if follow:
            return self._logs.follow(job, rank, attempt, tail, Cancel())
        return self._logs.read(job, rank, attempt, tail, Cancel())

    def events(
        self, job: Optional[JobRef] = None, *, after: Optional[int] = None, follow: bool = False
    ) -> Iterator[Event]:
        """Events of a job, or of everything, after the event `after` (a `seq`).

        Without `after`: from the first, but with `follow` and no job, from now on. With `follow` it waits for more; a
        lost connection goes on behind the last event that was given, and for a job it ends when the job has.
        Raises Expired if events so old are no longer kept.
        """
        if follow:
            return self._events.follow(job, after, Cancel())
        return self._events.stored(job, after)

    def _act(self, job: JobRef, verb: str, key: Optional[str] = None) -> JobInfo:
        headers = {"Idempotency-Key": key} if key else {}
        path = job_path(job, verb)
        answer = object_of(self._transport.call("POST", path, headers=headers, repeatable=key is not None))
        if "items" in answer:  # an array as a whole
            raise TypeError(f"{job} is an array: {verb} was done for its {len(answer['items'])} jobs; list(group=...) has them")
        return JobInfo.from_dict(answer)
