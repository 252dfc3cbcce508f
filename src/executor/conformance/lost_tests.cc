// The state was set back: lost launches are found on their machines.
#include <fstream>

#include "executor/conformance/tests.h"

namespace ym::testing {
namespace {

constexpr Token kToken{JobId{1}, 1, 7}, kOther{JobId{2}, 1, 8};

void touch(const ExecutorHost& host, const std::string& name) { std::ofstream(host.scratch() / name).close(); }

bool is_there(const ExecutorHost& host, const std::string& name) {
  return std::filesystem::exists(host.scratch() / name);
}

// Runs until the file `go` exists, and exits with 6.
void launch_first(ExecutorHost& host, int tasks = 1) {
  Session session{host};
  session.launch(kToken, note("ran") + "; while [ ! -e go ]; do sleep 0.02; done; touch gone; exit 6", tasks);
  session.wait_running(kToken, tasks);
}

void expect_found(const ExecutorHost& host, const Session& session, std::size_t tasks) {
  ASSERT_EQ(session.lost().size(), 1U);
  const auto& found = session.lost().front();
  EXPECT_EQ(found.token, kToken);
  EXPECT_FALSE(found.where.empty());
  ASSERT_EQ(found.placement.size(), tasks);
  const auto& launched = host.stored.at(kToken).request.placement;
  for (std::size_t task = 0; task < tasks; ++task) {
    EXPECT_EQ(found.placement[task].task, launched[task].task);
    EXPECT_EQ(found.placement[task].node, launched[task].node);
  }
}

void what_the_state_does_not_know_runs_on_and_is_named(ExecutorHost& host) {
  launch_first(host);
  Session session{host, Session::SetBack{.lost = {kToken}}};
  expect_found(host, session, 1);
  EXPECT_TRUE(session.lost().front().lives);
  // By then the executor has looked at everything.
  session.launch(kOther, note("other"));
  EXPECT_EQ(session.wait_end(kOther).exit_code, 0);
  EXPECT_FALSE(is_there(host, "gone"));
  touch(host, "go");
  wait_until("gone", [&] { return is_there(host, "gone"); });
  EXPECT_TRUE(session.seen(kToken).empty()) << describe(session.seen(kToken));
}

void what_is_adopted_is_followed_to_its_end(ExecutorHost& host) {
  launch_first(host, 2);
  {
    Session session{host, Session::SetBack{.lost = {kToken}}};
    expect_found(host, session, 2);
  }
  {
    Session session{host, Session::SetBack{.lost = {}, .adopted = {kToken}}};
    EXPECT_TRUE(session.lost().empty());
    session.wait_running(kToken, 2);
  }
  Session session{host, Session::SetBack{.lost = {}, .adopted = {kToken}}};
  session.wait_running(kToken, 2);
  touch(host, "go");
  for (const auto& exit : session.wait_ended(kToken, 2)) EXPECT_EQ(exit.exit_code, 6);
  EXPECT_EQ(ledger(host).size(), 2U);
}

void a_stop_reaches_what_was_adopted(ExecutorHost& host) {
  launch_first(host);
  Session session{host, Session::SetBack{.lost = {}, .adopted = {kToken}}};
  session.executor().stop(kToken, {.cause = StopCause::cancel, .grace = seconds(60)});
  EXPECT_EQ(session.wait_end(kToken).by, EndedBy::cancelled);
  EXPECT_FALSE(is_there(host, "gone"));
}

void what_ended_before_it_was_adopted_has_its_end(ExecutorHost& host) {
  launch_first(host);
  touch(host, "go");
  wait_until("gone", [&] { return is_there(host, "gone"); });
  Session session{host, Session::SetBack{.lost = {kToken}, .adopted = {kToken}}};
  expect_found(host, session, 1);
  EXPECT_EQ(session.wait_end(kToken).exit_code, 6);
}

}  // namespace

std::vector<ExecutorTest> lost_tests() {
  return {{"WhatTheStateDoesNotKnowRunsOnAndIsNamed", what_the_state_does_not_know_runs_on_and_is_named},
          {"WhatIsAdoptedIsFollowedToItsEnd", what_is_adopted_is_followed_to_its_end},
          {"AStopReachesWhatWasAdopted", a_stop_reaches_what_was_adopted},
          {"WhatEndedBeforeItWasAdoptedHasItsEnd", what_ended_before_it_was_adopted_has_its_end}};
}

}  // namespace ym::testing
