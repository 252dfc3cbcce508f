// The OpenAPI document against the routes, both ways, and against real answers.
#include <boost/json/serialize.hpp>

#include "api/routes/route.h"
#include "api/testing/openapi_fixture.h"

namespace ym::api {
namespace {

using boost::json::value;
using ym::testing::simple_spec;
using ym::testing::text_at;
using OpenApi = ym::testing::OpenApiTest;

TEST_F(OpenApi, IsTheCheckedInDocumentInVersion31) { EXPECT_EQ(text_at(document_, "/openapi"), "3.1.0"); }

TEST_F(OpenApi, DescribesEveryRoute) {
  for (const auto& route : all_routes()) {
    EXPECT_NE(operation(route.pattern, lower(to_string(route.method))), nullptr)
        << to_string(route.method) << " " << route.pattern << " is not in openapi.json";
  }
}

TEST_F(OpenApi, DescribesNothingElse) {
  for (const auto& [path, methods] : document_.at("paths").as_object()) {
    for (const auto& [method, description] : methods.as_object()) {
      const bool exists = std::ranges::any_of(all_routes(), [&](const Route& route) {
        return route.pattern == std::string_view(path) && lower(to_string(route.method)) == std::string_view(method);
      });
      EXPECT_TRUE(exists) << std::string_view(method) << " " << std::string_view(path)
                          << " is not in the table of routes";
    }
  }
}

TEST_F(OpenApi, SaysWhereATokenIsNeededAndWhatIsTaken) {
  for (const auto& route : all_routes()) {
    const auto& described = operation(route.pattern, lower(to_string(route.method)))->as_object();
    const bool open = described.contains("security") && described.at("security").as_array().empty();
    EXPECT_EQ(open, route.access == Access::open) << route.pattern;
    EXPECT_EQ(described.at("responses").as_object().contains("401"), route.access != Access::open) << route.pattern;
    EXPECT_EQ(described.contains("requestBody"), route.body != Body::none) << route.pattern;
    if (route.body == Body::none) continue;
    const auto& types = described.at("requestBody").at("content").as_object();
    EXPECT_EQ(types.contains("application/json"), route.body != Body::yaml) << route.pattern;
    const bool takes_yaml = route.body == Body::yaml || route.body == Body::jobs;
    EXPECT_EQ(types.contains("application/yaml"), takes_yaml) << route.pattern;
  }
}

TEST_F(OpenApi, SaysWhoseTokenIsNeeded) {
  for (const auto& route : all_routes()) {
    const auto& described = operation(route.pattern, lower(to_string(route.method)))->as_object();
    if (route.access == Access::open) continue;
    const auto* own = described.if_contains("security");
    const std::string security = boost::json::serialize(own != nullptr ? *own : document_.at("security"));
    const bool for_jobs =
        route.access == Access::attempt || route.access == Access::attempt_or_admin || route.access == Access::task;
    EXPECT_EQ(security.find("jobToken") != std::string::npos, for_jobs) << route.pattern;
    EXPECT_EQ(security.find("\"token\"") != std::string::npos,
              route.access != Access::attempt && route.access != Access::task)
        << route.pattern;
  }
}

TEST_F(OpenApi, EveryReferenceLeadsSomewhere) {
  std::vector<const value*> left{&document_};
  int references = 0;
  while (!left.empty()) {
    const value& node = *left.back();
    left.pop_back();
    if (node.is_array()) {
      for (const auto& element : node.get_array()) left.push_back(&element);
    }
    if (!node.is_object()) continue;
    for (const auto& [key, member] : node.get_object()) {
      left.push_back(&member);
      if (key != "$ref") continue;
      ++references;
      EXPECT_NE(ym::testing::follow_reference(document_, member.as_string()), nullptr) << member;
    }
  }
  EXPECT_GT(references, 20);
}

TEST_F(OpenApi, RealAnswersAreAsDescribed) {
  service.add_node({.name = "n1", .cluster = "lab", .gpu_type = "t4", .devices = {{.id = "0"}, {.id = "1"}}});
  Queue queue{.name = "default", .managed_by = ManagedBy::api};
  FlavorQuota quota;
  quota[2] = Quota{.nominal = 8000, .borrowing_limit = 500};
  queue.quota = {{"t4", quota}};
  service.add_queue(queue);
  service.set_usage({{.queue = "default", .flavor = "t4", .kind = ResourceKind::gpus}});
  const auto first = service.add_job(simple_spec("first"));
  service.add_attempt(ym::testing::running_attempt(first.id));
  service.write_log({first.id, 1}, 0, "text\n", true);
  service.set_explanation(
      {.dominant = engine::Reason{.code = ReasonCode::priority, .numbers = {{"ahead", 1}}}, .ahead = {first}});
  service.add_job(simple_spec("second"));
  expect_documented("/", "get", get("/"));
  expect_documented("/healthz", "get", get("/healthz"));
  expect_documented("/readyz", "get", get("/readyz"));
  expect_documented("/metrics", "get", get("/metrics"));
  expect_documented("/api/v1/openapi.json", "get", get("/api/v1/openapi.json"));
  expect_documented("/api/v1/jobs", "get", get("/api/v1/jobs?limit=1"));
  expect_documented("/api/v1/jobs/{id}", "get", get("/api/v1/jobs/first"));
  expect_documented("/api/v1/jobs/{id}/why", "get", get("/api/v1/jobs/second/why"));
  service.set_state(first.id, JobState::running);
  expect_documented("/api/v1/jobs/{id}/why", "get", get("/api/v1/jobs/first/why"));
  expect_documented("/api/v1/jobs/{id}/logs", "get", get("/api/v1/jobs/first/logs"));
  expect_documented("/api/v1/jobs/{id}/events", "get", get("/api/v1/jobs/first/events"));
  expect_documented("/api/v1/queues", "get", get("/api/v1/queues"));
  expect_documented("/api/v1/nodes", "get", get("/api/v1/nodes"));
  expect_documented("/api/v1/events", "get", get("/api/v1/events"));
}

TEST_F(OpenApi, RealChangesAreAsDescribed) {
  service.add_node({.name = "n1"});
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
  const auto id = service.add_job(simple_spec()).id;
  service.set_state(id, JobState::failed);
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

// What a generated client is to check before it asks.
TEST_F(OpenApi, AddressesSayWhatTheyTake) {
  int texts = 0;
  for (const auto& route : all_routes()) {
    const auto& described = operation(route.pattern, lower(to_string(route.method)))->as_object();
    const auto* parameters = described.if_contains("parameters");
    bool in_address = false;
    for (const auto& parameter : parameters ? parameters->as_array() : boost::json::array{}) {
      in_address = in_address || text_at(parameter, "/in") != "header";
      if (text_at(parameter, "/in") != "path" || text_at(parameter, "/schema/type") != "string") continue;
      ++texts;
      EXPECT_EQ(text_at(parameter, "/schema/minLength"), "1") << route.pattern;
      EXPECT_EQ(text_at(parameter, "/schema/pattern"), R"(^[^/\\\u0000-\u001f\u007f]+$)") << route.pattern;
    }
    EXPECT_EQ(described.at("responses").as_object().contains("414"), in_address) << route.pattern;
  }
  EXPECT_GT(texts, 10);
  for (const char* wrong : {"a%2Fb", "a%5Cb", "a%01b"})
    expect_documented("/api/v1/jobs/{id}", "get", get(std::string("/api/v1/jobs/") + wrong));
  expect_documented("/api/v1/jobs/{id}", "get", get("/api/v1/jobs/" + std::string(5'000, 'a')));
}

TEST_F(OpenApi, RealRefusalsAreAsDescribed) {
  expect_documented("/api/v1/jobs", "post", submit_json("{"));
  expect_documented("/api/v1/jobs", "post", submit_json(R"({"run":["x"],"priority":900})"));
  expect_documented("/api/v1/jobs", "post", post("/api/v1/jobs", "text/plain", "x"));
  expect_documented("/api/v1/jobs", "get", get("/api/v1/jobs?cursor=x"));
  expect_documented("/api/v1/jobs", "get", get("/api/v1/jobs", {{"Accept", "image/png"}}));
  expect_documented("/api/v1/jobs/{id}", "get", get("/api/v1/jobs/none"));
  expect_documented("/api/v1/jobs/{id}/cancel", "post", post("/api/v1/jobs/none/cancel"));
  expect_documented("/api/v1/nodes/{id}/drain", "post", post("/api/v1/nodes/none/drain"));
  for (const auto& route : all_routes()) {
    if (route.access == Access::open) continue;
    const auto reply = ym::testing::fetch(
        port(), {.method = std::string(to_string(route.method)), .target = std::string(route.pattern)});
    if (route.pattern.find('{') == std::string_view::npos)
      expect_documented(route.pattern, lower(to_string(route.method)), reply);
  }
}

}  // namespace
}  // namespace ym::api
