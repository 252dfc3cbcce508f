#include "executor/remote/agent/user_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "executor/remote/agent/exit_status.h"
#include "executor/remote/agent/retained_reports.h"

namespace ym::remote {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

class UserCode : public ::testing::Test {
 protected:
  UserCode() {
    std::string name = (std::filesystem::temp_directory_path() / "ym-user-XXXXXX").string();
    config_.temp_folder = ::mkdtemp(name.data());
    config_.token = {JobId{7}, 1, 3};
    config_.user_env = {{"HOME", "/home/ann"}, {"A", "of the node"}, {"EMPTY", ""}};
  }
  ~UserCode() override {
    std::error_code ignored;
    std::filesystem::remove_all(config_.temp_folder, ignored);
  }
  local::LaunchRecord record(const TaskLaunch& launch, std::optional<Checkpoint> from = {}) {
    auto folder = make_task_folder(config_);
    EXPECT_TRUE(folder) << folder.error().message;
    folder_ = std::move(*folder);
    return make_record(launch,
                       {.config = config_, .folder = folder_, .has_token = true, .resumes_from = std::move(from)});
  }

  TaskConfig config_;
  TaskFolder folder_;
};

TEST_F(UserCode, TheLaunchGoesOverTheNodeAndTheFilesOverBoth) {
  const auto made = record({.argv = {"x"}, .env = {{"A", "of the job"}, {"YM_TOKEN_FILE", "elsewhere"}}},
                           Checkpoint{.uri = "/c/1", .step = 12, .durable_at = {1}, .attempt = 1});
  for (const auto& pair : std::vector<std::string>{
           "HOME=/home/ann", "A=of the job", "YM_TOKEN_FILE=" + folder_.path + "/token",
           "YM_NOTICE_FILE=" + folder_.path + "/0/user/notice", "YM_PROGRESS_FILE=" + folder_.path + "/0/user/progress",
           "YM_RESUME_FROM=/c/1", "YM_RESUME_STEP=12"})
    EXPECT_THAT(made.env, Contains(pair));
  EXPECT_EQ(made.workdir, std::filesystem::current_path());
}

TEST_F(UserCode, VariablesOfTheNodeAreFilledIn) {
  const auto made = record({.argv = {"x", node_value("HOME") + "/y" + node_value("A"), node_value("YM_RESUME_FROM"),
                                     node_value("EMPTY"), "", "$HOME",
                                     "\x1f"
                                     "cut"},
                            .env = {{"OUT", node_value("HOME") + "/out"}}});
  EXPECT_THAT(made.argv, ElementsAre("x", "/home/ann/yof the node", "", "$HOME",
                                     "\x1f"
                                     "cut"));
  EXPECT_THAT(made.env, Contains("OUT=/home/ann/out"));
}

TEST_F(UserCode, AFolderServesOnce) {
  config_.folder = config_.temp_folder + "/given";
  const auto first = make_task_folder(config_);
  ASSERT_TRUE(first) << first.error().message;
  std::ofstream(config_.folder + "/launch") << "x";
  EXPECT_EQ(make_task_folder(config_).error().code, ErrorCode::conflict);
  first->remove();
  EXPECT_TRUE(std::filesystem::exists(config_.folder)) << "the caller owns it";
}

TEST_F(UserCode, AFolderThatOthersMayWriteIsRefused) {
  config_.folder = config_.temp_folder + "/open";
  std::filesystem::create_directory(config_.folder);
  std::filesystem::permissions(config_.folder, std::filesystem::perms::all);
  EXPECT_FALSE(make_task_folder(config_));
}

TEST(ExitStatus, IsUserCodesOwnOrNoSuccess) {
  EXPECT_EQ(exit_status({.by = EndedBy::exit, .exit_code = 0}), 0);
  EXPECT_EQ(exit_status({.by = EndedBy::exit, .exit_code = 7}), 7);
  EXPECT_EQ(exit_status({.by = EndedBy::signal, .signal = 11}), 139);
  EXPECT_EQ(exit_status({.by = EndedBy::oom, .signal = 9}), 137);
  EXPECT_EQ(exit_status({.by = EndedBy::time_limit, .exit_code = 0}), 124);
  EXPECT_EQ(exit_status({.by = EndedBy::preempted, .exit_code = 0}), 143);
  EXPECT_EQ(exit_status({.by = EndedBy::lost, .exit_code = 0}), 143);
  EXPECT_EQ(exit_status({.by = EndedBy::lost}), 137);
  EXPECT_EQ(exit_status({.by = EndedBy::start_failed}), kNotRunExit);
}

std::vector<std::int64_t> numbers(const std::vector<RawProgress>& reports) {
  std::vector<std::int64_t> list;
  for (const auto& report : reports) list.push_back(report.number);
  return list;
}

TEST(RetainedReports, KeepsWhatLasts) {
  RetainedReports retained;
  retained.put({.number = 1, .at = {}, .text = "{\"checkpoint\": {}}"});
  for (int n = 2; n <= 20; ++n) retained.put({.number = n, .at = {}, .text = "{\"step\": 1}"});
  EXPECT_THAT(numbers(retained.after(0)), ElementsAre(1, 14, 15, 16, 17, 18, 19, 20));
  EXPECT_THAT(numbers(retained.after(18)), ElementsAre(19, 20));
  retained.put({.number = 20, .at = {}, .text = "again"});
  EXPECT_EQ(retained.after(19).back().text, "{\"step\": 1}");
}

TEST(RetainedReports, OfCheckpointsTheNewestAreKept) {
  RetainedReports retained;
  for (int n = 1; n <= 30; ++n) retained.put({.number = n, .at = {}, .text = "{\"checkpoint\": {}}"});
  EXPECT_THAT(numbers(retained.after(0)), ElementsAre(23, 24, 25, 26, 27, 28, 29, 30));
}

}  // namespace
}  // namespace ym::remote
