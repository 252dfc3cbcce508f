// Processes as /proc shows them, and signals that cannot hit the wrong one.
//
// A number alone never names a process: numbers are reused. Boot id, number and start
// time together do.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace ym::local {

// Another one after each start of the machine. Read once; never empty.
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
  bool executed = true;  // it, or a zombie of it, has executed a program since it was forked
  std::int64_t threads = 1;
  // A zombie whose other threads run on, or hang in a driver, still holds memory and devices.
  bool dead() const { return state == 'X' || (state == 'Z' && threads <= 1); }
};

// Nothing if there is no such process. Errors: `io`, if /proc cannot be read now: that
// says nothing about the process.
Result<std::optional<ProcessStat>> look_at(pid_t pid);
// The same where a process that cannot be seen may count as gone.
std::optional<ProcessStat> read_stat(pid_t pid);
// Parses the content of /proc/PID/stat; the program's name may hold anything.
std::optional<ProcessStat> parse_stat(const std::string& text);

// A thread of the process that can be asked under /proc for what all its threads share: the
// process itself, but if that is a zombie another one that is there now.
pid_t spokesman(const ProcessStat& process);

// Every process of this machine. Errors: `io`, rather than a list with gaps.
Result<std::vector<ProcessStat>> all_processes();

// Nothing if there is no such process now.
std::optional<ProcessIdentity> identity_of(pid_t pid);

// True if exactly this process lives (a zombie without threads does not). Errors: `io`.
Result<bool> lives(const ProcessIdentity& identity);
// The same where a process that cannot be seen may count as gone.
bool alive(const ProcessIdentity& identity);

// Sends a signal to exactly the process that the snapshot showed; false if it is gone.
// The start time is read again while a pidfd pins the process.
bool signal_exactly(const ProcessStat& snapshot, int signal);

}  // namespace ym::local
