#include "executor/local/devices/device_watch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <memory>
#include <ranges>
#include <utility>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/devices/discover.h"
#include "executor/local/machine/blocking_call.h"

namespace ym::local {
namespace {

constexpr std::size_t kMaxBook = std::size_t{1} << 20;
constexpr Duration kLookTimeout = seconds(5);  // for a driver that hangs
// How long the remains of an ended task may take to disappear before they count as left.
constexpr int kLooks = 10;
constexpr Duration kLookPause{100};

// Shared by the loop and the thread that looks.
struct Look {
  std::mutex mutex;
  std::map<std::string, GpuUse> uses;  // under mutex
};

}  // namespace

DeviceWatch::DeviceWatch(EventLoop& loop, const LocalOptions& options, Report report)
    : loop_(loop), options_(options), report_(std::move(report)) {
  const auto text = read_file(AT_FDCWD, (options_.state_dir / kAttemptsFolder / kDevicesFile).c_str(), kMaxBook);
  if (auto book = text ? decode_devices(*text) : std::unexpected(text.error())) book_ = std::move(*book);
}

// Without this file, the next start takes what is on a GPU as normal.
void DeviceWatch::save() const {
  const auto folder = open_folder(AT_FDCWD, (options_.state_dir / kAttemptsFolder).string());
  if (folder) static_cast<void>(replace_file(folder->get(), kDevicesFile, encode(book_)));
}

Node DeviceWatch::node() {
  auto found = find_gpus(options_.nvml);
  Devices indices;
  for (const auto& gpu : found.value_or(std::vector<Gpu>{})) indices.insert(gpu.index);
  const auto uses = indices.empty() ? std::map<std::string, GpuUse>{}
                                    : look_at_gpus(options_.nvml, indices).value_or(std::map<std::string, GpuUse>{});
  const std::lock_guard lock{mutex_};
  if (found) learn(std::move(*found), uses);
  else spdlog::warn("{}: the {} devices keep their last known state", found.error().message, book_.size());
  std::vector<Gpu> gpus;
  for (const auto& [index, known] : book_) gpus.push_back(known.gpu);
  auto node = discover_node(options_.cluster, gpus);
  for (auto& device : node.devices) {
    device.healthy = !book_.at(device.id).unclean;
    if (!device.healthy) device.message = kLeft;
  }
  return node;
}

// Another GPU at the same index begins anew.
void DeviceWatch::learn(std::vector<Gpu> found, const std::map<std::string, GpuUse>& uses) {
  const auto before = std::exchange(book_, {});
  for (auto& gpu : found) {
    auto& known = book_[gpu.index];
    if (const auto it = before.find(gpu.index); it != before.end() && it->second.gpu.uuid == gpu.uuid)
      known = it->second;
    const auto use = uses.find(gpu.index);
    if (use != uses.end() && !known.in_use && !known.unclean) known.before = use->second;
    known.gpu = std::move(gpu);
  }
  if (!book_.empty() || !before.empty()) save();
}

DeviceWatch::Devices DeviceWatch::known_of(const std::vector<std::string>& devices) const {
  Devices found;
  for (const auto& [index, known] : book_)
    for (const auto& device : devices)
      if (device == index || device == known.gpu.uuid) found.insert(index);
  return found;
}

std::set<std::string> DeviceWatch::indices_of(const std::vector<std::string>& devices) const {
  const std::lock_guard lock{mutex_};
  return known_of(devices);
}

void DeviceWatch::take(const std::vector<std::string>& devices) {
  const std::lock_guard lock{mutex_};
  bool changed = false;
  for (const auto& device : known_of(devices)) {
    ++users_[device];
    if (!std::exchange(book_.at(device).in_use, true)) changed = true;
  }
  if (changed) save();
}

void DeviceWatch::settle(const std::vector<std::string>& devices, EventLoop::Work done) {
  Devices known;
  {
    const std::lock_guard lock{mutex_};
    for (const auto& device : known_of(devices)) {
      // It may have become known after the task took it.
      int& users = users_[device];
      users = std::max(0, users - 1);
      if (users == 0) known.insert(device);
    }
  }
  if (known.empty()) return done();
  settle_round(known, kLooks, std::move(done));
}

void DeviceWatch::settle_round(const Devices& devices, int looks, EventLoop::Work done) {
  look_at(devices, [this, looks, done = std::move(done)](const Devices& left) {
    if (left.empty()) return done();
    if (looks > 1) return loop_.after(kLookPause, [this, left, looks, done] { settle_round(left, looks - 1, done); });
    set_unclean(left, true);
    look_again_later();
    done();
  });
}

void DeviceWatch::look_at(const Devices& devices, Found found) {
  const auto look = std::make_shared<Look>();
  const auto see = [look, devices, nvml = options_.nvml] {
    auto uses = look_at_gpus(nvml, devices);
    const std::lock_guard lock{look->mutex};
    if (uses) look->uses = std::move(*uses);
  };
  do_blocking(loop_, kLookTimeout, see, [this, look, devices, found = std::move(found)] {
    const std::lock_guard lock{look->mutex};
    found(judge(devices, look->uses));
  });
}

// Devices that could not be seen keep their state.
DeviceWatch::Devices DeviceWatch::judge(const Devices& devices, const std::map<std::string, GpuUse>& uses) {
  Devices left, clean;
  {
    const std::lock_guard lock{mutex_};
    for (const auto& device : devices) {
      const auto known = book_.find(device);
      // Another task may share it meanwhile.
      if (known == book_.end() || users_[device] > 0) continue;
      const auto use = uses.find(device);
      const bool is_left = use == uses.end() ? known->second.unclean : !is_clean(use->second, known->second.before);
      (is_left ? left : clean).insert(device);
    }
  }
  set_unclean(clean, false);
  return left;
}

void DeviceWatch::set_unclean(const Devices& devices, bool is_unclean) {
  bool changed = false;
  {
    const std::lock_guard lock{mutex_};
    for (const auto& device : devices) {
      const auto known = book_.find(device);
      if (known == book_.end()) continue;
      changed = changed || known->second.unclean != is_unclean;
      known->second.unclean = is_unclean;
      known->second.in_use = false;
    }
    if (!devices.empty()) save();
  }
  if (!changed) return;
  const auto now = unclean();
  auto message = now.empty()
                     ? "nothing is left on its devices"
                     : fmt::format("something of a job that has ended is left on device {}", fmt::join(now, ", "));
  DevicesAreUnhealthy seen{.node = host_name(), .devices = {}, .message = std::move(message)};
  for (const auto& device : now) seen.devices[device] = kLeft;
  report_(std::move(seen));
}

DeviceWatch::Devices DeviceWatch::unclean() const {
  const std::lock_guard lock{mutex_};
  Devices found;
  for (const auto& [index, known] : book_)
    if (known.unclean && !known.in_use) found.insert(index);
  return found;
}

void DeviceWatch::look_again_later() {
  if (waiting_ || unclean().empty()) return;
  waiting_ = true;
  loop_.after(options_.device_pause, [this] { look_again(); });
}

void DeviceWatch::look_again() {
  look_at(unclean(), [this](const Devices&) {
    waiting_ = false;
    look_again_later();
  });
}

}  // namespace ym::local
