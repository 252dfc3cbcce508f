// What scripts for sbatch say besides their amounts: arrays, variables, shells, and what sbatch does not read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "spec/convert/sbatch/array_ids.h"
#include "spec/convert/sbatch/interpreter.h"
#include "spec/convert/sbatch/sbatch_options.h"
#include "spec/convert/sbatch/slurm_variables.h"
#include "spec/convert/testing/support.h"

namespace ym::convert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string sbatch_script(const std::string& options, const std::string& body = "python t.py\n") {
  return "#!/bin/bash\n#SBATCH " + options + "\n" + body;
}

TEST(UnreadOptions, BelowACommandAreNamedAndNotApplied) {
  const auto made = converted("#!/bin/bash\n#SBATCH -N 2\ncd /w\n#SBATCH --time=1:00:00 -n 8\n  #SBATCH -c 4\necho\n");
  EXPECT_EQ(made.specs.at(0).nodes, 2);
  EXPECT_EQ(made.specs.at(0).time_limit, std::nullopt);
  EXPECT_EQ(made.specs.at(0).resources.cpus, kMilli);
  expect_remarks(made.warnings, {"script", "--time", "--ntasks", "--cpus-per-task"});
}

TEST(UnreadOptions, ThatAreCommentsToSbatchAreNoted) {
  const auto made =
      converted("#!/bin/bash\n#SBATCH -N 2\n# SBATCH -t 5\n # see SBATCH\n##SBATCH -n 3\n# SBATCH lines\necho\n");
  EXPECT_EQ(made.specs.at(0).time_limit, std::nullopt);
  expect_remarks(made.notes, {"--time"});
}

TEST(UnreadOptions, StrayWordsAndOtherPartsAreNamed) {
  const auto stray = converted(sbatch_script("--job-name=my job -k"));
  EXPECT_EQ(stray.specs.at(0).name, "my");
  expect_remarks(stray.warnings, {"#SBATCH", "--no-kill"});
  const auto parts = converted("#!/bin/sh\n#SBATCH -N 2\n#SBATCH hetjob\n#SBATCH -N 8\necho\n");
  EXPECT_EQ(parts.specs.at(0).nodes, 2);
  expect_remarks(parts.warnings, {"#SBATCH", "script"});
}

TEST(Options, MayBeCut) {
  const auto made = converted(sbatch_script("--depend=afterok:12 --ntasks-per-n=2 --acc=x"));
  EXPECT_EQ(made.specs.at(0).project, "x");
  EXPECT_EQ(made.specs.at(0).resources.cpus, 2 * kMilli);
  expect_remarks(made.warnings, {"--dependency"});
}

TEST(Options, LineEndsOfDosAreTakenAway) {
  const auto made = converted("#!/bin/bash\r\n#SBATCH --job-name=a\r\n#SBATCH --mem=4G\r\n\r\npython t.py\r\n");
  EXPECT_EQ(made.specs.at(0).name, "a");
  EXPECT_EQ(made.specs.at(0).resources.memory_bytes, std::int64_t{4} << 30);
  EXPECT_THAT(made.specs.at(0).run.words, ElementsAre("/bin/bash", "-c", "python t.py\n"));
  expect_remarks(made.notes, {"script"});
}

TEST(Options, NamesWithBlanksBecomeNames) {
  const auto quoted = converted(sbatch_script("--job-name=\"my first run\" "));
  EXPECT_EQ(quoted.specs.at(0).name, "my-first-run");
  expect_remarks(quoted.notes, {"--job-name"});
  EXPECT_EQ(converted(sbatch_script("-J my\\ run")).specs.at(0).name, "my-run");
  expect_remarks(converted(sbatch_script("-J '!!!'")).warnings, {"--job-name"});
  EXPECT_EQ(name_like("(a) b:c_"), "a-b-c_");
  EXPECT_EQ(name_like("a..b--c."), "a.-b--c");
  EXPECT_EQ(name_like(std::string(80, 'x')).size(), 63u);
}

TEST(Options, ATypeOfGpusAloneIsOne) {
  const auto made = converted(sbatch_script("--gres=gpu:A100"));
  EXPECT_EQ(made.specs.at(0).resources.gpus, kMilli);
  EXPECT_EQ(made.specs.at(0).resources.gpu_type, "a100");
  EXPECT_EQ(converted(sbatch_script("--gres=gpu:a100:2(S:0-1)")).specs.at(0).resources.gpus, 2 * kMilli);
}

TEST(Options, AllMemoryOfANodeIsNoAmount) {
  const auto made = converted(sbatch_script("--mem=0"));
  EXPECT_EQ(made.specs.at(0).resources.memory_bytes, 0);
  expect_remarks(made.warnings, {"--mem"});
}

