// The commands of a job with several groups of tasks.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "executor/launcher/launcher.h"

namespace ym {
namespace {

std::string addresses(const std::vector<TaskSite>& sites, std::size_t from, std::int32_t count) {
  std::vector<std::string> list;
  for (std::int32_t i = 0; i < count; ++i) list.push_back(sites[from + static_cast<std::size_t>(i)].address);
  return fmt::format("{}", fmt::join(list, ","));
}

// "learners=10.0.0.1,10.0.0.2;actors=10.0.0.3"
std::string all_groups(const LaunchContext& context) {
  std::string text;
  std::size_t from = 0;
  for (const TaskGroup& group : context.spec.groups) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ";", group.name, addresses(context.sites, from, group.nodes));
    from += static_cast<std::size_t>(group.nodes);
  }
  return text;
}

// Variables for all groups: the launcher of a group does not have them, or has them for its group only.
Environment gang_env(const LaunchContext& context, const TaskGroup& group) {
  return {{"YM_NODES", std::to_string(context.sites.size())},
          {"YM_NODE_IPS", addresses(context.sites, 0, static_cast<std::int32_t>(context.sites.size()))},
          {"YM_GROUP", group.name},
          {"YM_GROUP_NODES", std::to_string(group.nodes)},
          {"YM_GROUPS", all_groups(context)}};
}

}  // namespace

Result<std::vector<LaunchCommand>> make_group_commands(const LaunchContext& context,
                                                       const std::vector<std::uint16_t>& ports) {
  if (std::cmp_not_equal(context.sites.size(), context.spec.nodes))
    return fail(ErrorCode::invalid, "the placement does not have as many tasks as the job has nodes");
  std::vector<LaunchCommand> commands;
  std::size_t from = 0;
  for (std::size_t group = 0; group < context.spec.groups.size(); ++group) {
    const JobSpec own = context.spec.of_group(group);
    const auto begin = context.sites.begin() + static_cast<std::ptrdiff_t>(from);
    auto command = make_launch_command({.token = context.token,
                                        .spec = own,
                                        .job_name = context.job_name,
                                        .group_index = context.group_index,
                                        .sites = {begin, begin + own.nodes},
                                        .port = ports.at(group),
                                        .base_env = context.base_env,
                                        .executor_env = context.executor_env,
                                        .resumes_from = context.resumes_from,
                                        .gang_env = gang_env(context, context.spec.groups[group])});
    if (!command) return std::unexpected(command.error());
    for (std::size_t task = 0; task < command->task_env.size(); ++task) {
      command->task_env[task]["YM_NODE_RANK"] = std::to_string(from + task);
      command->task_env[task]["YM_GROUP_RANK"] = std::to_string(task);
    }
    commands.push_back(std::move(*command));
    from += static_cast<std::size_t>(own.nodes);
  }
  return commands;
}

}  // namespace ym
