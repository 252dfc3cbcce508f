#include <sys/stat.h>

#include "executor/conformance/tests.h"

namespace ym::testing {
namespace {

constexpr Token kToken{JobId{1}, 1, 7};

void both_streams_are_kept_by_task(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, "echo out $YM_NODE_RANK; echo err $YM_NODE_RANK >&2", 2);
  session.wait_ended(kToken, 2);
  EXPECT_EQ(session.log(kToken, 0), "out 0\nerr 0\n");
  EXPECT_EQ(session.log(kToken, 1), "out 1\nerr 1\n");
}

void a_log_can_be_followed(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, "echo one; while [ ! -e go ]; do sleep 0.02; done; echo two");
  LogQuery query{.attempt = kToken.key()};
  Result<LogChunk> chunk;
  wait_until("the first line", [&] {
    chunk = session.executor().read_log(query);
    return chunk && !chunk->data.empty();
  });
  EXPECT_EQ(chunk->data, "one\n");
  EXPECT_FALSE(chunk->complete);
  query.offset = chunk->offset + chunk->data.size();
  EXPECT_EQ(session.executor().read_log(query)->data, "");
  std::filesystem::create_directory(host.scratch() / "go");
  session.wait_end(kToken);
  chunk = session.executor().read_log(query);
  ASSERT_TRUE(chunk.has_value());
  EXPECT_EQ(chunk->offset, 4U);
  EXPECT_EQ(chunk->data, "two\n");
  EXPECT_TRUE(chunk->complete);
}

void a_log_is_read_in_pieces(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, "printf abcdefghij");
  session.wait_end(kToken);
  LogQuery query{.attempt = kToken.key(), .offset = 2, .max_bytes = 5};
  EXPECT_EQ(session.executor().read_log(query)->data, "cdefg");
  EXPECT_FALSE(session.executor().read_log(query)->complete);
  query.offset = 7;
  EXPECT_EQ(session.executor().read_log(query)->data, "hij");
  EXPECT_TRUE(session.executor().read_log(query)->complete);
  query.offset = 1000;
  EXPECT_EQ(session.executor().read_log(query)->data, "");
}

void the_last_lines_of_a_log(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, "printf 'a\\nb\\nc\\nd'");
  session.wait_end(kToken);
  const auto last = [&](std::uint64_t n) {
    return session.executor().read_log({.attempt = kToken.key(), .last_lines = n})->data;
  };
  EXPECT_EQ(last(0), "");
  EXPECT_EQ(last(1), "d");
  EXPECT_EQ(last(2), "c\nd");
  EXPECT_EQ(last(100), "a\nb\nc\nd");
}

void there_is_no_log_of_what_never_was(ExecutorHost& host) {
  Session session{host};
  const auto chunk = session.executor().read_log({.attempt = kToken.key()});
  ASSERT_FALSE(chunk.has_value());
  EXPECT_EQ(chunk.error().code, ErrorCode::not_found);
}

void a_log_outlives_its_release(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, "echo kept");
  session.wait_end(kToken);
  session.executor().release(kToken);
  const Token last{JobId{2}, 1, 7};
  session.launch(last, "true");
  session.wait_end(last);
  EXPECT_EQ(session.log(kToken), "kept\n");
}

// A job can do that itself: no call blocks on the pipe, and the job is followed to its end.
void a_pipe_in_its_place_is_no_log(ExecutorHost& host) {
  const auto file = host.log_file(kToken);
  if (file.empty()) GTEST_SKIP() << "jobs cannot replace their logs here";
  Session session{host};
  session.launch(kToken, "echo one; while [ ! -e go ]; do sleep 0.02; done; exit 3");
  wait_until("its log", [&] { return std::filesystem::exists(file); });
  std::filesystem::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  for (const auto& query : {LogQuery{.attempt = kToken.key()}, LogQuery{.attempt = kToken.key(), .last_lines = 10}}) {
    const auto chunk = session.executor().read_log(query);
    ASSERT_FALSE(chunk.has_value());
    EXPECT_EQ(chunk.error().code, ErrorCode::conflict);
  }
  std::filesystem::create_directory(host.scratch() / "go");
  EXPECT_EQ(session.wait_end(kToken).exit_code, 3);
}

}  // namespace

std::vector<ExecutorTest> log_tests() {
  return {{"BothStreamsAreKeptByTask", both_streams_are_kept_by_task},
          {"ALogCanBeFollowed", a_log_can_be_followed},
          {"ALogIsReadInPieces", a_log_is_read_in_pieces},
          {"TheLastLinesOfALog", the_last_lines_of_a_log},
          {"ThereIsNoLogOfWhatNeverWas", there_is_no_log_of_what_never_was, Needs::nothing},
          {"ALogOutlivesItsRelease", a_log_outlives_its_release},
          {"APipeInItsPlaceIsNoLog", a_pipe_in_its_place_is_no_log}};
}

}  // namespace ym::testing
