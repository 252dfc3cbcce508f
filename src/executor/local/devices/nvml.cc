#include "executor/local/devices/nvml.h"

#include <dlfcn.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <optional>
#include <sstream>

#include "model/cluster.h"

namespace ym::local {
namespace {

constexpr int kTooSmall = 7;  // NVML_ERROR_INSUFFICIENT_SIZE

struct MemoryInfo {
  unsigned long long total, free, used;
};
struct ProcessInfo {
  unsigned pid;
  unsigned long long memory;
  unsigned gpu_instance, compute_instance;
};
using ListProcesses = int (*)(void*, unsigned*, ProcessInfo*);

// The few NVML calls that are needed; each returns 0 for success. Handles are opaque.
struct Calls {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*count)(unsigned*) = nullptr;
  int (*handle)(unsigned, void**) = nullptr;
  int (*name)(void*, char*, unsigned) = nullptr;
  int (*uuid)(void*, char*, unsigned) = nullptr;
  int (*memory)(void*, MemoryInfo*) = nullptr;
  ListProcesses computing = nullptr;
  ListProcesses displaying = nullptr;
  int (*mig_mode)(void*, unsigned* now, unsigned* pending) = nullptr;
  int (*most_slices)(void*, unsigned*) = nullptr;
  int (*slice)(void*, unsigned, void**) = nullptr;
};

template <class Function>
bool bind(void* library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, symbol));
  return function != nullptr;
}

bool bind_all(void* library, Calls& calls) {
  return bind(library, "nvmlInit_v2", calls.init) && bind(library, "nvmlShutdown", calls.shutdown) &&
         bind(library, "nvmlDeviceGetCount_v2", calls.count) &&
         bind(library, "nvmlDeviceGetHandleByIndex_v2", calls.handle) &&
         bind(library, "nvmlDeviceGetName", calls.name) && bind(library, "nvmlDeviceGetUUID", calls.uuid);
}

// Drivers before 510 lack some of these.
bool bind_looks(void* library, Calls& calls) {
  return bind(library, "nvmlDeviceGetMemoryInfo", calls.memory) &&
         bind(library, "nvmlDeviceGetComputeRunningProcesses_v3", calls.computing) &&
         bind(library, "nvmlDeviceGetGraphicsRunningProcesses_v3", calls.displaying);
}

bool bind_slices(void* library, Calls& calls) {
  return bind(library, "nvmlDeviceGetMigMode", calls.mig_mode) &&
         bind(library, "nvmlDeviceGetMaxMigDeviceCount", calls.most_slices) &&
         bind(library, "nvmlDeviceGetMigDeviceHandleByIndex", calls.slice);
}

// The library, open while this lives.
class Nvml {
 public:
  explicit Nvml(const std::string& name) : library_(::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL), ::dlclose) {
    answers_ = library_ && bind_all(library_.get(), calls_) && calls_.init() == 0;
    if (!answers_) return;
    shows_use_ = bind_looks(library_.get(), calls_);
    if (!bind_slices(library_.get(), calls_)) calls_.mig_mode = nullptr;
  }
  ~Nvml() {
    if (answers_) calls_.shutdown();
  }
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  bool is_there() const { return library_ != nullptr; }
  bool answers() const { return answers_; }
  bool shows_use() const { return shows_use_; }
  const Calls& operator*() const { return calls_; }

 private:
  const std::unique_ptr<void, int (*)(void*)> library_;
  Calls calls_;
  bool answers_ = false;
  bool shows_use_ = false;
};

Error no_answer() { return {.code = ErrorCode::unavailable, .message = "the NVIDIA driver does not answer"}; }

struct Handle {
  Gpu gpu;
  void* device = nullptr;
};

std::optional<Handle> describe(const Calls& calls, void* device, std::string index) {
  std::array<char, 96> name{}, uuid{};
  if (calls.name(device, name.data(), name.size()) != 0 || calls.uuid(device, uuid.data(), uuid.size()) != 0)
    return std::nullopt;
  MemoryInfo memory{};
  const bool is_known = calls.memory != nullptr && calls.memory(device, &memory) == 0;
  return Handle{.gpu = {.index = std::move(index),
                        .uuid = uuid.data(),
                        .name = name.data(),
                        .memory_bytes = is_known ? static_cast<std::int64_t>(memory.total) : 0},
                .device = device};
}

// "NVIDIA A100-SXM4-40GB MIG 1g.5gb" -> "1g.5gb"
std::string profile_in(const std::string& name) {
  constexpr std::string_view kBefore = " MIG ";
  const auto at = name.find(kBefore);
  return at == std::string::npos ? "" : name.substr(at + kBefore.size());
}

