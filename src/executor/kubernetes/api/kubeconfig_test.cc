#include "executor/kubernetes/api/kubeconfig.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace ym::kubernetes {
namespace {

const std::string kPlain = R"(
apiVersion: v1
kind: Config
current-context: one
contexts:
- name: one
  context: {cluster: c1, user: u1, namespace: train}
- name: two
  context: {cluster: c2, user: u2}
clusters:
- name: c1
  cluster: {server: "https://one:6443/", certificate-authority-data: Y2EtcGVt}
- name: c2
  cluster: {server: "https://two", insecure-skip-tls-verify: true, tls-server-name: api}
users:
- name: u1
  user: {token: tok}
- name: u2
  user:
    client-certificate-data: Y2VydA==
    client-key-data: a2V5
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./plugin
      args: [get, --token]
      env: [{name: A, value: b}]
      provideClusterInfo: true
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string pointer_of(const Result<Access>& result) {
  return result || result.error().fields.empty() ? "" : result.error().fields[0].pointer;
}

TEST(Kubeconfig, ItsCurrentContextIsReadUnlessOneIsNamed) {
  const auto one = parse_kubeconfig(kPlain, "/etc/k", "");
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(one->server, "https://one:6443");
  EXPECT_EQ(one->ca, "ca-pem");
  EXPECT_EQ(one->name_space, "train");
  EXPECT_EQ(one->identity.token.reveal(), "tok");
  EXPECT_TRUE(one->verify);
  const auto two = parse_kubeconfig(kPlain, "/etc/k", "two");
  ASSERT_TRUE(two) << two.error().message;
  EXPECT_FALSE(two->verify);
  EXPECT_EQ(two->server_name, "api");
  EXPECT_EQ(two->name_space, "default");
  EXPECT_EQ(two->identity.certificate.reveal(), "cert");
  EXPECT_EQ(two->identity.key.reveal(), "key");
  ASSERT_TRUE(two->identity.exec);
  EXPECT_EQ(two->identity.exec->argv, (std::vector<std::string>{"/etc/k/./plugin", "get", "--token"}));
  EXPECT_EQ(two->identity.exec->env.at("A"), "b");
}

TEST(Kubeconfig, FilesThatItNamesAreRelativeToIt) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / ("kc" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "ca.pem") << "CA";
  auto text = replaced(kPlain, "certificate-authority-data: Y2EtcGVt", "certificate-authority: ca.pem");
  text = replaced(text, "{token: tok}", "{tokenFile: token}");
  std::ofstream(folder / "config") << text;
  const auto access = read_kubeconfig(folder / "config", "");
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->ca, "CA");
  EXPECT_EQ(access->identity.token_file, folder / "token");
  std::filesystem::remove(folder / "ca.pem");
  const auto missing = read_kubeconfig(folder / "config", "");
  EXPECT_EQ(pointer_of(missing), "/clusters/0/cluster/certificate-authority");
  EXPECT_EQ(missing.error().code, ErrorCode::io);
}

TEST(Kubeconfig, ErrorsNameTheField) {
  EXPECT_EQ(pointer_of(parse_kubeconfig(replaced(kPlain, "current-context: one", "x: y"), "/", "")),
            "/current-context");
  EXPECT_EQ(pointer_of(parse_kubeconfig(kPlain, "/", "three")), "/contexts");
  EXPECT_EQ(pointer_of(parse_kubeconfig(replaced(kPlain, "cluster: c1,", "cluster: c9,"), "/", "")), "/clusters");
  EXPECT_EQ(pointer_of(parse_kubeconfig(replaced(kPlain, "user: u1,", "user: u9,"), "/", "")), "/users");
  EXPECT_EQ(pointer_of(parse_kubeconfig(replaced(kPlain, "https://one:6443/", "one"), "/", "")),
            "/clusters/0/cluster/server");
  EXPECT_EQ(pointer_of(parse_kubeconfig(replaced(kPlain, "Y2EtcGVt", "b@d"), "/", "")),
            "/clusters/0/cluster/certificate-authority-data");
  EXPECT_EQ(pointer_of(parse_kubeconfig(replaced(kPlain, "{token: tok}", "{username: a, password: b}"), "/", "")),
            "/users/0/user/username");
  EXPECT_EQ(pointer_of(parse_kubeconfig(replaced(kPlain, "k8s.io/v1\n", "k8s.io/v1alpha1\n"), "/", "two")),
            "/users/1/user/exec/apiVersion");
  EXPECT_EQ(pointer_of(parse_kubeconfig(replaced(kPlain, "    client-key-data: a2V5\n", ""), "/", "two")),
            "/users/1/user");
}

TEST(Kubeconfig, ThatIsNoneIsRefused) {
  for (const auto* text : {"", "[]", "a: &x [*x]", "\x01", "--- {}\n--- {}\n", "{", "contexts: {}\ncurrent-context: x"})
    EXPECT_FALSE(parse_kubeconfig(text, "/", "")) << text;
}

TEST(ServiceAccount, IsReadFromThePodsFolder) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / ("sa" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "ca.crt") << "CA";
  std::ofstream(folder / "namespace") << "train";
  const auto access = in_cluster_access("fd00::1", "443", folder);
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->server, "https://[fd00::1]:443");
  EXPECT_EQ(access->name_space, "train");
  EXPECT_EQ(access->identity.token_file, folder / "token");
  EXPECT_FALSE(in_cluster_access("", "", folder));
}

TEST(Base64, GoesThereAndBack) {
  for (const std::string text : {"", "a", "ab", "abc", "abcd", "\xff\x00\x80"})
    EXPECT_EQ(decode_base64(encode_base64(text)), text);
  EXPECT_EQ(encode_base64("abcd"), "YWJjZA==");
  EXPECT_EQ(decode_base64("YWJj\nZA==\n"), "abcd");
  for (const auto* text : {"a", "a===", "=a", "a*b=", "YQ==YQ=="}) EXPECT_FALSE(decode_base64(text)) << text;
}

}  // namespace
}  // namespace ym::kubernetes
