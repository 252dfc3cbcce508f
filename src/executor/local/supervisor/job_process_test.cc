#include "executor/local/supervisor/job_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "executor/local/attempt/testing/folder.h"

namespace ym::local {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ExecFailure : public ::testing::Test {
 protected:
  std::string file(const std::string& content) {
    const auto path = folder_.path / "file";
    std::ofstream(path) << content;
    return path;
  }
  TestFolder folder_;
};

TEST(Candidates, APathIsTakenAsItIs) {
  EXPECT_THAT(candidates("./x", {"PATH=/a"}), ElementsAre("./x"));
  EXPECT_THAT(candidates("/x", {"PATH=/a"}), ElementsAre("/x"));
}

TEST(Candidates, ANameIsLookedForInTheJobsPath) {
  EXPECT_THAT(candidates("x", {"PATH=/a::/b/"}), ElementsAre("/a/x", "./x", "/b//x"));
  EXPECT_THAT(candidates("x", {"PATH=/a", "PATH=/b"}), ElementsAre("/b/x"));
  EXPECT_THAT(candidates("", {"PATH=/a"}), ElementsAre());
}

TEST_F(ExecFailure, WindowsLineEndings) {
  EXPECT_THAT(explain_exec_failure("./x", file("#!/bin/sh\r\necho\r\n"), ENOENT), HasSubstr("Windows line endings"));
}

TEST_F(ExecFailure, AnInterpreterThatIsNotThere) {
  EXPECT_THAT(explain_exec_failure("./x", file("#! /no/python -u\n"), ENOENT),
              HasSubstr("interpreter '/no/python' is not"));
}

TEST_F(ExecFailure, NotAProgram) {
  EXPECT_THAT(explain_exec_failure("./x", file("import torch\n"), ENOEXEC), HasSubstr("a script that begins with #!"));
}

TEST_F(ExecFailure, OtherwiseTheSystemsWords) {
  EXPECT_EQ(explain_exec_failure("/no/such", "/no/such", ENOENT), "execve /no/such: No such file or directory");
}

}  // namespace
}  // namespace ym::local
