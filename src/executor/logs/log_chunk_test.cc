#include "executor/logs/log_chunk.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace ym {
namespace {

class LogOf : public testing::Test {
 protected:
  LogOf() : file_(::memfd_create("log", MFD_CLOEXEC)) {}
  ~LogOf() override { ::close(file_); }

  void write(const std::string& text) const {
    ASSERT_EQ(::write(file_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  LogChunk read(const LogQuery& query, bool ended = true) const {
    auto chunk = read_log_chunk(file_, query, ended);
    EXPECT_TRUE(chunk) << (chunk ? "" : chunk.error().message);
    return chunk.value_or(LogChunk{});
  }

  int file_;
};

TEST_F(LogOf, APieceSaysWhereItBeginsAndWhetherItIsTheLast) {
  write("abcdefghij");
  const auto middle = read({.offset = 2, .max_bytes = 5});
  EXPECT_EQ(middle.data, "cdefg");
  EXPECT_EQ(middle.offset, 2U);
  EXPECT_FALSE(middle.complete);
  EXPECT_TRUE(read({.offset = 7}).complete);
  EXPECT_FALSE(read({.offset = 7}, false).complete) << "it may grow";
  const auto behind = read({.offset = 1000});
  EXPECT_EQ(behind.offset, 10U);
  EXPECT_TRUE(behind.data.empty());
}

TEST_F(LogOf, TheLastLinesAreCountedOverAnyLength) {
  std::string whole;
  for (int i = 0; i < 20'000; ++i) whole += "line " + std::to_string(i) + "\n";
  write(whole);
  EXPECT_EQ(read({.last_lines = 2}).data, "line 19998\nline 19999\n");
  EXPECT_EQ(read({.last_lines = 0}).data, "");
  EXPECT_EQ(read({.max_bytes = 1 << 20, .last_lines = 1'000'000}).data, whole);
  const auto many = read({.max_bytes = 1 << 20, .last_lines = 19'000});
  EXPECT_TRUE(many.data.starts_with("line 1000\n"));
  write("no end");
  EXPECT_EQ(read({.last_lines = 2}).data, "line 19999\nno end");
}

TEST_F(LogOf, WhatCannotBeReadIsAnErrorOfIo) {
  const auto chunk = read_log_chunk(-1, {}, true);
  ASSERT_FALSE(chunk);
  EXPECT_EQ(chunk.error().code, ErrorCode::io);
}

}  // namespace
}  // namespace ym
