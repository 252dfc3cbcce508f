#include "reference/parts.h"

#include <algorithm>

#include "model/flavor_mix.h"
#include "reference/sized.h"

namespace ym::reference {

Job as_group(const Job& job, std::size_t group) {
  Job own = job;
  own.spec = std::make_shared<const JobSpec>(job.spec->of_group(group));
  return own;
}

std::vector<Part> parts_of(const Job& job, const std::string& flavors, std::int64_t tasks) {
  const auto names = split_flavors(flavors);
  std::vector<Part> parts;
  const auto add = [&](std::string_view flavor, std::int64_t count) {
    if (count > 0) parts.push_back({std::string(flavor), sized(job, static_cast<std::int32_t>(count))});
  };
  if (!job.spec->groups.empty())
    for (std::size_t group = 0; group < names.size(); ++group)
      parts.push_back({std::string(names[group]), as_group(job, group)});
  else if (names.size() == 2) {
    add(names.front(), job.spec->placement->anchor);
    add(names.back(), tasks - job.spec->placement->anchor);
  } else add(flavors, tasks);
  return parts;
}

std::vector<Part> parts_of(const Job& job, const std::string& flavors) {
  return parts_of(job, flavors, job.spec->nodes);
}

std::vector<Job> kinds_of(const Job& job) {
  std::vector<Job> kinds;
  for (std::size_t group = 0; group < job.spec->groups.size(); ++group) kinds.push_back(as_group(job, group));
  if (kinds.empty()) kinds.push_back(job);
  return kinds;
}

std::vector<std::vector<Part>> by_flavor(const std::vector<Part>& parts) {
  std::vector<std::vector<Part>> flavors;
  for (const Part& part : parts) {
    const auto same = [&](const std::vector<Part>& others) { return others.front().flavor == part.flavor; };
    const auto known = std::ranges::find_if(flavors, same);
    if (known == flavors.end()) flavors.push_back({part});
    else known->push_back(part);
  }
  return flavors;
}

std::vector<FlavorNeed> needs_of(const Job& job, const std::string& flavors) {
  std::vector<FlavorNeed> needs;
  for (const auto& parts : by_flavor(parts_of(job, flavors))) {
    needs.push_back({.flavor = parts.front().flavor, .amounts = {}});
    for (const Part& part : parts) needs.back().amounts += part.job.spec->total();
  }
  return needs;
}

Part part_with(const Job& job, const std::string& flavors, std::int64_t tasks, std::int32_t task) {
  const auto parts = parts_of(job, flavors, tasks);
  for (const Part& part : parts) {
    if (task < part.job.spec->nodes) return part;
    task -= part.job.spec->nodes;
  }
  return parts.back();
}

bool names(const std::string& flavors, std::string_view flavor) {
  const auto parts = split_flavors(flavors);
  return std::ranges::find(parts, flavor) != parts.end();
}

std::vector<std::string> in_both(const std::string& flavors, const std::string& others) {
  std::vector<std::string> found;
  for (const auto one : split_flavors(flavors))
    if (names(others, one) && std::ranges::find(found, one) == found.end()) found.emplace_back(one);
  return found;
}

}  // namespace ym::reference
