// What providers send: the forms of Entra and Okta as they document them, and bodies that are wrong.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "api/problem.h"
#include "api/scim/answer.h"
#include "api/scim/path.h"
#include "api/scim/resource.h"

namespace ym::api::scim {
namespace {

std::string patch_of(std::string_view operations) {
  return R"({"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[)" + std::string(operations) +
         "]}";
}

template <class T>
std::string fault_of(const Read<T>& read) {
  return read ? "none" : std::string(read.error().type);
}

TEST(ScimFilter, IsOneComparisonWithAText) {
  const auto filter = parse_filter(R"(userName eq "ann@corp.example")");
  ASSERT_TRUE(filter);
  EXPECT_EQ(filter->attribute, "username");
  EXPECT_EQ(filter->value, "ann@corp.example");
  EXPECT_EQ(parse_filter(R"(USERNAME EQ "a\"b]")")->value, "a\"b]");
  EXPECT_EQ(parse_filter(R"(urn:ietf:params:scim:schemas:core:2.0:User:userName eq "x")")->attribute, "username");
  for (const std::string& wrong :
       {std::string(), std::string("userName"), std::string("userName eq"), std::string("userName eq ann"),
        std::string(R"(userName co "a")"), std::string(R"(userName eq "a" and active eq true)"),
        std::string("active eq true"), std::string(R"(userName eq "a)"), std::string(R"(user name eq "a")"),
        std::string(R"(userName eq "a"b)"), R"(userName eq ")" + std::string(100'000, 'a') + "\""})
    EXPECT_EQ(fault_of(parse_filter(wrong)), "invalidFilter") << wrong.substr(0, 80);
}

TEST(ScimPath, HasAnAttributeAFilterAndOneMore) {
  const auto path = parse_path(R"(emails[type eq "work"].value)");
  ASSERT_TRUE(path);
  EXPECT_EQ(path->attribute, "emails");
  EXPECT_EQ(path->filter->value, "work");
  EXPECT_EQ(path->sub, "value");
  EXPECT_EQ(parse_path(R"(members[value eq "a]b"])")->filter->value, "a]b");
  EXPECT_EQ(parse_path("urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager")->attribute, "");
  for (const std::string& wrong :
       {std::string(), std::string("."), std::string("a."), std::string("a.b.c"), std::string("[value eq \"1\"]"),
        std::string("members["), std::string("members[value eq \"1\""), std::string("a b"), std::string("1a"),
        std::string(50'000, 'a')})
    EXPECT_EQ(fault_of(parse_path(wrong)), "invalidPath") << wrong.substr(0, 80);
  EXPECT_EQ(fault_of(parse_path("members[value ne \"1\"]")), "invalidFilter");
  EXPECT_EQ(fault_of(parse_path("members[]")), "invalidFilter");
}

TEST(ScimUser, IsReadAsEntraSendsIt) {
  const auto made = read_user(R"({
    "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User",
                "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],
    "externalId": "0a21f0f2", "userName": "ann@corp.example", "active": true, "displayName": "Ann",
    "emails": [{"primary": false, "type": "home", "value": "a@home.example"},
               {"primary": true, "type": "work", "value": "ann@corp.example"}],
    "meta": {"resourceType": "User"}, "name": {"familyName": "B", "givenName": "Ann"}, "roles": [],
    "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {"department": "x"}})");
  ASSERT_TRUE(made) << made.error().detail;
  EXPECT_EQ(made->user_name, "ann@corp.example");
  EXPECT_EQ(made->external_id, "0a21f0f2");
  EXPECT_EQ(made->email, "ann@corp.example");
  EXPECT_EQ(made->display, "Ann");
  EXPECT_EQ(made->active, true);
}

TEST(ScimUser, IsDisabledInEachFormThatProvidersSend) {
  for (const auto* operation : {
           R"({"op":"Replace","path":"active","value":"False"})",  // Entra, without its flag
           R"({"op":"replace","path":"active","value":false})",
           R"({"op":"replace","value":{"active":false}})",  // Okta
           R"({"op":"Add","path":"active","value":"false"})",
           R"({"op":"replace","value":{"urn:ietf:params:scim:schemas:core:2.0:User:active":false}})",
       })
    EXPECT_EQ(read_user_patch(patch_of(operation)).value_or(UserChange{}).active, false) << operation;
}

TEST(ScimUser, IsChangedInSteps) {
  const auto changed = read_user_patch(patch_of(R"(
    {"op": "Replace", "path": "emails[type eq \"work\"].value", "value": "new@corp.example"},
    {"op": "Add", "path": "emails[type eq \"home\"].value", "value": "other@home.example"},
    {"op": "Replace", "path": "name.familyName", "value": "C"},
    {"op": "Add", "path": "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", "value": "y"},
    {"op": "Remove", "path": "displayName"},
    {"op": "replace", "value": {"userName": "ann2", "name.givenName": "A"}})"));
  ASSERT_TRUE(changed) << changed.error().detail;
  EXPECT_EQ(changed->email, "new@corp.example");
  EXPECT_EQ(changed->display, "");
  EXPECT_EQ(changed->user_name, "ann2");
  EXPECT_FALSE(changed->active);
  EXPECT_FALSE(changed->external_id);
}

TEST(ScimUser, WhatAWholeResourceDoesNotNameIsRemoved) {
  const auto whole = as_whole(*read_user(R"({"userName":"ann"})"));
  EXPECT_EQ(whole.display, "");
  EXPECT_EQ(whole.email, "");
  EXPECT_FALSE(whole.active) << "a user that is disabled does not come back by it";
}

TEST(ScimGroup, MembersAreChangedInTheFormsOfEntraAndOkta) {
  const auto entra = read_group_patch(patch_of(R"({"op":"Add","path":"members","value":[{"value":"a"},{"value":"b"}]},
    {"op":"Remove","path":"members","value":[{"value":"a"}]})"));
  ASSERT_TRUE(entra) << entra.error().detail;
  EXPECT_EQ(entra->members.added(), std::set<std::string>{"b"});
  EXPECT_TRUE(entra->members.drops("a"));
  EXPECT_FALSE(entra->members.drops("c"));
  const auto okta = read_group_patch(patch_of(R"({"op":"remove","path":"members[value eq \"a\"]"},
    {"op":"add","path":"members","value":[{"value":"c","display":"c@corp.example"}]},
    {"op":"replace","value":{"id":"7","displayName":"Crew"}})"));
  ASSERT_TRUE(okta) << okta.error().detail;
  EXPECT_TRUE(okta->members.drops("a"));
  EXPECT_EQ(okta->display, "Crew");
  const auto all = read_group_patch(patch_of(R"({"op":"replace","path":"members","value":[{"value":"x"}]})"));
  EXPECT_TRUE(all->members.drops("a"));
  EXPECT_FALSE(all->members.drops("x"));
  EXPECT_TRUE(read_group_patch(patch_of(R"({"op":"remove","path":"members"})"))->members.drops("a"));
}

TEST(ScimGroup, AWholeOneWithoutMembersHasNone) {
  EXPECT_TRUE(read_group(R"({"displayName":"x"})")->members.is_none());
  EXPECT_TRUE(as_whole(*read_group(R"({"displayName":"x"})")).members.drops("a"));
}

TEST(ScimRequest, WhatIsWrongHasAType) {
  for (const auto& [body, type] : std::initializer_list<std::pair<std::string, std::string>>{
           {"", "invalidSyntax"},
           {"[]", "invalidSyntax"},
           {"{", "invalidSyntax"},
           {R"({"Operations":[]})", "invalidSyntax"},
           {R"({"Operations":{}})", "invalidSyntax"},
           {R"({"Operations":[1]})", "invalidSyntax"},
           {R"({"Operations":[],"operations":[]})", "invalidSyntax"},
           {std::string(10'000, '[') + std::string(10'000, ']'), "invalidSyntax"},
           {patch_of(R"({"op":"move","path":"active","value":true})"), "invalidSyntax"},
           {patch_of(R"({"op":1,"path":"active","value":true})"), "invalidSyntax"},
           {patch_of(R"({"op":"add","path":"active","value":true,"value":false})"), "invalidSyntax"},
           {patch_of(R"({"op":"replace","value":{"active":true,"Active":false}})"), "invalidSyntax"},
           {patch_of(R"({"op":"replace","value":true})"), "invalidValue"},
           {patch_of(R"({"op":"replace"})"), "invalidValue"},
           {patch_of(R"({"op":"remove"})"), "noTarget"},
           {patch_of(R"({"op":"replace","path":7,"value":1})"), "invalidPath"},
           {patch_of(R"({"op":"replace","path":"active[","value":1})"), "invalidPath"},
           {patch_of(R"({"op":"replace","path":"emails[type co \"w\"].value","value":"x"})"), "invalidFilter"},
           {patch_of(R"({"op":"replace","path":"active","value":"no"})"), "invalidValue"},
           {patch_of(R"({"op":"replace","path":"active","value":0})"), "invalidValue"},
           {patch_of(R"({"op":"replace","path":"active","value":null})"), "invalidValue"},
           {patch_of(R"({"op":"remove","path":"active"})"), "invalidValue"},
           {patch_of(R"({"op":"replace","path":"userName","value":["ann"]})"), "invalidValue"},
           {patch_of(R"({"op":"replace","path":"emails","value":"ann@corp.example"})"), "invalidValue"},
           {patch_of(R"({"op":"replace","path":"emails","value":[{"value":1}]})"), "invalidValue"}})
    EXPECT_EQ(fault_of(read_user_patch(body)), type) << body.substr(0, 120);
  for (const auto& [operation, type] : std::initializer_list<std::pair<std::string, std::string>>{
           {R"({"op":"add","path":"members","value":["a"]})", "invalidValue"},
           {R"({"op":"add","path":"members","value":[{"value":""}]})", "invalidValue"},
           {R"({"op":"add","path":"members","value":[{"value":{"value":"a"}}]})", "invalidValue"},
           {R"({"op":"add","path":"members","value":"a"})", "invalidValue"},
           {R"({"op":"add","path":"members[value eq \"a\"]","value":[{"value":"b"}]})", "invalidPath"},
           {R"({"op":"remove","path":"members[display eq \"a\"]"})", "invalidFilter"},
           {R"({"op":"remove","path":"members.value"})", "invalidPath"}})
    EXPECT_EQ(fault_of(read_group_patch(patch_of(operation))), type) << operation;
}

TEST(ScimAnswer, ARefusalKeepsItsStatusAndHeaders) {
  const auto refused = as_scim(ym::api::to_response(Error{ErrorCode::unauthenticated, "no token"}));
  EXPECT_EQ(refused.status, 401);
  EXPECT_EQ(refused.content_type, "application/scim+json");
  EXPECT_EQ(refused.body, R"({"schemas":["urn:ietf:params:scim:api:messages:2.0:Error"],"status":"401",)"
                          R"("detail":"no token"})");
  ASSERT_FALSE(refused.headers.empty());
  EXPECT_EQ(refused.headers.front().name, "WWW-Authenticate");
  const auto wrong = as_scim(ym::api::to_response(fail_field("/userName", "is no name").error()));
  EXPECT_EQ(wrong.status, 400);
  EXPECT_NE(wrong.body.find(R"("scimType":"invalidValue")"), std::string::npos);
  EXPECT_NE(as_scim(ym::api::to_response(Error{ErrorCode::conflict, "taken"})).body.find(R"("scimType":"uniqueness")"),
            std::string::npos);
}

}  // namespace
}  // namespace ym::api::scim
