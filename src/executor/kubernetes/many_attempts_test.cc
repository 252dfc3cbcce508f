// A thousand attempts at once on a real API server: more than a kubelet of this machine takes. The kubelets are
// simulated; the agents of their pods are real, on this machine.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <stdexcept>

#include "executor/conformance/suite.h"
#include "executor/kubernetes/testing/lab_fixture.h"
#include "executor/kubernetes/testing/pod_processes.h"
#include "executor/remote/testing/task_server.h"

namespace ym::kubernetes {
namespace {

namespace fs = std::filesystem;

constexpr int kNodes = 20;

class SimulatedNodes final : public ym::testing::ExecutorHost {
 public:
  SimulatedNodes() : lab_(lab()), name_space_(fmt::format("many-{}", ::getpid())) {
    auto pattern = (fs::temp_directory_path() / "ym-many-XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
    for (const char* folder : {"scratch", "tasks"}) fs::create_directory(root_ / folder);
    if (!testing::make_namespace(lab_, name_space_)) throw std::runtime_error("no namespace " + name_space_);
    processes_.emplace(lab_, name_space_, YM_BINARY_DIR "/bin/ym-task", root_ / "tasks");
  }
  ~SimulatedNodes() override {
    processes_.reset();
    lab_.run_blocking("kubectl delete namespace --wait=false " + name_space_);
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  SimulatedNodes(const SimulatedNodes&) = delete;
  SimulatedNodes& operator=(const SimulatedNodes&) = delete;

  std::unique_ptr<Executor> make() override {
    KubernetesOptions options{.cluster = "lab", .kubeconfig = lab_.kubeconfig(), .name_space = name_space_};
    options.server_url = server_.url();
    options.pod.wrapper_image = options.pod.image = "any";
    options.pod.agent_env = {{"YM_TASK_LINGER", "10s"}};
    auto made = make_kubernetes_executor(options, clock_);
    if (!made) throw std::runtime_error(made.error().message);
    return server_.front(std::move(*made));
  }
  // In turn, or one node would have all.
  Node node(int) override {
    return {.name = fmt::format("n{}", next_++ % kNodes + 1), .cluster = "lab", .gpu_type = "h100"};
  }
  fs::path scratch() const override { return root_ / "scratch"; }
  bool keeps_state() const override { return false; }

 private:
  static testing::KubeLab& lab() {
    std::string why;
    auto* const found = testing::KubeLab::find({.nodes = kNodes}, why);
    if (!found) throw ym::testing::HostIsMissing(why);
    return *found;
  }

  testing::KubeLab& lab_;
  const std::string name_space_;
  testing::SystemClock clock_;
  remote::testing::TaskServer server_;
  fs::path root_;
  int next_ = 0;
  std::optional<testing::PodProcesses> processes_;
};

const bool kRegistered = ym::testing::register_executor_conformance(
    "KubernetesManyPods", [] { return std::make_unique<SimulatedNodes>(); },
    [](const std::string& test) { return test == "ManyAttemptsAtOnce"; });

TEST(KubernetesExecutor, TakesManyAttemptsAtOnce) { ASSERT_TRUE(kRegistered); }

}  // namespace
}  // namespace ym::kubernetes
