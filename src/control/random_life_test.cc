// Random lives: jobs preempt each other while commits fail, servers restart, contact is lost and users change their
// minds. In all cases the guarantees hold, and all jobs end.
#include <algorithm>
#include <random>
#include <set>

#include "control/attempts/outcome.h"
#include "control/attempts/task_ends.h"
#include "control/controller.h"
#include "control/testing/controller_fixture.h"

namespace ym {
namespace {

using testing::node;
using testing::spec_of;

class RandomLife : public testing::ControllerTest {
 protected:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  void start_over(unsigned seed) {
    random_.seed(seed);
    store_ = std::make_unique<testing::FlakyStore>(make_memory_store());
    restart();
  }
  void restart() {
    store_->fail_next(0);
    open({.clusters = {{.name = "lab", .executor = "local"}}, .nodes = {node("n1", 4), node("n2", 4)}});
  }
  void commit() {
    if (!controller_->commit()) {
      ASSERT_TRUE(controller_->commit());
    }
  }
  void plan() {
    auto state = engine::State::load(controller_->tables());
    controller_->stage(engine::decide(state, {}, clock_.now()));
  }

  void submit_some() {
    auto spec = spec_of("job", 1 + pick(4));
    spec.nodes = 1 + pick(2);
    spec.priority = 10 * pick(5);
    spec.stop.grace = seconds(5 + pick(100));
    spec.retry = {.infra_max = 1, .error_max = 1, .backoff = seconds(pick(10))};
    controller_->stage({.principal = "alice"}, SubmitJobs{.specs = {spec}}, [](const Result<CommandReply>&) {});
  }

  template <class Rows>
  const typename Rows::mapped_type* any_of(const Rows& rows, auto wanted) {
    std::vector<const typename Rows::mapped_type*> found;
    for (const auto& [key, row] : rows)
      if (wanted(row)) found.push_back(&row);
    return found.empty() ? nullptr : found[static_cast<std::size_t>(pick(static_cast<int>(found.size())))];
  }
  static bool lives(const Attempt& attempt) { return attempt.state != AttemptState::ended; }

  void change_a_mind() {
    const Job* job = any_of(controller_->tables().jobs, [](const Job& j) { return !is_terminal(j.state); });
    if (!job) return;
    const std::array<Command, 3> commands{CancelJob{job->id}, HoldJob{job->id}, ReleaseJob{job->id}};
    controller_->stage({.principal = "alice"}, commands.at(static_cast<std::size_t>(pick(3))),
                       [](const Result<CommandReply>&) {});
  }

