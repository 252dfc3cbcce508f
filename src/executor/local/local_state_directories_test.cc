// Several state directories on one machine.
#include <sys/stat.h>

#include <csignal>
#include <fstream>

#include "executor/local/testing/host.h"

namespace ym::local {
namespace {

using testing::count;
using testing::describe;
using testing::is_gone;
using testing::lines_of;
using testing::Session;
using testing::wait_until;

constexpr const char* kFamily =
    "setsid sh -c 'echo $$ > daemon; exec sleep 1000' & while [ ! -e go ]; do sleep 0.02; done; exit 4";

int daemon_of(const TestHost& host) {
  wait_until("a daemon", [&] { return !lines_of(host.scratch() / "daemon").empty(); });
  return std::stoi(lines_of(host.scratch() / "daemon").front());
}

TEST(LocalStateDirectories, AJobOfTheSameTokenIsNotOurs) {
  TestHost ours, theirs;
  Session mine{ours}, other{theirs};
  for (auto* session : {&mine, &other}) {
    session->launch(kToken, kFamily);
    session->wait_running(kToken);
  }
  const auto my_daemon = daemon_of(ours), their_daemon = daemon_of(theirs);
  ours.kill_watcher(kToken, 0);
  EXPECT_EQ(mine.wait_end(kToken).by, EndedBy::lost);
  EXPECT_TRUE(is_gone(my_daemon));
  EXPECT_FALSE(is_gone(their_daemon)) << "another server's job was killed";
  std::ofstream(theirs.scratch() / "go").close();
  EXPECT_EQ(other.wait_end(kToken).exit_code, 4);
}

TEST(LocalStateDirectories, NeitherIfOurClaimCannotBeRead) {
  TestHost ours, theirs;
  Session other{theirs};
  other.launch(kToken, kFamily);
  {
    Session mine{ours};
    mine.launch(kToken, kFamily);
    mine.wait_running(kToken);
  }
  const auto my_daemon = daemon_of(ours), their_daemon = daemon_of(theirs);
  ours.kill_watcher(kToken, 0);
  std::filesystem::resize_file(ours.folder(kToken, 0) / kClaimFile, 30);
  Session mine{ours, {kToken}};
  EXPECT_EQ(mine.wait_end(kToken).by, EndedBy::lost);
  EXPECT_TRUE(is_gone(my_daemon));
  EXPECT_FALSE(is_gone(their_daemon)) << "another server's job was killed";
  std::ofstream(theirs.scratch() / "go").close();
  EXPECT_EQ(other.wait_end(kToken).exit_code, 4);
}

// For example, a server is started on a backup while the original server runs.
TEST(LocalStateDirectories, ACopyOfAStateDirectoryEndsNoJobs) {
  TestHost original, copy;
  copy.options.contact_timeout = Duration{200};
  copy.options.stop_timeout = Duration{50};
  Session session{original};
  session.launch(kToken, "while [ ! -e go ]; do sleep 0.02; done; exit 4");
  session.wait_running(kToken);
  const auto command = "cp -a '" + original.state().string() + "/attempts' '" + copy.state().string() + "/'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  {
    Session of_copy{copy, {kToken}};
    of_copy.wait(kToken, "contact lost", [](const auto& seen) { return count<ContactIsLost>(seen) > 0; });
    of_copy.executor().stop(kToken, {.cause = StopCause::cancel, .grace = {}});
    of_copy.wait(kToken, "still lost", [](const auto& seen) { return count<ContactIsLost>(seen) > 2; });
    EXPECT_EQ(count<TaskHasEnded>(of_copy.seen(kToken)), 0U) << describe(of_copy.seen(kToken));
  }
  std::ofstream(original.scratch() / "go").close();
  EXPECT_EQ(session.wait_end(kToken).exit_code, 4);
  wait_until("its supervisor gone", [&] { return !alive(original.claim(kToken)->supervisor); });
  Session of_copy{copy, {kToken}};
  EXPECT_EQ(of_copy.wait_end(kToken).by, EndedBy::lost);
}

TEST(LocalStateDirectories, AStateDirectoryThatOthersMayWriteIsRefused) {
  TestHost host;
  ::chmod(host.state().c_str(), 0770);
  const auto refused = [&] {
    const auto started = host.make()->start([](const Observation&) {}, {});
    return started ? std::string("it started") : started.error().message;
  };
  const auto path = host.state().string();
  EXPECT_EQ(refused(), path + " can be written by others than its owner: run `chmod go-w " + path + "`");
  ::chmod(host.state().c_str(), 0755);
  if (::geteuid() != 0) return;
  ASSERT_EQ(::chown(host.state().c_str(), 12345, static_cast<gid_t>(-1)), 0);
  EXPECT_EQ(refused(), path +
                           " belongs to another user (uid 12345): run the server as that user, or choose another "
                           "directory");
  ASSERT_EQ(::chown(host.state().c_str(), 0, static_cast<gid_t>(-1)), 0);
}

TEST(LocalStateDirectories, WithoutItsFolderASupervisorLeavesInTheEnd) {
  TestHost host;
  Session session{host};
  session.launch(kToken, "while [ ! -e go ]; do sleep 0.02; done; exit 4");
  session.wait_running(kToken);
  const auto supervisor = host.claim(kToken)->supervisor;
  std::filesystem::remove_all(host.state() / kAttemptsFolder);
  std::ofstream(host.scratch() / "go").close();
  wait_until("gone", [&] { return !alive(supervisor); });
}

}  // namespace
}  // namespace ym::local
