// The site's settings: shown, compared, set and reset.
#include "api/testing/fixture.h"
#include "base/testing/sentences.h"

namespace ym::api {
namespace {

using ym::testing::ApiTest;
using ym::testing::expect_sentence;
using ym::testing::parse_json;
using ym::testing::simple_spec;
using ym::testing::text_at;

class PolicyApi : public ApiTest {
 protected:
  void expect_wrong(const std::string& target, const std::string& text, std::string_view pointer) {
    const auto reply = post(target, "application/yaml", text);
    EXPECT_EQ(reply.status, 422);
    EXPECT_EQ(code_of(reply), "invalid");
    const auto problem = parse_json(reply.body);
    EXPECT_EQ(text_at(problem, "/errors/0/pointer"), pointer);
    expect_sentence(text_at(problem, "/detail"));
  }
};

TEST_F(PolicyApi, APolicyIsComparedAndNothingIsChanged) {
  const JobId job = backend.add_job(simple_spec()).id;
  const auto reply = post("/api/v1/policy/diff", "application/yaml",
                          "clusters: [whatever]\nqueues:\n  - {name: a}\nscheduling: {placement: pack}\n");
  ASSERT_EQ(reply.status, 200) << reply.body;
  const auto value = parse_json(reply.body);
  EXPECT_EQ(text_at(value, "/waiting"), "1");
  EXPECT_EQ(text_at(value, "/starts/0/id"), to_string(job));
  EXPECT_EQ(text_at(value, "/stops"), "[]");
  for (const auto& queue : parse_json(get("/api/v1/queues").body).at("items").as_array())
    EXPECT_NE(text_at(queue, "/name"), "a");
  EXPECT_EQ(post("/api/v1/policy/diff", "application/yaml", "flavors: []").status, 400);
  expect_wrong("/api/v1/policy/diff", "scheduling: {placement: best}", "/scheduling/placement");
}

TEST_F(PolicyApi, ThePolicyIsShownSetAndReset) {
  const auto shown = parse_json(get("/api/v1/policy").body);
  EXPECT_EQ(text_at(shown, "/scheduling/age_cap"), "2h");
  EXPECT_EQ(text_at(shown, "/scheduling/usage_half_life"), "7d");
  EXPECT_EQ(text_at(shown, "/preemption/preemptions_per_hour"), "4");
  EXPECT_EQ(text_at(shown, "/said_by/scheduling.age_cap"), "file");
  EXPECT_EQ(text_at(shown, "/said_by/scheduling.placement"), "default");
  const auto set = post("/api/v1/policy", "application/yaml",
                        "scheduling: {age_cap: 90m, placement: pack}\npreemption: {preemptions_per_hour: 2}\n");
  ASSERT_EQ(set.status, 200) << set.body;
  EXPECT_EQ(text_at(parse_json(set.body), "/scheduling/age_cap"), "1h30m");
  EXPECT_EQ(text_at(parse_json(set.body), "/said_by/preemption.preemptions_per_hour"), "api");
  const auto events = parse_json(get("/api/v1/events").body).at("items").as_array();
  EXPECT_EQ(text_at(events.back(), "/type"), "policy.set");
  EXPECT_EQ(
      text_at(events.back(), "/data/policy"),
      R"({"scheduling":{"age_cap":"1h30m","placement":"pack"},"preemption":{"preemptions_per_hour":2},"user_limits":{}})");
  const auto again = ym::testing::fetch(port(), {.method = "DELETE", .target = "/api/v1/policy", .token = kAdmin});
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(text_at(parse_json(again.body), "/scheduling/age_cap"), "2h");
}

TEST_F(PolicyApi, APolicyThatCannotBeSetIsRefused) {
  expect_wrong("/api/v1/policy", "scheduling: {age_cap: never}", "/scheduling/age_cap");
  EXPECT_EQ(post("/api/v1/policy", "application/yaml", "{}").status, 400);
  expect_wrong("/api/v1/policy", "clusters: [{name: lab}]\nscheduling: {age_cap: 1h}\n", "/clusters");
  EXPECT_EQ(text_at(parse_json(get("/api/v1/policy").body), "/scheduling/age_cap"), "2h");
}

TEST_F(PolicyApi, WhatAnEarlierVersionHadIsReadAndWarnedAbout) {
  constexpr auto kFormer = "scheduling: {placement: final-waste, waste_table: t.json}\n";
  const auto set = post("/api/v1/policy", "application/yaml", kFormer);
  ASSERT_EQ(set.status, 200) << set.body;
  EXPECT_EQ(text_at(parse_json(set.body), "/scheduling/placement"), "fgd");
  const auto answer = parse_json(set.body);
  ASSERT_EQ(answer.at("warnings").as_array().size(), 2U);
  for (const auto* warning : {"/warnings/0", "/warnings/1"}) expect_sentence(text_at(answer, warning));
  const auto compared = post("/api/v1/policy/diff", "application/yaml", kFormer);
  ASSERT_EQ(compared.status, 200) << compared.body;
  EXPECT_EQ(parse_json(compared.body).at("warnings").as_array().size(), 2U);
  const auto now = post("/api/v1/policy", "application/yaml", "scheduling: {placement: fgd}\n");
  EXPECT_FALSE(parse_json(now.body).as_object().contains("warnings"));
}

}  // namespace
}  // namespace ym::api
