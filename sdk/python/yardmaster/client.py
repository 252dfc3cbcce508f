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

    Without `url` and `token` it finds them as the command line does: YM_URL, YM_TOKEN, YM_TOKEN_FILE, or the local
    server of the default state directory. It looks the local server up for each request, so it finds a restarted one.

    A job is named by its id, by its name (the caller's newest unfinished job of that name), or by a JobInfo.

    Each call raises an ApiError if the server refuses, and Unavailable if it cannot be reached. Some requests are sent
    again: reads, submits (an Idempotency-Key ensures that a repeated submit creates one job), and requests that
    certainly did not arrive.

    `timeout`: seconds for each wait for an answer. `retries`: most repetitions of one request. `patience`: seconds for
    which `wait`, and `follow` of `logs` and `events`, tolerate a server that does not answer.

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
            raise ValueError("timeout must be above 0; retries and patience must not be negative")
        if url is not None:
            Url(url)  # raises at once for a wrong address
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

        A string is a path unless it has a line break, a ": " or begins with "{". `workdir`: the folder for a relative
        or missing `workdir` of the spec. Default: the current folder; in a container a missing `workdir` is that of the
        image. The same `idempotency_key` with the same content returns the same job, even much later.

        Raises ValueError for several documents or an array, before anything is sent; use `submit_all` for these.
        """
        submission = submission_of(spec)
        if submission.may_be_several:
            raise ValueError("this may create several jobs (an array, or several documents); use submit_all()")
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
        """Like `submit`, also for several documents and arrays: all jobs or none."""
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
        """Jobs, the newest first, ended ones too. Fetches pages when they are needed.

        `state`: one state, or several.
        """
        states = state if isinstance(state, str) or state is None else ",".join(state)
        query = {"owner": owner, "queue": queue, "name": name, "project": project, "group": group, "state": states}
        return map(JobInfo.from_dict, self._transport.items("/api/v1/jobs", query, page_size))

    def why(self, job: JobRef) -> Explanation:
        """Explains why the job waits, which jobs are ahead, and when it may start."""
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
        """Cancels a job. A running job has its grace; use `wait` for its end."""
        return self._act(job, "cancel")

    def hold(self, job: JobRef) -> JobInfo:
        """Keeps a queued job from starting."""
        return self._act(job, "hold")

    def release(self, job: JobRef) -> JobInfo:
        """Lets a held job start."""
        return self._act(job, "release")

    def retry(self, job: JobRef) -> JobInfo:
        """Submits an ended job again. Returns the new job. As with `submit`, a repeated request creates one job."""
        return self._act(job, "retry", key=uuid.uuid4().hex)

    # --- following
    def wait(self, job: JobRef, *, timeout: Optional[float] = None, raise_on_failure: bool = False) -> JobInfo:
        """Returns the job when it has ended. Tolerates restarts of the server.

        Raises WaitTimeout after `timeout` seconds; the job goes on. With `raise_on_failure`, raises JobFailed for a job
        that did not succeed.
        """
        return self._events.wait(job, timeout, raise_on_failure, Cancel())

    def wait_all(
        self, jobs: Iterable[JobRef], *, timeout: Optional[float] = None, raise_on_failure: bool = False
    ) -> List[JobInfo]:
        """Like `wait` for each job, with one `timeout` for all. `raise_on_failure` raises after all have ended."""
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
        """The output lines of task `rank`, without line ends.

        `attempt`: default: the newest. `follow`: waits for new output. It ends with the attempt if one is named,
        otherwise with the job, and continues with the output of later attempts. It resumes a lost connection where it
        broke. `tail`: only this number of last lines of the present output.
        """
        if follow:
            return self._logs.follow(job, rank, attempt, tail, Cancel())
        return self._logs.read(job, rank, attempt, tail, Cancel())

    def events(
        self, job: Optional[JobRef] = None, *, after: Optional[int] = None, follow: bool = False
    ) -> Iterator[Event]:
        """Events of a job, or all events, after the event `after` (a `seq`).

        Without `after`: from the first event; with `follow` and no job, from now on. `follow`: waits for new events. It
        resumes a lost connection after the last event that it returned, and ends when the job has ended. Raises Expired
        if the server no longer keeps such old events.
        """
        if follow:
            return self._events.follow(job, after, Cancel())
        return self._events.stored(job, after)

    def _act(self, job: JobRef, verb: str, key: Optional[str] = None) -> JobInfo:
        headers = {"Idempotency-Key": key} if key else {}
        path = job_path(job, verb)
        answer = object_of(self._transport.call("POST", path, headers=headers, repeatable=key is not None))
        if "items" in answer:  # a whole array
            raise TypeError(f"{job} is an array: {verb} was done for its {len(answer['items'])} jobs; list(group=...) has them")
        return JobInfo.from_dict(answer)
