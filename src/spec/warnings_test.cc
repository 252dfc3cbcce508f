#include "spec/warnings.h"

#include "spec/test_support.h"

namespace ym::spec {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Warnings, TorchrunKillsItsWorkersBeforeALongGraceIsOver) {
  EXPECT_THAT(warnings_of(*with("launcher: torchrun\npreemption: {grace: 2m}")),
              ElementsAre("preemption.grace is 2m, but PyTorch before the release that reads "
                          "TORCH_ELASTIC_SHUTDOWN_TIMEOUT kills workers 30 s after SIGTERM: with such a one a save has "
                          "to fit into 30 s"));
}

TEST(Warnings, NothingElseIsWarnedOf) {
  EXPECT_THAT(warnings_of(*with("launcher: torchrun")), IsEmpty());
  EXPECT_THAT(warnings_of(*with("launcher: torchrun\npreemption: {grace: 30s}")), IsEmpty());
  EXPECT_THAT(warnings_of(*with("launcher: none\npreemption: {grace: 2m}")), IsEmpty());
  EXPECT_THAT(warnings_of(*with("launcher: torchrun\npreemption: {grace: 2m}\n"
                                "env: {TORCH_ELASTIC_SHUTDOWN_TIMEOUT: 120}")),
              IsEmpty());
}

}  // namespace
}  // namespace ym::spec
