#include "executor/testing/recorded_responses/kubernetes/recorded_kubernetes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <thread>

namespace ym::recorded {
namespace {

namespace fs = std::filesystem;

void write_kubeconfig(const fs::path& file, const std::string& url) {
  std::ofstream(file) << fmt::format(
      "apiVersion: v1\nkind: Config\nclusters: [{{name: lab, cluster: {{server: \"{}\"}}}}]\n"
      "users: [{{name: me, user: {{token: secret}}}}]\n"
      "contexts: [{{name: lab, context: {{cluster: lab, user: me, namespace: lab}}}}]\ncurrent-context: lab\n",
      url);
}

}  // namespace

void RecordedKubernetes::SetUp() {
  static int number = 0;
  folder_ = fs::temp_directory_path() / fmt::format("ym-responses-k-{}-{}", ::getpid(), ++number);
  fs::create_directories(folder_);
  options = {.cluster = "lab", .kubeconfig = folder_ / "config", .context = {}, .name_space = {}, .writers = 2};
  options.pod.wrapper_image = "lab/wrapper:1";
  options.pod.image = "lab/base:1";
}

void RecordedKubernetes::TearDown() {
  executor.reset();
  for (const auto& each : server_ ? server_->asked() : std::vector<Asked>{})
    EXPECT_TRUE(each.is_recorded) << each.question << " in phase " << each.phase;
  server_.reset();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  if (HasFailure()) std::printf("observed:\n%s", seen.words().c_str());
}

void RecordedKubernetes::play(const std::string& name, const std::vector<LiveAttempt>& live) {
  const fs::path all = YM_SOURCE_DIR "/tests/recorded_responses/kubernetes";
  auto recording = read_recording(all / (name + ".txt"));
  ASSERT_TRUE(recording) << recording.error().message;
  server_ = std::make_unique<RecordedServer>(std::move(*recording), std::string());
  write_kubeconfig(options.kubeconfig, server_->url());
  auto made = make_kubernetes_executor(options, clock);
  ASSERT_TRUE(made) << made.error().message;
  executor = std::move(*made);
  ASSERT_TRUE(executor->start(seen.sink(), live));
  ASSERT_TRUE(eventually([&] { return times(kWatch) >= 1; })) << "it has not listed";
}

void RecordedKubernetes::again() {
  TearDown();
  seen.clear();
  SetUp();
}

void RecordedKubernetes::run() {
  launch();
  ASSERT_TRUE(seen.await<LaunchAccepted>(kToken)) << seen.words();
  ASSERT_TRUE(eventually([&] {
    const auto watches = asked(kWatch);
    return std::ranges::find(watches, "running", &Asked::phase) != watches.end();
  }));
  ASSERT_TRUE(agent().waits());
  ASSERT_TRUE(seen.await<GangIsWaiting>(kToken));
  executor->open_barrier(kToken, seen.of<GangIsWaiting>(kToken)[0].claims);
  ASSERT_TRUE(agent().waits());
  ASSERT_TRUE(agent().runs());
  ASSERT_EQ(seen.count<TaskIsRunning>(kToken), 1U);
}

std::vector<Asked> RecordedKubernetes::asked(const std::string& pattern) const {
  auto all = server_->asked();
  std::erase_if(all, [&](const Asked& each) { return !matches(pattern, each.question); });
  return all;
}

// Events that were streamed before are handled by the time of the next watch request.
void RecordedKubernetes::see(const std::string& phase) {
  const auto before = times(kWatch);
  enter(phase);
  EXPECT_TRUE(eventually([&] { return times(kWatch) > before; }));
}

// The registry waits for the agent's report, which does not come; longer if the cluster does not say how the task
// ended.
void RecordedKubernetes::end() {
  see("ended");
  pass(Duration{0});
  // On a busy machine the executor looks late, and counts from there: so the time passes again every three seconds.
  int looks = 0;
  ASSERT_TRUE(eventually([&] {
    if (looks++ % 300 == 0) clock.forward(seconds(70));
    return seen.count<TaskHasEnded>(kToken) >= 1;
  }));
}

// The executor checks timeouts once a second.
void RecordedKubernetes::pass(Duration time) {
  clock.forward(time);
  std::this_thread::sleep_for(std::chrono::milliseconds(1'200));
}

::testing::AssertionResult RecordedKubernetes::nothing_concluded() const {
  const auto bad = seen.count<TaskHasEnded>(kToken) + seen.count<ContactIsLost>(kToken) +
                   seen.count<TokenIsUnknown>(kToken) + seen.count<LaunchRefused>(kToken);
  if (bad > 0) return ::testing::AssertionFailure() << seen.words();
  return ::testing::AssertionSuccess();
}

const TaskExit& RecordedKubernetes::the_end() const {
  static const TaskExit kNone{.by = EndedBy::start_failed, .message = "it has not ended, or more than once"};
  ends_ = seen.of<TaskHasEnded>(kToken);
  return ends_.size() == 1 ? ends_[0].exit : kNone;
}

}  // namespace ym::recorded
