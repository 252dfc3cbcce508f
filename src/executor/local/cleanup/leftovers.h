// What a task leaves behind after its supervisor was killed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/result.h"
#include "executor/local/attempt/launch_barrier.h"
#include "model/ids.h"

namespace ym::local {

// Sends SIGKILL to all processes that still belong to the task, and returns their number. A process belongs to the task
// if it is in its control groups, is its recorded leader (by start time, never by pid alone), has the mark of the claim
// in its environment, or has a wiped or hidden environment and is in the session of the leader. Call it until it finds
// none. Errors: `io`: some process could not be examined, so the result is unknown. Precondition: the claim is of this
// boot.
Result<std::size_t> kill_leftovers(const Claim& claim, const std::optional<ProcessIdentity>& leader,
                                   const std::string& state_id);

// True if an environment (the content of /proc/PID/environ) was made for this claim: it has the nonce of the claim. If
// the claim is unreadable: it has the launch token, rank and state id. No job of another server has all three.
bool carries_mark(const std::string& environ, const Claim& claim, const std::string& state_id);

// True if it does not look like an environment: it is empty, or the program has overwritten it with a title.
bool wiped(const std::string& environ);

// What the processes of this machine were launched as, also those of other servers: the tokens of user code, and the
// task folders ("DIR/attempts/3f/0000002A/1/0") of supervisors. Errors: `io`.
struct Living {
  std::set<std::string> tokens;
  std::set<std::string> nonces;                    // of claims of user code
  std::map<std::string, ProcessStat> supervisors;  // by the task folder that they were started with
  std::multimap<std::pair<std::string, std::string>, ProcessStat> launches;      // by token and state id
  std::map<std::pair<std::string, std::string>, std::set<std::string>> devices;  // of the same, as CUDA names them
  // User code of this token, of any state directory on this machine; or a supervisor of it below this state directory.
  bool has(const Token& token, const std::filesystem::path& state_dir) const;
  // The supervisor that was started for that task below this state directory.
  std::optional<ProcessStat> supervisor_of(const AttemptKey& attempt, std::int32_t task,
                                           const std::filesystem::path& state_dir) const;
  // Sends SIGKILL to the supervisors of an attempt below this state directory, and to user code of its launch.
  void kill(const Token& token, const std::filesystem::path& state_dir, const std::string& state_id) const;
  // User code of a launch from the state directory with this id.
  bool is_launch_of(const Token& token, const std::string& state_id) const;
  // Tokens of the user code from the state directory with this id, each with one of its processes.
  std::map<Token, ProcessStat> launched_by(const std::string& state_id) const;
  // Attempts with a supervisor below this state directory, each with one supervisor.
  std::map<AttemptKey, ProcessStat> supervised_below(const std::filesystem::path& state_dir) const;
  // The tasks of an attempt with a supervisor below this state directory.
  std::set<std::int32_t> supervised_tasks(const AttemptKey& attempt, const std::filesystem::path& state_dir) const;
  // Whether a task of the attempt has one.
  bool is_supervised(const AttemptKey& attempt, const std::filesystem::path& state_dir) const;
};
Result<Living> look_for_living();

}  // namespace ym::local
