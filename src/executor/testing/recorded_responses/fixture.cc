#include "executor/testing/recorded_responses/fixture.h"

#include <fmt/format.h>

#include <fstream>
#include <thread>

#include "executor/task_link.h"

namespace ym::recorded {
namespace {

constexpr auto kTimeout = std::chrono::seconds(120);  // only a test that fails waits so long

struct Words {
  std::string operator()(const LaunchAccepted&) const { return "accepted"; }
  std::string operator()(const LaunchRefused& w) const { return "refused: " + w.message; }
  std::string operator()(const LaunchPreparing&) const { return "preparing"; }
  std::string operator()(const GangIsWaiting&) const { return "waits at the launch barrier"; }
  std::string operator()(const TaskIsRunning&) const { return "runs"; }
  std::string operator()(const TaskHasEnded& w) const {
    return fmt::format("ended by {}, {}: {}", static_cast<int>(w.exit.by), w.exit.exit_code.value_or(-1),
                       w.exit.message);
  }
  std::string operator()(const StartIsDelayed& w) const { return "delayed: " + w.message; }
  std::string operator()(const ContactIsLost& w) const { return "contact lost: " + w.message; }
  std::string operator()(const ContactIsBack&) const { return "contact back"; }
  std::string operator()(const TokenIsUnknown&) const { return "unknown"; }
  std::string operator()(const ClusterIsSeen& w) const { return w.available ? "cluster there" : "cluster away"; }
  std::string operator()(const NodesAreSeen& w) const { return fmt::format("{} nodes", w.nodes.size()); }
  std::string operator()(const auto&) const { return "something else"; }
};

}  // namespace

Instant ForwardClock::now() const {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::milliseconds>(now).count() + ahead_ms_};
}

bool eventually(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + kTimeout;
  while (std::chrono::steady_clock::now() < end) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return holds();
}

ObservationSink Observed::sink() {
  return [this](Observation observation) {
    const std::lock_guard lock(mutex_);
    all_.push_back(std::move(observation));
  };
}

std::vector<Observation> Observed::all() const {
  const std::lock_guard lock(mutex_);
  return all_;
}

void Observed::clear() {
  const std::lock_guard lock(mutex_);
  all_.clear();
}

std::optional<bool> Observed::available() const {
  std::optional<bool> last;
  for (const auto& seen : of<ClusterIsSeen>({})) last = seen.available;
  return last;
}

std::vector<Node> Observed::nodes() const {
  const auto seen = of<NodesAreSeen>({});
  return seen.empty() ? std::vector<Node>{} : seen.back().nodes;
}

std::string Observed::words() const {
  std::string text;
  for (const auto& seen : all()) text += std::visit(Words{}, seen.what) + "\n";
  return text;
}

LaunchRequest one_task(const Token& token, const std::string& gpu_type) {
  JobSpec spec{.name = "train", .run = {Program::Form::argv, {"true"}}, .workdir = "/", .nodes = 1};
  spec.resources = {.gpus = kMilli, .cpus = kMilli, .memory_bytes = std::int64_t{64} << 20};
  spec.stop.grace = seconds(1);
  LaunchRequest made{.token = token, .job_name = "train", .owner = "ann"};
  made.spec = std::make_shared<const JobSpec>(std::move(spec));
  made.nodes.push_back({.name = "n1", .cluster = "lab", .gpu_type = gpu_type});
  made.placement.push_back({.task = 0, .node = "n1", .devices = {"0"}});
  made.contact = JobContact{.progress_url = "http://127.0.0.1:9/api/v1/jobs/1/attempts/1/progress",
                            .notice_url = "http://127.0.0.1:9/api/v1/jobs/1/attempts/1/notice",
                            .token = Secret{"secret"}};
  return made;
}

Result<remote::TaskOrders> PlayedAgent::ends(std::int32_t code) {
  return say(remote::TaskReport::State::ended, TaskExit{.by = EndedBy::exit, .exit_code = code, .at = Instant{1}});
}

Result<remote::TaskOrders> PlayedAgent::say(remote::TaskReport::State state, std::optional<TaskExit> exit) {
  remote::TaskReport report{.token = token_, .nonce = "nonce", .state = state};
  report.claim = {.nonce = report.nonce, .address = "127.0.0.1", .port = 0, .node = "n1"};
  report.exit = std::move(exit);
  const auto orders = link_->report({token_.key(), 0}, encode(report));
  if (!orders) return std::unexpected(orders.error());
  return remote::decode_orders(*orders);
}

std::int64_t peak_mib() {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("VmHWM:")) return std::stoll(line.substr(6)) / 1024;
  return 0;
}

void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

}  // namespace ym::recorded
