#include "spec/job/warnings.h"

#include "spec/testing/support.h"

namespace ym::spec {
namespace {

using ::testing::IsEmpty;

void expect_warnings(const Result<JobSpec>& spec, std::size_t count) {
  const auto warnings = warnings_of(spec.value());
  EXPECT_EQ(warnings.size(), count);
  for (const auto& warning : warnings) expect_sentence(warning);
}

TEST(Warnings, TorchrunKillsItsWorkersBeforeALongGraceIsOver) {
  expect_warnings(with("launcher: torchrun\npreemption: {grace: 2m}"), 1);
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

TEST(Warnings, NamesTheOwnTorchrunOfAJob) {
  expect_warnings(job("name: first\nrun: torchrun --master_port 29500 a.py"), 1);
  expect_warnings(job("name: first\nrun: [a.py]\ngroups: [{name: x, run: [torchrun, --master_port=1, b.py]}, "
                      "{name: y}, {name: z, run: [torchrun, --master_port=1, b.py]}]"),
                  2);
}

TEST(Warnings, NoShellPutsTheValueOfAVariableIntoAList) {
  const auto list = [](const std::string& run) { return job("name: j\nrun: " + run); };
  expect_warnings(list("[torchrun, --master_addr, $MASTER_ADDR, a.py]"), 1);
  expect_warnings(list("[/venv/bin/torchrun, '--master_addr=${MASTER_ADDR}', a.py]"), 1);
  expect_warnings(list("[python3, -m, torch.distributed.run, '--rdzv_endpoint=$H:$P', a.py]"), 1);
  expect_warnings(list("[torchrun, --master_port, 29500, --master_addr, $MASTER_ADDR, a.py]"), 2);
  for (const std::string run :
       {"torchrun --master_addr $MASTER_ADDR a.py", "[bash, -c, 'torchrun --master_addr $MASTER_ADDR a.py']",
        "[torchrun, a.py, --price, 5$, '$1', '${', --say, 'costs $X']", "[python3, a.py, $HOME]"})
    EXPECT_THAT(warnings_of(*list(run)), IsEmpty()) << run;
  EXPECT_THAT(warnings_of(*list("[a.py, $X]\nlauncher: torchrun")), IsEmpty());
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
