// Where an attempt lives on disk, and who writes what.
//
//   DIR/attempts/<2 hash digits>/<job>/<attempt>/
//     launch            executor, before the first supervisor: what to run (launch_record.h)
//     decision          whoever is first: go or release (gate.h)
//     stop              executor: a stop that came after `go` (gate.h)
//     released          executor: control has stored the end; retention may take it
//     <task>/
//       lock            flock held by the supervisor for all of its life
//       claim           supervisor: this one, and only this one, may start user code
//       sock            supervisor: its commands (protocol.h)
//       reserve         supervisor: room for the exit record on a full disk
//       log             supervisor: stdout and stderr of the task
//       started         supervisor: user code runs; its process
//       exit            supervisor: how it ended (executor, if the supervisor died)
//   DIR/attempts/.id    executor, once: tells this state directory from others (state_id.h)
//
// Every record is written whole or not at all. All files are the server user's own.
#pragma once

#include <string>

#include "model/ids.h"

namespace ym::local {

inline constexpr const char* kLaunchFile = "launch";
inline constexpr const char* kDecisionFile = "decision";
inline constexpr const char* kStopFile = "stop";
inline constexpr const char* kReleasedFile = "released";
inline constexpr const char* kLockFile = "lock";
inline constexpr const char* kClaimFile = "claim";
inline constexpr const char* kSocketFile = "sock";
inline constexpr const char* kReserveFile = "reserve";
inline constexpr const char* kLogFile = "log";
inline constexpr const char* kStartedFile = "started";
inline constexpr const char* kExitFile = "exit";

inline constexpr const char* kAttemptsFolder = "attempts";
inline constexpr const char* kStateIdFile = ".id";

// "3f": spreads jobs over 256 folders.
std::string hash_folder(JobId job);
// "attempts/3f/0000002A/1", relative to the state directory.
std::string attempt_path(const AttemptKey& attempt);

}  // namespace ym::local
