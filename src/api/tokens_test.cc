// Tokens: created, listed, revoked, rotated; and the rights of a viewer's token.
#include "api/testing/fixture.h"

namespace ym::api {
namespace {

using ym::testing::ApiTest;
using ym::testing::FakeBackend;
using ym::testing::parse_json;
using ym::testing::simple_spec;
using ym::testing::text_at;

class TokenRoutes : public ApiTest {
 protected:
  auto create(const std::string& body) {
    return ym::testing::fetch(port(), {.method = "POST",
                                       .target = "/api/v1/tokens",
                                       .token = kAdmin,
                                       .headers = {{"Content-Type", "application/json"}},
                                       .body = body});
  }
  auto as(std::string_view token, const std::string& method, const std::string& target) {
    return ym::testing::fetch(port(), {.method = method, .target = target, .token = std::string(token)});
  }
};

TEST_F(TokenRoutes, ShowASecretOnceAndNeverAgain) {
  const auto made = create(R"({"principal": "bob", "role": "viewer"})");
  EXPECT_EQ(made.status, 201);
  const auto json = parse_json(made.body);
  EXPECT_EQ(text_at(json, "/principal"), "bob");
  EXPECT_EQ(text_at(json, "/role"), "viewer");
  const auto secret = text_at(json, "/token");
  EXPECT_GT(secret.size(), 40U);
  const auto list = get("/api/v1/tokens").body;
  const auto items = parse_json(list).at("items").as_array();
  const auto listed =
      std::ranges::count_if(items, [&](const auto& item) { return text_at(item, "/id") == text_at(json, "/id"); });
  EXPECT_EQ(listed, 1);
  EXPECT_EQ(list.find(secret), std::string::npos);
}

TEST_F(TokenRoutes, RevokeByIdAndRotateTheCallersOwn) {
  const auto id = text_at(parse_json(create(R"({"principal": "bob"})").body), "/id");
  EXPECT_EQ(as(kAdmin, "DELETE", "/api/v1/tokens/" + id).status, 200);
  EXPECT_EQ(as(kAdmin, "DELETE", "/api/v1/tokens/" + id).status, 404);
  const auto rotated = as(kAdmin, "POST", "/api/v1/tokens/admin/rotate");
  EXPECT_EQ(rotated.status, 201);
  EXPECT_EQ(text_at(parse_json(rotated.body), "/principal"), "ada");
}

TEST_F(TokenRoutes, NameTheFieldThatIsWrong) {
  for (const auto& [body, pointer] :
       {std::pair{R"({"principal": "a b"})", "/principal"}, std::pair{R"({"principal": "a", "role": "king"})", "/role"},
        std::pair{R"({"principal": "a", "rolle": "user"})", "/rolle"},
        std::pair{R"({"scopes": ["viewer", "project"]})", "/scopes/1"}, std::pair{R"({"ttl": "soon"})", "/ttl"}}) {
    const auto refused = create(body);
    EXPECT_EQ(refused.status, 422) << body;
    EXPECT_EQ(text_at(parse_json(refused.body), "/errors/0/pointer"), pointer);
  }
}

TEST_F(TokenRoutes, AViewerReadsAndChangesNothing) {
  const auto id = to_string(backend.add_job(simple_spec()).id);
  for (const auto* target : {"/metrics", "/api/v1/jobs", "/api/v1/queues", "/api/v1/nodes"})
    EXPECT_EQ(as(FakeBackend::kViewerToken, "GET", target).status, 200) << target;
  EXPECT_EQ(as(FakeBackend::kViewerToken, "POST", "/api/v1/jobs/" + id + "/cancel").status, 403);
  const auto own = parse_json(as(FakeBackend::kViewerToken, "GET", "/api/v1/tokens").body).at("items").as_array();
  ASSERT_EQ(own.size(), 1U) << "those of others are not there";
  EXPECT_EQ(text_at(own.at(0), "/principal"), "eye");
}

}  // namespace
}  // namespace ym::api
