#include "executor/local/attempt/cgroup.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <set>
#include <sstream>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/numbers.h"
#include "executor/local/attempt/process.h"

namespace ym::local {
namespace {

constexpr std::size_t kMaxCgroupFile = std::size_t{1} << 20;
constexpr std::int64_t kPeriodMicros = 100'000;

std::string read_text(const std::string& path) {
  return read_file(AT_FDCWD, path.c_str(), kMaxCgroupFile).value_or(std::string());
}

int write_text(const std::string& path, const std::string& text) {
  const Fd fd{::open(path.c_str(), O_WRONLY | O_CLOEXEC)};
  if (!fd) return errno;
  return ::write(fd.get(), text.data(), text.size()) < 0 ? errno : 0;
}

bool has_word(const std::string& text, const std::string& word) {
  std::istringstream words(text);
  for (std::string next; words >> next;)
    if (next == word) return true;
  return false;
}

bool can_make_groups(const std::string& folder) {
  if (folder.empty()) return false;
  const auto probe = folder + "/ym-probe-" + std::to_string(::getpid());
  if (::mkdir(probe.c_str(), 0755) != 0) return false;
  const bool usable = ::access((probe + "/cgroup.procs").c_str(), W_OK) == 0;
  ::rmdir(probe.c_str());
  return usable;
}

// Enables a controller for the groups below, if the kernel allows it.
bool hand_down(const std::string& folder, const std::string& controller) {
  if (!has_word(read_text(folder + "/cgroup.controllers"), controller)) return false;
  const auto control = folder + "/cgroup.subtree_control";
  if (!has_word(read_text(control), controller)) write_text(control, "+" + controller);
  return has_word(read_text(control), controller);
}

bool has_controller(const std::string& list, const std::string& controller) {
  return ("," + list + ",").find("," + controller + ",") != std::string::npos;
}

bool is_v2(const std::string& folder) { return ::access((folder + "/cgroup.kill").c_str(), F_OK) == 0; }

// cpu.cfs_quota_us refuses values below one millisecond.
std::int64_t quota_micros(std::int64_t cpus) { return std::max<std::int64_t>(cpus * kPeriodMicros / 1000, 1000); }

int limit_cpu(const std::string& folder, std::int64_t cpus) {
  const auto quota = std::to_string(quota_micros(cpus));
  const auto period = std::to_string(kPeriodMicros);
  if (is_v2(folder)) return write_text(folder + "/cpu.max", quota + " " + period);
  // A new group has this period already, and each write costs the kernel a walk over all processors.
  return write_text(folder + "/cpu.cfs_quota_us", quota);
}

// With swap, a job that is too large would only get slow before it ends.
int limit_memory(const std::string& folder, std::int64_t bytes) {
  const auto text = std::to_string(bytes);
  if (!is_v2(folder)) {
    const int error = write_text(folder + "/memory.limit_in_bytes", text);
    if (error == 0) write_text(folder + "/memory.memsw.limit_in_bytes", text);
    return error;
  }
  write_text(folder + "/memory.swap.max", "0");
  write_text(folder + "/memory.oom.group", "1");
  return write_text(folder + "/memory.max", text);
}

}  // namespace

std::string own_cgroup(const std::string& mountinfo, const std::string& cgroup, const std::string& controller) {
  std::string path;
  std::istringstream groups(cgroup);
  for (std::string line; std::getline(groups, line);) {  // "4:memory:/a/b", "0::/a/b"
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const auto list = line.substr(first + 1, second - first - 1);
    if (controller.empty() ? list.empty() : has_controller(list, controller)) path = line.substr(second + 1);
  }
  std::istringstream mounts(mountinfo);
  for (std::string line; !path.empty() && std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string skip, root, mount_point, word, type, options;
    words >> skip >> skip >> skip >> root >> mount_point;
    while (words >> word && word != "-") continue;
    words >> type >> skip >> options;
    if (controller.empty() ? type != "cgroup2" : type != "cgroup" || !has_controller(options, controller)) continue;
    if (root != "/" && path.starts_with(root)) path.erase(0, root.size());
    return path == "/" ? mount_point : mount_point + path;
  }
  return {};
}

std::string delegated_group(const std::string& own) {
  constexpr std::string_view kServerGroup = "/server";
  if (!own.ends_with(std::string(".service").append(kServerGroup))) return own;
  return own.substr(0, own.size() - kServerGroup.size());
}

CgroupPlan detect_cgroups() {
  const auto mountinfo = read_text("/proc/self/mountinfo");
  const auto cgroup = read_text("/proc/self/cgroup");
  CgroupPlan plan;
  if (const auto own = delegated_group(own_cgroup(mountinfo, cgroup, "")); can_make_groups(own)) {
    plan.v2 = own;
    plan.v2_cpu = hand_down(own, "cpu");
    plan.v2_memory = hand_down(own, "memory");
  }
  if (const auto own = own_cgroup(mountinfo, cgroup, "cpu"); !plan.v2_cpu && can_make_groups(own)) plan.v1_cpu = own;
  if (const auto own = own_cgroup(mountinfo, cgroup, "memory"); !plan.v2_memory && can_make_groups(own))
    plan.v1_memory = own;
  return plan;
}

std::vector<std::string> TaskCgroup::folders_of(const CgroupPlan& plan, const CgroupLimits& limits,
                                                const std::string& name) {
  std::set<std::string> bases;  // version 1 may have cpu and memory in one hierarchy
  if (!plan.v2.empty()) bases.insert(plan.v2);
  if (limits.cpus > 0 && !plan.v1_cpu.empty()) bases.insert(plan.v1_cpu);
  if (limits.memory_bytes > 0 && !plan.v1_memory.empty()) bases.insert(plan.v1_memory);
  if (bases.empty() && plan.tracks()) bases.insert(plan.v1_cpu.empty() ? plan.v1_memory : plan.v1_cpu);
  std::vector<std::string> folders;
  for (const auto& base : bases) folders.push_back(base + "/" + name);
  return folders;
}

Result<void> TaskCgroup::create(const CgroupPlan& plan, const CgroupLimits& limits) {
  const auto below = [](const std::string& folder, const std::string& base) {
    return !base.empty() && folder.starts_with(base + "/") && folder.find('/', base.size() + 1) == std::string::npos;
  };
  for (const auto& folder : folders_) {
    if (::mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) return std::unexpected(os_error("mkdir " + folder));
    int error = 0;
    if (limits.cpus > 0 && (below(folder, plan.v1_cpu) || (plan.v2_cpu && below(folder, plan.v2))))
      error = limit_cpu(folder, limits.cpus);
    if (error == 0 && limits.memory_bytes > 0 &&
        (below(folder, plan.v1_memory) || (plan.v2_memory && below(folder, plan.v2))))
      error = limit_memory(folder, limits.memory_bytes);
    if (error != 0) return std::unexpected(os_error("limit " + folder, error));
  }
  return {};
}

int TaskCgroup::enter() const {
  for (const auto& folder : folders_)
    if (const int error = write_text(folder + "/cgroup.procs", "0"); error != 0) return error;
  return 0;
}

void TaskCgroup::kill() const {
  for (const auto& folder : folders_)
    if (write_text(folder + "/cgroup.kill", "1") == 0) return;
  for (const pid_t pid : members().value_or(std::vector<pid_t>{}))
    if (const auto stat = read_stat(pid)) signal_exactly(*stat, SIGKILL);
}

Result<std::vector<pid_t>> TaskCgroup::members() const {
  std::set<pid_t> found;
  for (const auto& folder : folders_) {
    const auto path = folder + "/cgroup.procs";
    const auto text = read_bytes(AT_FDCWD, path.c_str(), kMaxCgroupFile);
    if (!text && text.error() != ENOENT && text.error() != ENODEV)
      return std::unexpected(os_error("read " + path, text.error()));
    for (const auto pid : numbers_in(text.value_or(std::string()))) found.insert(static_cast<pid_t>(pid));
  }
  return std::vector<pid_t>{found.begin(), found.end()};
}

std::int64_t TaskCgroup::oom_kills() const {
  std::int64_t kills = 0;
  for (const auto& folder : folders_) {
    kills += number_behind("oom_kill", read_text(folder + "/memory.events"));
    kills += number_behind("oom_kill", read_text(folder + "/memory.oom_control"));
  }
  return kills;
}

// Version 2 counts `oom`: how often the kernel could free no memory below the limit that was reached. Version 1 counts
// how often the limit was reached; on some kernels without the common limit of memory and swap.
bool TaskCgroup::has_reached_memory_limit() const {
  const auto number_in = [](const std::string& file) {
    const auto numbers = numbers_in(read_text(file));
    return numbers.empty() ? 0 : numbers.front();
  };
  return std::ranges::any_of(folders_, [&](const std::string& folder) {
    const auto limit = number_in(folder + "/memory.limit_in_bytes");
    return number_behind("oom", read_text(folder + "/memory.events")) > 0 ||
           number_in(folder + "/memory.failcnt") > 0 ||
           (limit > 0 && number_in(folder + "/memory.max_usage_in_bytes") >= limit);
  });
}

void TaskCgroup::remove() const {
  for (const auto& folder : folders_) ::rmdir(folder.c_str());
}

Result<bool> has_members(const CgroupPlan& plan, const std::string& prefix) {
  std::vector<std::string> groups;
  for (const auto& base : std::set{plan.v2, plan.v1_cpu, plan.v1_memory}) {
    std::error_code absent;
    for (std::filesystem::directory_iterator it{base, absent}, end; !base.empty() && !absent && it != end;
         it.increment(absent))
      if (it->path().filename().string().starts_with(prefix)) groups.push_back(it->path());
  }
  const auto members = TaskCgroup{std::move(groups)}.members();
  if (!members) return std::unexpected(members.error());
  return !members->empty();
}

}  // namespace ym::local
