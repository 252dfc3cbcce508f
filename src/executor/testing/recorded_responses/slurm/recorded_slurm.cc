#include "executor/testing/recorded_responses/slurm/recorded_slurm.h"

#include <fmt/format.h>
#include <unistd.h>

#include <thread>

namespace ym::recorded {
namespace {

namespace fs = std::filesystem;

}  // namespace

void RecordedSlurm::SetUp() {
  static int number = 0;
  folder_ = fs::temp_directory_path() / fmt::format("ym-responses-{}-{}", ::getpid(), ++number);
  options = {.cluster = "lab",
             .wrapper = "/usr/bin/ym-task",
             .server_url = "http://127.0.0.1:9",
             .poll = Duration{20},
             .node_poll = Duration{20},
             .status_rpcs_a_minute = 60'000,
             .submitters = 2};
  options.bin_dir = folder_ / "bin";
}

void RecordedSlurm::TearDown() {
  executor.reset();
  for (const auto& each : server_ ? server_->asked() : std::vector<Asked>{})
    EXPECT_TRUE(each.is_recorded) << each.question << " in phase " << each.phase;
  for (const auto& each : commands_ ? commands_->asked() : std::vector<Asked>{})
    EXPECT_TRUE(each.is_recorded) << each.question << " in phase " << each.phase;
  server_.reset();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  if (HasFailure()) std::printf("observed:\n%s", seen.words().c_str());
}

void RecordedSlurm::play(Interface by, const std::string& name, const std::vector<LiveAttempt>& live) {
  by_ = by;
  const fs::path all = YM_SOURCE_DIR "/tests/recorded_responses";
  auto recording = read_recording(all / (by == Interface::rest ? "slurmrestd" : "slurm") / (name + ".txt"));
  ASSERT_TRUE(recording) << recording.error().message;
  commands_ = std::make_unique<RecordedCommands>(*recording, folder_);
  if (by == Interface::rest) {
    server_ = std::make_unique<RecordedServer>(*recording, folder_ / "rest.sock",
                                               [this](const std::string& phase) { commands_->enter(phase); });
    options.rest = {.url = server_->url(), .user = "root", .jwt = {}};
  }
  auto made = make_slurm_executor(options, clock);
  ASSERT_TRUE(made) << made.error().message;
  executor = std::move(*made);
  ASSERT_TRUE(executor->start(seen.sink(), live));
}

void RecordedSlurm::again() {
  TearDown();
  seen.clear();
  SetUp();
}

void RecordedSlurm::enter(const std::string& phase) {
  commands_->enter(phase);
  if (server_) server_->enter(phase);
}

void RecordedSlurm::launch(const Token& token) { executor->launch(one_task(token)); }

void RecordedSlurm::run() {
  launch();
  ASSERT_TRUE(seen.await<LaunchAccepted>(kToken)) << seen.words();
  ASSERT_TRUE(agent().waits());
  ASSERT_TRUE(seen.await<GangIsWaiting>(kToken));
  executor->open_barrier(kToken, seen.of<GangIsWaiting>(kToken)[0].claims);
  ASSERT_TRUE(agent().waits());
  ASSERT_TRUE(agent().runs());
  ASSERT_EQ(seen.count<TaskIsRunning>(kToken), 1U);
  ASSERT_TRUE(heard(Question::jobs));
  ASSERT_TRUE(heard(Question::nodes));
}

std::string RecordedSlurm::pattern_of(Question question) const {
  const bool rest = by_ == Interface::rest;
  switch (question) {
    case Question::jobs: return rest ? "GET /slurm/*/jobs" : "squeue *";
    case Question::nodes: return rest ? "GET /slurm/*/nodes" : "scontrol * show node";
    case Question::accounts: return "sacct *";
    case Question::submission: return rest ? "POST /slurm/*/job/submit" : "sbatch *";
    case Question::cancel: return rest ? "DELETE /slurm/*" : "scancel *";
  }
  return {};
}

std::vector<Asked> RecordedSlurm::asked(Question question) const {
  auto all = by_ == Interface::rest && question != Question::accounts ? server_->asked() : commands_->asked();
  const auto pattern = pattern_of(question);
  std::erase_if(all, [&](const Asked& each) { return !matches(pattern, each.question); });
  return all;
}

// Requests come one after the other: when the next one comes, the answer to the one before has been handled. The first
// may have come a moment before.
bool RecordedSlurm::heard(Question question, std::size_t answers) {
  const auto before = times(question);
  return eventually([&] { return times(question) > before + answers; });
}

bool RecordedSlurm::cancelled(const std::string& id) const {
  const bool rest = by_ == Interface::rest;
  for (const auto& each : asked(Question::cancel))
    if (rest ? matches("*/job/" + id + "*", each.question)
             : (each.question + " ").find(" " + id + " ") != std::string::npos)
      return true;
  return false;
}

// The executor checks timeouts once a second.
void RecordedSlurm::pass(Duration time) {
  clock.forward(time);
  const auto before = times(Question::jobs);
  std::this_thread::sleep_for(std::chrono::milliseconds(1'100));
  EXPECT_TRUE(eventually([&] { return times(Question::jobs) > before + 1; }));
}

void RecordedSlurm::see(const std::string& phase) {
  enter(phase);
  EXPECT_TRUE(heard(Question::jobs));
  EXPECT_TRUE(heard(Question::nodes));
}

// The registry waits for the agent's report, which does not come; longer if Slurm does not say how the task ended.
void RecordedSlurm::end() {
  see("ended");
  clock.forward(seconds(70));
  ASSERT_TRUE(seen.await<TaskHasEnded>(kToken));
}

::testing::AssertionResult RecordedSlurm::nothing_concluded() const {
  if (seen.count<TaskHasEnded>(kToken) + seen.count<ContactIsLost>(kToken) + seen.count<TokenIsUnknown>(kToken) +
          seen.count<LaunchRefused>(kToken) >
      0)
    return ::testing::AssertionFailure() << seen.words();
  if (times(Question::submission) > 1) return ::testing::AssertionFailure() << "it was submitted again";
  return ::testing::AssertionSuccess();
}

const TaskExit& RecordedSlurm::the_end() const {
  static const TaskExit kNone{.by = EndedBy::start_failed, .message = "it has not ended"};
  ends_ = seen.of<TaskHasEnded>(kToken);
  return ends_.size() == 1 ? ends_[0].exit : kNone;
}

}  // namespace ym::recorded
