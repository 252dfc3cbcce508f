"""One queue over two clusters, on two real Kubernetes control planes. Started by `tools/dev demo clusters`."""

import pathlib
import shutil
import signal
import subprocess
import sys
import unittest

DEMO = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(DEMO / "clusters")]
sys.dont_write_bytecode = True

import story as stories  # noqa: E402
import processes  # noqa: E402  (from tests/e2e)

WORK = DEMO.parent / "build/demo-clusters"


def interrupt(*_):
    raise KeyboardInterrupt


def main():
    signal.signal(signal.SIGTERM, interrupt)
    processes.end_all(str(WORK))
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    try:
        story = stories.Story(WORK)
    except unittest.SkipTest as missing:
        print(f"This demo needs a Kubernetes control plane on this machine: {missing}", file=sys.stderr)
        return 1
    try:
        return story.play().print()
    except KeyboardInterrupt:
        print("\nInterrupted; cleaning up.")
        return 130
    except (AssertionError, OSError, ValueError, KeyError, subprocess.SubprocessError) as problem:
        print(f"\nThe demo cannot go on: {problem}\n--- the end of the server's log\n{story.server.log_text()[-3000:] if story.server else ''}")
        return 1
    finally:
        story.close()


if __name__ == "__main__":
    sys.exit(main())
