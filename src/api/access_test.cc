// Roles, bindings, projects, identities, and questions about access, over HTTP.
#include "api/testing/fixture.h"

namespace ym::api {
namespace {

using ym::testing::ApiTest;
using ym::testing::FakeBackend;
using ym::testing::parse_json;
using ym::testing::text_at;

class AccessRoutes : public ApiTest {
 protected:
  auto send(const std::string& method, const std::string& target, const std::string& body = {},
            std::string_view token = FakeBackend::kAdminToken) {
    ym::testing::HttpCall call{.method = method, .target = target, .token = std::string(token), .body = body};
    if (!body.empty()) call.headers = {{"Content-Type", "application/json"}};
    return ym::testing::fetch(port(), call);
  }
  auto items(const std::string& target, std::string_view token = FakeBackend::kAdminToken) {
    return parse_json(send("GET", target, {}, token).body).at("items").as_array();
  }
  std::string pointer_of(const std::string& target, const std::string& body) {
    const auto refused = send("POST", target, body);
    EXPECT_EQ(refused.status, 422) << body;
    return text_at(parse_json(refused.body), "/errors/0/pointer");
  }
};

TEST_F(AccessRoutes, ARoleIsMadeBoundAndTakenAway) {
  EXPECT_EQ(send("POST", "/api/v1/roles", R"({"name": "canceller", "permissions": ["jobs.cancel"]})").status, 201);
  const auto made = send("POST", "/api/v1/bindings", R"({"role": "canceller", "to": "bob", "scope": "site"})");
  EXPECT_EQ(made.status, 201);
  const auto id = text_at(parse_json(made.body), "/id");
  EXPECT_EQ(text_at(parse_json(made.body), "/to"), "bob");
  EXPECT_EQ(items("/api/v1/bindings").size(), 1U);
  EXPECT_EQ(send("DELETE", "/api/v1/roles/canceller").status, 409) << "it is bound";
  EXPECT_EQ(send("DELETE", "/api/v1/bindings/" + id).status, 200);
  EXPECT_EQ(send("DELETE", "/api/v1/bindings/" + id).status, 404);
  EXPECT_EQ(send("DELETE", "/api/v1/roles/canceller").status, 200);
  EXPECT_EQ(items("/api/v1/roles").size(), 9U) << "the built-in ones";
}

TEST_F(AccessRoutes, AProjectIsMadeChangedAndRemoved) {
  EXPECT_EQ(send("POST", "/api/v1/projects", R"({"name": "cars"})").status, 201);
  const auto changed = send("POST", "/api/v1/projects", R"({"name": "cars", "visibility": "private"})");
  EXPECT_EQ(text_at(parse_json(changed.body), "/visibility"), "private");
  EXPECT_EQ(items("/api/v1/projects").size(), 1U);
  EXPECT_EQ(send("DELETE", "/api/v1/projects/cars").status, 200);
  EXPECT_EQ(send("DELETE", "/api/v1/projects/cars").status, 404);
}

TEST_F(AccessRoutes, ADisabledIdentityHasNoToken) {
  EXPECT_EQ(items("/api/v1/identities").size(), 3U);
  EXPECT_EQ(items("/api/v1/identities", FakeBackend::kUserToken).size(), 1U) << "itself";
  EXPECT_EQ(send("POST", "/api/v1/identities/bob", R"({"disabled": true, "groups": ["b", "a", "b"]})").status, 200);
  EXPECT_EQ(send("GET", "/api/v1/jobs", {}, FakeBackend::kUserToken).status, 401);
  EXPECT_EQ(send("POST", "/api/v1/identities/bob", R"({"disabled": false})").status, 200);
  EXPECT_EQ(send("GET", "/api/v1/jobs", {}, FakeBackend::kUserToken).status, 200);
  EXPECT_EQ(send("POST", "/api/v1/identities/nina", R"({"disabled": true})").status, 404);
}

TEST_F(AccessRoutes, AnswerQuestions) {
  const auto ask = [&](std::string_view token) {
    const auto reply = send("POST", "/api/v1/access/check", R"({"verb": "queues.edit", "object": "site"})", token);
    return parse_json(reply.body);
  };
  EXPECT_TRUE(ask(kAdmin).at("allowed").as_bool());
  const auto no = ask(FakeBackend::kUserToken);
  EXPECT_FALSE(no.at("allowed").as_bool());
  EXPECT_TRUE(no.at("by_token").as_bool());
  EXPECT_EQ(text_at(no, "/permission"), "queues.edit");
  send("POST", "/api/v1/bindings", R"({"role": "viewer", "to": "group:team", "scope": "site"})");
  const auto holders = send("POST", "/api/v1/access/holders", R"({"verb": "jobs.get", "object": "site"})");
  EXPECT_EQ(text_at(parse_json(holders.body), "/items/0/to"), "group:team");
}

TEST_F(AccessRoutes, NameTheFieldThatIsWrong) {
  EXPECT_EQ(pointer_of("/api/v1/roles", R"({"name": "x", "permissions": ["jobs.paint"]})"), "/permissions/0");
  EXPECT_EQ(pointer_of("/api/v1/roles", R"({"name": "admin", "permissions": []})"), "/name");
  EXPECT_EQ(pointer_of("/api/v1/bindings", R"({"role": "viewer", "to": "bob"})"), "/scope");
  EXPECT_EQ(pointer_of("/api/v1/bindings", R"({"role": "viewer", "to": "bob", "scope": "team:a"})"), "/scope");
  EXPECT_EQ(pointer_of("/api/v1/bindings", R"({"role": "king", "to": "bob", "scope": "site"})"), "/role");
  EXPECT_EQ(pointer_of("/api/v1/projects", R"({"name": "a b"})"), "/name");
  EXPECT_EQ(pointer_of("/api/v1/projects", R"({"name": "a", "visibility": "some"})"), "/visibility");
  EXPECT_EQ(pointer_of("/api/v1/access/check", R"({"verb": "paint", "object": "job x"})"), "/verb");
  EXPECT_EQ(pointer_of("/api/v1/access/check", R"({"verb": "cancel", "object": "team x"})"), "/object");
}

}  // namespace
}  // namespace ym::api
