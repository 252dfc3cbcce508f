// What Yardmaster can enforce on this machine, and what may end it; as text for people.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "executor/local/attempt/cgroup.h"

namespace ym::local {

std::map<std::string, std::string> describe_enforcement(const CgroupPlan& plan);

// The unit or session with which systemd would end this process and all that it has started: from /proc/self/cgroup
// ("0::/system.slice/yardmaster.service"). Empty if there is none.
std::string unit_of(const std::string& cgroup);

// Why the jobs of a server in this unit would end with it. Empty if nothing says that they would. `kill_mode`: what the
// unit sets in YM_KILL_MODE.
std::string why_jobs_end_with(const std::string& unit, const std::string& kill_mode);

}  // namespace ym::local
