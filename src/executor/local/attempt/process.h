// Processes as /proc shows them, and signals that cannot hit the wrong process.
//
// A pid alone does not identify a process, because pids are reused. Boot id, pid and start time together do.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace ym::local {

// Changes with each boot of the machine. Read once; never empty.
const std::string& boot_id();

struct ProcessIdentity {
  std::string boot;
  pid_t pid = 0;
  std::uint64_t start_ticks = 0;  // since boot
  bool operator==(const ProcessIdentity&) const = default;
};

struct ProcessStat {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t session = 0;
  char state = '?';
  std::uint64_t start_ticks = 0;
  bool executed = true;  // the process, or the process of this zombie, has executed a program since the fork
  std::int64_t threads = 1;
  // A zombie whose other threads still run, or hang in a driver, still holds memory and devices.
  bool dead() const { return state == 'X' || (state == 'Z' && threads <= 1); }
};

// Empty: there is no such process. Errors: `io`: /proc cannot be read now, which says nothing about the process.
Result<std::optional<ProcessStat>> look_at(pid_t pid);
// The same for callers that may treat a process that cannot be seen as gone.
std::optional<ProcessStat> read_stat(pid_t pid);
// Parses the content of /proc/PID/stat. The name of the program may contain any characters.
std::optional<ProcessStat> parse_stat(const std::string& text);

// A thread that /proc can be asked about for what all threads of the process share: the main thread, or if that is a
// zombie another thread that exists now.
pid_t live_thread(const ProcessStat& process);

// All processes of this machine. Errors: `io`, never an incomplete list.
Result<std::vector<ProcessStat>> all_processes();

// Empty: there is no such process now.
std::optional<ProcessIdentity> identity_of(pid_t pid);

// True if exactly this process lives. A zombie without other threads does not live. Errors: `io`.
Result<bool> lives(const ProcessIdentity& identity);
// The same for callers that may treat a process that cannot be seen as gone.
bool alive(const ProcessIdentity& identity);

// Sends a signal to exactly the process in the snapshot; false if it is gone. A pidfd pins the process while its start
// time is read again.
bool signal_exactly(const ProcessStat& snapshot, int signal);

}  // namespace ym::local
