// Stands in for libnvidia-ml.so.1: a machine with four GPUs, the third of another type and
// the last one fallen off the bus.
#include <cstdint>
#include <cstdio>

namespace {

constexpr int kSuccess = 0, kNoPermission = 4, kGpuIsLost = 15;
constexpr unsigned kDevices = 4;
int users = 0;

char handles[kDevices];

void* handle_of(unsigned index) { return handles + index; }
unsigned index_of(const void* handle) { return static_cast<unsigned>(static_cast<const char*>(handle) - handles); }

}  // namespace

extern "C" {

int nvmlInit_v2() {
  ++users;
  return kSuccess;
}

int nvmlShutdown() {
  --users;
  return kSuccess;
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  if (users <= 0) return kNoPermission;
  *count = kDevices;
  return kSuccess;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  if (index + 1 == kDevices) return kGpuIsLost;
  *device = handle_of(index);
  return kSuccess;
}

int nvmlDeviceGetName(void* device, char* name, unsigned length) {
  std::snprintf(name, length, "%s", index_of(device) == 2 ? "Tesla T4" : "NVIDIA H200");
  return kSuccess;
}

int nvmlDeviceGetUUID(void* device, char* uuid, unsigned length) {
  std::snprintf(uuid, length, "GPU-0000000%u", index_of(device));
  return kSuccess;
}
}
