#include "executor/slurm/jobs/part_comment.h"

#include <gtest/gtest.h>

namespace ym::slurm {
namespace {

constexpr Token kCommentToken{JobId{1}, 2, 7};

LaunchRequest gang_of(std::int32_t tasks) {
  LaunchRequest request{.token = kCommentToken};
  for (std::int32_t n = 0; n < tasks; ++n) request.placement.push_back({.task = n, .node = "n1"});
  return request;
}

std::optional<PartShare> read(const std::string& comment, std::size_t parts = 1, const std::string& instance = "x") {
  return share_of(part_name(kCommentToken, instance, 0, parts), comment, instance);
}

TEST(PartComment, NamesItsAttemptAndItsTasks) {
  const Part part{.first_task = 2, .tasks_per_node = 2, .nodes = {"n3", "n1"}};
  const auto comment = part_comment("x", gang_of(7), part, true);
  EXPECT_TRUE(is_ours(comment, "x"));
  EXPECT_FALSE(is_ours(comment, "y"));
  EXPECT_EQ(read(comment, 2), (PartShare{.of = 7, .first_task = 2, .tasks = 4, .nodes = {"n3", "n1"}}));
  EXPECT_EQ(read(part_comment("x", gang_of(7), part, false), 2), (PartShare{.of = 7, .first_task = 2, .tasks = 4}))
      << "where Slurm places";
}

TEST(PartComment, TooManyNodesAreLeftOut) {
  Part part;
  for (int n = 1000; n < 2000; ++n) part.nodes.push_back("n" + std::to_string(n));
  const auto comment = part_comment("x", gang_of(1000), part, true);
  EXPECT_LE(comment.size(), kMostComment);
  EXPECT_EQ(read(comment), (PartShare{.of = 1000, .tasks = 1000}));
}

TEST(PartComment, AnOldOneSaysHowManyTasksThereAreAndNoMore) {
  const std::string old = "yardmaster/x job 1 attempt 2, 3 tasks";
  EXPECT_EQ(read(old), (PartShare{.of = 3, .tasks = 3}));
  EXPECT_FALSE(read(old, 2)) << "of several parts it does not say which";
  const std::string other = "yardmaster/x.p1 job 1 attempt 2, 3 tasks";
  EXPECT_TRUE(read(other, 1, "x.p1")) << "so an instance may be called";
}

TEST(PartComment, NonsenseSaysNothing) {
  const std::string start = "yardmaster/x job 1 attempt 2, 3 tasks";
  for (const auto* end : {": ", ": 0", ": 0+", ": +1", ": 0+4", ": 3+1", ": -1+1", ": 0+0", ": 0+1 on n[1-", ": a+b"})
    EXPECT_FALSE(read(start + end)) << end;
  for (const auto* text :
       {"", "yardmaster/x", "yardmaster/x y, z", "yardmaster/x y, 0 tasks", "yardmaster/x, -3 tasks"})
    EXPECT_FALSE(read(text)) << text;
}

}  // namespace
}  // namespace ym::slurm
