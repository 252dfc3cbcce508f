// Control groups, version 1 or 2, as far as this process may make them on this machine.
//
// All groups are below this process's own group in each hierarchy (see delegated_group). Hierarchies without write
// permission are not used: limits then fall back (see Executor::enforcement).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace ym::local {

// This process's own folders, in which it can make groups. Empty: it cannot.
struct CgroupPlan {
  std::string v2;  // to kill all processes at once, and for the limits that the flags name
  bool v2_cpu = false;
  bool v2_memory = false;
  std::string v1_cpu;
  std::string v1_memory;
  bool operator==(const CgroupPlan&) const = default;

  bool limits_memory() const { return v2_memory || !v1_memory.empty(); }
  bool tracks() const { return !v2.empty() || !v1_cpu.empty() || !v1_memory.empty(); }
};

// Makes and removes a group in each hierarchy to find out.
CgroupPlan detect_cgroups();

// The folder of this process's own group. `mountinfo` and `cgroup` are the contents of the files in /proc/self.
// `controller` is "" for version 2. Empty if the hierarchy is not mounted.
std::string own_cgroup(const std::string& mountinfo, const std::string& cgroup, const std::string& controller);

// The version 2 group in which the groups of tasks are made. The kernel enables no controller below a group that has
// processes itself. So the unit file puts the server into the subgroup "server" of its service (DelegateSubgroup=), and
// the groups of tasks go beside it.
std::string delegated_group(const std::string& own);

struct CgroupLimits {
  std::int64_t cpus = 0;          // thousandths; 0: no limit
  std::int64_t memory_bytes = 0;  // 0: no limit
};

// The groups of one task. Plain paths, so that a record can hold them.
class TaskCgroup {
 public:
  TaskCgroup() = default;
  explicit TaskCgroup(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  // The folders that create() will make; record them before that call. They are the groups that limit something, and
  // one group to find and kill all processes. Each further group would cost time at every start.
  static std::vector<std::string> folders_of(const CgroupPlan& plan, const CgroupLimits& limits,
                                             const std::string& name);
  Result<void> create(const CgroupPlan& plan, const CgroupLimits& limits);

  // Moves the calling process into the groups. Returns errno, or 0.
  int enter() const;
  // SIGKILL to all processes of the groups, if there are groups.
  void kill() const;
  // All processes of the groups, without zombies. Errors: `io`: they cannot be listed now.
  Result<std::vector<pid_t>> members() const;
  // How many processes of the groups the kernel has killed because memory ran out: at the task's limit, at the limit of
  // a group above, or on the whole machine.
  std::int64_t oom_kills() const;
  // Whether the task ever needed more memory than its own limit.
  bool has_reached_memory_limit() const;
  void remove() const;

  const std::vector<std::string>& folders() const { return folders_; }

 private:
  std::vector<std::string> folders_;
};

// Whether a group of the plan with this name prefix has processes. Errors: `io`: that cannot be seen now.
Result<bool> has_members(const CgroupPlan& plan, const std::string& prefix);

}  // namespace ym::local
