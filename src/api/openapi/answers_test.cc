// Compares real answers with the OpenAPI document.
#include "api/routes/route.h"
#include "api/testing/openapi_fixture.h"

namespace ym::api {
namespace {

using ym::testing::simple_spec;
using OpenApiAnswers = ym::testing::OpenApiTest;

TEST_F(OpenApiAnswers, RealAnswersAreAsDescribed) {
  backend.add_node({.name = "n1", .cluster = "lab", .gpu_type = "t4", .devices = {{.id = "0"}, {.id = "1"}}});
  Queue queue{.name = "default", .managed_by = ManagedBy::api};
  FlavorQuota quota;
  quota[2] = Quota{.nominal = 8000, .borrowing_limit = 500};
  queue.quota = {{"t4", quota}};
  backend.add_queue(queue);
  backend.set_usage({{.queue = "default", .flavor = "t4", .kind = ResourceKind::gpus}});
  const auto first = backend.add_job(simple_spec("first"));
  backend.add_attempt(ym::testing::running_attempt(first.id));
  backend.write_log({first.id, 1}, 0, "text\n", true);
  backend.set_explanation(
      {.dominant = engine::Reason{engine::NodesInUse{.flavor = "t4", .place = {}, .needed = 1}}, .ahead = {first}});
  backend.add_job(simple_spec("second"));
  expect_documented("/", "get", get("/"));
  expect_documented("/healthz", "get", get("/healthz"));
  expect_documented("/readyz", "get", get("/readyz"));
  expect_documented("/metrics", "get", get("/metrics"));
  expect_documented("/api/v1/openapi.json", "get", get("/api/v1/openapi.json"));
  expect_documented("/api/v1/openapi.json", "get", get("/api/v1/openapi.json", {{"If-None-Match", "*"}}));
  expect_documented("/api/v1/jobs", "get", get("/api/v1/jobs?limit=1"));
  expect_documented("/api/v1/jobs/{id}", "get", get("/api/v1/jobs/first"));
  expect_documented("/api/v1/jobs/{id}/why", "get", get("/api/v1/jobs/second/why"));
  backend.set_state(first.id, JobState::running);
  expect_documented("/api/v1/jobs/{id}/why", "get", get("/api/v1/jobs/first/why"));
  expect_documented("/api/v1/jobs/{id}/logs", "get", get("/api/v1/jobs/first/logs"));
  expect_documented("/api/v1/jobs/{id}/events", "get", get("/api/v1/jobs/first/events"));
  expect_documented("/api/v1/queues", "get", get("/api/v1/queues"));
  expect_documented("/api/v1/nodes", "get", get("/api/v1/nodes"));
  expect_documented("/api/v1/events", "get", get("/api/v1/events"));
}

TEST_F(OpenApiAnswers, RealChangesAreAsDescribed) {
  backend.add_node({.name = "n1"});
  expect_documented("/api/v1/jobs", "post", submit_json(R"({"name":"a","run":"x","time_limit":"1h","array":1})"));
  expect_documented("/api/v1/jobs", "post",
                    post("/api/v1/jobs", "application/yaml", "run: [b]\nretry: {preempted: 3}\n"));
  for (const auto* action : {"hold", "release", "cancel"}) {
    expect_documented(fmt::format("/api/v1/jobs/{{id}}/{}", action), "post",
                      post(fmt::format("/api/v1/jobs/b/{}", action)));
  }
  expect_documented("/api/v1/jobs", "post", post("/api/v1/jobs?dry_run=1", "application/json", R"({"run":["x"]})"));
  expect_documented("/api/v1/jobs", "post", submit_json(R"({"name":"sw","run":["x"],"array":2})"));
  expect_documented("/api/v1/jobs/{id}/cancel", "post", post("/api/v1/jobs/sw/cancel"));
  const auto id = backend.add_job(simple_spec()).id;
  backend.set_state(id, JobState::failed);
  expect_documented("/api/v1/jobs/{id}/retry", "post", post("/api/v1/jobs/" + to_string(id) + "/retry"));
  expect_documented("/api/v1/queues", "post", post("/api/v1/queues", "application/yaml", "queues: [{name: z}]\n"));
  const auto removed = ym::testing::fetch(port(), {.method = "DELETE", .target = "/api/v1/queues/z", .token = kAdmin});
  EXPECT_EQ(removed.status, 200);
  expect_documented("/api/v1/queues/{id}", "delete", removed);
  expect_documented("/api/v1/queues/{id}", "delete",
                    ym::testing::fetch(port(), {.method = "DELETE", .target = "/api/v1/queues/z", .token = kAdmin}));
  expect_documented("/api/v1/nodes/{id}/drain", "post", post("/api/v1/nodes/n1/drain"));
  expect_documented("/api/v1/nodes/{id}/undrain", "post", post("/api/v1/nodes/n1/undrain"));
}

// Answers show specs in the form of a job file. Each key has only the one form that answers use.
TEST_F(OpenApiAnswers, SpecsOfAllFormsAreAsDescribed) {
  for (const auto* spec :
       {"{run: x, nodes: {min: 2, max: 4}, resources: {gpus: 'h100:8 | a100:8', memory: 64GiB, shm: 1KiB}}",
        "{run: [a, 1, true], resources: {gpu_share: 0.5, gpu_memory: 10GiB, cpus: 500m}, deadline: "
        "'2030-01-01T12:00:00Z'}",
        "{run: [x], nodes: 2, placement: {anchor: 1}}",
        "{run: [x], resources: {mig: '1g.10gb:2'}, array: {count: 9, parallel: 2}, image: a/b:1, time_limit: 90}",
        "{name: g, launcher: torchrun, groups: [{name: a, nodes: 2, run: y, env: {A: 1}}, {name: b, run: [z], "
        "resources: {cpus: 2}}]}",
        "{run: x, nodes: 4, placement: {select: {a: 1}, exclude: [n1], topology: {required: zone, slice: {level: "
        "rack, nodes: 2}}}, retry: {infra: {max: 1}, preempted: unlimited, backoff: 1s}, preemption: "
        "{allow: false, signal: USR1, grace: 1m30s}, checkpoint: {dir: /ck, every: 10m, expect_save: 500ms}}"}) {
    const auto reply = post("/api/v1/jobs?dry_run=1", "application/yaml", std::string(spec) + "\n");
    EXPECT_EQ(reply.status, 200) << spec << ": " << reply.body;
    expect_documented("/api/v1/jobs", "post", reply);
  }
}

TEST_F(OpenApiAnswers, SettingsAreAsDescribed) {
  const auto* queues =
      "queues: [{name: z, age_cap: 1h, default_for: {users: [ann]}, policy: {order: least-attained-service, age_boost: "
      "{every: 1h, most: 5}, "
      "service_levels: [1h, 10h], reservations: all, limits: {gpus: 4, per_user: {jobs: 1}}, weight: 0.5, "
      "preempt_to_borrow: {max_priority: 30}, shrink_after: 10m, budgets: [{gpu_hours: 5, per: day}, {money: 0.5, per: "
      "week}], wait_promises: [{priority: 80, within: 30m}]}}]\n";
  const auto applied = post("/api/v1/queues", "application/yaml", queues);
  EXPECT_EQ(applied.status, 200) << applied.body;
  expect_documented("/api/v1/queues", "post", applied);
  expect_documented("/api/v1/queues", "get", get("/api/v1/queues"));
  expect_documented("/api/v1/policy", "get", get("/api/v1/policy"));
  expect_documented("/api/v1/whoami", "get", get("/api/v1/whoami"));
  expect_documented("/api/v1/tokens", "get", get("/api/v1/tokens"));
  expect_documented("/api/v1/reservations", "get", get("/api/v1/reservations"));
}

TEST_F(OpenApiAnswers, RealRefusalsAreAsDescribed) {
  expect_documented("/api/v1/jobs", "post", submit_json("{"));
  expect_documented("/api/v1/jobs", "post", submit_json(R"({"run":["x"],"priority":900})"));
  expect_documented("/api/v1/jobs", "post", post("/api/v1/jobs", "text/plain", "x"));
  expect_documented("/api/v1/jobs", "get", get("/api/v1/jobs?cursor=x"));
  expect_documented("/api/v1/jobs", "get", get("/api/v1/jobs", {{"Accept", "image/png"}}));
  expect_documented("/api/v1/jobs/{id}", "get", get("/api/v1/jobs/none"));
  expect_documented("/api/v1/jobs/{id}/cancel", "post", post("/api/v1/jobs/none/cancel"));
  expect_documented("/api/v1/nodes/{id}/drain", "post", post("/api/v1/nodes/none/drain"));
  for (const auto& route : all_routes()) {
    if (route.needs.is_open() || !route.is_described()) continue;
    const auto reply = ym::testing::fetch(
        port(), {.method = std::string(to_string(route.method)), .target = std::string(route.pattern)});
    if (route.pattern.find('{') == std::string_view::npos)
      expect_documented(route.pattern, lower(to_string(route.method)), reply);
  }
}

}  // namespace
}  // namespace ym::api
