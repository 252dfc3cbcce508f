#include "spec/convert/sbatch_left_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ym::convert {
namespace {

constexpr std::array<Advice, 19> kLeftOut{
    {{"qos", "write priority: 0 to 100 (50 is usual), or a queue that is for such jobs"},
     {"constraint", "nodes are chosen by label: placement: {select: {LABEL: VALUE}}"},
     {"nodelist", "nodes are chosen by label: placement: {select: {LABEL: VALUE}}"},
     {"exclusive", "GPUs are the job's alone anyway; for a whole node ask for all of its cpus"},
     {"dependency",
      "jobs of Slurm's are not known here; to begin when another has succeeded: ym wait JOB && ym submit"},
     {"mail-type", "have ym wait return, and write the mail then"},
     {"mail-user", "have ym wait return, and write the mail then"},
     {"begin", "let cron or at call ym submit"},
     {"switches", "write placement: {topology: {required: LEVEL}}"},
     {"reservation", "reservations are for users and queues: ym reservation list"},
     {"licenses", "licences are not counted yet"},
     {"nice", "write priority: 0 to 100 (50 is usual, higher is more urgent)"},
     {"priority", "write priority: 0 to 100 (50 is usual, higher is more urgent)"},
     {"hold", "ym hold keeps a waiting job from starting"},
     {"deadline", "write deadline: a time with a zone, such as 2026-01-01T12:00:00Z"},
     {"input", "read the file in the script"},
     {"ntasks-per-gpu", "a task is a node; for a process each GPU write launcher: torchrun"},
     {"get-user-env", "nothing of the user's environment goes along; run it by #!/bin/bash -l"},
     {"time-min", "write time_limit, which is not shortened"}}};
// Without these a job does the same.
constexpr std::array<Advice, 12> kNoMatter{{{"output", "what a job writes is kept, ym logs shows it"},
                                            {"error", "what a job writes is kept, ym logs shows it"},
                                            {"requeue", "jobs are tried again anyway, see retry"},
                                            {"open-mode", "what a job writes is kept of each attempt"},
                                            {"comment", "jobs have none"},
                                            {"wckey", "jobs have none; write project"},
                                            {"parsable", "ym submit -o name writes ids alone"},
                                            {"wait", "ym submit --wait waits"},
                                            {"verbose", "it is about what sbatch says"},
                                            {"quiet", "it is about what sbatch says"},
                                            {"kill-on-invalid-dep", "dependencies are left out"},
                                            {"gres-flags", "it is about where tasks of Slurm's go within a node"}}};

template <class List>
std::string_view advice(const List& list, std::string_view name) {
  const auto* found = std::ranges::find(list, name, &Advice::key);
  return found == list.end() ? std::string_view() : found->text;
}

}  // namespace

std::vector<std::string_view> options_left_out() {
  std::vector<std::string_view> names;
  for (const auto& known : kLeftOut) names.push_back(known.key);
  for (const auto& known : kNoMatter) names.push_back(known.key);
  return names;
}

void leave_out(std::string_view name, const Field& option, Remarks& remarks) {
  if (name.empty())
    return remarks.warn(option, fmt::format("{} is no option, and is left out; a value with blanks stands in quotes",
                                            spec::quoted(option.value->text)));
  if (const auto text = advice(kNoMatter, name); !text.empty())
    return remarks.note(option, fmt::format("is left out; {}", text));
  const auto text = advice(kLeftOut, name);
  remarks.warn(option, fmt::format("is left out; {}", text.empty() ? "a job file has nothing like it" : text));
}

}  // namespace ym::convert
