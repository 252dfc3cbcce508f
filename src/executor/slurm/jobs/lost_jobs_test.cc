#include "executor/slurm/jobs/lost_jobs.h"

#include <gtest/gtest.h>

#include "base/testing/sentences.h"
#include "executor/remote/testing/slow_store.h"
#include "executor/slurm/executor_impl.h"
#include "executor/slurm/jobs/part_comment.h"
#include "executor/slurm/testing/lab.h"

namespace ym::slurm {
namespace {

using Hosts = std::vector<std::string>;

constexpr Token kLostToken{JobId{1}, 2, 7}, kKnown{JobId{2}, 1, 7};

class LostJobs : public ::testing::Test {
 protected:
  // The job of one part of an attempt with `of` tasks.
  JobRow row(std::int64_t id, const Part& part, std::int32_t of, std::string state, Hosts nodes,
             Token token = kLostToken, bool says_nodes = true) const {
    LaunchRequest request{.token = token};
    request.placement.resize(static_cast<std::size_t>(of));
    const bool alone = part.tasks() == of;
    return {.id = id,
            .name = part_name(token, "x", static_cast<std::size_t>(part.first_task), alone ? 1 : 2),
            .state = std::move(state),
            .comment = part_comment("x", request, part, says_nodes),
            .nodes = std::move(nodes)};
  }
  std::vector<LostLaunch> lost(const std::vector<JobRow>& rows) const {
    return lost_among(rows, "x", [](const Token& token) { return token != kKnown; });
  }
  Hosts where(const std::vector<JobRow>& rows) const {
    Hosts nodes;
    for (const auto& launch : lost(rows))
      for (const auto& task : launch.placement) nodes.push_back(task.node);
    return nodes;
  }

  const Part one{.nodes = {"n1"}}, gang{.tasks_per_node = 2, .nodes = {"n3", "n1"}};
};

TEST_F(LostJobs, WhatTheStateDoesNotKnowIsNamedWithItsNode) {
  const auto found = lost({row(12, one, 1, "RUNNING", {"n1"}), row(13, one, 1, "RUNNING", {"n1"}, kKnown)});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].token, kLostToken);
  ASSERT_EQ(found[0].placement.size(), 1U);
  EXPECT_EQ(found[0].placement[0].node, "n1");
  EXPECT_TRUE(found[0].placement[0].devices.empty()) << "Slurm chose them";
  EXPECT_TRUE(found[0].lives);
  ym::testing::expect_sentence(found[0].where);
}

TEST_F(LostJobs, TasksAreInTheirOrder) {
  EXPECT_EQ(where({row(12, gang, 4, "RUNNING", {"n1", "n3"})}), (Hosts{"n3", "n3", "n1", "n1"}));
  EXPECT_EQ(where({row(12, gang, 4, "RUNNING", {"n1", "n3"}, kLostToken, false)}), (Hosts{"n1", "n1", "n3", "n3"}))
      << "by Slurm's, where it placed them";
}

TEST_F(LostJobs, PartsArePutTogether) {
  const Part first{.tasks_per_node = 2, .nodes = {"n2"}}, second{.first_task = 2, .nodes = {"n4"}};
  const auto found = lost({row(13, second, 3, "RUNNING", {"n4"}), row(12, first, 3, "COMPLETED", {"n2"})});
  ASSERT_EQ(found.size(), 1U);
  ym::testing::expect_sentence(found[0].where);
  EXPECT_TRUE(found[0].lives) << "one of them";
  EXPECT_EQ(where({row(13, second, 3, "RUNNING", {"n4"}), row(12, first, 3, "RUNNING", {"n2"})}),
            (Hosts{"n2", "n2", "n4"}));
}

TEST_F(LostJobs, OfWhatIsNotWholeNoPlacementIsSaid) {
  const Part first{.nodes = {"n2"}};
  EXPECT_TRUE(where({row(12, first, 2, "RUNNING", {"n2"})}).empty()) << "its other part is not on the list";
  auto old = row(12, one, 1, "RUNNING", {"n1"});
  old.comment = "yardmaster/x what";
  EXPECT_TRUE(where({old}).empty());
  EXPECT_EQ(lost({old}).size(), 1U);
  // A completing job shows only the nodes that are not done.
  EXPECT_TRUE(where({row(12, gang, 4, "COMPLETING", {"n1"}, kLostToken, false)}).empty());
  EXPECT_FALSE(where({row(12, gang, 4, "COMPLETING", {"n1"})}).empty()) << "its comment says them";
}

