// Failures: supervisors that die, wrong records, gangs that are never complete.
#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <random>

#include "base/testing/sentences.h"
#include "executor/local/attempt/end_record.h"
#include "executor/local/attempt/protocol.h"
#include "executor/local/testing/host.h"

namespace ym::local {
namespace {

using testing::count;
using testing::describe;
using testing::lines_of;
using testing::Session;
using testing::wait_until;

// A program in place of the supervisor. `$1` is the task's folder, `$REAL` the real supervisor.
void replace_supervisor(TestHost& host, const std::string& script) {
  const auto path = host.scratch() / "stand-in";
  std::ofstream(path) << "#!/bin/sh\nREAL=" << host.options.supervisor.string() << "\ncd " << host.scratch().string()
                      << "\n"
                      << script << "\n";
  ::chmod(path.c_str(), 0755);
  host.options.supervisor = path;
}

TEST(LocalFault, AGangThatNeverGetsWholeNeverStarts) {
  TestHost host;
  host.options.start_timeout = Duration{400};
  replace_supervisor(host, "case $1 in */1) echo $$ >> hung; exec sleep 1000;; esac\nexec $REAL $1");
  Session session{host};
  session.launch(kToken, "echo ran >> ledger", 3);
  for (const auto& exit : session.wait_ended(kToken, 3)) {
    EXPECT_EQ(exit.by, EndedBy::start_failed);
    EXPECT_FALSE(exit.permanent);
    ym::testing::expect_sentence(exit.message);
  }
  EXPECT_TRUE(lines_of(host.scratch() / "ledger").empty());
  EXPECT_EQ(count<TaskIsRunning>(session.seen(kToken)), 0U);
  for (const auto& pid : lines_of(host.scratch() / "hung")) ::kill(std::stoi(pid), SIGKILL);
}

TEST(LocalFault, ASupervisorThatCannotBeginIsTriedAgain) {
  TestHost host;
  replace_supervisor(host, "if [ -e tried ]; then exec $REAL $1; fi\ntouch tried; exit 1");
  Session session{host};
  session.launch(kToken, "echo ran >> ledger");
  EXPECT_EQ(session.wait_end(kToken).exit_code, 0);
  EXPECT_EQ(lines_of(host.scratch() / "ledger").size(), 1U);
}

TEST(LocalFault, ASupervisorThatCanNeverBeginFailsTheGang) {
  TestHost host;
  replace_supervisor(host, "case $1 in */1) exit 1;; esac\nexec $REAL $1");
  Session session{host};
  session.launch(kToken, "echo ran >> ledger", 2);
  const auto refused = session.wait_refused(kToken);
  ym::testing::expect_sentence(refused.message);
  EXPECT_TRUE(refused.of_executor);
  EXPECT_FALSE(refused.permanent);
  EXPECT_EQ(count<TaskHasEnded>(session.seen(kToken)), 0U);
  EXPECT_TRUE(lines_of(host.scratch() / "ledger").empty());
}

TEST(LocalFault, ASupervisorThatDiesAtTheBarrierFailsTheGang) {
  TestHost host;
  replace_supervisor(host, "case $1 in */1) while [ ! -e come ]; do sleep 0.01; done;; esac\nexec $REAL $1");
  Session session{host};
  session.launch(kToken, "echo ran >> ledger", 2);
  wait_until("claimed", [&] { return host.claim(kToken, 0).has_value(); });
  host.kill_watcher(kToken, 0);
  std::ofstream(host.scratch() / "come").close();
  for (const auto& exit : session.wait_ended(kToken, 2)) EXPECT_EQ(exit.by, EndedBy::start_failed) << exit.message;
  EXPECT_TRUE(lines_of(host.scratch() / "ledger").empty());
}

TEST(LocalFault, WithoutItsSupervisorProgramTheExecutorDoesNotStart) {
  TestHost host;
  auto options = host.options;
  options.supervisor = "/no/such";
  const WallClock clock;
  ym::testing::expect_refused(make_local_executor(options, clock)->start([](const Observation&) {}, {}), ErrorCode::io);
}

// A job that waits for the test, and the path of its exit record.
std::filesystem::path start_waiting(TestHost& host, Session& session) {
  session.launch(kToken, "touch ready; exec sleep 1000");
  wait_until("ready", [&] { return std::filesystem::exists(host.scratch() / "ready"); });
  session.wait_running(kToken);
  return host.folder(kToken, 0) / kExitFile;
}

TEST(LocalFault, ATruncatedExitRecordIsNoEnd) {
  TestHost host;
  Session session{host};
  const auto exit_file = start_waiting(host, session);
  const auto folder = open_folder(AT_FDCWD, host.folder(kToken, 0));
  ASSERT_TRUE(write_exit(folder->get(), *host.claim(kToken), {.exit = {.exit_code = 0}}));
  std::filesystem::resize_file(exit_file, std::filesystem::file_size(exit_file) - 1);
  host.kill_watcher(kToken, 0);
  EXPECT_EQ(session.wait_end(kToken).by, EndedBy::lost);
}

TEST(LocalFault, AForgedExitRecordIsNoEnd) {
  TestHost host;
  Session session{host};
  start_waiting(host, session);
  const auto folder = open_folder(AT_FDCWD, host.folder(kToken, 0));
  auto forged = *host.claim(kToken);
  forged.nonce = new_nonce();
  ASSERT_TRUE(write_exit(folder->get(), forged, {.exit = {.exit_code = 0}}));
  host.kill_watcher(kToken, 0);
  EXPECT_EQ(session.wait_end(kToken).by, EndedBy::lost);
}

// At any moment: it ends, it ran at most once, and nothing of it is left.
TEST(LocalFault, ASupervisorKilledAtAnyMoment) {
  TestHost host;
  Session session{host};
  std::mt19937 random{1};
  for (std::uint64_t i = 1; i <= 40; ++i) {
    const Token token{JobId{i}, 1, 7};
    session.launch(token, "echo " + std::to_string(i) + " $$ >> ledger; sleep 0.02");
    ::usleep(random() % 60'000);
    if (const auto claim = host.claim(token); claim && alive(claim->supervisor)) ::kill(claim->supervisor.pid, SIGKILL);
    const auto exit = session.wait_end(token);
    EXPECT_TRUE(exit.exit_code == 0 || exit.by == EndedBy::lost || exit.by == EndedBy::start_failed)
        << describe(session.seen(token));
    EXPECT_EQ(count<TaskHasEnded>(session.seen(token)), 1U);
  }
  std::map<std::string, int> starts;
  for (const auto& line : lines_of(host.scratch() / "ledger")) {
    const auto space = line.find(' ');
    EXPECT_EQ(++starts[line.substr(0, space)], 1) << "job " << line << " ran twice";
    EXPECT_TRUE(testing::is_gone(std::stoi(line.substr(space)))) << "a process of job " << line << " lives";
  }
}

TEST(LocalFault, SupervisorsIgnoreSignals) {
  TestHost host;
  Session session{host};
  session.launch(kToken, "touch ready; while [ ! -e go ]; do sleep 0.02; done; exit 4");
  session.wait_running(kToken);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGPIPE})
    ::kill(host.claim(kToken)->supervisor.pid, signal);
  std::ofstream(host.scratch() / "go").close();
  EXPECT_EQ(session.wait_end(kToken).exit_code, 4);
}

TEST(LocalFault, ASupervisorThatDoesNotAnswerIsOutOfContact) {
  TestHost host;
  host.options.contact_timeout = Duration{300};
  {
    Session session{host};
    session.launch(kToken, "while [ ! -e go ]; do sleep 0.02; done; exit 4");
    session.wait_running(kToken);
  }
  const auto supervisor = host.claim(kToken)->supervisor.pid;
  ::kill(supervisor, SIGSTOP);
  Session session{host, {kToken}};
  session.wait(kToken, "contact lost", [](const auto& seen) { return count<ContactIsLost>(seen) >= 1; });
  EXPECT_EQ(count<TaskHasEnded>(session.seen(kToken)), 0U);
  ::kill(supervisor, SIGCONT);
  session.wait(kToken, "contact back", [](const auto& seen) { return count<ContactIsBack>(seen) == 1; });
  std::ofstream(host.scratch() / "go").close();
  EXPECT_EQ(session.wait_end(kToken).exit_code, 4);
}

TEST(LocalFault, AConnectionOfAnotherProgramDoesNoHarm) {
  TestHost host;
  Session session{host};
  session.launch(kToken, "while [ ! -e go ]; do sleep 0.02; done; exit 4");
  session.wait_running(kToken);
  const auto folder = open_folder(AT_FDCWD, host.folder(kToken, 0));
  const auto link = connect_to(folder->get());
  ASSERT_TRUE(link.has_value());
  for (const char* line : {"", "stop", "stop cancel", "nonsense \x01\xff", "stop cancel SIGTERM -5"})
    EXPECT_TRUE(send_line(link->get(), line));
  send_line(link->get(), std::string(100'000, 'x'));
  std::ofstream(host.scratch() / "go").close();
  EXPECT_EQ(session.wait_end(kToken).exit_code, 4);
}

}  // namespace
}  // namespace ym::local
