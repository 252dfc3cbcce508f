#include "net/sinks/syslog.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "net/sinks/backoff.h"

namespace ym::net {
namespace {

constexpr std::string_view kTime = "2026-11-30T10:02:11.318Z";

std::string syslog_of(std::string_view text) {
  return syslog_frame({.time = kTime, .host = "head-1", .kind = "audit", .text = text});
}

TEST(Syslog, FramesAMessageByItsLength) {
  const std::string message = "<110>1 2026-11-30T10:02:11.318Z head-1 yardmaster - audit - text";
  EXPECT_EQ(syslog_of("text"), fmt::format("{} {}", message.size(), message));
  EXPECT_EQ(syslog_of("").substr(0, 3), "60 ");
}

TEST(Syslog, AMessageIsOneLineOfText) {
  EXPECT_TRUE(syslog_of("a\nb\r\tc\x7f d").ends_with(" - a?b??c? d"));
  EXPECT_TRUE(syslog_of("caf\u00e9 \u2014").ends_with(" - caf\u00e9 \u2014"));
  EXPECT_TRUE(syslog_of(std::string_view("a\0b", 3)).ends_with(" - a?b"));
}

TEST(Syslog, NamesOfTheHeadHaveNoBlanks) {
  EXPECT_TRUE(syslog_frame({.time = "", .host = "two words", .kind = "caf\u00e9", .text = "x"})
                  .ends_with("<110>1 - two?words yardmaster - caf?? - x"));
}

TEST(Syslog, ALongMessageIsCutBetweenCharacters) {
  std::string text;
  while (text.size() < 2 * kMostSyslogBytes) text += "\u2014";
  for (const std::string_view before : {"", "x", "xx"}) {
    const auto frame = syslog_of(std::string(before) + text);
    const auto size = frame.size() - frame.find(' ') - 1;
    EXPECT_EQ(frame.substr(0, frame.find(' ')), std::to_string(size));
    EXPECT_LE(size, kMostSyslogBytes);
    EXPECT_GT(size, kMostSyslogBytes - 3);
    EXPECT_TRUE(frame.ends_with("\u2014"));
  }
}

TEST(Backoff, DoublesUpToAMinute) {
  Backoff pause;
  std::int64_t sum = 0;
  for (const std::int64_t expected : {1, 2, 4, 8, 16, 32, 60, 60}) {
    const auto next = pause.next();
    EXPECT_EQ(next, seconds(expected));
    sum += next.ms;
  }
  EXPECT_EQ(sum, 183'000);
  pause.reset();
  EXPECT_EQ(pause.next(), seconds(1));
}

}  // namespace
}  // namespace ym::net