TEST(Options, NothingIsDroppedInSilence) {
  expect_remarks(converted(sbatch_script("--ntasks-per-gpu=1")).warnings, {"--ntasks-per-gpu"});
  const auto made =
      converted(sbatch_script("--open-mode=append -o a --requeue --cpus-per-gpu=4 --gpus-per-node=2 -p a,b"));
  expect_remarks(made.notes, {"--open-mode", "--output", "--requeue", "--partition"});
  EXPECT_EQ(made.specs.at(0).resources.cpus, 8 * kMilli);
  EXPECT_EQ(made.specs.at(0).queue, "a");
  expect_remarks(made.warnings, {"--partition"});
}

std::vector<std::int64_t> ids(std::string_view text) {
  const auto array = parse_array_ids(text);
  return array ? array->ids : std::vector<std::int64_t>{};
}

TEST(Arrays, AreReadAsSlurmDoes) {
  EXPECT_THAT(ids("0-3"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(ids("5"), ElementsAre(5));
  EXPECT_THAT(ids("7,1-3,2"), ElementsAre(1, 2, 3, 7));
  EXPECT_THAT(ids("0-15:4"), ElementsAre(0, 4, 8, 12));
  EXPECT_EQ(parse_array_ids("0-9%4")->at_once, 4);
  EXPECT_EQ(parse_array_ids("0-9999")->ids.size(), 10'000u);
  for (const auto* bad :
       {"", "a", "3-1", "1-", "-1", "1,,2", "1-9:0", "1:2", "0-9%", "0-9%0", "0-10000", "0-9:1:2", "1-4000001"})
    EXPECT_THAT(ids(bad), IsEmpty()) << bad;
}

// The first line that the member with this index writes.
std::string written_by(const Words& words, int index) {
  std::string command = "YM_ARRAY_INDEX=" + std::to_string(index);
  for (auto word : words) {
    for (auto at = word.find('\''); at != word.npos; at = word.find('\'', at + 4)) word.replace(at, 1, "'\\''");
    command += " '" + word + "'";
  }
  std::string out;
  FILE* pipe = popen(command.c_str(), "r");
  for (int c = fgetc(pipe); c != EOF && c != '\n'; c = fgetc(pipe)) out += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return out;
}

std::string told(const std::string& options, int index, const std::string& what = "$SLURM_ARRAY_TASK_ID") {
  return written_by(converted(sbatch_script(options, "echo " + what + " $#\n")).specs.at(0).run.words, index);
}

TEST(Arrays, MembersAreToldTheIdsOfSlurm) {
  EXPECT_EQ(told("--array=0-9", 3), "3 0");
  EXPECT_EQ(told("--array=1-9", 0), "1 0");
  EXPECT_EQ(told("--array=1-9", 8), "9 0");
  EXPECT_EQ(told("--array=0-15:4", 3), "12 0");
  EXPECT_EQ(told("--array=3-9:2", 1), "5 0");
  EXPECT_EQ(told("--array=7,1,3", 2), "7 0");
  EXPECT_EQ(told("--array=7,1,3", 0), "1 0");
  const auto all = "$SLURM_ARRAY_TASK_COUNT $SLURM_ARRAY_TASK_MIN $SLURM_ARRAY_TASK_MAX $SLURM_ARRAY_TASK_STEP";
  EXPECT_EQ(told("--array=10-30:10", 0, all), "3 10 30 10 0");
}

TEST(Arrays, AreConvertedWithTheirLimit) {
  const auto made = converted(sbatch_script("-a 1-9%4", "python t.py $SLURM_ARRAY_TASK_ID $SLURM_ARRAY_JOB_ID\n"));
  EXPECT_EQ(made.specs.at(0).array, 9);
  EXPECT_EQ(made.specs.at(0).array_parallel, 4);
  expect_remarks(made.warnings, {"script"});
  EXPECT_EQ(converted(sbatch_script("-a 1-9%20")).specs.at(0).array_parallel, std::nullopt);
  expect_refused(convert_to_jobs(sbatch_script("--array=1-x")), ErrorCode::invalid);
}

TEST(Arrays, OfAProgramThatIsNoShellAreToldByOne) {
  const auto made = converted("#!/usr/bin/env python3\n#SBATCH -a 1-2\nimport os\n");
  EXPECT_THAT(made.specs.at(0).run.words, ElementsAre("/bin/sh", "-c", HasSubstr("export SLURM_ARRAY_TASK_ID="), "sh",
                                                      "import os\n", "/usr/bin/env", "python3"));
  for (const std::string options : {"-a 5-7", "-a 3,5,6"}) {
    const auto perl = converted("#!/usr/bin/env perl\n#SBATCH " + options + "\nprint $ENV{'SLURM_ARRAY_TASK_ID'};\n");
    EXPECT_EQ(written_by(perl.specs.at(0).run.words, 1), options == "-a 5-7" ? "6" : "5");
  }
}

TEST(Interpreters, ThatAreNoShellGetTheirBodyAsAFile) {
  const auto told = [](const std::string& body) { return written_by(converted(body).specs.at(0).run.words, 0); };
  EXPECT_EQ(told("#!/usr/bin/env perl\n#SBATCH -N 1\nprint -e $0 ? 'file' : 'none';\n"), "file");
  const std::string long_line = "# " + std::string(50'000, 'x') + "\n";
  EXPECT_EQ(told("#!/usr/bin/perl -w\n#SBATCH -N 1\n" + long_line + "print \"it's $^W\";\n"), "it's 1");
  const auto python = converted("#!/usr/bin/env -S python3 -u\n#SBATCH -N 1\nimport os\n");
  EXPECT_THAT(python.specs.at(0).run.words, ElementsAre("/bin/sh", "-c", HasSubstr("exec \"$@\" \"$script\""), "sh",
                                                        "import os\n", "/usr/bin/env", "-S", "python3", "-u"));
}

TEST(Arrays, OfAKubernetesJobHaveItsParallelism) {
  const auto made = converted(job_with("parallelism: 2, completions: 6", "command: [a]"));
  EXPECT_EQ(made.specs.at(0).array, 6);
  EXPECT_EQ(made.specs.at(0).array_parallel, 2);
  EXPECT_THAT(made.warnings, IsEmpty());
}

TEST(Variables, OfSlurmAreFoundWhereTheyAreRead) {
  EXPECT_THAT(
      slurm_variables_in("# $SLURM_A\necho ${SLURM_JOB_ID:-1} $SLURM_B $SLURM_B\nexport SLURM_C=1\nunset SLURM_D\n"
                         "x = os.environ['SLURM_E']; MY_SLURM_F\n[ \"$SLURMD_NODENAME\" = a ]\n"),
      ElementsAre("SLURM_JOB_ID", "SLURM_B", "SLURM_E", "SLURMD_NODENAME"));
}

TEST(Variables, OfSlurmAreAllNamed) {
  const auto made =
      converted(sbatch_script("-c 6 -n 2", "a $SLURM_CPUS_PER_TASK $SLURM_JOB_ID $SLURM_CLUSTER_NAME $SLURM_X\n"));
  expect_remarks(made.warnings, {"script", "script"});
  EXPECT_THAT(made.specs.at(0).run.words.back(), Not(HasSubstr("export"))) << "none is made up";
  EXPECT_THAT(converted(sbatch_script("-n 1", "echo $SLURM_TMPDIR\n")).warnings,
              ElementsAre(HasSubstr("write ${TMPDIR:-/tmp} for SLURM_TMPDIR")));
  const auto outside = converted(sbatch_script("-n 1", "a $SLURM_ARRAY_TASK_ID\n"));
  expect_remarks(outside.warnings, {"script"});
}

TEST(LoginShell, IsForWhatOnlyProfilesKnow) {
  EXPECT_EQ(wants_login_shell("module purge\n"), "module");
  EXPECT_EQ(wants_login_shell("set -e\n  if true; then module\tload x; fi\n"), "module");
  EXPECT_EQ(wants_login_shell("source  activate env\n"), "source activate");
  EXPECT_EQ(wants_login_shell("cd /a && conda activate x\n"), "conda activate");
  for (const auto* none :
       {"", "# module load x\n", "python -m module\n", "source /v/bin/activate\n", "modules\n", "echo mlx\n"})
    EXPECT_EQ(wants_login_shell(none), "") << none;
}

TEST(LoginShell, IsWrittenOnce) {
  const auto made = converted(sbatch_script("-n 1", "module load cuda\nsource activate e\n"));
  EXPECT_THAT(made.specs.at(0).run.words,
              ElementsAre("/bin/bash", "-l", "-c", "module load cuda\nsource activate e\n"));
  expect_remarks(made.notes, {"script"});
  EXPECT_THAT(made.warnings, IsEmpty());
  for (const std::string login : {"/bin/bash -l", "/bin/bash --login", "/bin/bash -el"}) {
    const auto already = converted("#!" + login + "\n#SBATCH -n 1\nmodule load cuda\n");
    EXPECT_EQ(already.specs.at(0).run.words.size(), 4u) << login;
    EXPECT_THAT(already.notes, IsEmpty());
  }
  EXPECT_THAT(converted("#!/usr/bin/env bash\n#SBATCH -n 1\nmodule load cuda\n").specs.at(0).run.words,
              ElementsAre("/usr/bin/env", "bash", "-l", "-c", "module load cuda\n"));
}

}  // namespace
}  // namespace ym::convert
