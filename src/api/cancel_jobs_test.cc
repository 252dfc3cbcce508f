// Cancels many jobs with one request.
#include "api/testing/fixture.h"

namespace ym::api {
namespace {

using ym::testing::ApiTest;
using ym::testing::parse_json;
using ym::testing::simple_spec;
using ym::testing::text_at;

class CancelJobsRoute : public ApiTest {
 protected:
  ym::testing::HttpReply cancel(const std::string& body) {
    return post("/api/v1/jobs:cancel", "application/json", body);
  }
};

TEST_F(CancelJobsRoute, IdsNamesAndArraysAreTaken) {
  const auto one = backend.add_job(simple_spec("one")), two = backend.add_job(simple_spec("two"));
  auto sweep = simple_spec("sweep");
  sweep.array = 3;
  backend.add_job(sweep);
  const auto reply = cancel(R"({"jobs":[")" + to_string(one.id) + R"(","two","sweep"]})");
  EXPECT_EQ(reply.status, 200);
  const auto body = parse_json(reply.body);
  EXPECT_EQ(body.at("items").as_array().size(), 5U);
  EXPECT_TRUE(body.at("refused").as_array().empty());
  EXPECT_EQ(backend.state_of(two.id), JobState::cancelled);
}

TEST_F(CancelJobsRoute, WhatIsRefusedIsNamedAsItWasWritten) {
  const auto over = backend.add_job(simple_spec("over"));
  backend.add_job(simple_spec("waits"));
  backend.set_state(over.id, JobState::succeeded);
  const auto body = parse_json(cancel(R"({"jobs":["waits","nobody",")" + to_string(over.id) + R"("]})").body);
  EXPECT_EQ(body.at("items").as_array().size(), 1U);
  ASSERT_EQ(body.at("refused").as_array().size(), 2U);
  EXPECT_EQ(text_at(body, "/refused/0/job"), "nobody");
  EXPECT_EQ(text_at(body, "/refused/0/code"), "not_found");
  EXPECT_EQ(text_at(body, "/refused/1/job"), to_string(over.id));
  EXPECT_EQ(text_at(body, "/refused/1/code"), "conflict");
}

TEST_F(CancelJobsRoute, AWrongBodyIsRefusedWithItsField) {
  EXPECT_EQ(text_at(parse_json(cancel("{}").body), "/errors/0/pointer"), "/jobs");
  EXPECT_EQ(text_at(parse_json(cancel(R"({"jobs":[1]})").body), "/errors/0/pointer"), "/jobs/0");
  EXPECT_EQ(text_at(parse_json(cancel(R"({"jobs":[],"force":true})").body), "/errors/0/pointer"), "/force");
  std::string many = R"({"jobs":["a")";
  for (int i = 0; i < 10'000; ++i) many += R"(,"a")";
  EXPECT_EQ(text_at(parse_json(cancel(many + "]}").body), "/errors/0/pointer"), "/jobs");
}

}  // namespace
}  // namespace ym::api
