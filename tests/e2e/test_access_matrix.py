"""Which route admits which role, where: access_matrix.txt, each row asked of a real server.

Rows are roles and kinds of token. Columns are the places where the role is bound. The principal `owner` owns the job:
it is a member of its project and uses the queues of the site. `root` has the token of the server's own file.
Words of a cell:
  yes      the request is allowed (it may be refused for another reason)
  no       403: a permission is missing
  404      as if the object were not there
  whole, outline, none      of reads: how much of the job is in the answer
  shown, hidden             of lists: whether the object is in the answer

YM_WRITE_MATRIX=1 writes the file; review its diff.
"""

import difflib
import os
import pathlib
import unittest

import access_world
import harness
from access_world import CANARY, PLACES, ROLES

FILE = pathlib.Path(__file__).parent / "access_matrix.txt"


def verdict(answer):
    return {401: "401", 403: "no", 404: "404"}.get(answer.status, "yes")


def sight(answer, job):
    if answer.status >= 400:
        return verdict(answer)
    return "whole" if CANARY in answer.body else "outline" if job in answer.body else "none"


def listed(answer, key, name):
    if answer.status >= 400:
        return verdict(answer)
    return "shown" if any(item[key] == name for item in answer.json()["items"]) else "hidden"


class Probe:
    """A request of one route. `prepare` makes the object that an earlier request may have removed."""

    def __init__(self, route, path=None, body=None, read=None, prepare=None, about=""):
        self.method, self.pattern = route.split(" ")
        self.path = path or (lambda world: self.pattern)
        self.body = body or (lambda world: None)
        self.read = read or (lambda answer, world: verdict(answer))
        self.prepare, self.about = prepare, about

    @property
    def title(self):
        return f"{self.method} {self.pattern}" + (f" ({self.about})" if self.about else "")

    def ask(self, world, token):
        if self.prepare:
            self.prepare(world)
        answer = world.send(token, self.method, self.path(world), self.body(world))
        if answer.status >= 500:
            raise AssertionError(f"{self.title} as {token}: {answer.status} {answer.body}")
        return self.read(answer, world)


def of_job(route, job=lambda world: world.job, **more):
    return Probe(route, lambda world: route.split(" ")[1].replace("{id}", job(world)), **more)


def refused_of(answer, world):
    if answer.status >= 400:
        return verdict(answer)
    codes = [one["code"] for one in answer.json()["refused"]]
    return {"not_found": "404", "forbidden": "no"}.get(codes[0], "yes") if codes else "yes"


def names_queue(answer, world):
    """Of a submit: `hidden`, where it says that there is no such queue."""
    return "hidden" if answer.status == 422 else verdict(answer)


def reads_job(answer, world):
    return sight(answer, world.job)


def of(pattern, name):
    return lambda world: pattern.replace("{id}", name)


def make_token_of_owner(world):
    world.spare = world.must("POST", "/api/v1/tokens", {"principal": "owner"}).json()["id"]


def make_binding(world):
    world.binding = world.bind("queue-user", "group:crew", "queue:vision")


def make_reservation(world):
    world.must("POST", f"{API}/reservations", world.reservation("mine", nodes=["n1"], users=["root"]), but=(409, 422))


QUEUE, NODE, API = "/api/v1/queues/{id}", "/api/v1/nodes/{id}", "/api/v1"
NEW_JOB = {"run": ["true"], "project": "cars", "queue": "train"}

