#include <gtest/gtest.h>

#include "executor/kubernetes/testing/pod_host/pod_host.h"

namespace ym::kubernetes {
namespace {

const bool kRegistered =
    ym::testing::register_executor_conformance("Kubernetes", [] { return std::make_unique<testing::PodHost>(); });

TEST(KubernetesExecutor, PassesTheSuite) { ASSERT_TRUE(kRegistered); }

}  // namespace
}  // namespace ym::kubernetes
