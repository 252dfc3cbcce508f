#include "control/site/queue_commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "control/site/default_queues.h"
#include "control/state/messages.h"
#include "model/queue_cycle.h"

namespace ym {
namespace {

std::unexpected<Error> of_the_file(const std::string& queue) {
  return fail(ErrorCode::conflict, fmt::format("queue '{}' is managed by the server's configuration file; change it "
                                               "there and send the server SIGHUP",
                                               queue));
}

bool has_flavor(const Tables& tables, const std::string& flavor) {
  return tables.flavors.contains(flavor) || (tables.flavors.empty() && flavor == kDefaultFlavor);
}

std::string flavor_problem(const Tables& tables, const std::string& flavor) {
  std::vector<std::string> names;
  for (const auto& [name, row] : tables.flavors) names.push_back(name);
  if (names.empty()) names.emplace_back(kDefaultFlavor);
  return fmt::format("there is no flavor '{}'; there are: {}", flavor, fmt::join(names, ", "));
}

// The problems of the queues, each with its place in the request.
std::vector<FieldError> problems_of(const Tables& tables, const ApplyQueues& command) {
  std::vector<FieldError> problems;
  auto after = tables.queues;
  for (const Queue& queue : command.queues) after.insert_or_assign(queue.name, queue);
  for (std::size_t i = 0; i < command.queues.size(); ++i) {
    const Queue& queue = command.queues[i];
    const auto pointer = pointer_of(command, i);
    if (!queue.parent.empty() && !after.contains(queue.parent))
      problems.push_back({pointer + "/parent", fmt::format("there is no queue '{}'", queue.parent)});
    if (is_in_cycle(after, queue.name))
      problems.push_back(
          {pointer + "/parent", fmt::format("queue '{}' is below '{}', or is the same", queue.parent, queue.name)});
    if (!queue.quota) continue;
    for (const auto& [flavor, quota] : *queue.quota)
      if (!has_flavor(tables, flavor))
        problems.push_back({fmt::format("{}/quota/{}", pointer, flavor), flavor_problem(tables, flavor)});
  }
  for (auto& problem : default_for_problems(tables, command)) problems.push_back(std::move(problem));
  return problems;
}

std::vector<std::string> children_of(const Tables& tables, const std::string& parent) {
  std::vector<std::string> names;
  for (const auto& [name, queue] : tables.queues)
    if (queue.parent == parent) names.push_back(name);
  return names;
}

// The problem with the removal of a queue that the file does not manage.
std::optional<std::string> removal_problem(const Tables& tables, const std::string& name) {
  if (const auto children = children_of(tables, name); !children.empty())
    return fmt::format("queue '{}' has queues below it; remove these first: {}", name, fmt::join(children, ", "));
  const auto is_another = [&](const auto& entry) { return entry.first != name && entry.second.accepts_jobs; };
  if (name == kDefaultQueue && std::ranges::none_of(tables.queues, is_another))
    return "the queue 'default' is the only one, and jobs that name no queue go to it; apply another one first";
  return std::nullopt;
}

}  // namespace

std::string pointer_of(const ApplyQueues& command, std::size_t queue) {
  return queue < command.pointers.size() ? command.pointers[queue] : fmt::format("/queues/{}", queue);
}

Result<CommandReply> stage_apply_queues(Staging& staging, const Caller& caller, const ApplyQueues& command) {
  const Tables& tables = staging.tables();
  for (const auto& queue : command.queues) {
    const auto it = tables.queues.find(queue.name);
    if (!command.dry_run && it != tables.queues.end() && it->second.managed_by == ManagedBy::file)
      return of_the_file(queue.name);
  }
  if (auto problems = problems_of(tables, command); !problems.empty()) {
    std::string message = problems.front().pointer + ": " + problems.front().message;
    if (problems.size() > 1) message += fmt::format("; and {} more", problems.size() - 1);
    return std::unexpected(
        Error{.code = ErrorCode::invalid, .message = std::move(message), .fields = std::move(problems)});
  }
  if (command.dry_run) return CommandReply{};
  for (auto queue : command.queues) {
    queue.managed_by = ManagedBy::api;
    queue.applied = true;
    const auto known = tables.queues.find(queue.name);
    if (known != tables.queues.end()) {
      if (!command.says_stop.contains(queue.name)) queue.stop = known->second.stop;
      queue = following(known->second, std::move(queue), staging.now());
    }
    staging.add(caller.principal, QueueSet{std::move(queue)});
  }
  stage_own_queue(staging);
  return CommandReply{};
}

Result<CommandReply> stage_queue_stop(Staging& staging, const Caller& caller, const SetQueueStop& command) {
  const Tables& tables = staging.tables();
  const auto it = tables.queues.find(command.queue);
  if (it == tables.queues.end()) return std::unexpected(no_such_queue(command.queue));
  if (it->second.managed_by == ManagedBy::file) return of_the_file(command.queue);
  if (it->second.stop == command.stop) return CommandReply{};
  Queue queue = it->second;
  queue.stop = command.stop;
  staging.add(caller.principal, QueueSet{std::move(queue)}, fmt::format("stop: {}", to_string(command.stop)));
  return CommandReply{};
}

// Only closes the queue: stage_removals removes it with the commit, when nothing uses it.
Result<CommandReply> stage_remove_queue(Staging& staging, const Caller& caller, const RemoveQueue& command) {
  const Tables& tables = staging.tables();
  const auto it = tables.queues.find(command.queue);
  if (it == tables.queues.end()) return std::unexpected(no_such_queue(command.queue));
  if (it->second.managed_by == ManagedBy::file) return of_the_file(command.queue);
  const auto of_file = [&](const auto& entry) {
    return entry.second.managed_by == ManagedBy::file && entry.second.scope == Scope{ScopeKind::queue, command.queue};
  };
  if (std::ranges::any_of(tables.bindings, of_file))
    return fail(ErrorCode::conflict, fmt::format("the server's configuration file gives roles at queue '{}'; remove "
                                                 "them there first",
                                                 command.queue));
  if (auto problem = removal_problem(tables, command.queue)) return fail(ErrorCode::conflict, std::move(*problem));
  if (!it->second.accepts_jobs) return CommandReply{};  // requested before
  Queue closing = it->second;
  closing.accepts_jobs = false;
  staging.add(caller.principal, QueueSet{std::move(closing)}, "removed; leaves when nothing uses it");
  stage_own_queue(staging);
  return CommandReply{};
}

}  // namespace ym
