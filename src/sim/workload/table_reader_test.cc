#include "sim/workload/table_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "base/testing/sentences.h"
#include "sim/testing/temp_file.h"

namespace ym::sim {
namespace {

using ::testing::ElementsAre;
using ym::testing::expect_refused;

class Table : public ::testing::Test {
 protected:
  // Every row, or the error.
  Result<std::vector<std::vector<std::string>>> read(const std::string& text) {
    const TempFile file(text);
    return without_path(read_file(file.path()), file.path());
  }
  static Result<std::vector<std::vector<std::string>>> read_file(const std::string& path) {
    auto reader = TableReader::open(path);
    if (!reader) return std::unexpected(reader.error());
    std::vector<std::vector<std::string>> rows;
    for (;;) {
      auto row = reader->next();
      if (!row) return std::unexpected(row.error());
      if (!*row) return rows;
      rows.push_back((*row)->fields);
    }
  }
};

TEST_F(Table, TakesLineEndsQuotesAndMarksAsTheyCome) {
  EXPECT_THAT(read("\xEF\xBB\xBF"
                   "a,b\r\n1,\"x, \"\"y\"\"\"\r\n\r\n2,\"two\nlines\"\n3,")
                  .value(),
              ElementsAre(ElementsAre("a", "b"), ElementsAre("1", "x, \"y\""), ElementsAre("2", "two\nlines"),
                          ElementsAre("3", "")));
  EXPECT_THAT(read("a|b\n1|2, 3\n").value(), ElementsAre(ElementsAre("a", "b"), ElementsAre("1", "2, 3")));
  EXPECT_THAT(read("a\tb\n\t2\n").value(), ElementsAre(ElementsAre("a", "b"), ElementsAre("", "2")));
}

TEST_F(Table, NothingInItIsAnError) {
  expect_refused(read(""), ErrorCode::invalid);
  expect_refused(read("\n \n"), ErrorCode::invalid);
  expect_refused(read_file("/nowhere/trace.csv"), ErrorCode::invalid);
  expect_refused(read_file("/tmp"), ErrorCode::invalid);
}

TEST_F(Table, WhatIsWrongIsSaidWithItsLine) {
  expect_refused(read("a,b\n1,2\n1,2,3\n"), ErrorCode::invalid);
  expect_refused(read("a,b\n1,\"2\n"), ErrorCode::invalid);
  expect_refused(read("a,b\n1,x\"2\n"), ErrorCode::invalid);
  expect_refused(read(std::string("a,b\n1,\0\n", 8)), ErrorCode::invalid);
  expect_refused(read("\xFF\xFE"
                      "a"),
                 ErrorCode::invalid);
}

TEST_F(Table, LongLinesAndRowsAreRefusedBeforeTheyAreHeld) {
  expect_refused(read("a,b\n" + std::string(3 << 20, 'x')), ErrorCode::invalid);
  std::string lines = "a,b\n1,\"";
  for (int i = 0; i < 40'000; ++i) lines += std::string(99, 'x') + "\n";
  expect_refused(read(lines), ErrorCode::invalid);
}

void write_gzip(const std::string& path, const std::string& line, int times) {
  gzFile file = gzopen(path.c_str(), "wb9");
  for (int i = 0; i < times; ++i) gzwrite(file, line.data(), static_cast<unsigned>(line.size()));
  gzclose(file);
}

TEST_F(Table, IsReadFromGzipToo) {
  const TempFile file("");
  write_gzip(file.path(), "1,2\n", 3);
  EXPECT_EQ(read_file(file.path())->size(), 3U);
}

TEST_F(Table, WhatUnpacksWithoutEndIsRefused) {
  const TempFile file("");
  write_gzip(file.path(), std::string(100'000, ' ') + "\n", 1000);
  const auto refused = read_file(file.path());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid);
  // In which line it is noticed is up to zlib.
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("more than 1000 times"));
}

TEST_F(Table, AGzipThatIsCutOffIsRefused) {
  const TempFile file("");
  write_gzip(file.path(), "1234567,7654321\n", 1);
  std::filesystem::resize_file(file.path(), std::filesystem::file_size(file.path()) - 6);
  expect_refused(without_path(read_file(file.path()), file.path()), ErrorCode::invalid);
}

}  // namespace
}  // namespace ym::sim
