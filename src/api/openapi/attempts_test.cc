// Compares reports, notices and shown progress with the OpenAPI document.
#include "api/testing/openapi_fixture.h"

namespace ym::api {
namespace {

using ym::testing::HttpReply;
using ym::testing::parse_json;
using ym::testing::running_attempt;

constexpr auto kProgress = "/api/v1/jobs/{id}/attempts/{n}/progress";
constexpr auto kNotice = "/api/v1/jobs/{id}/attempts/{n}/notice";

// A job that was preempted and runs again.
class OpenApiOfAttempts : public ym::testing::OpenApiTest {
 protected:
  void SetUp() override {
    OpenApiTest::SetUp();
    job_ = backend.add_job(ym::testing::simple_spec()).id;
    auto first = running_attempt(job_);
    first.state = AttemptState::ended;
    first.ended_by = EndedBy::preempted;
    first.stop_cause = StopCause::preemption;
    first.yields_to = JobId{job_.value + 100};
    first.estimated_lost_gpu_ms = 1'500;
    first.lost_gpu_ms = 500;
    first.stop_by = Instant{1'790'000'000'000};
    backend.add_attempt(first);
    auto second = running_attempt(job_, 2);
    second.started_at = Instant{1'789'999'999'000};
    second.resumes_from = Checkpoint{.uri = "/ck", .step = 3, .durable_at = Instant{1'000}, .attempt = 1};
    backend.add_attempt(second);
    backend.set_state(job_, JobState::running);
  }
  std::string path(std::string_view what) const {
    return fmt::format("/api/v1/jobs/{}/attempts/2/{}", to_string(job_), what);
  }
  HttpReply report(const std::string& body, const std::string& token) {
    return ym::testing::fetch(port(), {.method = "POST",
                                       .target = path("progress"),
                                       .token = token,
                                       .headers = {{"Content-Type", "application/json"}},
                                       .body = body});
  }
  std::string token() const { return ym::testing::FakeBackend::job_token({job_, 2}); }

  const std::string report_ = R"({"step":4,"total_steps":9,"metrics":{"loss":0.5},"completed":false,
    "checkpoint":{"uri":"/ck/4","step":4,"durable_at":"2026-09-21T14:00:00Z","save_seconds":0.5}})";
  JobId job_;
};

TEST_F(OpenApiOfAttempts, ReportsAreAsDescribed) {
  const auto& schema = document_.at("components").at("schemas").at("ProgressReport");
  EXPECT_EQ(ym::testing::check_schema(document_, schema, parse_json(report_)), "");
  const auto taken = report(report_, token());
  EXPECT_EQ(taken.status, 204) << taken.body;
  expect_documented(kProgress, "post", taken);
  expect_documented(kProgress, "post", report(R"({"step":-1})", token()));
  expect_documented(kProgress, "post", report("{", token()));
  expect_documented(kProgress, "post", report("{}", kAdmin));
}

TEST_F(OpenApiOfAttempts, NoticesAreAsDescribed) {
  expect_documented(kNotice, "get", get(path("notice")));
  expect_documented(kNotice, "get", get(path("notice?wait=1d")));
  backend.set_notice({job_, 2}, {StopCause::preemption, Instant{1'790'000'030'000}, Duration{500}});
  const auto notice = get(path("notice"));
  EXPECT_EQ(notice.status, 200);
  expect_documented(kNotice, "get", notice);
}

TEST_F(OpenApiOfAttempts, WhatIsShownOfItIsAsDescribed) {
  report(report_, token());
  backend.set_notice({job_, 2}, {StopCause::preemption, Instant{1'790'000'030'000}, Duration{500}});
  backend.change_job(job_, [](Job& job) {
    job.nomination = NominatedPlacement{
        .cluster = "lab", .flavor = "t4", .placement = {{.task = 0, .node = "n1", .devices = {"0"}}}};
    job.nomination->preempted_jobs = {JobId{7}};
  });
  const auto job = get("/api/v1/jobs/" + to_string(job_));
  EXPECT_EQ(ym::testing::text_at(parse_json(job.body), "/attempts/1/progress/step"), "4");
  expect_documented("/api/v1/jobs/{id}", "get", job);
  expect_documented("/api/v1/jobs", "get", get("/api/v1/jobs?spec=summary"));
  expect_documented("/api/v1/events", "get", get("/api/v1/events"));
}

}  // namespace
}  // namespace ym::api
