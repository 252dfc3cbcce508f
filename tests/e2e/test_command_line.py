"""The command line as a person uses it, against the real server."""

import json
import os
import pathlib
import pty
import select
import signal
import socket
import subprocess
import threading
import time
import unittest
import urllib.parse

import harness
import processes


def hang_up(listener):
    """On everybody who calls, until the listener is shut down."""
    try:
        while True:
            listener.accept()[0].close()
    except OSError:
        pass


class BareMachine(unittest.TestCase):
    """`ym run` where no server runs: it brings its own, which leaves when it is idle."""

    def setUp(self):
        import shutil, tempfile
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ym-e2e-bare-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.addCleanup(processes.end_all, str(self.folder))
        self.environment = harness.clean_environment(HOME=str(self.folder), XDG_STATE_HOME=str(self.folder / "state"))

    def ym(self, *arguments, **options):
        return subprocess.run([str(harness.BIN / "ym"), *arguments], env=self.environment, text=True, capture_output=True,
                              cwd=self.folder, timeout=harness.TIMEOUT, **options)

    def killed(self):
        """Where the server of `ym run` answered, which is gone without a word."""
        server = json.loads((self.folder / "state/yardmaster/server.json").read_text())
        os.kill(server["pid"], signal.SIGKILL)
        harness.wait_for(lambda: not processes.alive(server["pid"]), "the server's end")
        return server["url"]

    def test_run_streams_and_tells_how_it_ended(self):
        (self.folder / "train.py").write_text("import sys\nprint('epoch 1')\nsys.exit(5)\n")
        done = self.ym("run", "--", "python3", "train.py")
        self.assertIn("epoch 1", done.stdout)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("ym logs", done.stderr, "it says what to do next")
        self.assertRegex(done.stderr, r"train FAILED after \d+s: exit code 5\n")
        passed_on = self.ym("run", "--exit-code-from", "job", "--", "python3", "train.py")
        self.assertEqual(passed_on.returncode, 5, passed_on.stderr)
        again = self.ym("run", "--", "sh", "-c", "echo again in $PWD")
        self.assertEqual((again.returncode, again.stdout.strip()), (0, f"again in {self.folder}"), again.stderr)
        servers = processes.running(str(self.folder / "state"))
        self.assertTrue(servers, "one server stays for a while")

    def test_ctrl_c_detaches_and_the_job_goes_on(self):
        running = subprocess.Popen([str(harness.BIN / "ym"), "run", "--name", "long", "--", "sh", "-c", "echo up; sleep 4; echo done"],
                                   env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)
        self.assertEqual(running.stdout.readline().strip(), "up")
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=harness.TIMEOUT)
        self.assertEqual(running.returncode, 130, err)
        done = self.ym("wait", "long")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_server_that_was_killed_is_named_with_how_to_start_it(self):
        self.ym("run", "--", "true")
        state = self.folder / "state" / "yardmaster"
        self.killed()
        asked = self.ym("ps")
        self.assertEqual(asked.returncode, 6)
        self.assertIn(f"start it with `ym serve --state {state}`", asked.stderr)
        submitted = self.ym("submit", "-", input="run: ['true']")
        self.assertEqual(submitted.returncode, 6)
        self.assertIn("nothing was submitted", submitted.stderr)
        again = self.ym("run", "--", "echo", "back")
        self.assertEqual((again.returncode, again.stdout), (0, "back\n"), again.stderr)

    def test_running_jobs_find_the_next_server_where_the_killed_one_was(self):
        told = self.folder / "told"
        self.ym("run", "-d", "--name", "long", "--", "sh", "-c", f"echo $YM_PROGRESS_URL > {told}.new; mv {told}.new {told}; sleep 600")
        harness.wait_for(told.exists, "the job")
        url = self.killed()
        self.assertTrue(told.read_text().startswith(url + "/"))
        again = self.ym("run", "--", "echo", "back")
        self.assertEqual((again.returncode, again.stdout), (0, "back\n"), again.stderr)
        self.assertEqual(json.loads((self.folder / "state/yardmaster/server.json").read_text())["url"], url)

    def test_a_port_that_another_program_has_taken_is_left_to_it(self):
        self.ym("run", "--", "true")
        host, port = urllib.parse.urlsplit(self.killed()).netloc.split(":")
        with socket.socket() as stranger:
            stranger.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            stranger.bind((host, int(port)))
            stranger.listen()
            threading.Thread(target=hang_up, args=(stranger,), daemon=True).start()
            again = self.ym("run", "--", "echo", "back")
            stranger.shutdown(socket.SHUT_RDWR)
        self.assertEqual((again.returncode, again.stdout), (0, "back\n"), again.stderr)

    def test_a_folder_that_was_deleted(self):
        gone, job = self.folder / "gone", self.folder / "job.yaml"
        job.write_text("run: 'true'\n")
        for words in ("run -- true", f"submit {job}", "serve --state relative"):
            done = subprocess.run(["sh", "-c", f"mkdir -p {gone} && cd {gone} && rmdir {gone} && exec {harness.BIN / 'ym'} {words}"],
                                  env=self.environment, text=True, capture_output=True, timeout=harness.TIMEOUT)
            self.assertEqual((done.returncode, done.stderr),
                             (2, "ym: the current folder was deleted; change to another one\n"), words)

    def test_the_server_leaves_when_idle(self):
        state = self.folder / "idle"
        server = subprocess.Popen([str(harness.BIN / "ym"), "serve", "--state", str(state), "--listen", "127.0.0.1:0", "--idle-exit", "1s"],
                                  env=self.environment, stderr=subprocess.PIPE, text=True)
        self.assertEqual(server.wait(harness.TIMEOUT), 0)
        server.stderr.close()
        self.assertFalse((state / "server.json").exists())


