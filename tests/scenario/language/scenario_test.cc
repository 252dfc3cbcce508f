// One test for each file tests/scenario/GROUP/NAME.scenario.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "scenario/language/scenario.h"

namespace ym::testing {
namespace {

namespace fs = std::filesystem;

class ScenarioFile : public ::testing::Test {
 public:
  explicit ScenarioFile(fs::path path) : path_(std::move(path)) {}

  void TestBody() override {
    std::ifstream file(path_);
    Scenario scenario;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
      if (number == 1 && !line.starts_with("# ")) ADD_FAILURE_AT(path_.c_str(), 1) << "the rule is said first";
      try {
        scenario.line(line);
      } catch (const std::exception& error) {
        GTEST_MESSAGE_AT_(path_.c_str(), number, error.what(), ::testing::TestPartResult::kFatalFailure) << "\n"
                                                                                                         << line;
        return;
      }
    }
    EXPECT_TRUE(scenario.expected_something()) << path_;
  }

 private:
  fs::path path_;
};

// The name of a test allows fewer characters than a file name.
std::string test_name(std::string text) {
  std::ranges::replace_if(text, [](char c) { return c == '-'; }, '_');
  return text;
}

int register_all() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(YM_SOURCE_DIR) / "tests/scenario"))
    if (entry.path().extension() == ".scenario") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const auto& path : files)
    ::testing::RegisterTest(("Scenario_" + test_name(path.parent_path().filename())).c_str(),
                            test_name(path.stem()).c_str(), nullptr, nullptr, path.c_str(), 1,
                            [path]() -> ::testing::Test* { return new ScenarioFile(path); });
  return static_cast<int>(files.size());
}

const int kFiles = register_all();

TEST(Scenarios, AreThere) { EXPECT_GE(kFiles, 225); }

// A mistake in a scenario is reported, and never counts as a passed test.
void expect_refused(std::string_view lines, const std::string& message) {
  Scenario scenario;
  try {
    for (const auto& line : split(lines, '\n')) scenario.line(line);
    ADD_FAILURE() << "not refused: " << lines;
  } catch (const ScenarioError& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

TEST(Scenarios, SayWhatIsWrong) {
  expect_refused("nodse n1", "'nodse' is not a statement");
  expect_refused("submit j1 gpsu 1", "'gpsu' is not understood here");
  expect_refused("submit j1\nexpect j1 admitted", "nothing was decided yet");
  for (const char* what : {"start", "end", "requeue", "stop", "lost", "regained", "checkpoint"})
    expect_refused(std::string("submit j1\n") + what + " j1", "j1 does not run");
  expect_refused("nodes n1 t4:2\nsubmit j1 gpus 1\ndecide at 1s\nexpect j1 admitted n1:1", "the placement is ' n1:0'");
  expect_refused("nodes n1 t4:2\nsubmit j1 gpus 4\ndecide at 1s\nexpect j1 waits Held",
                 "the reason is ExceedsCapacity");
  expect_refused("nodes n1 t4:2\nsubmit j[1-2] gpus 1\ndecide at 1s\nexpect j1 admitted\nexpect only", "j2 too");
}

}  // namespace
}  // namespace ym::testing
