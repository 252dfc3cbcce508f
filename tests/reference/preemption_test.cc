// Random worlds in which jobs preempt each other: every decision is allowed, no job is preempted in vain or back and
// forth, and the world comes to rest in the end.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "engine/invariants.h"
#include "reference/alone.h"
#include "reference/preemptions_seen.h"
#include "reference/random_life.h"
#include "reference/random_world.h"
#include "reference/referee.h"

namespace ym::reference {
namespace {

#if __has_feature(address_sanitizer)
constexpr int kPreemptionWorlds = 100;
#else
constexpr int kPreemptionWorlds = 2000;
#endif

class Course {
 public:
  Course(std::uint64_t seed, Seen& seen)
      : aging_(seed % 4 == 0), crowded_(seed % 8 == 1), random_(seed, aging_), luck_(seed * 7 + 1), seen_(seen) {
    policy_.age_cap = aging_ ? minutes(30) : hours(100'000);
    policy_.preemptions_per_hour = 2;
    policy_.resize_interval = minutes(10);
    // A job that avoids reserved places may preempt more than the referee would.
    policy_.reserve_phase = seed % 3 != 0;
    if (seed % 2 == 0) return;
    share_quota(world(), luck_, crowded_ ? 8 : 4);
    same_machines(world(), crowded_ ? 8 : 4);
    if (crowded_) crowd(world(), luck_);
  }

  void run() {
    for (int step = 0; step < 8 && !failed(); ++step) {
      world().advance(wakes_ && luck_.below(4) == 0 ? wakes_at() : world().now() + minutes(7));
      random_.step(world().now());
      live_on(world(), luck_);
      judge_alone();
      cycle();
    }
    // From here on only consequences of decisions happen, and no limit on preemptions bounds them.
    policy_.preemptions_per_hour = 1000;
    stops_.clear();
    resting_ = true;
    come_to_rest();
  }

 private:
  testing::World& world() { return random_.world(); }

  static bool failed() { return ::testing::Test::HasFailure(); }

  bool some_jobs_leave() {
    return std::ranges::any_of(world().tables().attempts, [](const auto& entry) {
      return entry.second.state != AttemptState::ended && entry.second.stop_cause.has_value();
    });
  }

  // A place was searched before other jobs were admitted that took it.
  static bool admits_after_stopping(const engine::Plan& plan) {
    const auto stops = std::ranges::find_if(
        plan.decisions, [](const auto& one) { return std::holds_alternative<engine::Preemption>(one); });
    return std::any_of(stops, plan.decisions.end(),
                       [](const auto& one) { return std::holds_alternative<engine::Admission>(one); });
  }

  // A place may be free at once if admissions before it were revoked. And an admitted job may borrow so much that it
  // can be reclaimed together with another job, which alone could not be reclaimed. In a crowd the search is only good,
  // not the best, so a result may come a cycle late.
  bool follows(const engine::Decision& decision, const engine::Plan& next, const engine::Plan& before) {
    if (std::holds_alternative<engine::Deferral>(decision)) return true;
    if (const auto* release = std::get_if<engine::NominationRelease>(&decision))
      return found_room(before, release->job);
    if (const auto* admission = std::get_if<engine::Admission>(&decision))
      return world().tables().jobs.at(admission->job).nomination.has_value();
    const auto* preemption = std::get_if<engine::Preemption>(&decision);
    if (!preemption) return false;
    const bool is_late = crowded_ || gives_up_what_was_found(next, before);
    seen_.late += is_late;
    if (is_late) return true;
    if (preemption->cause == engine::Preemption::Cause::priority) return false;
    const auto is_admitted = [&](const engine::PreemptedJob& preempted) {
      return std::ranges::any_of(before.decisions, [&](const auto& one) {
        const auto* admission = std::get_if<engine::Admission>(&one);
        return admission && admission->job == preempted.job;
      });
    };
    const auto admitted = std::ranges::count_if(preemption->preempted_jobs, is_admitted);
    seen_.lent_anew += 1;
    return admitted > 0 && std::cmp_less(admitted, preemption->preempted_jobs.size());
  }

  // True: something was decided besides reasons.
  bool cycle() {
    const bool quiet = !some_jobs_leave();
    const Instant now = world().now();
    const auto plan = world().decide(policy_, now, problems_);
    wakes_ = plan.next_wake;
    bool exact = !aging_ && quiet && !policy_.reserve_phase && !admits_after_stopping(plan), any = false,
         dropped = false;
    for (const auto& decision : plan.decisions) {
      exact = exact && !std::holds_alternative<engine::Eviction>(decision);
      const bool stops = std::holds_alternative<engine::Preemption>(decision);
      if (stops && engine::fits(world().state(), decision, world().now())) {
        drop(std::get<engine::Preemption>(decision));
        any = true;
        dropped = true;
        exact = false;
        continue;
      }
      judge(decision, exact);
      any = any || !std::holds_alternative<engine::Deferral>(decision);
      exact = exact && !stops;
      world().commit(
          engine::Plan{.version = {}, .decisions = {decision}, .verdicts = {}, .reasons = {}, .next_wake = {}},
          problems_);
    }
    if (dropped) return true;
    const auto next = world().decide(policy_, now, problems_);
    if (!std::ranges::all_of(next.decisions, [&](const auto& one) { return follows(one, next, plan); }))
      problems_.push_back("the next cycle decides more:\n" + engine::to_text(plan) + "then\n" + engine::to_text(next));
    EXPECT_EQ(problems_, std::vector<std::string>{}) << engine::to_text(plan);
    return any;
  }

  // Lent quota may have been reclaimed from a queue that does not borrow in the end.
  void drop(const engine::Preemption& preemption) {
    EXPECT_NE(preemption.cause, engine::Preemption::Cause::priority);
    EXPECT_TRUE(Referee(world().tables(), policy_, world().now()).objection(preemption).has_value());
    seen_.dropped += 1;
  }

  void judge(const engine::Decision& decision, bool exact) {
    const Tables& tables = world().tables();
    const Referee referee(tables, policy_, world().now());
    if (auto wrong = std::visit([&](const auto& one) { return referee.objection(one); }, decision))
      problems_.push_back("unlawful: " + *wrong);
    if (const auto* admission = std::get_if<engine::Admission>(&decision))
      seen_.into_nominations += tables.jobs.at(admission->job).nomination.has_value();
    seen_.grow += std::holds_alternative<engine::Resize>(decision);
    seen_.releases += std::holds_alternative<engine::NominationRelease>(decision);
    const auto* preemption = std::get_if<engine::Preemption>(&decision);
    if (!preemption) return;
    seen_.count(*preemption, tables);
    seen_.only_shrink += Referee::only_shrinks(*preemption);
    for (const auto& preempted : preemption->preempted_jobs) {
      seen_.back_and_forth += has_stopped(preempted.job, preemption->job);
      stops_.insert({preemption->job, preempted.job});
    }
    if (!exact || referee.had_others_beside(tables.jobs.at(preemption->job))) return;
    seen_.judged += 1;
    if (auto wrong = referee.too_much(*preemption)) problems_.push_back("too much: " + *wrong);
  }

  // Directly, or through other jobs if nothing else has happened since.
  bool has_stopped(JobId from, JobId to) const {
    if (!resting_) return stops_.contains({from, to});
    std::vector<JobId> reached{from};
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const auto& [stopper, stopped] : stops_) {
        if (stopper != reached[i] || std::ranges::find(reached, stopped) != reached.end()) continue;
        if (stopped == to) return true;
        reached.push_back(stopped);
      }
    return false;
  }

