"""The part of a cloud that a lab leaves out: nodes that come for pods which cannot be placed, and go when they are empty."""

import http.client
import threading
import time

import pod_runner


class Autoscaler:
    """Adds copies of one node, `new-1`, `new-2` and so on, at most so many; takes empty ones away after `idle` seconds."""

    def __init__(self, lab, model="n1", most=4, idle=3.0):
        self.api, self.model, self.most, self.idle = pod_runner.Api(lab), model, most, idle
        self.over, self.made, self.empty_since, self.names = threading.Event(), [], {}, 0

    def start(self):
        threading.Thread(target=self.work, daemon=True).start()
        return self

    def stop(self):
        self.over.set()

    def work(self):
        while not self.over.wait(0.3):
            try:
                pods = self.api.ask("GET", "/api/v1/pods")["items"]
                unplaced = [pod for pod in pods if is_unplaced(pod)]
                used = {pod["spec"].get("nodeName") for pod in pods}
                # A node that has just come takes one of them soon.
                fresh = [name for name in self.made if name not in used]
                for _ in range(min(len(unplaced) - len(fresh), self.most - len(self.made))):
                    self.add()
                if not unplaced:
                    self.take_away(used)
            except (OSError, ValueError, http.client.HTTPException):
                pass

    def add(self):
        self.names += 1
        name = f"new-{self.names}"
        node = self.api.ask("GET", f"/api/v1/nodes/{self.model}")
        labels = node["metadata"]["labels"] | {"kubernetes.io/hostname": name}
        status = {key: node["status"][key] for key in ("capacity", "allocatable", "nodeInfo")}
        status["addresses"] = [{"type": "InternalIP", "address": f"127.10.9.{self.names}"}]
        self.api.ask("POST", "/api/v1/nodes", {"apiVersion": "v1", "kind": "Node", "metadata":
                                               {"name": name, "labels": labels, "annotations": node["metadata"].get("annotations", {})}})
        self.api.merge(f"/api/v1/nodes/{name}/status", {"status": status})
        self.made.append(name)

    def take_away(self, used):
        now = time.monotonic()
        for name in list(self.made):
            if name in used:
                self.empty_since.pop(name, None)
            elif now - self.empty_since.setdefault(name, now) > self.idle:
                self.api.ask("DELETE", f"/api/v1/nodes/{name}")
                self.made.remove(name)


def is_unplaced(pod):
    conditions = pod["status"].get("conditions", [])
    return not pod["spec"].get("nodeName") and any(one["type"] == "PodScheduled" and one.get("reason") == "Unschedulable"
                                                   for one in conditions)
