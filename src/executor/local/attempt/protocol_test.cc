#include "executor/local/attempt/protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>

#include "executor/local/attempt/record.h"

namespace ym::local {
namespace {

constexpr Token kToken{JobId{5}, 1, 2};

struct Pair {
  Pair() {
    std::array<int, 2> ends{};
    ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data());
    a = Fd{ends[0]};
    b = Fd{ends[1]};
  }
  Fd a, b;
};

TEST(Protocol, AGreetingIsForOneTask) {
  const auto line = greeting(kToken, 3);
  EXPECT_EQ(greeted_version(line, kToken, 3), kProtocolVersion);
  EXPECT_EQ(greeted_version("ym-supervisor 2" + line.substr(15), kToken, 3), 2) << "the version before";
  EXPECT_EQ(greeted_version("ym-supervisor 1" + line.substr(15), kToken, 3), std::nullopt) << "long gone";
  EXPECT_EQ(greeted_version(line, kToken, 4), std::nullopt);
  EXPECT_EQ(greeted_version(line, Token{JobId{6}, 1, 2}, 3), std::nullopt);
  EXPECT_EQ(greeted_version("ym-supervisor 9" + line.substr(15), kToken, 3), std::nullopt) << "from the future";
  EXPECT_EQ(greeted_version("", kToken, 3), std::nullopt);
}

TEST(Protocol, AStopIsReadAsItWasSaid) {
  const auto stop = parse_stop(stop_line({.cause = StopCause::preemption, .signal = "SIGUSR2", .grace = {1500}}));
  ASSERT_TRUE(stop.has_value());
  EXPECT_EQ(stop->cause, StopCause::preemption);
  EXPECT_EQ(stop->signal, "SIGUSR2");
  EXPECT_EQ(stop->grace.ms, 1500);
  for (const char* bad : {"", "stop", "stop cancel SIGTERM", "stop cancel SIGTERM -1", "stop nope SIGTERM 1",
                          "stop cancel SIGTERM 1x", "look"})
    EXPECT_FALSE(parse_stop(bad).has_value()) << bad;
}

TEST(Protocol, LinesArriveWhole) {
  const Pair pair;
  LineReader reader;
  std::vector<std::string> lines;
  ::send(pair.a.get(), "one\ntw", 6, 0);
  EXPECT_TRUE(reader.read(pair.b.get(), lines));
  EXPECT_THAT(lines, ::testing::ElementsAre("one"));
  EXPECT_TRUE(send_line(pair.a.get(), "o"));
  EXPECT_TRUE(reader.read(pair.b.get(), lines));
  EXPECT_THAT(lines, ::testing::ElementsAre("one", "two"));
}

TEST(Protocol, ALineWithoutEndIsAFault) {
  const Pair pair;
  LineReader reader;
  std::vector<std::string> lines;
  const std::string endless(21 << 10, 'x');
  ::send(pair.a.get(), endless.data(), endless.size(), 0);
  EXPECT_FALSE(reader.read(pair.b.get(), lines));
}

TEST(Protocol, AReportOfAnyLengthPassesWhole) {
  const Pair pair;
  LineReader reader;
  std::vector<std::string> lines;
  const RawReport report{.number = INT64_MAX, .at = {INT64_MAX}, .text = std::string(kMaxReport + 1, 'x')};
  ASSERT_TRUE(send_line(pair.a.get(), progress_line(report)));
  EXPECT_TRUE(reader.read(pair.b.get(), lines));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(parse_progress(lines.front()), report);
}

TEST(Protocol, AReportIsReadAsItWasSaid) {
  EXPECT_EQ(parse_progress("progress 3 1700 {\"step\": 1}"),
            (RawReport{.number = 3, .at = {1700}, .text = "{\"step\": 1}"}));
  EXPECT_EQ(parse_progress("progress 3 1700 "), (RawReport{.number = 3, .at = {1700}, .text = ""}));
  for (const char* bad : {"", "progress", "progress 0 1 x", "progress x 1 x", "progress 1 x x", "progress 1 2", "pong"})
    EXPECT_FALSE(parse_progress(bad).has_value()) << bad;
}

// A line that cannot be sent whole is not begun, or the next line would be lost in it.
TEST(Protocol, NoLineIsSentInPart) {
  const Pair pair;
  const std::string line(kMaxReport, 'x');
  std::size_t sent = 0;
  while (send_line(pair.a.get(), line)) ++sent;
  LineReader reader;
  std::vector<std::string> lines;
  EXPECT_TRUE(reader.read(pair.b.get(), lines));
  ASSERT_TRUE(send_line(pair.a.get(), "next"));
  EXPECT_TRUE(reader.read(pair.b.get(), lines));
  EXPECT_EQ(lines.size(), sent + 1);
  EXPECT_EQ(lines.back(), "next");
}

TEST(Protocol, NoCallWaitsForAClientThatDoesNotRead) {
  const Pair pair;
  while (send_line(pair.a.get(), std::string(1000, 'x'))) continue;
  EXPECT_FALSE(send_line(pair.a.get(), std::string(1000, 'x')));
}

TEST(Protocol, BothEndsAreOurs) {
  const Pair pair;
  EXPECT_TRUE(same_user(pair.a.get()));
}

TEST(Protocol, AnEndIsSaidOnOneLine) {
  const ExitRecord failed{.exit = {.by = EndedBy::exit, .exit_code = 4, .message = "two\nlines ", .at = {17}},
                          .log_bytes = 9,
                          .log_dropped = 1};
  const auto line = end_line(failed);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  auto heard = parse_end(line);
  ASSERT_TRUE(heard);
  EXPECT_EQ(heard->exit.message.substr(0, 9), "two lines");
  heard->exit.message = failed.exit.message;
  EXPECT_EQ(heard->exit, failed.exit);
  EXPECT_EQ(heard->log_bytes, 9);
  EXPECT_EQ(heard->log_dropped, 1);
  const ExitRecord killed{.exit = {.by = EndedBy::signal, .signal = 9, .permanent = true, .forced = true, .at = {3}}};
  ASSERT_TRUE(parse_end(end_line(killed)));
  EXPECT_EQ(parse_end(end_line(killed))->exit, killed.exit);
}

TEST(Protocol, WhatIsNoEndIsNone) {
  for (const char* line :
       {"ended", "end", "end exit 4 - 0 0 17 9", "end often 4 - 0 0 17 9 1 ", "end exit 4 - 0 0 x 9 1 "})
    EXPECT_FALSE(parse_end(line)) << line;
}

}  // namespace
}  // namespace ym::local
