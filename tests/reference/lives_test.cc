// Random lives of queues that lend to each other: preemptions come to rest, over time and not only at one instant.
//
// Jobs arrive and run for their time until none is left. They save only in worlds with consolidation. Between two
// arrivals no job is preempted twice, so after the last arrival each is preempted at most once more. Every job ends, so
// no job preempts others in vain forever.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "scenario/language/world.h"

namespace ym::reference {
namespace {

#if __has_feature(address_sanitizer)
constexpr int kLifeWorlds = 40;
#else
constexpr int kLifeWorlds = 2000;
#endif

struct LivesSeen {
  int jobs = 0, stops = 0, twice = 0, after_last_arrival = 0, shrunk = 0, to_borrow = 0, moved = 0;
};

class Life {
 public:
  Life(std::uint64_t seed, LivesSeen& seen) : luck_(seed), seen_(seen) {
    world_.compare_every(50);
    policy_.preemptions_per_hour = 1'000'000;
    policy_.restart_cost = minutes(1);
    if (one_in(4)) policy_.consolidation = Consolidation::on;
    add_machines();
    add_queues();
    const auto many = 4 + below(16);
    const Duration within = one_in(2) ? minutes(1) : hours(2);
    for (std::int64_t i = 0; i < many; ++i)
      arrivals_.emplace(world_.now() + Duration{below(within.ms / 1000) * 1000}, job());
  }

  void run() {
    // Each arrival, each end and each wake time leads to a bounded number of cycles.
    const std::size_t bound = 200 * (arrivals_.size() + 1);
    for (std::size_t instant = 0; next_ && !::testing::Test::HasFailure(); ++instant) {
      ASSERT_LT(instant, bound) << "it goes on for ever";
      world_.advance(*next_);
      end_due_jobs();
      if (policy_.consolidation == Consolidation::on) save();
      arrive();
      for (std::size_t rounds = 0; cycle() && !::testing::Test::HasFailure(); ++rounds) {
        ASSERT_LT(rounds, bound) << "it goes on for ever in one instant";
        end_due_jobs();
      }
      next_ = next();
    }
    for (const auto& [id, row] : world_.tables().jobs) {
      const bool never = row.pending == ReasonCode::exceeds_max_quota || row.pending == ReasonCode::exceeds_capacity;
      EXPECT_TRUE(is_terminal(row.state) || never) << to_string(id) << " never ends";
      seen_.twice += row.preempted_at.size() > 1;
    }
  }

 private:
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(luck_.below(static_cast<std::uint64_t>(bound)));
  }
  bool one_in(std::int64_t n) { return below(n) == 0; }
  template <class Value, std::size_t kMany>
  Value any(const Value (&values)[kMany]) {
    return values[below(kMany)];
  }

  void add_machines() {
    world_.apply(FlavorSet{{.name = "t4", .gpu_type = "t4"}});
    const auto nodes = 1 + below(5);
    for (std::int64_t i = 0; i < nodes; ++i) {
      Node row{.name = fmt::format("n{}", i + 1),
               .cluster = "lab",
               .gpu_type = "t4",
               .cpus = 512 * kMilli,
               .memory_bytes = 512 * kGiB};
      row.labels["rack"] = i % 2 == 0 ? "r1" : "r2";
      for (int gpu = 0; gpu < 4; ++gpu) row.devices.push_back({.id = std::to_string(gpu)});
      world_.apply(NodeSet{row});
    }
  }

  void add_queues() {
    world_.apply(QueueSet{{.name = "org"}});
    const bool nested = one_in(3);
    if (nested) world_.apply(QueueSet{{.name = "west", .parent = "org"}});
    const auto queues = 2 + below(4);
    for (std::int64_t i = 0; i < queues; ++i) {
      Queue row{.name = fmt::format("q{}", i), .parent = nested && i % 2 == 0 ? "west" : "org"};
      Quota quota{.nominal = any({0, 2, 4, 4, 8}) * kMilli, .borrowing_limit = {}, .lending_limit = {}};
      if (one_in(2)) quota.borrowing_limit = any({0, 4, 8}) * kMilli;
      if (one_in(6)) quota.lending_limit = any({0, 2}) * kMilli;
      row.quota.emplace();
      (*row.quota)["t4"][static_cast<std::size_t>(ResourceKind::gpus)] = quota;
      if (one_in(4)) row.preempt = any({PreemptRule::any, PreemptRule::never});
      if (one_in(4)) row.reclaim = any({PreemptRule::lower_priority, PreemptRule::never});
      if (one_in(5)) row.preempt_to_borrow = 60;
      if (one_in(3)) row.min_runtime = {.priority = minutes(below(10)), .reclaim = minutes(below(10))};
      if (one_in(8)) row.weight_milli = 2000;
      row.fence = one_in(10);
      world_.apply(QueueSet{row});
      queues_.push_back(row.name);
    }
  }

  JobSpec job() {
    JobSpec spec;
    spec.queue = queues_[static_cast<std::size_t>(below(std::ssize(queues_)))];
    spec.priority = any({10, 50, 50, 70, 90});
    spec.resources.gpus = any({1, 1, 2, 4}) * kMilli;
    spec.nodes = any({1, 1, 1, 2, 3});
    if (spec.nodes > 1 && one_in(3)) spec.min_nodes = 1;
    if (one_in(6)) spec.placement.edit().required_level = "rack";
    if (one_in(3)) spec.time_limit = minutes(130);
    if (one_in(8)) spec.stop.min_runtime = minutes(5);
    spec.stop.grace = seconds(any({0, 0, 30}));
    spec.stop.preemptible = !one_in(12);
    return spec;
  }

