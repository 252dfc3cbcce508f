// A real Slurm for the conformance suite, with the real ym-task and ym-supervisor.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "executor/conformance/session.h"
#include "executor/conformance/suite.h"
#include "executor/remote/testing/task_server.h"
#include "executor/slurm/jobs/parts.h"
#include "executor/slurm/jobs/script.h"
#include "executor/slurm/testing/lab.h"

namespace ym::slurm {

// One cluster for all tests of the program, started by the first test that needs it.
class SharedLab final : public ::testing::Environment {
 public:
  void TearDown() override { lab_.reset(); }

  // Throws HostIsMissing if Slurm is not installed.
  SlurmLab& get() {
    if (const auto missing = SlurmLab::missing(); !missing.empty())
      throw ym::testing::HostIsMissing("no Slurm here: " + missing);
    if (lab_) return *lab_;
    auto started = SlurmLab::start({.cpus = 256, .conf = kQuick});
    if (!started) throw std::runtime_error(started.error().message);
    lab_ = std::move(*started);
    return *lab_;
  }

 private:
  static constexpr const char* kQuick =
      "SchedulerParameters=batch_sched_delay=1,sched_min_interval=50000,default_queue_depth=10000,sched_interval=1,"
      "bf_interval=1,bf_continue\nDefMemPerCPU=16\nSlurmctldDebug=error\nSlurmdDebug=error\n";

  std::unique_ptr<SlurmLab> lab_;
};
inline SharedLab* const shared_lab =
    static_cast<SharedLab*>(::testing::AddGlobalTestEnvironment(new SharedLab));  // which owns it

class SlurmHost final : public ym::testing::ExecutorHost {
 public:
  SlurmHost() : lab_(shared_lab->get()) {
    static int number = 0;
    root_ = lab_.folder() / ("h" + std::to_string(++number));
    for (const char* name : {"scratch", "tmp", "logs"}) fs::create_directories(root_ / name);
    write_agent();
    options = {.cluster = "lab",
               .conf = lab_.conf(),
               .instance = "h" + std::to_string(number),
               .wrapper = root_ / "ym-task",
               .log_dir = root_ / "logs",
               .server_url = server_.url(),
               .poll = seconds(1),
               .node_poll = seconds(5),
               .status_rpcs_a_minute = 600,
               .forget = seconds(4),
               .node_settle = seconds(4)};
    ym::testing::wait_until("nodes in service", [&] { return in_service(lab_); });
  }
  ~SlurmHost() override {
    try {
      clear();
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  SlurmHost(const SlurmHost&) = delete;
  SlurmHost& operator=(const SlurmHost&) = delete;

  std::unique_ptr<Executor> make() override {
    auto made = make_slurm_executor(options, clock_);
    if (!made) throw std::runtime_error(made.error().message);
    return server_.front(std::move(*made));
  }
  Node node(int number) override { return {.name = "n" + std::to_string(number + 1), .cluster = "lab"}; }
  fs::path scratch() const override { return root_ / "scratch"; }
  std::optional<JobContact> contact(const Token& token) override { return server_.contact(token); }
  bool keeps_state() const override { return false; }
  fs::path log_file(const Token& token) const override {
    return fs::path(log_folder(options.log_dir, token.key())) / "0+0.log";
  }
  bool cut_contact(const Token&, bool cut) override {
    server_.go_away(cut);
    return true;
  }
  bool begin_no_more_than(std::optional<int> tasks) override {
    for (int number = tasks.value_or(0); number < 4; ++number)
      lab_.run({"sh", "-c", "scontrol update nodename=$0 state=$1 reason=test || true", node(number).name,
                tasks ? "drain" : "resume"});
    return true;
  }
  // Kills the supervisor: the parent of user code, with its files in this host's folder.
  bool kill_watcher(const Token&, std::int32_t) override {
    // Its environment is visible a moment after the task is reported as running.
    ym::testing::wait_until("its supervisor", [this] { return kill_supervisor(); });
    return true;
  }
  bool kill_supervisor() const {
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const auto environment = ym::testing::lines_of(entry.path() / "environ");
      if (environment.empty() ||
          environment.front().find("YM_PROGRESS_FILE=" + (root_ / "tmp").string()) == std::string::npos)
        continue;
      const auto parent = parent_of(entry.path());
      if (ym::testing::lines_of("/proc/" + parent + "/comm") != std::vector<std::string>{"ym-supervisor"}) continue;
      ::kill(std::stoi(parent), SIGKILL);
      return true;
    }
    return false;
  }
  // A job with this executor's name for the token, from another server.
  std::function<bool()> make_foreign(const Token& token) override {
    const auto id = lab_.run({"sbatch", "--parsable", "--job-name=" + part_name(token, options.instance, 0, 1),
                              "--comment=yardmaster/another job 9", "--output=/dev/null"},
                             "#!/bin/sh\nexec sleep 1000\n");
    return [this, id = id.substr(0, id.find('\n'))] {
      return lab_.run({"squeue", "-h", "-t", "R", "-o", "%i"}).find(id) != std::string::npos;
    };
  }

  SlurmOptions options;

 private:
  static std::string parent_of(const fs::path& process) {
    for (const auto& line : ym::testing::lines_of(process / "status"))
      if (line.starts_with("PPid:\t")) return line.substr(6);
    return "none";
  }
  void clear() const {
    lab_.run({"sh", "-c", "scancel --quiet --user=$(id -un) || true"});
    ym::testing::wait_until("an empty queue",
                            [&] { return lab_.run({"squeue", "-h", "-t", "PD,R,CG,CF", "-o", "%i"}).empty(); });
  }
  // Tests that do not release ended attempts must not wait for a minute.
  void write_agent() const {
    const auto tmp = (root_ / "tmp").string();
    std::ofstream(root_ / "ym-task") << "#!/bin/sh\nexport YM_TASK_LINGER=10s TMPDIR=" << tmp
                                     << "\nexport YM_TASK_DIR=$(mktemp -d " << tmp << "/task-XXXXXX)\nexec "
                                     << YM_BINARY_DIR "/bin/ym-task \"$@\"\n";
    fs::permissions(root_ / "ym-task", fs::perms{0755});
  }

  SlurmLab& lab_;
  WallClock clock_;
  remote::testing::TaskServer server_;
  fs::path root_;
};

}  // namespace ym::slurm
