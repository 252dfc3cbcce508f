"""The morning as one HTML page: who used which GPU when, who was stopped for whom, what it cost.

Self-contained: the chart library (plotly) is inlined, nothing is loaded from a network. Reads its story as JSON from
standard input: {"record": see reckoning.py, "said": [[clock, who, text]], "tables": [[title, head, rows]],
"numbers": [[what, value]], "promises": [[what, kept]]}.
"""

import html
import json
import pathlib
import sys

import chart

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 1280px; padding: 0 1rem; color: #111827; }
h1 { font-size: 1.5rem; margin-bottom: .25rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p { max-width: 75ch; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .25rem 1.2rem .25rem 0; border-bottom: 1px solid #e5e7eb; }
th { font-size: .75rem; color: #4b5563; }
ul { list-style: none; padding: 0; } li { padding-left: 1.5em; text-indent: -1.5em; }
.kept::before { content: "\\2713\\a0\\a0"; color: #047857; } .broken::before { content: "\\2717\\a0\\a0"; color: #b91c1c; }
"""


def table(head, rows):
    cells = "".join(f"<th>{html.escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def section(title, content):
    return f"<h2>{html.escape(title)}</h2>\n{content}\n"


def page(story):
    items = "".join(f'<li class="{"kept" if kept else "broken"}">{html.escape(what)}</li>' for what, kept in story["promises"])
    parts = [section("In numbers", table(("WHAT", "VALUE"), story["numbers"]))]
    parts += [section(title, table(head, rows)) for title, head, rows in story["tables"]]
    parts += [section("What happened", table(("AT", "WHO", "WHAT"), story["said"])), section("Promised and checked", f"<ul>{items}</ul>")]
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Yardmaster: a team's morning</title><style>{STYLE}</style></head><body>
<h1>A team's morning: three teams, twenty GPUs, one queue</h1>
<p>Each row is a GPU, each bar an attempt of a job on it, coloured by its team. team-b had borrowed team-a's idle GPUs when
team-a's retraining arrived. The jobs that lost least by it were stopped: they saved, left, and went on later from that
step in a second attempt. Point at a bar to read more; a click in the legend hides a kind.</p>
{chart.html(story["record"])}
{"".join(parts)}</body></html>
"""


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).write_text(page(json.load(sys.stdin)), encoding="utf-8")
