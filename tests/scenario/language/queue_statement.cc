// The queues of a scenario.
#include <fmt/format.h>

#include "scenario/language/scenario.h"

namespace ym::testing {
namespace {

std::int64_t read_amount(Words& words, ResourceKind kind) {
  return kind == ResourceKind::memory ? words.bytes("an amount") : words.thousandths("an amount");
}

// After "quota": FLAVOR (KIND NOMINAL [borrow N] [lend N])*
void read_quota(Queue& queue, Words& words) {
  if (!queue.quota) queue.quota.emplace();
  const std::string flavor = words.take("a flavor");
  if (flavor == "none") return;
  FlavorQuota& quota = (*queue.quota)[flavor];
  while (const auto kind = parse_enum<ResourceKind>(words.peek())) {
    words.take("");
    Quota& own = quota[static_cast<std::size_t>(*kind)].emplace();
    own.nominal = read_amount(words, *kind);
    if (words.skip("borrow")) own.borrowing_limit = read_amount(words, *kind);
    if (words.skip("lend")) own.lending_limit = read_amount(words, *kind);
  }
}

// A word of a closed set. `wrong` is the error for another word.
template <class Choice>
Choice read_choice(Words& words, std::optional<Choice> (*parse)(std::string_view), std::string_view wrong) {
  const std::string text = words.take("a word");
  const auto choice = parse(text);
  if (!choice) throw ScenarioError(fmt::format("'{}' {}", text, wrong));
  return *choice;
}

PreemptRule read_rule(Words& words) {
  return read_choice(words, parse_enum<PreemptRule>, "is no rule: never, lower-priority or any is wanted");
}

FlavorSearch read_search(Words& words) {
  return read_choice(words, parse_enum<FlavorSearch>, "is neither stop nor try-next");
}

// [jobs N] [gpus N]
void read_limit(Words& words, RunLimit& limit) {
  if (words.skip("jobs")) limit.jobs = words.number("a number");
  if (words.skip("gpus")) limit.gpus_milli = words.thousandths("an amount");
}

// gpu-hours|money N per day|week|month
Budget read_budget(Words& words) {
  Budget budget{.unit = read_choice(words, parse_enum<BudgetUnit>, "is neither gpu-hours nor money")};
  const std::int64_t thousandth = budget.unit == BudgetUnit::gpu_hours ? 3'600 : 1'000;
  budget.amount = words.thousandths("an amount") * thousandth;
  if (!words.skip("per")) throw ScenarioError("'per' and day, week or month are wanted");
  budget.per = read_choice(words, parse_enum<BudgetWindow>, "is neither day nor week nor month");
  return budget;
}

}  // namespace

void Scenario::queue(Words& words) {
  Queue queue = read_queue(words);
  const auto before = world_.tables().queues.find(queue.name);
  if (before != world_.tables().queues.end()) queue = following(before->second, std::move(queue), world_.now());
  world_.apply(QueueSet{std::move(queue)});
}

void Scenario::reservation(Words& words) {
  AdvanceReservation reservation{.name = words.take("a name")};
  while (!words.done()) {
    if (words.skip("from")) reservation.from = words.time("a time");
    else if (words.skip("until")) reservation.until = words.time("a time");
    else if (words.skip("nodes")) reservation.nodes = expand(words.take("names"));
    else if (words.skip("users")) reservation.users = words.list("users");
    else if (words.skip("queues")) reservation.queues = words.list("queues");
    else words.end();
  }
  world_.apply(ReservationSet{std::move(reservation)});
}

void Scenario::compare(Words& words) {
  decided_ = true;
  diff_ = engine::compare(world_.state(), policy_, world_.now(), {.queues = {read_queue(words)}});
}

Queue Scenario::read_queue(Words& words) {
  Queue queue;
  queue.name = words.take("a name");
  while (!words.done()) {
    if (words.skip("parent")) queue.parent = words.take("a queue");
    else if (words.skip("quota")) read_quota(queue, words);
    else if (words.skip("age_cap")) queue.age_cap = words.duration("a duration");
    else if (words.skip("closed")) queue.accepts_jobs = false;
    else if (words.skip("preempt")) queue.preempt = read_rule(words);
    else if (words.skip("reclaim")) queue.reclaim = read_rule(words);
    else if (words.skip("preempt_to_borrow"))
      queue.preempt_to_borrow = static_cast<std::int32_t>(words.number("a priority"));
    else if (words.skip("min_runtime")) queue.min_runtime.priority = words.duration("a duration");
    else if (words.skip("reclaim_min_runtime")) queue.min_runtime.reclaim = words.duration("a duration");
    else if (words.skip("fence")) queue.fence = true;
    else if (words.skip("order")) queue.order = read_choice(words, parse_enum<JobOrder>, "is no order of jobs");
    else if (words.skip("fair_users")) queue.fair_users = true;
    else if (words.skip("strict")) queue.strict = true;
    else if (words.skip("stop"))
      queue.stop =
          read_choice(words, parse_enum<StopPolicy>, "is no stop policy: none, hold or hold-and-drain is wanted");
    else if (words.skip("levels")) queue.service_levels = {words.duration("a duration"), words.duration("a duration")};
    else if (words.skip("age_boost"))
      queue.age_boost = {.every = words.duration("a duration"),
                         .most = static_cast<std::int32_t>(words.number("points"))};
    else if (words.skip("reservations"))
      queue.reservations = words.skip("all") ? kAllReserve : static_cast<std::int32_t>(words.number("a number"));
    else if (words.skip("limit")) read_limit(words, queue.run_limit);
    else if (words.skip("budget")) queue.budgets.push_back(read_budget(words));
    else if (words.skip("shrink_after")) queue.shrink_after = words.duration("a duration");
    else if (words.skip("user_limit")) read_limit(words, queue.user_run_limit);
    else if (words.skip("when_can_borrow")) queue.when_can_borrow = read_search(words);
    else if (words.skip("when_can_preempt")) queue.when_can_preempt = read_search(words);
    else if (words.skip("weight")) queue.weight_milli = words.number("a weight") * 1000;
    else words.end();
  }
  return queue;
}

}  // namespace ym::testing
