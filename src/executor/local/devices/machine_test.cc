// Nodes, devices and ports of this machine.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/fd.h"
#include "executor/local/devices/discover.h"
#include "executor/local/devices/nvml.h"
#include "executor/local/machine/ports.h"

namespace ym::local {
namespace {

using ::testing::ElementsAre;

TEST(Discover, ThisMachineIsANode) {
  const auto node = discover_node("lab", find_gpus().value_or(std::vector<Gpu>{}));
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

// The machine of testing/stand_in_nvml.cc, as the executor reports it.
std::vector<std::string> found_devices(const char* visible) {
  if (visible) ::setenv("CUDA_VISIBLE_DEVICES", visible, 1);
  const auto node = discover_node("lab", find_gpus(YM_STAND_IN_NVML).value());
  ::unsetenv("CUDA_VISIBLE_DEVICES");
  std::vector<std::string> devices{node.gpu_type};
  for (const auto& device : node.devices) devices.push_back(device.id + "=" + device.physical);
  return devices;
}

// A file for the stand-in, while this lives.
class StandInSays {
 public:
  explicit StandInSays(const std::string& text) : path_(::testing::TempDir() + "ym-stand-in-gpus") {
    std::ofstream(path_) << text;
    ::setenv("YM_STAND_IN_GPUS", path_.c_str(), 1);
  }
  ~StandInSays() {
    ::unsetenv("YM_STAND_IN_GPUS");
    std::filesystem::remove(path_);
  }

 private:
  std::string path_;
};

TEST(Nvml, OfAPartitionedGpuTheSlicesAreFound) {
  const StandInSays says("mig\n0 1024\n5 2048 4242\n");
  EXPECT_THAT(found_devices(nullptr),
              ElementsAre("h200", "0=GPU-00000000", "MIG-00000005=MIG-00000005", "MIG-00000006=MIG-00000006"));
  EXPECT_THAT(found_devices("1"), ElementsAre("h200", "MIG-00000005=MIG-00000005", "MIG-00000006=MIG-00000006"));
  EXPECT_THAT(found_devices("MIG-00000006"), ElementsAre("h200", "MIG-00000006=MIG-00000006"));
  EXPECT_THAT(found_devices("0,,0"), ElementsAre("h200", "0=GPU-00000000")) << "each once";
  const auto node = discover_node("lab", find_gpus(YM_STAND_IN_NVML).value());
  EXPECT_EQ(node.devices[0].profile, "");
  EXPECT_EQ(node.devices[0].memory_bytes, 141 * kGiB);
  EXPECT_EQ(node.devices[1].profile, "1g.18gb");
  EXPECT_EQ(node.devices[1].memory_bytes, 18 * kGiB);
  const auto uses = look_at_gpus(YM_STAND_IN_NVML, {"MIG-00000005", "MIG-00000006"}).value();
  EXPECT_THAT(uses.at("MIG-00000005").processes, ElementsAre(4242));
  EXPECT_EQ(uses.at("MIG-00000005").memory_bytes, 2048);
  EXPECT_TRUE(uses.at("MIG-00000006").processes.empty());
}

TEST(Nvml, DevicesAreFoundThroughTheLibrary) {
  const auto gpus = find_gpus(YM_STAND_IN_NVML).value();
  ASSERT_EQ(gpus.size(), 3U) << "one of the four has fallen off the bus";
  EXPECT_EQ(gpus[0].index, "0");
  EXPECT_EQ(gpus[0].uuid, "GPU-00000000");
  EXPECT_EQ(gpus[0].name, "NVIDIA H200");
  EXPECT_EQ(gpus[2].index, "2");
  EXPECT_EQ(gpus[2].name, "Tesla T4");
  EXPECT_EQ(find_gpus(YM_STAND_IN_NVML)->size(), 3U) << "it was shut down properly and can be asked again";
}

TEST(Nvml, WhatDisplaysIsNotWhatComputes) {
  auto file = (std::filesystem::temp_directory_path() / "ym-gpus-XXXXXX").string();
  const Fd fd{::mkstemp(file.data())};
  ASSERT_TRUE(fd);
  std::ofstream(file) << "0 8589934592 7 8\n1 1024\n";
  ::setenv("YM_STAND_IN_GPUS", file.c_str(), 1);
  auto uses = look_at_gpus(YM_STAND_IN_NVML, {"0", "1", "3"}).value();
  ::unsetenv("YM_STAND_IN_GPUS");
  std::filesystem::remove(file);
  EXPECT_EQ(uses.size(), 2U) << "one has fallen off the bus";
  EXPECT_EQ(uses["0"].memory_bytes, 3 * kGiB) << "without the 5 GiB of the display";
  EXPECT_THAT(uses["0"].processes, ElementsAre(7, 8));
  EXPECT_EQ(uses["1"].memory_bytes, 1024);
}

TEST(Nvml, WithoutALibraryThereAreNone) { EXPECT_TRUE(find_gpus("/no/such/library.so")->empty()); }

TEST(Nvml, ANodeHasTheDevicesOfItsFirstType) {
  EXPECT_THAT(found_devices(nullptr), ElementsAre("h200", "0=0", "1=1"));
  EXPECT_THAT(found_devices("1"), ElementsAre("h200", "1=1"));
  EXPECT_THAT(found_devices("GPU-00000001,0"), ElementsAre("h200", "1=1", "0=0"));
  EXPECT_THAT(found_devices("2"), ElementsAre("t4", "2=2"));
  EXPECT_THAT(found_devices("3"), ElementsAre(""));
  EXPECT_THAT(found_devices(""), ElementsAre(""));
}

// Other processes of these tests begin at other ports.
std::uint64_t own_seed() { return static_cast<std::uint64_t>(::getpid()) * 64; }

TEST(Ports, AreNotGivenToTwoServers) {
  PortPool one{own_seed()}, other{own_seed()};
  const auto a = one.take();
  const auto b = other.take();
  ASSERT_TRUE(a && b);
  EXPECT_NE(*a, *b);
  one.give_back(*a);
  PortPool third{own_seed()};
  EXPECT_EQ(third.take(), a);
}

TEST(Ports, AreNotGivenTwice) {
  PortPool pool{own_seed()};
  const auto a = pool.take();
  const auto b = pool.take();
  ASSERT_TRUE(a && b);
  EXPECT_NE(*a, *b);
}

TEST(Ports, OneThatIsListenedOnIsPassedOver) {
  PortPool probe{own_seed()};
  const auto port = *probe.take();
  const Fd fd{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  const sockaddr_in address{.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {.s_addr = INADDR_ANY}};
  ASSERT_EQ(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  PortPool pool{static_cast<std::uint64_t>(port - PortPool::kFirst)};
  EXPECT_NE(pool.take(), port);
}

TEST(Ports, AnEarlierServersAreKept) {
  PortPool pool{own_seed()};
  PortPool same{own_seed()};
  const auto port = *pool.take();
  same.keep(port);
  EXPECT_NE(same.take(), port);
}

}  // namespace
}  // namespace ym::local
