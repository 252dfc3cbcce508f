#include "spec/warnings.h"

#include <fmt/format.h>

#include <algorithm>

namespace ym {
namespace {

// How long torchrun's agent waits for its workers unless it is told otherwise; releases of
// PyTorch differ in whether it can be told.
constexpr Duration kAgentsPatience = seconds(30);
constexpr std::string_view kAgentsVariable = "TORCH_ELASTIC_SHUTDOWN_TIMEOUT";

// Who sets the variable himself knows of it.
bool trusts_the_agent(const JobSpec& spec) {
  return spec.launcher == Launcher::torchrun && !spec.env.contains(std::string(kAgentsVariable));
}

bool some_trust_the_agent(const JobSpec& spec) {
  if (spec.groups.empty()) return trusts_the_agent(spec);
  for (std::size_t group = 0; group < spec.groups.size(); ++group)
    if (trusts_the_agent(spec.of_group(group))) return true;
  return false;
}

bool has_several_slices(const JobSpec& spec) {
  const auto several = [](const TaskResources& resources) { return resources.slices > 1; };
  return several(spec.resources) || std::ranges::any_of(spec.groups, several, &TaskGroup::resources);
}

}  // namespace

std::vector<std::string> warnings_of(const JobSpec& spec) {
  std::vector<std::string> warnings;
  if (spec.stop.grace > kAgentsPatience && some_trust_the_agent(spec))
    warnings.push_back(
        fmt::format("preemption.grace is {}, but PyTorch before the release that reads {} kills workers 30 s after "
                    "SIGTERM: with such a one a save has to fit into 30 s",
                    to_string(spec.stop.grace), kAgentsVariable));
  if (has_several_slices(spec))
    warnings.push_back(
        "resources.mig asks for several slices on a node, but CUDA shows a process only the first that it may see: the "
        "program has to start a process for each, with its own CUDA_VISIBLE_DEVICES");
  return warnings;
}

}  // namespace ym
