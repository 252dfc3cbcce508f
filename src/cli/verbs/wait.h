// Waiting for jobs to end, as `ym wait` and `ym submit --wait` do it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/job_view.h"
#include "cli/session.h"

namespace ym::cli {

struct WaitRequest {
  std::vector<std::string> ids;  // or names; of arrays all members count
  std::optional<Duration> timeout{};
  ExitFrom exit_from = ExitFrom::outcome;
};

// Waits, prints the jobs, and gives the exit code: 0 if all succeeded, else that of the
// first that did not; 124 when time was up, 130 on Ctrl-C.
int wait_for(Session& session, const WaitRequest& request);

// "" or "job", as `--exit-code-from` has it.
ExitFrom exit_from(const std::string& text);

}  // namespace ym::cli
