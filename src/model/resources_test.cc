#include "model/resources.h"

#include <gtest/gtest.h>

#include "base/testing/sentences.h"
#include "model/cluster.h"
#include "model/job_spec.h"

namespace ym {
namespace {

TEST(Resources, ThousandthsReadBack) {
  EXPECT_EQ(parse_thousandths("4"), 4000);
  EXPECT_EQ(parse_thousandths("0.5"), 500);
  EXPECT_EQ(parse_thousandths("500m"), 500);
  EXPECT_EQ(parse_thousandths("0"), 0);
  EXPECT_EQ(parse_thousandths("1000000"), 1'000'000'000);
  for (const std::int64_t n : {0LL, 1LL, 500LL, 999LL, 1000LL, 1001LL, 1250LL, 64'000LL, 1'000'000'000LL})
    EXPECT_EQ(parse_thousandths(format_thousandths(n)), n);
  EXPECT_EQ(format_thousandths(1250), "1.25");
  EXPECT_EQ(format_thousandths(8000), "8");
}

TEST(Resources, OtherTextsAreNoAmounts) {
  for (const auto* text : {"", "-1", "+1", "1.", ".5", "1.2345", "0.5m", "1k", "1 ", " 1", "1e3", "0x4", "1000001",
                           "NaN", "99999999999999999999"})
    testing::expect_refused(parse_thousandths(text), ErrorCode::invalid);
}

TEST(Resources, BytesHaveUnits) {
  EXPECT_EQ(parse_bytes("0"), 0);
  EXPECT_EQ(parse_bytes("1024"), 1024);
  EXPECT_EQ(parse_bytes("1KiB"), 1024);
  EXPECT_EQ(parse_bytes("64GiB"), 64 * kGiB);
  EXPECT_EQ(parse_bytes("64Gi"), 64 * kGiB);
  EXPECT_EQ(parse_bytes("1.5GiB"), kGiB * 3 / 2);
  EXPECT_EQ(parse_bytes("800GB"), 800'000'000'000);
  EXPECT_EQ(parse_bytes("1048576TiB"), std::int64_t{1} << 60);
  for (const auto* text : {"", "-1", "1XB", "1 GiB", "GiB", "1gib", "1048577TiB", "1.2345GiB", "9223372036854775807"})
    EXPECT_FALSE(parse_bytes(text)) << text;
}

TEST(Resources, BytesForPeople) {
  EXPECT_EQ(format_bytes(0), "0B");
  EXPECT_EQ(format_bytes(1023), "1023B");
  EXPECT_EQ(format_bytes(1024), "1KiB");
  EXPECT_EQ(format_bytes(kGiB * 3 / 2), "1.5GiB");
  EXPECT_EQ(format_bytes(64 * kGiB), "64GiB");
  EXPECT_EQ(format_bytes(std::int64_t{1} << 60), "1024PiB");
  EXPECT_EQ(format_amount(ResourceKind::memory, kGiB), "1GiB");
  EXPECT_EQ(format_amount(ResourceKind::gpus, 1500), "1.5");
}

TEST(Resources, KindsHaveNames) {
  for (std::size_t i = 0; i < kResourceKinds; ++i)
    EXPECT_EQ(parse_enum<ResourceKind>(to_string(resource_kind(i))), resource_kind(i));
  EXPECT_EQ(parse_enum<ResourceKind>("tpus"), std::nullopt);
}

TEST(Resources, VectorsAddAndCompare) {
  ResourceVector a{{1000, 10, 0}};
  const ResourceVector b{{500, 20, 0}};
  EXPECT_FALSE(a.covers(b));
  EXPECT_FALSE(b.covers(a));
  EXPECT_TRUE(a.covers(a));
  a += b;
  EXPECT_EQ(a, (ResourceVector{{1500, 30, 0}}));
  a -= b;
  EXPECT_EQ(a * 3, (ResourceVector{{3000, 30, 0}}));
}

TEST(Resources, GangTakesAllItsTasks) {
  JobSpec spec{.nodes = 3};
  spec.resources = {.gpus = 2000, .cpus = 500, .memory_bytes = kGiB};
  EXPECT_EQ(spec.total(), (ResourceVector{{1500, 3 * kGiB, 6000}}));
}

Node t4_node() {
  Node node{.name = "n1", .cluster = "lab", .gpu_type = "t4", .cpus = 16'000, .memory_bytes = 64 * kGiB};
  node.devices = {{.id = "0"}, {.id = "1", .healthy = false}, {.id = "2"}};
  node.labels = {{"rack", "r1"}, {"zone", "a"}};
  return node;
}

TEST(Cluster, FlavorMatchesByTypeClusterAndLabels) {
  EXPECT_TRUE(Flavor{}.matches(t4_node()));
  EXPECT_TRUE((Flavor{.gpu_type = "t4", .cluster = "lab", .labels = {{"rack", "r1"}}}.matches(t4_node())));
  EXPECT_FALSE((Flavor{.gpu_type = "a100"}.matches(t4_node())));
  EXPECT_FALSE((Flavor{.cluster = "cloud"}.matches(t4_node())));
  EXPECT_FALSE((Flavor{.labels = {{"rack", "r2"}}}.matches(t4_node())));
  EXPECT_FALSE((Flavor{.labels = {{"spot", "yes"}}}.matches(t4_node())));
}

TEST(JobSpec, LaunchersAreReadByTheirNames) {
  EXPECT_EQ(parse_enum<Launcher>("torchrun"), Launcher::torchrun);
  EXPECT_EQ(parse_enum<Launcher>("mpi"), std::nullopt);
}

}  // namespace
}  // namespace ym
