// Where an attempt lives on disk, and which process writes each file.
//
//   DIR/attempts/<2 hash digits>/<job>/<attempt>/
//     launch            executor, before the first supervisor: what to run (launch_record.h)
//     decision          first of several: go or release (launch_barrier.h)
//     stop              executor: a stop that came after `go` (launch_barrier.h)
//     token             executor: user code shows it to the server; removed at the end
//     spare             executor: at the end, the file of the token without the token; it becomes
//     released          executor: control has stored the end; retention may delete the attempt
//     <task>/
//       lock            flock held by the supervisor as long as it lives
//       claim           supervisor: this supervisor, and no other, may start user code
//       sock            supervisor: takes commands (protocol.h); stays after its end
//       reserve         supervisor: room for the exit record on a full disk; becomes `exit`
//       log             supervisor: stdout and stderr of the task
//       started         supervisor: user code runs; its process
//       user/           supervisor: made for user code, which may write any files here
//         notice         supervisor: user code is to stop (supervisor/notice.h)
//         progress       user code: its newest report (supervisor/progress_marker.h)
//       exit            supervisor: how the task ended (executor, if the supervisor died)
//   DIR/attempts/.id    executor, once: tells this state directory from others (state_id.h)
//   DIR/attempts/.devices
//                       executor: the GPUs of this machine, and what was on them (device_book.h)
//   DIR/attempts/.boots/<epoch>
//                       executor, before the first launch of an epoch: the boot id (boot_epochs.h)
//
// Every record is written whole or not at all. All files belong to the user of the server.
//
// What must be on the disk. A crash of the server or of a supervisor loses nothing that it has handed to the kernel.
// Only a crash of the machine does, and it ends all these processes too. After it there is one question: may an attempt
// have run? `.boots` answers it, because it is on the disk before anything of its epoch is launched: the attempt may
// have run unless its folder proves otherwise, and it is never started (again). So only these files are flushed:
//   .id, .boots, and the folders that they are in
//   exit       so that finished work is not repeated. It is written into `reserve`, flushed and
//              renamed. That takes one flush, since either name serves after a reboot. Its folders
//              come with it on ext4, XFS and btrfs: their journals keep the order in which names were
//              made. On file systems without that order such an end is `lost`.
// These files need no flush, because after a reboot
//   the folders, `launch`     an attempt without them has ended as `lost` or never began
//   claim, started            they guard and name processes that are gone
//   decision, stop            nothing starts any more. A `release` that is there was never `go`,
//                             since no process decides in the folder of an earlier boot
//   token                     it is renewed, and no process lives to read it
//   released                  it is marked again: everything of an earlier boot is over
//   .devices                  nothing is left on a GPU, and the GPUs can be listed again
// A launch record of an older build has no boot id; the claims of that build are flushed.
// All of this needs a disk that keeps what it has confirmed. A disk that is unplugged from a running machine and comes
// back without a reboot does not, and is not supported.
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
inline constexpr const char* kBootEpochsFolder = ".boots";
inline constexpr const char* kDevicesFile = ".devices";

// "3f": spreads jobs over 256 folders.
std::string hash_folder(JobId job);
// "attempts/3f/0000002A/1", relative to the state directory.
std::string attempt_path(const AttemptKey& attempt);
// The attempt of a folder "DIR/attempts/3f/0000002A/1". Empty: it is not the folder of an attempt.
std::optional<AttemptKey> attempt_at(const std::string& path);

}  // namespace ym::local
