#include "reference/parts.h"

#include "model/flavor_mix.h"
#include "reference/sized.h"

namespace ym::reference {

std::vector<std::pair<std::string, std::int64_t>> tasks_of(const Job& job, const std::string& flavors,
                                                           std::int64_t tasks) {
  const FlavorMix mix = split_flavors(flavors);
  const std::int64_t anchor = mix.anchor.empty() ? 0 : job.spec->placement.anchor;
  std::vector<std::pair<std::string, std::int64_t>> parts;
  if (tasks > anchor) parts.emplace_back(mix.rest, tasks - anchor);
  if (anchor > 0) parts.emplace_back(mix.anchor, anchor);
  return parts;
}

std::vector<Part> parts_of(const Job& job, const std::string& flavors) {
  std::vector<Part> parts;
  for (const auto& [flavor, tasks] : tasks_of(job, flavors, job.spec->nodes))
    parts.push_back({.flavor = flavor, .job = sized(job, static_cast<std::int32_t>(tasks))});
  return parts;
}

std::vector<std::string> in_both(const std::string& flavors, const std::string& others) {
  const FlavorMix mix = split_flavors(flavors), other = split_flavors(others);
  std::vector<std::string> found;
  for (const auto one : {mix.rest, mix.anchor})
    if (!one.empty() && (one == other.rest || one == other.anchor)) found.emplace_back(one);
  return found;
}

std::string rest_of(const std::string& flavors) { return std::string(split_flavors(flavors).rest); }

}  // namespace ym::reference
