#include "executor/local/local_executor.h"

#include "executor/local/testing/host.h"

namespace ym::local {
namespace {

const bool kRegistered = testing::register_executor_conformance("Local", [] { return std::make_unique<TestHost>(); });

TEST(LocalExecutor, PassesTheSuite) { ASSERT_TRUE(kRegistered); }

}  // namespace
}  // namespace ym::local
