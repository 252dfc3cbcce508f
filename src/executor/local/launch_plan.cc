#include "executor/local/launch_plan.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "executor/local/attempt/layout.h"
#include "executor/local/attempt/process.h"

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
  for (const auto& [name, value] : env) list.push_back(fmt::format("{}={}", name, value));
  return list;
}

// Leaves out variables that a task's own environment overwrites: no name may occur twice.
Environment without(Environment env, const std::vector<Environment>& overwritten) {
  for (const auto& own : overwritten)
    for (const auto& [name, value] : own) env.erase(name);
  return env;
}

// Files and addresses of the job contract. The token itself is only in its file.
Environment contact_env(const LaunchRequest& request, const std::filesystem::path& folder) {
  if (!request.contact) return {};
  Environment env{{"YM_TOKEN_FILE", folder / kTokenFile},
                  {"YM_PROGRESS_URL", request.contact->progress_url},
                  {"YM_NOTICE_URL", request.contact->notice_url}};
  if (!request.contact->ca_file.empty()) env["YM_JOB_CA_FILE"] = request.contact->ca_file;
  return env;
}

Environment user_files(const std::filesystem::path& folder, std::size_t task) {
  const auto user = folder / std::to_string(task) / kUserFolder;
  return {{"YM_PROGRESS_FILE", user / kProgressFile}, {"YM_NOTICE_FILE", user / kNoticeFile}};
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

namespace {

LaunchContext context_of(const LaunchRequest& request, const LaunchSite& site) {
  const auto folder = std::filesystem::absolute(site.options.state_dir) / attempt_path(request.token.key());
  LaunchContext context{.token = request.token,
                        .spec = *request.spec,
                        .job_name = request.job_name,
                        .group_index = request.group_index,
                        .sites = {},
                        .port = site.ports.front(),
                        .base_env = inherited_environment(),
                        .executor_env = contact_env(request, folder),
                        .resumes_from = site.resume.from};
  for (std::size_t task = 0; task < request.placement.size(); ++task)
    context.sites.push_back(
        {kThisMachine, physical_devices(request.placement[task], request.nodes[task]), user_files(folder, task)});
  return context;
}

// Only if no cgroup limits memory.
std::int64_t data_limit(const TaskResources& resources, const LaunchSite& site) {
  return site.cgroups.limits_memory() ? 0 : resources.memory_bytes;
}

CgroupLimits limits_of(const TaskResources& resources) { return {cpu_limit(resources.cpus), resources.memory_bytes}; }

// What all tasks run.
Result<void> plan_tasks(LaunchRecord& launch, const LaunchRequest& request, const LaunchSite& site) {
  auto command = make_launch_command(context_of(request, site));
  if (!command) return std::unexpected(command.error());
  command->env["YM_LAUNCH_STATE"] = site.state_id;
  launch.argv = std::move(command->argv);
  launch.env = pairs(without(std::move(command->env), command->task_env));
  for (const auto& own : command->task_env) launch.task_env.push_back(pairs(own));
  launch.limits = limits_of(request.spec->resources);
  launch.data_limit = data_limit(request.spec->resources, site);
  launch.port = site.ports.front();
  launch.torchrun = request.spec->launcher == Launcher::torchrun;
  return {};
}

// What each group runs.
Result<void> plan_groups(LaunchRecord& launch, const LaunchRequest& request, const LaunchSite& site) {
  auto commands = make_group_commands(context_of(request, site), site.ports);
  if (!commands) return std::unexpected(commands.error());
  for (std::size_t at = 0; at < commands->size(); ++at) {
    LaunchCommand& command = (*commands)[at];
    const TaskGroup& group = request.spec->groups[at];
    command.env["YM_LAUNCH_STATE"] = site.state_id;
    for (const auto& own : command.task_env) launch.task_env.push_back(pairs(own));
    launch.groups.push_back({.tasks = group.nodes,
                             .form = group.run.form,
                             .argv = std::move(command.argv),
                             .env = pairs(without(std::move(command.env), command.task_env)),
                             .limits = limits_of(group.resources),
                             .data_limit = data_limit(group.resources, site),
                             .port = site.ports[at],
                             .torchrun = group.launcher == Launcher::torchrun});
  }
  return {};
}

}  // namespace

Result<LaunchRecord> plan_launch(const LaunchRequest& request, const LaunchSite& site) {
  const auto& spec = *request.spec;
  if (request.placement.size() != request.nodes.size())
    return fail(ErrorCode::invalid, "the launch request names other nodes than its placement");
  LaunchRecord launch{.token = request.token,
                      .boot = boot_id(),
                      .tasks = static_cast<std::int32_t>(request.placement.size()),
                      .form = spec.run.form};
  const auto planned = spec.groups.empty() ? plan_tasks(launch, request, site) : plan_groups(launch, request, site);
  if (!planned) return std::unexpected(planned.error());
  launch.workdir = spec.workdir.empty() ? "/" : spec.workdir;
  launch.stop_signal = spec.stop.signal;
  launch.stop_grace = spec.stop.grace;
  launch.time_limit = spec.time_limit;
  launch.start_timeout = site.options.start_timeout;
  launch.log_cap = site.options.log_cap;
  launch.cgroups = site.cgroups;
  launch.open_files = site.options.open_files;
  launch.gone = site.resume.gone;
  launch.placement = request.placement;
  return launch;
}

}  // namespace ym::local
