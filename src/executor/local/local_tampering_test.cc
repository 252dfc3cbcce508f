// User code runs as the server's user, so it can change all the server's files about it. Whatever it does to them, and
// whatever is restarted: its attempt does not end while it lives, and never runs twice.
#include <csignal>
#include <fstream>

#include "executor/local/attempt/boot_epochs.h"
#include "executor/local/attempt/end_record.h"
#include "executor/local/attempt/record.h"
#include "executor/local/testing/host.h"

namespace ym::local {
namespace {

namespace fs = std::filesystem;
using testing::count;
using testing::describe;
using testing::lines_of;
using testing::Session;
using testing::wait_until;

// The search for living processes covers the whole machine, where the same tests may run at the same time.
Token my_token() { return {JobId{static_cast<std::uint64_t>(::getpid())}, 1, 7}; }

struct Tampering {
  std::string name;
  std::function<void(const TestHost&, const Token&)> act;  // while user code runs
};

void remove(const TestHost& host, const Token& token, std::initializer_list<const char*> files) {
  for (const char* file : files) {
    fs::remove(host.folder(token) / file);
    fs::remove(host.folder(token, 0) / file);
  }
}

void overwrite(const fs::path& file, const std::string& text) {
  fs::remove(file);
  std::ofstream(file) << text;
}

void claim_another_boot(const TestHost& host, const Token& token) {
  auto claim = *host.claim(token);
  claim.supervisor.boot = "of another time";
  fs::remove(host.folder(token, 0) / kClaimFile);
  const auto folder = open_folder(AT_FDCWD, host.folder(token, 0));
  ASSERT_TRUE(take_claim(folder->get(), claim).value());
}

void launch_of_another_boot(const TestHost& host, const Token& token) {
  const auto folder = open_folder(AT_FDCWD, host.folder(token));
  auto launch = *read_launch(folder->get());
  launch.boot = "of another time";
  ASSERT_TRUE(replace_file(folder->get(), kLaunchFile, encode(launch)));
}

void mark_another_boot(const TestHost& host, const Token& token) {
  const auto boot_epochs = host.state() / kAttemptsFolder / kBootEpochsFolder;
  fs::remove_all(boot_epochs);
  const auto attempts = open_folder(AT_FDCWD, host.state() / kAttemptsFolder);
  BootEpochs other{"of another time"};
  ASSERT_TRUE(other.open(attempts->get()));
  ASSERT_TRUE(other.mark(token.epoch));
}

void forge_an_end(const TestHost& host, const Token& token) {
  const auto folder = open_folder(AT_FDCWD, host.folder(token, 0));
  ASSERT_TRUE(write_exit(folder->get(), *host.claim(token), {.exit = {.by = EndedBy::lost, .message = "forged"}}));
}

void forge_a_release(const TestHost& host, const Token& token) {
  fs::remove(host.folder(token) / kDecisionFile);
  const auto folder = open_folder(AT_FDCWD, host.folder(token));
  ASSERT_TRUE(decide(folder->get(), release_because(StopCause::start_timeout)));
}

std::vector<Tampering> with_the_claim() {
  return {
      {"ClaimRemoved", [](const auto& host, const auto& token) { remove(host, token, {kClaimFile}); }},
      {"ClaimOverwritten",
       [](const auto& host, const auto& token) { overwrite(host.folder(token, 0) / kClaimFile, "mine now\n"); }},
      {"ClaimIsAPipe",
       [](const auto& host, const auto& token) {
         remove(host, token, {kClaimFile});
         ASSERT_EQ(::mkfifo((host.folder(token, 0) / kClaimFile).c_str(), 0600), 0);
       }},
      {"ClaimOfAnotherBoot", claim_another_boot},
      {"ClaimAndLockRemoved",
       [](const auto& host, const auto& token) { remove(host, token, {kClaimFile, kLockFile}); }},
      {"ClaimLockAndDecisionRemoved",
       [](const auto& host, const auto& token) { remove(host, token, {kClaimFile, kLockFile, kDecisionFile}); }},
      {"ClaimRemovedAndBarrierClosed",
       [](const auto& host, const auto& token) {
         forge_a_release(host, token);
         remove(host, token, {kClaimFile, kLockFile});
       }},
  };
}

std::vector<Tampering> with_the_rest() {
  return {
      {"LaunchRemoved", [](const auto& host, const auto& token) { remove(host, token, {kLaunchFile}); }},
      {"LaunchOfAnotherBoot", launch_of_another_boot},
      {"LaunchAndClaimOfAnotherBoot",
       [](const auto& host, const auto& token) {
         launch_of_another_boot(host, token);
         claim_another_boot(host, token);
       }},
      {"EndForged", forge_an_end},
      {"EndForgedAndLockRemoved",
       [](const auto& host, const auto& token) {
         forge_an_end(host, token);
         remove(host, token, {kLockFile});
       }},
      {"EverythingInItsFolderRemoved",
       [](const auto& host, const auto& token) { fs::remove_all(host.folder(token, 0)); }},
      {"ItsFolderRemoved", [](const auto& host, const auto& token) { fs::remove_all(host.folder(token)); }},
      {"ItsFolderRemovedAndEpochOfAnotherBoot",
       [](const auto& host, const auto& token) {
         fs::remove_all(host.folder(token));
         mark_another_boot(host, token);
       }},
      {"AllAttemptsRemoved", [](const auto& host, const auto&) { fs::remove_all(host.state() / kAttemptsFolder); }},
  };
}

std::vector<Tampering> all() {
  auto all = with_the_claim();
  for (auto& one : with_the_rest()) all.push_back(std::move(one));
  return all;
}

class LocalTampering : public ::testing::TestWithParam<Tampering> {
 protected:
  LocalTampering() { host.options.retry_pause = Duration{50}; }

