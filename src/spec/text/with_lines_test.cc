#include <gtest/gtest.h>

#include "base/testing/sentences.h"
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
  testing::expect_error(told, ErrorCode::invalid, pointer);
  for (const FieldError& field : told.fields) testing::expect_sentence(field.message);
  EXPECT_EQ(with_lines(told, yaml), told) << "once";
  EXPECT_EQ(with_lines({.code = ErrorCode::conflict, .message = "no"}, "{not yaml").message, "no");
}

}  // namespace
}  // namespace ym
