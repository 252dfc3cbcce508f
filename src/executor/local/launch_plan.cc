#include "executor/local/launch_plan.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace ym::local {
namespace {

constexpr const char* kThisMachine = "127.0.0.1";

std::vector<std::string> physical_devices(const TaskPlacement& placed, const Node& node) {
  std::vector<std::string> ids;
  for (const auto& device : node.devices) {
    const bool chosen = std::ranges::find(placed.devices, device.id) != placed.devices.end();
    if (chosen && !device.physical.empty()) ids.push_back(device.physical);
  }
  return ids;
}

std::vector<std::string> pairs(const Environment& env) {
  std::vector<std::string> list;
  for (const auto& [name, value] : env) list.push_back(name + "=" + value);
  return list;
}

// What a task's own environment overwrites is left out of the common one: a name must
// not be there twice.
Environment without(Environment env, const std::vector<Environment>& overwritten) {
  for (const auto& own : overwritten)
    for (const auto& [name, value] : own) env.erase(name);
  return env;
}

// A quota of all processors or more would only cost time.
std::int64_t cpu_limit(std::int64_t cpus) { return cpus < ::sysconf(_SC_NPROCESSORS_ONLN) * kMilli ? cpus : 0; }

}  // namespace

Environment inherited_environment() {
  Environment env{{"PATH", "/usr/local/bin:/usr/bin:/bin"}};
  for (const char* name : {"PATH", "HOME", "USER", "LOGNAME", "LANG", "SHELL", "TMPDIR", "TZ"})
    if (const char* value = std::getenv(name)) env[name] = value;
  return env;
}

Result<LaunchRecord> plan_launch(const LaunchRequest& request, const LaunchSite& site) {
  const auto& spec = *request.spec;
  if (request.placement.size() != request.nodes.size())
    return fail(ErrorCode::invalid, "the launch request names other nodes than its placement");
  LaunchContext context{.token = request.token,
                        .spec = spec,
                        .job_name = request.job_name,
                        .group_index = request.group_index,
                        .sites = {},
                        .port = site.port,
                        .base_env = inherited_environment()};
  for (std::size_t task = 0; task < request.placement.size(); ++task)
    context.sites.push_back({kThisMachine, physical_devices(request.placement[task], request.nodes[task])});
  auto command = make_launch_command(context);
  if (!command) return std::unexpected(command.error());
  command->env["YM_LAUNCH_STATE"] = site.state_id;
  LaunchRecord launch{.token = request.token, .tasks = spec.nodes, .form = spec.run.form};
  launch.argv = std::move(command->argv);
  launch.env = pairs(without(std::move(command->env), command->task_env));
  for (const auto& own : command->task_env) launch.task_env.push_back(pairs(own));
  launch.workdir = spec.workdir.empty() ? "/" : spec.workdir;
  launch.stop_signal = spec.stop.signal;
  launch.stop_grace = spec.stop.grace;
  launch.time_limit = spec.time_limit;
  launch.start_timeout = site.options.start_timeout;
  launch.log_cap = site.options.log_cap;
  launch.cgroups = site.cgroups;
  launch.limits = {cpu_limit(spec.resources.cpus), spec.resources.memory_bytes};
  launch.open_files = site.options.open_files;
  if (!site.cgroups.limits_memory()) launch.data_limit = spec.resources.memory_bytes;
  launch.port = site.port;
  return launch;
}

}  // namespace ym::local
