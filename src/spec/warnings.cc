#include "spec/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

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

// As the program gets them; of a line for the shell, as good as they can be told apart.
std::vector<std::string_view> words_of(const Program& program) {
  if (program.form == Program::Form::argv) return {program.words.begin(), program.words.end()};
  std::vector<std::string_view> words;
  for (std::string_view rest = program.words.front(); !rest.empty();) {
    const auto begin = std::min(rest.find_first_not_of(" \t\r\n;&|\\\"'"), rest.size());
    rest.remove_prefix(begin);
    const auto end = std::min(rest.find_first_of(" \t\r\n;&|\\\"'"), rest.size());
    if (end > 0) words.push_back(rest.substr(0, end));
    rest.remove_prefix(end);
  }
  return words;
}

bool starts_torchrun(const std::vector<std::string_view>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "torchrun" || words[i].ends_with("/torchrun")) return true;
    if (i > 0 && words[i - 1] == "-m" &&
        (words[i] == "torch.distributed.run" || words[i] == "torch.distributed.launch"))
      return true;
  }
  return false;
}

// Where its ranks meet; torchrun takes both ways to write an option, and its variables.
bool says_where_to_meet(const std::vector<std::string_view>& words, const std::map<std::string, std::string>& env) {
  constexpr std::array<std::string_view, 4> kOptions{"--rdzv", "--master_port", "--master-port", "--standalone"};
  constexpr std::array<const char*, 3> kVariables{"PET_RDZV_ENDPOINT", "PET_MASTER_PORT", "PET_STANDALONE"};
  const auto is_said = [&](std::string_view word) {
    return std::ranges::any_of(kOptions, [&](std::string_view option) { return word.starts_with(option); });
  };
  return std::ranges::any_of(words, is_said) ||
         std::ranges::any_of(kVariables, [&](const char* name) { return env.contains(name); });
}

// A torchrun of the user's own; all of these want port 29500 of their node unless they are told another.
bool shares_the_port(const JobSpec& spec) {
  if (spec.launcher != Launcher::none || spec.run.words.empty()) return false;
  const auto words = words_of(spec.run);
  return starts_torchrun(words) && !says_where_to_meet(words, spec.env);
}

bool some_share_the_port(const JobSpec& spec) {
  if (spec.groups.empty()) return shares_the_port(spec);
  for (std::size_t group = 0; group < spec.groups.size(); ++group)
    if (shares_the_port(spec.of_group(group))) return true;
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
  if (some_share_the_port(spec))
    warnings.push_back(
        "run starts torchrun, which meets at port 29500 unless it is told another: two such jobs on a node get in each "
        "other's way. Write launcher: torchrun and only the script in run, or --standalone if it has one node");
  if (has_several_slices(spec))
    warnings.push_back(
        "resources.mig asks for several slices on a node, but CUDA shows a process only the first that it may see: the "
        "program has to start a process for each, with its own CUDA_VISIBLE_DEVICES");
  return warnings;
}

}  // namespace ym
