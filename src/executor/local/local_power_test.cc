// The same if some of the unflushed files are lost or damaged.
#include <array>
#include <functional>
#include <random>

#include "executor/local/attempt/protocol.h"
#include "executor/local/machine/spawn.h"
#include "executor/local/testing/machine.h"

namespace ym::local {
namespace {

namespace fs = std::filesystem;

using testing::count;
using testing::Session;
using testing::wait_until;

class LocalPower : public RestartTest {};

// A file system may keep a name and lose the content.
TEST_F(LocalPower, WithoutItsLaunchRecordItIsNotStartedAndItsEndsCount) {
  run(2);
  const auto folder = open_folder(AT_FDCWD, task(0));
  ASSERT_TRUE(write_exit(folder->get(), *host_.claim(kToken), {.exit = {.exit_code = 3}}));
  machine_.restart();
  const auto launch = host_.folder(kToken) / kLaunchFile;
  const std::array<std::function<void()>, 3> losses{[&] { fs::resize_file(launch, 0); },
                                                    [&] { std::ofstream(launch) << std::string(700, '\0'); },
                                                    [&] { fs::remove(launch); }};
  for (const auto& lose : losses) {
    lose();
    Session session{host_, {kToken}};
    wait_given_up(session);
    const auto exits = session.wait_ended(kToken, 2);
    EXPECT_EQ(exits[0].exit_code, 3);
    EXPECT_EQ(exits[1].by, EndedBy::lost);
    expect_no_second_start(session);
  }
}

TEST_F(LocalPower, ADamagedMarkStartsNothing) {
  run();
  machine_.restart();
  fs::remove_all(host_.folder(kToken).parent_path());
  std::ofstream(machine_.marks() / "7").close();
  Session session{host_, {kToken}};
  wait_given_up(session);
  expect_no_second_start(session);
}

TEST_F(LocalPower, ADamagedMarkGivesNothingUpThatLives) {
  host_.options.retry_pause = Duration{50};
  const Token mine{JobId{static_cast<std::uint64_t>(::getpid())}, 1, 7};  // these tests may run in parallel
  {
    Session session{host_};
    session.launch(mine, waits());
    session.wait_running(mine);
  }
  const auto supervisor = host_.claim(mine)->supervisor;
  fs::rename(host_.folder(mine) / kLaunchFile, host_.scratch() / "launch");
  std::ofstream(machine_.marks() / "7").close();
  Session session{host_, {mine}};
  session.wait(mine, "out of contact", [](const auto& seen) { return count<ContactIsLost>(seen) > 0; });
  EXPECT_EQ(count<TaskHasEnded>(session.seen(mine)), 0U);
  std::ofstream(host_.scratch() / "go").close();
  wait_until("gone", [&] { return !alive(supervisor); });
  EXPECT_EQ(session.wait_end(mine).exit_code, 4);
}

TEST_F(LocalPower, ASupervisorThatComesTooLateStartsNothing) {
  run();
  machine_.restart();
  fs::remove(task() / kClaimFile);
  EventLoop loop;
  const auto link = spawn_supervisor(loop, host_.options.supervisor, task());
  LineReader reader;
  std::vector<std::string> lines;
  wait_until("its word", [&] { return !reader.read(link->get(), lines) || !lines.empty(); });
  EXPECT_EQ(lines, std::vector<std::string>{"failed launched before the machine was restarted"});
  EXPECT_FALSE(fs::exists(task() / kClaimFile));
}

// The mark is on the disk before anything is launched.
TEST_F(LocalPower, WithoutAMarkNothingIsLaunched) {
  Session session{host_};
  fs::remove_all(machine_.marks());
  std::ofstream(machine_.marks()) << "no folder\n";  // a removed folder would be made again
  session.launch(kToken, "echo ran >> ledger");
  EXPECT_TRUE(session.wait_refused(kToken).of_executor);
  EXPECT_TRUE(machine_.ledger().empty());
}

TEST_F(LocalPower, WhatIsOverIsMarkedForRetention) {
  run();
  machine_.restart();
  fs::resize_file(host_.folder(kToken) / kLaunchFile, 0);
  Session session{host_};
  wait_until("marked", [&] { return fs::exists(host_.folder(kToken) / kReleasedFile); });
}

// The power fails in the middle of many launches, and any file may be lost.
TEST_F(LocalPower, WhateverIsLostNothingStartsTwice) {
  std::vector<Token> tokens;
  for (std::uint64_t i = 1; i <= 30; ++i) tokens.push_back({JobId{i}, 1, 7});
  {
    Session session{host_};
    for (const auto& token : tokens) session.launch(token, "echo " + to_string(token) + " >> ledger");
    session.wait_end(tokens[4]);
  }
  machine_.restart();
  std::mt19937 random{1};
  for (const auto& attempt : machine_.attempts()) {
    for (const char* file : {"launch", "decision", "0/claim", "0/started", "0/exit", "0"}) {
      if (random() % 4 == 0) fs::remove_all(attempt / file);
      else if (random() % 4 == 0 && fs::is_regular_file(attempt / file)) fs::resize_file(attempt / file, 0);
    }
    if (random() % 4 == 0) fs::remove_all(attempt);
  }
  Session session{host_, tokens};
  for (const auto& token : tokens) {
    const auto over = [](const auto& seen) {
      return count<TaskHasEnded>(seen) > 0 || std::ranges::any_of(seen, is_given_up);
    };
    session.wait(token, "over", over);
    session.launch(token, "echo " + to_string(token) + " >> ledger");
  }
  const Token last{JobId{99}, 1, 8};
  session.launch(last, "true");
  session.wait_end(last);
  auto ledger = machine_.ledger();
  std::ranges::sort(ledger);
  EXPECT_EQ(std::ranges::adjacent_find(ledger), ledger.end());
}

}  // namespace
}  // namespace ym::local
