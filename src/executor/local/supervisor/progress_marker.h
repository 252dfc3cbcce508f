// ProgressMarker: the file to which user code renames its reports, and the folder for it.
//
// Whatever user code does to that folder, nothing here blocks on it or follows links. Times are milliseconds of
// CLOCK_BOOTTIME.
#pragma once

#include <sys/types.h>
#include <time.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/fd.h"

namespace ym::local {

class ProgressMarker {
 public:
  // Makes the folder in that of the task, before user code starts. If that fails (a full disk), there is no marker and
  // no notice.
  void open(int task_folder);
  int folder() const { return folder_.get(); }

  // Readable when the folder has changed; -1 while a look is due anyway.
  int fd() const { return pending_ ? -1 : watch_.get(); }
  // When to look without an event.
  std::optional<std::int64_t> look_at() const;

  // The text of the marker, if it is new.
  std::optional<std::string> look(std::int64_t now);
  // The same at the end, at once.
  std::optional<std::string> last_look();

 private:
  bool was_told();

  Fd folder_, watch_;  // inotify watches may run out: then it looks once in a while
  bool pending_ = false;
  std::int64_t next_look_ = 0;
  struct Seen {
    ino_t inode = 0;
    off_t size = 0;
    std::int64_t changed_ns = 0;
    bool operator==(const Seen&) const = default;
  } seen_;
};

}  // namespace ym::local
