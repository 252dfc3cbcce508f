#include "executor/kubernetes/api/credentials.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "base/testing/sentences.h"
#include "executor/kubernetes/api/run_program.h"

namespace ym::kubernetes {
namespace {

class HandClock final : public Clock {
 public:
  Instant now() const override { return at; }
  Instant at{1'800'000'000'000};
};

class CredentialsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::path(::testing::TempDir()) / ("cred" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  // A plugin that counts its runs and prints the content of `reply`.
  Access plugin() const {
    write("plugin", "#!/bin/sh\nprintf x >> " + (folder / "runs").string() +
                        "\nprintf %s \"$KUBERNETES_EXEC_INFO\" > " + (folder / "info").string() + "\ncat " +
                        (folder / "reply").string() + "\n");
    std::filesystem::permissions(folder / "plugin", std::filesystem::perms::owner_all);
    Access access{.server = "https://x"};
    access.identity.exec = ExecPlugin{.api_version = "client.authentication.k8s.io/v1",
                                      .argv = {(folder / "plugin").string()},
                                      .env = {},
                                      .install_hint = "get the plugin",
                                      .provide_cluster_info = true};
    return access;
  }
  std::size_t runs() const {
    return std::filesystem::exists(folder / "runs") ? std::filesystem::file_size(folder / "runs") : 0;
  }
  std::string reply(const std::string& token, Instant expires) const {
    return R"({"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":")" + token +
           R"(","expirationTimestamp":")" + to_rfc3339(expires) + "\"}}";
  }
  std::filesystem::path folder;
  HandClock clock;
};

TEST_F(CredentialsTest, ATokenFileIsReadAgain) {
  write("token", "one\n");
  Access access;
  access.identity.token_file = folder / "token";
  Credentials credentials(access, clock);
  EXPECT_EQ(credentials.current()->token.reveal(), "one");
  write("token", "two\n");
  EXPECT_EQ(credentials.current()->token.reveal(), "one");
  clock.at = clock.at + minutes(1);
  EXPECT_EQ(credentials.current()->token.reveal(), "two");
}

TEST_F(CredentialsTest, APluginIsAskedAgainWhenWhatItGaveExpires) {
  auto access = plugin();
  write("reply", reply("one", clock.at + minutes(10)));
  Credentials credentials(access, clock);
  ASSERT_EQ(credentials.current()->token.reveal(), "one");
  EXPECT_EQ(credentials.current()->token.reveal(), "one");
  EXPECT_EQ(runs(), 1U);
  std::ifstream info(folder / "info");
  const std::string said{std::istreambuf_iterator<char>(info), {}};
  EXPECT_NE(said.find(R"("server":"https://x")"), std::string::npos) << said;
  write("reply", reply("two", clock.at + minutes(20)));
  clock.at = clock.at + minutes(10);
  EXPECT_EQ(credentials.current()->token.reveal(), "two");
  EXPECT_EQ(runs(), 2U);
}

TEST_F(CredentialsTest, ARefusedOneIsMadeAnewButNotInALoop) {
  auto access = plugin();
  write("reply", reply("one", clock.at + minutes(10)));
  Credentials credentials(access, clock);
  ASSERT_TRUE(credentials.current());
  credentials.refused();
  ASSERT_TRUE(credentials.current());
  EXPECT_EQ(runs(), 1U);
  clock.at = clock.at + seconds(6);
  credentials.refused();
  ASSERT_TRUE(credentials.current());
  EXPECT_EQ(runs(), 2U);
}

TEST_F(CredentialsTest, APluginThatFailsIsSaidAndWhatItGaveIsKeptWhileGood) {
  auto access = plugin();
  write("reply", reply("one", clock.at + minutes(10)));
  Credentials credentials(access, clock);
  ASSERT_TRUE(credentials.current());
  write("reply", "nonsense with a secret");
  clock.at = clock.at + minutes(10) - seconds(10);
  EXPECT_EQ(credentials.current()->token.reveal(), "one");
  clock.at = clock.at + minutes(1);
  const auto none = credentials.current();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message.find("secret"), std::string::npos);
}

TEST(ExecCredential, IsReadWithErrorsThatNameTheField) {
  const std::string v1 = "client.authentication.k8s.io/v1";
  const auto read = [&](const std::string& text) { return read_exec_credential(text, v1); };
  EXPECT_FALSE(read("{}"));
  EXPECT_FALSE(read(R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1"})"));
  EXPECT_FALSE(read(R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{}})"));
  const auto half = read(
      R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"clientCertificateData":"x"}})");
  ASSERT_FALSE(half);
  EXPECT_EQ(half.error().fields[0].pointer, "/status");
}

TEST(RunProgram, SaysHowItFailedAndNeverWhatWasWritten) {
  EXPECT_EQ(run_program({"printf", "a b"}, {}, seconds(10)), "a b");
  EXPECT_EQ(run_program({"sh", "-c", "printf \"$X\""}, {{"X", "y"}}, seconds(10)), "y");
  const auto expect_failure = [](std::vector<std::string> argv, Duration most) {
    ym::testing::expect_refused(run_program(argv, {}, most), ErrorCode::unavailable);
  };
  expect_failure({"sh", "-c", "echo secret; exit 3"}, seconds(10));
  expect_failure({"/no/such/program"}, seconds(10));
  expect_failure({"sh", "-c", "sleep 100"}, {200});
  expect_failure({"sh", "-c", "yes"}, seconds(30));
}

}  // namespace
}  // namespace ym::kubernetes
