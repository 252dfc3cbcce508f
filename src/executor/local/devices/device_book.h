// DeviceBook: what is known of the GPUs of this machine, by index. It is stored for the next server.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "executor/local/devices/nvml.h"

namespace ym::local {

struct KnownGpu {
  Gpu gpu;
  GpuUse before{};       // what was on it at the last look without an attempt on it
  bool in_use = false;   // an attempt has it
  bool unclean = false;  // something of an ended attempt is left on it
};
using DeviceBook = std::map<std::string, KnownGpu>;

std::string encode(const DeviceBook& book);
// Of an earlier boot only the list of GPUs. Errors: `corrupt`.
Result<DeviceBook> decode_devices(std::string_view text);

// Whether there is nothing more than before: no new process, and no more additional memory than drivers and displays
// need.
bool is_clean(const GpuUse& now, const GpuUse& before);

}  // namespace ym::local
