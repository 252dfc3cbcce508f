// What a script's body says that is otherwise here: who starts its ranks, what it asks of Slurm, its arguments, its own
// torchrun. Each with the line where it stands.
#include "spec/convert/sbatch/script_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/convert/testing/support.h"

namespace ym::convert {
namespace {

using ::testing::IsEmpty;

// The body begins on line 3.
std::string script_with_body(const std::string& options, const std::string& body) {
  return "#!/bin/bash\n#SBATCH " + options + "\n" + body;
}

std::vector<std::string> warnings(const std::string& options, const std::string& body) {
  return converted(script_with_body(options, body)).warnings;
}

TEST(LinesOfABody, AreThoseWhereTheWordsStand) {
  const auto made =
      converted(script_with_body("-N 2",
                                 "cd /w\n# srun is below\nmodule load cuda\necho $SLURM_JOB_ID\necho $SLURM_X\n"
                                 "echo $SLURM_JOB_ID\nsrun \\\n  python t.py\n"));
  expect_remarks(made.notes, {"script"});
  expect_remarks(made.warnings, {"script", "script", "script"});
}

TEST(LinesOfABody, CountTheOptionsBetweenThem) {
  expect_remarks(converted("#!/bin/bash\n# a\n#SBATCH -n 1\n\n# b\n#SBATCH -c 2\necho $SLURM_X\n").warnings,
                 {"script"});
}

TEST(Mpi, OnSeveralNodesHasNoLauncher) {
  for (const std::string command : {"mpirun", "mpiexec", "/opt/mpi/bin/mpirun", "time mpirun"}) {
    const auto said = warnings("-N 2 --ntasks-per-node=4", "cd /w\n" + command + " ./a\n");
    expect_remarks(said, {"script"});
  }
}

TEST(Mpi, OnOneNodeIsToldHowManyRanksThereAre) {
  expect_remarks(warnings("-n 8 -N 1", "mpirun ./a\n"), {"script"});
  const auto counted = converted(script_with_body("-n 8 -N 1", "mpirun --bind-to core \\\n -np 8 ./a\n"));
  EXPECT_THAT(counted.warnings, IsEmpty());
  expect_remarks(counted.notes, {"script"});
  expect_remarks(warnings("-n 8 -N 1", "mpirun -np $SLURM_NTASKS ./a\n"), {"script"});
  expect_remarks(warnings("-n 8 -N 1", "mpirun -n 4 ./a\nmpiexec ./b\n"), {"script"});
  expect_remarks(warnings("-N 2 -n 2", "echo $SLURM_NTASKS\n"), {"script", "script"});
}

TEST(CommandsOfSlurm, AreNamedWithWhatToUse) {
  const auto said = warnings("-N 1 --gres=gpu:1",
                             "cd /w\nnodes=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\")\nsqueue -u $USER\n");
  expect_remarks(said, {"script", "script", "script"});
  expect_remarks(warnings("-N 1", "a=$(scontrol show hostname)\n"), {"script"});
  expect_remarks(warnings("-N 1", "scontrol requeue 7\n"), {"script"});
}

TEST(Arguments, OfAScriptAreNamed) {
  const auto said = warnings("-n 1", "cd /w\npython t.py \"$1\" ${2:-3}\npython u.py \"$@\" $1\n");
  expect_remarks(said, {"script", "script"});
  expect_remarks(converted("#!/usr/bin/env python3\n#SBATCH -n 1\nimport sys\nprint(sys.argv)\n").warnings, {"script"});
}

TEST(Arguments, ThatAreOtherOnesAreNot) {
  for (const std::string body :
       {"awk '{print $1}' f\n", "x=\"$(awk '{print $1}' f)\"\n", "echo \\$1\n", "f() {\n  echo \"$1\"\n}\nf a\n",
        "function f { echo $@; }\n", "set -- a b\necho \"$@\"\n", "echo ${#a[@]} $?\n", "# $1\necho a # $2\n",
        "cat > a.sh <<'EOF'\necho $1 don't\nEOF\n", "cat <<-EOF\n\techo \\$1\n\tEOF\necho a\n",
        "awk '\n  {print $1}\n' f\n", "echo $((1 << n)) ${a[0]}\n"})
    EXPECT_THAT(warnings("-n 1", body), IsEmpty()) << body;
  expect_remarks(warnings("-n 1", "cat > a.sh <<'EOF'\nit's $1\nEOF\necho $2\n"), {"script"});
  expect_remarks(warnings("-n 1", "f() {\n  if a; then\n    b\n  fi\n}\necho $1\n"), {"script"});
}

TEST(Arguments, TheFirstIsNoFile) {
  for (const std::string body :
       {"cd $(dirname \"$0\")\n", "cd \"$(dirname -- \"${BASH_SOURCE[0]}\")\"\n", "a ${0%/*}\n"})
    expect_remarks(warnings("-n 1", "# a\n" + body), {"script"});
}

TEST(Arguments, TheFirstIsTheShellThatEnvFinds) {
  expect_remarks(converted("#!/usr/bin/env bash\n#SBATCH -n 1\ncd ${0%/*}\n").warnings, {"script"});
}

TEST(OwnTorchrun, ThatNamesAPortIsWarnedOf) {
  for (const std::string words : {"--master_port 29500", "--master-port=1234", "--rdzv_endpoint localhost:0029"}) {
    const auto said = warnings("-N 1 --gres=gpu:2", "cd /w\ntorchrun --nproc_per_node 2 \\\n  " + words + " t.py\n");
    expect_remarks(said, {"script"});
  }
  expect_remarks(warnings("-N 1", "python -m torch.distributed.run --rdzv_backend c10d t.py\n"), {"script"});
}

TEST(OwnTorchrun, ThatIsFineIsNot) {
  for (const std::string body : {"torchrun --nproc_per_node 2 t.py\n", "torchrun --standalone t.py\n",
                                 "torchrun --rdzv_backend c10d --rdzv_endpoint $MASTER_ADDR:$MASTER_PORT t.py\n",
                                 "# --master_port 1\ntorchrun t\n", "torchrun --master_port $MASTER_PORT t.py\n",
                                 "export MASTER_PORT=${MASTER_PORT:-1}\ntorchrun t.py\n"})
    EXPECT_THAT(warnings("-N 1 --gres=gpu:2", body), IsEmpty()) << body;
  EXPECT_THAT(warnings("-N 1", "python t.py --master_port 29500\n"), IsEmpty()) << "it is no torchrun";
}

TEST(OwnTorchrun, OnSeveralNodesIsToldOfTheOthers) {
  expect_remarks(warnings("-N 2", "cd /w\ntorchrun t.py\n"), {"script", "script"});
  expect_remarks(warnings("-N 2", "torchrun --nnodes 2 --node-rank $YM_NODE_RANK t.py\n"), {"script", "script"});
  for (const std::string words : {"--nnodes $YM_NODES --node_rank $YM_NODE_RANK --master_addr $MASTER_ADDR",
                                  "--nnodes 2 --rdzv_backend c10d --rdzv_endpoint $MASTER_ADDR:$MASTER_PORT"})
    expect_remarks(warnings("-N 2", "torchrun " + words + " t.py\n"), {"script"});
}

TEST(OwnTorchrun, MeetsByOneIdOnAllNodes) {
  const std::string body = "torchrun --nnodes 2 --rdzv_id $RANDOM --rdzv_endpoint $MASTER_ADDR:$MASTER_PORT t.py\n";
  expect_remarks(warnings("-N 2", body), {"script", "script"});
  EXPECT_THAT(warnings("-N 1", body), IsEmpty());
}

TEST(OwnTorchrun, IsToldWhereToMeetAlready) {
  const auto said =
      warnings("-N 2 --gres=gpu:2", "export MASTER_PORT=29500\nexport MASTER_ADDR=$(hostname)\nsrun python t.py\n");
  expect_remarks(said, {"script", "script", "script"});
  expect_remarks(warnings("-N 1 --gres=gpu:2", "MASTER_ADDR=localhost MASTER_PORT=1 python t.py $MASTER_PORT\n"),
                 {"script"});
  EXPECT_THAT(warnings("-N 1", "export MASTER_PORT=29500\npython t.py\n"), IsEmpty()) << "nothing else sets it";
}

}  // namespace
}  // namespace ym::convert
