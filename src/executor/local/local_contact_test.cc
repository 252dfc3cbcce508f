// Supervisors that do not answer, and executors that cannot look.
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <fstream>

#include "base/testing/sentences.h"
#include "executor/local/attempt/protocol.h"
#include "executor/local/attempt/record.h"
#include "executor/local/testing/descriptors.h"
#include "executor/local/testing/host.h"

namespace ym::local {
namespace {

using testing::count;
using testing::describe;
using testing::is_gone;
using testing::lines_of;
using testing::Session;
using testing::wait_until;

constexpr const char* kUntilGo = "while [ ! -e go ]; do sleep 0.02; done; exit 4";

bool lost(const Session::Seen& seen) { return count<ContactIsLost>(seen) > 0; }
bool back(const Session::Seen& seen) { return count<ContactIsBack>(seen) > 0; }

pid_t supervisor_of(const TestHost& host, int task = 0) { return host.claim(kToken, task)->supervisor.pid; }

void go(const TestHost& host) { std::ofstream(host.scratch() / "go").close(); }

TEST(LocalContact, ASupervisorThatStopsAnsweringIsNoticed) {
  TestHost host;
  host.options.contact_timeout = Duration{300};
  Session session{host};
  session.launch(kToken, kUntilGo);
  session.wait_running(kToken);
  ::kill(supervisor_of(host), SIGSTOP);
  session.wait(kToken, "contact lost", lost);
  EXPECT_EQ(count<TaskHasEnded>(session.seen(kToken)), 0U);
  ::kill(supervisor_of(host), SIGCONT);
  session.wait(kToken, "contact back", back);
  go(host);
  EXPECT_EQ(session.wait_end(kToken).exit_code, 4);
}

TEST(LocalContact, ACancelEndsWhatAWedgedSupervisorHolds) {
  TestHost host;
  host.options.contact_timeout = Duration{300};
  host.options.stop_timeout = Duration{300};
  Session session{host};
  session.launch(kToken, "setsid sh -c 'echo $$ > daemon; exec sleep 1000' & echo $$ > leader; exec sleep 1000");
  session.wait_running(kToken);
  wait_until("a daemon", [&] { return !lines_of(host.scratch() / "daemon").empty(); });
  ::kill(supervisor_of(host), SIGSTOP);
  session.executor().stop(kToken, {.cause = StopCause::cancel, .grace = {100}});
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::lost);
  ym::testing::expect_sentence(exit.message);
  for (const char* file : {"daemon", "leader"})
    EXPECT_TRUE(is_gone(std::stoi(lines_of(host.scratch() / file).front()))) << "the " << file << " lives";
}

TEST(LocalContact, OneThatAnswersIsLeftToItsWork) {
  TestHost host;
  host.options.contact_timeout = seconds(5);
  host.options.stop_timeout = Duration{1};
  Session session{host};
  session.launch(kToken, "trap '' TERM; touch ready; " + std::string(kUntilGo));
  wait_until("ready", [&] { return std::filesystem::exists(host.scratch() / "ready"); });
  session.executor().stop(kToken, {.cause = StopCause::cancel, .grace = {}});
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::cancelled) << exit.message;
  EXPECT_TRUE(exit.forced);
}

TEST(LocalContact, OneTasksNewsDoesNotHideAnothersSilence) {
  TestHost host;
  host.options.contact_timeout = Duration{200};
  Session session{host};
  session.launch(kToken, "if [ $YM_NODE_RANK = 0 ]; then exec sleep 1000; fi; " + std::string(kUntilGo), 2);
  session.wait_running(kToken, 2);
  ::kill(supervisor_of(host, 0), SIGSTOP);
  session.wait(kToken, "contact lost", lost);
  go(host);
  session.wait(kToken, "silence after the news", [](const auto& seen) {
    const auto ended = [](const Observation& o) { return std::holds_alternative<TaskHasEnded>(o.what); };
    const auto silent = [](const Observation& o) { return std::holds_alternative<ContactIsLost>(o.what); };
    return std::find_if(std::ranges::find_if(seen, ended), seen.end(), silent) != seen.end();
  });
  ::kill(supervisor_of(host, 0), SIGCONT);
  session.wait(kToken, "contact back", back);
}