  // Saves of some running jobs: consolidation moves jobs that lose little.
  void save() {
    for (const auto& [job, end] : ends_) {
      const Attempt* attempt = one_in(2) ? world_.tables().live_attempt(job) : nullptr;
      if (!attempt) continue;
      const Checkpoint saved{.uri = "x", .durable_at = world_.now(), .attempt = attempt->number};
      world_.apply(AttemptProgressed{.attempt = attempt->key(), .report = {.checkpoint = saved}});
    }
  }

  void arrive() {
    for (; !arrivals_.empty() && arrivals_.begin()->first <= world_.now(); arrivals_.erase(arrivals_.begin())) {
      world_.submit(arrivals_.begin()->second, world_.now());
      stopped_.clear();
      seen_.jobs += 1;
    }
  }

  void end_due_jobs() {
    const auto is_due = [this](const auto& entry) { return entry.second <= world_.now(); };
    for (const auto& entry : ends_)
      if (is_due(entry)) world_.end(entry.first);
    std::erase_if(ends_, is_due);
    for (const auto& entry : leaving_)
      if (is_due(entry)) world_.requeue(entry.first, std::nullopt);
    std::erase_if(leaving_, is_due);
  }

  // True: something was decided besides reasons.
  bool cycle() {
    const auto plan = world_.decide(policy_, world_.now(), problems_);
    wake_ = plan.next_wake;
    world_.commit(plan, problems_);
    EXPECT_EQ(problems_, std::vector<std::string>{}) << to_text(plan);
    for (const auto& decision : plan.decisions)
      if (const auto* stop = std::get_if<engine::Preemption>(&decision)) note(*stop);
    for (const auto& decision : plan.decisions)
      if (const auto* admission = std::get_if<engine::Admission>(&decision)) begin(admission->job);
    return !only_defers(plan);
  }

  void note(const engine::Preemption& preemption) {
    seen_.to_borrow += preemption.cause == engine::Preemption::Cause::borrow;
    seen_.moved += preemption.cause == engine::Preemption::Cause::consolidation;
    for (const auto& preempted : preemption.preempted_jobs) {
      const Attempt* attempt = world_.tables().live_attempt(preempted.job);
      if (!attempt || !attempt->stop_cause) continue;
      EXPECT_TRUE(stopped_.insert(preempted.job).second)
          << to_string(preempted.job) << " is stopped once more, for " << to_string(preemption.job);
      seen_.stops += 1;
      seen_.shrunk += !preempted.goes_on.empty();
      seen_.after_last_arrival += arrivals_.empty();
      ends_.erase(preempted.job);
      leaving_[preempted.job] = world_.now() + world_.tables().jobs.at(preempted.job).spec->stop.grace;
    }
  }

  void begin(JobId id) {
    const Attempt* attempt = world_.tables().live_attempt(id);
    if (!attempt) return;
    world_.apply(AttemptStarted{attempt->key()});
    const auto known = lengths_.emplace(id, minutes(10 * (1 + below(12)))).first;
    ends_[id] = world_.now() + known->second;
  }

  std::optional<Instant> next() const {
    std::optional<Instant> first;
    const auto at = [&](Instant time) {
      if (time > world_.now() && (!first || time < *first)) first = time;
    };
    if (!arrivals_.empty()) at(arrivals_.begin()->first);
    for (const auto& [job, time] : ends_) at(time);
    for (const auto& [job, time] : leaving_) at(time);
    if (wake_ && (first || !ends_.empty())) at(*wake_);
    return first;
  }

  Random luck_;
  testing::World world_;
  engine::Policy policy_;
  std::vector<std::string> queues_;
  std::multimap<Instant, JobSpec> arrivals_;
  std::map<JobId, Instant> ends_, leaving_;
  std::map<JobId, Duration> lengths_;
  std::set<JobId> stopped_;  // since the last arrival
  std::optional<Instant> next_ = testing::kStart, wake_;
  std::vector<std::string> problems_;
  LivesSeen& seen_;
};

// In this world quota was reclaimed because of an admission of the same cycle that was then revoked, in each cycle
// again (engine/cycle/stop/preempt.cc).
TEST(RandomLives, EachCycleBringsTheNextOneOn) {
  LivesSeen seen;
  Life(9117, seen).run();
}

TEST(RandomLives, NoJobIsStoppedTwiceBetweenTwoArrivals) {
  const char* one = std::getenv("YM_WORLD");
  const char* many = std::getenv("YM_WORLDS");
  const int worlds = one ? 1 : many ? std::atoi(many) : kLifeWorlds;
  LivesSeen seen;
  for (int i = 1; i <= worlds && !::testing::Test::HasFailure(); ++i) {
    const std::uint64_t seed = one ? std::strtoull(one, nullptr, 10) : static_cast<std::uint64_t>(i);
    SCOPED_TRACE(fmt::format("run it alone with YM_WORLD={}", seed));
    Life(seed, seen).run();
  }
  fmt::print("{} jobs, {} stops, {} after the last arrival, {} smaller, {} to borrow, {} moves; {} jobs twice\n",
             seen.jobs, seen.stops, seen.after_last_arrival, seen.shrunk, seen.to_borrow, seen.moved, seen.twice);
  if (worlds < 2000) return;  // too few to meet everything
  EXPECT_GT(seen.stops, worlds);
  EXPECT_GT(seen.after_last_arrival, worlds / 4);
  EXPECT_GT(seen.shrunk, worlds / 50);
  EXPECT_GT(seen.to_borrow, worlds / 100);
  EXPECT_GT(seen.moved, worlds / 200);
}

}  // namespace
}  // namespace ym::reference
