#include "cli/discovery.h"

#include <unistd.h>

#include <fstream>

#include "cli/contexts.h"
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

TEST_F(Discovery, TheContextOfALoginComesBeforeTheLocalServer) {
  write("server.json", R"({"url":"http://127.0.0.1:5"})");
  write("admin.token", "local\n");
  variables_["XDG_CONFIG_HOME"] = folder_.string();
  Contexts contexts{.current = "team", .all = {}};
  contexts.all["team"] = {.url = "https://team", .token = Secret("t"), .fingerprint = "sha256:1"};
  contexts.all["other"] = {.url = "https://other", .token = Secret("o"), .ca_file = "/ca"};
  contexts.all["team2"] = {.url = "https://team", .token = Secret("t2")};
  ASSERT_TRUE(update_contexts(reader(), [&](Contexts& all) { all = contexts; }));
  const auto at = [&](const ConnectionFlags& flags) {
    const auto found = find(flags).value();
    return found.connection.url + " " + found.connection.token.reveal() + " " + found.connection.ca_file +
           found.connection.fingerprint;
  };
  EXPECT_EQ(at({}), "https://team t sha256:1");
  EXPECT_TRUE(find()->is_explicit);
  EXPECT_EQ(at({.context = "other"}), "https://other o /ca");
  EXPECT_EQ(at({.context = "team2"}), "https://team t2 ") << "the named one of two at one address";
  EXPECT_EQ(at({.url = "https://other"}), "https://other o /ca") << "by the address";
  EXPECT_EQ(at({.url = "https://elsewhere"}), "https://elsewhere  ") << "no token goes to another server";
  EXPECT_EQ(at({.url = "https://team/"}), "https://team t sha256:1");
  EXPECT_EQ(at({.token = "mine", .context = "team"}), "https://team mine sha256:1");
  EXPECT_EQ(find({.token = "mine"}).error().code, ErrorCode::invalid) << "it may be for another server";
  EXPECT_EQ(find({.url = "https://team", .context = "team"}).error().code, ErrorCode::invalid);
  EXPECT_EQ(at({.ca_file = "/mine"}), "https://team t /mine");
  EXPECT_EQ(find({.context = "none"}).error().code, ErrorCode::invalid);
  variables_["YM_CONTEXT"] = "other";
  EXPECT_EQ(at({}), "https://other o /ca");
  variables_["YM_URL"] = "https://elsewhere";
  EXPECT_EQ(at({}), "https://elsewhere  ");
  EXPECT_EQ(at({.context = "team"}), "https://team t sha256:1") << "a flag comes before a variable";
  variables_.erase("YM_URL");
  variables_.erase("YM_CONTEXT");
  variables_["YM_STATE"] = (folder_ / "yardmaster").string();
  EXPECT_EQ(at({}), "http://127.0.0.1:5 local ") << "a state folder that is named says which server is meant";
}

TEST_F(Discovery, ContextsAreInAFileOfTheUserAlone) {
  variables_["HOME"] = folder_.string();
  ASSERT_TRUE(update_contexts(reader(), [](Contexts& all) {
    all = {.current = "a", .all = {{"a", {.url = "http://a", .token = Secret("x")}}}};
  }));
  const auto file = folder_ / ".config/yardmaster/contexts.json";
  EXPECT_EQ(fs::status(file).permissions() & fs::perms::mask, fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(read_contexts(reader())->all.at("a").token.reveal(), "x");
  for (const auto* bad :
       {"", "{", "[]", R"({"contexts": 3})", R"({"contexts": {"a": 5}})", R"({"contexts":{}, "current":"x"})"}) {
    std::ofstream(file) << bad;
    EXPECT_EQ(find().error().code, ErrorCode::invalid) << bad;
    EXPECT_TRUE(find({.url = "http://b", .token = "t"})) << "nothing of the file is needed";
  }
  fs::remove(file);
  EXPECT_EQ(find().error().code, ErrorCode::unavailable);
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
