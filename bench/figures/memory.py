"""Resident memory: a server with 100,000 queued jobs, and one supervisor."""

import pathlib

import harness
import measure as m
import processes
import servers

QUEUED = 100_000


def resident_kib(pid, what="VmRSS"):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(what + ":"):
            return int(line.split()[1])
    raise RuntimeError(f"no {what} of {pid}")


def queued():
    """MiB of a server: empty, with its jobs, at most."""
    with servers.server(servers.nodes(1)) as one:
        empty = resident_kib(one.process.pid)
        servers.submit_load(one, servers.waiting_job(), 64, QUEUED)
        return [kib / 1024 for kib in (empty, resident_kib(one.process.pid), resident_kib(one.process.pid, "VmHWM"))]


def supervisors_of(one):
    return [pid for pid in processes.belonging_to(str(one.folder))
            if "supervisor" in pathlib.Path(f"/proc/{pid}/cmdline").read_text()]


def supervisor():
    with servers.server(servers.nodes(1)) as one:
        one.wait_state(one.submit({"name": "run", "run": ["sleep", "60"], "workdir": "/"}), "RUNNING")
        return max(map(resident_kib, harness.wait_for(lambda: supervisors_of(one), "a supervisor"))) / 1024


def measure():
    table = m.Table("Resident memory")
    values = m.interleaved(m.ROUNDS, queued=queued, supervisor=supervisor)
    empty, full, peak = zip(*values["queued"])
    before, after = m.median(empty), m.median(full)
    table.row(f"server, {QUEUED:,} queued jobs", f"{after:.0f} MiB {m.spread(full)} (peak {max(peak):.0f})",
              f"empty {before:.0f} MiB {m.spread(empty)}", f"{(after - before) * 1024 / QUEUED:.2f} KiB a job", "<= 400 MiB",
              after <= 400)
    size = m.median(values["supervisor"])
    table.row("one supervisor", f"{size:.1f} MiB {m.spread(values['supervisor'])}", wanted="<= 4 MiB", reached=size <= 4)
    yield table
