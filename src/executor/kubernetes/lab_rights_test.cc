// What the cluster shows of itself, and that the manifest's rights are enough and no more.
#include <fmt/format.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "executor/kubernetes/testing/lab_fixture.h"

namespace ym::kubernetes {
namespace {

using testing::eventually;
using testing::LabTest;
using testing::Recorder;

std::optional<Node> node_of(const Recorder& seen, const std::string& name) {
  std::optional<Node> found;
  for (const auto& each : seen.all())
    if (const auto* what = std::get_if<NodesAreSeen>(&each.what))
      for (const auto& node : what->nodes)
        if (node.name == name) found = node;
  return found;
}

std::int64_t usable(const std::optional<Node>& node) {
  return node ? std::ranges::count_if(node->devices, [](const Device& device) { return device.usable(); }) : -1;
}

TEST_F(LabTest, NodesAreSeenAsTheyAreAndAsTheyChange) {
  make(options());
  ASSERT_TRUE(eventually([&] { return usable(node_of(seen, "n9")) == 8; }));
  const auto node = *node_of(seen, "n9");
  EXPECT_EQ(node.gpu_type, "h100");
  EXPECT_EQ(node.cpus, 128'000);
  EXPECT_EQ(node.cluster, "lab");
  EXPECT_TRUE(node.withheld.empty());
  EXPECT_TRUE(node.labels.contains("topology.kube-lab.test/rack"));
  const auto direct = executor->inventory();
  ASSERT_TRUE(direct);
  EXPECT_GE(direct->size(), 20U);
  lab->kubectl("run other -n " + name_space +
               " --image=x --overrides='{\"spec\":{\"nodeName\":\"n9\",\"containers\":[{\"name\":\"c\",\"image\":\"x\","
               "\"resources\":{\"requests\":{\"cpu\":\"3\",\"nvidia.com/gpu\":\"3\"},\"limits\":{\"nvidia.com/"
               "gpu\":\"3\"}}}]}}'");
  EXPECT_TRUE(eventually([&] { return usable(node_of(seen, "n9")) == 5; }));
  EXPECT_EQ(node_of(seen, "n9")->cpus, 125'000);
  lab->kubectl("cordon n9");
  EXPECT_TRUE(eventually([&] { return node_of(seen, "n9")->withheld == "is cordoned"; }));
  lab->kubectl("uncordon n9");
  lab->kubectl("delete pod other -n " + name_space + " --grace-period=1 --wait=false");
  EXPECT_TRUE(eventually([&] { return usable(node_of(seen, "n9")) == 8 && node_of(seen, "n9")->withheld.empty(); }));
}

std::string manifest_for(const std::string& name_space) {
  std::ifstream in(YM_SOURCE_DIR "/deploy/kubernetes/rbac.yaml");
  std::stringstream text;
  text << in.rdbuf();
  auto out = std::regex_replace(text.str(), std::regex("namespace: yardmaster"), "namespace: " + name_space);
  out = std::regex_replace(out, std::regex("yardmaster-capacity"), "yardmaster-capacity-" + name_space);
  return std::regex_replace(out, std::regex("(kind: Namespace\nmetadata:\n  name: )yardmaster"), "$1" + name_space);
}

class Rights : public LabTest {
 protected:
  std::string kubeconfig_of_account() {
    const auto file = ::testing::TempDir() + name_space + "-rbac.yaml";
    std::ofstream(file) << manifest_for(name_space);
    lab->kubectl("apply --server-side --force-conflicts -f " + file);
    return kubeconfig_of("yardmaster");
  }
};

TEST_F(Rights, OfTheManifestAreEnoughForAWholeLife) {
  auto with = options();
  with.kubeconfig = kubeconfig_of_account();
  with.name_space.clear();
  with.log_dir = ::testing::TempDir() + name_space;
  make(with);
  const auto launch = request({"n1"});
  executor->launch(launch);
  ASSERT_TRUE(eventually([&] { return phase_of(launch.token) == "Running"; }));
  claim_and_open(launch);
  ASSERT_TRUE(report(launch.token, 0, remote::TaskReport::State::ended, TaskExit{.by = EndedBy::exit, .exit_code = 0}));
  ASSERT_TRUE(seen.wait_for<TaskHasEnded>(launch.token));
  lab->kubectl("patch pod -n " + name_space + " " + pod_of(launch.token) +
               " --subresource=status -p '{\"status\":{\"phase\":\"Succeeded\"}}'");
  executor->release(launch.token);
  EXPECT_TRUE(eventually([&] { return phase_of(launch.token).empty(); }));
  EXPECT_TRUE(seen.wait([](const auto& all) {
    return std::ranges::any_of(all, [](const auto& each) { return std::holds_alternative<NodesAreSeen>(each.what); });
  }));
}

TEST_F(Rights, OfTheManifestAreNoMoreThanThat) {
  kubeconfig_of_account();
  const auto can = [&](const std::string& what, const std::string& where) {
    return lab
        ->kubectl(fmt::format("auth can-i {} -n {} --as=system:serviceaccount:{}:yardmaster", what, where, name_space))
        .starts_with("yes");
  };
  EXPECT_TRUE(can("create pods", name_space));
  EXPECT_TRUE(can("get pods --subresource=log", name_space));
  EXPECT_FALSE(can("create pods", "default"));
  EXPECT_FALSE(can("delete pods", "kube-system"));
  EXPECT_FALSE(can("get secrets", name_space));
  EXPECT_FALSE(can("create pods --subresource=exec", name_space));
  EXPECT_FALSE(can("patch nodes", name_space));
  EXPECT_FALSE(can("update pods", name_space));
}

// A server that has just started does not know the rights yet: for a moment it forbids what it allows.
TEST_F(Rights, HoldThoughAServerThatComesUpForbidsForAMoment) {
  auto with = options();
  with.kubeconfig = kubeconfig_of_account();
  make(with);
  ASSERT_TRUE(eventually([&] { return executor->requests().contains("watch pods"); }));
  lab->run("apiserver-kill");
  std::vector<LaunchRequest> launches;
  for (int i = 0; i < 10; ++i) executor->launch(launches.emplace_back(request({"n1"})));
  ASSERT_EQ(lab->start_api_server(), "");
  for (const auto& launch : launches) {
    EXPECT_TRUE(eventually([&] { return phase_of(launch.token) == "Running"; }));
    EXPECT_TRUE(seen.of<LaunchRefused>(launch.token).empty());
  }
}

// Without the right to see nodes there are none to place on: the cluster is reported as unavailable, with the reason.
TEST_F(Rights, ThatAreMissingAreSaid) {
  auto with = options();
  with.kubeconfig = kubeconfig_of_account();
  with.unavailable = seconds(2);
  lab->kubectl("delete clusterrolebinding yardmaster-capacity-" + name_space);
  make(with);
  ASSERT_TRUE(seen.wait(
      [](const auto& all) {
        return std::ranges::any_of(all, [](const auto& each) {
          const auto* what = std::get_if<ClusterIsSeen>(&each.what);
          return what && !what->available && what->message.find("nodes") != std::string::npos;
        });
      },
      seconds(60)));
}

TEST_F(Rights, AreThoseThatTheServersManifestStandsOn) {
  lab->kubectl("apply --server-side --force-conflicts -f " YM_SOURCE_DIR "/deploy/kubernetes/rbac.yaml");
  const auto said = lab->kubectl("apply --dry-run=server -f " YM_SOURCE_DIR "/deploy/kubernetes/server.yaml");
  EXPECT_EQ(said.find("status "), std::string::npos) << said;
  for (const char* made : {"configmap/yardmaster", "statefulset.apps/yardmaster", "service/yardmaster"})
    EXPECT_NE(said.find(made), std::string::npos) << said;
  EXPECT_EQ(said.find("unknown field"), std::string::npos) << said;
}

class Identities : public LabTest {
 protected:
  std::string kubeconfig_with(const std::string& user) const {
    const auto file = ::testing::TempDir() + name_space + "-user.yaml";
    std::ofstream(file) << fmt::format(
        R"({{"apiVersion": "v1", "kind": "Config", "current-context": "c",
 "contexts": [{{"name": "c", "context": {{"cluster": "c", "user": "u"}}}}],
 "clusters": [{{"name": "c", "cluster": {{"server": "{}", "certificate-authority": "{}/etc/ca.crt"}}}}],
 "users": [{{"name": "u", "user": {}}}]}})",
        lab->server(), lab->dir().string(), user);
    return file;
  }
  void expect_admitted(const std::string& user) {
    auto with = options();
    with.kubeconfig = kubeconfig_with(user);
    make(with);
    const auto nodes = executor->inventory();
    ASSERT_TRUE(nodes) << nodes.error().message;
    EXPECT_GE(nodes->size(), 20U);
    executor.reset();
  }
};

TEST_F(Identities, OfAClientCertificateAreShown) {
  const auto base = ::testing::TempDir() + name_space, ca = lab->dir().string() + "/etc/ca";
  const auto said = testing::output_of(fmt::format(
      "openssl req -new -newkey rsa:2048 -nodes -subj /O=system:masters/CN=ann -keyout {0}.key -out {0}.csr && "
      "openssl x509 -req -in {0}.csr -CA {1}.crt -CAkey {1}.key -CAcreateserial -days 1 -out {0}.crt",
      base, ca));
  ASSERT_EQ(said.find("\nstatus "), std::string::npos) << said;
  expect_admitted(fmt::format(R"({{"client-certificate": "{0}.crt", "client-key": "{0}.key"}})", base));
}

TEST_F(Identities, OfAPluginAreAskedFor) {
  const auto plugin = ::testing::TempDir() + name_space + "-plugin.sh";
  std::ofstream(plugin) << "#!/bin/sh\nprintf '{\"apiVersion\":\"client.authentication.k8s.io/v1\","
                           "\"kind\":\"ExecCredential\",\"status\":{\"token\":\"%s\"}}' \"$(cat "
                        << lab->dir().string() << "/etc/token)\"\n";
  expect_admitted(fmt::format(R"({{"exec": {{"apiVersion": "client.authentication.k8s.io/v1", "command": "/bin/sh",
                                  "args": ["{}"], "interactiveMode": "Never"}}}})",
                              plugin));
}

}  // namespace
}  // namespace ym::kubernetes
