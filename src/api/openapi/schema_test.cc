#include "api/openapi/schema.h"

#include <boost/json/serialize.hpp>

#include "api/openapi/shown.h"
#include "api/testing/fixture.h"
#include "api/testing/schema.h"
#include "model/keys/queue.h"

namespace ym::api::openapi {
namespace {

using ym::testing::check_schema;
using ym::testing::parse_json;

std::string text_of(const Schema& schema) { return boost::json::serialize(schema); }

// Empty: the value matches.
std::string check(const Schema& schema, std::string_view value) { return check_schema({}, schema, parse_json(value)); }

TEST(Schema, NullIsOneTypeMore) {
  EXPECT_EQ(text_of(or_null(whole(1))), R"({"type":["integer","null"],"minimum":1})");
  EXPECT_EQ(text_of(or_null(words({"a"}))), R"({"type":["string","null"],"enum":["a",null]})");
  EXPECT_EQ(text_of(or_null(ref("Job"))), R"({"anyOf":[{"$ref":"#/components/schemas/Job"},{"type":"null"}]})");
}

TEST(Schema, MembersAreRequiredUnlessTheySayOtherwise) {
  const Schema schema = members({{"a", flag(), "An a."}, {"b", flag(), "", kOptional}});
  EXPECT_EQ(check(schema, R"({"a":true})"), "");
  EXPECT_EQ(check(schema, R"({"b":true})"), ": no \"a\"");
  EXPECT_EQ(check(schema, R"({"a":true,"c":1})"), "/c: is not described");
  EXPECT_EQ(check(opened(schema), R"({"a":true,"c":1})"), "");
}

TEST(Schema, OfAKeyThatMayHaveNoValueTakesNull) {
  const Schema limit = keys::shown_keys<RunLimit>();
  EXPECT_EQ(check(limit, R"({"jobs":null,"gpus":0.5})"), "");
  EXPECT_EQ(check(limit, R"({"gpus":0.5})"), ": no \"jobs\"");
  EXPECT_EQ(check(keys::all_set(limit), R"({"jobs":1,"gpus":2})"), "");
}

// Checks the checker that the tests of answers use.
TEST(SchemaChecker, KnowsAllBounds) {
  EXPECT_EQ(check(text({.least = 2, .most = 3, .pattern = "^[a-zä]+$"}), R"("abc")"), "");
  EXPECT_NE(check(text({.least = 2}), R"("ä")"), "") << "it counts characters";
  EXPECT_NE(check(text({.most = 3}), R"("abcd")"), "");
  EXPECT_NE(check(text({.pattern = "^[a-z]+$"}), R"("A")"), "");
  EXPECT_NE(check(time(), R"("today")"), "");
  EXPECT_NE(check(list(flag(), 1), "[true,true]"), "");
  EXPECT_NE(check(whole(1, 2), "3"), "");
  EXPECT_NE(check({{"type", "number"}, {"exclusiveMinimum", 0}}, "0"), "");
  EXPECT_NE(check(either(flag(), whole()), R"("a")"), "");
}

TEST(SchemaChecker, RefusesAKeywordThatItDoesNotKnow) {
  EXPECT_EQ(check({{"multipleOf", 2}}, "2"), ": the keyword multipleOf is not checked");
}

}  // namespace
}  // namespace ym::api::openapi
