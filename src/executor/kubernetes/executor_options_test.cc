// Invalid options.
#include <gtest/gtest.h>

#include "base/testing/sentences.h"
#include "executor/kubernetes/kubernetes_executor.h"

namespace ym::kubernetes {
namespace {

class NoClock final : public Clock {
 public:
  Instant now() const override { return {}; }
};

TEST(ExecutorOptions, KueueNeedsThatTheClusterChooses) {
  const NoClock clock;
  KubernetesOptions options{.kubeconfig = "/nonexistent/kubeconfig"};
  options.pod.kueue_queue = "team";
  for (const auto choice : {NodeChoice::ours, NodeChoice::direct}) {
    options.pod.node_choice = choice;
    ym::testing::expect_refused(make_kubernetes_executor(options, clock), ErrorCode::invalid);
  }
  options.pod.node_choice = NodeChoice::delegated;
  ym::testing::expect_refused(make_kubernetes_executor(options, clock), ErrorCode::io);
}

}  // namespace
}  // namespace ym::kubernetes
