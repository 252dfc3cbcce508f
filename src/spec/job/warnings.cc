#include "spec/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
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

// "$PORT", "${HOST}:1"; empty: it names no variable. What has blanks is a line for somebody else.
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

// A variable among the words that a torchrun gets as they are, because no shell sees them; empty: there is none. Behind
// `bash -c` torchrun is no word by itself.
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

// Calls `look` with each part of the job that has a program of its own, and with what it is called.
template <class Look>
void for_each_program(const JobSpec& spec, Look look) {
  if (spec.groups.empty()) return look(spec, "job " + spec.name);
  for (std::size_t group = 0; group < spec.groups.size(); ++group)
    look(spec.of_group(group), fmt::format("group {} of job {}", spec.groups[group].name, spec.name));
}

// A file may have several jobs, so that each is named.
void add_of_own_torchruns(const JobSpec& spec, std::vector<std::string>& warnings) {
  for_each_program(spec, [&](const JobSpec& part, const std::string& name) {
    if (shares_a_port(part))
      warnings.push_back(fmt::format(
          "run of {} starts torchrun and names the port at which it meets, or has it take a fixed one: two such jobs "
          "on a node get in each other's way. Leave the port out, and it takes one of the job's own; or write "
          "launcher: torchrun and only the script in run",
          name));
    if (const auto variable = unexpanded(part); !variable.empty())
      warnings.push_back(
          fmt::format("run of {} is a list, of which no shell sees the words: torchrun gets {} as it is written here. "
                      "Write run as a string, in which a shell puts the value",
                      name, variable));
  });
}

}  // namespace

std::vector<std::string> warnings_of(const JobSpec& spec) {
  std::vector<std::string> warnings;
  if (spec.stop.grace > kAgentsPatience && some_trust_the_agent(spec))
    warnings.push_back(
        fmt::format("preemption.grace is {}, but PyTorch before the release that reads {} kills workers 30 s after "
                    "SIGTERM: with such a one a save has to fit into 30 s",
                    to_string(spec.stop.grace), kAgentsVariable));
  add_of_own_torchruns(spec, warnings);
  if (has_several_slices(spec))
    warnings.push_back(
        "resources.mig asks for several slices on a node, but CUDA shows a process only the first that it may see: the "
        "program has to start a process for each, with its own CUDA_VISIBLE_DEVICES");
  return warnings;
}

}  // namespace ym
