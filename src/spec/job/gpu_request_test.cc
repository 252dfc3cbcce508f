#include "spec/testing/support.h"

namespace ym::spec {
namespace {

Result<JobSpec> asking(const std::string& resources) { return with("resources: {" + resources + "}"); }

TaskResources read(const std::string& resources) {
  const auto spec = asking(resources);
  EXPECT_TRUE(spec) << message(spec);
  return spec ? spec->resources : TaskResources{};
}

std::string wrong(const std::string& resources) { return message(asking(resources)); }

TEST(GpuRequest, ReadsAShareOfADevice) {
  const auto share = read("gpu_share: 500m, gpu_memory: 8GiB");
  EXPECT_EQ(share.gpus, 500);
  EXPECT_EQ(share.gpu_memory_bytes, 8 * kGiB);
  EXPECT_EQ(share.cpus, kMilli);
  EXPECT_TRUE(share.shares_gpu());
  EXPECT_EQ(share.devices(), 1);
  EXPECT_EQ(read("gpu_share: 0.25, gpu_memory: 1GiB").gpus, 250);
  const auto typed = read("gpu_share: 'T4:100m', gpu_memory: 1GiB");
  EXPECT_EQ(typed.gpu_type, "t4");
  EXPECT_EQ(typed.gpus, 100);
}

TEST(GpuRequest, ReadsSlices) {
  const auto one = read("mig: 1g.10gb");
  EXPECT_EQ(one.profile, "1g.10gb");
  EXPECT_EQ(one.slices, 1);
  EXPECT_EQ(one.gpus, 142);
  EXPECT_FALSE(one.shares_gpu());
  const auto several = read("mig: '3g.20gb:2'");
  EXPECT_EQ(several.gpus, 856);
  EXPECT_EQ(several.devices(), 2);
  EXPECT_EQ(several.gpu_type, "");
  const auto typed = read("mig: 'H100:1g.10gb+me:2'");
  EXPECT_EQ(typed.gpu_type, "h100");
  EXPECT_EQ(typed.profile, "1g.10gb+me");
  EXPECT_EQ(typed.slices, 2);
}

TEST(GpuRequest, ReadsTypesThatWouldAllDo) {
  const auto gpus = read("gpus: 'H100:8 | a100:8|l40s:8'");
  EXPECT_EQ(gpus.gpus, 8000);
  EXPECT_EQ(gpus.gpu_type, "h100");
  EXPECT_THAT(gpus.other_gpu_types, testing::ElementsAre("a100", "l40s"));
  const auto share = read("gpu_share: 't4:500m | l4:0.5', gpu_memory: 8GiB");
  EXPECT_THAT(share.other_gpu_types, testing::ElementsAre("l4"));
  EXPECT_THAT(read("mig: 'h100:1g.10gb | a100:1g.10gb'").other_gpu_types, testing::ElementsAre("a100"));
  EXPECT_EQ(wrong("gpus: 'h100:8 | a100:4'"),
            "/resources/gpus: has alternatives that differ in more than the type; for other amounts write another job "
            "(line 2)");
  EXPECT_EQ(wrong("gpus: '8 | a100:8'"),
            "/resources/gpus: has alternatives without types; write for example \"h100:8 | a100:8\" (line 2)");
  EXPECT_EQ(wrong("gpus: 'a100:8 | A100:8'"), "/resources/gpus: names 'a100' twice (line 2)");
  EXPECT_EQ(wrong("gpus: 'a100:8 |'"),
            "/resources/gpus: '' is not a number of GPUs; write a whole number such as 2, or a type and a number such "
            "as \"t4:2\" (line 2)");
}

TEST(GpuRequest, SaysWhatIsWrong) {
  EXPECT_EQ(wrong("gpu_share: 500m"),
            "/resources/gpu_share: needs gpu_memory beside it: memory of that GPU, for example 8GiB "
            "(line 2)");
  EXPECT_EQ(
      wrong("gpus: 1, gpu_memory: 8GiB"),
      "/resources/gpu_memory: is for a gpu_share; a job with whole GPUs or slices has all of their memory (line 2)");
  EXPECT_EQ(wrong("gpu_share: 500m, gpu_memory: 0"),
            "/resources/gpu_memory: is 0; write the largest amount of the GPU's memory that is needed (line 2)");
  EXPECT_EQ(wrong("gpu_share: 1, gpu_memory: 8GiB"),
            "/resources/gpu_share: '1' is not between 1m and 999m; for whole GPUs write gpus (line 2)");
  EXPECT_EQ(
      wrong("gpu_share: half, gpu_memory: 8GiB"),
      "/resources/gpu_share: 'half' is not a share of a GPU; write for example 500m, 0.5 or \"t4:500m\" (line 2)");
  EXPECT_EQ(
      wrong("gpu_share: ':500m', gpu_memory: 8GiB"),
      "/resources/gpu_share: ':500m' is not a share of a GPU; write for example 500m, 0.5 or \"t4:500m\" (line 2)");
  EXPECT_EQ(wrong("gpus: 1, gpu_share: 500m, gpu_memory: 8GiB"),
            "/resources/gpu_share: cannot be used together with gpus; write one of them (line 2)");
  EXPECT_EQ(wrong("gpus: 1, mig: 1g.10gb"),
            "/resources/mig: cannot be used together with gpus; write one of them (line 2)");
  EXPECT_EQ(wrong("mig: 8g.10gb"),
            "/resources/mig: '8g.10gb' does not name MIG slices; write for example 1g.10gb, \"1g.10gb:2\" or "
            "\"h100:1g.10gb:2\" (line 2)");
  EXPECT_EQ(wrong("mig: '1g.10gb:0'"), "/resources/mig: 0 is out of range; write 1 to 64 slices (line 2)");
}

}  // namespace
}  // namespace ym::spec
