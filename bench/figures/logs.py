"""Whether others are served while logs are read that are as large, and as shapeless, as jobs make them."""

import contextlib
import http.client
import subprocess
import sys
import time

import measure as m
import servers

READERS = 8
REQUESTS = 400  # a round
BYTES = 1 << 30
# What a job has written: a line after the other, a progress bar, and bytes that nothing divides.
LOGS = {"lines": "step 100 loss 0.25\n", "a progress bar": "\r 10% of an epoch", "no line end": "x"}
READS = {"tail=10": "?tail=10", "the whole log": ""}

READER = """
import http.client, sys
while True:
    connection = http.client.HTTPConnection(sys.argv[1])
    connection.request("GET", sys.argv[2], headers={"Authorization": "Bearer " + sys.argv[3]})
    answer = connection.getresponse()
    while answer.read(1 << 20):
        pass
"""


def job_with_log(one, text):
    """A job that has ended, with a log of that text over and over."""
    job = one.submit({"name": "talker", "run": "true"})
    one.wait_state(job, "SUCCEEDED")
    (log,) = one.state.glob(f"attempts/*/{job}/1/0/log")
    block = (text * (1 + (1 << 20) // len(text))).encode()[:1 << 20]
    with log.open("wb") as out:
        for _ in range(BYTES // len(block)):
            out.write(block)
    return job


@contextlib.contextmanager
def readers(one, target):
    running = [subprocess.Popen([sys.executable, "-c", READER, one.listen, target, one.token()]) for _ in range(READERS)]
    try:
        time.sleep(1)  # all of them are reading
        yield
    finally:
        for reader in running:
            reader.kill()
        for reader in running:
            reader.wait()


def p99_ms(one):
    connection = http.client.HTTPConnection(one.listen)
    took = []
    for _ in range(REQUESTS):
        before = time.perf_counter()
        connection.request("GET", "/healthz")
        connection.getresponse().read()
        took.append(time.perf_counter() - before)
        time.sleep(0.002)
    return sorted(took)[int(REQUESTS * 0.99)] * 1000


def measure():
    table = m.Table(f"GET /healthz while {READERS} clients read logs of 1 GiB, again and again")
    with servers.server(servers.nodes(1)) as one:
        idle = [p99_ms(one) for _ in range(m.ROUNDS)]
        base = m.median(idle)
        for kind, text in LOGS.items():
            target = f"/api/v1/jobs/{job_with_log(one, text)}/logs"
            for what, query in READS.items():
                with readers(one, target + query):
                    p99 = [p99_ms(one) for _ in range(m.ROUNDS)]
                ours = m.median(p99)
                table.row(f"p99, {kind}, {what}", f"{ours:.1f} ms {m.spread(p99)}", f"nobody reads {base:.1f} ms",
                          f"{ours / base:.1f}", "<= 50 ms", ours <= 50)
    yield table
