#include "spec/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "model/own_torchrun.h"

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

// Where two such jobs on a node get in each other's way: a port that the user has written down, or the one that a
// rendezvous of c10d takes where it is told none.
bool shares_a_port(const JobSpec& spec) {
  if (spec.launcher != Launcher::none || spec.run.words.empty()) return false;
  const auto meeting = own_torchrun(spec.run);
  return meeting && (meeting->names_port || meeting->takes_fixed_port || spec.env.contains("PET_MASTER_PORT"));
}

bool some_share_a_port(const JobSpec& spec) {
  if (spec.groups.empty()) return shares_a_port(spec);
  for (std::size_t group = 0; group < spec.groups.size(); ++group)
    if (shares_a_port(spec.of_group(group))) return true;
  return false;
}

}  // namespace

std::vector<std::string> warnings_of(const JobSpec& spec) {
  std::vector<std::string> warnings;
  if (spec.stop.grace > kAgentsPatience && some_trust_the_agent(spec))
    warnings.push_back(
        fmt::format("preemption.grace is {}, but PyTorch before the release that reads {} kills workers 30 s after "
                    "SIGTERM: with such a one a save has to fit into 30 s",
                    to_string(spec.stop.grace), kAgentsVariable));
  if (some_share_a_port(spec))
    warnings.push_back(
        "run starts torchrun and names the port at which it meets, or has it take a fixed one: two such jobs on a node "
        "get in each other's way. Leave the port out, and it takes one of the job's own; or write launcher: torchrun "
        "and only the script in run");
  if (has_several_slices(spec))
    warnings.push_back(
        "resources.mig asks for several slices on a node, but CUDA shows a process only the first that it may see: the "
        "program has to start a process for each, with its own CUDA_VISIBLE_DEVICES");
  return warnings;
}

}  // namespace ym
