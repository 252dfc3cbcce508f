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

TEST(Warnings, ATorchrunOfOnesOwnMeetsAtThePortOfAllOthers) {
  const auto warned = [](const std::string& file) { return warnings_of(job(file).value()).size(); };
  for (const std::string run :
       {"[torchrun, train.py]", "[/opt/venv/bin/torchrun, --nproc_per_node, 2, train.py]", "exec torchrun train.py",
        "[python, -m, torch.distributed.run, train.py]", "cd x && python3 -m torch.distributed.launch train.py"})
    EXPECT_EQ(warned("run: " + run), 1u) << run;
  for (const std::string run :
       {"[train.py]", "[torchrun, --standalone, train.py]", "[torchrun, --rdzv-endpoint=a:1, train.py]",
        "[torchrun, --master_port, 0, train.py]", "torchrun --rdzv_backend=c10d train.py", "[python, -m, torch.x]"})
    EXPECT_EQ(warned("run: " + run), 0u) << run;
  EXPECT_EQ(warned("run: [torchrun, a.py]\nenv: {PET_MASTER_PORT: 1234}"), 0u);
  EXPECT_EQ(warned("run: [a.py]\ngroups: [{name: a, run: [torchrun, b.py]}, {name: b}]"), 1u);
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
