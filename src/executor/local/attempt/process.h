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

namespace ym::local {

// What stays the same from one start of the machine to the next.
std::string boot_id();

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
  bool dead() const { return state == 'Z' || state == 'X'; }
};

std::optional<ProcessStat> read_stat(pid_t pid);
// Parses the content of /proc/PID/stat; the program's name may hold anything.
std::optional<ProcessStat> parse_stat(const std::string& text);

// Every process that can be seen.
std::vector<ProcessStat> all_processes();

// Nothing if there is no such process now.
std::optional<ProcessIdentity> identity_of(pid_t pid);

// True if exactly this process lives (a zombie does not).
bool alive(const ProcessIdentity& identity);

// Sends a signal to exactly the process that the snapshot showed; false if it is gone.
// The start time is read again while a pidfd pins the process.
bool signal_exactly(const ProcessStat& snapshot, int signal);

}  // namespace ym::local
