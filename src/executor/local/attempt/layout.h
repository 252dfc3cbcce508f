// Where an attempt lives on disk, and who writes what.
//
//   DIR/attempts/<2 hash digits>/<job>/<attempt>/
//     launch            executor, before the first supervisor: what to run (launch_record.h)
//     decision          whoever is first: go or release (gate.h)
//     stop              executor: a stop that came after `go` (gate.h)
//     token             executor: what user code shows to the server; gone at the end
//     spare             executor: at the end, the token's file without the token; it becomes
//     released          executor: control has stored the end; retention may take it
//     <task>/
//       lock            flock held by the supervisor for all of its life
//       claim           supervisor: this one, and only this one, may start user code
//       sock            supervisor: its commands (protocol.h); stays, without anybody behind it
//       reserve         supervisor: room for the exit record on a full disk, which becomes it
//       log             supervisor: stdout and stderr of the task
//       started         supervisor: user code runs; its process
//       user/           supervisor: made for user code, which may write here what it likes
//         notice         supervisor: user code is to stop (supervisor/notice.h)
//         progress       user code: its newest report (supervisor/progress_marker.h)
//       exit            supervisor: how it ended (executor, if the supervisor died)
//   DIR/attempts/.id    executor, once: tells this state directory from others (state_id.h)
//   DIR/attempts/.devices
//                       executor: the GPUs of this machine, and what was on them (device_book.h)
//   DIR/attempts/.boots/<epoch>
//                       executor, before the first launch of an epoch: the boot id (boots.h)
//
// Every record is written whole or not at all. All files are the server user's own.
//
// What is on the disk, and why the rest need not be. A crash of the server or of a supervisor
// loses nothing of what it has handed to the kernel. Only a crash of the machine does, and that
// ends every process of ours, too. So after one there is a single question to answer, whether
// an attempt may have run; and `.boots` answers it, which is on the disk before anything of its
// epoch is launched: then it may, unless its folder proves otherwise, and is never started
// (again). Hence only these are flushed:
//   .id, .boots, and the folders that they are in
//   exit       so that work that was done is not done again. It is written into `reserve`,
//              flushed and renamed: one flush, since either name serves after a restart. Its
//              folders come with it on ext4, XFS and btrfs, whose journals keep the order in
//              which names were made; where a file system does not, such an end is `lost`.
// And these are not, because after a restart of the machine
//   the folders, `launch`     an attempt without them has ended as `lost` or never began
//   claim, started            they guard and name processes that are gone
//   decision, stop            nothing starts any more. A `release` that is there was never `go`,
//                             since nobody decides in the folder of an earlier boot
//   token                     it is renewed, and nobody lives to read it
//   released                  is marked again: all of an earlier boot is over
//   .devices                  nothing is left on a GPU, and which there are can be seen
// A launch record of a build before this rule carries no boot id; its claims are flushed.
// All of this takes a disk to keep what it has said to have. One that is torn out of a running
// machine and brought back without a restart does not, and is not provided for.
#pragma once

#include <optional>
#include <string>

#include "model/ids.h"

namespace ym::local {

inline constexpr const char* kLaunchFile = "launch";
inline constexpr const char* kDecisionFile = "decision";
inline constexpr const char* kStopFile = "stop";
inline constexpr const char* kTokenFile = "token";
inline constexpr const char* kSpareFile = "spare";
inline constexpr const char* kReleasedFile = "released";
inline constexpr const char* kLockFile = "lock";
inline constexpr const char* kClaimFile = "claim";
inline constexpr const char* kSocketFile = "sock";
inline constexpr const char* kReserveFile = "reserve";
inline constexpr const char* kLogFile = "log";
inline constexpr const char* kStartedFile = "started";
inline constexpr const char* kExitFile = "exit";
inline constexpr const char* kUserFolder = "user";
inline constexpr const char* kNoticeFile = "notice";
inline constexpr const char* kProgressFile = "progress";

inline constexpr const char* kAttemptsFolder = "attempts";
inline constexpr const char* kStateIdFile = ".id";
inline constexpr const char* kBootsFolder = ".boots";
inline constexpr const char* kDevicesFile = ".devices";

// "3f": spreads jobs over 256 folders.
std::string hash_folder(JobId job);
// "attempts/3f/0000002A/1", relative to the state directory.
std::string attempt_path(const AttemptKey& attempt);
// The attempt whose folder this is: "DIR/attempts/3f/0000002A/1". Nothing: it is none's.
std::optional<AttemptKey> attempt_at(const std::string& path);

}  // namespace ym::local
