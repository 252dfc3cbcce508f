// The machine's GPUs as NVIDIA's management library sees them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"

namespace ym::local {

// A whole GPU, or a slice (MIG) of a partitioned GPU.
struct Gpu {
  std::string index;  // PCI bus order, as nvidia-smi shows it; of a slice its UUID, which stays the same
  std::string uuid;
  std::string name;               // "NVIDIA H200", "NVIDIA A100-SXM4-40GB MIG 1g.5gb"
  std::int64_t memory_bytes = 0;  // 0: unknown
  std::string profile{};          // of a slice: "1g.5gb"
  std::string part_of{};          // of a slice: the index of the GPU
};

inline constexpr const char* kNvmlLibrary = "libnvidia-ml.so.1";

// The GPUs without partitions, and the slices of partitioned ones. Loads the library (a name to look for, or a path) at
// run time; empty if there is no driver. Errors: `unavailable`: there is a driver, but it does not answer. The call may
// take seconds, or hang.
Result<std::vector<Gpu>> find_gpus(const std::string& library = kNvmlLibrary);

// Processes that compute on a GPU, and its memory in use.
struct GpuUse {
  std::int64_t memory_bytes = 0;  // with the driver's own memory, without that of displays
  std::set<std::int64_t> processes;
};

// By index, without GPUs that do not answer. Otherwise as find_gpus().
Result<std::map<std::string, GpuUse>> look_at_gpus(const std::string& library, const std::set<std::string>& indices);

// "NVIDIA H200" -> "h200", "Tesla T4" -> "t4", "NVIDIA A100-SXM4-80GB" -> "a100",
// "NVIDIA GeForce RTX 4090" -> "rtx4090".
std::string short_gpu_type(const std::string& name);

// The GPUs that CUDA_VISIBLE_DEVICES (indices or UUIDs) leaves; a GPU brings all its slices. All if it is not set.
std::vector<Gpu> visible_gpus(const std::vector<Gpu>& all, const char* cuda_visible_devices);

}  // namespace ym::local
