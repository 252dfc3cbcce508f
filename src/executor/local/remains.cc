#include "executor/local/remains.h"

#include <fcntl.h>

#include <csignal>

#include "executor/local/attempt/cgroup.h"
#include "executor/local/attempt/files.h"

namespace ym::local {
namespace {

bool has_entry(const std::string& environ, const std::string& entry) {
  const auto at = (std::string(1, '\0') + environ).find(std::string(1, '\0') + entry + std::string(1, '\0'));
  return at != std::string::npos;
}

std::optional<std::string> environ_of(pid_t pid) {
  const auto path = "/proc/" + std::to_string(pid) + "/environ";
  auto text = read_file(AT_FDCWD, path.c_str(), std::size_t{16} << 20);
  if (!text) return std::nullopt;
  return std::move(*text);
}

class Belonging {
 public:
  Belonging(const Claim& claim, const std::optional<ProcessIdentity>& leader) : claim_(claim), leader_(leader) {}

  bool operator()(const ProcessStat& process) const {
    if (process.pid == ::getpid() || process.dead()) return false;
    if (is_leader(process)) return true;
    const auto environ = environ_of(process.pid);
    if (!environ) return false;  // gone, or somebody else's
    return carries_token(*environ, claim_.token, claim_.task) || (in_session(process) && wiped(*environ));
  }

 private:
  bool is_leader(const ProcessStat& process) const {
    return leader_ && process.pid == leader_->pid && process.start_ticks == leader_->start_ticks;
  }
  // The session's number may have passed to another one that began with a process of
  // the same number; that one would have an environment of its own.
  bool in_session(const ProcessStat& process) const {
    return leader_ && process.session == leader_->pid && process.start_ticks >= leader_->start_ticks;
  }

  const Claim& claim_;
  const std::optional<ProcessIdentity>& leader_;
};

}  // namespace

bool carries_token(const std::string& environ, const Token& token, std::int32_t task) {
  return has_entry(environ, "YM_LAUNCH_TOKEN=" + to_string(token)) &&
         has_entry(environ, "YM_NODE_RANK=" + std::to_string(task));
}

bool wiped(const std::string& environ) { return environ.substr(0, environ.find('\0')).find('=') == std::string::npos; }

std::size_t kill_remains(const Claim& claim, const std::optional<ProcessIdentity>& leader) {
  const TaskCgroup groups{claim.cgroups};
  std::size_t found = groups.members().size();
  groups.kill();
  const Belonging belongs{claim, leader};
  for (const auto& process : all_processes()) {
    if (!belongs(process)) continue;
    ++found;
    signal_exactly(process, SIGKILL);
  }
  return found;
}

}  // namespace ym::local
