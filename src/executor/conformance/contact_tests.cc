#include <fstream>

#include "executor/conformance/tests.h"

namespace ym::testing {
namespace {

constexpr Token kToken{JobId{1}, 1, 7};

// Its state is unknown meanwhile, and nothing is made up.
void lost_contact_is_no_end(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, "while [ ! -e go ]; do sleep 0.02; done; touch gone; exit 6");
  session.wait_running(kToken);
  if (!host.cut_contact(kToken, true)) GTEST_SKIP() << "contact cannot be cut here";
  std::ofstream(host.scratch() / "go").close();
  wait_until("gone", [&] { return std::filesystem::exists(host.scratch() / "gone"); });
  if (host.misses_contact())
    session.wait(kToken, "missed", [](const auto& seen) { return count<ContactIsLost>(seen) > 0; });
  EXPECT_EQ(count<TaskHasEnded>(session.seen(kToken)), 0U) << describe(session.seen(kToken));
  host.cut_contact(kToken, false);
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::exit);
  EXPECT_EQ(exit.exit_code, 6);
}

void a_stop_said_without_contact_is_heard_later(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, "trap 'exit 5' TERM; touch ready; while :; do sleep 0.02; done");
  wait_until("ready", [&] { return std::filesystem::exists(host.scratch() / "ready"); });
  if (!host.cut_contact(kToken, true)) GTEST_SKIP() << "contact cannot be cut here";
  session.executor().stop(kToken, {.cause = StopCause::cancel, .grace = seconds(60)});
  host.cut_contact(kToken, false);
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::cancelled);
  EXPECT_EQ(exit.exit_code, 5);
}

void what_is_not_ours_is_left_alone(ExecutorHost& host) {
  const Token theirs{JobId{9}, 1, 7}, first{JobId{1}, 1, 7}, second{JobId{2}, 1, 7};
  const auto lives = host.make_foreign(theirs);
  if (!lives) GTEST_SKIP() << "there are no foreign objects here";
  {
    Session session{host, {theirs}};
    session.wait_unknown(theirs);
    session.executor().stop(theirs, {.cause = StopCause::cancel, .grace = Duration{100}});
    session.wait(theirs, "refused or ended",
                 [](const auto& seen) { return count<LaunchRefused>(seen) + count<TaskHasEnded>(seen) > 0; });
    EXPECT_EQ(count<TaskIsRunning>(session.seen(theirs)), 0U);
    session.executor().release(theirs);
    session.launch(first, "true");
    EXPECT_EQ(session.wait_end(first).exit_code, 0);
  }
  Session session{host};
  session.launch(second, "true");
  EXPECT_EQ(session.wait_end(second).exit_code, 0);
  EXPECT_TRUE(lives());
}

}  // namespace

std::vector<ExecutorTest> contact_tests() {
  return {{"LostContactIsNoEnd", lost_contact_is_no_end},
          {"AStopSaidWithoutContactIsHeardLater", a_stop_said_without_contact_is_heard_later},
          {"WhatIsNotOursIsLeftAlone", what_is_not_ours_is_left_alone}};
}

}  // namespace ym::testing
