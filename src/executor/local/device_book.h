// DeviceBook: what is known of the GPUs of this machine, by index; kept for the next server.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "executor/local/nvml.h"

namespace ym::local {

struct KnownGpu {
  Gpu gpu;
  GpuUse before{};       // what was on it when it was last looked at without an attempt on it
  bool in_use = false;   // an attempt was given it
  bool unclean = false;  // something of an attempt that has ended is left on it
};
using DeviceBook = std::map<std::string, KnownGpu>;

std::string encode(const DeviceBook& book);
// Of an earlier boot only which GPUs there were. Errors: `corrupt`.
Result<DeviceBook> decode_devices(std::string_view text);

// Whether nothing has come to what was there before: no process, and no more memory than drivers
// and displays need now and then.
bool is_clean(const GpuUse& now, const GpuUse& before);

}  // namespace ym::local
