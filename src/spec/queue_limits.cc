#include "spec/queue_limits.h"

#include <fmt/format.h>

#include "spec/quantities.h"

namespace ym::spec {
namespace {

constexpr std::int64_t kMostRunningJobs = 1'000'000;
constexpr std::int64_t kMostOfABudget = 1'000'000'000;
constexpr std::size_t kMaxBudgets = 16, kMaxPromises = 16;

void read_limit(MapReader& map, RunLimit& limit) {
  if (auto jobs = map.find("jobs")) limit.jobs = read_whole_number(*jobs, 0, kMostRunningJobs);
  if (auto gpus = map.find("gpus")) limit.gpus_milli = read_cpus(*gpus);
}

void read_limits(const Field& field, Queue& queue) {
  MapReader map(field);
  read_limit(map, queue.run_limit);
  if (auto users = map.find("per_user")) {
    MapReader own(*users);
    read_limit(own, queue.user_run_limit);
    own.finish();
  }
  map.finish();
}

void read_window(MapReader& map, Budget& budget) {
  const auto per = map.require("per", "write day, week or month");
  const auto text = per ? read_string(*per) : std::nullopt;
  const auto window = text ? parse_budget_window(*text) : std::nullopt;
  if (window) budget.per = *window;
  else if (text) per->wrong(fmt::format("{} is no window; write day, week or month", quoted(*text)));
}

// {gpu_hours: 100, per: month}, or {money: 500, per: week}.
Budget read_budget(const Field& field) {
  Budget budget;
  MapReader map(field);
  const auto gpu_hours = map.find("gpu_hours"), money = map.find("money");
  if (field.value->kind == Value::Kind::map && gpu_hours.has_value() == money.has_value())
    field.wrong("write gpu_hours or money, and how much of it");
  budget.unit = money ? BudgetUnit::money : BudgetUnit::gpu_hours;
  // A thousandth of a GPU-hour, of the currency's unit.
  const std::int64_t thousandth = money ? 1'000 : 3'600;
  if (const auto& given = money ? money : gpu_hours) {
    const auto amount = read_cpus(*given);
    if (amount && *amount > kMostOfABudget * kMilli) given->wrong(fmt::format("is more than {}", kMostOfABudget));
    else budget.amount = amount.value_or(0) * thousandth;
  }
  read_window(map, budget);
  map.finish();
  return budget;
}

WaitPromise read_promise(const Field& field) {
  WaitPromise promise;
  MapReader map(field);
  if (auto priority = map.find("priority"))
    promise.priority = static_cast<std::int32_t>(read_whole_number(*priority, 0, kHighestPriority).value_or(0));
  if (auto within = map.require("within", "write within how long such jobs are to begin, for example 30m"))
    promise.within = read_duration(*within, seconds(1), hours(365 * 24)).value_or(promise.within);
  map.finish();
  return promise;
}

// Each item of the list; `what`: for messages.
template <class Item>
std::vector<Item> read_each(const Field& field, std::string_view what, std::size_t most, Item (*read)(const Field&)) {
  std::vector<Item> items;
  const auto list = read_list(field, what);
  for (const auto& item : list.value_or(std::vector<Field>())) items.push_back(read(item));
  if (items.size() > most) field.wrong(fmt::format("more than {} {}", most, what));
  return items;
}

}  // namespace

void read_queue_limits(MapReader& policy, Queue& queue) {
  if (auto limits = policy.find("limits")) read_limits(*limits, queue);
  if (auto budgets = policy.find("budgets")) queue.budgets = read_each(*budgets, "budgets", kMaxBudgets, read_budget);
  if (auto delay = policy.find("shrink_after"))
    queue.shrink_after = read_duration(*delay, Duration{0}, hours(365 * 24));
  if (auto promises = policy.find("wait_promises"))
    queue.wait_promises = read_each(*promises, "promises", kMaxPromises, read_promise);
}

}  // namespace ym::spec
