#include "spec/testing/support.h"

namespace ym::spec {
namespace {

Result<JobSpec> asking(const std::string& resources) { return with("resources: {" + resources + "}"); }

TaskResources read(const std::string& resources) {
  const auto spec = asking(resources);
  EXPECT_TRUE(spec) << message(spec);
  return spec ? spec->resources : TaskResources{};
}

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
  EXPECT_THAT(gpus.other_gpu_types, ::testing::ElementsAre("a100", "l40s"));
  const auto share = read("gpu_share: 't4:500m | l4:0.5', gpu_memory: 8GiB");
  EXPECT_THAT(share.other_gpu_types, ::testing::ElementsAre("l4"));
  EXPECT_THAT(read("mig: 'h100:1g.10gb | a100:1g.10gb'").other_gpu_types, ::testing::ElementsAre("a100"));
  expect_refused(asking("gpus: 'h100:8 | a100:4'"), ErrorCode::invalid, "/resources/gpus");
  expect_refused(asking("gpus: '8 | a100:8'"), ErrorCode::invalid, "/resources/gpus");
  expect_refused(asking("gpus: 'a100:8 | A100:8'"), ErrorCode::invalid, "/resources/gpus");
  expect_refused(asking("gpus: 'a100:8 |'"), ErrorCode::invalid, "/resources/gpus");
}

TEST(GpuRequest, SaysWhatIsWrong) {
  expect_refused(asking("gpu_share: 500m"), ErrorCode::invalid, "/resources/gpu_share");
  expect_refused(asking("gpus: 1, gpu_memory: 8GiB"), ErrorCode::invalid, "/resources/gpu_memory");
  expect_refused(asking("gpu_share: 500m, gpu_memory: 0"), ErrorCode::invalid, "/resources/gpu_memory");
  expect_refused(asking("gpu_share: 1, gpu_memory: 8GiB"), ErrorCode::invalid, "/resources/gpu_share");
  expect_refused(asking("gpu_share: half, gpu_memory: 8GiB"), ErrorCode::invalid, "/resources/gpu_share");
  expect_refused(asking("gpu_share: ':500m', gpu_memory: 8GiB"), ErrorCode::invalid, "/resources/gpu_share");
  expect_refused(asking("gpus: 1, gpu_share: 500m, gpu_memory: 8GiB"), ErrorCode::invalid, "/resources/gpu_share");
  expect_refused(asking("gpus: 1, mig: 1g.10gb"), ErrorCode::invalid, "/resources/mig");
  expect_refused(asking("mig: 8g.10gb"), ErrorCode::invalid, "/resources/mig");
  expect_refused(asking("mig: '1g.10gb:0'"), ErrorCode::invalid, "/resources/mig");
}

}  // namespace
}  // namespace ym::spec
