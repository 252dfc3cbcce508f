// PodHost: pods on a real kubelet of this machine, with a shared folder and a reachable server.
//
// The image of the jobs is busybox with the machine's /usr mounted, so that shell lines of tests find their programs.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "executor/conformance/suite.h"
#include "executor/kubernetes/kubernetes_executor.h"
#include "executor/kubernetes/testing/kube_lab.h"
#include "executor/kubernetes/testing/lab_fixture.h"
#include "executor/remote/testing/task_server.h"

namespace ym::kubernetes::testing {

class PodHost final : public ym::testing::ExecutorHost {
 public:
  // Throws HostIsMissing. The first one starts the lab, and imports the agent's image by the recipe in the repository.
  PodHost();
  ~PodHost() override;
  PodHost(const PodHost&) = delete;
  PodHost& operator=(const PodHost&) = delete;

  std::unique_ptr<Executor> make() override;
  // There is one node, with room for all tasks.
  Node node(int) override { return {.name = "localhost", .cluster = "lab", .gpu_type = "gpu"}; }
  std::filesystem::path scratch() const override { return root_ / "scratch"; }
  bool keeps_state() const override { return false; }
  int many() const override;
  // Kills the agent, and with it all other processes of its container.
  bool kill_watcher(const Token& token, std::int32_t task) override;
  // Pids in pods are those of their own pid namespace.
  bool is_gone(int pid) override;
  // Agents do not reach the server, and the kubelet does not report.
  bool cut_contact(const Token&, bool cut) override;
  bool misses_contact() const override { return true; }
  // Uses a quota of the namespace.
  bool begin_no_more_than(std::optional<int> tasks) override;
  std::function<bool()> make_foreign(const Token& token) override;

  KubeLab& lab() { return lab_; }
  const std::string& name_space() const { return name_space_; }

  KubernetesOptions options;

 private:
  void set_options();

  KubeLab& lab_;
  SystemClock clock_;
  remote::testing::TaskServer server_{"0.0.0.0"};
  std::filesystem::path root_;
  std::string name_space_;
};

}  // namespace ym::kubernetes::testing