// A supervisor played by the test: it holds the lock and the claim, and greets. A child process provides its identity.
class PlayedSupervisor {
 public:
  PlayedSupervisor(TestHost& host, int version) : pid_(::fork()) {
    if (pid_ == 0) {
      ::pause();
      ::_exit(0);
    }
    std::filesystem::create_directories(host.folder(kToken, 0));
    const LaunchRecord launch{.token = kToken, .argv = {"true"}, .task_env = {{}}, .start_timeout = minutes(5)};
    const auto attempt = open_folder(AT_FDCWD, host.folder(kToken));
    folder_ = std::move(*open_folder(AT_FDCWD, host.folder(kToken, 0)));
    lock_ = std::move(**try_lock_task(folder_.get()));
    listener_ = std::move(*listen_on(folder_.get()));
    EXPECT_TRUE(write_durably(attempt->get(), kLaunchFile, encode(launch)));
    const Claim claim{.token = kToken, .nonce = new_nonce(), .supervisor = *identity_of(pid_)};
    EXPECT_TRUE(take_claim(folder_.get(), claim).value());
    EXPECT_TRUE(decide(attempt->get(), kGo).has_value());
    greeting_ = "ym-supervisor " + std::to_string(version) + " " + to_string(kToken) + " 0";
  }

  ~PlayedSupervisor() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  PlayedSupervisor(const PlayedSupervisor&) = delete;
  PlayedSupervisor& operator=(const PlayedSupervisor&) = delete;

  // Accepts and greets connections; true once the line came.
  bool hears(const std::string& line) {
    Fd client{::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)};
    if (client) {
      client_ = std::move(client);
      send_line(client_.get(), greeting_);
      send_line(client_.get(), "running");
    }
    if (client_) reader_.read(client_.get(), lines_);
    return std::ranges::find(lines_, line) != lines_.end();
  }

 private:
  const pid_t pid_;
  Fd folder_, lock_, listener_, client_;
  LineReader reader_;
  std::vector<std::string> lines_;
  std::string greeting_;
};

TEST(LocalContact, OneOfThisVersionIsAskedAndItsSilenceCounts) {
  TestHost host;
  host.options.contact_timeout = Duration{200};
  PlayedSupervisor played{host, kProtocolVersion};
  Session session{host, {kToken}};
  wait_until("asked", [&] { return played.hears("ping"); });
  session.wait(kToken, "contact lost", lost);
}

TEST(LocalContact, OneOfTheVersionBeforeIsUnderstood) {
  TestHost host;
  PlayedSupervisor played{host, kProtocolVersion - 1};
  Session session{host, {kToken}};
  wait_until("running", [&] {
    played.hears("");
    return count<TaskIsRunning>(session.seen(kToken)) == 1;
  });
  session.executor().stop(kToken, {.cause = StopCause::preemption, .grace = seconds(30)});
  wait_until("told to stop", [&] { return played.hears("stop preemption SIGTERM 30000"); });
}

TEST(LocalContact, WithoutDescriptorsNoTaskIsDeclaredDead) {
  TestHost host;
  host.options.contact_timeout = Duration{200};
  Session session{host};
  session.launch(kToken, "trap 'exit 4' TERM; echo $$ > leader; while :; do sleep 0.02; done");
  session.wait_running(kToken);
  wait_until("a leader", [&] { return !lines_of(host.scratch() / "leader").empty(); });
  const auto leader = std::stoi(lines_of(host.scratch() / "leader").front());
  {
    const testing::NoDescriptors none;
    ::kill(leader, SIGTERM);
    session.wait(kToken, "contact lost", lost);
    EXPECT_EQ(count<TaskHasEnded>(session.seen(kToken)), 0U) << describe(session.seen(kToken));
  }
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.exit_code, 4) << exit.message;
}

TEST(LocalContact, AnUnreadableFolderIsLookedAtByOneAtATime) {
  TestHost host;
  host.options.retry_pause = Duration{20};
  const auto path = host.folder(kToken);
  std::filesystem::create_directories(path.parent_path());
  std::filesystem::create_symlink("/nowhere", path);
  Session session{host};
  for (int i = 0; i < 3; ++i) session.executor().stop(kToken, {.cause = StopCause::cancel, .grace = {}});
  session.wait(kToken, "looked at again and again", [](const auto& seen) { return count<ContactIsLost>(seen) >= 8; });
  std::filesystem::remove(path);
  session.wait_refused(kToken);
  // Several watchers would each have reported it by now.
  ::usleep(20 * 20'000);
  EXPECT_EQ(count<LaunchRefused>(session.seen(kToken)), 1U);
}

}  // namespace
}  // namespace ym::local