class Verbs(harness.ServerTest):
    config = harness.FIVE_NODES

    def test_formats(self):
        job = self.server.submit({"name": "hello", "run": ["sleep", "600"]})
        self.server.wait_state(job, "RUNNING")
        self.assertIn("hello", self.server.ym("ps").stdout)
        self.assertEqual(self.server.json("ps")[0]["id"], job)
        self.assertEqual(self.server.ym("ps", "-o", "name").stdout.strip(), job)
        self.assertIn(f"id: ", self.server.ym("get", job, "-o", "yaml").stdout)
        self.assertEqual(len(self.server.json("nodes")), 5)
        self.assertIn("default", self.server.ym("queue").stdout)

    def test_names_stand_for_the_newest_unfinished_job(self):
        first = self.server.submit({"name": "same", "run": ["sleep", "600"]})
        second = self.server.submit({"name": "same", "run": ["sleep", "600"]})
        self.assertEqual(self.server.json("get", "same")["id"], second)
        self.server.ym("cancel", second)
        self.server.wait_end(second)
        self.assertEqual(self.server.json("get", "same")["id"], first)

    def test_exit_codes(self):
        self.assertEqual(self.server.ym("get", "nothing", check=False).returncode, 2)
        self.assertEqual(self.server.ym("nonsense", check=False).returncode, 2)
        self.assertEqual(self.server.ym("ps", check=False, YM_TOKEN="ym_wrong").returncode, 4)
        job = self.server.submit({"name": "long", "run": ["sleep", "600"]})
        self.assertEqual(self.server.ym("wait", job, "--timeout", "1s", check=False).returncode, 124)
        with open("/dev/full", "w", encoding="utf-8") as full:
            lost = subprocess.run([str(harness.BIN / "ym"), "ps"], env=self.server.environment(), stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual((lost.returncode, lost.stderr), (1, "ym: cannot write to standard output: No space left on device\n"))
        self.server.kill()
        self.assertEqual(self.server.ym("ps", check=False).returncode, 6)

    def test_mistakes_in_a_job_file_are_all_named(self):
        text = "name: x\nrun: [a]\nresources: {gpu: 1}\nprority: 3\n"
        refused = self.server.ym("submit", "-", input=text, check=False)
        self.assertEqual(refused.returncode, 2)
        for word in ("/resources/gpu", "gpus", "/prority", "priority"):
            self.assertIn(word, refused.stderr)

    def test_wait_outlives_the_server(self):
        job = self.server.submit({"name": "long", "run": "sleep 3"})
        self.server.wait_state(job, "RUNNING")
        waiting = subprocess.Popen([str(harness.BIN / "ym"), "wait", job], env=self.server.environment(), stderr=subprocess.PIPE, text=True)
        time.sleep(0.5)
        self.server.kill()
        time.sleep(0.5)
        self.server.start()
        _, err = waiting.communicate(timeout=harness.TIMEOUT)
        self.assertEqual(waiting.returncode, 0, err)

    def test_follow_ends_with_the_job(self):
        job = self.server.submit({"name": "talk", "run": "for i in 1 2 3; do echo $i; sleep 0.3; done"})
        self.assertEqual(self.server.ym("logs", "-f", job).stdout.split(), ["1", "2", "3"])

    def test_drain_and_back(self):
        self.server.ym("node", "drain", "n1")
        nodes = {node["name"]: node for node in self.server.json("nodes")}
        self.assertFalse(nodes["n1"]["schedulable"])
        self.server.ym("node", "undrain", "n1")
        nodes = {node["name"]: node for node in self.server.json("nodes")}
        self.assertTrue(nodes["n1"]["schedulable"])

    def test_b85_escapes_do_not_reach_a_terminal(self):
        paint = "\\033]0;owned\\007\\033[31mr\\302\\302\\23331med\\033[0m\\n"
        job = self.server.submit({"name": "paint", "run": ["printf", paint]})
        self.server.wait_end(job)
        primary, secondary = pty.openpty()
        subprocess.run([str(harness.BIN / "ym"), "logs", job], env=self.server.environment(), stdout=secondary, check=True,
                       timeout=harness.TIMEOUT)
        os.close(secondary)
        seen = b""
        while select.select([primary], [], [], 1)[0]:
            try:
                seen += os.read(primary, 4096)
            except OSError:
                break
        os.close(primary)
        self.assertIn(b"red\r\n", seen)
        self.assertNotIn(b"\x1b", seen)
        self.assertNotIn(b"\xc2", seen, "not as a character of two bytes either")


if __name__ == "__main__":
    unittest.main()