  void run_and_tamper(Session& session) {
    session.launch(token, "echo $$ >> ledger; while [ ! -e go ]; do sleep 0.02; done; exit 4");
    session.wait_running(token);
    wait_until("user code begun", [&] { return !lines_of(host.scratch() / "ledger").empty(); });
    supervisor_ = host.claim(token)->supervisor;
    GetParam().act(host, token);
  }
  int user_code() const { return std::stoi(lines_of(host.scratch() / "ledger").at(0)); }
  void let_it_end() {
    std::ofstream(host.scratch() / "go").close();
    wait_until("its supervisor gone", [&] { return !alive(supervisor_); });
  }
  static bool is_over(const Session::Seen& seen) {
    return count<TaskHasEnded>(seen) + count<LaunchRefused>(seen) > 0 ||
           std::ranges::any_of(seen, [](const Observation& seen_one) {
             const auto* unknown = std::get_if<TokenIsUnknown>(&seen_one.what);
             return unknown && unknown->nothing_lives;
           });
  }
  // A wrong end would be reported within this time.
  void expect_that_it_lives_on(Session& session) {
    wait_until("a word on it", [&] { return !session.seen(token).empty(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    EXPECT_FALSE(is_over(session.seen(token))) << describe(session.seen(token));
    EXPECT_FALSE(testing::is_gone(user_code()));
    EXPECT_EQ(lines_of(host.scratch() / "ledger").size(), 1U) << "it runs twice";
  }

  const Token token = my_token();
  TestHost host;

 private:
  ProcessIdentity supervisor_;
};

TEST_P(LocalTampering, ItDoesNotEndWhileItLivesAndEndsWhenItIsOver) {
  Session session{host};
  run_and_tamper(session);
  expect_that_it_lives_on(session);
  let_it_end();
  session.wait_end(token);
  EXPECT_EQ(lines_of(host.scratch() / "ledger").size(), 1U);
}

TEST_P(LocalTampering, AServerThatComesBackNeitherEndsItNorStartsItAgain) {
  {
    Session session{host};
    run_and_tamper(session);
  }
  Session session{host, {token}};
  expect_that_it_lives_on(session);
  let_it_end();
  session.wait(token, "its end", is_over);
  EXPECT_EQ(lines_of(host.scratch() / "ledger").size(), 1U);
}

TEST_P(LocalTampering, AServerThatComesBackCanEndIt) {
  {
    Session session{host};
    run_and_tamper(session);
  }
  host.options.stop_timeout = Duration{100};
  Session session{host, {token}};
  wait_until("a word on it", [&] { return !session.seen(token).empty(); });
  session.executor().stop(token, {.cause = StopCause::cancel, .grace = Duration{100}});
  wait_until("user code gone", [&] { return testing::is_gone(user_code()); });
  session.wait(token, "its end", is_over);
  EXPECT_EQ(lines_of(host.scratch() / "ledger").size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Each, LocalTampering, ::testing::ValuesIn(all()),
                         [](const auto& about) { return about.param.name; });

// One task of a gang left nothing that can be found. But another one is past the launch barrier, so it had begun.
TEST(LocalTamperingGang, ATaskWithoutATraceIsNotStartedAgainWhileAnotherRuns) {
  TestHost host;
  const Token token = my_token();
  {
    Session session{host};
    session.launch(token, "echo $$ >> ledger; exec env -i sleep 100", 2);
    session.wait_running(token, 2);
    wait_until("user code begun", [&] { return lines_of(host.scratch() / "ledger").size() == 2; });
  }
  host.kill_watcher(token, 1);
  fs::remove(host.folder(token) / kDecisionFile);
  for (const char* file : {kClaimFile, kLockFile, kStartedFile, kLogFile}) fs::remove(host.folder(token, 1) / file);
  Session session{host, {token}};
  session.wait(token, "out of contact", [](const auto& seen) { return count<ContactIsLost>(seen) > 0; });
  EXPECT_EQ(count<TaskHasEnded>(session.seen(token)), 0U) << describe(session.seen(token));
  EXPECT_EQ(lines_of(host.scratch() / "ledger").size(), 2U) << "it runs twice";
  session.executor().stop(token, {.cause = StopCause::cancel, .grace = {}});
  for (const auto& pid : lines_of(host.scratch() / "ledger")) ::kill(std::stoi(pid), SIGKILL);
  session.wait_ended(token, 2);
}

TEST(LocalAttempts, AServerWithoutItsAttemptsStartsNewOnes) {
  TestHost host;
  Session session{host};
  session.launch(my_token(), "true");
  session.wait_end(my_token());
  fs::remove_all(host.state() / kAttemptsFolder);
  const Token next{my_token().job, 2, 7};
  session.launch(next, "exit 5");
  EXPECT_EQ(session.wait_end(next).exit_code, 5);
}

}  // namespace
}  // namespace ym::local
