// Stand-in for libnvidia-ml.so.1: a machine with four GPUs. The third has another type, and the last one has fallen off
// the bus.
//
// The file YM_STAND_IN_GPUS describes their use: lines "INDEX MEMORY PID..."; "down" for a driver that does not answer;
// "mig" for a second GPU that is partitioned into two slices, 5 and 6 in the file.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int kSuccess = 0, kNoPermission = 4, kNotFound = 6, kTooSmall = 7, kNoDriver = 9, kGpuIsLost = 15;
constexpr unsigned kDevices = 4, kPartitioned = 1, kFirstSlice = 5, kSlices = 2;
std::atomic<int> users = 0;

char handles[kFirstSlice + kSlices];

void* handle_of(unsigned index) { return handles + index; }
unsigned index_of(const void* handle) { return static_cast<unsigned>(static_cast<const char*>(handle) - handles); }

std::vector<std::string> said() {
  std::vector<std::string> lines;
  const char* path = std::getenv("YM_STAND_IN_GPUS");
  std::ifstream file(path ? path : "/dev/null");
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

bool says(const std::string& word) {
  for (const auto& line : said())
    if (line == word) return true;
  return false;
}

// Memory and processes from the last line about this index.
std::vector<std::uint64_t> said_of(unsigned index) {
  std::vector<std::uint64_t> numbers{0};
  for (const auto& line : said()) {
    std::istringstream words(line);
    unsigned told = kFirstSlice + kSlices;
    if (!(words >> told) || told != index) continue;
    numbers.clear();
    for (std::uint64_t number = 0; words >> number;) numbers.push_back(number);
  }
  return numbers;
}

struct Memory {
  unsigned long long total, free, used;
};
struct Process {
  unsigned pid;
  unsigned long long memory;
  unsigned gpu_instance, compute_instance;
};

}  // namespace

extern "C" {

int nvmlInit_v2() {
  if (says("down")) return kNoDriver;
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
  if (index + 1 >= kDevices) return kGpuIsLost;
  *device = handle_of(index);
  return kSuccess;
}

int nvmlDeviceGetName(void* device, char* name, unsigned length) {
  const bool is_slice = index_of(device) >= kFirstSlice;
  std::snprintf(name, length, "%s%s", index_of(device) == 2 ? "Tesla T4" : "NVIDIA H200",
                is_slice ? " MIG 1g.18gb" : "");
  return kSuccess;
}

int nvmlDeviceGetUUID(void* device, char* uuid, unsigned length) {
  std::snprintf(uuid, length, "%s-0000000%u", index_of(device) >= kFirstSlice ? "MIG" : "GPU", index_of(device));
  return kSuccess;
}

int nvmlDeviceGetMemoryInfo(void* device, Memory* memory) {
  memory->total = std::uint64_t{index_of(device) >= kFirstSlice ? 18U : 141U} << 30;
  memory->used = said_of(index_of(device)).front();
  return kSuccess;
}

int nvmlDeviceGetMigMode(void* device, unsigned* now, unsigned* pending) {
  *now = *pending = index_of(device) == kPartitioned && says("mig") ? 1 : 0;
  return kSuccess;
}

int nvmlDeviceGetMaxMigDeviceCount(void*, unsigned* count) {
  *count = 7;
  return kSuccess;
}

int nvmlDeviceGetMigDeviceHandleByIndex(void*, unsigned index, void** device) {
  if (index >= kSlices) return kNotFound;
  *device = handle_of(kFirstSlice + index);
  return kSuccess;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, Process* list) {
  const auto numbers = said_of(index_of(device));
  const auto room = *count;
  *count = static_cast<unsigned>(numbers.size() - 1);
  if (*count > room) return kTooSmall;
  for (unsigned i = 0; i < *count; ++i) list[i] = {static_cast<unsigned>(numbers[i + 1]), 0, 0, 0};
  return kSuccess;
}

// The first GPU has a display.
int nvmlDeviceGetGraphicsRunningProcesses_v3(void* device, unsigned* count, Process* list) {
  const auto room = *count;
  *count = index_of(device) == 0 ? 1 : 0;
  if (*count > room) return kTooSmall;
  if (*count > 0) list[0] = {1, std::uint64_t{5} << 30, 0, 0};
  return kSuccess;
}
}
