// Answers of Slurm about submissions and lists of jobs: B52 to B54.
#include <algorithm>

#include "executor/testing/recorded_responses/slurm/recorded_slurm.h"

namespace ym::recorded {
namespace {

struct Case {
  Interface by;
  std::string name;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
std::string in_words(const testing::TestParamInfo<Case>& info) {
  auto text = (info.param.by == Interface::rest ? "Rest_" : "Commands_") + info.param.name;
  std::ranges::replace(text, '-', '_');
  return text;
}

class Submitted : public RecordedSlurm, public testing::WithParamInterface<Case> {};

// B52. It is found by its name, and that job is used.
TEST_P(Submitted, WithoutAWordIsLookedForAndFound) {
  if (GetParam().name == "B52-no-answer") options.command_timeout = seconds(2);
  play(GetParam().by, GetParam().name);
  run();
  pass(seconds(7));
  EXPECT_TRUE(nothing_concluded());
  EXPECT_EQ(seen.count<LaunchAccepted>(kToken), 1U);
  end();
  EXPECT_EQ(the_end().exit_code, 0);
  EXPECT_EQ(times(Question::submission), 1U);
}

constexpr auto kCommands = Interface::commands, kRest = Interface::rest;
INSTANTIATE_TEST_SUITE_P(B52, Submitted,
                         testing::Values(Case{kCommands, "B00-honest"}, Case{kCommands, "B52-no-answer"},
                                         Case{kCommands, "B52-socket-timeout"}, Case{kCommands, "B52-names-no-job"},
                                         Case{kRest, "B00-honest"}, Case{kRest, "B52-no-answer"},
                                         Case{kRest, "B52-gateway-timeout"}, Case{kRest, "B52-cut-answer"},
                                         Case{kRest, "B52-empty-object"}, Case{kRest, "B52-errors-and-id"}),
                         in_words);

class Listed : public RecordedSlurm, public testing::WithParamInterface<Interface> {};
INSTANTIATE_TEST_SUITE_P(By, Listed, testing::Values(kCommands, kRest),
                         [](const auto& info) { return info.param == kRest ? "Rest" : "Commands"; });

// B52, the other half: a job that is really nowhere is submitted again, once.
TEST_P(Listed, B52ALostSubmissionIsMadeAgain) {
  play(GetParam(), "B52-lost");
  launch();
  ASSERT_TRUE(eventually([&] { return times(Question::submission) == 1; }));
  ASSERT_TRUE(heard(Question::jobs));
  EXPECT_EQ(times(Question::submission), 1U);
  clock.forward(seconds(7));
  ASSERT_TRUE(seen.await<LaunchAccepted>(kToken));
  clock.forward(minutes(1));
  ASSERT_TRUE(heard(Question::jobs));
  EXPECT_EQ(times(Question::submission), 2U);
  EXPECT_EQ(seen.count<LaunchAccepted>(kToken), 1U);
  EXPECT_EQ(seen.count<LaunchRefused>(kToken), 0U);
}

TEST_P(Listed, B53AnEmptyListIsNoEnd) {
  play(GetParam(), "B53-empty-list");
  run();
  see("empty");
  pass(seconds(20));
  EXPECT_TRUE(nothing_concluded());
  see("running");
  pass(minutes(2));
  EXPECT_TRUE(nothing_concluded());
  end();
  EXPECT_EQ(the_end().exit_code, 0);
}

// However long the list stays empty: the agent, which reports all the time, is the better witness.
TEST_P(Listed, B53AnEmptyListIsNoEndOfATaskThatSpeaks) {
  play(GetParam(), "B53-empty-list");
  run();
  enter("empty");
  for (int i = 0; i < 7; ++i) {
    clock.forward(seconds(20));
    ASSERT_TRUE(heard(Question::jobs, 1));
    EXPECT_TRUE(agent().runs()) << "it is sent home";
  }
  pass(Duration{0});
  EXPECT_TRUE(nothing_concluded());
  EXPECT_TRUE(agent().ends(3));
  ASSERT_TRUE(seen.await<TaskHasEnded>(kToken));
  EXPECT_EQ(the_end().exit_code, 3);
}

TEST_P(Listed, B53AnEmptyListIsNoReasonToSubmitAtOnce) {
  options.confirm = minutes(2);
  play(GetParam(), "B53-empty-while-it-waits");
  launch();
  ASSERT_TRUE(seen.await<LaunchAccepted>(kToken));
  ASSERT_TRUE(heard(Question::jobs));
  enter("empty");
  ASSERT_TRUE(heard(Question::jobs, 3));
  clock.forward(minutes(1));
  ASSERT_TRUE(heard(Question::jobs));
  EXPECT_TRUE(nothing_concluded());
  see("waiting");
  clock.forward(minutes(5));
  ASSERT_TRUE(heard(Question::jobs));
  EXPECT_TRUE(nothing_concluded());
}

TEST_P(Listed, B53OneOfTwoThatCameOfItIsTakenOff) {
  play(GetParam(), "B53-twin");
  launch();
  ASSERT_TRUE(seen.await<LaunchAccepted>(kToken));
  ASSERT_TRUE(heard(Question::jobs));
  see("empty");
  clock.forward(seconds(7));
  ASSERT_TRUE(eventually([&] { return times(Question::submission) == 2; }));
  ASSERT_TRUE(eventually([&] { return cancelled("102"); }));
  EXPECT_FALSE(cancelled("101")) << "the one that runs";
  EXPECT_TRUE(agent().waits());
  EXPECT_TRUE(seen.await<GangIsWaiting>(kToken));
  EXPECT_EQ(seen.count<LaunchAccepted>(kToken), 1U);
}

TEST_P(Listed, B54AListThatCannotBeHadSaysNothing) {
  for (const char* name : {"B54-list-fails", "B54-all-fails"}) {
    SCOPED_TRACE(name);
    play(GetParam(), name);
    run();
    ASSERT_TRUE(eventually([&] { return seen.available() == true; }));
    enter("down");
    EXPECT_TRUE(eventually([&] { return seen.available() == false; })) << "nothing is reported";
    pass(minutes(10));
    EXPECT_TRUE(nothing_concluded());
    enter("running");
    EXPECT_TRUE(eventually([&] { return seen.available() == true; }));
    ASSERT_TRUE(heard(Question::jobs));
    EXPECT_TRUE(nothing_concluded());
    again();
  }
}

}  // namespace
}  // namespace ym::recorded
