#include "executor/local/supervisor/progress_marker.h"

#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/attempt/raw_report.h"

namespace ym::local {
namespace {

constexpr std::int64_t kPause = 1000;         // between looks without an event
constexpr std::int64_t kPauseWhenTold = 100;  // after an event: user code may rename without end

// Through the open folder: its path may be longer than the call allows.
Fd watch_over(int folder) {
  Fd fd{::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)};
  const auto path = "/proc/self/fd/" + std::to_string(folder);
  // In-place writes count too. Such a file may be read half-written, but is not ignored.
  if (fd && ::inotify_add_watch(fd.get(), path.c_str(), IN_MOVED_TO | IN_CLOSE_WRITE) < 0) fd.reset();
  return fd;
}

}  // namespace

void ProgressMarker::open(int task_folder) {
  if (::mkdirat(task_folder, kUserFolder, 0700) != 0 && errno != EEXIST) return;
  auto opened = open_folder(task_folder, kUserFolder);
  if (!opened) return;
  folder_ = std::move(*opened);
  watch_ = watch_over(folder_.get());
}

std::optional<std::int64_t> ProgressMarker::look_at() const {
  if (!folder_ || (watch_ && !pending_)) return std::nullopt;
  return next_look_;
}

bool ProgressMarker::was_told() {
  alignas(inotify_event) std::array<char, 4096> events;
  bool told = false;
  while (::read(watch_.get(), events.data(), events.size()) > 0) told = true;
  return told;
}

std::optional<std::string> ProgressMarker::look(std::int64_t now) {
  if (!folder_) return std::nullopt;
  pending_ = pending_ || !watch_ || was_told();
  if (!pending_ || now < next_look_) return std::nullopt;
  pending_ = false;
  next_look_ = now + (watch_ ? kPauseWhenTold : kPause);
  return last_look();
}

std::optional<std::string> ProgressMarker::last_look() {
  struct stat about{};
  if (!folder_ || ::fstatat(folder_.get(), kProgressFile, &about, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  const Seen now{about.st_ino, about.st_size, about.st_ctim.tv_sec * 1'000'000'000 + about.st_ctim.tv_nsec};
  if (now == seen_) return std::nullopt;
  seen_ = now;
  return read_marker(folder_.get());
}

}  // namespace ym::local
