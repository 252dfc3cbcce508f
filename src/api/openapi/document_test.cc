// Compares the OpenAPI document with the routes, in both directions, and with the key tables.
#include "api/openapi/document.h"

#include <boost/json/serialize.hpp>

#include "api/routes/route.h"
#include "api/testing/openapi_fixture.h"
#include "model/keys/job.h"
#include "model/keys/policy.h"
#include "model/keys/queue.h"
#include "spec/keys/describe.h"
#include "spec/keys/reservation.h"

namespace ym::api {
namespace {

using boost::json::value;
using ym::testing::text_at;
using OpenApi = ym::testing::OpenApiTest;

std::vector<Route> described_routes() {
  std::vector<Route> routes(all_routes().begin(), all_routes().end());
  std::erase_if(routes, [](const Route& route) { return !route.is_described(); });
  return routes;
}

TEST_F(OpenApi, IsInVersion31) { EXPECT_EQ(text_at(document_, "/openapi"), "3.1.0"); }

TEST_F(OpenApi, IsTheSameEachTime) {
  EXPECT_EQ(openapi::make_document(), openapi_document());
  EXPECT_EQ(openapi_document().data(), openapi_document().data());
}

TEST_F(OpenApi, DescribesEveryRoute) {
  for (const auto& route : described_routes()) {
    EXPECT_NE(operation(route.pattern, lower(to_string(route.method))), nullptr)
        << to_string(route.method) << " " << route.pattern << " is not described";
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
  for (const auto& route : described_routes()) {
    const auto& described = operation(route.pattern, lower(to_string(route.method)))->as_object();
    const bool open = described.contains("security") && described.at("security").as_array().empty();
    EXPECT_EQ(open, route.needs.admits() == Admits::anyone) << route.pattern;
    EXPECT_EQ(described.at("responses").as_object().contains("401"), route.needs.admits() != Admits::anyone)
        << route.pattern;
    EXPECT_EQ(described.contains("requestBody"), route.body != Body::none) << route.pattern;
    if (route.body == Body::none) continue;
    const auto& types = described.at("requestBody").at("content").as_object();
    EXPECT_EQ(types.contains("application/json"), route.body != Body::yaml) << route.pattern;
    const bool takes_yaml = route.body == Body::yaml || route.body == Body::jobs;
    EXPECT_EQ(types.contains("application/yaml"), takes_yaml) << route.pattern;
  }
}

TEST_F(OpenApi, SaysWhichTokenIsNeeded) {
  for (const auto& route : described_routes()) {
    const auto& described = operation(route.pattern, lower(to_string(route.method)))->as_object();
    if (route.needs.admits() == Admits::anyone) continue;
    const auto* own = described.if_contains("security");
    const std::string security = boost::json::serialize(own != nullptr ? *own : document_.at("security"));
    EXPECT_EQ(security.find("jobToken") != std::string::npos, route.needs.admits_attempts()) << route.pattern;
    EXPECT_EQ(security.find("\"token\"") != std::string::npos, !route.needs.admits_attempts_only()) << route.pattern;
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

// Rules that a generated client checks before a request.
TEST_F(OpenApi, AddressesSayWhatTheyTake) {
  int texts = 0;
  for (const auto& route : described_routes()) {
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

// Each key that users may write, with the sentence of its table.
class OpenApiOfKeys : public OpenApi {
 protected:
  // The schema at a pointer. References are followed.
  const value& schema_at(const std::string& pointer) const {
    boost::system::error_code error;
    const value* found = document_.at("components").at("schemas").find_pointer(pointer, error);
    EXPECT_NE(found, nullptr) << pointer;
    return found == nullptr ? document_ : followed(*found);
  }
  const value& followed(const value& schema) const {
    const auto* reference = schema.as_object().if_contains("$ref");
    return reference == nullptr ? schema : *ym::testing::follow_reference(document_, reference->as_string());
  }
  void expect_keys(const std::vector<keys::KeyRow>& rows, const value& schema, const std::string& where) const {
    for (const keys::KeyRow& row : rows) {
      if (row.name == "children") continue;  // answers list each queue separately
      const value* shown = schema.at("properties").as_object().if_contains(row.name);
      ASSERT_NE(shown, nullptr) << where << " has no " << row.name;
      const std::string meaning = keys::without_links(row.about.meaning);
      EXPECT_TRUE(text_at(*shown, "/description").starts_with(meaning)) << where << " " << row.name;
      if (!row.keys.empty()) expect_keys(row.keys, followed(*shown), where + "." + row.name);
    }
  }
  template <class T>
  void expect_keys_of(const std::string& pointer) const {
    expect_keys(keys::rows_of_keys<T>(), schema_at(pointer), pointer);
  }
};

TEST_F(OpenApiOfKeys, OfAJobAreThere) {
  expect_keys_of<JobSpec>("/JobSpec");
  expect_keys_of<TaskGroup>("/JobSpec/properties/groups/items");
  expect_keys_of<TaskResources>("/JobSpecSummary/properties/resources");
}

TEST_F(OpenApiOfKeys, OfAQueueAreThere) {
  for (const auto* name : {"/Queue", "/QueueSettings"}) expect_keys_of<Queue>(name);
  expect_keys_of<RunLimit>("/QueuePolicy/properties/limits");
  expect_keys_of<RunLimit>("/QueuePolicy/properties/limits/properties/per_user");
  expect_keys_of<Budget>("/QueuePolicy/properties/budgets/items");
  expect_keys_of<WaitPromise>("/QueuePolicy/properties/wait_promises/items");
}

TEST_F(OpenApiOfKeys, OfARequestForAReservationAreThere) {
  expect_keys_of<keys::WrittenReservation>("/ReservationRequest");
  const auto& request = schema_at("/ReservationRequest");
  EXPECT_EQ(request.at("required"), boost::json::array{"name"});
  EXPECT_EQ(request.at("additionalProperties"), false);
}

TEST_F(OpenApiOfKeys, OfTheSiteAreThereAndSet) {
  expect_keys_of<PolicySettings>("/Policy");
  for (const auto* section : {"/Policy/properties/scheduling", "/Policy/properties/preemption"}) {
    const auto& schema = schema_at(section).as_object();
    EXPECT_EQ(schema.at("required").as_array().size(), schema.at("properties").as_object().size()) << section;
  }
}

}  // namespace
}  // namespace ym::api
