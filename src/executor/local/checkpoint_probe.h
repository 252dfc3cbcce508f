// Which checkpoint an attempt resumes from: the newest that is still there.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "executor/local/event_loop.h"
#include "model/progress.h"

namespace ym::local {

struct Resume {
  std::optional<Checkpoint> from;
  std::vector<Checkpoint> gone;  // looked for before it
};

// The path that a checkpoint's uri means here: "/a/b", "b" (seen from `workdir`), "file:/a/b",
// "file:///a%20b". Nothing: it is elsewhere (s3://...), and not ours to judge.
std::optional<std::string> local_path(const std::string& uri, const std::string& workdir);

// Whether nothing can be resumed from there: it is known not to exist, or is neither a file nor a folder (a pipe would
// be waited at for ever), or a link out of the folder that it is in. It may hang.
bool is_no_checkpoint(const std::string& path);

struct CheckpointSearch {
  std::vector<Checkpoint> candidates;  // newest first
  std::string workdir;                 // of the job
  Duration patience;
  std::function<bool(const std::string& path)> is_none = is_no_checkpoint;
};

// Looks for the checkpoints and calls `done` on the loop's thread: at once if there is nothing
// to look at. The look goes to the job's own file systems, which may hang, so it is taken on a
// thread of its own; what has not answered after `patience` counts as there: user code will
// wait for it, too. Loop's thread only; `done` is not called after the loop has stopped.
void find_checkpoint(EventLoop& loop, CheckpointSearch search, std::function<void(Resume)> done);

}  // namespace ym::local
