"""One queue over two clusters, on two real Kubernetes control planes: the story of `tools/dev demo clusters`, in a hurry.

Real wrappers run on this machine for the pods of simulated kubelets (pod_runner.py).
"""

import io
import pathlib
import shutil
import sys
import tempfile
import unittest

import harness

sys.path.append(str(harness.ROOT / "demo/clusters"))

import story as stories  # noqa: E402
from timeline import TimeLine  # noqa: E402  (from demo)


class TwoClusters(unittest.TestCase):
    def test_a_sweep_bursts_gives_way_and_outlives_an_outage(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="ym-e2e-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        said = io.StringIO()
        story = stories.Story(folder, TimeLine(said), pace=0.3, steps=160, away=25, epochs=15)
        self.addCleanup(story.close)
        try:
            promises = story.play()
        except AssertionError:
            print(said.getvalue(), story.server.log_text()[-6000:] if story.server else "")
            raise
        broken = [what for what, kept in promises.kept if not kept]
        self.assertEqual(broken, [], said.getvalue())
        self.assertGreaterEqual(len(promises.kept), 11)


if __name__ == "__main__":
    unittest.main()
