// A leader dies while it has much to write.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/postgres/standby.h"
#include "store/postgres/testing/test_support.h"

namespace ym::postgres {
namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::uint64_t kQueued = 10'000;
constexpr std::uint64_t kRunning = 1'000;

// Events that submit jobs, each with its own spec, and start the first of them.
class BusyState {
 public:
  Commit make() {
    for (std::uint64_t n = 1; n <= kQueued + kRunning; ++n) submit(n);
    for (std::uint64_t n = 1; n <= kRunning; ++n) start(JobId{2 * n});
    return make_commit(tables, touched_, std::move(events_));
  }

  Tables tables;

 private:
  void submit(std::uint64_t n) {
    const auto spec = std::make_shared<const JobSpec>(
        JobSpec{.name = fmt::format("train-{}", n), .run = {.words = {"python", "train.py"}}, .workdir = "/work"});
    add(JobSubmitted{Job{.id = JobId{2 * n}, .spec_id = SpecId{2 * n - 1}, .spec = spec, .name = spec->name}});
  }
  void start(JobId id) {
    Attempt attempt{.job = id, .number = 1, .cluster = "lab", .flavor = "t4"};
    attempt.placement.push_back({0, "n1", {"0"}});
    attempt.tasks.resize(1);
    add(AttemptAdmitted{attempt});
    add(AttemptSubmitted{attempt.key()});
    add(AttemptStarting{attempt.key()});
    add(TaskStarted{attempt.key(), 0});
    add(AttemptStarted{attempt.key()});
  }
  void add(EventPayload payload) {
    events_.push_back({.seq = events_.size() + 1, .time = {1}, .payload = std::move(payload)});
    apply(tables, events_.back(), &touched_);
  }

  Touched touched_;
  std::vector<Event> events_;
};

// Leads and commits one token after the other. Writes the number of each to `out` once it is acknowledged.
[[noreturn]] void lead(const PostgresOptions& place, int out) {
  const auto store = open_postgres_store(place);
  if (!store) ::_exit(1);
  for (int n = 1;; ++n) {
    if (!(*store)->commit({.tokens = {{fmt::format("hash{:09}", n), "ann", "admin", {n}}}})) ::_exit(2);
    if (::write(out, &n, sizeof(n)) != sizeof(n)) ::_exit(3);
    std::this_thread::sleep_for(milliseconds(5));
  }
}

TEST(Takeover, AfterALeaderWasKilledWithElevenThousandJobs) {
  auto place = shared_server().fresh_place();
  place.lease = milliseconds(8000);
  BusyState busy;
  must(must(open_postgres_store(place))->commit(busy.make()));
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t leader = ::fork();
  if (leader == 0) lead(place, ends[1]);
  ::close(ends[1]);
  int acknowledged = 0;
  while (acknowledged < 1000)
    ASSERT_EQ(::read(ends[0], &acknowledged, sizeof(acknowledged)), ssize_t{sizeof(acknowledged)});
  Standby standby({.place = place});
  ::kill(leader, SIGKILL);
  const auto killed = Steady::now();
  ::waitpid(leader, nullptr, 0);
  const auto store = must(standby.wait_to_lead({}));
  const auto led = Steady::now();
  const auto loaded = must(store->load());
  const auto read = Steady::now();
  must(store->commit({.tokens = {{"later", "ann", "admin", {1}}}}));
  const auto over = Steady::now();
  while (::read(ends[0], &acknowledged, sizeof(acknowledged)) == sizeof(acknowledged)) continue;
  ::close(ends[0]);
  EXPECT_EQ(loaded.tables, busy.tables);
  EXPECT_GE(std::ssize(loaded.tokens), acknowledged) << "what was acknowledged is there";
  EXPECT_LE(std::ssize(loaded.tokens), acknowledged + 1);
  EXPECT_LT(over - killed, milliseconds(60'000));
  const auto ms = [](auto duration) { return std::chrono::duration_cast<milliseconds>(duration).count(); };
  std::printf("takeover: leads after %ld ms, has read %zu jobs after %ld ms more, has committed after %ld ms more\n",
              ms(led - killed), loaded.tables.jobs.size(), ms(read - led), ms(over - read));
}

}  // namespace
}  // namespace ym::postgres
