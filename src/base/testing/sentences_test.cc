#include "base/testing/sentences.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace ym::testing {
namespace {

// While the file is written, nothing is compared.
bool is_compared() { return std::getenv("YM_WRITE_SENTENCES") == nullptr; }

TEST(Sentences, AreComparedWithTheFileInTheirOrder) {
  if (!is_compared()) GTEST_SKIP() << "the file is written now, and not compared";
  expect_sentence("the first");
  expect_sentence("two lines\nand a \\");
  EXPECT_NONFATAL_FAILURE(expect_sentence("another"), "the third");
  EXPECT_NONFATAL_FAILURE(expect_sentence("one too many"), "no such sentence");
}

TEST(Sentences, AnErrorHasItsCodeAndItsPointer) {
  if (!is_compared()) GTEST_SKIP() << "the file is written now, and not compared";
  const Result<int> wrong = fail_field("/name", "must be short");
  expect_refused(wrong, ErrorCode::invalid, "/name");
  EXPECT_NONFATAL_FAILURE(expect_refused(Result<int>(1), ErrorCode::invalid), "got a result");
}

}  // namespace
}  // namespace ym::testing
