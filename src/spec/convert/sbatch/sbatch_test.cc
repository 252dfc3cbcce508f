#include "spec/convert/sbatch/sbatch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/convert/sbatch/script_body.h"
#include "spec/convert/testing/support.h"

namespace ym::convert {
namespace {

using ::testing::ElementsAre;

TEST(Sbatch, AScriptBecomesAJob) {
  const auto made = converted_file("train.sbatch");
  ASSERT_EQ(made.specs.size(), 1u);
  const auto& spec = made.specs[0];
  EXPECT_EQ(spec.name, "bert");
  EXPECT_EQ(spec.queue, "gpu");
  EXPECT_EQ(spec.project, "nlp");
  EXPECT_EQ(spec.nodes, 2);
  EXPECT_EQ(spec.resources.gpus, 8 * kMilli);
  EXPECT_EQ(spec.resources.gpu_type, "a100");
  EXPECT_EQ(spec.resources.cpus, 96 * kMilli);
  EXPECT_EQ(spec.resources.memory_bytes, std::int64_t{900} << 30);
  EXPECT_EQ(spec.time_limit, hours(36));
  EXPECT_EQ(spec.stop.signal, "SIGUSR1");
  EXPECT_EQ(spec.stop.grace, minutes(2));
  EXPECT_THAT(spec.run.words, ElementsAre("/bin/bash", "-l", "-c",
                                          "module load cuda/12.4\nexport WANDB_NAME=bert-$SLURM_JOB_ID\n"
                                          "srun python train.py --data /scratch/books\n"));
  expect_remarks(made.warnings, {"--mail-type", "script", "script"});
}

TEST(Sbatch, AScriptWithoutANameHasThatOfItsFile) {
  const auto made = convert_to_jobs("#!/bin/sh\n#SBATCH -n 4\necho\n", "nightly");
  ASSERT_TRUE(made);
  EXPECT_EQ(to_yaml(made->jobs), "name: nightly\nresources: {cpus: 4}\nrun:\n  - /bin/sh\n  - -c\n  - |\n    echo\n");
  expect_sentence(made->remarks.at(0).message);
}

TEST(Sbatch, OptionsInAllTheirSpellings) {
  const auto script = read_script(
      "#!/bin/sh\n#SBATCH -N4 -t 10 --exclusive --mem 4G # -x n1\n#SBATCH --job-name='a b'\n##SBATCH -n 9\n\necho\n"
      "#SBATCH -n 8\n");
  std::vector<std::string> options;
  for (const auto& [name, value, line] : script.options)
    options.push_back(name + "=" + value + "@" + std::to_string(line));
  EXPECT_THAT(options, ElementsAre("nodes=4@2", "time=10@2", "exclusive=@2", "mem=4G@2", "job-name=a b@3"));
  EXPECT_THAT(script.interpreter, ElementsAre("/bin/sh"));
  EXPECT_EQ(script.body, "##SBATCH -n 9\n\necho\n#SBATCH -n 8\n");
}

TEST(Sbatch, TimesAndSizes) {
  EXPECT_EQ(parse_slurm_time("90"), 5400);
  EXPECT_EQ(parse_slurm_time("1:30"), 90);
  EXPECT_EQ(parse_slurm_time("1:00:05"), 3605);
  EXPECT_EQ(parse_slurm_time("2-12"), 216'000);
  EXPECT_EQ(parse_slurm_time("1-00:30"), 88'200);
  for (const auto* bad : {"", "x", "1:2:3:4", "-1", "1-", "1:"}) EXPECT_EQ(parse_slurm_time(bad), std::nullopt) << bad;
  EXPECT_EQ(parse_slurm_memory("4000"), std::int64_t{4000} << 20);
  EXPECT_EQ(parse_slurm_memory("16g"), std::int64_t{16} << 30);
  EXPECT_EQ(parse_slurm_memory("16GB"), std::int64_t{16} << 30);
  for (const auto* bad : {"", "G", "x", "-1", "1.5G"}) EXPECT_EQ(parse_slurm_memory(bad), std::nullopt) << bad;
  EXPECT_THAT(node_patterns("n[1-3,7],login"), ElementsAre("n[1-3,7]", "login"));
}

std::string script(const std::string& options, const std::string& body = "python t.py\n") {
  return "#!/bin/bash\n#SBATCH " + options + "\n" + body;
}

TEST(Sbatch, TasksOfANodeAreAddedUp) {
  const auto by_task = converted(script("-n 8 -N 2 --cpus-per-task=3 --gpus-per-task=1 --mem-per-cpu=2G"));
  EXPECT_EQ(by_task.specs.at(0).resources.cpus, 12 * kMilli);
  EXPECT_EQ(by_task.specs.at(0).resources.gpus, 4 * kMilli);
  EXPECT_EQ(by_task.specs.at(0).resources.memory_bytes, std::int64_t{24} << 30);
  expect_remarks(by_task.warnings, {"script"});
  const auto in_all = converted(script("-N 2 --gpus=h100:16"));
  EXPECT_EQ(in_all.specs.at(0).resources.gpus, 8 * kMilli);
  EXPECT_EQ(converted(script("-N 2-4 --gres=gpu")).specs.at(0).min_nodes, 2);
}

TEST(Sbatch, WhatIsWrongIsNamedWithItsLine) {
  expect_refused(convert_to_jobs(script("-t soon")), ErrorCode::invalid);
  expect_refused(convert_to_jobs(script("-N many")), ErrorCode::invalid);
  expect_refused(convert_to_jobs("#SBATCH -N 1\necho\n"), ErrorCode::invalid);
  expect_refused(convert_to_jobs("#!/bin/sh\n#SBATCH -N 1\n"), ErrorCode::invalid);
  const auto wrong = convert_to_jobs(script("-t soon -N many")).error().fields;
  ASSERT_EQ(wrong.size(), 2U);
  EXPECT_TRUE(wrong[1].message.starts_with("--nodes: ")) << "an option is no JSON pointer";
  expect_remarks(converted(script("--frobnicate=3 --hold --export=ALL,A=1")).warnings,
                 {"--frobnicate", "--hold", "--export"});
}

}  // namespace
}  // namespace ym::convert
