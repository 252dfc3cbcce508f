"""Plays the morning of a team and checks what it shows. Started by `tools/dev demo`."""

import json
import pathlib
import shutil
import signal
import subprocess
import sys
import time

DEMO = pathlib.Path(__file__).resolve().parent
ROOT = DEMO.parent
WORK = ROOT / "build/demo"
sys.path[:0] = [str(ROOT / "tests/e2e")]
sys.dont_write_bytecode = True

import harness  # noqa: E402  (from tests/e2e)
import morning  # noqa: E402
import processes  # noqa: E402  (from tests/e2e)
import verdict  # noqa: E402
from timeline import TimeLine  # noqa: E402


def interrupt(*_):
    raise KeyboardInterrupt


def fresh_folder():
    """Also ends what a demo that was killed may have left running."""
    processes.end_all(str(WORK / "server"))
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    return WORK / "server"


def tables(record):
    return [("Who was stopped, and why those: what a stop of each node would have lost", *verdict.costs_table(record)),
            ("What became of those that were stopped", *verdict.stops_table(record)),
            ("All jobs", *verdict.jobs_table(record))]


def draw(story):
    """The page is drawn by the Python that has the chart library; its path comes last."""
    (WORK / "story.json").write_text(json.dumps(story), encoding="utf-8")
    path = WORK / "morning.html"
    subprocess.run([str(ROOT / "build/venv/bin/python"), "-B", str(DEMO / "page.py"), str(path)], input=json.dumps(story), text=True,
                   check=True)
    print(f"\nThe morning as a page, every GPU and every attempt:\n{path}")


def play(server):
    line, promises, begin = TimeLine(sys.stdout), verdict.Promises(), time.time()
    with verdict.TorchCount("train_digits.py") as torch_count:
        record = morning.play(server, line, promises) | {"begin": begin}
    verdict.judge(record, torch_count.most, line.seconds(), promises)
    shown, numbers = tables(record), verdict.numbers(record)
    for title, head, rows in shown[::-1]:
        verdict.print_table(title, head, rows)
    verdict.print_numbers(numbers)
    status = promises.print()
    draw({"record": record, "said": line.said, "tables": shown, "numbers": numbers, "promises": promises.kept})
    return status


def main():
    signal.signal(signal.SIGTERM, interrupt)
    server = harness.Server(fresh_folder(), (DEMO / "cluster.yaml").read_text(encoding="utf-8"))
    try:
        return play(server)
    except KeyboardInterrupt:
        print("\nInterrupted; cleaning up.")
        return 130
    except (AssertionError, OSError, ValueError, KeyError, subprocess.SubprocessError) as problem:
        print(f"\nThe demo cannot go on: {problem}\n--- the end of the server's log\n{server.log_text()[-3000:]}")
        return 1
    finally:
        server.close()


if __name__ == "__main__":
    sys.exit(main())
