// A real Slurm for tests, with an executor and the work of control.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <sstream>

#include "executor/slurm/slurm_executor.h"
#include "executor/slurm/testing/slurm_lab.h"
#include "executor/slurm/testing/stand_in.h"

namespace ym::slurm {

namespace fs = std::filesystem;
using testing::LabOptions;
using testing::SlurmLab;
using testing::StandIn;

// Longer than the silence of an agent (60 s) after which an end counts that it does not report.
inline constexpr auto kTimeout = std::chrono::seconds(180);

class WallClock final : public Clock {
 public:
  Instant now() const override {
    return {std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
                .count()};
  }
};

inline bool until(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + kTimeout;
  while (std::chrono::steady_clock::now() < end) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return false;
}

// Whether all nodes take jobs. If a busy machine ends a job slowly, Slurm drains the node; this puts it back. Nodes in
// a cloud may be off.
inline bool in_service(const SlurmLab& lab) {
  std::istringstream states(lab.run({"sinfo", "-h", "-N", "-p", "train", "-o", "%N %T"}));
  bool all = true;
  for (std::string name, state; states >> name >> state;) {
    if (!name.starts_with('n')) continue;
    if (state.starts_with("drain") || state.starts_with("down") || state.starts_with("fail"))
      lab.run({"sh", "-c", "scontrol update nodename=$0 state=resume || true", name});
    all = all && state == "idle";
  }
  return all;
}

// One cluster for all tests; each test has its own executor, tokens and folder.
class OnRealSlurm : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    start_lab({.conf = "MinJobAge=2\nPreemptType=preempt/partition_prio\nPreemptMode=CANCEL\n"
                       "PartitionName=low Nodes=n3 PriorityTier=1 PreemptMode=CANCEL GraceTime=4\n"
                       "PartitionName=high Nodes=n3 PriorityTier=10\n"});
  }
  // If Slurm is installed.
  static void start_lab(const LabOptions& options) {
    if (!SlurmLab::missing().empty()) return;
    auto started = SlurmLab::start(options);
    if (started) lab_ = std::move(*started);
    else problem_ = started.error().message;
  }
  static void TearDownTestSuite() { lab_.reset(); }

  void SetUp() override {
    if (!SlurmLab::missing().empty()) GTEST_SKIP() << "no Slurm here: " << SlurmLab::missing();
    ASSERT_TRUE(lab_) << problem_;
    static int count = 0;
    const auto name = "t" + std::to_string(++count);
    first_job_ = static_cast<std::uint64_t>(count) * 100;
    stand_in_ = std::make_unique<StandIn>(lab_->folder() / name);
    options_ = {.cluster = "lab",
                .conf = lab_->conf(),
                .instance = name,
                .wrapper = stand_in_->agent_path(),
                .log_dir = stand_in_->folder() / "logs",
                .server_url = "http://127.0.0.1:9",
                .status_rpcs_a_minute = 120,
                .command_timeout = seconds(4),
                .forget = seconds(4),
                .node_settle = seconds(4)};
    ASSERT_TRUE(until([] { return in_service(*lab_); })) << lab_->run({"sinfo", "-N"});
  }
  // The next test has the cluster alone.
  void TearDown() override {
    if (stand_in_) stand_in_->hush();
    executor_.reset();
    if (!lab_) return;
    lab_->run({"sh", "-c", "scancel --quiet --user=$(id -un) || true"});
    EXPECT_TRUE(until([] { return lab_->run({"squeue", "-h", "-t", "PD,R,CG,CF", "-o", "%i"}).empty(); })) << queue();
  }

  void begin(std::vector<LiveAttempt> live = {}) {
    auto made = make_slurm_executor(options_, clock_);
    ASSERT_TRUE(made) << made.error().message;
    executor_ = std::move(*made);
    barriers_ = std::jthread([this](const std::stop_token& stop) { open_barriers(stop); });
    ASSERT_TRUE(executor_->start([this](Observation seen) { take(std::move(seen)); }, live));
    stand_in_->serve(*executor_->task_link());
  }
  void finish() {
    stand_in_->hush();
    barriers_ = {};
    executor_.reset();
  }
  void take(Observation seen) {
    const std::lock_guard lock{mutex_};
    seen_.push_back(std::move(seen));
  }
  // As control does.
  void open_barriers(const std::stop_token& stop) {
    std::size_t done = 0;
    while (!stop.stop_requested()) {
      std::vector<std::pair<Token, std::vector<TaskClaim>>> gangs;
      {
        const std::lock_guard lock{mutex_};
        for (; done < seen_.size(); ++done)
          if (const auto* gang = std::get_if<GangIsWaiting>(&seen_[done].what))
            gangs.emplace_back(seen_[done].token, gang->claims);
      }
      for (const auto& [token, claims] : gangs) executor_->open_barrier(token, claims);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  Token token(std::uint64_t n = 1) const { return {JobId{first_job_ + n}, 1, 7}; }
  LaunchRequest request(const Token& token, const std::vector<std::string>& nodes, std::int64_t gpus = 1) const {
    LaunchRequest made{.token = token, .job_name = "x", .owner = "tester"};
    JobSpec spec{.name = "x",
                 .run = {Program::Form::argv, {"true"}},
                 .workdir = "/",
                 .nodes = static_cast<std::int32_t>(nodes.size())};
    spec.resources = {.gpus = gpus * kMilli, .cpus = kMilli, .memory_bytes = std::int64_t{64} << 20};
    spec.time_limit = minutes(10);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      made.nodes.push_back({.name = nodes[i], .cluster = "lab", .gpu_type = "h100"});
      made.placement.push_back({.task = static_cast<std::int32_t>(i), .node = nodes[i], .devices = {"0"}});
    }
    made.spec = std::make_shared<const JobSpec>(std::move(spec));
    made.contact = JobContact{
        .progress_url = "http://127.0.0.1:9/p", .notice_url = "http://127.0.0.1:9/n", .token = Secret{"secret"}};
    return made;
  }

  template <class What>
  std::vector<What> said(const Token& token) const {
    const std::lock_guard lock{mutex_};
    std::vector<What> all;
    for (const auto& seen : seen_)
      if (const auto* what = std::get_if<What>(&seen.what); what && seen.token == token) all.push_back(*what);
    return all;
  }
  template <class What>
  bool await(const Token& token, std::size_t count = 1) const {
    return until([&] { return said<What>(token).size() >= count; });
  }
  // Not every node needs it: the drain may have been lost too.
  static void resume(const std::string& node) {
    lab_->run({"sh", "-c", "scontrol update nodename=$0 state=resume || true", node});
  }
  std::string queue() const { return lab_->run({"squeue", "-h", "-a", "-t", "all", "-o", "%i %j %T %r %N"}); }
  // Job lists come from a command that fails while they are held. Call it before begin().
  void hold_lists_by_command() {
    const auto bin = stand_in_->folder() / "bin";
    fs::create_directories(bin);
    for (const char* name : {"sbatch", "scontrol", "scancel", "sacct"})
      fs::create_symlink(fs::path("/usr/bin") / name, bin / name);
    std::ofstream(bin / "squeue") << "#!/bin/sh\n[ -e " << (bin / "hold").string()
                                  << " ] && exit 1\nexec /usr/bin/squeue \"$@\"\n";
    fs::permissions(bin / "squeue", fs::perms{0755});
    options_.bin_dir = bin;
  }
  void hold_lists(bool hold) const {
    const auto file = fs::path(options_.bin_dir) / "hold";
    if (hold) std::ofstream(file).close();
    else fs::remove(file);
  }
  // A job that ends in this way, and neither its agent nor Slurm's controller reports it.
  void ends_and_is_forgotten(const std::string& end) {
    stand_in_->code("touch \"$box/ready\"; sleep 1; " + end);
    options_.node_poll = seconds(2);
    hold_lists_by_command();
    begin();
    executor_->launch(request(token(), {"n1"}));
    ASSERT_TRUE(until([&] { return fs::exists(stand_in_->folder() / "ready"); })) << queue();
    stand_in_->hush();
    hold_lists(true);
    ASSERT_TRUE(until([&] { return queue().find(to_string(token())) == std::string::npos; })) << queue();
    hold_lists(false);
    ASSERT_TRUE(await<TaskHasEnded>(token()));
  }
  std::string id_of(const Token& token) const {
    std::istringstream lines(lab_->run({"squeue", "-h", "-a", "-o", "%i %j"}));
    for (std::string id, name; lines >> id >> name;)
      if (name.find(to_string(token)) != std::string::npos) return id;
    return {};
  }
  // Number of running and waiting jobs.
  int jobs_named(const Token& token) const {
    std::istringstream names(lab_->run({"squeue", "-h", "-a", "-t", "PD,R,CG,CF", "-o", "%j"}));
    int count = 0;
    for (std::string name; names >> name;) count += name == "ym-" + to_string(token) + "-" + options_.instance ? 1 : 0;
    return count;
  }

  static inline std::unique_ptr<SlurmLab> lab_;
  static inline std::string problem_;

  WallClock clock_;
  SlurmOptions options_;
  std::uint64_t first_job_ = 0;
  std::unique_ptr<StandIn> stand_in_;
  mutable std::mutex mutex_;
  std::vector<Observation> seen_;  // under mutex_
  std::unique_ptr<Executor> executor_;
  std::jthread barriers_;
};

}  // namespace ym::slurm
