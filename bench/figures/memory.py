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


def measure():
    table = m.Table("Resident memory")
    with servers.server(servers.nodes(1)) as one:
        empty = resident_kib(one.process.pid) / 1024
        servers.submit_load(one, servers.waiting_job(), 64, QUEUED)
        full, peak = resident_kib(one.process.pid) / 1024, resident_kib(one.process.pid, "VmHWM") / 1024
        table.row(f"server, {QUEUED:,} queued jobs", f"{full:.0f} MiB (peak {peak:.0f})", f"empty {empty:.0f} MiB",
                  f"{(full - empty) * 1024 / QUEUED:.2f} KiB a job", "<= 400 MiB", full <= 400)
    with servers.server(servers.nodes(1)) as one:
        one.wait_state(one.submit({"name": "run", "run": ["sleep", "60"], "workdir": "/"}), "RUNNING")
        pids = [pid for pid in processes.belonging_to(str(one.folder)) if "supervisor" in
                pathlib.Path(f"/proc/{pid}/cmdline").read_text()]
        harness.wait_for(lambda: pids, "a supervisor")
        size = max(resident_kib(pid) for pid in pids) / 1024
        table.row("one supervisor", f"{size:.1f} MiB", wanted="<= 4 MiB", reached=size <= 4)
    yield table
