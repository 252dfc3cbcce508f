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

TEST(Warnings, ATorchrunOfOnesOwnThatNamesItsPortMeetsOthersThere) {
  const auto warned = [](const std::string& file) { return warnings_of(job(file).value()).size(); };
  for (const std::string run :
       {"[torchrun, --master_port, 29500, train.py]", "[/opt/venv/bin/torchrun, --master-port=29501, train.py]",
        "exec torchrun --rdzv-endpoint=localhost:29400 train.py",
        "[bash, -lc, 'module load x; torchrun --master_port=29500 train.py']", "torchrun --rdzv_backend=c10d train.py",
        "cd x && python3 -m torch.distributed.launch --master_port=1234 train.py"})
    EXPECT_EQ(warned("run: " + run), 1u) << run;
  for (const std::string run :
       {"[train.py]", "[torchrun, train.py]", "[torchrun, --standalone, train.py]",
        "[torchrun, --master_port, 0, train.py]", "torchrun --rdzv_backend=c10d --rdzv_endpoint=$YM_NODE_IPS train.py",
        "torchrun --master_port $MASTER_PORT train.py", "torchrun --rdzv_backend=c10d --standalone train.py",
        "[python, -m, torch.x, --master_port, 1]"})
    EXPECT_EQ(warned("run: " + run), 0u) << run;
  EXPECT_EQ(warned("run: [torchrun, a.py]\nenv: {PET_MASTER_PORT: 1234}"), 1u);
  EXPECT_EQ(warned("run: [a.py]\ngroups: [{name: a, run: [torchrun, --master_port=1, b.py]}, {name: b}]"), 1u);
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
