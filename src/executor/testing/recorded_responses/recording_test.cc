#include "executor/testing/recorded_responses/recording.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "executor/testing/recorded_responses/recorded_commands.h"
#include "executor/testing/recorded_responses/recorded_server.h"
#include "net/http_client.h"

namespace ym::recorded {
namespace {

namespace fs = std::filesystem;

class RecordingTest : public ::testing::Test {
 protected:
  RecordingTest() { fs::create_directories(folder_); }
  ~RecordingTest() override { fs::remove_all(folder_); }
  Result<Recording> read(const std::string& text, const std::string& base = "> a\n< 0\nbase\n") const {
    std::ofstream(folder_ / "base.txt") << base;
    std::ofstream(folder_ / "one.txt") << "fault x\nexpect y\ninclude base.txt\n" << text;
    return read_recording(folder_ / "one.txt");
  }
  static std::string body(const Recording& from, const std::string& phase, const std::string& question) {
    const auto at = from.find(phase, question);
    return at ? from.exchanges[*at].responses[0].body : "none";
  }
  const fs::path folder_ = fs::temp_directory_path() / ("ym-recording-" + std::to_string(::getpid()));
};

TEST_F(RecordingTest, APhaseGoesBeforeNoneAndAFileBeforeWhatItIncludes) {
  const auto read_ = read("let w $(v)!\nlet v one\n> b *\n< 0\n$(w)\n== late\n> b *\n< 0\nlate\n\n> a\n< 7\n");
  ASSERT_TRUE(read_) << read_.error().message;
  EXPECT_EQ(body(*read_, "", "a"), "base\n");
  EXPECT_EQ(body(*read_, "late", "a"), "");
  EXPECT_EQ(body(*read_, "", "b 1"), "one!\n");
  EXPECT_EQ(body(*read_, "late", "b 1"), "late\n");
  EXPECT_EQ(body(*read_, "", "c"), "none");
}

TEST_F(RecordingTest, WhatMakesNoSenseIsRefusedWithItsLine) {
  for (const char* text :
       {"> a\n< x\n", "> a\n< 0 sometimes\n", "> a\n< 0 delay=soon\n", "< 0\n", "nonsense\n", "== \n"}) {
    const auto bad = read(text);
    ASSERT_FALSE(bad) << text;
    EXPECT_NE(bad.error().message.find("one.txt:"), std::string::npos) << bad.error().message;
  }
  EXPECT_FALSE(read("> a\n")) << "a question without an answer";
}

TEST_F(RecordingTest, PatternsMatchTheWhole) {
  EXPECT_TRUE(matches("GET /a/*/b?*", "GET /a/x/y/b?c"));
  EXPECT_FALSE(matches("GET /a", "GET /ab"));
  EXPECT_FALSE(matches("GET /*/b", "GET /a/bc"));
}

TEST_F(RecordingTest, AServerPlaysIt) {
  auto made = read(
      "> GET /a\n< 503 header=Retry-After:2\nno\n< 200 then=late\nyes\n== late\n> GET /a\n< 200 ended\n1\n2\n"
      "> GET /cut\n< 200 cut=3\nabcdef\n");
  ASSERT_TRUE(made) << made.error().message;
  RecordedServer server(*made, {});
  const auto client = net::HttpClient::make({.url = server.url()});
  const auto get = [&](const std::string& target) { return (*client)->send({.target = target}); };
  EXPECT_EQ(get("/a")->headers.at("retry-after"), "2");
  EXPECT_EQ(get("/a")->body, "yes\n");
  EXPECT_EQ(get("/a")->body, "1\n2\n");
  EXPECT_FALSE(get("/cut"));
  EXPECT_EQ(get("/other")->status, 501);
  const auto asked = server.asked();
  ASSERT_EQ(asked.size(), 5U);
  EXPECT_EQ(asked[2].phase, "late");
  EXPECT_FALSE(asked[4].is_recorded);
  EXPECT_THROW(server.enter("never"), std::logic_error);
}

TEST_F(RecordingTest, CommandsPlayIt) {
  const auto made = read("> squeue -h *\n< 0\none\n< 3 then=late\n! wrong\n== late\n> squeue *\n< 0\nlate\n");
  ASSERT_TRUE(made) << made.error().message;
  const RecordedCommands commands(*made, folder_ / "box");
  const auto run = [&](const std::string& words) {
    const auto line =
        (commands.bin_dir() / "squeue").string() + " " + words + " > " + (folder_ / "out").string() + " 2>&1";
    const int status = std::system(line.c_str());
    std::string text;
    std::getline(std::ifstream(folder_ / "out"), text, '\0');
    return std::to_string(WEXITSTATUS(status)) + " " + text;
  };
  EXPECT_EQ(run("-h '*'"), "0 one\n");
  EXPECT_EQ(run("-h x"), "3 wrong\n");
  EXPECT_EQ(run("-h x"), "0 late\n");
  commands.enter("");
  EXPECT_EQ(run("-a"), "98 not in the recording: squeue -a\n");
  ASSERT_EQ(commands.asked().size(), 4U);
  EXPECT_EQ(commands.asked()[2].phase, "late");
  EXPECT_FALSE(commands.asked()[3].is_recorded);
}

// A recording without a test tests nothing.
TEST(Recordings, EachIsPlayed) {
  const fs::path source = YM_SOURCE_DIR;
  std::string tests;
  for (const auto& entry : fs::recursive_directory_iterator(source / "src/executor/testing/recorded_responses"))
    if (entry.path().extension() == ".cc") {
      std::string text;
      std::getline(std::ifstream(entry.path()), text, '\0');
      tests += text;
    }
  for (const auto& entry : fs::recursive_directory_iterator(source / "tests/recorded_responses")) {
    const auto name = entry.path().stem().string();
    if (entry.path().extension() != ".txt" || name == "base") continue;
    EXPECT_TRUE(read_recording(entry.path())) << entry.path();
    EXPECT_NE(tests.find("\"" + name + "\""), std::string::npos) << entry.path() << " is played by no test";
  }
}

}  // namespace
}  // namespace ym::recorded
