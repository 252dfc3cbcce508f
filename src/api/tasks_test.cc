// Requests of task agents.
#include <algorithm>
#include <list>
#include <mutex>

#include "api/testing/fixture.h"
#include "executor/task_link.h"

namespace ym::api {
namespace {

using ym::testing::ApiTest;
using ym::testing::eventually;
using ym::testing::FakeBackend;
using ym::testing::fetch;
using ym::testing::HttpReply;
using ym::testing::RawClient;
using ym::testing::running_attempt;
using ym::testing::simple_spec;

// Its orders are the version as text.
class FakeLink final : public TaskLink {
 public:
  Result<std::string> report(const TaskKey& task, std::string_view report) override {
    const std::lock_guard lock(mutex_);
    if (report.find("nonsense") != std::string_view::npos) return fail(ErrorCode::invalid, "no report");
    if (report.find("taken") != std::string_view::npos) return fail(ErrorCode::conflict, "another has it");
    if (report.find("stale") != std::string_view::npos) return fail(ErrorCode::unavailable, "another may lead");
    reports_.emplace_back(task.task, report);
    return orders_now();
  }
  Result<std::optional<std::string>> orders(const TaskKey&, std::string_view nonce, std::uint64_t version) override {
    const std::lock_guard lock(mutex_);
    ++asked_;
    if (nonce == "stranger") return fail(ErrorCode::conflict, "another has it");
    if (nonce == "stale") return fail(ErrorCode::unavailable, "another may lead");
    if (version >= version_) return std::nullopt;
    return orders_now();
  }
  std::shared_ptr<void> watch(const AttemptKey&, std::function<void()> wake) override {
    const std::lock_guard lock(mutex_);
    const auto at = wakes_.insert(wakes_.end(), std::move(wake));
    return {this, [this, at](void*) {
              const std::lock_guard guard(mutex_);
              wakes_.erase(at);
            }};
  }

  void change() {
    const std::lock_guard lock(mutex_);
    ++version_;
    for (const auto& wake : wakes_) wake();
  }
  std::size_t asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }
  std::vector<std::pair<std::int32_t, std::string>> reports() const {
    const std::lock_guard lock(mutex_);
    return reports_;
  }

 private:
  std::string orders_now() const { return R"({"v":1,"gate":"wait","version":)" + std::to_string(version_) + "}"; }

  mutable std::mutex mutex_;
  std::uint64_t version_ = 1;
  std::size_t asked_ = 0;
  std::list<std::function<void()>> wakes_;
  std::vector<std::pair<std::int32_t, std::string>> reports_;
};

class Tasks : public ApiTest {
 protected:
  void SetUp() override {
    ApiTest::SetUp();
    job_ = backend.add_job(simple_spec()).id;
    backend.add_attempt(running_attempt(job_));
    backend.set_state(job_, JobState::running);
    backend.set_task_link(first(), link_);
  }
  AttemptKey first() const { return {job_, 1}; }
  std::string path(std::string_view task, std::string_view what, int attempt = 1) const {
    return fmt::format("/api/v1/jobs/{}/attempts/{}/tasks/{}/{}", to_string(job_), attempt, task, what);
  }
  HttpReply report(const std::string& body, std::string_view task = "3") {
    return fetch(port(), {.method = "POST",
                          .target = path(task, "report"),
                          .token = FakeBackend::job_token(first()),
                          .headers = {{"Content-Type", "application/json"}},
                          .body = body});
  }
  HttpReply orders(const std::string& query, int attempt = 1) {
    return fetch(port(),
                 {.target = path("3", "orders" + query, attempt), .token = FakeBackend::job_token({job_, attempt})});
  }

  FakeLink link_;
  JobId job_;
};

TEST_F(Tasks, AReportIsHandedOnAsItIsAndAnsweredWithOrders) {
  const auto reply = report(R"({"state": "waiting"})");
  EXPECT_EQ(reply.status, 200) << reply.body;
  EXPECT_EQ(reply.body, R"({"v":1,"gate":"wait","version":1})");
  EXPECT_EQ(reply.headers.at("content-type"), "application/json");
  ASSERT_EQ(link_.reports().size(), 1U);
  EXPECT_EQ(link_.reports().front(), std::pair(3, std::string(R"({"state": "waiting"})")));
}

TEST_F(Tasks, WhatTheLinkRefusesIsRefused) {
  EXPECT_EQ(report(R"({"nonsense": 1})").status, 400);
  EXPECT_EQ(report(R"({"taken": 1})").status, 409);
  EXPECT_EQ(report("{}", "minus").status, 404);
  EXPECT_EQ(orders("?nonce=stranger").status, 409);
}

// A task agent with this answer asks again, and ends nothing.
TEST_F(Tasks, WhatCannotBeSaidNowIsNoRefusal) {
  EXPECT_EQ(report(R"({"stale": 1})").status, 503);
  const auto reply = orders("?nonce=stale");
  EXPECT_EQ(reply.status, 503);
  EXPECT_EQ(reply.headers.at("retry-after"), "1");
  EXPECT_EQ(code_of(reply), "unavailable");
}

TEST_F(Tasks, AnAttemptThatRunsHereHasNoSuchTasks) {
  EXPECT_EQ(orders("", 2).status, 404);
  EXPECT_EQ(link_.asked(), 0U);
}

TEST_F(Tasks, OrdersThatAreKnownAreWaitedFor) {
  EXPECT_EQ(orders("?nonce=n&version=0").status, 200);
  EXPECT_EQ(orders("?nonce=n&version=1").status, 204);
  RawClient client(port());
  const auto before = link_.asked();
  client.send(ym::testing::to_bytes(
      {.target = path("3", "orders?nonce=n&version=1&wait=30s"), .token = FakeBackend::job_token(first())}));
  ASSERT_TRUE(eventually([&] { return link_.asked() > before; }));
  link_.change();
  const auto reply = client.read_reply();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 200);
  EXPECT_EQ(reply->body, R"({"v":1,"gate":"wait","version":2})");
}

TEST_F(Tasks, AGangMayComeAllAtOnce) {
  for (int task = 0; task < 100; ++task) ASSERT_EQ(report("{}", std::to_string(task)).status, 200);
}

}  // namespace
}  // namespace ym::api
