"""Submits while a million old jobs leave the database for segments, compared with the same server before; and what a job
takes in the database and in a segment."""

import contextlib
import signal
import time

import harness
import measure as m
import servers

CLIENTS, BURST = 64, 5000
PAUSE = 10  # seconds from the begin of a burst to the next, so that new jobs stay few beside the old ones
A_YEAR, KEPT, A_DAY = 365, 90, 10_000  # days, days, jobs
AGE = "retention: {jobs: 1d}\n"  # old jobs are older, those of the bursts are not


@contextlib.contextmanager
def server_with_old_jobs(jobs):
    """A server on a state with these, and what old_jobs said."""
    one = harness.Server(servers.folder("prune"), servers.nodes(1))
    try:
        made = m.program("bench_old_jobs", "--state", one.state, "--jobs", jobs, timeout=3600)
        one.start(timeout=900)
        yield one, made
    finally:
        one.close()


def size_of_database(one):
    return sum(file.stat().st_size for file in one.state.glob("yardmaster.db*") if not file.name.endswith("-shm"))


def segments_of(one):
    return list((one.state / "history").glob("*.jsonl.gz"))


def burst(one):
    """p99 in ms of submits. Then their jobs are cancelled: each burst meets the same queue."""
    seen = servers.submit_load(one, servers.waiting_job(), CLIENTS, BURST)
    ids = [job["id"] for job in servers.jobs(one, "state=QUEUED")]
    status, said = one.api("POST", "/jobs:cancel", {"jobs": ids})
    if status != 200:
        raise RuntimeError(f"cancelling was answered with {status}: {said}")
    return seen["p99_ms"]


def is_pruned(one, sealed):
    """Event 1 stays, so the second one of the list tells."""
    items = one.api("GET", "/events?limit=2")[1]["items"]
    return items[-1]["seq"] > sealed


def prune(one, sealed):
    """Turns it on by a reload, and submits until all is pruned: (p99 of each burst, seconds)."""
    one.config.write_text(one.config.read_text() + AGE)
    one.process.send_signal(signal.SIGHUP)
    harness.wait_for((one.state / "history").is_dir, "the first segment to be begun", timeout=300)
    begin, p99 = time.monotonic(), []
    while not is_pruned(one, sealed):
        next_one = time.monotonic() + PAUSE
        p99.append(burst(one))
        while time.monotonic() < next_one and not is_pruned(one, sealed):
            time.sleep(0.2)
    return p99, time.monotonic() - begin


def gigabytes(bytes_):
    return f"{bytes_ / 1e9:.2f} GB"


def report_submits(table, before, during):
    base, now = m.median(before), m.median(during)
    table.row(f"p99 of submits of {CLIENTS} clients, while jobs leave",
              f"{now:.1f} ms {m.spread(during)} (worst of {len(during)} bursts {max(during):.1f})",
              f"none leave: {base:.1f} ms {m.spread(before)}", f"{now / base:.2f}", "<= 2", now <= 2 * base)


def report_sizes(table, jobs, database, after, segments):
    table.row("database, before and after", gigabytes(database), f"after {gigabytes(after)}", f"{after / database:.2f}")
    table.row("its segments", gigabytes(segments), f"in the database {gigabytes(database)}", f"{segments / database:.3f}")
    table.row("of a job", f"{segments / jobs:,.0f} bytes in segments", f"{database / jobs:,.0f} bytes in the database")
    kept, moved = (days * A_DAY / jobs for days in (KEPT, A_YEAR - KEPT))
    whole = A_YEAR * A_DAY / jobs * database
    ours = kept * database + moved * segments
    table.row(f"a year of {A_DAY:,} jobs a day, `retention: {{jobs: {KEPT}d}}`",
              f"{gigabytes(kept * database)} and {gigabytes(moved * segments)} of segments",
              f"all in the database: {gigabytes(whole)}", f"{ours / whole:.2f}")


def measure(jobs=1_000_000):
    table = m.Table(f"{jobs:,} ended jobs leave the database")
    with server_with_old_jobs(jobs) as (one, made):
        database = size_of_database(one)
        before = [burst(one) for _ in range(m.ROUNDS)]
        during, seconds = prune(one, made["sealed"])
        if not during:
            raise RuntimeError("all jobs left before the first burst ended: try it with more")
        one.stop()  # the last server out moves the log into the database
        segments = sum(path.stat().st_size for path in segments_of(one))
        report_submits(table, before, during)
        table.row("from the first segment to the last deletion", f"{seconds:.0f} s", ratio=f"{jobs / seconds:,.0f} jobs/s")
        report_sizes(table, jobs, database, size_of_database(one), segments)
        table.note(f"{made['events']:,} events. The bursts added {(len(before) + len(during)) * BURST:,} jobs, which stay.")
    yield table
