// What the tracker does about lost launches, and about adopted ones.
#include "base/testing/sentences.h"
#include "executor/slurm/testing/tracker.h"

namespace ym::slurm {
namespace {

using Ids = std::vector<std::int64_t>;

// The state was set back after they were launched.
TEST_F(TrackerTest, WhatIsLostAndHasBegunIsLetBe) {
  tracker.know_lost([](const Token& token) { return token.job != JobId{3}; });
  tracker.begin_epoch(9);
  const auto of = [&](std::int64_t id, std::uint64_t job, const std::string& state) {
    auto one = row(id, state);
    one.name = part_name(Token{JobId{job}, 1, 8}, "default", 0, 1);
    return one;
  };
  const std::vector<JobRow> rows{of(12, 2, "RUNNING"), of(13, 3, "RUNNING"), of(14, 4, "PENDING"),
                                 of(15, 5, "SUSPENDED"), of(16, 6, "COMPLETED")};
  const auto actions = jobs(rows);
  EXPECT_EQ(actions.cancel, (Ids{13, 14})) << "known jobs, and jobs that will never be let in";
  for (const auto& note : actions.notes) ym::testing::expect_sentence(note);
  pass(seconds(31));
  const auto again = jobs(rows);
  EXPECT_EQ(again.cancel, (Ids{13, 14}));
  // Those that are left alone are named once.
  for (const auto& note : again.notes) ym::testing::expect_sentence(note);
}

TEST_F(TrackerTest, OfWhatTheStoreWasNotAskedAboutNothingIsTakenOff) {
  std::optional<bool> answer;
  tracker.know_lost([&](const Token&) { return answer; });
  tracker.begin_epoch(9);
  auto known = row(12, "RUNNING");
  known.name = part_name(Token{JobId{2}, 1, 8}, "default", 0, 1);
  const auto waits = row(13, "PENDING");
  EXPECT_EQ(tracker.active_unknown_launches({known, waits}), (std::vector{Token{JobId{2}, 1, 8}}));
  auto actions = jobs({known});
  EXPECT_TRUE(actions.cancel.empty());
  EXPECT_TRUE(actions.notes.empty()) << "it is not known yet";
  answer = false;
  actions = jobs({known});
  EXPECT_EQ(actions.cancel, Ids{12});
}

// Earlier versions wrote less into comments, and their agents also exited with 0 when they were not let in.
TEST_F(TrackerTest, OfAnOldAgentItIsSaidThatItIs) {
  const Tracker fresh = tracker;
  for (const bool old : {true, false}) {
    tracker = fresh;
    recall("n1");
    auto ended = row(12, "COMPLETED", "0:0");
    ended.comment = "yardmaster/default job 1 attempt 1, 1 tasks";
    if (!old) ended.comment += ": 0+1 on n1";
    jobs({ended});
    pass(seconds(1));
    const auto actions = nodes({"IDLE"});
    const auto* gone = report<remote::Gone>(actions);
    ASSERT_TRUE(gone);
    EXPECT_EQ(gone->of_old_agent, old);
  }
}

class Adopted : public TrackerTest {
 protected:
  void SetUp() override {
    tracker.recall({.request = {.token = kToken, .placement = {{.task = 0, .node = "n1"}}},
                    .tasks = {TaskStatus{}},
                    .adopted = true},
                   {Part{.nodes = {"n1"}}}, now);
    barrier = true;  // as the task registry says
  }
};

TEST_F(Adopted, WhatHasEndedMeanwhileEndsAsSlurmSays) {
  pass(seconds(1));
  jobs({row(12, "FAILED", "3:0")});
  const auto actions = nodes({"IDLE"});
  const auto all = report<remote::Gone>(actions) ? actions : nodes({"IDLE"});
  ASSERT_TRUE(report<remote::Gone>(all));
  EXPECT_EQ(report<remote::Gone>(all)->exit->exit_code, 3);
}

TEST_F(Adopted, WhatIsForgottenIsNeverSubmittedAgainAndIsGoneWhenItsNodeShowsIt) {
  nodes({"DOWN"});
  for (int i = 0; i < 10; ++i) {
    pass(seconds(15));
    const auto actions = jobs({});
    EXPECT_TRUE(actions.submit.empty());
    EXPECT_TRUE(actions.unknown.empty());
    EXPECT_FALSE(report<remote::Gone>(actions));
  }
  nodes({"IDLE"});
  pass(seconds(41));
  EXPECT_TRUE(report<remote::Gone>(nodes({"IDLE"})));
}

}  // namespace
}  // namespace ym::slurm
