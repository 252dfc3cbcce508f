#include "executor/local/host_capabilities.h"

#include <fcntl.h>

#include <cstdlib>
#include <sstream>

#include "executor/local/attempt/files.h"
#include "executor/local/local_executor.h"

namespace ym::local {
namespace {

std::string cpu_limit(const CgroupPlan& plan) {
  if (plan.v2_cpu) return "cgroup v2";
  if (!plan.v1_cpu.empty()) return "cgroup v1";
  return "not enforced: no control group with a cpu controller is writable here";
}

std::string memory_limit(const CgroupPlan& plan) {
  if (plan.v2_memory) return "cgroup v2";
  if (!plan.v1_memory.empty()) return "cgroup v1";
  return "rlimit: each process's data is limited, not their sum (no control group with a memory controller is "
         "writable here)";
}

// The last part of a path that names a service or scope.
std::string unit_in(const std::string& path) {
  std::istringstream parts(path);
  std::string unit;
  for (std::string part; std::getline(parts, part, '/');)
    if (part.ends_with(".service") || part.ends_with(".scope")) unit = part;
  return unit;
}

struct HostCapabilities {
  std::string unit = unit_of(read_file(AT_FDCWD, "/proc/self/cgroup", std::size_t{1} << 20).value_or(std::string()));
  std::string why_jobs_end = why_jobs_end_with(unit, kill_mode());

 private:
  static std::string kill_mode() {
    const char* mode = std::getenv("YM_KILL_MODE");
    return mode ? mode : "";
  }
};

std::string outlive(const HostCapabilities& here) {
  if (!here.why_jobs_end.empty()) return "perhaps not: " + here.why_jobs_end;
  const bool session = here.unit.starts_with("session-") && here.unit.ends_with(".scope");
  if (!session) return "yes";
  return "yes, unless logind has KillUserProcesses=yes: then logging out of " + here.unit + " ends them";
}

}  // namespace

std::map<std::string, std::string> describe_enforcement(const CgroupPlan& plan) {
  return {{"cpu limit", cpu_limit(plan)},
          {"memory limit", memory_limit(plan)},
          {"gpu", "advisory: CUDA_VISIBLE_DEVICES, which a job can overwrite"},
          {"end of all processes", plan.tracks() ? "control group and process tree" : "process tree"},
          {"time limit", "supervisor, with or without the server"},
          {"user", "jobs run as the server's own user"},
          {"jobs outlive the server", outlive(HostCapabilities{})}};
}

std::string unit_of(const std::string& cgroup) {
  std::istringstream lines(cgroup);
  std::string found;
  for (std::string line; std::getline(lines, line);) {
    const bool of_systemd = line.starts_with("0::") || line.find(":name=systemd:") != std::string::npos;
    if (!of_systemd) continue;
    if (auto unit = unit_in(line.substr(line.rfind(':') + 1)); !unit.empty()) found = std::move(unit);
  }
  return found;
}

std::string why_jobs_end_with(const std::string& unit, const std::string& kill_mode) {
  if (!unit.ends_with(".service") || kill_mode == "process") return {};
  return "the server runs in the unit " + unit +
         ", and systemd ends all of a unit's processes with it unless the unit has KillMode=process (and, so that this "
         "can be known here, Environment=YM_KILL_MODE=process; see deploy/yardmaster.service)";
}

}  // namespace ym::local

namespace ym {

std::vector<std::string> host_warnings() {
  const local::HostCapabilities here;
  if (here.why_jobs_end.empty()) return {};
  return {"jobs may not outlive the server: " + here.why_jobs_end};
}

}  // namespace ym
