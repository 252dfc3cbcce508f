// The outcome of an attempt that was asked to stop for another job.
#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include "control/attempts/outcome.h"

#include "base/testing/sentences.h"

namespace ym {
namespace {

using testing::expect_sentence;

constexpr auto kTold = EndedBy::preempted;

TaskExit left(EndedBy by, int code) { return {.by = by, .exit_code = code, .message = "preempted"}; }
TaskExit untold(int code) { return {.by = EndedBy::exit, .exit_code = code, .message = {}}; }
TaskExit killed(EndedBy by, int signal) { return {.by = by, .exit_code = {}, .signal = signal, .message = {}}; }
TaskExit at_deadline() { return {.by = kTold, .exit_code = {}, .signal = SIGKILL, .message = {}, .forced = true}; }
TaskExit never_ran(bool permanent) {
  return {.by = EndedBy::start_failed, .exit_code = {}, .signal = {}, .message = "it", .permanent = permanent};
}

Attempt told(std::vector<TaskExit> exits, bool completed = false) {
  Attempt attempt{.job = JobId{1}, .number = 1};
  attempt.stop_cause = StopCause::preemption;
  attempt.yields_to = JobId{7};
  std::uint64_t seq = 0;
  for (auto& exit : exits)
    attempt.tasks.push_back({.state = TaskState::ended, .exit = std::move(exit), .ended_seq = ++seq});
  if (completed) attempt.progress = Progress{.completed = true};
  return attempt;
}

JobSpec spec_with(const std::string& signal = "SIGTERM", Launcher launcher = Launcher::none) {
  JobSpec spec;
  spec.stop.signal = signal;
  spec.launcher = launcher;
  return spec;
}

// "succeeded", "preempted", or the cause of its retry.
std::string reading(const Attempt& attempt, const JobSpec& spec) {
  const auto outcome = outcome_of(attempt, spec);
  JobSpec retrying = spec;
  retrying.retry = {.infra_max = 1, .error_max = 1};
  Job job{.id = JobId{1}, .spec = std::make_shared<const JobSpec>(retrying)};
  const auto next = after_attempt(job, outcome);
  if (const auto* finish = std::get_if<Finish>(&next)) return std::string(to_string(finish->state));
  const auto cause = std::get<Retry>(next).cause;
  EXPECT_EQ(cause == RetryCause::preempted, outcome.by == EndedBy::preempted);
  return std::string(to_string(cause));
}

struct Row {
  std::string what;
  std::vector<TaskExit> exits;
  std::string expected;
  bool completed = false;
  JobSpec spec = spec_with();
};

std::vector<Row> programs() {
  const JobSpec usr1 = spec_with("SIGUSR1");
  return {
      {"status 0 without completion", {left(kTold, 0)}, "preempted"},
      {"status 0 with completion", {left(kTold, 0)}, "SUCCEEDED", true},
      {"completion, but not every task ended well", {left(kTold, 0), left(kTold, 143)}, "preempted", true},
      {"completion and an error", {left(kTold, 3)}, "error", true},
      {"143", {left(kTold, 143)}, "preempted"},
      {"75", {left(kTold, 75)}, "preempted"},
      {"status 1 is an error", {left(kTold, 1)}, "error"},
      {"another status is an error", {left(kTold, 144)}, "error"},
      {"128 is no signal's", {left(kTold, 128)}, "error"},
      {"ended by SIGTERM", {killed(kTold, SIGTERM)}, "preempted"},
      {"ended by the job's own signal", {killed(kTold, SIGUSR1)}, "preempted", false, usr1},
      {"a shell whose child that signal ended", {left(kTold, 128 + SIGUSR1)}, "preempted", false, usr1},
      {"that signal is not everybody's", {killed(kTold, SIGUSR1)}, "error"},
      {"SIGTERM counts beside it", {killed(kTold, SIGTERM)}, "preempted", false, usr1},
      {"killed at the deadline", {at_deadline()}, "preempted"},
      {"the other end of its pipe has stopped", {killed(kTold, SIGPIPE)}, "preempted"},
      {"and its shell says so", {left(kTold, 128 + SIGPIPE)}, "preempted"},
      {"killed by somebody else", {killed(kTold, SIGKILL)}, "error"},
      {"a crash while it saved", {killed(kTold, SIGSEGV)}, "error"},
      {"out of memory", {killed(EndedBy::oom, SIGKILL)}, "error"},
      {"its time was over", {killed(EndedBy::time_limit, SIGTERM)}, "TIMED_OUT"},
      {"its time was over, and it was killed",
       {{.by = EndedBy::time_limit, .exit_code = {}, .signal = SIGKILL, .message = {}, .forced = true}},
       "TIMED_OUT"},
      {"lost", {{.by = EndedBy::lost}}, "infra"},
      {"lost, and the others gave way", {left(kTold, 143), {.by = EndedBy::lost}}, "infra"},
      {"before user code ran", {never_ran(false)}, "preempted"},
      {"user code that cannot run", {never_ran(true)}, "FAILED"},
      {"done before it was told", {untold(0), untold(0)}, "SUCCEEDED"},
      {"done before it was told, in one task only", {untold(0), left(kTold, 0)}, "preempted"},
      {"an error before it was told", {untold(5)}, "error"},
      {"an error of one task", {left(kTold, 3), left(kTold, 143), at_deadline()}, "error"},
      {"every way to give way", {left(kTold, 0), left(kTold, 75), at_deadline(), killed(kTold, 15)}, "preempted"},
  };
}

// In the order in which they ended.
std::vector<Row> gangs() {
  const JobSpec usr1 = spec_with("SIGUSR1");
  const TaskExit lost{.by = EndedBy::lost};
  return {
      {"a peer's polite exit, and what came of it", {left(kTold, 75), left(kTold, 1)}, "preempted"},
      {"the same, by a signal", {left(kTold, 75), killed(kTold, SIGABRT)}, "preempted"},
      {"of a peer that nobody had told yet", {left(kTold, 75), untold(1)}, "preempted"},
      {"the same, by a signal", {left(kTold, 0), killed(EndedBy::signal, SIGABRT)}, "preempted"},
      {"under another signal", {killed(kTold, SIGUSR1), untold(1)}, "preempted", false, usr1},
      {"after completion", {left(kTold, 0), left(kTold, 1)}, "preempted", true},
      {"the error came first", {left(kTold, 1), left(kTold, 75)}, "error"},
      {"and nobody had told it", {untold(1), left(kTold, 75)}, "error"},
      {"after one that left by itself", {untold(0), untold(1)}, "error"},
      {"after one that left by itself, though as if told", {untold(75), left(kTold, 1)}, "error"},
      {"out of memory is no consequence", {left(kTold, 75), killed(EndedBy::oom, SIGKILL)}, "error"},
      {"nor is a machine that was lost", {left(kTold, 75), lost}, "infra"},
      {"nor the time limit", {left(kTold, 75), killed(EndedBy::time_limit, SIGTERM)}, "TIMED_OUT"},
      {"nor what cannot run at all", {left(kTold, 75), never_ran(true)}, "FAILED"},
  };
}

// torchrun's agent ends with 1 after each request to stop.
std::vector<Row> agents() {
  const JobSpec torchrun = spec_with("SIGTERM", Launcher::torchrun);
  return {
      {"torchrun's agent", {left(kTold, 1), left(kTold, 1)}, "preempted", false, torchrun},
      {"torchrun's agent, which nobody had told", {untold(1)}, "error", false, torchrun},
      {"torchrun's agent with completion", {left(kTold, 1)}, "SUCCEEDED", true, torchrun},
      {"two of them, one told too late", {left(kTold, 1), untold(0)}, "SUCCEEDED", true, torchrun},
      {"with completion, but untold", {untold(1)}, "error", true, torchrun},
      {"with completion, and one that was stopped", {left(kTold, 1), left(kTold, 143)}, "preempted", true, torchrun},
      {"torchrun's agent with another status", {left(kTold, 2)}, "error", false, torchrun},
  };
}

TEST(PreemptedOutcome, IsReadFromHowEveryTaskEnded) {
  for (const auto& rows : {programs(), gangs(), agents()})
    for (const auto& row : rows) EXPECT_EQ(reading(told(row.exits, row.completed), row.spec), row.expected) << row.what;
}

TEST(PreemptedOutcome, OutsideAStopStatusZeroIsSuccessWithOrWithoutCompletion) {
  for (const bool completed : {false, true}) {
    Attempt attempt = told({untold(0)}, completed);
    attempt.stop_cause.reset();
    EXPECT_EQ(reading(attempt, spec_with()), "SUCCEEDED");
  }
  Attempt attempt = told({untold(143)});
  attempt.stop_cause.reset();
  EXPECT_EQ(reading(attempt, spec_with()), "error") << "and 143 is one of its own";
}

TEST(PreemptedOutcome, NamesThePreemptingJobAndHowTheTasksEnded) {
  const auto preempted = outcome_of(told({left(kTold, 143)}), spec_with());
  expect_sentence(preempted.message);
  EXPECT_EQ(preempted.exit_code, 143);
  const auto error = outcome_of(told({left(kTold, 3), left(kTold, 143)}), spec_with());
  EXPECT_EQ(error.by, EndedBy::exit);
  expect_sentence(error.message);
  EXPECT_EQ(outcome_of(told({killed(kTold, SIGSEGV)}), spec_with()).by, EndedBy::signal);
}

TEST(PreemptedOutcome, GoesBackAtOnceUntilItsOwnLimit) {
  JobSpec spec = spec_with();
  spec.retry = {.infra_max = 0, .error_max = 0, .preempted_max = 2, .backoff = seconds(5)};
  Job job{.id = JobId{1}, .spec = std::make_shared<const JobSpec>(spec)};
  const auto outcome = outcome_of(told({left(kTold, 0)}), spec);
  job.retries.preempted = 1;
  EXPECT_EQ(std::get<Retry>(after_attempt(job, outcome)).backoff, seconds(0));
  job.retries.preempted = 2;
  const auto next = after_attempt(job, outcome);
  EXPECT_EQ(std::get<Finish>(next).state, JobState::failed);
  expect_sentence(std::get<Finish>(next).message);
}

}  // namespace
}  // namespace ym
