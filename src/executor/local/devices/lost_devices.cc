#include "executor/local/devices/lost_devices.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/launch_barrier.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/devices/discover.h"

namespace ym::local {
namespace {

std::string name_of(const Token& token) {
  return fmt::format("attempt {} of job {}", token.attempt, to_string(token.job));
}

void append(std::string& text, const std::string& sentence) {
  if (!text.empty()) text += "; ";
  text += sentence;
}

std::string held_by(const Token& token) {
  return fmt::format("held by {}, a launch that this server's state does not know, because the state was set back",
                     name_of(token));
}

}  // namespace

void LostDevices::mark(std::vector<Node>& nodes) const {
  const std::lock_guard lock{mutex_};
  for (const auto& [token, held] : held_)
    for (auto& node : nodes)
      if (const auto it = held.devices.find(node.name); it != held.devices.end())
        for (auto& device : node.devices) {
          if (!it->second.contains(device.id)) continue;
          device.healthy = false;
          append(device.message, held_by(token));
        }
}

void LostDevices::join(DevicesAreUnhealthy& seen) const {
  const std::lock_guard lock{mutex_};
  std::string message = std::exchange(seen.message, {});
  for (const auto& [token, held] : held_) {
    const auto it = held.devices.find(seen.node);
    if (it == held.devices.end()) continue;
    if (seen.devices.empty()) message.clear();  // it says that nothing is left
    for (const auto& device : it->second) append(seen.devices[device], held_by(token));
    append(message, held_by(token));
  }
  seen.message = std::move(message);
}

void LostDevices::hold(const std::vector<FoundLaunch>& living) {
  std::set<std::string> touched;
  for (const auto& found : living) {
    Held held{.devices = devices_of(found), .physical = found.devices};
    const Token& token = found.launch.token;
    if (held.devices.empty() && found.launch.placement.empty())
      spdlog::warn("{} ({}) still runs. The state does not know it, and its devices are unknown", name_of(token),
                   found.launch.where);
    for (const auto& [node, devices] : held.devices) touched.insert(node);
    services_.devices.take(held.physical);
    const std::lock_guard lock{mutex_};
    held_.insert_or_assign(token, std::move(held));
  }
  report(touched);
  look_again_later();
}

bool LostDevices::holds(const AttemptKey& attempt) const {
  const auto next = held_.lower_bound(Token{attempt.job, attempt.number, 0});
  return next != held_.end() && next->first.key() == attempt;
}

// By the placement, and by the devices that user code got. Older builds did not record the placement, and this machine
// or a configured node may have another name now.
LostDevices::ByNode LostDevices::devices_of(const FoundLaunch& found) const {
  ByNode devices;
  for (const auto& task : found.launch.placement)
    if (!task.devices.empty()) devices[task.node].insert(task.devices.begin(), task.devices.end());
  for (const auto& node : services_.options.nodes)
    for (const auto& device : node.devices)
      if (!device.physical.empty() && std::ranges::find(found.devices, device.physical) != found.devices.end())
        devices[node.name].insert(device.id);
  if (!services_.options.nodes.empty()) return devices;
  if (const auto known = services_.devices.indices_of(found.devices); !known.empty())
    devices[host_name()].insert(known.begin(), known.end());
  return devices;
}

void LostDevices::look_again_later() {
  if (waiting_ || held_.empty()) return;
  waiting_ = true;
  services_.loop.after(services_.options.retry_pause, [this] { look_again(); });
}

void LostDevices::look_again() {
  waiting_ = false;
  report(nodes());
  std::vector<Token> ended;
  for (auto& [token, held] : held_) {
    if (held.is_leaving || lives(token)) continue;
    held.is_leaving = true;
    ended.push_back(token);
  }
  for (const auto& token : ended) {
    const auto physical = held_.at(token).physical;
    services_.devices.settle(physical, [this, token] { give_back(token); });
  }
  look_again_later();
}

// Checks the locks first, which is quicker than listing all processes. A folder that cannot be read says nothing, and
// may stay so forever.
bool LostDevices::lives(const Token& token) const {
  const auto folder = open_folder(AT_FDCWD, (services_.options.state_dir / attempt_path(token.key())).string());
  if (!folder && folder.error().code != ErrorCode::not_found) return !services_.nothing_lives(token);
  return (folder && lives_by_folder(folder->get(), count_tasks(folder->get()))) || services_.may_live(token);
}

void LostDevices::give_back(const Token& token) {
  std::set<std::string> touched;
  {
    const std::lock_guard lock{mutex_};
    const auto held = held_.extract(token);
    if (!held) return;
    for (const auto& [node, devices] : held.mapped().devices) touched.insert(node);
  }
  spdlog::info("{}, a launch that the state does not know, has ended", name_of(token));
  report(touched);
  services_.has_ended(token.key());
}

void LostDevices::report(const std::set<std::string>& nodes) const {
  for (const auto& node : nodes) {
    DevicesAreUnhealthy seen{.node = node, .devices = {}, .message = "the launches that held its devices have ended"};
    if (services_.options.nodes.empty() && node == host_name()) {
      for (const auto& device : services_.devices.unclean()) seen.devices[device] = DeviceWatch::kLeft;
      if (!seen.devices.empty()) seen.message = "something of a job that has ended is left on its devices";
    }
    join(seen);
    services_.report(std::move(seen));
  }
}

std::set<std::string> LostDevices::nodes() const {
  std::set<std::string> found;
  for (const auto& [token, held] : held_)
    for (const auto& [node, devices] : held.devices) found.insert(node);
  return found;
}

}  // namespace ym::local
