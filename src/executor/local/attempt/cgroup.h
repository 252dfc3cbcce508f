// Control groups, version 1 or 2, as far as this machine lets us make them.
//
// Groups are made below our own group in each hierarchy (see delegated_group), which is
// never left. What is not writable is not used: limits then fall back (see
// Executor::enforcement).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace ym::local {

// Our own folders in which groups can be made; empty where they cannot.
struct CgroupPlan {
  std::string v2;  // for killing as a whole, and for limits as the flags say
  bool v2_cpu = false;
  bool v2_memory = false;
  std::string v1_cpu;
  std::string v1_memory;
  bool operator==(const CgroupPlan&) const = default;

  bool limits_memory() const { return v2_memory || !v1_memory.empty(); }
  bool tracks() const { return !v2.empty() || !v1_cpu.empty() || !v1_memory.empty(); }
};

// Finds out by making and removing a group in each hierarchy.
CgroupPlan detect_cgroups();

// The folder of our own group: `mountinfo` and `cgroup` as /proc/self has them.
// `controller` is "" for version 2. Empty if it is not mounted.
std::string own_cgroup(const std::string& mountinfo, const std::string& cgroup, const std::string& controller);

// Where a version 2 group's tasks get theirs. Below a group that has processes of its own
// the kernel hands no controller down, so our unit file puts the server into a subgroup
// "server" of its service (DelegateSubgroup=), and the tasks go beside it.
std::string delegated_group(const std::string& own);

struct CgroupLimits {
  std::int64_t cpus = 0;          // thousandths; 0: no limit
  std::int64_t memory_bytes = 0;  // 0: no limit
};

// The groups of one task. Plain paths, so that they can be written down and found again.
class TaskCgroup {
 public:
  TaskCgroup() = default;
  explicit TaskCgroup(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  // The folders that create() will make: to be written down before it is called. Those that
  // limit something, and one to find and kill everybody by; each more costs at every start.
  static std::vector<std::string> folders_of(const CgroupPlan& plan, const CgroupLimits& limits,
                                             const std::string& name);
  Result<void> create(const CgroupPlan& plan, const CgroupLimits& limits);

  // Moves the calling process in. Errors: errno; 0 if all went well.
  int enter() const;
  // SIGKILL to everybody in it, where there are groups at all.
  void kill() const;
  // Everybody in it; zombies are not listed. Errors: `io`, if that cannot be seen now.
  Result<std::vector<pid_t>> members() const;
  // How many processes of it the kernel has killed for want of memory: at its own limit, at that of a group above, or
  // because the machine had none left.
  std::int64_t oom_kills() const;
  // Whether it has ever wanted more memory than its own limit.
  bool has_reached_memory_limit() const;
  void remove() const;

  const std::vector<std::string>& folders() const { return folders_; }

 private:
  std::vector<std::string> folders_;
};

// Whether somebody is in a group of the plan whose name begins so. Errors: `io`, if that cannot be seen now.
Result<bool> has_members(const CgroupPlan& plan, const std::string& prefix);

}  // namespace ym::local
