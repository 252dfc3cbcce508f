#include "control/site/default_queues.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "control/site/queue_commands.h"

namespace ym {
namespace {

// The default queue, by name of the user or project.
struct Claims {
  std::map<std::string, std::string> users, projects;
};

// A user or project that has two default queues.
struct Clash {
  std::size_t queue = 0;  // index of the checked queue
  // The place in that queue: "/default_for/users/0".
  std::string place;
  std::string owner;  // "user 'ann'"
  std::string other;  // the queue that is its default already
};

// The claims of stored queues for which `counts` holds, without queues that `queues` replaces.
template <class Counts>
Claims claims_beside(const Tables& tables, const std::vector<Queue>& queues, Counts counts) {
  std::set<std::string> replaced;
  for (const auto& queue : queues) replaced.insert(queue.name);
  Claims claims;
  for (const auto& [name, queue] : tables.queues) {
    if (!queue.accepts_jobs || replaced.contains(name) || !counts(queue)) continue;
    for (const auto& user : queue.default_for.users) claims.users.emplace(user, name);
    for (const auto& project : queue.default_for.projects) claims.projects.emplace(project, name);
  }
  return claims;
}

std::vector<Clash> clashes(const std::vector<Queue>& queues, Claims claims) {
  std::vector<Clash> found;
  for (std::size_t i = 0; i < queues.size(); ++i) {
    const auto claim = [&](const std::vector<std::string>& names, std::string_view kind, auto& queue_of) {
      for (std::size_t n = 0; n < names.size(); ++n) {
        const auto [known, is_new] = queue_of.try_emplace(names[n], queues[i].name);
        if (is_new) continue;
        found.push_back({.queue = i,
                         .place = fmt::format("/default_for/{}s/{}", kind, n),
                         .owner = fmt::format("{} '{}'", kind, names[n]),
                         .other = known->second});
      }
    };
    claim(queues[i].default_for.users, "user", claims.users);
    claim(queues[i].default_for.projects, "project", claims.projects);
  }
  return found;
}

// Whether the named queue will have a child once `queues` are set.
bool will_be_cohort(const Tables& tables, const std::vector<Queue>& queues, const std::string& name) {
  const auto is_set = [&](const std::string& other) {
    return std::ranges::find(queues, other, &Queue::name) != queues.end();
  };
  return std::ranges::find(queues, name, &Queue::parent) != queues.end() ||
         std::ranges::any_of(tables.queues,
                             [&](const auto& entry) { return entry.second.parent == name && !is_set(entry.first); });
}

}  // namespace

void stage_own_queue(Staging& staging) {
  const auto& queues = staging.tables().queues;
  const bool is_configured = std::ranges::any_of(
      queues, [](const auto& entry) { return entry.second.accepts_jobs && !is_servers_own(entry.second); });
  const auto known = queues.find(std::string(kDefaultQueue));
  const bool is_open = known != queues.end() && known->second.accepts_jobs;
  if (is_configured && is_open && is_servers_own(known->second)) {
    Queue closing = known->second;
    closing.accepts_jobs = false;
    staging.add("server", QueueSet{std::move(closing)}, "queues are configured; leaves when nothing uses it");
  }
  if (is_configured || is_open) return;
  Queue own = servers_own_queue();
  if (known != queues.end()) {
    own.stop = known->second.stop;
    own = following(known->second, std::move(own), staging.now());
  }
  staging.add("server", QueueSet{std::move(own)}, "no queue is configured");
}

std::vector<FieldError> default_for_problems(const Tables& tables, const ApplyQueues& command) {
  std::vector<FieldError> problems;
  const auto& queues = command.queues;
  for (std::size_t i = 0; i < queues.size(); ++i)
    if (queues[i].default_for != DefaultFor() && will_be_cohort(tables, queues, queues[i].name))
      problems.push_back({pointer_of(command, i) + "/default_for",
                          "is for queues that take jobs; write it at one of the queues below this one"});
  const auto others = claims_beside(tables, queues, [](const Queue&) { return true; });
  for (const auto& clash : clashes(queues, others))
    problems.push_back({pointer_of(command, clash.queue) + clash.place,
                        fmt::format("queue '{}' is the default of {} already; leave it out at one of the two",
                                    clash.other, clash.owner)});
  return problems;
}

Result<void> check_defaults(const Tables& tables, const std::vector<Queue>& of_file) {
  const auto made_since =
      claims_beside(tables, of_file, [](const Queue& queue) { return queue.managed_by == ManagedBy::api; });
  const auto found = clashes(of_file, made_since);
  if (found.empty()) return {};
  const auto& [queue, place, owner, other] = found.front();
  return fail(ErrorCode::invalid,
              fmt::format("queue '{}' of the configuration is to be the default of {}, and so is queue '{}', which was "
                          "made by `ym queue apply`: take it out of the configuration, or of that queue first",
                          of_file[queue].name, owner, other));
}

}  // namespace ym
