#include "executor/local/supervisor/log_writer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/testing/sentences.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/testing/folder.h"

namespace ym::local {
namespace {

class LogWriterTest : public ::testing::Test {
 protected:
  LogWriterTest() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_NONBLOCK | O_CLOEXEC), 0);
    reading_ = Fd{ends[0]};
    writing_ = Fd{ends[1]};
  }

  void say(const std::string& text) {
    ASSERT_EQ(::write(writing_.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  std::string content() {
    std::ostringstream text;
    text << std::ifstream(folder_.path / "log").rdbuf();
    return text.str();
  }

  TestFolder folder_;
  Fd reading_, writing_;
};

TEST_F(LogWriterTest, KeepsWhatIsWritten) {
  LogWriter log{folder_.fd.get(), "log", 1000};
  say("one\n");
  EXPECT_EQ(log.pump(reading_.get()), LogWriter::Pumped::idle);
  say("two");
  writing_.reset();
  EXPECT_EQ(log.pump(reading_.get()), LogWriter::Pumped::end);
  EXPECT_EQ(content(), "one\ntwo");
  EXPECT_EQ(log.kept(), 7);
}

TEST_F(LogWriterTest, MarksTheCapOnce) {
  LogWriter log{folder_.fd.get(), "log", 4};
  say("1234");
  log.pump(reading_.get());
  EXPECT_EQ(content(), "1234") << "up to the cap nothing is missing";
  say("5");
  log.pump(reading_.get());
  say("678");
  log.pump(reading_.get());
  EXPECT_TRUE(content().starts_with("1234\n"));
  ym::testing::expect_sentence(content());
  EXPECT_EQ(log.kept(), 4);
  EXPECT_EQ(log.dropped(), 4);
}

TEST_F(LogWriterTest, TakesOutputThatItCannotStoreAndSaysSo) {
  // A folder in place of the log, while the disk is "full".
  std::filesystem::create_directory(folder_.path / "log");
  LogWriter log{folder_.fd.get(), "log", 1000};
  say("lost");
  EXPECT_EQ(log.pump(reading_.get()), LogWriter::Pumped::idle);
  EXPECT_EQ(log.dropped(), 4);
  std::filesystem::remove(folder_.path / "log");
  say("kept\n");
  log.pump(reading_.get());
  log.finish();
  EXPECT_TRUE(content().ends_with("\nkept\n"));
  ym::testing::expect_sentence(content());
}

TEST_F(LogWriterTest, SizesAreReadable) {
  EXPECT_EQ(readable_size(std::int64_t{1} << 30), "1 GiB");
  EXPECT_EQ(readable_size(65536), "64 KiB");
  EXPECT_EQ(readable_size(1000), "1000 bytes");
  EXPECT_EQ(readable_size(1536), "1536 bytes");
}

}  // namespace
}  // namespace ym::local