  // What each waiting job gets if no other job waits: exactly the best plan.
  void judge_alone() {
    if (aging_ || failed()) return;
    for (const AloneVerdict& one : judged_alone(world(), policy_)) {
      if (one.wrong) problems_.push_back(*one.wrong);
      seen_.best += one.stops;
      seen_.best_reclaims += one.reclaims;
      seen_.none += !one.stops;
      seen_.many += one.stops && one.many;
    }
    EXPECT_EQ(problems_, std::vector<std::string>{});
  }

  Instant wakes_at() { return std::min(*wakes_, world().now() + hours(2)); }

  void come_to_rest() {
    const auto bound = 40 + 3 * world().tables().jobs.size();
    const Instant last_wake = world().now() + hours(2);
    for (std::size_t round = 0; !failed(); ++round) {
      ASSERT_LT(round, bound) << "no rest after " << stops_.size() << " stops";
      world().advance(world().now() + seconds(1));
      const bool decided = cycle();
      const bool happened = let_leave(world());
      if (decided || happened) continue;
      if (!wakes_ || *wakes_ <= world().now() || *wakes_ > last_wake) break;
      world().advance(*wakes_);
      seen_.wakes += 1;
    }
    seen_.rests += 1;
  }

  bool aging_, crowded_, resting_ = false;
  RandomWorld random_;
  Random luck_;
  engine::Policy policy_;
  std::set<std::pair<JobId, JobId>> stops_;  // stopping job, stopped job
  std::vector<std::string> problems_;
  std::optional<Instant> wakes_;  // as the last plan says
  Seen& seen_;
};

// In these worlds a cycle found less than the next one: a preempted job went on smaller, or a job was admitted, and the
// target was not yet updated.
TEST(RandomWorlds, ACycleFindsAllThatTheNextOneWould) {
  Seen seen;
  for (const std::uint64_t seed : {4821, 4843, 5375}) {
    SCOPED_TRACE(fmt::format("run it alone with YM_WORLD={}", seed));
    Course(seed, seen).run();
  }
}

TEST(RandomWorlds, ComeToRest) {
  const char* one = std::getenv("YM_WORLD");
  const char* many = std::getenv("YM_WORLDS");
  const char* from = std::getenv("YM_FROM");
  const std::uint64_t first = one ? std::strtoull(one, nullptr, 10) : from ? std::strtoull(from, nullptr, 10) : 1;
  const int worlds = one ? 1 : many ? std::atoi(many) : kPreemptionWorlds;
  Seen seen;
  for (int i = 0; i < worlds && !::testing::Test::HasFailure(); ++i) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
    SCOPED_TRACE(fmt::format("run it alone with YM_WORLD={}", seed));
    Course(seed, seen).run();
  }
  seen.judge(worlds);
  if (worlds >= 2000) seen.judge_enough(worlds);
}

}  // namespace
}  // namespace ym::reference
