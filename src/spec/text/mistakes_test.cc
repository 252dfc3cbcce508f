#include "spec/text/mistakes.h"

#include "spec/testing/support.h"

namespace ym {
namespace {

using ::testing::ElementsAre;

Error error(std::string message, std::vector<FieldError> fields) {
  return {.code = ErrorCode::invalid, .message = std::move(message), .fields = std::move(fields)};
}

TEST(Mistakes, EachIsSaidOnce) {
  EXPECT_THAT(mistakes(error("line 2: not valid YAML", {})), ElementsAre("line 2: not valid YAML"));
  EXPECT_THAT(mistakes(error("/a: is odd", {{"/a", "is odd"}})), ElementsAre("/a: is odd"));
  EXPECT_THAT(mistakes(error("/a: is odd; and 1 more", {{"/a", "is odd"}, {"/b", "is even"}})),
              ElementsAre("/a: is odd", "/b: is even"));
}

TEST(Mistakes, TheFileStandsBeforeEach) {
  EXPECT_THAT(mistakes(error("x.yaml: /a: is odd; and 1 more", {{"/a", "is odd"}, {"/b", "is even"}})),
              ElementsAre("x.yaml: /a: is odd", "x.yaml: /b: is even"));
  EXPECT_THAT(mistakes(error("x.yaml: is a list", {{"", "is a list"}})), ElementsAre("x.yaml: is a list"));
  EXPECT_THAT(mistakes(error("is a list", {{"x.yaml: ", "is a list"}})), ElementsAre("x.yaml: is a list"));
}

TEST(Mistakes, AMessageOfItsOwnComesFirst) {
  EXPECT_THAT(mistakes(error("nothing was changed", {{"/a", "is odd"}})),
              ElementsAre("nothing was changed", "/a: is odd"));
}

TEST(Mistakes, OfAConfiguration) {
  const auto read = parse_configuration("clusters: [{name: a, executor: locl}]\nqueus: []\n");
  ASSERT_FALSE(read);
  EXPECT_EQ(mistakes(read.error()).size(), 2u);
  EXPECT_EQ(mistakes(parse_configuration("queues:\n\t- name: a\n").error()).size(), 1u);
  EXPECT_EQ(mistakes(parse_configuration("queues: []\nqueues: []\n").error()).size(), 1u);
}

}  // namespace
}  // namespace ym
