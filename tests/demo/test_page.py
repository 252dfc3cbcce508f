"""The page of the demo holds what it should, and needs nothing else."""

import html.parser
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import made_up
import verdict

PYTHON = pathlib.Path(os.environ.get("YM_VENV", made_up.ROOT / "build/venv")) / "bin/python"


def has_plotly():
    return PYTHON.exists() and subprocess.run([str(PYTHON), "-c", "import plotly"], capture_output=True).returncode == 0


class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.loads, self.cells, self.items, self.inside = [], [], [], None

    def handle_starttag(self, tag, attributes):
        self.loads += [value for name, value in attributes if name in ("src", "href")]
        if tag in ("td", "li"):
            (self.cells if tag == "td" else self.items).append([dict(attributes).get("class"), ""])
        self.inside = {"td": self.cells, "li": self.items}.get(tag)

    def handle_data(self, data):
        if self.inside:
            self.inside[-1][1] += data

    def handle_endtag(self, tag):
        self.inside = None


@unittest.skipUnless(has_plotly(), "needs the virtual environment of the demo (tools/dev setup)")
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        record = made_up.changed(made_up.morning(), "search-1", name="<b>search-1")
        for attempt in made_up.named(record, "experiment-1")["attempts"]:
            attempt["placement"][0]["devices"] = ["1", "2"]
        tables = [["Who was stopped", *verdict.costs_table(record)], ["What became of them", *verdict.stops_table(record)]]
        story = {"record": record, "said": [["0:07", "team-b", "submits & borrows"]], "tables": tables,
                 "numbers": verdict.numbers(record), "promises": [["kept this", True], ["broke that", False]]}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "page.html"
            subprocess.run([str(PYTHON), "-B", str(made_up.ROOT / "demo/page.py"), str(path)], input=json.dumps(story), text=True, check=True)
            cls.text = path.read_text(encoding="utf-8")
        cls.reader = Reader()
        cls.reader.feed(cls.text)
        # Without the library: plotly's own source has all kinds of words.
        cls.drawn = cls.text[cls.text.rindex("Plotly.newPlot("):].encode().decode("unicode_escape", errors="ignore")

    def traces(self):
        """Of the chart, by name."""
        call = self.text[self.text.rindex("Plotly.newPlot("):]
        data, _ = json.JSONDecoder().raw_decode(call[call.index("["):])
        return {trace["name"]: trace for trace in data}

    def test_loads_nothing(self):
        self.assertEqual(self.reader.loads, [])
        self.assertGreater(len(self.text), 1_000_000)  # the library is in it

    def test_every_row_and_attempt(self):
        for word in ("n1 GPU 0", "n1 GPU 1", "n2 GPU 0", "n3 GPU 0", "experiment-0", "experiment-0 no. 2, from step 18", "embedding", "retraining", "late-0"):
            self.assertIn(word, self.drawn)

    def test_legend(self):
        self.assertEqual(sorted(self.traces()), sorted([
            "team-a", "team-b", "team-c", "team-b: second attempt, goes on where it stopped", "free, kept for the retraining",
            "grace: from the notice to its end", "lost: saving, leaving, starting and loading again", "notice: to stop",
            "framed: an attempt that was preempted", "no server, after its SIGKILL"]))

    def test_preempted_attempts_are_framed_and_others_are_not(self):
        trace = self.traces()["team-b"]
        framed = {name for name, width in zip(trace["text"], trace["marker"]["line"]["width"]) if width > 1}
        self.assertEqual(framed, {"experiment-0", "experiment-1"})
        self.assertIn("search-0", trace["text"])

    def test_graces_losses_and_notices_are_where_they_belong(self):
        traces = self.traces()
        self.assertEqual(traces["notice: to stop"]["y"], ["n1 GPU 0", "n1 GPU 1", "n1 GPU 2"])
        self.assertEqual([base[11:] for base in traces["grace: from the notice to its end"]["base"]], ["00:00:20"] * 3)
        self.assertEqual([base[11:] for base in traces["free, kept for the retraining"]["base"]], ["00:00:22.250000"] * 3)
        lost = traces["lost: saving, leaving, starting and loading again"]
        found = [(row, base[11:], round(length)) for row, base, length in zip(lost["y"], lost["base"], lost["x"])]
        self.assertEqual(sorted(found), [(f"n1 GPU {gpu}", *span) for gpu in range(3) for span in [("00:00:20", 2250), ("00:00:40", 2000)]])

    def test_the_death_of_the_server(self):
        self.assertIn("SIGKILL 1", self.drawn)
        self.assertRegex(self.drawn, r'"x0":\s*"2000-01-01T00:00:21"')

    def test_text_is_escaped(self):
        self.assertNotIn("<b>search-1", self.text[:self.text.index("<script")])
        self.assertIn("submits &amp; borrows", self.text)
        self.assertIn("&lt;b&gt;search-1", self.text)

    def test_numbers_and_promises(self):
        cells = [text for _, text in self.reader.cells]
        for word in ("steps done twice", "step 18, loss 0.1053", "64.0", "60.2", "spared: would lose more", "not to be stopped: within its own quota"):
            self.assertIn(word, cells)
        self.assertEqual(self.reader.items, [["kept", "kept this"], ["broken", "broke that"]])
        self.assertTrue(re.search(r"<h2>In numbers</h2>", self.text))


if __name__ == "__main__":
    unittest.main()
