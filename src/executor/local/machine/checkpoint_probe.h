// Finds the checkpoint from which an attempt resumes: the newest that exists.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "executor/local/machine/event_loop.h"
#include "model/progress.h"

namespace ym::local {

struct Resume {
  std::optional<Checkpoint> from;
  std::vector<Checkpoint> gone;  // newer ones that do not exist
};

// The local path of a checkpoint's uri: "/a/b", "b" (relative to `workdir`), "file:/a/b", "file:///a%20b". Empty: it is
// remote (s3://...) and cannot be checked here.
std::optional<std::string> local_path(const std::string& uri, const std::string& workdir);

// Whether no attempt can resume from this path: it is known not to exist; or it is neither a file nor a folder (reading
// a pipe would block forever); or it is a link out of its folder. The call may hang.
bool is_no_checkpoint(const std::string& path);

struct CheckpointSearch {
  std::vector<Checkpoint> candidates;  // newest first
  std::string workdir;                 // of the job
  Duration timeout;
  std::function<bool(const std::string& path)> is_none = is_no_checkpoint;
};

// Looks for the checkpoints and calls `done` on the loop's thread: at once if there is nothing to check. The file
// systems of the job may hang, so the check runs on a thread of its own. A checkpoint without an answer after
// `timeout` counts as existing: user code will wait for it too. Loop's thread only; `done` is not called after the
// loop has stopped.
void find_checkpoint(EventLoop& loop, CheckpointSearch search, std::function<void(Resume)> done);

}  // namespace ym::local
