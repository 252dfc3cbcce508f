#include "spec/files/configuration_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace ym {
namespace {

namespace fs = std::filesystem;

class ConfigurationFile : public ::testing::Test {
 protected:
  ConfigurationFile() {
    std::string made = fs::temp_directory_path() / "ym-spec-XXXXXX";
    folder_ = ::mkdtemp(made.data());
  }
  ~ConfigurationFile() override { fs::remove_all(folder_); }

  std::string write(const std::string& text) {
    const auto path = (folder_ / "ym.yaml").string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  fs::path folder_;
};

TEST_F(ConfigurationFile, WithoutAPathIsEmpty) {
  EXPECT_TRUE(load_configuration(""));
  EXPECT_TRUE(reload_configuration(""));
}

TEST_F(ConfigurationFile, ErrorsNameTheFile) {
  const auto path = write("queues: 7\n");
  for (const auto& read : {load_configuration(path), reload_configuration(path),
                           load_configuration((folder_ / "none").string()), load_configuration(folder_.string())}) {
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::invalid);
    EXPECT_TRUE(read.error().message.contains(folder_.string())) << read.error().message;
  }
}

// An empty file may be one that is not written yet. `{}` says that the defaults are meant.
TEST_F(ConfigurationFile, ThatSaysNothingIsRefused) {
  for (const auto* text : {"", "\n", "# only a comment\n", "---\n# so is this\n"})
    EXPECT_FALSE(load_configuration(write(text))) << text;
  EXPECT_TRUE(load_configuration(write("{}\n")));
}

TEST_F(ConfigurationFile, ThatMayBeCutOffIsRefusedWhileAnotherIsInForce) {
  const auto path = write("scheduling: {age_cap: 1h}");
  EXPECT_TRUE(load_configuration(path));
  EXPECT_FALSE(reload_configuration(path));
  EXPECT_TRUE(reload_configuration(write("scheduling: {age_cap: 1h}\n")));
}

TEST_F(ConfigurationFile, OfAPolicyHasQueuesAndSettings) {
  const auto policy = load_policy(write("scheduling: {age_cap: 1h}\nqueues: [{name: a}]\n"));
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_EQ(policy->queues.queues.front().name, "a");
}

}  // namespace
}  // namespace ym