PROBES = [
    Probe("GET /metrics"),
    Probe("GET /api/v1/whoami"),
    Probe("GET /api/v1/jobs", read=reads_job),
    of_job("GET /api/v1/jobs/{id}", read=reads_job),
    of_job("GET /api/v1/jobs/{id}/events", read=reads_job),
    of_job("GET /api/v1/jobs/{id}/logs", read=reads_job),
    of_job("GET /api/v1/jobs/{id}/why"),
    Probe("GET /api/v1/events", lambda world: f"{API}/events?after=0&limit=100", read=reads_job),
    Probe("POST /api/v1/jobs", lambda world: f"{API}/jobs?dry_run=true", lambda world: NEW_JOB, read=names_queue),
    Probe("POST /api/v1/jobs:cancel", body=lambda world: {"jobs": [world.ended]}, read=refused_of),
    of_job("POST /api/v1/jobs/{id}/cancel", lambda world: world.ended),
    of_job("POST /api/v1/jobs/{id}/hold", lambda world: world.ended),
    of_job("POST /api/v1/jobs/{id}/release", lambda world: world.ended),
    of_job("POST /api/v1/jobs/{id}/retry", lambda world: world.ended),
    Probe("GET /api/v1/jobs/{id}/attempts/{n}/notice", lambda world: f"{API}/jobs/{world.job}/attempts/1/notice?wait=0s"),
    Probe("POST /api/v1/jobs/{id}/attempts/{n}/progress", lambda world: f"{API}/jobs/{world.job}/attempts/1/progress",
          lambda world: {"step": 1}),
    Probe("POST /api/v1/jobs/{id}/attempts/{n}/tasks/{t}/report",
          lambda world: f"{API}/jobs/{world.job}/attempts/1/tasks/0/report", lambda world: {}),
    Probe("GET /api/v1/jobs/{id}/attempts/{n}/tasks/{t}/orders",
          lambda world: f"{API}/jobs/{world.job}/attempts/1/tasks/0/orders"),
    Probe("GET /api/v1/queues", read=lambda answer, world: listed(answer, "name", "vision")),
    Probe("POST /api/v1/queues", body=lambda world: access_world.SPARE, about="below the queue"),
    Probe("POST /api/v1/queues", body=lambda world: "queues: [{name: fresh}]", about="at the top"),
    Probe(f"POST {QUEUE}/hold", of(f"{QUEUE}/hold", "spare")),
    Probe(f"POST {QUEUE}/drain", of(f"{QUEUE}/drain", "spare")),
    Probe(f"POST {QUEUE}/resume", of(f"{QUEUE}/resume", "spare")),
    Probe(f"DELETE {QUEUE}", of(QUEUE, "spare"), prepare=lambda world: world.must("POST", f"{API}/queues", access_world.SPARE)),
    Probe("GET /api/v1/nodes", read=lambda answer, world: listed(answer, "name", "n1")),
    Probe(f"POST {NODE}/drain", of(f"{NODE}/drain", "n1")),
    Probe(f"POST {NODE}/undrain", of(f"{NODE}/undrain", "n1")),
    Probe("GET /api/v1/policy"),
    Probe("POST /api/v1/policy", body=lambda world: "scheduling: {age_cap: 4h}"),
    Probe("POST /api/v1/policy/diff", body=lambda world: "scheduling: {age_cap: 4h}"),
    Probe("DELETE /api/v1/policy"),
    Probe("GET /api/v1/reservations", read=lambda answer, world: listed(answer, "name", "kept")),
    Probe("POST /api/v1/reservations", body=lambda world: world.reservation("mine", nodes=["n1"], users=["root"])),
    Probe("DELETE /api/v1/reservations/{id}", of("/api/v1/reservations/{id}", "mine"), prepare=make_reservation),
    Probe("GET /api/v1/tokens", read=lambda answer, world: listed(answer, "principal", "owner")),
    Probe("POST /api/v1/tokens", body=lambda world: {"ttl": "1h"}, about="its own"),
    Probe("POST /api/v1/tokens", body=lambda world: {"principal": "owner", "ttl": "1h"}, about="of another user"),
    Probe("DELETE /api/v1/tokens/{id}", lambda world: f"{API}/tokens/{world.spare}", prepare=make_token_of_owner),
    Probe("GET /api/v1/roles", read=lambda answer, world: listed(answer, "name", "viewer")),
    Probe("POST /api/v1/roles", body=lambda world: {"name": "reader", "permissions": ["jobs.list"]}),
    Probe("DELETE /api/v1/roles/{id}", of("/api/v1/roles/{id}", "reader"),
          prepare=lambda world: world.must("POST", f"{API}/roles", {"name": "reader", "permissions": ["jobs.list"]})),
    Probe("GET /api/v1/bindings", read=lambda answer, world: listed(answer, "to", "owner")),
    Probe("POST /api/v1/bindings", body=lambda world: {"role": "member", "to": "group:crew", "scope": "project:cars"},
          about="in the project"),
    Probe("POST /api/v1/bindings", body=lambda world: {"role": "queue-user", "to": "group:crew", "scope": "queue:vision"},
          about="in the queue"),
    Probe("DELETE /api/v1/bindings/{id}", lambda world: f"{API}/bindings/{world.binding}", prepare=make_binding,
          about="in the queue"),
    Probe("GET /api/v1/projects", read=lambda answer, world: listed(answer, "name", "cars")),
    Probe("POST /api/v1/projects", body=lambda world: {"name": "cars", "description": "again"}, about="there already"),
    Probe("POST /api/v1/projects", body=lambda world: {"name": "planes"}, about="new"),
    Probe("DELETE /api/v1/projects/{id}", of("/api/v1/projects/{id}", "planes"),
          prepare=lambda world: world.must("POST", f"{API}/projects", {"name": "planes"})),
    Probe("GET /api/v1/identities", read=lambda answer, world: listed(answer, "id", "owner")),
    Probe("POST /api/v1/identities/{id}", of("/api/v1/identities/{id}", "owner"), lambda world: {"groups": []}),
    Probe("POST /api/v1/access/check", body=lambda world: {"verb": "cancel", "object": f"job {world.job}"}, about="of itself"),
    Probe("POST /api/v1/access/check", body=lambda world: {"verb": "use", "object": "queue vision", "as": "owner"},
          about="of another user"),
    Probe("POST /api/v1/access/holders", body=lambda world: {"verb": "jobs.cancel", "object": "project cars"}),
    Probe("GET /api/v1/access/denials"),
    Probe("GET /api/v1/audit"),
    Probe("GET /api/v1/audit/verification"),
]
# No provider uses SCIM in this world: 404 where the permission is there.
SCIM = [Probe(f"GET /scim/v2/{name}", of(f"/scim/v2/{name}", "x")) for name in (
            "Users", "Users/{id}", "Groups", "Groups/{id}", "ServiceProviderConfig", "ResourceTypes", "ResourceTypes/{id}",
            "Schemas", "Schemas/{id}")]
