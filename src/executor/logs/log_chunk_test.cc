#include "executor/logs/log_chunk.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

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

TEST_F(LogOf, ACarriageReturnEndsALineAsProgressBarsWriteIt) {
  write("\r  1%\r 50%\r100%\ndone\r\nlast\r\n");
  EXPECT_EQ(read({.last_lines = 1}).data, "last\r\n");
  EXPECT_EQ(read({.last_lines = 2}).data, "done\r\nlast\r\n");
  EXPECT_EQ(read({.last_lines = 4}).data, " 50%\r100%\ndone\r\nlast\r\n");
  EXPECT_EQ(read({.last_lines = 100}).offset, 0U);
}

TEST_F(LogOf, ALineThatNothingEndsIsNotLookedThroughWithoutABound) {
  constexpr std::uint64_t kSize = std::uint64_t{3} << 30;
  ASSERT_EQ(::ftruncate(file_, kSize), 0);
  const auto endless = read({.max_bytes = 1000, .last_lines = 10});
  EXPECT_EQ(endless.offset, kSize - 1000);
  EXPECT_EQ(endless.data.size(), 1000U);
  ASSERT_EQ(::pwrite(file_, "\n", 1, kSize - (1 << 20)), 1);
  EXPECT_EQ(read({.last_lines = 10}).offset, kSize - (1 << 20) + 1) << "the oldest that begins within the bound";
}

TEST_F(LogOf, AScanEndsWhenNoRequestWaitsForIt) {
  ASSERT_EQ(::ftruncate(file_, 1 << 20), 0);
  std::stop_source left;
  left.request_stop();
  const auto chunk = read_log_chunk(file_, {.last_lines = 10, .stop = left.get_token()}, true);
  ASSERT_FALSE(chunk);
  EXPECT_EQ(chunk.error().code, ErrorCode::unavailable);
}

TEST(OpenLog, OnlyAPlainFileIsReadAndNothingIsWaitedFor) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "open_log";
  fs::remove_all(folder);
  fs::create_directories(folder / "folder");
  std::ofstream(folder / "file") << "secret of another job\n";
  fs::create_symlink(folder / "file", folder / "link");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const Fd place{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  EXPECT_TRUE(open_log(place.get(), "file"));
  for (const auto* name : {"folder", "link", "pipe"}) {
    const auto opened = open_log(place.get(), name);
    ASSERT_FALSE(opened) << name;
    EXPECT_EQ(opened.error().code, ErrorCode::conflict) << name;
  }
  EXPECT_EQ(open_log(place.get(), "none").error().code, ErrorCode::not_found);
  fs::remove_all(folder);
}

TEST_F(LogOf, WhatCannotBeReadIsAnErrorOfIo) {
  const auto chunk = read_log_chunk(-1, {}, true);
  ASSERT_FALSE(chunk);
  EXPECT_EQ(chunk.error().code, ErrorCode::io);
}

}  // namespace
}  // namespace ym
