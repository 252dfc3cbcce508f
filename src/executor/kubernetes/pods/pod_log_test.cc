#include "executor/kubernetes/pods/pod_log.h"

#include <gtest/gtest.h>

namespace ym::kubernetes {
namespace {

const std::string kText = "one\ntwo\nthree\nfour\n";

// In pieces of the given size.
LogChunk cut(const LogQuery& query, std::size_t piece, bool ended = true, const std::string& text = kText) {
  LogCut cutter(query);
  for (std::size_t at = 0; at < text.size(); at += piece)
    if (!cutter.take(std::string_view(text).substr(at, piece))) break;
  return std::move(cutter).result(ended);
}

TEST(LogCut, GivesWhatWasAskedForInWhateverPiecesItComes) {
  for (std::size_t piece = 1; piece < 25; ++piece) {
    const auto all = cut({}, piece);
    EXPECT_EQ(all.data, kText);
    EXPECT_TRUE(all.complete);
    const auto part = cut({.attempt = {}, .offset = 4, .max_bytes = 7}, piece);
    EXPECT_EQ(part.data, "two\nthr");
    EXPECT_EQ(part.offset, 4U);
    EXPECT_FALSE(part.complete);
    const auto end = cut({.attempt = {}, .offset = 14, .max_bytes = 100}, piece);
    EXPECT_EQ(end.data, "four\n");
    EXPECT_TRUE(end.complete);
    const auto beyond = cut({.attempt = {}, .offset = 100}, piece);
    EXPECT_EQ(beyond.data, "");
    EXPECT_EQ(beyond.offset, 100U);
  }
}

TEST(LogCut, TheLastLinesKnowWhereTheyAre) {
  for (std::size_t piece = 1; piece < 25; ++piece) {
    const auto last = cut({.attempt = {}, .last_lines = 2}, piece);
    EXPECT_EQ(last.data, "three\nfour\n");
    EXPECT_EQ(last.offset, 8U);
    EXPECT_EQ(cut({.attempt = {}, .last_lines = 0}, piece).data, "");
    EXPECT_EQ(cut({.attempt = {}, .last_lines = 100}, piece).data, kText);
    const auto bounded = cut({.attempt = {}, .max_bytes = 3, .last_lines = 2}, piece);
    EXPECT_EQ(bounded.data, "ur\n");
    EXPECT_EQ(bounded.offset, 16U);
  }
}

TEST(LogCut, IsCompleteOnlyAfterTheTaskHasEnded) {
  EXPECT_FALSE(cut({}, 5, false).complete);
  EXPECT_TRUE(cut({}, 5, true, "").complete);
  const auto exact = cut({.attempt = {}, .max_bytes = kText.size()}, 5);
  EXPECT_TRUE(exact.complete);
}

TEST(LogCut, AnUnfinishedLastLineIsALine) {
  EXPECT_EQ(cut({.attempt = {}, .last_lines = 1}, 3, false, "a\nb").data, "b");
}

}  // namespace
}  // namespace ym::kubernetes
