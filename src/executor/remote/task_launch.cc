#include "executor/remote/task_launch.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace ym::remote {
namespace {

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// "$NAME" and "${NAME}" in a line of shell.
std::vector<std::string> names_in(std::string_view line) {
  std::vector<std::string> names;
  for (auto at = line.find('$'); at != std::string_view::npos; at = line.find('$', at + 1)) {
    const auto begin = at + (line.substr(at + 1).starts_with('{') ? 2 : 1);
    auto end = begin;
    while (end < line.size() && in_name(line[end])) ++end;
    if (end > begin) names.emplace_back(line.substr(begin, end - begin));
  }
  return names;
}

// The words of torchrun are split here, and may contain variables that only the node knows.
Environment node_values(const JobSpec& spec) {
  Environment env;
  const auto take = [&env](const Program& program, Launcher launcher) {
    if (launcher != Launcher::torchrun || program.form == Program::Form::argv || program.words.empty()) return;
    for (const auto& name : names_in(program.words.front())) env[name] = node_value(name);
  };
  take(spec.run, spec.launcher);
  for (const auto& group : spec.groups) take(group.run, group.launcher);
  return env;
}

void drop_node_values(Environment& env) {
  std::erase_if(env, [](const auto& entry) { return entry.second == node_value(entry.first); });
}

Environment contact_env(const LaunchRequest& request) {
  if (!request.contact) return {};
  return {{"YM_PROGRESS_URL", request.contact->progress_url}, {"YM_NOTICE_URL", request.contact->notice_url}};
}

// 0: the program gets no port.
std::uint16_t port_for(const JobSpec& own, const TaskClaim& first) {
  return may_use_port(own) ? static_cast<std::uint16_t>(first.port) : std::uint16_t{0};
}

LaunchContext context_of(const LaunchRequest& request, std::span<const TaskClaim> claims, const LaunchRules& rules) {
  LaunchContext context{.token = request.token,
                        .spec = *request.spec,
                        .job_name = request.job_name,
                        .group_index = request.group_index,
                        .sites = {},
                        .port = port_for(*request.spec, claims.front()),
                        .base_env = rules.base_env,
                        .executor_env = contact_env(request)};
  context.base_env.merge(node_values(*request.spec));
  for (const auto& claim : claims) context.sites.push_back({.address = claim.address, .devices = {}});
  return context;
}

std::vector<std::uint16_t> ports_of(const JobSpec& spec, std::span<const TaskClaim> claims) {
  std::vector<std::uint16_t> ports;
  std::size_t first = 0;
  for (std::size_t at = 0; at < spec.groups.size(); ++at) {
    ports.push_back(first < claims.size() ? port_for(spec.of_group(at), claims[first]) : std::uint16_t{0});
    first += static_cast<std::size_t>(spec.groups[at].nodes);
  }
  return ports;
}

bool sees_devices(const TaskResources& resources) { return resources.devices() > 0 || resources.shares_gpu(); }

}  // namespace

Result<LaunchPlan> LaunchPlan::make(const LaunchRequest& request, std::span<const TaskClaim> claims,
                                    const LaunchRules& rules) {
  if (claims.empty() || claims.size() != request.placement.size())
    return fail(ErrorCode::invalid, "the launch request has no placement for each of its tasks");
  const JobSpec& spec = *request.spec;
  LaunchPlan plan;
  plan.common_ = {.workdir = rules.in_containers && spec.workdir_left_out ? "" : spec.workdir,
                  .stop_signal = spec.stop.signal,
                  .stop_grace = spec.stop.grace,
                  .time_limit = spec.time_limit,
                  .start_timeout = rules.start_timeout,
                  .log_cap = rules.log_cap,
                  .checkpoints = request.checkpoints};
  const auto context = context_of(request, claims, rules);
  const auto add = [&](const JobSpec& own, LaunchCommand command, std::uint16_t port) {
    drop_node_values(command.env);
    plan.parts_.push_back({.tasks = static_cast<std::int32_t>(command.task_env.size()),
                           .form = own.run.form,
                           .command = std::move(command),
                           .memory_bytes = own.resources.memory_bytes,
                           .port = needs_port(own.launcher) ? port : 0,
                           .has_devices = sees_devices(own.resources)});
  };
  if (spec.groups.empty()) {
    auto command = make_launch_command(context);
    if (!command) return std::unexpected(command.error());
    add(spec, std::move(*command), context.port);
    return plan;
  }
  const auto ports = ports_of(spec, claims);
  auto commands = make_group_commands(context, ports);
  if (!commands) return std::unexpected(commands.error());
  for (std::size_t at = 0; at < commands->size(); ++at) add(spec.of_group(at), std::move((*commands)[at]), ports[at]);
  return plan;
}

Result<void> LaunchPlan::check(const LaunchRequest& request, const LaunchRules& rules) {
  const std::vector<TaskClaim> no_claims(request.placement.size(), TaskClaim{.nonce = {}, .address = {}, .node = {}});
  if (const auto plan = make(request, no_claims, rules); !plan) return std::unexpected(plan.error());
  return {};
}

TaskLaunch LaunchPlan::of_task(std::int32_t task) const {
  TaskLaunch launch = common_;
  auto part = parts_.begin();
  for (; task >= part->tasks; ++part) task -= part->tasks;
  launch.shell = part->form == Program::Form::shell;
  launch.argv = part->command.argv;
  launch.env = part->command.env;
  for (const auto& [name, value] : part->command.task_env[static_cast<std::size_t>(task)]) launch.env[name] = value;
  if (part->has_devices) launch.env.erase("CUDA_VISIBLE_DEVICES");
  launch.memory_bytes = part->memory_bytes;
  launch.port = part->port;
  return launch;
}

}  // namespace ym::remote
