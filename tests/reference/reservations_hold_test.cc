// Random lives of one queue: no backfilled job delays a job with a backfill reservation.
//
// The first reservation holds whenever other jobs end, at their time limits at the latest. A later one holds if all
// jobs end as foreseen and the jobs before it keep their reservations. If those get or use other nodes, they may be in
// its way. In some lives GPUs are shared, and the GPUs of a node differ in memory. The engine then assumes less than
// there is, so an earlier job may have no reservation and still start.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/random.h"
#include "scenario/language/world.h"

namespace ym::reference {
namespace {

#if __has_feature(address_sanitizer)
constexpr int kReservationWorlds = 40;
#else
constexpr int kReservationWorlds = 200;
#endif

struct ReservationsSeen {
  int reservations = 0, kept = 0, passed = 0;
};

class Life {
 public:
  Life(std::uint64_t seed, ReservationsSeen& seen)
      : as_foreseen_(seed % 2 == 0), shared_(seed % 4 >= 2), luck_(seed), seen_(seen) {
    world_.compare_every(20);
    policy_.preempt_phase = false;
    policy_.age_cap = hours(100'000);
    policy_.start_allowance = {};
    if (as_foreseen_ && !shared_)
      world_.apply(QueueSet{{.name = "default", .reservations = static_cast<std::int32_t>(below(9))}});
    const auto nodes = 1 + below(3);
    for (std::int64_t i = 0; i < nodes; ++i) add_node(fmt::format("n{}", i + 1), 2 + 2 * below(3));
  }

  void run() {
    for (int step = 0; step < 60 && !::testing::Test::HasFailure(); ++step) {
      end_due_jobs();
      for (auto many = below(3); many > 0; --many) submit();
      cycle();
      go_on();
    }
  }

 private:
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(luck_.below(static_cast<std::uint64_t>(bound)));
  }

  void add_node(const std::string& name, std::int64_t gpus) {
    Node row{.name = name, .cluster = "lab", .gpu_type = "t4", .cpus = 64 * kMilli, .memory_bytes = 64 * kGiB};
    for (std::int64_t i = 0; i < gpus; ++i)
      row.devices.push_back({.id = std::to_string(i), .memory_bytes = (i % 2 == 0 ? 8 : 16) * kGiB});
    world_.apply(NodeSet{row});
  }

  void submit() {
    JobSpec spec;
    spec.resources.gpus = (1 + below(6)) * kMilli;
    if (shared_ && below(4) > 0) {
      spec.resources.gpus = 100 * (1 + below(9));
      spec.resources.gpu_memory_bytes = (1 + below(14)) * kGiB;
    }
    if (below(4) == 0) spec.nodes = 2;
    // Without a time limit it never ends.
    if (below(60) != 0) spec.time_limit = minutes(5 + 5 * below(12));
    // In whole minutes, as in the calendar.
    spec.stop.grace = minutes(below(3));
    world_.submit(spec, world_.now());
  }

  void end_due_jobs() {
    for (auto it = ends_.begin(); it != ends_.end() && it->first <= world_.now(); it = ends_.erase(it))
      world_.end(it->second);
  }

  void cycle() {
    const auto plan = world_.decide(policy_, world_.now(), problems_);
    world_.commit(plan, problems_);
    EXPECT_EQ(problems_, std::vector<std::string>{});
    std::set<JobId> begun;
    for (const auto& decision : plan.decisions)
      if (const auto* admission = std::get_if<engine::Admission>(&decision)) begun.insert(admission->job);
    Reservations now;
    for (const auto& given : plan.reservations) now.emplace(given.job, given);
    compare(begun, now, to_text(plan));
    reservations_ = std::move(now);
    for (const JobId job : begun) begin(job);
  }

  // By job, in the order of the queue.
  using Reservations = std::map<JobId, engine::Reservation>;

  void compare(const std::set<JobId>& begun, const Reservations& now, const std::string& plan) {
    for (const auto& [job, before] : reservations_) {
      if (begun.contains(job)) {
        EXPECT_LE(world_.now(), before.from) << plan;
        seen_.kept += 1;
        return;
      }
      if (shared_ && has_come_before(job, begun, now)) return;
      seen_.passed += !begun.empty();
      const auto given = now.find(job);
      ASSERT_TRUE(given != now.end() && given->second.from <= before.from) << "put off: " << to_string(job) << "\n"
                                                                           << plan;
      seen_.reservations += 1;
      if (given->second != before || !is_next_as_before(job, now)) return;
    }
  }

  // Whether a job that comes before has started, or has a reservation now.
  static bool has_come_before(JobId job, const std::set<JobId>& begun, const Reservations& now) {
    return (!begun.empty() && *begun.begin() < job) || (!now.empty() && now.begin()->first < job);
  }
  // Whether no job has come between them.
  bool is_next_as_before(JobId job, const Reservations& now) const {
    const auto before = reservations_.upper_bound(job), after = now.upper_bound(job);
    return before == reservations_.end() || (after != now.end() && after->first >= before->first);
  }

  void begin(JobId id) {
    const Job& job = world_.tables().jobs.at(id);
    world_.apply(AttemptStarted{world_.tables().live_attempt(id)->key()});
    if (!job.spec->time_limit) return;
    const Duration longest = *job.spec->time_limit + job.spec->stop.grace;
    const bool to_the_end = as_foreseen_ || below(3) == 0;
    const Duration lasts = to_the_end ? longest : minutes(1 + below(longest.ms / 60'000));
    ends_.emplace(world_.now() + lasts, id);
  }

  // Advances to the next end of a job, or less far.
  void go_on() {
    Instant next = world_.now() + minutes(1 + below(10));
    if (!ends_.empty()) next = std::min(next, ends_.begin()->first);
    world_.advance(next);
  }

  const bool as_foreseen_, shared_;
  Random luck_;
  testing::World world_;
  engine::Policy policy_;
  std::multimap<Instant, JobId> ends_;
  Reservations reservations_;  // as of the last cycle
  std::vector<std::string> problems_;
  ReservationsSeen& seen_;
};

TEST(RandomLives, ReservationsHoldWhicheverJobIsAdmitted) {
  const char* one = std::getenv("YM_WORLD");
  ReservationsSeen seen;
  for (int i = 1; i <= kReservationWorlds && !::testing::Test::HasFailure(); ++i) {
    const std::uint64_t seed = one ? std::strtoull(one, nullptr, 10) : static_cast<std::uint64_t>(i);
    SCOPED_TRACE(fmt::format("run it alone with YM_WORLD={}", seed));
    Life(seed, seen).run();
    if (one) return;
  }
  EXPECT_GT(seen.reservations, kReservationWorlds);
  EXPECT_GT(seen.kept, kReservationWorlds / 2);
  EXPECT_GT(seen.passed, kReservationWorlds / 2);
}

}  // namespace
}  // namespace ym::reference
