#include "executor/local/supervisor/job_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "base/testing/sentences.h"
#include "executor/local/attempt/testing/folder.h"

namespace ym::local {
namespace {

using ::testing::ElementsAre;
using ym::testing::expect_sentence;

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
  expect_sentence(explain_exec_failure("./x", file("#!/bin/sh\r\necho\r\n"), ENOENT));
}

TEST_F(ExecFailure, AnInterpreterThatIsNotThere) {
  expect_sentence(explain_exec_failure("./x", file("#! /no/python -u\n"), ENOENT));
}

TEST_F(ExecFailure, NotAProgram) { expect_sentence(explain_exec_failure("./x", file("import torch\n"), ENOEXEC)); }

TEST_F(ExecFailure, OtherwiseTheSystemsWords) { expect_sentence(explain_exec_failure("/no/such", "/no/such", ENOENT)); }

}  // namespace
}  // namespace ym::local
