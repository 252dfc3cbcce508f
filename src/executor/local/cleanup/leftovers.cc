#include "executor/local/cleanup/leftovers.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "base/whole_number.h"
#include "executor/local/attempt/cgroup.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/local/attempt/layout.h"

namespace ym::local {
namespace {

constexpr std::size_t kMaxEnviron = std::size_t{16} << 20;
constexpr std::string_view kTokenName = "YM_LAUNCH_TOKEN=";
constexpr std::string_view kNonceName = "YM_LAUNCH_NONCE=";
constexpr std::string_view kStateName = "YM_LAUNCH_STATE=";
constexpr std::string_view kDevicesName = "CUDA_VISIBLE_DEVICES=";

bool has_entry(const std::string& environ, const std::string& entry) {
  const auto at = (std::string(1, '\0') + environ).find(std::string(1, '\0') + entry + std::string(1, '\0'));
  return at != std::string::npos;
}

// What can be seen of a process. A process that is gone shows nothing; processes of other users hide their files.
struct Shown {
  enum class How : std::uint8_t { gone, hidden, open } how = How::gone;
  std::string text;
};

Result<Shown> show(const ProcessStat& process, const char* what) {
  const auto path = "/proc/" + std::to_string(live_thread(process)) + "/" + what;
  auto text = read_bytes(AT_FDCWD, path.c_str(), kMaxEnviron);
  if (text) return Shown{Shown::How::open, std::move(*text)};
  if (text.error() == ENOENT || text.error() == ESRCH) return Shown{};
  if (text.error() == EACCES || text.error() == EPERM) return Shown{.how = Shown::How::hidden};
  return std::unexpected(os_error("read " + path, text.error()));
}

class Belonging {
 public:
  Belonging(const Claim& claim, const std::optional<ProcessIdentity>& leader, const std::string& state_id)
      : claim_(claim), leader_(leader), state_id_(state_id) {}

  Result<bool> holds(const ProcessStat& process) const {
    if (process.pid == ::getpid() || process.dead()) return false;
    if (is_leader(process)) return true;
    const auto environ = show(process, "environ");
    if (!environ) return std::unexpected(environ.error());
    if (environ->how == Shown::How::gone) return false;
    if (environ->how == Shown::How::hidden) return in_session(process);
    return carries_mark(environ->text, claim_, state_id_) || (in_session(process) && wiped(environ->text));
  }

 private:
  bool is_leader(const ProcessStat& process) const {
    return leader_ && process.pid == leader_->pid && process.start_ticks == leader_->start_ticks;
  }
  // The session's number may now belong to another session, whose first process had the same pid. Its processes would
  // have an environment of their own.
  bool in_session(const ProcessStat& process) const {
    return leader_ && process.session == leader_->pid && process.start_ticks >= leader_->start_ticks;
  }

