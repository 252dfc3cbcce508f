"""What stops cost when queues lend to each other: whole lives of small random worlds, by the engine and by rules on quantities.

The same on every machine, so that it need not be quiet. `YM_WORLDS`: how many of each kind (200), `YM_FIRST_SEED`: from which on (0).
"""

import os
import statistics

import measure as m
import servers
from lives import rules, worlds

WORLDS = int(os.environ.get("YM_WORLDS", "200"))
FIRST = int(os.environ.get("YM_FIRST_SEED", "0"))
RULES = {"nodes": [], "burst": ["each stop alone", "one target"], "spread": ["each stop alone", "one target", "one target, weighed"]}
# GPU time lost, in percent (mean, p90, worst), and most stops of one job in the worst life: of the 200 worlds from seed 0 on.
WANTED = {"nodes": ((4, 10, 25), 3), "burst": ((2.1, 6.2, 20), 4), "spread": ((9.6, 19.7, 39), 5)}


class Lives:
    """Figures of many lives."""

    def __init__(self):
        self.lost, self.most, self.completion = [], [], []

    def add(self, world, outcomes):
        self.lost.append(100 * sum(one.lost for one in outcomes) / world.work)
        self.most.append(max(one.stops for one in outcomes))
        self.completion.append(statistics.mean(one.completion for one in outcomes))

    def lost_figures(self):
        lost = sorted(self.lost)
        return statistics.mean(lost), lost[int(.9 * len(lost))], lost[-1]

    def __str__(self):
        mean, p90, worst = self.lost_figures()
        most = sorted(self.most)
        return (f"{mean:.1f}, {p90:.1f}, {worst:.0f} % of GPU time; most stops {statistics.mean(most):.1f}, "
                f"{most[int(.9 * len(most))]}, {most[-1]}; completion {statistics.mean(self.completion):,.0f} s")


def is_reached(lives, kind):
    wanted, stops = WANTED[kind]
    mean, p90, worst = lives.lost_figures()
    return round(mean, 1) <= wanted[0] and round(p90, 1) <= wanted[1] and round(worst) <= wanted[2] and max(lives.most) <= stops


def measure():
    table = m.Table("Lives: GPU time that stops lose, and most stops of one job (mean, p90, worst)")
    folder = servers.folder("lives")
    for kind in worlds.KINDS:
        ours, marks = Lives(), {rule: Lives() for rule in RULES[kind]}
        for seed in range(FIRST, FIRST + WORLDS):
            world = worlds.make(kind, seed)
            ours.add(world, worlds.by_engine(world, folder))
            for rule, lives in marks.items():
                lives.add(world, rules.Life(world, rule).outcomes())
        wanted, stops = WANTED[kind]
        table.row(f"`{kind}`, {WORLDS:,} worlds", str(ours), wanted=f"<= {', '.join(map(str, wanted))} %; {stops}",
                  reached=is_reached(ours, kind) if (WORLDS, FIRST) == (200, 0) else None)
        for rule, lives in marks.items():
            table.row(f"`{kind}`: {rule}", str(lives), wanted="printed")
    yield table
