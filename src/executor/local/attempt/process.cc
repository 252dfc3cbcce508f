#include "executor/local/attempt/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <memory>
#include <string_view>

#include "base/assert.h"
#include "base/fd.h"
#include "executor/local/attempt/files.h"

namespace ym::local {
namespace {

// PF_FORKNOEXEC of the kernel's process flags (proc(5), field 9), which a zombie keeps.
constexpr std::uint64_t kForkedOnly = 0x40;

// glibc 2.36 declares its wrappers without C linkage.
int open_pidfd(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

using Folder = std::unique_ptr<DIR, int (*)(DIR*)>;
Folder open_folder(const std::string& path) { return {::opendir(path.c_str()), ::closedir}; }

template <class Integer>
Integer number_in(std::string_view text) {
  Integer value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

// Out of descriptors must not look like a reboot of the machine.
const std::string& boot_id() {
  static const std::string id = [] {
    auto text = read_bytes(AT_FDCWD, "/proc/sys/kernel/random/boot_id", 4096).value_or("");
    while (!text.empty() && text.back() == '\n') text.pop_back();
    YM_ASSERT(!text.empty());
    return text;
  }();
  return id;
}

std::optional<ProcessStat> parse_stat(const std::string& text) {
  // "pid (name) state ppid pgrp session ..."; the name may contain blanks and parentheses.
  const auto close = text.rfind(')');
  if (close == std::string::npos) return std::nullopt;
  std::array<std::string_view, 20> fields;
  std::string_view rest = std::string_view(text).substr(close + 1);
  for (auto& field : fields) {
    const auto begin = rest.find_first_not_of(' ');
    if (begin == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(begin);
    field = rest.substr(0, rest.find(' '));
    rest.remove_prefix(field.size());
  }
  return ProcessStat{.pid = number_in<pid_t>(text),
                     .parent = number_in<pid_t>(fields[1]),
                     .session = number_in<pid_t>(fields[3]),
                     .state = fields[0].front(),
                     .start_ticks = number_in<std::uint64_t>(fields[19]),
                     .executed = (number_in<std::uint64_t>(fields[6]) & kForkedOnly) == 0,
                     .threads = number_in<std::int64_t>(fields[17])};
}

Result<std::optional<ProcessStat>> look_at(pid_t pid) {
  const auto path = "/proc/" + std::to_string(pid) + "/stat";
  const auto text = read_bytes(AT_FDCWD, path.c_str(), std::size_t{1} << 16);
  if (text) return parse_stat(*text);
  if (text.error() == ENOENT || text.error() == ESRCH) return std::nullopt;
  return std::unexpected(os_error("read " + path, text.error()));
}

std::optional<ProcessStat> read_stat(pid_t pid) { return look_at(pid).value_or(std::nullopt); }

pid_t live_thread(const ProcessStat& process) {
  if (process.state != 'Z') return process.pid;
  const auto threads = open_folder("/proc/" + std::to_string(process.pid) + "/task");
  while (const dirent* entry = threads ? ::readdir(threads.get()) : nullptr) {
    const auto thread = number_in<pid_t>(entry->d_name);
    if (thread > 0 && thread != process.pid) return thread;
  }
  return process.pid;
}

Result<std::vector<ProcessStat>> all_processes() {
  std::vector<ProcessStat> found;
  const auto proc = open_folder("/proc");
  if (!proc) return std::unexpected(os_error("open /proc"));
  for (errno = 0; const dirent* entry = ::readdir(proc.get()); errno = 0) {
    const auto pid = number_in<pid_t>(entry->d_name);
    if (pid <= 0) continue;
    const auto stat = look_at(pid);
    if (!stat) return std::unexpected(stat.error());
    if (*stat) found.push_back(**stat);
  }
  if (errno != 0) return std::unexpected(os_error("read /proc"));
  return found;
}

std::optional<ProcessIdentity> identity_of(pid_t pid) {
  const auto stat = read_stat(pid);
  if (!stat) return std::nullopt;
  return ProcessIdentity{boot_id(), pid, stat->start_ticks};
}

Result<bool> lives(const ProcessIdentity& identity) {
  if (identity.boot != boot_id()) return false;
  const auto stat = look_at(identity.pid);
  if (!stat) return std::unexpected(stat.error());
  return *stat && (*stat)->start_ticks == identity.start_ticks && !(*stat)->dead();
}

bool alive(const ProcessIdentity& identity) { return lives(identity).value_or(false); }

bool signal_exactly(const ProcessStat& snapshot, int signal) {
  const Fd pinned{open_pidfd(snapshot.pid)};
  if (!pinned) return false;
  const auto now = read_stat(snapshot.pid);
  if (!now || now->start_ticks != snapshot.start_ticks) return false;
  return ::syscall(SYS_pidfd_send_signal, pinned.get(), signal, nullptr, 0) == 0;
}

}  // namespace ym::local
