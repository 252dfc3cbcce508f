// What a task leaves behind when its supervisor was killed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/result.h"
#include "executor/local/attempt/gate.h"
#include "model/ids.h"

namespace ym::local {

// Sends SIGKILL to everything that still belongs to the task and returns how much of it
// there was. Belonging: being in its control groups, being its recorded leader (by
// start time, never by number alone), carrying the claim's mark in the environment, or
// having a wiped or hidden environment in its leader's session. Call it until it finds
// nothing. Errors: `io`, if some process could not be looked at: then nothing is known.
// Precondition: the claim is of this boot.
Result<std::size_t> kill_remains(const Claim& claim, const std::optional<ProcessIdentity>& leader,
                                 const std::string& state_id);

// True if an environment (as /proc/PID/environ has it) was made for this claim: it has the
// claim's nonce. Without a readable claim: launch token, rank and state directory, all of
// which together no other server's job has.
bool carries_mark(const std::string& environ, const Claim& claim, const std::string& state_id);

// True if it does not look like an environment: empty, or overwritten by a program that
// uses the room to show a title.
bool wiped(const std::string& environ);

// What every process of this machine says it was launched as: tokens of user code, and the
// task folders ("DIR/attempts/3f/0000002A/1/0") that supervisors were started for. Of other
// servers, too. Errors: `io`.
struct Living {
  std::set<std::string> tokens;
  std::set<std::string> nonces;                    // of the claims of user code
  std::map<std::string, ProcessStat> supervisors;  // by the folder of their task, as they were given it
  std::multimap<std::pair<std::string, std::string>, ProcessStat> launches;      // by token, state directory's id
  std::map<std::pair<std::string, std::string>, std::set<std::string>> devices;  // of these, as CUDA names them
  // User code of this token, here or under any other state directory of this machine; or a
  // supervisor of it below this one.
  bool has(const Token& token, const std::filesystem::path& state_dir) const;
  // The supervisor that was started for that task below this state directory, and for no other.
  std::optional<ProcessStat> supervisor_of(const AttemptKey& attempt, std::int32_t task,
                                           const std::filesystem::path& state_dir) const;
  // Sends SIGKILL to the supervisors of an attempt below this state directory, and to user code of its launch.
  void kill(const Token& token, const std::filesystem::path& state_dir, const std::string& state_id) const;
  // User code of a launch of the state directory that has this id.
  bool is_launch_of(const Token& token, const std::string& state_id) const;
  // Of the state directory that has this id: what user code was launched as, with one process of it.
  std::map<Token, ProcessStat> launched_by(const std::string& state_id) const;
  // The attempts that have a supervisor below this state directory, with one of each.
  std::map<AttemptKey, ProcessStat> supervised_below(const std::filesystem::path& state_dir) const;
  // A supervisor of any task of the attempt below this state directory.
  bool is_supervised(const AttemptKey& attempt, const std::filesystem::path& state_dir) const;
};
Result<Living> look_for_living();

}  // namespace ym::local
