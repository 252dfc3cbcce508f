// For tests: a machine that loses power.
#pragma once

#include <algorithm>
#include <csignal>
#include <fstream>
#include <string>
#include <vector>

#include "executor/local/attempt/boot_epochs.h"
#include "executor/local/attempt/end_record.h"
#include "executor/local/cleanup/leftovers.h"
#include "executor/local/testing/host.h"

namespace ym::local {

// Ends all processes, as a power loss does, and changes the files on the disk to those of another boot.
class Machine {
 public:
  explicit Machine(TestHost& host) : host_(host) {}

  void restart() {
    for (const auto& attempt : attempts()) {
      for (int task = 0; std::filesystem::exists(attempt / std::to_string(task)); ++task)
        end(attempt / std::to_string(task));
      age_launch(attempt);
    }
    age_marks();
  }

  std::vector<std::filesystem::path> attempts() const {
    std::vector<std::filesystem::path> found;
    for (std::filesystem::recursive_directory_iterator it{host_.state() / kAttemptsFolder}, end; it != end; ++it)
      if (it.depth() == 2) found.push_back(it->path());
    return found;
  }
  std::filesystem::path marks() const { return host_.state() / kAttemptsFolder / kBootEpochsFolder; }
  std::vector<std::string> ledger() const { return testing::lines_of(host_.scratch() / "ledger"); }

 private:
  static void end(const std::filesystem::path& folder) {
    const auto task = open_folder(AT_FDCWD, folder);
    auto claim = read_claim(task->get());
    if (!claim) return;
    const auto leader = read_started(task->get(), *claim).value();
    if (alive(claim->supervisor)) ::kill(claim->supervisor.pid, SIGKILL);
    testing::wait_until("the end of all", [&] { return !alive(claim->supervisor) && (!leader || !alive(*leader)); });
    testing::wait_until("the end of what it had begun",
                        [&] { return kill_leftovers(*claim, leader, "") == Result<std::size_t>(0); });
    std::filesystem::remove(folder / kClaimFile);
    claim->supervisor.boot = "of another time";
    EXPECT_TRUE(take_claim(task->get(), *claim).value());
  }

  static void age_launch(const std::filesystem::path& attempt) {
    const auto folder = open_folder(AT_FDCWD, attempt);
    auto launch = read_launch(folder->get());
    if (!launch) return;
    launch->boot = "of another time";
    EXPECT_TRUE(replace_file(folder->get(), kLaunchFile, encode(*launch)));
  }

  void age_marks() const {
    std::vector<std::uint64_t> epochs;
    for (const auto& file : std::filesystem::directory_iterator(marks()))
      epochs.push_back(std::stoull(file.path().filename()));
    std::filesystem::remove_all(marks());
    const auto folder = open_folder(AT_FDCWD, host_.state() / kAttemptsFolder);
    BootEpochs before{"of another time"};
    EXPECT_TRUE(before.open(folder->get()));
    for (const auto epoch : epochs) EXPECT_TRUE(before.mark(epoch));
  }

  TestHost& host_;
};

// One job on it, which usually waits for a file "go".
class RestartTest : public ::testing::Test {
 protected:
  static constexpr Token kToken{JobId{1}, 1, 7};
  static std::string waits() { return "echo $YM_JOB_NAME >> ledger; while [ ! -e go ]; do sleep 0.02; done; exit 4"; }

  void run(int tasks = 1) {
    testing::Session session{host_};
    session.launch(kToken, waits(), tasks);
    session.wait_running(kToken, tasks);
    testing::wait_until("all in the ledger",
                        [&] { return machine_.ledger().size() == static_cast<std::size_t>(tasks); });
  }

  // If the executor is asked to launch it again, it reports nothing new.
  void expect_no_second_start(testing::Session& session) {
    const auto before = machine_.ledger();
    const auto said = session.seen(kToken).size();
    session.executor().release(kToken);
    session.launch(kToken, "echo again >> ledger");
    session.wait(kToken, "answered", [&](const auto& seen) { return seen.size() > said; });
    const Token next{JobId{2}, 1, 8};
    session.launch(next, "true");
    session.wait_end(next);
    EXPECT_EQ(machine_.ledger(), before);
    EXPECT_EQ(testing::count<LaunchRefused>(session.seen(kToken)), 0U) << "it is not true that none of it ran";
  }

  static bool is_given_up(const Observation& o) {
    const auto* unknown = std::get_if<TokenIsUnknown>(&o.what);
    return unknown && unknown->may_have_run && unknown->nothing_lives;
  }
  static void wait_given_up(testing::Session& session) {
    session.wait(kToken, "given up", [](const auto& seen) { return std::ranges::any_of(seen, is_given_up); });
  }

  std::filesystem::path task(int number = 0) const { return host_.folder(kToken, number); }

  TestHost host_;
  Machine machine_{host_};
};

}  // namespace ym::local
