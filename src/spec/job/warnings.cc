#include "spec/job/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "model/own_torchrun.h"

namespace ym {
namespace {

// Default time for which torchrun's agent waits for its workers. Only some releases of PyTorch let a user change it.
constexpr Duration kAgentStopTimeout = seconds(30);
constexpr std::string_view kAgentsVariable = "TORCH_ELASTIC_SHUTDOWN_TIMEOUT";

// A user that sets the variable knows the limit.
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

// Whether two such jobs on one node would conflict: the user has written a fixed port, or a c10d rendezvous without
// an endpoint takes its fixed default.
bool shares_a_port(const JobSpec& spec) {
  if (spec.launcher != Launcher::none || spec.run.words.empty()) return false;
  const auto meeting = own_torchrun(spec.run);
  return meeting && (meeting->names_port || meeting->takes_fixed_port || spec.env.contains("PET_MASTER_PORT"));
}

// "$PORT", "${HOST}:1"; empty: the word has no variable. A word with blanks is a line for another program.
std::string_view variable_in(std::string_view word) {
  if (word.find_first_of(" \t\n") != word.npos) return {};
  const auto is_part = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (auto at = word.find('$'); at != word.npos; at = word.find('$', at + 1)) {
    const bool braced = word.substr(at + 1).starts_with('{');
    auto end = at + 1 + (braced ? 1 : 0);
    const auto begin = end;
    while (end < word.size() && is_part(word[end])) ++end;
    if (end == begin || std::isdigit(static_cast<unsigned char>(word[begin])) != 0) continue;
    if (!braced) return word.substr(at, end - at);
    if (word.substr(end).starts_with('}')) return word.substr(at, end + 1 - at);
  }
  return {};
}

// A variable among the words of torchrun that no shell expands; empty: there is none. After `bash -c`, torchrun is
// not a word of its own.
std::string_view unexpanded(const JobSpec& spec) {
  if (spec.launcher != Launcher::none || spec.run.form != Program::Form::argv || !own_torchrun(spec.run)) return {};
  const auto& words = spec.run.words;
  const auto is_it = [](const std::string& word) {
    return word == "torchrun" || word.ends_with("/torchrun") || word.starts_with("torch.distributed.");
  };
  for (auto word = std::ranges::find_if(words, is_it); word != words.end(); ++word)
    if (const auto variable = variable_in(*word); !variable.empty()) return variable;
  return {};
}

// Calls `look` with each part of the job that has its own program, and with a name of the part.
template <class Look>
void for_each_program(const JobSpec& spec, Look look) {
  if (spec.groups.empty()) return look(spec, "job " + spec.name);
  for (std::size_t group = 0; group < spec.groups.size(); ++group)
    look(spec.of_group(group), fmt::format("group {} of job {}", spec.groups[group].name, spec.name));
}

// Names the job, because a file may have several.
void add_of_own_torchruns(const JobSpec& spec, std::vector<std::string>& warnings) {
  for_each_program(spec, [&](const JobSpec& part, const std::string& name) {
    if (shares_a_port(part))
      warnings.push_back(fmt::format(
          "run of {} starts torchrun with a fixed port: two such jobs on a node conflict. Leave the port out, and "
          "torchrun takes a port of the job; or write launcher: torchrun and only the script in run",
          name));
    if (const auto variable = unexpanded(part); !variable.empty())
      warnings.push_back(
          fmt::format("run of {} is a list, and no shell expands its words: torchrun gets {} as written. Write run as "
                      "a string; then a shell puts in the value",
                      name, variable));
  });
}

}  // namespace

std::vector<std::string> warnings_of(const JobSpec& spec) {
  std::vector<std::string> warnings;
  if (spec.stop.grace > kAgentStopTimeout && some_trust_the_agent(spec))
    warnings.push_back(
        fmt::format("preemption.grace is {}, but PyTorch before the release that reads {} kills workers 30 s after "
                    "SIGTERM: with an older release, a save must take less than 30 s",
                    to_string(spec.stop.grace), kAgentsVariable));
  add_of_own_torchruns(spec, warnings);
  if (has_several_slices(spec))
    warnings.push_back(
        "resources.mig requests several slices on a node, but CUDA shows a process only its first visible slice: the "
        "program must start a process for each, with its own CUDA_VISIBLE_DEVICES");
  return warnings;
}

}  // namespace ym
