"""Past one machine: jobs through a real Slurm and a real Kubernetes API server, against what those do by themselves."""

import measure as m
import slurm
from clusters import kube, kube_pods, kube_requests, slurm_jobs, slurm_load, takeover


def left_out(what, why):
    table = m.Table(what)
    table.note(f"Left out: {why}.")
    return table


def measure():
    why_not = slurm.missing()
    if why_not:
        yield left_out("Jobs on a real Slurm, and the load on its controller", why_not)
    else:
        yield from slurm_jobs.tables()
        yield from slurm_load.tables()
    why_not = kube.missing()
    if why_not:
        yield left_out("Pods, gangs and requests on a real Kubernetes API server", why_not)
    else:
        yield from kube_pods.pods()
        yield from kube_pods.gangs()
        yield from kube_requests.requests()
    yield from takeover.measure()
