#include "reference/budgets.h"

#include <algorithm>

#include "model/flavor_mix.h"
#include "reference/parts.h"

namespace ym::reference {
namespace {

constexpr Duration kDay = hours(24);

Instant midnight(Instant time) { return {time.ms / kDay.ms * kDay.ms}; }

// The first of January 1970 was a Thursday.
bool begins(BudgetWindow window, Instant day) {
  if (window == BudgetWindow::week) return (day.ms / kDay.ms + 3) % 7 == 0;
  return window == BudgetWindow::day || to_rfc3339(day).substr(8, 2) == "01";
}

}  // namespace

std::vector<std::string> Budgets::way_up(std::string queue) const {
  std::vector<std::string> way;
  while (t_.queues.contains(queue) && std::ranges::find(way, queue) == way.end()) {
    way.push_back(queue);
    queue = t_.queues.at(queue).parent;
  }
  return way;
}

Budgets::Run Budgets::costs(const Job& job, const std::string& flavor, std::size_t nodes,
                            const std::vector<std::int64_t>& prices) const {
  const auto names = split_flavors(flavor);
  const std::int64_t limit = job.spec->time_limit.value_or(Duration{}).ms;
  Run run{.queue = job.queue, .gpu_ms = 0, .money = 0, .admitted = now_};
  for (const auto& [own, part] : parts_of(job, flavor, static_cast<std::int64_t>(nodes))) {
    const std::int64_t gpu_ms = part.spec->total()[ResourceKind::gpus] * limit / kMilli;
    const std::int64_t price = prices.at(static_cast<std::size_t>(std::ranges::find(names, own) - names.begin()));
    run.gpu_ms += gpu_ms;
    run.money += gpu_ms * price / hours(1).ms;
  }
  return run;
}

void Budgets::run(const Job& job, const std::string& queue, const std::string& flavor, std::size_t nodes,
                  const Attempt* attempt) {
  const bool is_priced = attempt && !attempt->prices_micros.empty();
  Run run = costs(job, flavor, nodes, is_priced ? attempt->prices_micros : prices_of(flavor, t_.flavors));
  run.queue = queue;
  if (attempt) run.admitted = attempt->admitted_at;
  runs_.push_back(run);
}

Instant Budgets::begin_of(BudgetWindow window, Instant time) const {
  Instant day = midnight(time);
  while (!begins(window, day)) day = day - kDay;
  return day;
}

Instant Budgets::end_of(BudgetWindow window) const {
  Instant day = midnight(now_) + kDay;
  while (!begins(window, day)) day = day + kDay;
  return day;
}

std::int64_t Budgets::used(const std::string& queue, const Budget& budget) const {
  const bool money = budget.unit == BudgetUnit::money;
  const Instant begin = begin_of(budget.per, now_);
  const auto counts = [&](const std::string& other) {
    const auto way = way_up(other);
    return std::ranges::find(way, queue) != way.end();
  };
  std::int64_t sum = 0;
  for (const Run& run : runs_)
    if (counts(run.queue) && run.admitted >= begin) sum += money ? run.money : run.gpu_ms;
  for (const auto& [name, row] : t_.spending)
    if (counts(row.queue) && Instant{row.day * kDay.ms} >= begin)
      sum += money ? row.cost.money_micros : row.cost.gpu_ms;
  return sum;
}

std::optional<Instant> Budgets::exceeds(const Job& job, const std::string& flavor) const {
  if (job.spec->total()[ResourceKind::gpus] == 0) return std::nullopt;
  const Run asked = costs(job, flavor, static_cast<std::size_t>(job.spec->nodes), prices_of(flavor, t_.flavors));
  for (const auto& name : way_up(job.queue))
    for (const Budget& budget : t_.queues.at(name).budgets) {
      const std::int64_t needed = budget.unit == BudgetUnit::money ? asked.money : asked.gpu_ms;
      const bool unknown = !job.spec->time_limit;
      if (unknown || (needed > 0 && used(name, budget) + needed > budget.amount)) return end_of(budget.per);
    }
  return std::nullopt;
}

Over Budgets::over(const Job& job, const std::vector<std::string>& flavors) const {
  Over over;
  for (const auto& flavor : flavors) {
    const auto end = exceeds(job, flavor);
    if (!end) over.everywhere = false;
    if (end && !over.whole) {
      over.whole = end;
      over.flavor = flavor;
    }
  }
  over.everywhere = over.everywhere && over.whole;
  return over;
}

}  // namespace ym::reference