  const Claim& claim_;
  const std::optional<ProcessIdentity>& leader_;
  const std::string& state_id_;
};

// The text after "NAME=" in an environment; empty if it is not there.
std::string value_in(const std::string& environ, std::string_view name) {
  const auto text = std::string(1, '\0') + environ;
  auto at = text.find(std::string(1, '\0').append(name));
  if (at == std::string::npos) return {};
  at += 1 + name.size();
  return text.substr(at, text.find('\0', at) - at);
}

void add_token(const std::string& environ, const ProcessStat& process, Living& living) {
  const auto token = value_in(environ, kTokenName);
  if (token.empty()) return;
  living.tokens.insert(token);
  living.nonces.insert(value_in(environ, kNonceName));
  const auto state = value_in(environ, kStateName);
  living.launches.emplace(std::pair(token, state), process);
  for (const auto& device : split_devices(value_in(environ, kDevicesName)))
    living.devices[{token, state}].insert(device);
}

// "DIR/attempts/3f/0000002A/1/0" and nothing after it: a process that reads a log there is not a supervisor.
bool is_task_folder(const std::string& path) {
  const auto at = path.rfind(std::string("/") + kAttemptsFolder + "/");
  if (at == std::string::npos) return false;
  const auto attempt = path.rfind('/');
  const auto job = path.rfind('/', attempt - 1);
  const auto is_number = [](const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  };
  return is_number(path.substr(attempt + 1)) && is_number(path.substr(job + 1, attempt - job - 1)) &&
         std::count(path.begin() + static_cast<std::ptrdiff_t>(at), path.end(), '/') == 5;
}

// "ym-supervisor\0DIR/attempts/3f/0000002A/1/0\0", two words; the program may have another name.
void add_supervisor(const std::string& cmdline, const ProcessStat& process, Living& living) {
  const auto end = cmdline.find('\0');
  if (end == std::string::npos || !cmdline.ends_with('\0')) return;
  const auto folder = cmdline.substr(end + 1, cmdline.size() - end - 2);
  if (folder.find('\0') == std::string::npos && is_task_folder(folder)) living.supervisors.emplace(folder, process);
}

// A relative path was relative to an unknown folder, so it may be the same.
bool is_same(const std::string& named, const std::filesystem::path& state_dir) {
  std::error_code absent;
  return !named.starts_with('/') || named == state_dir.string() ||
         std::filesystem::equivalent(named, state_dir, absent);
}

// The last part of the folder of a task ("DIR/attempts/3f/0000002A/1/0"), if it is of that attempt and below that state
// directory.
std::optional<std::string> rank_below(const std::string& folder, const AttemptKey& attempt,
                                      const std::filesystem::path& state_dir) {
  const auto path = "/" + attempt_path(attempt) + "/";
  const auto at = folder.rfind(path);
  if (at == std::string::npos || !is_same(folder.substr(0, at), state_dir)) return std::nullopt;
  return folder.substr(at + path.size());
}

}  // namespace

bool carries_mark(const std::string& environ, const Claim& claim, const std::string& state_id) {
  if (claim.version != 0) return has_entry(environ, "YM_LAUNCH_NONCE=" + claim.nonce);
  return has_entry(environ, "YM_LAUNCH_TOKEN=" + to_string(claim.token)) &&
         has_entry(environ, "YM_NODE_RANK=" + std::to_string(claim.task)) &&
         has_entry(environ, "YM_LAUNCH_STATE=" + state_id);
}

bool wiped(const std::string& environ) { return environ.substr(0, environ.find('\0')).find('=') == std::string::npos; }

Result<std::size_t> kill_leftovers(const Claim& claim, const std::optional<ProcessIdentity>& leader,
                                   const std::string& state_id) {
  const TaskCgroup groups{claim.cgroups};
  const auto members = groups.members();
  if (!members) return std::unexpected(members.error());
  groups.kill();
  const auto all = all_processes();
  if (!all) return std::unexpected(all.error());
  std::size_t found = members->size();
  const Belonging belonging{claim, leader, state_id};
  for (const auto& process : *all) {
    const auto belongs = belonging.holds(process);
    if (!belongs) return std::unexpected(belongs.error());
    if (!*belongs) continue;
    ++found;
    signal_exactly(process, SIGKILL);
  }
  return found;
}

bool Living::has(const Token& token, const std::filesystem::path& state_dir) const {
  return tokens.contains(to_string(token)) || is_supervised(token.key(), state_dir);
}

bool Living::is_supervised(const AttemptKey& attempt, const std::filesystem::path& state_dir) const {
  return !supervised_tasks(attempt, state_dir).empty();
}

std::set<std::int32_t> Living::supervised_tasks(const AttemptKey& attempt,
                                                const std::filesystem::path& state_dir) const {
  constexpr std::int32_t kNoTask = -1;
  std::set<std::int32_t> tasks;
  for (const auto& [folder, process] : supervisors)
    if (const auto rank = rank_below(folder, attempt, state_dir))
      tasks.insert(whole_number<std::int32_t>(*rank).value_or(kNoTask));
  return tasks;
}

std::optional<ProcessStat> Living::supervisor_of(const AttemptKey& attempt, std::int32_t task,
                                                 const std::filesystem::path& state_dir) const {
  for (const auto& [folder, process] : supervisors)
    if (folder.starts_with('/') && rank_below(folder, attempt, state_dir) == std::to_string(task)) return process;
  return std::nullopt;
}

void Living::kill(const Token& token, const std::filesystem::path& state_dir, const std::string& state_id) const {
  for (const auto& [folder, process] : supervisors)
    if (folder.starts_with('/') && rank_below(folder, token.key(), state_dir)) signal_exactly(process, SIGKILL);
  const auto [first, last] = launches.equal_range({to_string(token), state_id});
  for (auto it = first; it != last; ++it) signal_exactly(it->second, SIGKILL);
}

bool Living::is_launch_of(const Token& token, const std::string& state_id) const {
  return launches.contains({to_string(token), state_id});
}

std::map<Token, ProcessStat> Living::launched_by(const std::string& state_id) const {
  std::map<Token, ProcessStat> found;
  for (const auto& [launch, process] : launches)
    if (const auto token = parse_token(launch.first); token && launch.second == state_id)
      found.try_emplace(*token, process);
  return found;
}

std::map<AttemptKey, ProcessStat> Living::supervised_below(const std::filesystem::path& state_dir) const {
  std::map<AttemptKey, ProcessStat> found;
  for (const auto& [folder, process] : supervisors) {
    const auto attempt = attempt_at(folder.substr(0, folder.rfind('/')));
    if (attempt && rank_below(folder, *attempt, state_dir)) found.try_emplace(*attempt, process);
  }
  return found;
}

Result<Living> look_for_living() {
  const auto all = all_processes();
  if (!all) return std::unexpected(all.error());
  Living living;
  for (const auto& process : *all) {
    if (process.dead()) continue;
    const auto environ = show(process, "environ");
    const auto cmdline = show(process, "cmdline");
    if (!environ || !cmdline) return std::unexpected(environ ? cmdline.error() : environ.error());
    add_token(environ->text, process, living);
    add_supervisor(cmdline->text, process, living);
  }
  return living;
}

}  // namespace ym::local
