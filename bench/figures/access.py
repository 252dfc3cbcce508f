"""Who may do what: 10,000 bindings, 1,000 groups. The peer reads all bindings for each question."""

import measure as m

GOAL = 500_000


def measure():
    rounds = [m.program("bench_access") for _ in range(m.ROUNDS)]
    if not all(one["agree"] for one in rounds):
        raise RuntimeError("the peer gives other answers")
    rates = [one["checks"] / one["seconds"] for one in rounds]
    naive = [one["naive_checks"] / one["naive_seconds"] for one in rounds]
    changes = [1000 * one["change_seconds"] / one["changes"] for one in rounds]
    rate, peer = m.median(rates), m.median(naive)
    table = m.Table("access checks: 10,000 bindings, 1,000 groups, 2,000 principals")
    table.row("a check of a principal's rights, one core", f"{rate:,.0f}/s {m.spread(rates)}", f"all bindings read: {peer:,.0f}/s",
              f"{rate / peer:,.0f}", f">= {GOAL:,}/s", rate >= GOAL)
    table.row("the first check after a change of a binding", f"{m.median(changes):.2f} ms {m.spread(changes)}", "-", "-", "-", None)
    yield table
