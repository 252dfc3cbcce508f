// What this machine lets us enforce, and what it may do to us; in words for people.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "executor/local/attempt/cgroup.h"

namespace ym::local {

std::map<std::string, std::string> describe_enforcement(const CgroupPlan& plan);

// The unit or session that systemd would end us with, and all that we have started: from
// /proc/self/cgroup ("0::/system.slice/yardmaster.service"). Empty if there is none.
std::string unit_of(const std::string& cgroup);

// Why the jobs of a server in this unit would end with it; empty if they outlive it for all
// that can be seen. `kill_mode`: what the unit says of itself in YM_KILL_MODE.
std::string why_jobs_end_with(const std::string& unit, const std::string& kill_mode);

}  // namespace ym::local
