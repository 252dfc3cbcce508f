// The batch script as a shell runs it: owner and mode of the logs.
#include "executor/slurm/jobs/script.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace ym::slurm {
namespace {

namespace fs = std::filesystem;

class RunScript : public ::testing::Test {
 protected:
  RunScript() {
    std::string name = (fs::temp_directory_path() / "ym-script-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    fs::create_directories(folder_ / "it's logs");
    program("wrapper", "umask");
    program("srun", "umask");
  }
  ~RunScript() override {
    ::umask(before_);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  void program(const char* name, const std::string& lines) const {
    std::ofstream(folder_ / name) << "#!/bin/sh\n" << lines << "\n";
    fs::permissions(folder_ / name, fs::perms{0755});
  }
  // Its exit status.
  int run(const Part& part, bool step) const {
    const AgentContact contact{.task_url = "http://s", .token = Secret{"t"}, .launch = {JobId{1}, 1, 7}};
    const SlurmOptions options{.wrapper = folder_ / "wrapper", .log_dir = folder_ / "it's logs"};
    std::ofstream(folder_ / "script") << make_script(part, contact, options, step, true);
    const auto line = "cd " + folder_.string() + " && PATH=$PWD:$PATH sh script > out";
    return std::system(line.c_str());
  }
  std::string content(const fs::path& file) const {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  fs::path logs() const { return log_folder(folder_ / "it's logs", {JobId{1}, 1}); }
  static unsigned mode(const fs::path& path) { return static_cast<unsigned>(fs::status(path).permissions()); }

  const mode_t before_ = ::umask(0002);
  fs::path folder_;
};

TEST_F(RunScript, LogsAreTheirOwnersAloneAndUserCodesUmaskIsAsItWas) {
  ASSERT_EQ(run({.first_task = 2, .nodes = {"n1"}}, false), 0);
  EXPECT_EQ(mode(logs()), 0700U);
  EXPECT_EQ(mode(logs().parent_path()), 0700U);
  EXPECT_EQ(mode(logs() / "2+0.log"), 0600U);
  EXPECT_EQ(content(logs() / "2+0.log"), "0002\n");
}

// Slurm opens them for the tasks of a step, with the umask of the job: they exist before.
TEST_F(RunScript, SoAreThoseOfAStep) {
  ASSERT_EQ(run({.tasks_per_node = 2, .nodes = {"n1", "n2"}}, true), 0);
  EXPECT_EQ(mode(logs()), 0700U);
  for (const char* name : {"0+0.log", "0+1.log", "0+2.log", "0+3.log"}) EXPECT_EQ(mode(logs() / name), 0600U) << name;
  EXPECT_FALSE(fs::exists(logs() / "0+4.log"));
  EXPECT_EQ(content(folder_ / "out"), "0002\n");
}

std::string script_by(const std::string& wrapper, const std::string& logs = "/l", bool step = false) {
  const AgentContact contact{.task_url = "http://s", .token = Secret{"it's"}, .launch = {JobId{1}, 1, 7}};
  return make_script({.first_task = 2, .nodes = {"n1"}}, contact, {.wrapper = wrapper, .log_dir = logs}, step, true);
}

// Saves starting a program for each job (remote/agent/script_settings.h).
TEST(Script, OfOneTaskIsReadByTheAgentItself) {
  EXPECT_EQ(script_by("/opt/ym-task"),
            "#!/opt/ym-task\n"
            "export YM_TASK_URL='http://s'\n"
            "export YM_TASK_TOKEN='it'\\''s'\n"
            "export YM_LAUNCH_TOKEN='00000001.1.7'\n"
            "export YM_TASK_BASE='2'\n"
            "export YM_TASK_GPUS_PER_TASK='0'\n"
            "export YM_TASK_OUTPUT='/l/00000001/1/2+0.log'\n");
  EXPECT_TRUE(script_by("/opt/ym-task", "").ends_with("export YM_TASK_OUTPUT='/dev/null'\n"));
}

TEST(Script, AShellReadsItWhereTheAgentMayNot) {
  const std::string deep = "/" + std::string(112, 'd') + "/ym-task";
  for (const std::string& wrapper : {std::string("/opt/my-wrapper"), std::string("/opt/with blank/ym-task"), deep})
    EXPECT_TRUE(script_by(wrapper).starts_with("#!/bin/sh\n")) << wrapper;
  EXPECT_TRUE(script_by("/opt/ym-task", "/l", true).starts_with("#!/bin/sh\n")) << "srun starts the agents of a step";
}

TEST_F(RunScript, WithoutAPlaceForLogsNothingIsStarted) {
  std::ofstream(logs().parent_path()) << "in the way";
  const int status = run({.nodes = {"n1"}}, false);
  EXPECT_EQ(WEXITSTATUS(status), kNoLogFolder);
}

}  // namespace
}  // namespace ym::slurm
