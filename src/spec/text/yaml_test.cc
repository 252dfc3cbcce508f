#include "spec/testing/support.h"
#include "spec/text/value.h"

namespace ym::spec {
namespace {

using Kind = Value::Kind;

Kind kind_of(std::string_view scalar) {
  return read_yaml("- " + std::string(scalar) + "\n").value().at(0).items.at(0).kind;
}

TEST(Yaml, ResolvesScalarsByTheCoreSchema) {
  for (const auto text :
       {"1e-5", "1", "-1", "+1", ".5", "1.", "1.5e+3", "010", "0x1F", "0o17", ".inf", "-.Inf", ".nan"})
    EXPECT_EQ(kind_of(text), Kind::number) << text;
  for (const auto text : {"on", "yes", "No", "y", "1_000", "0b1", "1e", "e5", ".", "-x", "0x", "1.2.3", "12:30", "'1'",
                          "\"true\"", "2026-11-21", "08x", "--1", "infinity"})
    EXPECT_EQ(kind_of(text), Kind::string) << text;
  for (const auto text : {"true", "False", "TRUE"}) EXPECT_EQ(kind_of(text), Kind::boolean) << text;
  for (const auto text : {"null", "~", "Null", ""}) EXPECT_EQ(kind_of(text), Kind::null) << text;
}

TEST(Yaml, AKeyNamedOnStaysOn) {
  const auto map = read_yaml("on: 1\nyes: 2\n").value().at(0);
  EXPECT_THAT(map.keys, ::testing::ElementsAre("on", "yes"));
}

TEST(Yaml, RefusesTextBehindAValue) {
  expect_refused(read_yaml("{a: 1} {b: 2}"), ErrorCode::invalid);
  EXPECT_FALSE(read_yaml("- a\nb: c\n"));
  EXPECT_FALSE(read_yaml("a: 1\n]\n"));
  EXPECT_TRUE(read_yaml("\xEF\xBB\xBF{a: \"\xC3\xA4\"}\n---\n{b: 2}\n"));
}

TEST(Yaml, NamesTheLine) {
  expect_refused(read_yaml("a: 1\nb: [1, 2\n"), ErrorCode::invalid);
  EXPECT_EQ(read_yaml("\n\na:\n  b: 1\n").value().at(0).items.at(0).items.at(0).line, 4);
}

TEST(Yaml, RefusesKeysThatAreNoText) {
  expect_refused(read_yaml("? [a]\n: 1\n"), ErrorCode::invalid);
  expect_refused(read_yaml(": 1\n"), ErrorCode::invalid);
}

TEST(Yaml, BoundsTheNumberOfDocuments) {
  std::string many;
  for (int i = 0; i < 1001; ++i) many += "---\na: 1\n";
  expect_refused(read_yaml(many), ErrorCode::invalid);
}

TEST(Json, TakesExactlyOneValue) {
  expect_refused(read_json(R"({"a":1} x)"), ErrorCode::invalid);
  EXPECT_TRUE(read_json(" {\"a\":1} \n"));
  EXPECT_FALSE(read_json("{\"a\":"));
  EXPECT_FALSE(read_json("{'a':1}"));
  EXPECT_FALSE(read_json("{\"a\":1,}"));
  EXPECT_EQ(read_json(R"({"a":-1.50e3})").value().items.at(0).text, "-1.50e3");
}

}  // namespace
}  // namespace ym::spec
