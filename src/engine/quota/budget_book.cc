#include "engine/quota/budget_book.h"

namespace ym::engine {

void BudgetBook::rebuild(const std::map<std::string, Queue>& rows, const Names<QueueIndex>& queue_names) {
  any_ = false;
  nodes_.assign(queue_names.size(), {});
  for (const auto& [name, row] : rows) {
    Node& node = nodes_[queue_names.find(name)];
    node.parent = row.parent.empty() ? QueueIndex{} : queue_names.find(row.parent);
    node.budgets = row.budgets;
    any_ = any_ || !row.budgets.empty();
  }
}

// Going up in a loop of queues does not end. No job starts there, but some may still run.
template <class Nodes, class Visit>
void BudgetBook::climb(Nodes& nodes, QueueIndex queue, Visit visit) {
  for (std::size_t steps = 0; nodes.has(queue) && steps < nodes.size(); ++steps, queue = nodes[queue].parent)
    if (visit(queue, nodes[queue])) return;
}

template <class Change>
void BudgetBook::change(QueueIndex queue, std::int64_t day, Change change) {
  if (!any_) return;
  climb(nodes_, queue, [&](QueueIndex, Node& node) {
    Cost& cost = node.by_day[day];
    change(cost);
    if (cost == Cost{}) node.by_day.erase(day);
    return false;
  });
}

void BudgetBook::add(QueueIndex queue, std::int64_t day, const Cost& cost) {
  change(queue, day, [&](Cost& sum) { sum += cost; });
}

void BudgetBook::remove(QueueIndex queue, std::int64_t day, const Cost& cost) {
  change(queue, day, [&](Cost& sum) { sum -= cost; });
}

bool BudgetBook::any(QueueIndex queue) const {
  bool found = false;
  if (any_) climb(nodes_, queue, [&](QueueIndex, const Node& node) { return found = !node.budgets.empty(); });
  return found;
}

std::int64_t BudgetBook::used(QueueIndex queue, const Budget& budget, Instant now) const {
  const auto& by_day = nodes_[queue].by_day;
  Cost sum;
  for (auto day = by_day.lower_bound(window_begin(budget.per, now)); day != by_day.end(); ++day) sum += day->second;
  return sum.in(budget.unit);
}

std::optional<BudgetHit> BudgetBook::hit(QueueIndex queue, const Cost& cost, Instant now) const {
  std::optional<BudgetHit> found;
  if (!any_ || cost == Cost{}) return found;
  climb(nodes_, queue, [&](QueueIndex index, const Node& node) {
    for (const Budget& budget : node.budgets) {
      const std::int64_t needed = cost.in(budget.unit), spent = used(index, budget, now);
      if (found || needed == 0 || needed <= budget.amount - spent) continue;
      found = BudgetHit{.queue = index, .budget = budget, .used = spent, .needed = needed};
    }
    return found.has_value();
  });
  return found;
}

}  // namespace ym::engine
