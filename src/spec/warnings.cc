#include "spec/warnings.h"

#include <fmt/format.h>

#include <algorithm>

namespace ym {
namespace {

// How long torchrun's agent waits for its workers unless it is told otherwise; releases of
// PyTorch differ in whether it can be told.
constexpr Duration kAgentsPatience = seconds(30);
constexpr std::string_view kAgentsVariable = "TORCH_ELASTIC_SHUTDOWN_TIMEOUT";

bool uses_torchrun(const JobSpec& spec) {
  if (spec.groups.empty()) return spec.launcher == Launcher::torchrun;
  return std::ranges::find(spec.groups, Launcher::torchrun, &TaskGroup::launcher) != spec.groups.end();
}

bool has_several_slices(const JobSpec& spec) {
  const auto several = [](const TaskResources& resources) { return resources.slices > 1; };
  return several(spec.resources) || std::ranges::any_of(spec.groups, several, &TaskGroup::resources);
}

}  // namespace

std::vector<std::string> warnings_of(const JobSpec& spec) {
  std::vector<std::string> warnings;
  // Who sets the variable himself knows of it.
  if (uses_torchrun(spec) && spec.stop.grace > kAgentsPatience && !spec.env.contains(std::string(kAgentsVariable)))
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