  // What an attempt may do next, with or without a request to stop.
  void go_on(const Attempt& attempt) {
    const Token token = attempt.token();
    const auto task = pick(static_cast<int>(attempt.tasks.size()));
    const auto say = [&](auto what) { controller_->stage(Observation{token, what}); };
    const bool preempted = attempt.stop_cause == StopCause::preemption;
    switch (pick(8)) {
      case 0: return say(LaunchAccepted{});
      case 1: return say(ContactIsLost{"no answer"});
      case 2: return say(ContactIsBack{});
      case 3: return say(ProgressIsReported{{.step = pick(1000), .completed = pick(20) == 0}});
      case 4:
        return say(ProgressIsReported{
            {.checkpoint = Checkpoint{.uri = "/ck", .step = pick(1000), .durable_at = some_clock()}}});
      case 5: return end(token, task, preempted);
      default: return say(TaskIsRunning{task});
    }
  }
  // A time by a job's clock, which may be wrong or set back.
  Instant some_clock() { return clock_.now() + Duration{pick(3) == 0 ? 1000 * (pick(20'000) - 10'000) : 0}; }

  // Of the tasks that are to stop, some got the request in time and some did not.
  void end(const Token& token, std::int32_t task, bool stopping) {
    constexpr std::array kCodes{0, 143, 75, 1};
    constexpr std::array kOther{EndedBy::oom, EndedBy::lost, EndedBy::time_limit};
    TaskExit exit{.by = stopping && pick(3) != 0 ? EndedBy::preempted : EndedBy::exit};
    if (pick(4) != 0) exit.exit_code = kCodes.at(static_cast<std::size_t>(pick(4)));
    else exit.signal = pick(2) == 0 ? 6 : 9;
    if (exit.signal && exit.by == EndedBy::exit) exit.by = EndedBy::signal;
    if (pick(12) == 0) exit.by = kOther.at(static_cast<std::size_t>(pick(3)));
    controller_->stage(Observation{token, TaskHasEnded{task, exit}});
  }

  void act() {
    if (pick(6) == 0) store_->fail_next(1);
    switch (pick(10)) {
      case 0: submit_some(); break;
      case 1: change_a_mind(); break;
      case 2: commit(), restart(); break;
      case 3: controller_->do_due(); break;
      case 4: plan(), plan(); break;
      case 5: plan(); break;
      default:
        if (const auto* attempt = any_of(controller_->tables().attempts, lives)) go_on(Attempt(*attempt));
    }
    if (pick(3) != 0) commit();
    clock_.advance(Duration{pick(4000)});
  }

  // A job that stopped for another is not responsible for the effect on its peers.
  void expect_no_blame() {
    std::map<AttemptKey, bool> ended_as_asked;
    for (const auto& event : events_) {
      const auto* ended = std::get_if<TaskEnded>(&event.payload);
      if (ended && ended->exit.by == EndedBy::preempted && ended->exit.exit_code == 75)
        ended_as_asked.try_emplace(ended->attempt, true);
      else if (ended && failed(ended->exit)) ended_as_asked.try_emplace(ended->attempt, false);
      const auto* over = std::get_if<AttemptEnded>(&event.payload);
      const auto it = over ? ended_as_asked.find(over->attempt) : ended_as_asked.end();
      if (it == ended_as_asked.end() || !it->second) continue;
      EXPECT_NE(over->by, EndedBy::exit) << "attempt of job " << to_string(over->attempt.job);
      EXPECT_NE(over->by, EndedBy::signal);
    }
  }

  void expect_promises() {
    const Tables& tables = controller_->tables();
    std::set<std::pair<std::string, std::string>> taken;
    for (const auto& [key, attempt] : tables.attempts) {
      if (!lives(attempt)) continue;
      for (const auto& placed : attempt.placement)
        for (const auto& device : placed.devices)
          EXPECT_TRUE(taken.emplace(placed.node, device).second) << "given twice";
      const bool told = std::ranges::any_of(executor_.stopped(),
                                            [&](const auto& stopped) { return stopped.token == attempt.token(); });
      EXPECT_TRUE(!attempt.stop_cause || told) << "stopping, and nobody was told";
      EXPECT_EQ(attempt.stop_cause.has_value(), attempt.stop_by.has_value());
    }
    expect_no_blame();
    for (const auto& [id, job] : tables.jobs) {
      EXPECT_TRUE(!job.nomination || job.state == JobState::queued);
      EXPECT_TRUE(std::ranges::is_sorted(job.checkpoints, std::greater{}, &Checkpoint::durable_at));
    }
    EXPECT_EQ(store_->load()->tables, tables) << "what is acted on is stored";
  }

  // All tasks with a request to stop end, and nothing more is requested.
  void come_to_rest() {
    for (int round = 0; round < 400; ++round) {
      for (const auto& [id, job] : RowTable(controller_->tables().jobs))
        if (job.state == JobState::held)
          controller_->stage({.principal = "alice"}, ReleaseJob{id}, [](const Result<CommandReply>&) {});
      plan();
      commit();
      for (const auto& [key, attempt] : RowTable(controller_->tables().attempts)) {
        if (!lives(attempt)) continue;
        controller_->stage(Observation{attempt.token(), ContactIsBack{}});
        const auto by = attempt.stop_cause == StopCause::preemption ? EndedBy::preempted : EndedBy::exit;
        for (std::int32_t task = 0; std::cmp_less(task, attempt.tasks.size()); ++task)
          controller_->stage(Observation{attempt.token(), TaskHasEnded{task, {.by = by, .exit_code = 0}}});
      }
      commit();
      if (controller_->tables().jobs.empty()) return;
      clock_.advance(seconds(30));
    }
    FAIL() << controller_->tables().jobs.size() << " jobs never come to an end";
  }

  std::mt19937 random_;
};

TEST_F(RandomLife, KeepsThePromisesAndComesToRest) {
  std::int64_t preemptions = 0;
  for (unsigned seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    start_over(seed);
    for (int step = 0; step < 150; ++step) act();
    store_->fail_next(0);
    commit();
    expect_promises();
    come_to_rest();
    preemptions += std::ranges::count_if(events_, [](const Event& event) {
      const auto* stopping = std::get_if<AttemptStopping>(&event.payload);
      return stopping && stopping->cause == StopCause::preemption;
    });
    events_.clear();
  }
  EXPECT_GT(preemptions, 150) << "this test is worth as much as it preempts";
}

}  // namespace
}  // namespace ym
