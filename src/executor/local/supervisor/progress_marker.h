// ProgressMarker: the file that user code renames its reports to, and the folder for it.
//
// Whatever user code does to that folder, nothing here waits for it or follows links.
// Times are milliseconds of CLOCK_BOOTTIME.
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
  // Makes the folder in the task's, before user code starts. Without it (a full disk) there
  // is no marker, and no notice.
  void open(int task_folder);
  int folder() const { return folder_.get(); }

  // Readable when there is something to look at; -1 while a look is due anyway.
  int fd() const { return pending_ ? -1 : watch_.get(); }
  // When to look without being told.
  std::optional<std::int64_t> look_at() const;

  // The text of a marker that has not been seen before.
  std::optional<std::string> look(std::int64_t now);
  // The same at the end, at once.
  std::optional<std::string> last_look();

 private:
  bool was_told();

  Fd folder_, watch_;  // without a watch (there may be too few for all) it is looked at now and then
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