SCIM += [Probe(f"{method} /scim/v2/{name}", of(f"/scim/v2/{name}", "x"), body and (lambda world: {}))
         for kind in ("Users", "Groups")
         for method, name, body in (("POST", kind, True), ("PUT", kind + "/{id}", True), ("PATCH", kind + "/{id}", True),
                                    ("DELETE", kind + "/{id}", False))]
PROBES += SCIM
# Its answer is a token that replaces the caller's: asked last, and only as these.
ROTATE = Probe("POST /api/v1/tokens/admin/rotate", about="last")
OPEN = {"GET /.well-known/oauth-authorization-server", "GET /", "GET /healthz", "GET /readyz", "GET /api/v1/openapi.json"}

# A caller that acts on another principal must hold what that principal holds, so these differ with any permission.
HOLDERS_ONLY = {"POST /api/v1/tokens (of another user)", "POST /api/v1/identities/{id}"}


class Matrix(harness.ServerTest):
    config = access_world.CONFIG

    @classmethod
    def setUpClass(cls):
        cls.maxDiff = None

    def block(self, world, probe):
        def line(role, token, names):
            cells = [f"{probe.ask(world, name):10}" if name else f"{'':10}" for name in names]
            return f"{role:14}{token:8}" + "".join(cells).rstrip() + "\n"

        text = f"\n{probe.title}\n{'':22}" + "".join(f"{place:10}" for place in PLACES).rstrip() + "\n"
        for role in ROLES:
            text += line(role, "full", [f"{role}.{place}" for place in PLACES])
            text += line(role, "viewer", [f"{role}.{place}/viewer" for place in PLACES])
        text += line("admin", "boats", ["admin.site/boats"])
        text += line("owner", "full", ["owner"])
        text += line("owner", "viewer", ["owner/viewer"])
        text += line("nothing", "full", ["nothing"])
        text += line("root", "file", ["root"])
        return text

    def test_each_route_admits_whom_the_matrix_says(self):
        world = access_world.World(self.server)
        for role in ROLES:
            for place in PLACES:
                world.add_with_role(role, place)
        world.add("admin.site", "admin.site/boats", ["project:boats"])
        world.add("owner", "owner/viewer", ["viewer"])
        world.add("nothing")
        for probe in PROBES + [ROTATE]:
            self.assertEqual(probe.ask(world, None), "401", probe.title)
        text = __doc__.split("\n\n")[1] + "\n" + "".join(self.block(world, probe) for probe in PROBES + [ROTATE])
        if os.environ.get("YM_WRITE_MATRIX"):
            FILE.write_text(text, encoding="utf-8")
        known = FILE.read_text(encoding="utf-8") if FILE.exists() else ""
        if text != known:
            self.fail("\n".join(difflib.unified_diff(known.splitlines(), text.splitlines(), "access_matrix.txt", "the server", n=30)))

    def test_each_route_is_in_the_matrix(self):
        document = self.server.api("GET", "/openapi.json")[1]
        routes = {f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods}
        # Routes of SCIM are described by its own standard.
        asked = {f"{probe.method} {probe.pattern}" for probe in PROBES + [ROTATE] if probe not in SCIM}
        self.assertEqual(asked | OPEN, routes | {"GET /"})

    def test_each_permission_is_needed_somewhere(self):
        world = access_world.World(self.server)
        permissions = next(role for role in world.must("GET", "/api/v1/roles").json()["items"] if role["name"] == "admin")["permissions"]
        roles = {"every": permissions, "none": []}
        for one in permissions:
            roles["but." + one] = [other for other in permissions if other != one]
            roles["only." + one] = [one]
        answers = {}
        for role, holds in roles.items():
            world.must("POST", "/api/v1/roles", {"name": role, "permissions": holds or ["audit.read"]})
            world.add(role)
            world.bind(role, role, "site")
            answers[role] = {probe.title: probe.ask(world, role) for probe in PROBES}
        for one in permissions:
            of_others = one.startswith(("identities.", "tokens."))
            asked = [probe.title for probe in PROBES if of_others or probe.title not in HOLDERS_ONLY]
            differs = [title for title in asked
                       if answers["but." + one][title] != answers["every"][title] or answers["only." + one][title] != answers["none"][title]]
            self.assertTrue(differs, one)


if __name__ == "__main__":
    unittest.main()
