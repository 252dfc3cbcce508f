#include "sim/workload/table_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "sim/testing/temp_file.h"

namespace ym::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Table : public ::testing::Test {
 protected:
  // Every row, or the error.
  Result<std::vector<std::vector<std::string>>> read(const std::string& text) {
    const TempFile file(text);
    return read_file(file.path());
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
  std::string error(const std::string& text) {
    const auto rows = read(text);
    EXPECT_FALSE(rows);
    return rows ? "" : rows.error().message;
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
  EXPECT_THAT(error(""), HasSubstr("it is empty"));
  EXPECT_THAT(error("\n \n"), HasSubstr("it is empty"));
  EXPECT_THAT(read_file("/nowhere/trace.csv").error().message,
              HasSubstr("cannot read the trace /nowhere/trace.csv: No such file"));
  EXPECT_THAT(read_file("/tmp").error().message, HasSubstr("it is a folder"));
}

TEST_F(Table, WhatIsWrongIsSaidWithItsLine) {
  EXPECT_THAT(error("a,b\n1,2\n1,2,3\n"), HasSubstr(":3: there are 3 fields, but 2 in the first row"));
  EXPECT_THAT(error("a,b\n1,\"2\n"), HasSubstr("a quotation mark is not closed"));
  EXPECT_THAT(error("a,b\n1,x\"2\n"), HasSubstr(":2: a quotation mark is not allowed there"));
  EXPECT_THAT(error(std::string("a,b\n1,\0\n", 8)), HasSubstr(":2: it contains a NUL"));
  EXPECT_THAT(error("\xFF\xFE"
                    "a"),
              HasSubstr("this is UTF-16"));
}

TEST_F(Table, LongLinesAndRowsAreRefusedBeforeTheyAreHeld) {
  EXPECT_THAT(error("a,b\n" + std::string(3 << 20, 'x')), HasSubstr(":2: the row has more than 1 MiB"));
  std::string lines = "a,b\n1,\"";
  for (int i = 0; i < 40'000; ++i) lines += std::string(99, 'x') + "\n";
  EXPECT_THAT(error(lines), HasSubstr("the row has more than 1 MiB"));
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
  EXPECT_THAT(read_file(file.path()).error().message, HasSubstr("it unpacks to more than 1000 times its size"));
}

TEST_F(Table, AGzipThatIsCutOffIsRefused) {
  const TempFile file("");
  write_gzip(file.path(), "1234567,7654321\n", 1);
  std::filesystem::resize_file(file.path(), std::filesystem::file_size(file.path()) - 6);
  EXPECT_THAT(read_file(file.path()).error().message, HasSubstr("it is cut off"));
}

}  // namespace
}  // namespace ym::sim
