#include "login/proof.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace ym::login {
namespace {

oidc::Json json_of(const std::string& text) { return spec::read_json(text).value(); }

const Issuer kIssuer{.name = "corp", .url = "https://idp", .client_id = "ym"};

TEST(User, IsReadByThePointersOfItsProvider) {
  Issuer issuer = kIssuer;
  issuer.handle = "/upn";
  issuer.handle_prefix = "corp-";
  issuer.groups = "/realm_access/roles";
  issuer.groups_strip = "/ml/";
  issuer.groups_prefix = "corp:";
  const auto user = read_user(
      issuer,
      json_of(
          R"({"sub":"1","upn":"ada","name":"Ada\u0007","realm_access":{"roles":["/ml/b","/x","/ml/a","/ml/b","/ml/"]}})"));
  ASSERT_TRUE(user);
  EXPECT_EQ(user->handle, "corp-ada");
  EXPECT_EQ(user->display, "Ada");
  EXPECT_EQ(user->groups, (std::vector<std::string>{"corp:a", "corp:b"}));
}

TEST(User, NeedsASubjectAndAName) {
  EXPECT_TRUE(read_user(kIssuer, json_of(R"({"sub":"1","preferred_username":"ada"})")));
  for (const auto* claims : {R"({"preferred_username":"ada"})", R"({"sub":5,"preferred_username":"ada"})",
                             R"({"sub":"1"})", R"({"sub":"1","preferred_username":["ada"]})"})
    EXPECT_FALSE(read_user(kIssuer, json_of(claims))) << claims;
}

TEST(User, GroupsAreKnownOrItIsRefused) {
  const auto code_of = [](const std::string& more) {
    const auto user = read_user(kIssuer, json_of(R"({"sub":"1","preferred_username":"ada",)" + more + "}"));
    return user ? ErrorCode::internal : user.error().code;
  };
  EXPECT_EQ(code_of(R"("hasgroups":true)"), ErrorCode::unavailable);
  EXPECT_EQ(code_of(R"("_claim_names":{"groups":"src1"})"), ErrorCode::unavailable);
  EXPECT_EQ(code_of(R"("groups":{"a":1})"), ErrorCode::unavailable);
  EXPECT_EQ(code_of(R"("groups":["a",1])"), ErrorCode::unavailable);
  std::string many;
  for (std::size_t i = 0; i <= kMostGroups; ++i) many += fmt::format("{}\"g{}\"", i == 0 ? "" : ",", i);
  EXPECT_EQ(code_of(R"("groups":[)" + many + "]"), ErrorCode::unavailable);
  EXPECT_EQ(code_of(R"("groups":["a"])"), ErrorCode::internal) << "fine";
}

TEST(Rule, TheFirstThatFitsCounts) {
  const std::vector<ExchangeRule> rules{
      {.name = "main", .issuer = "https://ci", .audience = "ym", .require = {{"ref", "main"}, {"/env/name", "prod"}}},
      {.name = "any", .issuer = "https://ci", .audience = "ym", .require = {{"protected", "true"}}}};
  const auto name_of = [&](const std::string& claims) {
    const auto* rule = find_rule(rules, "https://ci", json_of(claims));
    return rule ? rule->name : "";
  };
  EXPECT_EQ(name_of(R"({"aud":"ym","ref":"main","env":{"name":"prod"},"protected":true})"), "main");
  EXPECT_EQ(name_of(R"({"aud":["x","ym"],"ref":"dev","protected":true})"), "any");
  EXPECT_EQ(name_of(R"({"aud":"ym","protected":"true"})"), "any") << "GitLab writes it as a text";
  EXPECT_EQ(name_of(R"({"aud":"ym","protected":null})"), "");
  EXPECT_EQ(name_of(R"({"aud":"other","protected":true})"), "");
  EXPECT_EQ(find_rule(rules, "https://other", json_of(R"({"aud":"ym","protected":true})")), nullptr);
}

TEST(Proof, IsTheTokensId) {
  EXPECT_EQ(proof_of("i", json_of(R"({"jti":"7"})"), "token"), "i 7");
  EXPECT_EQ(proof_of("i", json_of("{}"), "token"), "token");
}

}  // namespace
}  // namespace ym::login