void add_slices(const Calls& calls, const Handle& gpu, std::vector<Handle>& slices) {
  unsigned most = 0;
  if (calls.most_slices(gpu.device, &most) != 0) return;
  for (unsigned i = 0; i < most; ++i) {
    void* device = nullptr;
    if (calls.slice(gpu.device, i, &device) != 0) continue;
    auto slice = describe(calls, device, {});
    if (!slice) continue;
    slice->gpu.index = slice->gpu.uuid;
    slice->gpu.profile = profile_in(slice->gpu.name);
    slice->gpu.part_of = gpu.gpu.index;
    if (slice_milli(slice->gpu.profile)) slices.push_back(std::move(*slice));
    else spdlog::warn("{} is not used: its MIG profile is unknown", slice->gpu.name);
  }
}

bool is_partitioned(const Calls& calls, void* device) {
  unsigned now = 0, pending = 0;
  return calls.mig_mode != nullptr && calls.mig_mode(device, &now, &pending) == 0 && now == 1;
}

Result<std::vector<Handle>> list(const Calls& calls) {
  std::vector<Handle> found, slices;
  unsigned count = 0;
  if (calls.count(&count) != 0) return std::unexpected(no_answer());
  for (unsigned i = 0; i < count; ++i) {
    void* device = nullptr;
    if (calls.handle(i, &device) != 0) continue;
    auto gpu = describe(calls, device, std::to_string(i));
    if (!gpu) continue;
    if (is_partitioned(calls, device)) add_slices(calls, *gpu, slices);
    else found.push_back(std::move(*gpu));
  }
  found.insert(found.end(), slices.begin(), slices.end());
  return found;
}

std::optional<std::vector<ProcessInfo>> list_processes(ListProcesses list, void* device) {
  std::vector<ProcessInfo> found(64);
  for (;;) {
    auto count = static_cast<unsigned>(found.size());
    const int error = list(device, &count, found.data());
    if (error != 0 && error != kTooSmall) return std::nullopt;
    if (error == 0 && count <= found.size()) {
      found.resize(count);
      return found;
    }
    found.resize(2 * found.size() + count);
  }
}

std::optional<GpuUse> look_at(const Calls& calls, void* device) {
  MemoryInfo memory{};
  if (calls.memory(device, &memory) != 0) return std::nullopt;
  const auto computing = list_processes(calls.computing, device);
  const auto displaying = list_processes(calls.displaying, device);
  if (!computing || !displaying) return std::nullopt;
  GpuUse use{.memory_bytes = static_cast<std::int64_t>(memory.used), .processes = {}};
  for (const auto& process : *computing) use.processes.insert(process.pid);
  for (const auto& process : *displaying) {
    // A value above the total means that it is unknown.
    const bool computes_too = use.processes.contains(process.pid);
    if (!computes_too && process.memory <= memory.used) use.memory_bytes -= static_cast<std::int64_t>(process.memory);
  }
  return use;
}

}  // namespace

Result<std::vector<Gpu>> find_gpus(const std::string& name) {
  const Nvml nvml{name};
  if (!nvml.is_there()) return {};
  if (!nvml.answers()) return std::unexpected(no_answer());
  const auto handles = list(*nvml);
  if (!handles) return std::unexpected(handles.error());
  std::vector<Gpu> found;
  for (const Handle& handle : *handles) found.push_back(handle.gpu);
  return found;
}

Result<std::map<std::string, GpuUse>> look_at_gpus(const std::string& library, const std::set<std::string>& indices) {
  const Nvml nvml{library};
  if (!nvml.shows_use()) return std::unexpected(no_answer());
  const auto handles = list(*nvml);
  if (!handles) return std::unexpected(handles.error());
  std::map<std::string, GpuUse> uses;
  for (const Handle& handle : *handles) {
    if (!indices.contains(handle.gpu.index)) continue;
    if (const auto use = look_at(*nvml, handle.device)) uses[handle.gpu.index] = *use;
  }
  return uses;
}

std::string short_gpu_type(const std::string& name) {
  std::string type;
  std::istringstream words(name);
  for (std::string word; words >> word;) {
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (word == "nvidia" || word == "tesla" || word == "geforce" || word == "quadro") continue;
    type += word.substr(0, word.find('-'));
    if (word != "rtx" && word != "gtx") break;  // memory size and form factor follow
  }
  std::erase_if(type, [](unsigned char c) { return std::isalnum(c) == 0; });
  return type.empty() ? "gpu" : type;
}

std::vector<Gpu> visible_gpus(const std::vector<Gpu>& all, const char* cuda_visible_devices) {
  if (!cuda_visible_devices) return all;
  std::vector<Gpu> visible;
  std::istringstream ids(cuda_visible_devices);
  for (std::string id; std::getline(ids, id, ',');)
    for (const auto& gpu : all) {
      const bool is_meant = !id.empty() && (id == gpu.index || id == gpu.uuid || id == gpu.part_of);
      if (is_meant && std::ranges::find(visible, gpu.uuid, &Gpu::uuid) == visible.end()) visible.push_back(gpu);
    }
  return visible;
}

}  // namespace ym::local