TEST_F(LostJobs, WhatHasEndedIsNamedForAsLongAsItIsListed) {
  EXPECT_FALSE(lost({row(12, one, 1, "COMPLETED", {"n1"})}).at(0).lives);
  EXPECT_FALSE(lost({row(12, one, 1, "FAILED", {"n1"})}).at(0).lives);
  for (const auto* state : {"NODE_FAIL", "COMPLETING", "WHAT"})
    EXPECT_TRUE(lost({row(12, one, 1, state, {"n1"})}).at(0).lives) << state;
}

TEST_F(LostJobs, ALaunchOfWhichAPartNeverBeganIsNone) {
  const Part first{.nodes = {"n2"}}, second{.first_task = 1, .nodes = {"n4"}};
  EXPECT_TRUE(lost({row(12, one, 1, "PENDING", {})}).empty());
  EXPECT_TRUE(lost({row(12, one, 1, "CANCELLED", {})}).empty());
  EXPECT_TRUE(lost({row(12, first, 2, "RUNNING", {"n2"}), row(13, second, 2, "PENDING", {})}).empty());
  auto again = row(12, one, 1, "PENDING", {});
  again.restarts = 1;
  EXPECT_EQ(lost({again}).size(), 1U) << "it ran before";
  EXPECT_EQ(lost({row(12, one, 1, "PENDING", {}), row(11, one, 1, "RUNNING", {"n1"})}).size(), 1U) << "a twin";
}

TEST_F(LostJobs, OthersJobsAreTheirs) {
  auto other = row(12, one, 1, "RUNNING", {"n1"});
  other.comment = "yardmaster/y job 1 attempt 2, 1 tasks";
  auto named = row(12, one, 1, "RUNNING", {"n1"});
  named.name = "ym-node-n1-x";
  EXPECT_TRUE(lost({other, named}).empty());
}

// Its list of jobs, or an error.
class ListClient final : public SlurmClient {
 public:
  explicit ListClient(Result<std::vector<JobRow>> rows) : rows_(std::move(rows)) {}
  std::expected<std::int64_t, SubmitError> submit(const Submission&) override { return std::unexpected(SubmitError{}); }
  Result<std::vector<JobRow>> jobs() override { return rows_; }
  Result<std::vector<JobRow>> history(std::span<const std::string>, Instant) override { return away(); }
  Result<std::vector<NodeRow>> nodes() override { return away(); }
  Result<Facts> facts() override { return away(); }
  Result<void> cancel(std::span<const std::int64_t>, bool) override { return away(); }

  static std::unexpected<Error> away() { return fail(ErrorCode::corrupt, "half a list"); }

 private:
  Result<std::vector<JobRow>> rows_;
};

TEST_F(LostJobs, TheExecutorAsksSlurmBeforeItStarts) {
  const WallClock clock;
  const auto found_by = [&](Result<std::vector<JobRow>> rows, bool is_told) {
    SlurmExecutor executor({.instance = "x"}, std::make_unique<ListClient>(std::move(rows)), clock);
    if (is_told) executor.know_lost([](const Token& token) { return token == kLostToken; });
    return executor.lost_launches();
  };
  const std::vector<JobRow> rows{row(12, one, 1, "RUNNING", {"n1"})};
  EXPECT_EQ(found_by(rows, true)->size(), 1U);
  EXPECT_TRUE(found_by(rows, false)->empty()) << "it is not told what is lost";
  EXPECT_EQ(found_by(ListClient::away(), true).error().code, ErrorCode::unavailable);
}

// With PostgreSQL the store may not answer for half a minute.
TEST_F(LostJobs, NoCallWaitsForTheStoreThatIsAskedWhatIsLost) {
  const WallClock clock;
  ym::testing::SlowStore store;
  SlurmExecutor executor({.instance = "x"},
                         std::make_unique<ListClient>(std::vector{row(12, one, 1, "RUNNING", {"n1"})}), clock);
  executor.know_lost(store.judge());
  executor.begin_epoch(8);
  ASSERT_TRUE(executor.start([](const Observation&) {}, {}));
  store.wait_until_asked();
  executor.stop({JobId{3}, 1, 8}, {.grace = {}});
  EXPECT_TRUE(store.let_go()) << "the stop has waited for it";
}

}  // namespace
}  // namespace ym::slurm
