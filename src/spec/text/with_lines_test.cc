#include <gtest/gtest.h>

#include "spec/documents.h"

namespace ym {
namespace {

TEST(WithLines, ARefusalThatKnowsOnlyWhereSaysTheLine) {
  const std::string_view yaml =
      "queues:\n  - name: a\n    children:\n      - name: b\n        quota:\n          t5: {gpus: 1}\n";
  const std::string pointer = "/queues/0/children/0/quota/t5";
  const auto told = with_lines({.code = ErrorCode::invalid,
                                .message = pointer + ": there is no flavor 't5'",
                                .fields = {{pointer, "there is no flavor 't5'"}, {"/queues/0/none", "is odd"}}},
                               yaml);
  EXPECT_EQ(told.message, pointer + ": there is no flavor 't5' (line 6)");
  EXPECT_EQ(told.fields[0].message, "there is no flavor 't5' (line 6)");
  EXPECT_EQ(told.fields[1].message, "is odd (line 2)");
  EXPECT_EQ(with_lines(told, yaml), told) << "once";
  EXPECT_EQ(with_lines({.code = ErrorCode::conflict, .message = "no"}, "{not yaml").message, "no");
}

}  // namespace
}  // namespace ym
