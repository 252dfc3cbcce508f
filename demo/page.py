"""The morning as one HTML page: who used which GPU when, what was preempted, what it cost.

Self-contained: the chart library (plotly) is inlined, nothing is loaded from a network.
"""

import datetime
import html
import json
import pathlib
import sys

import plotly.graph_objects as graph

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/e2e"))
from verdict import instant  # noqa: E402  (it looks for the test harness)

COLOURS = {"team-a": "#2563eb", "team-b": "#f59e0b", "team-c": "#10b981"}
PREEMPTED, OTHER = "#dc2626", "#6b7280"
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 1200px; padding: 0 1rem; color: #111827; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .25rem .9rem .25rem 0; border-bottom: 1px solid #e5e7eb; }
.kept::before { content: "\\2713\\a0"; color: #059669; } .broken::before { content: "\\2717\\a0"; color: #dc2626; }
"""


def moment(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)


def bars(jobs, end):
    """One for each device of each attempt that ran."""
    for job in jobs:
        for attempt in job["attempts"]:
            begin = instant(attempt["started_at"])
            if not begin:
                continue
            for task in attempt["placement"]:
                for device in task["devices"]:
                    yield {"job": job, "attempt": attempt, "device": f"{task['node']} GPU {device}", "begin": begin,
                           "end": instant(attempt["ended_at"]) or end}


def describe(bar):
    job, attempt = bar["job"], bar["attempt"]
    lines = [f"<b>{html.escape(job['name'])}</b> ({job['id']}), attempt {attempt['number']}",
             f"{html.escape(job['queue'])}, priority {job['priority']}", f"{bar['end'] - bar['begin']:.1f} s"]
    if attempt["ended_by"] == "preempted":
        lines.append(f"preempted, {attempt.get('lost_gpu_seconds') or 0:.1f} GPU-seconds lost")
    elif attempt["ended_by"]:
        lines.append(f"ended by {attempt['ended_by']}")
    return "<br>".join(lines)


def chart(jobs, deaths, end):
    figure = graph.Figure()
    rows = sorted(bars(jobs, end), key=lambda bar: (bar["device"], bar["begin"]))
    for queue in sorted({bar["job"]["queue"] for bar in rows}):
        mine = [bar for bar in rows if bar["job"]["queue"] == queue]
        stopped = [bar["attempt"]["ended_by"] == "preempted" for bar in mine]
        figure.add_bar(orientation="h", name=queue, y=[bar["device"] for bar in mine], base=[moment(bar["begin"]) for bar in mine],
                       x=[(bar["end"] - bar["begin"]) * 1000 for bar in mine], width=0.8,
                       hovertext=[describe(bar) for bar in mine], hoverinfo="text",
                       text=[bar["job"]["name"] for bar in mine], textposition="inside", insidetextanchor="start",
                       marker={"color": COLOURS.get(queue, OTHER),
                               "line": {"color": [PREEMPTED if was else "white" for was in stopped],
                                        "width": [2.5 if was else 0.5 for was in stopped]}})
    for killed, started in deaths:
        figure.add_vrect(x0=moment(killed), x1=moment(started), fillcolor="#111827", opacity=0.15, line_width=0,
                         annotation_text="no server (SIGKILL)", annotation_position="top left")
    devices = sorted({bar["device"] for bar in rows})
    figure.update_layout(barmode="overlay", height=120 + 24 * len(devices), margin={"l": 90, "r": 20, "t": 40, "b": 40},
                         plot_bgcolor="white", legend={"orientation": "h", "y": 1.06})
    figure.update_yaxes(categoryorder="array", categoryarray=devices[::-1], title=None)
    figure.update_xaxes(type="date", tickformat="%H:%M:%S", gridcolor="#e5e7eb", title="time (UTC)")
    return figure.to_html(full_html=False, include_plotlyjs=True)


def table(head, rows):
    cells = "".join(f"<th>{html.escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def write(path, jobs, deaths, numbers, promises):
    """`deaths`: (killed, started again) of the server, in seconds of the epoch; `numbers`: rows of (what, value),
    the same that the terminal shows; `promises`: (what, kept)."""
    ends = [instant(attempt["ended_at"]) for job in jobs for attempt in job["attempts"] if attempt["ended_at"]]
    items = "".join(f'<li class="{"kept" if kept else "broken"}">{html.escape(what)}</li>' for what, kept in promises)
    path.write_text(f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Yardmaster: a team's morning</title><style>{STYLE}</style></head><body>
<h1>A team's morning: three teams, twenty GPUs, one queue</h1>
<p>Each row is a GPU, each bar an attempt on it, coloured by the team's queue. A red frame is an attempt that was preempted.</p>
{chart(jobs, deaths, max(ends))}
<h2>In numbers</h2>{table(("what", "value"), numbers)}
<h2>Promised and checked</h2><ul style="list-style: none; padding: 0">{items}</ul>
</body></html>
""", encoding="utf-8")


if __name__ == "__main__":
    story = json.load(sys.stdin)
    write(pathlib.Path(sys.argv[1]), story["jobs"], story["deaths"], story["numbers"], story["promises"])
