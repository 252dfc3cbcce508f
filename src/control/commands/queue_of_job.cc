#include "control/commands/queue_of_job.h"

#include <fmt/format.h>

#include <algorithm>

namespace ym {
namespace {

bool has_children(const Tables& tables, const std::string& queue) {
  return std::ranges::any_of(tables.queues, [&](const auto& entry) { return entry.second.parent == queue; });
}

// Whether the cohort is above the queue. The cohort "" is above all. Parents may form a cycle.
bool is_above(const Tables& tables, const std::string& cohort, const Queue& queue) {
  const Queue* below = &queue;
  for (std::size_t steps = 0; steps < tables.queues.size() && below->parent != cohort; ++steps) {
    const auto parent = tables.queues.find(below->parent);
    if (parent == tables.queues.end()) break;
    below = &parent->second;
  }
  return cohort.empty() || below->parent == cohort;
}

// The queues below the cohort that take jobs.
std::string known_queues(const Tables& tables, const SeesQueue& sees, const std::string& cohort = {}) {
  std::string names;
  for (const auto& [name, queue] : tables.queues) {
    if (!takes_jobs(tables, queue) || !is_above(tables, cohort, queue) || !sees(name)) continue;
    if (names.size() > 200) return names + ", ...";
    names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

bool is_among(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// Null: there is none.
const Queue* default_of(const Tables& tables, const std::string& user, const std::string& project) {
  const Queue *of_project = nullptr, *of_all = nullptr;
  for (const auto& [name, queue] : tables.queues) {
    const bool users = is_among(queue.default_for.users, user);
    const bool projects = is_among(queue.default_for.projects, project);
    if ((!users && !projects && name != kDefaultQueue) || !takes_jobs(tables, queue)) continue;
    if (users) return &queue;
    if (projects && of_project == nullptr) of_project = &queue;
    if (name == kDefaultQueue) of_all = &queue;
  }
  return of_project != nullptr ? of_project : of_all;
}

}  // namespace

bool takes_jobs(const Tables& tables, const Queue& queue) {
  return queue.accepts_jobs && !has_children(tables, queue.name);
}

std::optional<std::string> queue_problem(const Tables& tables, const std::string& name, const SeesQueue& sees) {
  const auto it = tables.queues.find(name);
  if (it == tables.queues.end() || !sees(name)) {
    const auto names = known_queues(tables, sees);
    return fmt::format("there is no queue '{}'; there {}{}", name,
                       names.empty() ? "is none that you may use" : "are: ", names);
  }
  if (!it->second.accepts_jobs) return fmt::format("queue '{}' is being removed and takes no new jobs", name);
  if (has_children(tables, name)) {
    return fmt::format("queue '{}' is a cohort; submit to one of those below it: {}", name,
                       known_queues(tables, sees, name));
  }
  return std::nullopt;
}

Result<std::string> queue_of_job(const Tables& tables, const JobSpec& spec, const std::string& user,
                                 const SeesQueue& sees) {
  if (!spec.queue.empty()) {
    if (auto problem = queue_problem(tables, spec.queue, sees)) return fail(ErrorCode::invalid, std::move(*problem));
    return spec.queue;
  }
  if (const Queue* found = default_of(tables, user, spec.project)) return found->name;
  const auto names = known_queues(tables, sees);
  return fail(ErrorCode::invalid,
              fmt::format("is missing, and neither user '{}' nor project '{}' has a default queue; {}{}", user,
                          spec.project, names.empty() ? "there is none that takes jobs" : "write one of: ", names));
}

}  // namespace ym
