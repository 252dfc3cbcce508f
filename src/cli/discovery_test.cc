#include "cli/discovery.h"

#include <unistd.h>

#include <fstream>

#include "cli/options/serve_arguments.h"

namespace ym::cli {
namespace {

namespace fs = std::filesystem;

class Discovery : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("ym_discovery_" + std::to_string(::getpid()));
    fs::create_directories(folder_ / "yardmaster");
    variables_["XDG_STATE_HOME"] = folder_.string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / "yardmaster" / name) << text; }
  Result<Discovered> find(const ConnectionFlags& flags = {}) { return discover(flags, reader()); }
  EnvironmentReader reader() {
    return [this](const std::string& name) -> std::optional<std::string> {
      const auto found = variables_.find(name);
      return found == variables_.end() ? std::nullopt : std::optional(found->second);
    };
  }

  fs::path folder_;
  std::map<std::string, std::string> variables_;
};

TEST_F(Discovery, FindsTheLocalServer) {
  write("server.json", R"({"url":"http://127.0.0.1:5","pid":1,"version":"x"})");
  write("admin.token", "local\n");
  const auto found = find();
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->connection.url, "http://127.0.0.1:5");
  EXPECT_EQ(found->connection.token.reveal(), "local");
  EXPECT_FALSE(found->is_explicit);
}

TEST_F(Discovery, FlagsWinOverTheEnvironmentOverTheLocalServer) {
  write("server.json", R"({"url":"http://127.0.0.1:5"})");
  write("admin.token", "local\n");
  variables_["YM_URL"] = "http://b";
  variables_["YM_TOKEN"] = "from-env";
  EXPECT_EQ(find()->connection.url, "http://b");
  EXPECT_EQ(find()->connection.token.reveal(), "from-env");
  EXPECT_TRUE(find()->is_explicit);
  const auto flagged = find({.url = "http://a", .token = "from-flag"});
  EXPECT_EQ(flagged->connection.url, "http://a");
  EXPECT_EQ(flagged->connection.token.reveal(), "from-flag");
}

TEST_F(Discovery, ReadsATokenFile) {
  write("my.token", " abc \n");
  variables_["YM_URL"] = "http://b";
  variables_["YM_TOKEN_FILE"] = (folder_ / "yardmaster/my.token").string();
  EXPECT_EQ(find()->connection.token.reveal(), "abc");
  variables_["YM_TOKEN"] = "wins";
  EXPECT_EQ(find()->connection.token.reveal(), "wins");
  variables_.erase("YM_TOKEN");
  variables_["YM_TOKEN_FILE"] = "/no/such";
  EXPECT_EQ(find().error().code, ErrorCode::unauthenticated);
}

TEST_F(Discovery, KnowsTheOwnerOfTheServerJsonItRead) {
  write("server.json", R"({"url":"http://127.0.0.1:5"})");
  EXPECT_EQ(find()->state, folder_ / "yardmaster");
  EXPECT_EQ(find({.url = "http://elsewhere:5", .token = ""})->state, "");
}

TEST_F(Discovery, TheLocalTokenIsNeverSentToAnotherServer) {
  write("server.json", R"({"url":"http://127.0.0.1:5"})");
  write("admin.token", "local\n");
  EXPECT_TRUE(find({.url = "http://elsewhere:5", .token = ""})->connection.token.empty());
  EXPECT_EQ(find({.url = "http://127.0.0.1:5", .token = ""})->connection.token.reveal(), "local");
}

TEST_F(Discovery, SaysWhatToDoWithoutAServer) {
  EXPECT_EQ(find().error().code, ErrorCode::unavailable);
  EXPECT_THAT(find().error().message, ::testing::HasSubstr("`ym serve`"));
  write("server.json", "{broken");
  EXPECT_EQ(find().error().code, ErrorCode::unavailable);
}

TEST_F(Discovery, StateFolders) {
  variables_ = {{"HOME", "/home/ada"}};
  EXPECT_EQ(*default_state_dir(reader()), "/home/ada/.local/state/yardmaster");
  variables_["XDG_STATE_HOME"] = "relative";
  EXPECT_EQ(*default_state_dir(reader()), "/home/ada/.local/state/yardmaster");
  variables_["XDG_STATE_HOME"] = "/x";
  EXPECT_EQ(*default_state_dir(reader()), "/x/yardmaster");
  variables_["YM_STATE"] = "/s";
  EXPECT_EQ(*default_state_dir(reader()), "/s");
  variables_.clear();
  EXPECT_EQ(default_state_dir(reader()).error().code, ErrorCode::invalid);
}

TEST(Listen, ReadsHostAndPort) {
  EXPECT_EQ(*parse_listen("127.0.0.1:0"), (std::pair<std::string, std::uint16_t>("127.0.0.1", 0)));
  EXPECT_EQ(*parse_listen("[::1]:8470"), (std::pair<std::string, std::uint16_t>("::1", 8470)));
  EXPECT_EQ(parse_listen("localhost:1")->first, "127.0.0.1");
  for (const auto* bad : {"", "8470", ":1", "a:", "a:70000", "a:x", "a:-1"}) EXPECT_FALSE(parse_listen(bad)) << bad;
}

}  // namespace
}  // namespace ym::cli
