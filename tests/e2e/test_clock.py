"""A wall clock that is set back: time does not run backwards, and nothing waits for it to catch up."""

import email.utils
import pathlib
import subprocess
import time
import unittest

import harness

# The library shifts the wall clock of whoever is started with it.
SHIFT = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
int clock_gettime(clockid_t id, struct timespec *t) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(id, t);
  if (id == CLOCK_REALTIME) t->tv_sec -= 86400;
  return result;
}
"""


class ClockSetBack(harness.ServerTest):
    """The wall clock is a day earlier at the second start."""

    config = harness.FIVE_NODES

    def restart_a_day_earlier(self):
        source, library = self.folder / "shift.c", self.folder / "shift.so"
        source.write_text(SHIFT)
        subprocess.run(["clang-19", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"], check=True)
        self.server.stop()
        self.server.wrapper = ["env", f"LD_PRELOAD={library}"]
        self.server.start()
        # Otherwise this would test nothing: the library is there, and the log has the wall clock's time.
        maps = pathlib.Path(f"/proc/{self.server.process.pid}/maps").read_text(encoding="utf-8")
        self.assertIn(str(library), maps)
        yesterday = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 86400))
        self.assertTrue(self.server.log_text().splitlines()[-1].startswith(yesterday))
        # The server's own clock goes on from what is stored.
        told = email.utils.parsedate_to_datetime(self.server.request("GET", "/api/v1/queues")[1]["date"]).timestamp()
        self.assertGreater(told, time.time() - 3600)

    def test_time_does_not_run_backwards(self):
        first = self.server.submit({"name": "first", "run": ["true"]})
        self.server.wait_end(first)
        self.restart_a_day_earlier()
        second = self.server.submit({"name": "second", "run": ["true"]})
        ended = self.server.wait_state(second, "SUCCEEDED")
        self.assertGreaterEqual(ended["submitted_at"], self.server.get(first)["ended_at"])

    def test_a_backoff_does_not_wait_for_the_wall_clock(self):
        self.server.wait_end(self.server.submit({"name": "first", "run": ["true"]}))
        self.restart_a_day_earlier()
        job = self.server.submit({"name": "flaky", "run": "test $YM_ATTEMPT = 3",
                                  "retry": {"error": {"max": 5}, "backoff": "100ms"}})
        self.assertEqual(len(self.server.wait_state(job, "SUCCEEDED")["attempts"]), 3)


if __name__ == "__main__":
    unittest.main()
