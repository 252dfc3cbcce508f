"""From the start of a server to ready, with 1,000 jobs running that it has to find again."""

import time

import harness
import measure as m
import servers

RUNNING = 1000


def measure():
    table = m.Table(f"Restart with {RUNNING:,} jobs running")
    with servers.server(servers.nodes(8, 64) + "\n") as one:
        one.submit({"name": "run", "run": ["sleep", "3600"], "array": RUNNING, "workdir": "/",
                    "resources": {"cpus": "100m", "memory": "16MiB"}})

        def running():
            return sum(queue["counts"]["active"] for queue in one.api("GET", "/queues")[1]["items"]) == RUNNING and not \
                one.json("ps", "--state", "STARTING")
        harness.wait_for(running, "all jobs to run", timeout=300, pause=0.5)

        def restart():
            one.kill()
            begin = time.monotonic()
            one.spawn()
            harness.wait_for(lambda: ready(one), "a ready server", pause=0.005)
            return (time.monotonic() - begin) * 1000

        times = [restart() for _ in range(m.ROUNDS)]
        lost = RUNNING - len(servers.jobs(one, "state=RUNNING"))
        one.ym("cancel", *[job["id"] for job in one.json("ps")], timeout=300)
    table.row("restart to ready", f"{m.median(times):.0f} ms {m.spread(times)}, {lost} jobs not RUNNING after {m.ROUNDS} kills",
              wanted="<= 3,000 ms, none lost", reached=m.median(times) <= 3000 and not lost)
    yield table


def ready(one):
    try:
        return one.request("GET", "/readyz", authenticated=False)[0] == 200
    except OSError:
        return False
