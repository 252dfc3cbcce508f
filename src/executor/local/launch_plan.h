// From a request to the launch record that the supervisors read.
#pragma once

#include <cstdint>
#include <vector>

#include "executor/executor.h"
#include "executor/launcher/launcher.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/local/local_executor.h"
#include "executor/local/machine/checkpoint_probe.h"

namespace ym::local {

// The variables of this process that jobs inherit: PATH HOME USER LOGNAME LANG SHELL TMPDIR TZ.
Environment inherited_environment();

struct LaunchSite {
  const LocalOptions& options;
  const CgroupPlan& cgroups;
  std::string state_id;  // tells this server's user code from that of other servers with the same token
  // Ports of the attempt: one for all tasks, or one for each group; 0: none.
  std::vector<std::uint16_t> ports;
  const Resume& resume;
};
// It contains no secrets. Errors: `invalid`: the request can never be launched.
Result<LaunchRecord> plan_launch(const LaunchRequest& request, const LaunchSite& site);

}  // namespace ym::local
