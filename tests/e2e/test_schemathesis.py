"""schemathesis asks what the OpenAPI document describes, as each role: no 5xx, no answer that is not documented, and
nothing of a project where the role is not.

Its requests name real objects, so that they get past the names. For the administrator it also tries each constraint of
the document.
"""

import base64
import os
import pathlib
import re
import subprocess
import unittest

import access_world
import harness
from access_world import CANARY, ROLES

PROGRAM = pathlib.Path(os.environ.get("YM_VENV", harness.ROOT / "build/venv")) / "bin/schemathesis"
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance"
# With these the caller takes its own token away.
ENDS_ITSELF = ("revokeToken", "rotateAdminToken", "changeIdentity")
NAMES = """
[[operations]]
include-path-regex = "^/api/v1/jobs/"
parameters = {{ id = "{job}", n = 1, t = 0 }}

[[operations]]
include-path-regex = "^/api/v1/queues/"
parameters = {{ id = "spare" }}

[[operations]]
include-path-regex = "^/api/v1/nodes/"
parameters = {{ id = "n1" }}

[[operations]]
include-path-regex = "^/api/v1/projects/"
parameters = {{ id = "cars" }}
"""


class Document(harness.ServerTest):
    config = access_world.CONFIG

    def setUp(self):
        super().setUp()
        self.world = access_world.World(self.server)

    def explore(self, name, phases, examples):
        """Fails with what schemathesis found. Returns the bodies of all answers."""
        config, report = self.server.folder / "schemathesis.toml", self.server.folder / f"{name}.ndjson"
        config.write_text(NAMES.format(job=self.world.job), encoding="utf-8")
        run = subprocess.run(
            [PROGRAM, "--config-file", config, "run", f"{self.server.url}/api/v1/openapi.json", "--url", self.server.url,
             "--header", f"Authorization: Bearer {self.world.tokens[name]}", "--checks", CHECKS, "--phases", phases,
             "--max-examples", str(examples), "--request-timeout", "20", "--generation-deterministic",
             *(f"--exclude-operation-id={one}" for one in ENDS_ITSELF), "--warnings", "off", "--no-color", "--report", "ndjson", "--report-ndjson-path", report],
            capture_output=True, text=True, cwd=self.server.folder, env=harness.clean_environment(HOME=str(self.server.home)), check=False)
        self.assertEqual(run.returncode, 0, f"as {name}:\n{run.stdout[-6000:]}{run.stderr[-2000:]}")
        bodies = re.findall(r'"\$base64":"([^"]*)"', report.read_text(encoding="utf-8"))
        self.assertGreater(len(bodies), 100)
        return b"\n".join(map(base64.b64decode, bodies))

    def test_what_an_administrator_asks(self):
        name = self.world.add_with_role("admin", "site")
        self.assertTrue(CANARY.encode() in self.explore(name, "coverage,fuzzing", 4), "the answers are looked through")

    def test_what_others_ask_elsewhere(self):
        for role in (role for role in ROLES if role != "admin"):
            with self.subTest(role=role):
                said = self.explore(self.world.add_with_role(role, "elsewhere"), "fuzzing", 4)
                self.assertFalse(CANARY.encode() in said)


if __name__ == "__main__":
    unittest.main()
