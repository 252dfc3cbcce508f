// Answers from the store, for rows that memory does not have; and counters.
#include "control/serve/read_model.h"
#include "control/serve/server.h"
#include "control/testing/server_fixture.h"

namespace ym {
namespace {

using testing::exits;
using testing::spec_of;

class ServerHistory : public testing::ControlServerTest {
 protected:
  // The token of the n-th launch.
  Token launched(std::size_t n) {
    EXPECT_TRUE(eventually([&] { return executor_.launched().size() >= n; }));
    return executor_.launched().at(n - 1).token;
  }
};

TEST_F(ServerHistory, AJobThatHasEndedIsStillSpokenOf) {
  const JobId id = submit("train");
  const Token token = launched(1);
  executor_.report({token, exits(0)});
  ASSERT_TRUE(becomes(id, JobState::succeeded));
  const auto late = execute(ReportProgress{token.key(), {.step = 1}});
  EXPECT_EQ(late.error().code, ErrorCode::conflict);
  EXPECT_EQ(execute(ReportProgress{{id, 2}, {.step = 1}}).error().code, ErrorCode::not_found);
  EXPECT_EQ(execute(CancelJob{id}).error().code, ErrorCode::conflict);
  EXPECT_EQ(execute(CancelJob{JobId{999}}).error().code, ErrorCode::not_found);
  EXPECT_EQ(execute(RetryJob{id})->jobs.at(0)->name, "train");
}

TEST_F(ServerHistory, EarlyAttemptsOfAJobThatGoesOnAreRead) {
  auto spec = spec_of("train");
  spec.retry = {.infra_max = 100, .backoff = seconds(0)};
  const JobId id = execute(SubmitJobs{.specs = {spec}})->jobs.at(0)->id;
  constexpr std::size_t kAttempts = ReadModel::kKeptAttempts + 4;
  for (std::size_t n = 1; n < kAttempts; ++n)
    executor_.report({launched(n), TaskHasEnded{0, {.by = EndedBy::lost, .message = {}}}});
  const Token last = launched(kAttempts);
  const auto view = server_->reads().job(self_, id);
  ASSERT_EQ(view->attempts.size(), kAttempts);
  for (std::size_t n = 0; n < kAttempts; ++n) EXPECT_EQ(view->attempts.at(n)->number, n + 1);
  EXPECT_EQ(view->attempts.back()->token(), last);
  const auto page = server_->reads().jobs(self_, {}, 10);
  ASSERT_EQ(page->items.size(), 1U);
  EXPECT_EQ(page->items.at(0).attempts.size(), ReadModel::kKeptAttempts);
  EXPECT_EQ(page->items.at(0).attempts.back()->token(), last);
}

TEST_F(ServerHistory, HowLongContactIsLostIsCounted) {
  const JobId id = submit("train");
  const Token token = launched(1);
  executor_.report({token, TaskIsRunning{0}});
  ASSERT_TRUE(becomes(id, JobState::running));
  EXPECT_TRUE(server_->reads().counters(self_).unreachable_ms.empty());
  executor_.report({token, ContactIsLost{"no answer"}});
  ASSERT_TRUE(becomes(id, JobState::unreachable));
  EXPECT_TRUE(server_->reads().counters(self_).unreachable_ms.contains("default"));
  start();
  EXPECT_TRUE(server_->reads().counters(self_).unreachable_ms.contains("default")) << "also after a restart";
  executor_.report({token, ContactIsBack{}});
  ASSERT_TRUE(becomes(id, JobState::running));
  EXPECT_TRUE(server_->reads().counters(self_).unreachable_ms.empty());
}

TEST_F(ServerHistory, AheadAreThoseThatStillWait) {
  submit("runs", 4);
  launched(1);
  const JobId first = submit("first", 4);
  submit("second", 4);
  const JobId last = submit("last", 4);
  ASSERT_TRUE(eventually([&] { return server_->why(self_, last)->ahead_total == 2; }));
  const auto why = server_->why(self_, last);
  ASSERT_EQ(why->ahead.size(), 2U);
  EXPECT_EQ(why->ahead.at(0).id, first);
  ASSERT_TRUE(execute(CancelJob{first}));
  EXPECT_EQ(server_->why(self_, last)->ahead_total, 1);
}

}  // namespace
}  // namespace ym
