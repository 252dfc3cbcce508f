// Sizes, names and arrays: what could be taken for something else.
#include "spec/testing/support.h"

namespace ym::spec {
namespace {

TEST(Sizes, ASizeHasAUnit) {
  for (const std::string key : {"memory", "shm"}) {
    const auto read = [&](const std::string& size) { return with("resources: {" + key + ": " + size + "}"); };
    for (const std::string size : {"4096", "10", "'4096'", "0.5", "4096+", "35184372088832"})
      EXPECT_EQ(pointer(read(size)), "/resources/" + key) << size;
    for (const std::string size : {"4096Mi", "4GiB", "4096B", "0", "0.5GiB"}) EXPECT_TRUE(read(size)) << size;
  }
  EXPECT_EQ(pointer(with("resources: {gpu_share: 0.5, gpu_memory: 8}")), "/resources/gpu_memory");
  EXPECT_EQ(pointer(parse_job_json(R"({"run":["a"],"resources":{"memory":4096}})", kHome)), "/resources/memory");
  // Both meanings, and how to write them.
  expect_refused(with("resources: {memory: 4096}"), ErrorCode::invalid, "/resources/memory");
}

TEST(Identity, ANameIsNoId) {
  for (const std::string name : {"0000000A", "0000000a", "00000012", "20260101", "ABCDEFGH", "olympics"})
    EXPECT_EQ(pointer(with("name: '" + name + "'")), "/name") << name;
  EXPECT_EQ(pointer(job("run: [./0000000A]")), "/name") << "made from the program";
  EXPECT_EQ(pointer(with("name: 0000000A\narray: 3")), "/name") << "the array is named by it, too";
  for (const std::string name : {"training", "resnet50", "pretrain", "imagenet", "0000000", "0000000AB", "job-0001"})
    EXPECT_TRUE(with("name: '" + name + "'")) << name;
}

TEST(Identity, AnArrayMayRunOnlySoManyAtATime) {
  EXPECT_EQ(with("array: 8")->array, 8);
  EXPECT_EQ(with("array: 8")->array_parallel, std::nullopt);
  const auto some = with("array: {count: 8, parallel: 2}");
  ASSERT_TRUE(some) << message(some);
  EXPECT_EQ(some->array, 8);
  EXPECT_EQ(some->array_parallel, 2);
  EXPECT_EQ(with("array: {count: 8}")->array, 8);
  EXPECT_EQ(pointer(with("array: {parallel: 2}")), "/array/count");
  EXPECT_EQ(pointer(with("array: {count: 8, parallel: 0}")), "/array/parallel");
  EXPECT_EQ(pointer(with("array: {count: 10001}")), "/array/count");
}

}  // namespace
}  // namespace ym::spec
