#include "executor/slurm/testing/slurm_host.h"

namespace ym::slurm {
namespace {

const bool kRegistered =
    ym::testing::register_executor_conformance("Slurm", [] { return std::make_unique<SlurmHost>(); });

TEST(SlurmExecutor, PassesTheSuite) { ASSERT_TRUE(kRegistered); }

}  // namespace
}  // namespace ym::slurm
