// Waits for jobs to end, for `ym wait` and `ym submit --wait`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/session.h"
#include "cli/views/job_view.h"

namespace ym::cli {

struct WaitRequest {
  std::vector<std::string> ids;  // or names; an array stands for all its members
  std::optional<Duration> timeout{};
  ExitFrom exit_from = ExitFrom::outcome;
};

// Waits, prints the jobs, and returns the exit code: 0 if all succeeded, otherwise the code of the first that did
// not; 124 after the timeout, 130 after Ctrl-C.
int wait_for(Session& session, const WaitRequest& request);

// "" or "job": the value of `--exit-code-from`.
ExitFrom exit_from(const std::string& text);

}  // namespace ym::cli
