// Invalid options.
#include <gtest/gtest.h>

#include "executor/kubernetes/kubernetes_executor.h"

namespace ym::kubernetes {
namespace {

class NoClock final : public Clock {
 public:
  Instant now() const override { return {}; }
};

std::string refusal(const KubernetesOptions& options) {
  const NoClock clock;
  const auto made = make_kubernetes_executor(options, clock);
  return made ? "none" : made.error().message;
}

TEST(ExecutorOptions, KueueNeedsThatTheClusterChooses) {
  KubernetesOptions options{.kubeconfig = "/nonexistent/kubeconfig"};
  options.pod.kueue_queue = "team";
  for (const auto choice : {NodeChoice::ours, NodeChoice::direct}) {
    options.pod.node_choice = choice;
    EXPECT_TRUE(refusal(options).contains("/kueue_queue: needs placement: delegated")) << refusal(options);
  }
  options.pod.node_choice = NodeChoice::delegated;
  EXPECT_TRUE(refusal(options).contains("/nonexistent/kubeconfig")) << refusal(options);
}

}  // namespace
}  // namespace ym::kubernetes
