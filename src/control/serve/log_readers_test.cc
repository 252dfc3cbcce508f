#include "control/serve/log_readers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <semaphore>

namespace ym {
namespace {

using namespace std::chrono_literals;

// A disk that answers when the test says so.
class Disk {
 public:
  LogReaders::Read read() {
    return [this](const LogQuery& query) -> Result<LogChunk> {
      ++reading_;
      go_.acquire();
      return LogChunk{.offset = query.offset, .data = "read"};
    };
  }
  void answer(int times) { go_.release(times); }
  void wait_until_reading(std::size_t readers) const {
    while (reading_ < readers) std::this_thread::sleep_for(1ms);
  }
  std::size_t reads() const { return reading_; }

 private:
  std::atomic<std::size_t> reading_ = 0;
  std::counting_semaphore<> go_{0};
};

// Counts answers by kind.
class Answers {
 public:
  LogReply take() {
    return [this](const Result<LogChunk>& chunk) {
      if (chunk) ++read;
      else if (chunk.error().code == ErrorCode::unavailable) ++refused;
    };
  }
  void wait_for_read(int count) const {
    while (read < count) std::this_thread::sleep_for(1ms);
  }
  std::atomic<int> read = 0, refused = 0;
};

constexpr int kThreads = LogReaders::kThreads;
constexpr int kMost = LogReaders::kMostWaiting;

TEST(LogReaders, CallBackWithWhatWasRead) {
  Disk disk;
  disk.answer(1);
  LogReaders readers;
  std::promise<Result<LogChunk>> told;
  readers.read(disk.read(), {.offset = 7}, [&](Result<LogChunk> chunk) { told.set_value(std::move(chunk)); });
  const auto chunk = told.get_future().get();
  ASSERT_TRUE(chunk);
  EXPECT_EQ(chunk->offset, 7U);
}

TEST(LogReaders, RefuseWhatIsTooMuch) {
  Disk disk;
  LogReaders readers;
  Answers answers;
  for (int i = 0; i < kThreads; ++i) readers.read(disk.read(), {}, answers.take());
  disk.wait_until_reading(kThreads);
  for (int i = 0; i < kMost; ++i) readers.read(disk.read(), {}, answers.take());
  EXPECT_EQ(answers.refused, 0);
  readers.read(disk.read(), {}, answers.take());
  EXPECT_EQ(answers.refused, 1);
  disk.answer(kThreads + kMost);
  answers.wait_for_read(kThreads + kMost);
}

TEST(LogReaders, ReadNothingForARequestThatHasLeftMeanwhile) {
  Disk disk;
  LogReaders readers;
  Answers answers;
  for (int i = 0; i < kThreads; ++i) readers.read(disk.read(), {}, answers.take());
  disk.wait_until_reading(kThreads);
  std::stop_source left;
  readers.read(disk.read(), {.stop = left.get_token()}, answers.take());
  readers.read(disk.read(), {}, answers.take());
  left.request_stop();
  disk.answer(kThreads + 1);
  answers.wait_for_read(kThreads + 1);
  EXPECT_EQ(answers.refused, 1);
  EXPECT_EQ(disk.reads(), kThreads + 1U);
}

TEST(LogReaders, SayWhetherADiskHangsWhenTheyEnd) {
  Disk disk;
  LogReaders readers;
  Answers answers;
  for (int i = 0; i < kThreads + 1; ++i) readers.read(disk.read(), {}, answers.take());
  disk.wait_until_reading(kThreads);
  EXPECT_FALSE(readers.end(1ms));
  EXPECT_EQ(answers.refused, 1) << "what waits is refused at once";
  readers.read(disk.read(), {}, answers.take());
  EXPECT_EQ(answers.refused, 2);
  disk.answer(kThreads);
  EXPECT_TRUE(readers.end(1min));
  EXPECT_EQ(answers.read, kThreads);
}

}  // namespace
}  // namespace ym
