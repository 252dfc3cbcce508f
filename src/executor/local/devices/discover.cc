#include "executor/local/devices/discover.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace ym::local {
namespace {

std::int64_t usable_cpus() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return ::sysconf(_SC_NPROCESSORS_ONLN);
}

std::int64_t memory_bytes() { return ::sysconf(_SC_PHYS_PAGES) * ::sysconf(_SC_PAGESIZE); }

}  // namespace

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "localhost";
  return name.data();
}

Node discover_node(const std::string& cluster, const std::vector<Gpu>& all) {
  Node node{.name = host_name(), .cluster = cluster, .cpus = usable_cpus() * kMilli, .memory_bytes = memory_bytes()};
  const auto gpus = visible_gpus(all, std::getenv("CUDA_VISIBLE_DEVICES"));
  if (gpus.empty()) return node;
  node.gpu_type = short_gpu_type(gpus.front().name);
  // On a machine with slices CUDA does not number GPUs as the driver does.
  const bool by_uuid = std::ranges::any_of(all, [](const Gpu& gpu) { return !gpu.profile.empty(); });
  for (const auto& gpu : gpus) {
    if (short_gpu_type(gpu.name) != node.gpu_type || node.devices.size() == kMaxDevicesPerNode) continue;
    node.devices.push_back({.id = gpu.index,
                            .physical = by_uuid ? gpu.uuid : gpu.index,
                            .profile = gpu.profile,
                            .memory_bytes = gpu.memory_bytes});
  }
  return node;
}

}  // namespace ym::local
