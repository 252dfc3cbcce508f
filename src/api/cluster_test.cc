// Queues, nodes, health and metrics.
#include <fstream>
#include <iterator>

#include "api/testing/fixture.h"

namespace ym::api {
namespace {

using ym::testing::ApiTest;
using ym::testing::eventually;
using ym::testing::parse_json;
using ym::testing::running_attempt;
using ym::testing::simple_spec;
using ym::testing::text_at;

using ClusterApi = ApiTest;

TEST_F(ClusterApi, QueuesShowQuotaUsageAndCounts) {
  backend.add_queue({.name = "a", .managed_by = ManagedBy::api});
  backend.add_queue({.name = "default"});
  backend.set_usage(
      {{.queue = "a", .flavor = "t4", .kind = ResourceKind::gpus, .nominal = 8000, .used = 10'000, .borrowed = 2000}});
  backend.add_job(simple_spec());
  const auto value = parse_json(get("/api/v1/queues").body);
  EXPECT_EQ(text_at(value, "/items/0/usage/0"),
            R"({"flavor":"t4","resource":"gpus","nominal":8,"used":10,"borrowed":2,"lately":0})");
  EXPECT_EQ(text_at(value, "/items/1/counts"), R"({"queued":1,"held":0,"active":0})");
  EXPECT_EQ(text_at(value, "/next"), "null");
  EXPECT_EQ(text_at(value, "/as_of"), std::to_string(backend.reads().last_seq()));
}

TEST_F(ClusterApi, ApplyingQueuesAnswersWithThem) {
  const auto reply =
      post("/api/v1/queues", "application/yaml", "queues:\n  - {name: a}\n  - {name: b, children: [{name: c}]}\n");
  ASSERT_EQ(reply.status, 200) << reply.body;
  const auto value = parse_json(reply.body);
  ASSERT_EQ(value.at("items").as_array().size(), 3u);
  EXPECT_EQ(text_at(value, "/items/2/parent"), "b");
  EXPECT_EQ(text_at(value, "/items/0/managed_by"), "api");
}

TEST_F(ClusterApi, QueuesOfTheFileAreNotChangedHere) {
  backend.add_queue({.name = "a", .managed_by = ManagedBy::file});
  const auto reply = post("/api/v1/queues", "application/yaml", "queues:\n  - {name: a}\n");
  EXPECT_EQ(reply.status, 409);
  EXPECT_EQ(code_of(reply), "conflict");
  EXPECT_EQ(post("/api/v1/queues", "application/json", "{}").status, 415);
  EXPECT_EQ(post("/api/v1/queues", "application/yaml", "queues:\n  - {nam: a}\n").status, 422);
}

TEST_F(ClusterApi, NodesAreSetAsideAndGivenBack) {
  const auto made = post("/api/v1/reservations", "application/json",
                         R"({"name":"paper","duration":"1h","nodes":["n[1-2]"],"users":["eve"],"message":"deadline"})");
  ASSERT_EQ(made.status, 201) << made.body;
  const auto shown = parse_json(made.body);
  EXPECT_EQ(text_at(shown, "/nodes/1"), "n2");
  EXPECT_EQ(shown.at("maintenance"), false);
  const auto list = parse_json(get("/api/v1/reservations").body);
  ASSERT_EQ(list.at("items").as_array().size(), 1u);
  EXPECT_EQ(list.at("items").at(0), shown);
  EXPECT_EQ(post("/api/v1/reservations", "application/json", R"({"name":"paper"})").status, 422);
  EXPECT_EQ(post("/api/v1/reservations", "application/yaml", "name: paper").status, 415);
  EXPECT_EQ(
      post("/api/v1/reservations", "application/json", R"({"name":"paper","duration":"1h","nodes":["n1"]})").status,
      409);
  const auto remove = [&] {
    return ym::testing::fetch(port(), {.method = "DELETE", .target = "/api/v1/reservations/paper", .token = kAdmin})
        .status;
  };
  EXPECT_EQ(remove(), 200);
  EXPECT_EQ(remove(), 404);
}

TEST_F(ClusterApi, BudgetsAndPromisesOfQueuesAreShown) {
  const auto made = post("/api/v1/queues", "application/yaml",
                         "queues: [{name: a, policy: {budgets: [{gpu_hours: 10, per: day}, {money: 2.5, per: week}], "
                         "shrink_after: 10m, wait_promises: [{priority: 80, within: 30m}]}}]");
  ASSERT_EQ(made.status, 200) << made.body;
  const auto policy = parse_json(made.body).at("items").at(0).at("policy");
  EXPECT_EQ(serialize(policy.at("budgets")),
            R"([{"gpu_hours":10,"per":"day","used":null},{"money":2.5E0,"per":"week","used":null}])");
  EXPECT_EQ(policy.at("shrink_after"), "10m");
  EXPECT_EQ(serialize(policy.at("wait_promises")), R"([{"priority":80,"within":"30m"}])");
}

TEST_F(ClusterApi, AQueueIsHeldDrainedAndResumed) {
  backend.add_queue({.name = "a", .managed_by = ManagedBy::api});
  backend.add_queue({.name = "b", .managed_by = ManagedBy::file});
  for (const auto& [verb, stop] :
       {std::pair("hold", "hold"), std::pair("drain", "hold-and-drain"), std::pair("resume", "none")}) {
    const auto reply = post(std::string("/api/v1/queues/a/") + verb, "application/json", "");
    ASSERT_EQ(reply.status, 200) << reply.body;
    EXPECT_EQ(text_at(parse_json(reply.body), "/policy/stop"), stop);
  }
  EXPECT_EQ(post("/api/v1/queues/b/hold", "application/json", "").status, 409);
  EXPECT_EQ(post("/api/v1/queues/c/hold", "application/json", "").status, 404);
  EXPECT_EQ(post("/api/v1/queues/a/hold", "application/json", R"({"for":"ever"})").status, 400);
}

TEST_F(ClusterApi, NodesShowTheJobsThatHaveTheirDevices) {
  backend.add_node(
      {.name = "n1", .cluster = "lab", .gpu_type = "t4", .devices = {{.id = "0"}, {.id = "1"}, {.id = "2"}}});
  const auto id = backend.add_job(simple_spec()).id;
  backend.add_attempt(running_attempt(id));
  const auto value = parse_json(get("/api/v1/nodes").body);
  EXPECT_EQ(text_at(value, "/items/0/devices/1/job"), to_string(id));
  EXPECT_EQ(text_at(value, "/items/0/devices/2/job"), "null");
}

TEST_F(ClusterApi, NodesPageByName) {
  for (int i = 0; i < 5; ++i) backend.add_node({.name = fmt::format("n{}", i)});
  const auto first = parse_json(get("/api/v1/nodes?limit=3").body);
  EXPECT_EQ(text_at(first, "/items/2/name"), "n2");
  const auto second = parse_json(get("/api/v1/nodes?limit=3&cursor=" + text_at(first, "/next")).body);
  EXPECT_EQ(text_at(second, "/items/0/name"), "n3");
  EXPECT_EQ(text_at(second, "/next"), "null");
}

TEST_F(ClusterApi, NodesAreDrainedAndPutBack) {
  backend.add_node({.name = "n1"});
  const auto drained = post("/api/v1/nodes/n1/drain", "application/json", R"({"message":"fan broken"})");
  ASSERT_EQ(drained.status, 200) << drained.body;
  EXPECT_EQ(text_at(parse_json(drained.body), "/schedulable"), "false");
  EXPECT_EQ(text_at(parse_json(drained.body), "/message"), "fan broken");
  EXPECT_EQ(text_at(parse_json(post("/api/v1/nodes/n1/undrain").body), "/schedulable"), "true");
  EXPECT_EQ(post("/api/v1/nodes/n2/drain").status, 404);
  EXPECT_EQ(post("/api/v1/nodes/n1/drain", "application/json", R"({"reason":"x"})").status, 422);
  EXPECT_EQ(post("/api/v1/nodes/n1/drain", "application/json", R"({"message":3})").status, 422);
  EXPECT_EQ(post("/api/v1/nodes/n1/drain", "application/json", "[").status, 400);
  EXPECT_EQ(post("/api/v1/nodes/n1/drain", "application/json", std::string(10'000, '[')).status, 400);
}

TEST_F(ClusterApi, HealthAndReadinessAreOpen) {
  const auto health = ym::testing::fetch(port(), {.target = "/healthz"});
  EXPECT_EQ(health.status, 200);
  EXPECT_EQ(ym::testing::fetch(port(), {.target = "/readyz"}).status, 200);
  backend.set_not_ready("the store is being loaded");
  const auto reply = ym::testing::fetch(port(), {.target = "/readyz"});
  EXPECT_EQ(reply.status, 503);
  EXPECT_THAT(reply.body, ::testing::HasSubstr("the store is being loaded"));
  EXPECT_EQ(ym::testing::fetch(port(), {.target = "/healthz"}).status, 200);
}

TEST_F(ClusterApi, AStandbyTellsAProviderToComeAgain) {
  EXPECT_EQ(get("/scim/v2/Users/ada").status, 404) << "no provider uses SCIM";
  backend.set_not_ready("this server stands by");
  const auto reply = get("/scim/v2/Users/ada");
  EXPECT_EQ(reply.status, 503) << "a user that is not found counts as removed";
  EXPECT_EQ(text_at(parse_json(reply.body), "/status"), "503");
}

TEST_F(ClusterApi, MetricsHaveTheirNames) {
  Counters counters;
  counters.jobs[{JobState::queued, "a"}] = 3;
  counters.unadmitted[{"a", "WaitingForQuota"}] = 2;
  counters.finished["FAILED"] = 4;
  counters.commits = 9;
  counters.cycles.count = {3, 2, 0, 0, 0, 0, 0, 1, 0, 0, 4};
  counters.cycles.sum_seconds = 0.25;
  counters.preemptions[{"a", PreemptionCause::reclaim}] = 2;
  counters.at_risk_gpu_ms["a"] = 250;
  backend.set_counters(counters);
  backend.add_queue({.name = "a"});
  backend.set_usage({{.queue = "a", .flavor = "t4", .kind = ResourceKind::gpus, .nominal = 8000, .used = 4000}});
  get("/api/v1/jobs");
  // A request is counted after its answer was sent.
  EXPECT_TRUE(eventually([&] { return get("/metrics").body.find("route=\"/api/v1/jobs\"") != std::string::npos; }));
  const auto reply = get("/metrics");
  EXPECT_EQ(reply.status, 200);
  EXPECT_THAT(reply.headers.at("content-type"), ::testing::StartsWith("text/plain; version=0.0.4"));
  for (const auto* line :
       {"yardmaster_jobs{state=\"QUEUED\",queue=\"a\"} 3", "yardmaster_commits_total 9",
        "yardmaster_unadmitted_jobs{queue=\"a\",reason=\"WaitingForQuota\"} 2",
        "yardmaster_jobs_finished_total{state=\"FAILED\"} 4", "yardmaster_scheduling_cycle_seconds_sum 0.25",
        "yardmaster_scheduling_cycle_seconds_bucket{le=\"0.0005\"} 5",
        "yardmaster_scheduling_cycle_seconds_bucket{le=\"5\"} 6",
        "yardmaster_scheduling_cycle_seconds_bucket{le=\"+Inf\"} 10", "yardmaster_scheduling_cycle_seconds_count 10",
        "yardmaster_quota_gpus{queue=\"a\",flavor=\"t4\",kind=\"used\"} 4", "yardmaster_build_info{version=\"",
        "yardmaster_preemptions_total{queue=\"a\",cause=\"reclaim\"} 2",
        "yardmaster_work_at_risk_gpu_seconds{queue=\"a\"} 0.25\n", "yardmaster_http_requests_total{",
        "yardmaster_http_request_seconds_bucket{"}) {
    EXPECT_THAT(reply.body, ::testing::HasSubstr(line));
  }
}

TEST(MetricsGuide, ListsEachCause) {
  std::ifstream file(YM_SOURCE_DIR "/docs/guide/metrics.md");
  const std::string guide{std::istreambuf_iterator<char>(file), {}};
  for (const auto& [cause, count] : Counters{}.lost_gpu_ms)
    EXPECT_THAT(guide, ::testing::HasSubstr("| `" + std::string(name_of(cause)) + "` | "));
}

TEST_F(ClusterApi, MetricsSayHowLongJobsWaitedAndWhatStopsLost) {
  Counters counters;
  counters.estimated_lost_gpu_ms[PreemptionCause::reclaim] = 61'500;
  counters.lost_gpu_ms[PreemptionCause::reclaim] = 2'500;
  for (const double seconds : {0.5, 1.0, 90.0, 1e6}) counters.admission_waits["a"].add(seconds);
  backend.set_counters(counters);
  const auto reply = get("/metrics");
  for (const auto* line :
       {"estimated_lost_gpu_seconds_total{cause=\"priority\"} 0",
        "estimated_lost_gpu_seconds_total{cause=\"reclaim\"} 61.5", "lost_gpu_seconds_total{cause=\"priority\"} 0",
        "lost_gpu_seconds_total{cause=\"reclaim\"} 2.5", "lost_gpu_seconds_total{cause=\"error\"} 0",
        "admission_wait_seconds_bucket{queue=\"a\",le=\"0.1\"} 0",
        "admission_wait_seconds_bucket{queue=\"a\",le=\"1\"} 2",
        "admission_wait_seconds_bucket{queue=\"a\",le=\"300\"} 3",
        "admission_wait_seconds_bucket{queue=\"a\",le=\"604800\"} 3",
        "admission_wait_seconds_bucket{queue=\"a\",le=\"+Inf\"} 4", "admission_wait_seconds_count{queue=\"a\"} 4"})
    EXPECT_THAT(reply.body, ::testing::HasSubstr(std::string("\nyardmaster_") + line + "\n"));
}

TEST_F(ClusterApi, WhatWasAppliedIsShownWithoutUse) {
  backend.set_usage({{.queue = "a", .flavor = "t4", .kind = ResourceKind::gpus}});
  const auto reply = post("/api/v1/queues", "application/yaml",
                          "queues: [{name: a, policy: {order: fifo, preempt: never, fence: true, weight: 2,"
                          " min_runtime: {reclaim: 10m}}, quota: {t4: {gpus: 2}}}]");
  const auto value = parse_json(reply.body);
  EXPECT_EQ(
      text_at(value, "/items/0/policy"),
      R"({"order":"fifo","service_levels":[],"age_boost":null,"fair_users":false,"strict":false,"reservations":1,)"
      R"("weight":2,"when_can_borrow":"stop","when_can_preempt":"try-next","preempt":"never","reclaim":"any",)"
      R"("preempt_to_borrow":null,"min_runtime":{"priority":"0s","reclaim":"10m"},"fence":true,"shrink_after":null,)"
      R"("stop":"none","limits":{"jobs":null,"gpus":null,"per_user":{"jobs":null,"gpus":null}},)"
      R"("wait_promises":[],"budgets":[]})");
  EXPECT_EQ(text_at(value, "/items/0/quota/t4/gpus/nominal"), "2");
  EXPECT_FALSE(value.at("items").at(0).as_object().contains("usage"));
  EXPECT_EQ(text_at(parse_json(get("/api/v1/queues").body), "/items/0/policy/preempt"), "never");
}

TEST_F(ClusterApi, QueuesAreRemovedAtOnceOrWhenNoJobUsesThem) {
  const auto remove = [&](const std::string& name) {
    return ym::testing::fetch(port(), {.method = "DELETE", .target = "/api/v1/queues/" + name, .token = kAdmin});
  };
  backend.add_queue({.name = "idle", .managed_by = ManagedBy::api});
  backend.add_queue({.name = "busy", .managed_by = ManagedBy::api});
  backend.add_queue({.name = "of-file"});
  auto spec = ym::testing::simple_spec();
  spec.queue = "busy";
  backend.add_job(spec);
  const auto idle = remove("idle");
  EXPECT_EQ(idle.status, 200);
  EXPECT_EQ(idle.body, R"({"name":"idle","removed":true})");
  const auto busy = remove("busy");
  EXPECT_EQ(busy.status, 202);
  EXPECT_EQ(busy.body, R"({"name":"busy","removed":false})");
  EXPECT_EQ(remove("of-file").status, 409);
  EXPECT_EQ(remove("nothing").status, 404);
}

}  // namespace
}  // namespace ym::api
