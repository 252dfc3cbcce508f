#include "executor/local/supervisor/progress_keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ym::local {
namespace {

using ::testing::ElementsAre;

std::string step(int n) { return "{\"step\": " + std::to_string(n) + "}"; }
std::string save(int n) { return "{\"checkpoint\" : {\"uri\": \"/ck/" + std::to_string(n) + "\"}}"; }
const std::string kDone = R"({"completed":true})";

std::vector<std::string> kept(const ProgressKeeper& keeper) {
  std::vector<std::string> texts;
  for (const auto& report : keeper.kept()) texts.push_back(report.text);
  return texts;
}

TEST(ProgressKeeper, OnlyWhatIsSaidCounts) {
  EXPECT_TRUE(brings_checkpoint(save(1)));
  EXPECT_TRUE(says_completed("{ \"step\": 1, \"completed\" :\ttrue }"));
  EXPECT_FALSE(brings_checkpoint(R"({"checkpoint": null})"));
  EXPECT_FALSE(says_completed(R"({"completed": false})"));
  EXPECT_FALSE(says_completed(R"({"metrics": {"loss": 1}, "note": "completed"})"));
  EXPECT_TRUE(says_completed(R"({"completed": false, "x": {"completed": true}})")) << "better one too many";
}

TEST(ProgressKeeper, KeepsTheNewestOfEachKindInOrder) {
  ProgressKeeper keeper;
  EXPECT_EQ(keeper.newest(), 0);
  for (int n = 1; n <= 5; ++n) {
    keeper.take(save(n), {n});
    keeper.take(step(n), {n});
  }
  EXPECT_THAT(kept(keeper), ElementsAre(save(3), save(4), save(5), step(5)));
  keeper.take(kDone, {6});
  keeper.take(step(6), {7});
  EXPECT_THAT(kept(keeper), ElementsAre(save(3), save(4), save(5), kDone, step(6)));
  EXPECT_EQ(keeper.newest(), 12);
  EXPECT_EQ(keeper.kept().back(), (RawReport{.number = 12, .at = {7}, .text = step(6)}));
}

TEST(ProgressKeeper, ACompletionIsNotForgottenForAReportThatDeniesIt) {
  ProgressKeeper keeper;
  keeper.take(kDone, {1});
  keeper.take(R"({"completed": false})", {2});
  EXPECT_THAT(kept(keeper), ElementsAre(kDone, R"({"completed": false})"));
}

TEST(ProgressKeeper, StepsWaitASecondAndSavesDoNot) {
  ProgressKeeper keeper;
  keeper.take(step(1), {});
  EXPECT_LE(keeper.tell_at(), 0) << "the first at once";
  keeper.told(5000, 1);
  keeper.take(step(2), {});
  EXPECT_EQ(keeper.tell_at(), 6000);
  keeper.take(save(2), {});
  EXPECT_EQ(keeper.tell_at(), 5100);
  keeper.told(5100, 2);
  EXPECT_EQ(keeper.tell_at(), 6100);
  keeper.take(kDone, {});
  EXPECT_EQ(keeper.tell_at(), 5300) << "ten lines in a second, however many at a time";
}

}  // namespace
}  // namespace ym::local
