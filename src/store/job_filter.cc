#include <algorithm>

#include "store/store.h"

namespace ym {
namespace {

bool is_one_of(const std::optional<std::vector<std::string>>& names, const std::string& name) {
  return !names || std::ranges::find(*names, name) != names->end();
}

}  // namespace

bool contains(const JobSet& set, const Job& job) {
  return (!set.owner || *set.owner == job.owner) && is_one_of(set.projects, job.project) &&
         is_one_of(set.queues, job.queue);
}

bool matches(const JobFilter& filter, const Job& job) {
  if (filter.before && !(job.id < *filter.before)) return false;
  if (filter.owner && job.owner != *filter.owner) return false;
  if (filter.queue && job.queue != *filter.queue) return false;
  if (filter.name && job.name != *filter.name) return false;
  if (filter.project && job.project != *filter.project) return false;
  if (filter.group && job.group != filter.group) return false;
  if (!filter.states.empty() && std::ranges::find(filter.states, job.state) == filter.states.end()) return false;
  return !filter.within || std::ranges::any_of(*filter.within, [&](const JobSet& set) { return contains(set, job); });
}

}  // namespace ym
