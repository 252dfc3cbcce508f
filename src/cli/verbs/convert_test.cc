#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

using ::testing::StartsWith;

constexpr const char* kJob =
    "apiVersion: batch/v1\nkind: Job\nmetadata: {name: one}\nspec:\n  ttlSecondsAfterFinished: 60\n  template:\n"
    "    spec:\n      containers: [{name: c, image: team/a, workingDir: /w, command: [a, 'b c']}]\n";

TEST(Convert, WritesAJobFileAndAsksNoServer) {
  FakeSession fake;
  fake.in.str(kJob);
  EXPECT_EQ(fake.run({"convert", "-"}), 0);
  EXPECT_EQ(fake.out.str(), "name: one\nimage: team/a\nworkdir: /w\nrun: [a, b c]\n");
  expect_sentence(fake.err.str());
  EXPECT_TRUE(fake.server.requests.empty());
}

TEST(Convert, WritesJsonAndNames) {
  FakeSession json, names;
  json.in.str(kJob);
  names.in.str(std::string(kJob) + "---\n" + kJob);
  EXPECT_EQ(json.run({"convert", "-", "-o", "json"}), 0);
  EXPECT_THAT(json.out.str(), StartsWith("[\n  {\n    \"name\": \"one\",\n"));
  EXPECT_EQ(names.run({"convert", "-", "-o", "name"}), 0);
  EXPECT_EQ(names.out.str(), "one\none\n");
}

TEST(Convert, StrictIsForWarningsAndNotForNotes) {
  FakeSession noted, warned;
  noted.in.str(kJob);
  EXPECT_EQ(noted.run({"convert", "--strict", "-"}), 0);
  warned.in.str("#!/bin/sh\n#SBATCH --mail-type=END\necho\n");
  EXPECT_EQ(warned.run({"convert", "--strict", "-"}), 2);
  EXPECT_EQ(warned.out.str(), "");
  expect_sentence(warned.err.str());
}

TEST(Convert, StrictIsForWhatIsNotReadToo) {
  for (const std::string text :
       {"#!/bin/sh\ncd /w\n#SBATCH -N 2\necho\n", "#!/bin/sh\n#SBATCH --mem=0\necho\n",
        "#!/bin/sh\n#SBATCH -d afterok:7\necho\n", "#!/bin/sh\n#SBATCH -n 1\necho $SLURM_CLUSTER_NAME\n"}) {
    FakeSession loose, strict;
    loose.in.str(text);
    strict.in.str(text);
    EXPECT_EQ(loose.run({"convert", "-"}), 0) << text;
    EXPECT_EQ(strict.run({"convert", "--strict", "-"}), 2) << text;
    EXPECT_EQ(strict.out.str(), "");
  }
}

TEST(Convert, NamesTheFileTheFieldAndTheLine) {
  const auto path = std::filesystem::temp_directory_path() / "ym-convert-test.yaml";
  std::ofstream(path) << "apiVersion: batch/v1\nkind: Job\nmetadata: {name: x}\nspec: {template: {spec: {}}}\n";
  FakeSession fake;
  EXPECT_EQ(fake.run({"convert", path.string()}), 2);
  expect_sentence(without_path(fake.err.str(), path.string()));
  std::filesystem::remove(path);
  EXPECT_EQ(fake.run({"convert", path.string()}), 2);
}

}  // namespace
}  // namespace ym::cli
