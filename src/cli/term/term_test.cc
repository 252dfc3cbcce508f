#include <sstream>

#include "cli/log_printer.h"
#include "cli/term/table.h"
#include "cli/term/terminal.h"
#include "cli/term/text.h"

namespace ym::cli {
namespace {

std::string cleaned(LogCleaner::Style style, const std::vector<std::string>& pieces) {
  LogCleaner cleaner(style);
  std::string out;
  for (const auto& piece : pieces) out += cleaner.feed(piece);
  return out + cleaner.finish();
}

TEST(Text, PrintableLeavesNothingForTheTerminalToDo) {
  EXPECT_EQ(printable("a\x1b[31mb\nc\td\x7f\xC2\x9b"
                      "2J\xC3\xA4"),
            "a?[31mb c d??2J\xC3\xA4");
}

TEST(Text, ShortensByColumnsNotBytes) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "ab…");
  EXPECT_EQ(shortened("äöüß", 3), "äö…");
  EXPECT_EQ(shortened("abcd", 0), "abcd");
}

TEST(LogCleaner, B85TakesEscapesOut) {
  const auto lines = LogCleaner::Style::lines;
  EXPECT_EQ(cleaned(lines, {"\x1b[31mred\x1b[0m\n"}), "red\n");
  EXPECT_EQ(cleaned(lines, {"\x1b]0;title\x07text\n"}), "text\n");
  EXPECT_EQ(cleaned(lines, {"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\n"}), "link\n");
  EXPECT_EQ(cleaned(lines, {"\x1bPq#0;2\x1b\\after\n"}), "after\n");
  EXPECT_EQ(cleaned(lines, {"a\x1b(Bb\x1b"
                            "7c\x08\x07\n"}),
            "abc\n");
  EXPECT_EQ(cleaned(lines, {"\xC2\x9b"
                            "31mx\xC2\xA9 ä\n"}),
            "x© ä\n");
}

TEST(LogCleaner, B85ControlCharactersOfUnicodeAreEscapesToo) {
  const auto lines = LogCleaner::Style::lines;
  const std::string csi = "\xC2\x9b", osc = "\xC2\x9d", dcs = "\xC2\x90", end = "\xC2\x9c", lone = "\xC2";
  for (const std::string& text :
       std::vector<std::string>{osc + "0;title" + end, osc + "0;title\x07", "\x1b]0;title" + end, osc + "0;t\x1b\\",
                                dcs + "q#0;2" + end, "\x1b]0;\xC2" + end, "\x1b]0;\x1b[31m", csi + "31m",
                                "\x1b[3" + csi + "31m", "\x1b]0;t\x1b" + csi + "31m", "\x1b\x1b[31m"})
    EXPECT_EQ(cleaned(lines, {text + "x\n"}), "x\n") << ::testing::PrintToString(text);
  // A C2 to which no byte belongs never comes to stand before one.
  for (const auto& before : {lone, lone + lone, lone + "\x1b", lone + "\x07" + lone, lone + "\x1b[m", "\x1b" + lone})
    EXPECT_EQ(cleaned(lines, {before, csi + "31mx\n"}), "x\n") << ::testing::PrintToString(before);
  for (const auto& before : {lone + "\x1b[m", lone + "\x07", lone + "\x1b"})
    EXPECT_THAT(cleaned(lines, {before + "\x9b" + "31mx\n"}), ::testing::Not(::testing::HasSubstr(csi)));
  EXPECT_EQ(cleaned(lines, {lone + "a" + lone + "ä" + lone + "\n"}), "aä\n");
}

TEST(LogCleaner, SeesEscapesThatCameInPieces) {
  EXPECT_EQ(cleaned(LogCleaner::Style::lines, {"a\x1b", "[3", "1", "mb\xC2", "\xA9\n"}), "ab©\n");
}

TEST(LogCleaner, AnUnfinishedStringHidesNoMoreThanItsLine) {
  EXPECT_EQ(cleaned(LogCleaner::Style::lines, {"\x1b]0;never ends\nshown\n"}), "\nshown\n");
}

TEST(LogCleaner, ProgressBarsCollapse) {
  EXPECT_EQ(cleaned(LogCleaner::Style::lines, {"10%\r20%", "\r", "30%\ndone\r\n", "tail"}), "30%\ndone\ntail");
  EXPECT_EQ(cleaned(LogCleaner::Style::live, {"10%\r", "20%\r\nx"}), "10%\r\x1b[K20%\nx");
}

TEST(LogPrinter, PrefixesAndFiltersWholeLines) {
  std::ostringstream out;
  LogPrinter printer(out, {.prefix = "[1] ", .only = *Pattern::compile("loss|acc")});
  printer.write("loss=1\nother\nac");
  printer.write("c=2\nlast loss");
  printer.finish();
  EXPECT_EQ(out.str(), "[1] loss=1\n[1] acc=2\n[1] last loss\n");
  EXPECT_FALSE(Pattern::compile("("));
}

TEST(LogPrinter, WithoutATerminalBytesPassUntouched) {
  std::ostringstream out;
  LogPrinter printer(out, {.clean = false});
  printer.write("\x1b[31mred\r\xFF");
  printer.finish();
  EXPECT_EQ(out.str(), "\x1b[31mred\r\xFF");
}

TEST(Table, AlignsColumnsByWidth) {
  Table table({{"NAME"}, {"GPUS", Table::Align::right}, {"STATE"}});
  table.add({"ä", "16", "RUNNING"});
  table.add({"long\x1b[2J", "8"});
  std::ostringstream out;
  table.print(out);
  EXPECT_EQ(out.str(),
            "NAME      GPUS  STATE\n"
            "ä           16  RUNNING\n"
            "long?[2J     8\n");
  std::ostringstream narrow;
  table.print(narrow, 12);
  EXPECT_EQ(narrow.str(), "NAME      G…\nä          …\nlong?[2J   …\n");
}

TEST(StatusLine, IsSilentWithoutATerminal) {
  std::ostringstream err;
  StatusLine(err, {}).show("x");
  EXPECT_EQ(err.str(), "");
  {
    StatusLine line(err, {.err = true, .width = 10});
    line.show("a\nlong text that is cut");
  }
  EXPECT_EQ(err.str(), "\r\x1b[K| a long…\r\x1b[K");
}

}  // namespace
}  // namespace ym::cli
