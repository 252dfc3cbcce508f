// Nodes, devices and ports of this machine.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "executor/local/attempt/fd.h"
#include "executor/local/discover.h"
#include "executor/local/nvml.h"
#include "executor/local/ports.h"

namespace ym::local {
namespace {

TEST(Discover, ThisMachineIsANode) {
  const auto node = discover_node("lab");
  EXPECT_FALSE(node.name.empty());
  EXPECT_EQ(node.cluster, "lab");
  EXPECT_GE(node.cpus, kMilli);
  EXPECT_GT(node.memory_bytes, 0);
  EXPECT_EQ(node.gpu_type.empty(), node.devices.empty());
}

TEST(Nvml, TypesAreShort) {
  EXPECT_EQ(short_gpu_type("NVIDIA H200"), "h200");
  EXPECT_EQ(short_gpu_type("NVIDIA H100 80GB HBM3"), "h100");
  EXPECT_EQ(short_gpu_type("Tesla T4"), "t4");
  EXPECT_EQ(short_gpu_type("NVIDIA A100-SXM4-80GB"), "a100");
  EXPECT_EQ(short_gpu_type("NVIDIA GeForce RTX 4090"), "rtx4090");
  EXPECT_EQ(short_gpu_type("NVIDIA RTX A6000"), "rtxa6000");
  EXPECT_EQ(short_gpu_type("Quadro"), "gpu");
}

TEST(Nvml, TheServersOwnRestrictionHolds) {
  const std::vector<Gpu> all{{"0", "GPU-a", "x"}, {"1", "GPU-b", "x"}, {"2", "GPU-c", "x"}};
  EXPECT_EQ(visible_gpus(all, nullptr).size(), 3U);
  EXPECT_TRUE(visible_gpus(all, "").empty());
  const auto some = visible_gpus(all, "2,GPU-a");
  ASSERT_EQ(some.size(), 2U);
  EXPECT_EQ(some[0].index, "2");
  EXPECT_EQ(some[1].index, "0");
}

TEST(Ports, AreNotGivenTwice) {
  PortPool pool{1};
  const auto a = pool.take();
  const auto b = pool.take();
  ASSERT_TRUE(a && b);
  EXPECT_NE(*a, *b);
}

TEST(Ports, OneThatIsListenedOnIsPassedOver) {
  PortPool probe{5};
  const auto port = *probe.take();
  const Fd fd{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  const sockaddr_in address{.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {.s_addr = INADDR_ANY}};
  ASSERT_EQ(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  PortPool pool{static_cast<std::uint64_t>(port - PortPool::kFirst)};
  EXPECT_NE(pool.take(), port);
}

TEST(Ports, AnEarlierServersAreKept) {
  PortPool pool{7};
  PortPool same{7};
  const auto port = *pool.take();
  same.keep(port);
  EXPECT_NE(same.take(), port);
}

}  // namespace
}  // namespace ym::local
