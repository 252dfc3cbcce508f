#include "executor/local/nvml.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <sstream>

namespace ym::local {
namespace {

// The few calls that we need; every one returns 0 for success. Handles are opaque.
struct Calls {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*count)(unsigned*) = nullptr;
  int (*handle)(unsigned, void**) = nullptr;
  int (*name)(void*, char*, unsigned) = nullptr;
  int (*uuid)(void*, char*, unsigned) = nullptr;
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

std::vector<Gpu> list(const Calls& calls) {
  std::vector<Gpu> found;
  unsigned count = 0;
  if (calls.count(&count) != 0) return found;
  for (unsigned i = 0; i < count; ++i) {
    void* device = nullptr;
    std::array<char, 96> name{}, uuid{};
    if (calls.handle(i, &device) != 0 || calls.name(device, name.data(), name.size()) != 0) continue;
    if (calls.uuid(device, uuid.data(), uuid.size()) != 0) continue;
    found.push_back({std::to_string(i), uuid.data(), name.data()});
  }
  return found;
}

}  // namespace

std::vector<Gpu> find_gpus(const std::string& name) {
  const std::unique_ptr<void, int (*)(void*)> library{::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL), ::dlclose};
  Calls calls;
  if (!library || !bind_all(library.get(), calls) || calls.init() != 0) return {};
  auto found = list(calls);
  calls.shutdown();
  return found;
}

std::string short_gpu_type(const std::string& name) {
  std::string type;
  std::istringstream words(name);
  for (std::string word; words >> word;) {
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (word == "nvidia" || word == "tesla" || word == "geforce" || word == "quadro") continue;
    type += word.substr(0, word.find('-'));
    if (word != "rtx" && word != "gtx") break;  // what follows is memory, or how it is mounted
  }
  std::erase_if(type, [](unsigned char c) { return std::isalnum(c) == 0; });
  return type.empty() ? "gpu" : type;
}

std::vector<Gpu> visible_gpus(const std::vector<Gpu>& all, const char* cuda_visible_devices) {
  if (!cuda_visible_devices) return all;
  std::vector<Gpu> visible;
  std::istringstream ids(cuda_visible_devices);
  for (std::string id; std::getline(ids, id, ',');)
    for (const auto& gpu : all)
      if (id == gpu.index || id == gpu.uuid) visible.push_back(gpu);
  return visible;
}

}  // namespace ym::local
