// From a request to the launch record: what the supervisors will read.
#pragma once

#include <cstdint>
#include <vector>

#include "executor/executor.h"
#include "executor/launcher/launcher.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/local/checkpoint_probe.h"
#include "executor/local/local_executor.h"

namespace ym::local {

// What jobs get of this process's environment: PATH HOME USER LOGNAME LANG SHELL TMPDIR TZ.
Environment inherited_environment();

struct LaunchSite {
  const LocalOptions& options;
  const CgroupPlan& cgroups;
  std::string state_id;  // tells this server's user code from others' of the same token
  // The attempt's own, for all tasks or by group; 0: none.
  std::vector<std::uint16_t> ports;
  const Resume& resume;
};
// Secrets are not in it. Errors: `invalid`, for a request that can never be launched.
Result<LaunchRecord> plan_launch(const LaunchRequest& request, const LaunchSite& site);

}  // namespace ym::local
