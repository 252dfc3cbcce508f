#include <unistd.h>

#include <filesystem>

#include "cli/contexts.h"
#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class Login : public ::testing::Test {
 protected:
  Login() {
    fake.variables = {{"HOME", folder_.string()}};
    fake.server.set("GET /api/v1/whoami",
                    {.status = 200, .body = R"({"user":"ann","token":{"id":"t1"},"bindings":[]})"});
  }
  ~Login() override { fs::remove_all(folder_); }
  int with(const std::string& token, std::vector<std::string> words) {
    fake.in = std::istringstream(token);
    return fake.run(std::move(words));
  }
  Contexts kept() { return read_contexts(fake.session.environment).value(); }

  FakeSession fake;

 private:
  const fs::path folder_ = fs::path(::testing::TempDir()) / ("ym_login_" + std::to_string(::getpid()));
};

TEST_F(Login, KeepsTheServerAndTheToken) {
  EXPECT_EQ(with("secret\n", {"login", "https://ym.example:8470/", "--with-token", "--fingerprint", "sha256:1"}), 0);
  EXPECT_EQ(kept().current, "ym.example");
  const auto context = kept().all.at("ym.example");
  EXPECT_EQ(context.url, "https://ym.example:8470");
  EXPECT_EQ(context.token.reveal(), "secret");
  EXPECT_EQ(context.fingerprint, "sha256:1");
  EXPECT_THAT(fake.out.str(), Not(HasSubstr("secret")));
  fake.connections.clear();
  fake.run({"whoami"});
  EXPECT_EQ(fake.connections.at(0).url, "https://ym.example:8470");
  EXPECT_EQ(fake.connections.at(0).token.reveal(), "secret");
}

TEST_F(Login, KeepsNothingThatTheServerRefuses) {
  fake.server.set("GET /api/v1/whoami", {.status = 401, .body = R"({"code":"unauthenticated","detail":"no"})"});
  EXPECT_EQ(with("wrong\n", {"login", "https://ym.example", "--with-token"}), 4);
  EXPECT_TRUE(kept().all.empty());
}

TEST_F(Login, SendsNoTokenByHttpToAnotherMachine) {
  EXPECT_EQ(with("x\n", {"login", "http://ym.example", "--with-token"}), 2);
  EXPECT_TRUE(fake.connections.empty());
  EXPECT_EQ(with("x\n", {"login", "http://127.0.0.1:1", "--with-token"}), 0);
  EXPECT_EQ(with("x\n", {"login", "http://ym.example", "--with-token", "--plain-http"}), 0);
}

TEST_F(Login, TwoServersOfOneHostHaveTwoNames) {
  with("a\n", {"login", "https://a.example:1", "--with-token"});
  with("b\n", {"login", "https://a.example:2", "--with-token"});
  with("c\n", {"login", "https://a.example:1", "--with-token"});
  EXPECT_EQ(kept().all.size(), 2u);
  EXPECT_EQ(kept().all.at("a.example").token.reveal(), "c");
  EXPECT_EQ(kept().all.at("a.example:2").token.reveal(), "b");
}

TEST_F(Login, NeedsAServerAndAToken) {
  EXPECT_EQ(with("", {"login", "https://ym.example", "--with-token"}), 2);
  EXPECT_EQ(with("x\n", {"login", "--with-token"}), 2);
  EXPECT_EQ(with("x\n", {"login", "ym.example", "--with-token"}), 2);
  EXPECT_EQ(with("x\n", {"login", "https://ym.example"}), 2);
  EXPECT_TRUE(kept().all.empty());
}

TEST_F(Login, HasSeveralServers) {
  with("a\n", {"login", "https://a.example", "--with-token"});
  with("b\n", {"login", "https://b.example", "--with-token", "--name", "b"});
  EXPECT_EQ(kept().current, "b");
  EXPECT_EQ(fake.run({"context", "use", "a.example"}), 0);
  EXPECT_EQ(kept().current, "a.example");
  EXPECT_EQ(fake.run({"context", "use", "none"}), 2);
  fake.out.str("");
  EXPECT_EQ(fake.run({"context", "list", "-o", "name"}), 0);
  EXPECT_EQ(fake.out.str(), "a.example\nb\n");
  EXPECT_EQ(fake.run({"context", "delete", "a.example"}), 0);
  EXPECT_EQ(kept().current, "");
  EXPECT_EQ(kept().all.size(), 1u);
}

TEST_F(Login, LogoutRevokesTheTokenAndForgetsIt) {
  with("a\n", {"login", "https://a.example", "--with-token"});
  fake.server.set("DELETE /api/v1/tokens/t1", {.status = 200, .body = R"({"id":"t1"})"});
  EXPECT_EQ(fake.run({"logout"}), 0);
  EXPECT_TRUE(kept().all.empty());
  EXPECT_EQ(fake.run({"logout"}), 2) << "there is none any more";
}

TEST_F(Login, LogoutForgetsTheTokenAlsoIfTheServerIsAway) {
  with("a\n", {"login", "https://a.example", "--with-token"});
  fake.server.set("GET /api/v1/whoami", {.status = 503, .body = R"({"code":"unavailable","detail":"away"})"});
  EXPECT_EQ(fake.run({"logout"}), 6);
  EXPECT_TRUE(kept().all.empty());
  EXPECT_THAT(fake.err.str(), HasSubstr("stays valid"));
}

}  // namespace
}  // namespace ym::cli
