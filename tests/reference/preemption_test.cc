// Random worlds in which jobs stop each other: every decision is lawful, nobody is stopped in
// vain or back and forth, and whatever happened, they come to rest.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "engine/invariants.h"
#include "reference/random_life.h"
#include "reference/random_world.h"
#include "reference/referee.h"

namespace ym::reference {
namespace {

#if __has_feature(address_sanitizer)
constexpr int kWorlds = 100;
#else
constexpr int kWorlds = 1500;
#endif

// A campaign in which something never happens proves less than it seems to.
struct Seen {
  int priority = 0, reclaims = 0, several = 0, gangs = 0, releases = 0, into_holds = 0, judged = 0, rests = 0,
      dropped = 0;

  void count(const engine::Preemption& preemption, const Tables& tables) {
    (preemption.cause == engine::Preemption::Cause::reclaim ? reclaims : priority) += 1;
    several += preemption.victims.size() > 1;
    gangs += std::ranges::any_of(preemption.victims, [&](const engine::Victim& victim) {
      return tables.live_attempt(victim.job)->placement.size() > 1;
    });
  }
};

class Course {
 public:
  Course(std::uint64_t seed, Seen& seen)
      : aging_(seed % 4 == 0), random_(seed, aging_), luck_(seed * 7 + 1), seen_(seen) {
    policy_.age_cap = aging_ ? minutes(30) : hours(100'000);
    policy_.preemptions_per_hour = 2;
    if (seed % 2 == 0) return;
    share_quota();
    same_machines();
  }

  void run() {
    for (int step = 0; step < 8 && !failed(); ++step) {
      world().advance(world().now() + minutes(7));
      random_.step(world().now());
      live_on(world(), luck_);
      cycle();
    }
    // From here on nothing happens but what follows from decisions, and no budget bounds them.
    policy_.preemptions_per_hour = 1000;
    stops_.clear();
    come_to_rest();
  }

 private:
  testing::World& world() { return random_.world(); }

  // A cohort whose queues lend to each other what is nearly all of few machines.
  void share_quota() {
    Queue org;
    org.name = "q0";
    world().apply(QueueSet{org});
    for (int i = 1; i < 7; ++i) {
      Queue queue;
      queue.name = "q" + std::to_string(i);
      queue.parent = i < 6 ? "q0" : "q5";
      queue.preempt = luck_.below(4) == 0 ? PreemptRule::never : PreemptRule::lower_priority;
      FlavorQuota gpus;
      const auto nominal = static_cast<std::int64_t>(luck_.below(4)) * kMilli;
      gpus[static_cast<std::size_t>(ResourceKind::gpus)] =
          Quota{.nominal = nominal, .borrowing_limit = {}, .lending_limit = {}};
      if (luck_.below(5) != 0) queue.quota = QuotaList{{"a", gpus}, {"b", gpus}, {std::string(kDefaultFlavor), gpus}};
      world().apply(QueueSet{queue});
    }
  }

  void same_machines() {
    for (int i = 0; i < 3; ++i) {
      Node node{.name = "n" + std::to_string(i), .cluster = "lab", .gpu_type = "t4"};
      for (int device = 0; device < 4; ++device) node.devices.push_back({.id = std::to_string(device)});
      node.cpus = 16 * kMilli;
      node.memory_bytes = 16 * kGiB;
      world().apply(NodeSet{node});
    }
  }
  static bool failed() { return ::testing::Test::HasFailure(); }

  bool somebody_leaves() {
    return std::ranges::any_of(world().tables().attempts, [](const auto& entry) {
      return entry.second.state != AttemptState::ended && entry.second.stop_cause.has_value();
    });
  }

  // Somebody was looked for room for before others came, to whom it went.
  static bool admits_after_stopping(const engine::Plan& plan) {
    const auto stops = std::ranges::find_if(
        plan.decisions, [](const auto& one) { return std::holds_alternative<engine::Preemption>(one); });
    return std::any_of(stops, plan.decisions.end(),
                       [](const auto& one) { return std::holds_alternative<engine::Admission>(one); });
  }

  // A place may be free at once, if others who were admitted first went again.
  bool only_gives_what_is_kept(const engine::Plan& plan) {
    return std::ranges::all_of(plan.decisions, [&](const engine::Decision& decision) {
      const auto* admission = std::get_if<engine::Admission>(&decision);
      return std::holds_alternative<engine::Deferral>(decision) ||
             (admission && world().tables().jobs.at(admission->job).hold);
    });
  }

  // True: something was decided that is not only a reason.
  bool cycle() {
    const bool quiet = !somebody_leaves();
    const Instant now = world().now();
    const auto plan = world().decide(policy_, now, problems_);
    bool exact = !aging_ && quiet && !admits_after_stopping(plan), any = false;
    for (const auto& decision : plan.decisions) {
      const bool stops = std::holds_alternative<engine::Preemption>(decision);
      if (stops && engine::fits(world().state(), decision)) {
        drop(std::get<engine::Preemption>(decision));
        return true;
      }
      judge(decision, exact);
      any = any || !std::holds_alternative<engine::Deferral>(decision);
      exact = exact && !stops;
      world().commit(
          engine::Plan{.version = {}, .decisions = {decision}, .verdicts = {}, .reasons = {}, .next_wake = {}},
          problems_);
    }
    const Referee referee(world().tables(), policy_, now);
    for (const auto& [id, job] : world().tables().jobs)
      if (exact && referee.is_forgotten(job)) problems_.push_back("no room is made for " + to_string(id));
    const auto next = world().decide(policy_, now, problems_);
    if (!next.decisions.empty() && !only_gives_what_is_kept(next))
      problems_.push_back("the next cycle decides more:\n" + engine::to_text(plan) + "then\n" + engine::to_text(next));
    EXPECT_EQ(problems_, std::vector<std::string>{}) << engine::to_text(plan);
    return any;
  }

  // Lent quota may have been taken back from a queue that in the end did not borrow.
  void drop(const engine::Preemption& preemption) {
    EXPECT_EQ(preemption.cause, engine::Preemption::Cause::reclaim);
    EXPECT_TRUE(Referee(world().tables(), policy_, world().now()).objection(preemption).has_value());
    seen_.dropped += 1;
  }

  void judge(const engine::Decision& decision, bool exact) {
    const Tables& tables = world().tables();
    const Referee referee(tables, policy_, world().now());
    if (auto wrong = std::visit([&](const auto& one) { return referee.objection(one); }, decision))
      problems_.push_back("unlawful: " + *wrong);
    if (const auto* admission = std::get_if<engine::Admission>(&decision))
      seen_.into_holds += tables.jobs.at(admission->job).hold.has_value();
    seen_.releases += std::holds_alternative<engine::HoldRelease>(decision);
    const auto* preemption = std::get_if<engine::Preemption>(&decision);
    if (!preemption) return;
    seen_.count(*preemption, tables);
    for (const auto& victim : preemption->victims) {
      if (stops_.contains({victim.job, preemption->job}))
        problems_.push_back(to_string(victim.job) + " is stopped by whom it had stopped");
      stops_.insert({preemption->job, victim.job});
    }
    if (!exact) return;
    seen_.judged += 1;
    if (auto wrong = referee.too_much(*preemption)) problems_.push_back("too much: " + *wrong);
  }

  void come_to_rest() {
    const auto bound = 10 + 3 * world().tables().jobs.size();
    for (std::size_t round = 0; !failed(); ++round) {
      ASSERT_LT(round, bound) << "no rest after " << stops_.size() << " stops";
      world().advance(world().now() + seconds(1));
      const bool decided = cycle();
      const bool happened = let_leave(world());
      if (!decided && !happened) break;
    }
    seen_.rests += 1;
  }

  bool aging_;
  RandomWorld random_;
  Random luck_;
  engine::Policy policy_;
  std::set<std::pair<JobId, JobId>> stops_;  // who stopped whom
  std::vector<std::string> problems_;
  Seen& seen_;
};

TEST(RandomWorlds, ComeToRest) {
  const char* one = std::getenv("YM_WORLD");
  const char* many = std::getenv("YM_WORLDS");
  const std::uint64_t first = one ? std::strtoull(one, nullptr, 10) : 1;
  const int worlds = one ? 1 : many ? std::atoi(many) : kWorlds;
  Seen seen;
  for (int i = 0; i < worlds && !::testing::Test::HasFailure(); ++i) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
    SCOPED_TRACE(fmt::format("run it alone with YM_WORLD={}", seed));
    Course(seed, seen).run();
  }
  EXPECT_LE(seen.dropped, 1 + worlds / 2000);
  if (worlds < kWorlds) return;
  EXPECT_EQ(seen.rests, worlds);
  for (const auto& [what, times] : {std::pair("priority", seen.priority),
                                    {"reclaim", seen.reclaims},
                                    {"several", seen.several},
                                    {"gangs", seen.gangs},
                                    {"releases", seen.releases},
                                    {"into holds", seen.into_holds},
                                    {"judged", seen.judged}})
    EXPECT_GE(times, worlds / 60) << what;
}

}  // namespace
}  // namespace ym::reference
