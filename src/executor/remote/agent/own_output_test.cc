#include "executor/remote/agent/own_output.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace ym::remote {
namespace {

namespace fs = std::filesystem;

std::string kept(const std::string& path) { return output_on_this_machine({{"YM_TASK_OUTPUT", path}}); }

TEST(OwnOutput, IsWrittenToAtOnceWhereItIsAFileOfThisMachine) {
  std::string name = (fs::temp_directory_path() / "ym-output-XXXXXX").string();
  const fs::path root = ::mkdtemp(name.data());
  const auto file = (root / "0.log").string(), pipe = (root / "pipe").string();
  EXPECT_EQ(kept(file), "") << "it could not be made";
  std::ofstream(file) << "x";
  EXPECT_EQ(kept(file), file);
  fs::create_symlink(file, root / "link");
  EXPECT_EQ(kept(root / "link"), "") << "a writer of logs follows no links";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(kept(pipe), "") << "it may have no reader";
  EXPECT_EQ(kept("/proc/self/status"), "") << "as of any file system that is not known to be one of a disk";
  EXPECT_EQ(output_on_this_machine({}), "");
  fs::remove_all(root);
}

}  // namespace
}  // namespace ym::remote
