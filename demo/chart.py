"""The Gantt chart of the page: GPUs over time."""

import datetime
import html as markup

import plotly.graph_objects as graph

import reckoning
from reckoning import instant

COLOURS = {"team-a": "#2563eb", "team-b": "#fbbf24", "team-c": "#34d399"}
OTHER, STOPPED, GRACE, LOST, KEPT, DEAD = "#9ca3af", "#dc2626", "#f87171", "#7f1d1d", "#bfdbfe", "#111827"
FULL, THIN = 0.84, 0.2  # heights in a row


class Clock:
    """Seconds of the epoch as times since the beginning, which the axis shows as minutes and seconds."""

    def __init__(self, begin):
        self.begin = begin

    def __call__(self, seconds):
        return datetime.datetime(2000, 1, 1) + datetime.timedelta(seconds=max(0.0, seconds - self.begin))

    def text(self, seconds):
        past = max(0, int(seconds - self.begin))
        return f"{past // 60}:{past % 60:02d}"


def row_of(device):
    return f"{device[0]} GPU {device[1]}"


def attempts(record):
    """(job, attempt, begin, end, devices) of each that ran; one that runs still ends with the record."""
    last = max(instant(attempt["ended_at"]) for job in record["jobs"] for attempt in job["attempts"] if attempt["ended_at"])
    for job in record["jobs"]:
        for attempt in job["attempts"]:
            if attempt["started_at"]:
                yield job, attempt, instant(attempt["started_at"]), instant(attempt["ended_at"]) or last, reckoning.devices_of(attempt)


def describe(job, attempt, begin, end, clock):
    lines = [f"<b>{markup.escape(job['name'])}</b>, attempt {attempt['number']}",
             f"{markup.escape(job['queue'])}, priority {job['priority']}",
             f"{clock.text(begin)} to {clock.text(end)}, {end - begin:.1f} s"]
    if attempt["resumes_from"]:
        lines.append(f"went on from step {attempt['resumes_from']['step']}")
    if attempt["ended_by"]:
        lines.append(f"ended by {attempt['ended_by']}" if attempt["ended_by"] != "preempted" else "preempted")
    return "<br>".join(lines)


def label(job, attempt):
    if attempt["number"] == 1:
        return job["name"]
    step = f", from step {attempt['resumes_from']['step']}" if attempt["resumes_from"] else ""
    return f"{job['name']} no. {attempt['number']}{step}"


