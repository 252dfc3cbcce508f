// The machine's GPUs as NVIDIA's management library sees them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"

namespace ym::local {

// A whole GPU, or a slice (MIG) of one that is partitioned.
struct Gpu {
  std::string index;  // in the order of the PCI bus, as nvidia-smi shows it; of a slice its UUID, which stays the same
  std::string uuid;
  std::string name;               // "NVIDIA H200", "NVIDIA A100-SXM4-40GB MIG 1g.5gb"
  std::int64_t memory_bytes = 0;  // 0: not known
  std::string profile{};          // of a slice: "1g.5gb"
  std::string part_of{};          // of a slice: the index of the GPU
};

inline constexpr const char* kNvmlLibrary = "libnvidia-ml.so.1";

// The GPUs that are not partitioned, and the slices of those that are. The library (a name to look for, or a path) is
// loaded at run time; none without a driver. Errors: `unavailable`: there is a driver, but it does not answer. It may
// take seconds, or hang.
Result<std::vector<Gpu>> find_gpus(const std::string& library = kNvmlLibrary);

// What computes on a GPU, and the memory that is in use there.
struct GpuUse {
  std::int64_t memory_bytes = 0;  // the driver's own included, that of displays not
  std::set<std::int64_t> processes;
};

// By index; those that do not answer are left out. Otherwise as find_gpus().
Result<std::map<std::string, GpuUse>> look_at_gpus(const std::string& library, const std::set<std::string>& indices);

// "NVIDIA H200" -> "h200", "Tesla T4" -> "t4", "NVIDIA A100-SXM4-80GB" -> "a100",
// "NVIDIA GeForce RTX 4090" -> "rtx4090".
std::string short_gpu_type(const std::string& name);

// Those that CUDA_VISIBLE_DEVICES (indices or UUIDs) leaves, with a GPU all of its slices; all if it is not set.
std::vector<Gpu> visible_gpus(const std::vector<Gpu>& all, const char* cuda_visible_devices);

}  // namespace ym::local
