#include "control/attempts/culprit.h"

#include <gtest/gtest.h>

#include <csignal>

#include "base/testing/sentences.h"
#include "control/attempts/outcome.h"

namespace ym {
namespace {

using testing::expect_sentence;

constexpr std::int64_t kNow = 1'000'000;

TaskExit exited(int code, std::int64_t at = kNow) { return {.by = EndedBy::exit, .exit_code = code, .at = {at}}; }
TaskExit signalled(int signal, bool forced = false) {
  return {.by = EndedBy::signal, .signal = signal, .forced = forced, .at = {kNow}};
}
// How torchrun's agent ends: with 1, for any end of its worker.
TaskExit agent(WorkerFailure worker) {
  auto exit = exited(1);
  exit.worker = std::move(worker);
  return exit;
}

// A gang that ended like this, in the order of `seqs`.
Attempt gang(std::vector<TaskExit> exits, std::vector<std::uint64_t> seqs) {
  Attempt attempt{.job = JobId{1}, .number = 1, .stop_cause = StopCause::gang_failure};
  for (std::size_t i = 0; i < exits.size(); ++i)
    attempt.tasks.push_back({.state = TaskState::ended, .exit = std::move(exits[i]), .ended_seq = seqs[i]});
  return attempt;
}

std::optional<Culprit> culprit(const Attempt& attempt, const JobSpec& spec = {}) {
  return outcome_of(attempt, spec).culprit;
}

constexpr auto kCertain = Certainty::certain;

TEST(Culprit, ATaskThatWasStoppedBecauseOfItIsNone) {
  const auto found = culprit(gang({signalled(SIGTERM), exited(3), signalled(SIGKILL, true)}, {8, 7, 9}));
  EXPECT_EQ(found, (Culprit{.task = 1, .sure = kCertain}));
}

TEST(Culprit, AWorkerThatWasKilledExplainsTheAgentsThatFailedWithIt) {
  const auto attempt = gang(
      {agent({.rank = 0, .exit_code = 1, .message = "RuntimeError: Connection closed by peer", .at = Instant{9'000}}),
       agent({.rank = 3, .signal = SIGKILL, .at = Instant{9'000}})},
      {7, 8});
  EXPECT_EQ(culprit(attempt), (Culprit{.task = 1, .rank = 3, .sure = kCertain}));
  expect_sentence(outcome_of(attempt, {}).message);
}

// The other agent was faster, and the stop came while this one reported its worker's failure.
TEST(Culprit, AnAgentThatWasStoppedWhileItEndedStillNamesItsWorker) {
  auto stopped = signalled(SIGTERM);
  stopped.worker = WorkerFailure{.rank = 1, .signal = SIGKILL, .at = Instant{9'000}};
  EXPECT_EQ(culprit(gang({agent({.rank = 0, .exit_code = 1, .at = Instant{9'000}}), stopped}, {7, 8})),
            (Culprit{.task = 1, .rank = 1, .sure = kCertain}));
}

TEST(Culprit, OutOfMemoryCountsAsKilled) {
  EXPECT_EQ(culprit(gang({exited(1), {.by = EndedBy::oom, .signal = SIGKILL}}, {7, 8})),
            (Culprit{.task = 1, .sure = kCertain}));
}

// The loss of a peer also aborts workers: NCCL's watchdog does.
TEST(Culprit, AnAbortIsNotTakenForTheCause) {
  const auto attempt = gang({agent({.rank = 0, .signal = SIGABRT, .at = Instant{9'000}}),
                             agent({.rank = 1, .exit_code = 1, .at = Instant{5'000}})},
                            {7, 8});
  EXPECT_EQ(culprit(attempt), (Culprit{.task = 1, .rank = 1, .sure = Certainty::likely}));
}

TEST(Culprit, TheTimesOfLaunchersGoBeforeTheOrderOfEnds) {
  const auto at = [](std::int64_t first, std::int64_t second) {
    return gang({agent({.rank = 0, .exit_code = 1, .at = {first}}), agent({.rank = 1, .exit_code = 1, .at = {second}})},
                {7, 8});
  };
  EXPECT_EQ(culprit(at(9'000, 8'000)), (Culprit{.task = 1, .rank = 1, .sure = Certainty::likely}));
  EXPECT_EQ(culprit(at(9'000, 9'000)), (Culprit{.task = 0, .rank = 0, .sure = Certainty::guessed}));
}

TEST(Culprit, TheOrderOfEndsIsAGuessWhereTheyCameAtOnce) {
  EXPECT_EQ(culprit(gang({exited(1, kNow + 200), exited(1, kNow)}, {8, 7})),
            (Culprit{.task = 1, .sure = Certainty::guessed}));
  EXPECT_EQ(culprit(gang({exited(1, kNow + 4'000), exited(1, kNow)}, {8, 7})),
            (Culprit{.task = 1, .sure = Certainty::likely}));
}

// No request to stop had been sent when it ended, so the signal came from another sender.
TEST(Culprit, TheFirstEndIsItsOwnAlsoByAStopSignal) {
  EXPECT_EQ(culprit(gang({signalled(SIGTERM), signalled(SIGTERM)}, {9, 7})), (Culprit{.task = 1, .sure = kCertain}));
}

TEST(Culprit, OfASingleTaskOnlyItsLauncherTellsMore) {
  EXPECT_EQ(culprit(gang({exited(1)}, {7})), std::nullopt);
  EXPECT_EQ(culprit(gang({agent({.rank = 6, .exit_code = 2})}, {7})),
            (Culprit{.task = 0, .rank = 6, .sure = kCertain}));
}

TEST(Culprit, NoTaskIsTheCulpritWhereAllWereLostOrCouldNotStart) {
  const TaskExit lost{.by = EndedBy::lost}, refused{.by = EndedBy::start_failed};
  EXPECT_EQ(culprit(gang({lost, lost}, {7, 8})), std::nullopt);
  EXPECT_EQ(culprit(gang({refused, refused}, {7, 8})), std::nullopt);
  EXPECT_EQ(culprit(gang({exited(1), lost}, {7, 8})), (Culprit{.task = 1, .sure = kCertain}));
}

TEST(Culprit, NoTaskIsTheCulpritOfACancelOrASuccess) {
  auto cancelled = gang({exited(1), exited(0)}, {7, 8});
  cancelled.stop_cause = StopCause::cancel;
  EXPECT_EQ(culprit(cancelled), std::nullopt);
  EXPECT_EQ(culprit(gang({exited(0), exited(0)}, {7, 8})), std::nullopt);
}

}  // namespace
}  // namespace ym