class Chart:
    def __init__(self, record):
        self.record, self.figure = record, graph.Figure()
        self.clock = Clock(record["begin"])
        self.stops = reckoning.stops(record)
        self.rows = sorted({row_of(device) for *_, devices in attempts(record) for device in devices})

    def bars(self, name, spans, colour, width=FULL, **more):
        """`spans`: (row, begin, end, text on it, text beside the pointer)."""
        if not spans:
            return
        rows, begins, ends, texts, hovers = zip(*spans)
        marker = {"color": colour, "line": {"color": "white", "width": 0.5}} | more.pop("marker", {})
        self.figure.add_bar(orientation="h", name=name, y=rows, base=[self.clock(begin) for begin in begins],
                            x=[(end - begin) * 1000 for begin, end in zip(begins, ends)], width=width, text=texts, hovertext=hovers,
                            hoverinfo="text", textposition="inside", insidetextanchor="start", constraintext="none", cliponaxis=True,
                            marker=marker, **more)

    def sign(self, name, symbol, colour, at=(), rows=(), hover=(), size=11, line=0.0):
        """Symbols in the chart; without any, only an entry of the legend."""
        self.figure.add_scatter(mode="markers", name=name, x=[self.clock(moment) for moment in at] or [None], y=list(rows) or [None],
                                hovertext=list(hover), hoverinfo="text",
                                marker={"symbol": symbol, "color": colour, "size": size, "line": {"color": "white", "width": line}})

    # --- the layers, from the back to the front
    def draw_attempts(self):
        for queue in sorted({job["queue"] for job, *_ in attempts(self.record)}):
            self.draw_queue(queue, first=True)
        for queue in sorted({job["queue"] for job, *_ in attempts(self.record)}):
            self.draw_queue(queue, first=False)

    def draw_queue(self, queue, first):
        mine = [entry for entry in attempts(self.record) if entry[0]["queue"] == queue and (entry[1]["number"] == 1) == first]
        mine.sort(key=lambda entry: entry[1]["ended_by"] == "preempted")  # the legend looks like the first
        spans, stopped = [], []
        for job, attempt, begin, end, devices in mine:
            for device in devices:
                spans.append((row_of(device), begin, end, label(job, attempt), describe(job, attempt, begin, end, self.clock)))
                stopped.append(attempt["ended_by"] == "preempted")
        marker = {"line": {"color": [STOPPED if was else "white" for was in stopped], "width": [2.5 if was else 0.5 for was in stopped]}}
        if not first:
            marker["pattern"] = {"shape": "/", "fgcolor": "white", "fgopacity": 0.55, "size": 7, "solidity": 0.25}
        self.bars(queue if first else f"{queue}: second attempt, goes on where it stopped", spans, COLOURS.get(queue, OTHER),
                  marker=marker, textfont={"color": "white" if queue == "team-a" else "#111827", "size": 11})

    def draw_kept(self):
        spans = []
        begins = {job["id"]: instant(job["started_at"]) for job in self.record["jobs"]}
        for stop in self.stops:
            until = begins.get(stop.yields_to)
            for device in reckoning.devices_of(stop.job["attempts"][stop.number - 1]):
                if until and until > stop.ended:
                    spans.append((row_of(device), stop.ended, until, "", "free, and kept for whom it was freed"))
        self.bars("free, kept for the retraining", spans, KEPT, marker={"line": {"color": COLOURS["team-a"], "width": 1}})

    def draw_stops(self):
        graces, losses, notices = [], [], []
        for stop in self.stops:
            what = f"<b>{markup.escape(stop.job['name'])}</b> was told to stop at {self.clock.text(stop.noticed)}"
            save = f"saved step {stop.save.number}" if stop.save else "saved nothing"
            for device in reckoning.devices_of(stop.job["attempts"][stop.number - 1]):
                graces.append((row_of(device), stop.noticed, stop.ended, "", f"{what}<br>{save}, left after {stop.ended - stop.noticed:.1f} s"))
                notices.append((stop.noticed, row_of(device), what))
            for begin, end in stop.lost_spans:
                hover = f"{markup.escape(stop.job['name'])}: {end - begin:.1f} s without a step of its training"
                losses += [(row_of(device), begin, end, "", hover) for device in self.devices_at(stop, begin)]
        self.bars("grace: from the notice to its end", graces, GRACE, marker={"pattern": {"shape": "x", "fgcolor": "white", "size": 6}})
        self.bars("lost: saving, leaving, starting and loading again", losses, LOST, width=THIN, offset=-FULL / 2)
        if notices:
            self.sign("notice: to stop", "triangle-down", STOPPED, *zip(*notices), line=1)

    def devices_at(self, stop, moment):
        """Of the attempt that was stopped, or of the next one."""
        return reckoning.devices_of(stop.job["attempts"][stop.number - 1 if moment < stop.ended else stop.number])

    def draw_moments(self):
        for number, (killed, started) in enumerate(self.record["deaths"], 1):
            self.figure.add_vrect(x0=self.clock(killed), x1=self.clock(started), fillcolor=DEAD, opacity=0.18, line_width=0)
            self.note(killed, f"<b>SIGKILL {number}</b>", "left")
        for job in self.record["jobs"]:
            if job["name"] == "retraining":
                submitted = instant(job["submitted_at"])
                self.figure.add_vline(x=self.clock(submitted), line={"color": COLOURS["team-a"], "width": 2, "dash": "dot"})
                self.note(submitted, "<b>retraining</b> submitted", "right")

    def note(self, moment, text, anchor):
        self.figure.add_annotation(x=self.clock(moment), y=1, yref="paper", yanchor="bottom", xanchor=anchor, text=text, showarrow=False,
                                   font={"size": 12, "color": "#111827"})

    def explain(self):
        """What no trace of its own has in the legend."""
        if self.stops:
            self.sign("framed: an attempt that was preempted", "square-open", STOPPED, size=12, line=2)
        if self.record["deaths"]:
            self.sign("no server, after its SIGKILL", "square", "#d1d5db", size=13)

    def finish(self):
        self.figure.update_layout(barmode="overlay", height=230 + 25 * len(self.rows), margin={"l": 80, "r": 20, "t": 150, "b": 45},
                                  plot_bgcolor="white", hoverlabel={"align": "left"}, font={"size": 12},
                                  legend={"orientation": "h", "y": 1.07, "yanchor": "bottom", "x": 0, "traceorder": "normal"})
        self.figure.update_yaxes(categoryorder="array", categoryarray=self.rows[::-1], title=None, fixedrange=True,
                                 showgrid=True, gridcolor="#f3f4f6", range=[-0.6, len(self.rows) - 0.4])
        self.figure.update_xaxes(type="date", tickformat="%-M:%S", gridcolor="#e5e7eb", title="minutes and seconds since the beginning",
                                 rangemode="tozero")
        for below, (row, following) in enumerate(zip(self.rows, self.rows[1:]), 1):
            if row.split()[0] != following.split()[0]:  # another node
                self.figure.add_hline(y=len(self.rows) - below - 0.5, line={"color": "#9ca3af", "width": 1})


def html(record):
    chart = Chart(record)
    chart.draw_attempts()
    chart.draw_kept()
    chart.draw_stops()
    chart.draw_moments()
    chart.explain()
    chart.finish()
    return chart.figure.to_html(full_html=False, include_plotlyjs=True, config={"displaylogo": False, "responsive": True})
