// Jobs and nodes that are not what they seem, and invalid answers: B63 to B65, F7.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "executor/testing/recorded_responses/slurm/recorded_slurm.h"

namespace ym::recorded {
namespace {

constexpr auto kCommands = Interface::commands, kRest = Interface::rest;

class Seen : public RecordedSlurm, public testing::WithParamInterface<Interface> {
 protected:
  // Healthy GPUs of a node.
  std::size_t gpus_of(const std::string& name) const {
    for (const auto& node : seen.nodes())
      if (node.name == name && node.withheld.empty())
        return static_cast<std::size_t>(
            std::ranges::count_if(node.devices, [](const Device& d) { return d.healthy && !d.foreign; }));
    return 0;
  }
  void recover() {
    enter("running");
    EXPECT_TRUE(eventually([&] { return seen.available() == true; }));
    EXPECT_TRUE(nothing_concluded());
    end();
    EXPECT_EQ(the_end().exit_code, 0);
  }
};
INSTANTIATE_TEST_SUITE_P(By, Seen, testing::Values(kCommands, kRest),
                         [](const auto& info) { return info.param == kRest ? "Rest" : "Commands"; });

TEST_P(Seen, B63AForeignJobOfOurNameIsLeftAlone) {
  play(GetParam(), "B63-foreign-job");
  ASSERT_TRUE(heard(Question::jobs));
  run();
  executor->stop(kToken, {.cause = StopCause::cancel, .grace = seconds(1)});
  pass(seconds(30));
  EXPECT_TRUE(eventually([&] { return cancelled("101"); }));
  end();
  executor->release(kToken);
  pass(minutes(4));
  EXPECT_FALSE(cancelled("55"));
}

TEST_P(Seen, B64JobsWithOtherNamesThanOursAreLeftAlone) {
  play(GetParam(), "B64-malformed-name");
  run();
  pass(minutes(1));
  EXPECT_EQ(times(Question::cancel), 0U);
  EXPECT_TRUE(nothing_concluded());
}

TEST_P(Seen, B65NineOfEightGpusAreNone) {
  play(GetParam(), "B65-nine-of-eight");
  ASSERT_TRUE(eventually([&] { return seen.nodes().size() == 2; }));
  EXPECT_GE(gpus_of("n1"), 7U);
  enter("nine");
  EXPECT_TRUE(eventually([&] { return gpus_of("n1") == 0; }));
  EXPECT_EQ(gpus_of("n2"), 8U);
}

TEST_P(Seen, B65MoreGpusThanANodeCanHaveAreNone) {
  play(GetParam(), "B65-too-many-gpus");
  ASSERT_TRUE(eventually([&] { return seen.nodes().size() == 2; }));
  enter("many");
  EXPECT_TRUE(eventually([&] { return gpus_of("n1") == 0; }));
  EXPECT_EQ(gpus_of("n2"), 8U);
}

TEST_P(Seen, B65NonsenseAmountsOfferNothingNew) {
  play(GetParam(), "B65-nonsense-amounts");
  run();
  enter("nonsense");
  ASSERT_TRUE(heard(Question::nodes));
  for (const auto& node : seen.nodes()) {
    EXPECT_GE(node.cpus, 0);
    EXPECT_LE(node.cpus, 16 * kMilli);
    EXPECT_GE(node.memory_bytes, 0);
    EXPECT_LE(node.memory_bytes, std::int64_t{64000} << 20);
  }
  EXPECT_TRUE(nothing_concluded());
}

TEST_P(Seen, B65AListOfAGigabyteIsRefusedInBoundedMemory) {
  for (const char* name : {"B65-endless-list", "B65-unannounced-list"}) {
    SCOPED_TRACE(name);
    play(GetParam(), name);
    run();
    reset_peak();
    const auto before = peak_mib();
    enter("endless");
    EXPECT_TRUE(eventually([&] { return seen.available() == false; })) << "nothing is reported";
    EXPECT_LT(peak_mib() - before, 512);
    EXPECT_TRUE(nothing_concluded());
    recover();
    again();
  }
}

TEST_P(Seen, B65WhatIsOfAnOlderEpochIsNotOurs) {
  play(GetParam(), "B65-old-epoch");
  run();
  EXPECT_TRUE(eventually([&] { return cancelled("77"); }));
  EXPECT_FALSE(cancelled("101"));
  const auto old = PlayedAgent(executor->task_link(), {JobId{1}, 1, 6}).waits();
  ASSERT_FALSE(old);
  EXPECT_EQ(old.error().code, ErrorCode::not_found) << "it is to end";
  EXPECT_TRUE(agent().runs());
  EXPECT_TRUE(nothing_concluded());
}

TEST_P(Seen, F7HalfAListIsNoEndOfTheRest) {
  play(GetParam(), "F7-half-list");
  run();
  launch({JobId{2}, 1, 7});
  ASSERT_TRUE(eventually([&] { return times(Question::submission) == 2; }));
  ASSERT_TRUE(heard(Question::jobs));
  see("half");
  pass(seconds(20));
  see("both");
  pass(minutes(2));
  EXPECT_EQ(seen.count<TaskHasEnded>(kToken) + seen.count<ContactIsLost>(kToken), 0U) << seen.words();
  EXPECT_EQ(times(Question::submission), 2U);
  EXPECT_EQ(times(Question::cancel), 0U);
}

struct Case {
  Interface by;
  std::string name;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class GarbageOf : public RecordedSlurm, public testing::WithParamInterface<Case> {};

TEST_P(GarbageOf, F7WhatIsNoListSaysNothing) {
  play(GetParam().by, GetParam().name);
  run();
  enter("garbage");
  EXPECT_TRUE(eventually([&] { return seen.available() == false; })) << "nothing is reported";
  pass(minutes(10));
  EXPECT_TRUE(nothing_concluded());
  enter("running");
  EXPECT_TRUE(eventually([&] { return seen.available() == true; }));
  end();
  EXPECT_EQ(the_end().exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(F7, GarbageOf,
                         testing::Values(Case{kCommands, "F7-cut-line"}, Case{kCommands, "F7-error-text"},
                                         Case{kCommands, "F7-html"}, Case{kCommands, "F7-no-number"},
                                         Case{kRest, "F7-empty-body"}, Case{kRest, "F7-half-json"},
                                         Case{kRest, "F7-html"}, Case{kRest, "F7-length-too-long"},
                                         Case{kRest, "F7-length-too-short"}, Case{kRest, "F7-errors-and-jobs"},
                                         Case{kRest, "F7-no-jobs"}, Case{kRest, "F7-null-jobs"},
                                         Case{kRest, "F7-other-json"}, Case{kRest, "F7-job-without-state"}),
                         [](const auto& info) {
                           auto text = (info.param.by == kRest ? "Rest_" : "Commands_") + info.param.name;
                           std::ranges::replace(text, '-', '_');
                           return text;
                         });

}  // namespace
}  // namespace ym::recorded
